"""What is sent together: one status message, and all that can be done with it."""

import asyncio
from collections.abc import Awaitable, Callable

from tests.bot.notes import FORGETTING, GLACIER, ask, is_answer, is_read, next_burst
from tests.bot.people import Json, Person, Telegram, labels, text_of

MakeGroup = Callable[..., Awaitable[int]]
BOT = "@konspekt_sandbox_bot"
NOTEBOOK = "Мой первый блокнот"


async def test_t4_a_text_three_files_and_an_album_of_five_are_one_burst_with_one_status_message(anya: Person) -> None:
    await anya.say("вот лекции")
    for number in range(3):
        await asyncio.sleep(0.2)
        await anya.send_file(_lecture(number), f"Лекция {number}.txt", caption=f"подпись {number}")
    await asyncio.sleep(0.2)
    await anya.send_album({f"{number}.jpg": _photo(number) for number in range(5)}, kind="photo", caption="доска")
    status = await anya.sees(lambda message: "Альбом, 5 фото" in text_of(message))
    assert all(f"Лекция {number}" in text_of(status) for number in range(3))
    assert "«вот лекции»" in text_of(status)
    await anya.say("/sources")
    listed = await anya.sees("4 источника")
    assert [message["message_id"] for message in anya.from_bot()] == [status["message_id"], listed["message_id"]]
    for number in range(3):
        await anya.tap(str(number + 1), listed)
        await anya.wait_for(lambda n=number: f"Подпись: подпись {n}" in text_of(anya.now(listed)), "the caption")
        await anya.tap("К списку", listed)
        await anya.wait_for(lambda: "4 источника" in text_of(anya.now(listed)), "the list again")
    await anya.tap("4", listed)
    await anya.wait_for(lambda: "Подпись: доска" in text_of(anya.now(listed)), "the album's caption")


async def test_t4_documents_sent_as_an_album_are_a_source_each_with_its_caption(anya: Person) -> None:
    await anya.send_album({f"Альбом {number}.txt": _lecture(10 + number) for number in range(5)}, caption="теоремы")
    status = await anya.sees(lambda message: "Прочитано 5" in text_of(message))
    assert all(f"Альбом {number}" in text_of(status) for number in range(5))
    await anya.say("/sources")
    listed = await anya.sees("5 источников")
    await anya.tap("1", listed)
    await anya.wait_for(lambda: "Подпись: теоремы" in text_of(anya.now(listed)), "the caption")


async def test_words_without_a_question_mark_are_answered_when_nothing_follows(anya: Person) -> None:
    await _read(anya, GLACIER)
    answer = await ask(anya, "Какой длины ледник Федченко")
    assert "семьдесят семь" in text_of(answer)


async def test_a_request_under_a_file_is_answered_once_the_file_is_read(anya: Person) -> None:
    sent = await anya.send_file(GLACIER.encode(), "дневник.txt", caption="Какой длины ледник Федченко?")
    answer = await anya.sees(is_answer, after=sent)
    assert "семьдесят семь" in text_of(answer)
    assert "Какой длины" not in text_of(answer)


async def test_a_request_under_a_file_that_cannot_be_read_is_told_so(anya: Person) -> None:
    sent = await anya.send_file(b" \n", "пусто.txt", caption="О чём это?")
    await anya.sees("прочитать не удалось. Причина указана выше", after=sent)


async def test_what_was_sent_is_taken_back_in_the_same_message(anya: Person) -> None:
    for number in range(3):
        await anya.send_file(_lecture(number), f"Лекция {number}.txt")
    status = await anya.sees("Прочитано 3")
    await anya.tap("Отменить", status)
    await anya.wait_for(lambda: text_of(anya.now(status)) == f"Отменено, убрано 3 источника · {NOTEBOOK}", "the undo")
    assert labels(anya.now(status)) == []
    await anya.say("/sources")
    await anya.sees("пока пусто")


async def test_what_was_sent_to_the_wrong_notebook_goes_to_another(anya: Person) -> None:
    await anya.say("/notebooks")
    await anya.tap("Новый блокнот")
    await anya.sees("Как назвать новый блокнот")
    await anya.say("Гляциология")
    await anya.sees("создан и открыт")
    status = await _read(anya, GLACIER)
    await anya.tap("В другой блокнот", status)
    chooser = await anya.sees("В какой блокнот перенести?")
    await anya.tap(NOTEBOOK, chooser)
    await anya.wait_for(lambda: f"Перенесено в «{NOTEBOOK}»" in text_of(anya.now(chooser)), "the move")
    await anya.wait_for(lambda: f"· {NOTEBOOK}" in text_of(anya.now(status)), "the other notebook's name")
    await anya.say("/sources")
    await anya.sees("В блокноте «Гляциология» пока пусто")
    await anya.say("/notebooks")
    await anya.tap(NOTEBOOK, await anya.sees("Ваши блокноты"))
    await anya.tap("Открыть этот блокнот")
    await anya.sees(f"Открыт блокнот «{NOTEBOOK}»")
    assert "семьдесят семь" in text_of(await ask(anya, "Какой длины ледник Федченко?"))


async def test_what_is_deleted_by_its_card_leaves_the_status_message(anya: Person) -> None:
    status = await _read(anya, GLACIER)
    await anya.say("/sources")
    await anya.tap("1", await anya.sees("1 источник"))
    await anya.tap("Удалить")
    await anya.tap("Да, удалить")
    await anya.wait_for(lambda: "Источников отсюда больше нет" in text_of(anya.now(status)), "nothing left")
    assert labels(anya.now(status)) == []


async def test_equal_things_are_told_in_one_line_of_one_message(anya: Person) -> None:
    await _read(anya, FORGETTING)
    await next_burst()
    seen = len(anya.from_bot())
    for _ in range(5):
        await anya.say(FORGETTING)
    status = await anya.sees("Кривая забывания Эббингауза (5)")
    assert "Новых источников нет" in text_of(status)
    assert len(anya.from_bot()) == seen + 1


async def test_links_alone_become_sources_and_bad_ones_are_said(anya: Person) -> None:
    await anya.say("https://example.org/глава http://127.0.0.1/secret?a=1 https://youtu.be/short")
    status = await anya.sees("example.org/глава")
    assert "youtu.be/short" in text_of(status)
    await anya.say("/sources")
    await anya.sees("источник")
    assert not any("пока не читаю" in text_of(one) for one in anya.from_bot())


async def test_links_in_a_longer_text_are_offered_and_added_to_the_same_burst(anya: Person) -> None:
    await anya.say(f"{GLACIER} Подробнее: https://example.org/fedchenko и https://example.org/pamir")
    status = await anya.sees(is_read)
    assert "Добавить ссылки (2)" in labels(status)
    await anya.tap("Добавить ссылки", status)
    await anya.wait_for(lambda: "example.org/pamir" in text_of(anya.now(status)), "the links")
    assert "Добавить ссылки (2)" not in labels(anya.now(status))
    assert len(anya.from_bot()) == 1


async def test_what_holds_nothing_to_read_is_said_once_a_burst(anya: Person, telegram: Telegram) -> None:
    sent = await anya.say("/start")
    await anya.sees("Пришлите лекцию")
    sticker = {"file_id": "S", "file_unique_id": "s", "type": "regular", "width": 9, "height": 9,
               "is_animated": False, "is_video": False}  # fmt: skip
    message = {key: sent[key] for key in ("from", "chat", "date")}
    for number in range(9):
        fresh = {**message, "message_id": sent["message_id"] + 100 + number}
        content = {"sticker": sticker} if number % 2 else {"contact": {"phone_number": "1", "first_name": "Я"}}
        await telegram.update(message={**fresh, **content})
    await anya.sees("Стикеры, опросы", after=sent)
    await anya.say("/sources")
    await anya.sees("пока пусто")
    assert sum("Стикеры, опросы" in text_of(one) for one in anya.from_bot()) == 1


async def test_add_on_one_photo_of_a_groups_album_takes_that_photo(anya: Person, make_group: MakeGroup) -> None:
    group = await make_group(anya)
    album = await anya.send_album({f"{n}.jpg": _photo(20 + n) for n in range(3)}, group, kind="photo")
    await anya.say("/add", group, reply_to_message_id=album[1]["message_id"])
    status = await anya.sees(lambda message: "Фото" in text_of(message), group)
    assert "Альбом" not in text_of(status)
    assert "В другой блокнот" not in labels(status)
    await anya.say("/sources", group)
    await anya.sees("1 источник", group)


async def test_t12_a_mention_after_emoji_leaves_only_the_words_of_a_caption(
    anya: Person, make_group: MakeGroup
) -> None:
    group = await make_group(anya, bot_status="administrator")
    await anya.sees("Здесь я веду", group)
    await anya.send_file(GLACIER.encode(), "дневник.txt", group, caption=f"👩‍👩‍👧‍👦🎓 {BOT} экспедиция 1928 года")
    await anya.sees(is_read, group)
    await anya.say("/sources", group)
    await anya.tap("1", await anya.sees("1 источник", group))
    await anya.sees("Подпись: 👩‍👩‍👧‍👦🎓  экспедиция".replace("  ", " "), group)


async def test_t12_an_edited_forward_is_kept_once(anya: Person) -> None:
    sent = await anya.forward("Экзамен по термодинамике перенесли на девятое июня, аудитория 214.", "Деканат")
    await anya.sees(is_read)
    await anya.edit(sent, "Экзамен отменён, приходить не нужно.")
    await anya.say("/sources")
    await anya.sees("1 источник")


async def _read(person: Person, text: str) -> Json:
    sent = await person.say(text)
    return await person.sees(is_read, after=sent)


def _lecture(number: int) -> bytes:
    words = f"Лекция номер {number}. На этой лекции доцент Иванов{number} рассказал о теореме номер {number * 7 + 3}."
    return words.encode()


def _photo(number: int) -> bytes:
    return b"\xff\xd8\xff\xe0" + number.to_bytes(2, "big") + bytes(200)
