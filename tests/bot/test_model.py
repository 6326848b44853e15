"""Answers that a language model writes: the product once more, with an OpenAI-compatible endpoint behind it."""

from collections.abc import AsyncIterator, Callable
from itertools import pairwise
from typing import Any

import pytest

from core.billing.plans import PLANS
from core.billing.quota import Request
from core.model.ids import PersonId
from core.model.plan import PlanName
from core.wiring import open_plumbing, utc_now
from tests.bot.notes import GLACIER, ask, is_answer, is_read, keep
from tests.bot.people import Person, labels, text_of
from tests.bot.product import Product
from tests.fakes import openai_behaviours as fake
from tests.fakes.openai_server import FakeOpenAI

SILENCE_S = 1.5
"""Patience with the model: the thirty seconds of the settings, shortened."""
LENGTH = "Ледник Федченко длиной семьдесят семь километров лежит на Памире. [1]"
QUESTION = "Какой длины ледник Федченко?"


@pytest.fixture(scope="module")
async def model_product(start_product: Callable[..., Any]) -> AsyncIterator[Product]:
    """The product with a language model."""
    async with start_product("model", 6, llm={"model": "fake-model", "silence_s": SILENCE_S}) as running:
        yield running


@pytest.fixture
async def product(model_product: Product) -> AsyncIterator[Product]:
    """All of it, before and after each test."""
    assert not model_product.broken()
    yield model_product
    assert not model_product.broken()


@pytest.fixture
def model(product: Product) -> FakeOpenAI:
    """The endpoint, well behaved until a test says otherwise."""
    product.models.reset()
    product.models.token_pause_s = 0
    return product.models


@pytest.fixture
async def reader(anya: Person, model: FakeOpenAI) -> Person:
    """A person who has something to ask about."""
    await keep(anya, GLACIER)
    return anya


async def test_the_main_path_with_a_model_searches_writes_and_cites(reader: Person, model: FakeOpenAI) -> None:
    answer = await ask(reader, QUESTION)
    assert "семьдесят семь километров" in text_of(answer)
    assert "выдержки" not in text_of(answer)
    assert [message["role"] for message in model.requests[-1]["messages"]].count("tool") == 1
    await reader.tap("1", answer)
    passage = await reader.sees("[1] Дневник экспедиции", after=answer)
    assert "семьдесят семь" in text_of(passage)


async def test_an_answer_streams_as_drafts_that_the_final_message_replaces(reader: Person, model: FakeOpenAI) -> None:
    model.token_pause_s = 0.06
    model.script(fake.streamed(f"{LENGTH} " * 6))
    answer = await ask(reader, QUESTION)
    drafts = reader.drafts()
    assert len(drafts) >= 2
    assert all(later.startswith(earlier.rstrip(" …")[:20]) for earlier, later in pairwise(drafts))
    assert len(drafts[-1]) > len(drafts[0])
    assert text_of(answer).startswith("Ледник Федченко длиной")
    assert [event["type"] for event in reader.events if event["type"].startswith("draft")][-1] == "draft_end"


async def test_t8_a_person_sees_typing_while_a_silent_model_is_waited_for(reader: Person, model: FakeOpenAI) -> None:
    model.script(fake.silent(30))
    asked = await reader.say(QUESTION)
    await reader.wait_for(lambda: [one for one in reader.events if one["type"] == "chat_action"], "typing")
    assert not [one for one in reader.from_bot() if one["message_id"] > asked["message_id"]]
    answer = await reader.sees(is_answer, after=asked)
    assert "семьдесят семь" in text_of(answer)


async def test_invented_citations_are_dropped_and_what_they_stood_for_is_marked(
    reader: Person, model: FakeOpenAI
) -> None:
    model.script(fake.streamed(f"{LENGTH} Его открыл Марко Поло в 1271 году. [7] Так говорят. [99]"))
    answer = await ask(reader, QUESTION)
    assert "[7]" not in text_of(answer)
    assert "[99]" not in text_of(answer)
    assert "Марко Поло в 1271 году. ✖" in text_of(answer)
    assert labels(answer) == ["1"]


@pytest.mark.parametrize(
    "failures",
    [[fake.dropped("Ледник Федченко ")], [fake.refused_connection()] * 2, [fake.rate_limited(1)],
     [fake.silent(30, "Лед")], [fake.broken(502)] * 2, [fake.malformed()]],
    ids=["dropped", "refused", "429", "silence", "502", "malformed"],
)  # fmt: skip
async def test_a_model_that_failed_is_asked_again_and_one_answer_comes(
    reader: Person, model: FakeOpenAI, failures: list[fake.Behaviour]
) -> None:
    model.script(*failures)  # two where the client itself tries once more
    asked = await reader.say(QUESTION)
    answer = await reader.sees(is_answer, after=asked)
    assert "семьдесят семь" in text_of(answer)
    assert "Остался 19" in text_of(answer).replace("Осталось 19", "Остался 19")
    assert len([one for one in reader.from_bot() if one["message_id"] > asked["message_id"]]) == 1


async def test_a_model_that_refuses_its_key_leaves_the_person_with_passages_and_costs_nothing(
    reader: Person, model: FakeOpenAI
) -> None:
    model.script(fake.error(401, "Incorrect API key", "invalid_api_key"))
    answer = await ask(reader, QUESTION)
    assert "семьдесят семь" in text_of(answer)
    assert "Запрос не потрачен" in text_of(answer)
    assert "Incorrect" not in text_of(answer)
    assert "Осталось 19 запросов" in text_of(await ask(reader, "Кто измерил скорость движения льда?"))


async def test_what_the_sources_do_not_hold_is_refused_without_a_list_of_sources(
    reader: Person, model: FakeOpenAI
) -> None:
    model.script(fake.refusal())
    asked = await reader.say("Сколько стоит билет в Берлин?")
    refusal = await reader.sees("Ответа на это в блокноте нет", after=asked)
    assert labels(refusal) == []
    assert "Дневник" not in text_of(refusal)


async def test_after_the_last_prompt_answers_go_on_without_the_model(
    reader: Person, model: FakeOpenAI, product: Product
) -> None:
    await _spend(product, reader, PLANS[PlanName.FREE].prompts - 1)
    last = await ask(reader, QUESTION)
    assert "Запросов больше нет" in text_of(last)
    asked_model = len(model.requests)
    beyond = await ask(reader, "Кто измерил скорость движения льда?")
    assert "Корженевский" in text_of(beyond)
    assert "Запросы закончились" in text_of(beyond)
    assert len(model.requests) == asked_model


async def test_a_stopped_answer_keeps_what_was_written_and_its_citations(reader: Person, model: FakeOpenAI) -> None:
    model.token_pause_s = 0.05
    model.script(fake.streamed(f"{LENGTH} " + "И ещё одно предложение о леднике. " * 100))
    asked = await reader.say(QUESTION)
    await reader.wait_for(lambda: any("[1]" in draft for draft in reader.drafts()), "a draft")
    await reader.stop_draft()
    answer = await reader.sees("Ответ обрывается здесь", after=asked)
    assert text_of(answer).startswith(LENGTH)
    assert len(text_of(answer)) < 2500
    assert labels(answer) == ["1"]


async def test_a_stopped_draft_leaves_the_persons_language_as_it_was(meet, model: FakeOpenAI) -> None:
    kate = await meet("Kate", "en")
    await kate.say(GLACIER)
    await kate.sees(is_read)
    model.token_pause_s = 0.05
    model.script(fake.streamed("A long answer that goes on. " * 100))
    await kate.say("How long is the glacier?")
    await kate.wait_for(kate.drafts, "a draft")
    await kate.stop_draft()
    await kate.sees("The answer breaks off here")
    await kate.say("/sources")
    await kate.sees("1 source")


async def test_in_a_group_an_answer_grows_by_edits_and_only_the_asker_stops_it(
    meet, make_group, model: FakeOpenAI
) -> None:
    anya, boris = await meet("Аня"), await meet("Борис")
    group = await make_group(anya, boris)
    note = await anya.say(GLACIER, group)
    await anya.say("/add", group, reply_to_message_id=note["message_id"])
    await anya.sees(is_read, group)
    model.token_pause_s = 0.05
    model.script(fake.streamed(f"{LENGTH} " + "И ещё одно предложение о леднике. " * 100))
    asked = await anya.say(f"/ask {QUESTION}", group)
    growing = await anya.sees(lambda message: "Остановить" in labels(message), group, after=asked)
    assert (await boris.tap("Остановить", growing))["text"] == "Останавливать уже нечего."
    assert (await anya.tap("Остановить", growing))["text"] == "Остановлено."
    answer = await anya.sees("Ответ обрывается здесь", group)
    assert answer["message_id"] == growing["message_id"]
    assert answer["reply_to_message"]["message_id"] == asked["message_id"]


async def test_a_private_draft_cannot_be_stopped_by_another_person(meet, reader: Person, model: FakeOpenAI) -> None:
    thief = await meet("Фома")
    await thief.say("/start")
    shown = await thief.sees("Пришлите лекцию")
    model.token_pause_s = 0.05
    model.script(fake.streamed(f"{LENGTH} " + "И ещё одно предложение. " * 12))
    await reader.say(QUESTION)
    await reader.wait_for(reader.drafts, "a draft")
    draft_id = next(event["draft_id"] for event in reader.events if event["type"] == "draft")
    assert (await thief.forge(shown, f"stop:{draft_id}"))["text"] == "Останавливать уже нечего."
    answer = await reader.sees(is_answer)
    assert "обрывается" not in text_of(answer)


async def test_t12_a_mention_after_emoji_is_cut_out_of_the_question_and_nothing_else_is(
    anya: Person, make_group: Callable[..., Any], model: FakeOpenAI
) -> None:
    group = await make_group(anya, bot_status="administrator")
    note = await anya.say(GLACIER, group)
    await anya.say("/add", group, reply_to_message_id=note["message_id"])
    await anya.sees(is_read, group)
    asked = await anya.say(f"👩‍👩‍👧‍👦🎓 Эй, @konspekt_sandbox_bot {QUESTION}", group)
    await anya.sees(is_answer, group, after=asked)
    said = [str(message.get("content")) for message in model.requests[-1]["messages"]]
    assert any(f"👩‍👩‍👧‍👦🎓 Эй,  {QUESTION}" in content for content in said)


async def test_t1_a_bold_run_of_5000_characters_arrives_whole_in_parts(reader: Person, model: FakeOpenAI) -> None:
    run = " ".join(f"слово{number}" for number in range(500))
    model.script(fake.streamed(f"**{run}** {LENGTH}"))
    answer = await ask(reader, QUESTION)
    parts = [one for one in reader.from_bot() if "слово" in text_of(one)]
    assert len(parts) == 2
    words = " ".join(text_of(one) for one in parts).split()
    assert [word for word in words if word.startswith("слово")] == run.split()
    assert all(any(entity["type"] == "bold" for entity in one["entities"]) for one in parts)
    assert labels(answer) == ["1"]


async def test_t1_what_looks_like_markup_arrives_as_it_was_written(reader: Person, model: FakeOpenAI) -> None:
    odd = r"Теги <tag> и </b>, знаки & &amp; \ \\ и _*[]()~>#+-=|{}.! остались"
    model.script(fake.streamed(f"`{odd}` {LENGTH}"))
    assert odd in text_of(await ask(reader, QUESTION)).replace(" ✖", "")


async def test_t2_emoji_at_the_limit_are_not_torn(reader: Person, model: FakeOpenAI) -> None:
    text = "слово " * 600 + "🧬" * 50 + "👩‍👩‍👧‍👦" * 20
    model.script(fake.streamed(f"{text} {LENGTH}"))
    await ask(reader, QUESTION)
    shown = "".join(text_of(one) for one in reader.from_bot() if "слово" in text_of(one) or "🧬" in text_of(one))
    assert shown.count("🧬") == 50
    assert shown.count("👩‍👩‍👧‍👦") == 20
    assert shown.count("слово") == 600


async def test_s1_a_nul_and_a_lone_surrogate_in_a_models_answer_are_cleaned(reader: Person, model: FakeOpenAI) -> None:
    model.script(fake.streamed(f"Начало\x00 и \ud83d конец. {LENGTH}"))
    answer = await ask(reader, QUESTION)
    assert "Начало" in text_of(answer)
    assert "\x00" not in text_of(answer)


async def test_s5_all_forms_of_citations_are_understood(reader: Person, model: FakeOpenAI) -> None:
    sentence = "Ледник Федченко длиной семьдесят семь километров лежит на Памире"
    model.script(fake.streamed(f"{sentence} 【1】. {sentence} [^1]. {sentence} [1, 9]."))
    answer = await ask(reader, QUESTION)
    assert text_of(answer).count("[1]") == 3
    assert "9" not in text_of(answer).split("\n")[0]


async def test_s6_a_quote_that_leaves_out_not_is_marked(anya: Person, model: FakeOpenAI) -> None:
    await keep(anya, "Приказ ректора\n\n" + "Студентам не разрешается сдавать экзамен досрочно без заявления. " * 12)
    model.script(fake.streamed("Студентам разрешается сдавать экзамен досрочно без заявления. [1]"))
    asked = await anya.say("Можно ли сдавать экзамен досрочно без заявления?")
    answer = await anya.sees("Студентам разрешается", after=asked)
    assert "✖" in text_of(answer)


async def test_a_follow_up_question_is_asked_with_the_conversation_until_it_begins_anew(
    reader: Person, model: FakeOpenAI
) -> None:
    await ask(reader, QUESTION)
    await ask(reader, "А кто измерил скорость льда?")
    assert any(QUESTION in str(message) for message in model.requests[-1]["messages"])
    await reader.say("/new")
    await reader.sees("Разговор начат заново")
    await ask(reader, "Кто построил обсерваторию имени Горбунова?")
    assert not any(QUESTION in str(message) for message in model.requests[-1]["messages"])


async def test_privacy_names_the_model_and_where_it_lives(reader: Person) -> None:
    await reader.say("/privacy")
    await reader.sees("fake-model (127.0.0.1)")


async def test_a_quoted_fragment_goes_along_with_the_words_about_it(reader: Person, model: FakeOpenAI) -> None:
    answer = await ask(reader, QUESTION)
    more = {"reply_to_message_id": answer["message_id"], "quote": "семьдесят семь километров"}
    await ask(reader, "объясни", **more)
    said = [str(message.get("content")) for message in model.requests[-1]["messages"]]
    assert any("семьдесят семь километров\n\nобъясни" in content for content in said)


async def _spend(product: Product, person: Person, prompts: int) -> None:
    """Take prompts from a person's account, as questions do."""
    plumbing = open_plumbing(product.settings)
    try:
        async with plumbing.transactions() as tx:
            known = await tx.people.find_person(42, person.id)
            assert known is not None
            for number in range(prompts):
                reference = f"spent:{person.id}:{number}"
                await tx.ledger.reserve(PersonId(known.id), Request.ANSWER, 1, reference, now=utc_now())
                await tx.ledger.spend(reference)
    finally:
        await plumbing.close()
