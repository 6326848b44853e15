"""Nobody acts on what is another's, whatever a callback says: ids are easy to guess, so each one is forged here."""

import pytest

from tests.bot.notes import GLACIER, ask, keep
from tests.bot.people import Json, Person, Telegram, buttons, labels, text_of

GONE = "Этого блокнота нет, или он вам недоступен. Откройте список: /notebooks."

FORGED = [
    *(f"nb:{action}:{{notebook}}" for action in ("open", "switch", "rename", "archive", "unarchive", "delete")),
    "nb:delete_sure:{notebook}",
    *(f"src:{action}:{{notebook}}:{{source}}" for action in ("open", "mute", "unmute", "delete", "delete_sure")),
    "srcs:{notebook}:0",
    "cite:{answer}:1:0",
    "cite:{answer}:1:1",
    "treat:question:{source}:{notebook}",
]


@pytest.fixture
async def victim(meet) -> Person:
    """A person with a notebook, a source, an answer and a question."""
    vera = await meet("Вера")
    await keep(vera, GLACIER)
    return vera


@pytest.fixture
async def thief(meet) -> Person:
    """Another person, with a source of their own to confuse it with."""
    foma = await meet("Фома")
    await keep(foma)
    return foma


async def test_no_forged_callback_reads_or_changes_what_is_anothers(
    victim: Person, thief: Person, telegram: Telegram
) -> None:
    ids = await _ids(victim)
    under = thief.from_bot()[0]
    before = await telegram.last_call()
    answers = {data: await thief.forge(under, data.format(**ids)) for data in FORGED}
    assert {data: answer.get("text") for data, answer in answers.items()} == dict.fromkeys(FORGED, GONE)
    shown = [call for call in await telegram.call("GET", "/calls", params={"since": str(before)})
             if str(call["params"].get("chat_id")) == str(thief.id)]  # fmt: skip
    assert shown == []
    await _is_untouched(victim)


async def test_a_forged_source_of_ones_own_notebook_is_simply_not_there(victim: Person, thief: Person) -> None:
    theirs, own = await _ids(victim), await _ids(thief)
    under = thief.from_bot()[0]
    for action in ("open", "mute", "delete", "delete_sure"):
        answer = await thief.forge(under, f"src:{action}:{own['notebook']}:{theirs['source']}")
        assert answer["text"] == "Этого источника больше нет."
    answer = await thief.forge(under, f"treat:question:{theirs['source']}:{own['notebook']}")
    assert answer["text"] == "Этого источника больше нет."
    await _is_untouched(victim)


async def test_a_forged_question_cannot_be_kept_as_ones_own_source(victim: Person, thief: Person) -> None:
    await victim.say("Пароль от моего шкафчика в раздевалке бассейна семь семь четыре один")
    refusal = await victim.sees("Ответа на это в блокноте нет")
    data = next(button["callback_data"] for button in buttons(refusal))
    answer = await thief.forge(thief.from_bot()[0], data)
    assert answer["text"] == "Этого вопроса больше нет. Задайте его снова."


async def test_a_forged_stop_is_answered_as_too_late(victim: Person, thief: Person) -> None:
    answer = await thief.forge(thief.from_bot()[0], "stop:1")
    assert answer["text"] == "Останавливать уже нечего."


@pytest.mark.parametrize(
    "data",
    ["", "nb", "nb:open", "nb:explode:1", "src:open:x:y", "cite:1", "cite:99999999999999999999:1:0", "srcs:1:-7",
     "lang:de", "help:everything", "treat:dog:1:1", "выдумка"],
)  # fmt: skip
async def test_nonsense_in_a_callback_is_answered_and_breaks_nothing(anya: Person, data: str) -> None:
    await anya.say("/start")
    shown = await anya.sees("Пришлите лекцию")
    answer = await anya.forge(shown, data)
    assert answer["text"].startswith("Эта кнопка устарела")
    await anya.say("/sources")
    await anya.sees("пока пусто")


async def test_a_groups_member_cannot_open_anothers_private_things_from_the_group(
    victim: Person, thief: Person, make_group, telegram: Telegram
) -> None:
    ids = await _ids(victim)
    group = await make_group(thief, victim)
    hello = await thief.sees("Здесь я веду общий блокнот", group)
    for data in FORGED:
        answer = await thief.forge(hello, data.format(**ids))
        assert answer["text"] == GONE, data
    await _is_untouched(victim)


async def test_a_private_person_cannot_reach_a_groups_notebook_they_are_no_member_of(
    anya: Person, thief: Person, make_group
) -> None:
    group = await make_group(anya)
    await anya.sees("Здесь я веду общий блокнот", group)
    note = await anya.say("Ключ от аудитории лежит у вахтёра Семёна Петровича.", group)
    await anya.say("/add", group, reply_to_message_id=note["message_id"])
    await anya.sees("Прочитано", group)
    sent = await anya.say("/sources", group)
    listed = await anya.sees("1 источник", group, after=sent)
    source = next(data for data in _datas(listed) if data.startswith("src:open"))
    for action in ("open", "mute", "delete_sure"):
        answer = await thief.forge(thief.from_bot()[0], source.replace("open", action))
        assert answer["text"] == GONE


async def _ids(person: Person) -> dict[str, str]:
    answer = await ask(person, "Какой длины ледник?" if "ледник" in _words(person) else "Сколько через сутки?")
    sent = await person.say("/sources")
    listed = await person.sees("источник", after=sent)
    _, _, notebook, source = next(data for data in _datas(listed) if data.startswith("src:open")).split(":")
    return {"notebook": notebook, "source": source, "answer": _datas(answer)[0].split(":")[1]}


async def _is_untouched(victim: Person) -> None:
    sent = await victim.say("/notebooks")
    assert labels(await victim.sees("Ваши блокноты", after=sent)) == ["✔ Мой первый блокнот · 1", "Новый блокнот"]
    assert "семьдесят семь" in text_of(await ask(victim, "Какой длины ледник Федченко?"))


def _datas(message: Json) -> list[str]:
    return [button.get("callback_data", "") for button in buttons(message)]


def _words(person: Person) -> str:
    return " ".join(text_of(message) for message in person.chats[person.id].values())
