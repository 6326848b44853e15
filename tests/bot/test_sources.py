"""What becomes a source, how it is shown, and how it goes away."""

from tests.bot.notes import FORGETTING, GLACIER, ask, is_answer, is_read, keep, next_burst
from tests.bot.people import Person, Telegram, labels, text_of


async def test_a_pasted_text_is_read_and_answers_from_then_on(anya: Person) -> None:
    status = await keep(anya)
    assert "Кривая забывания Эббингауза" in text_of(status)
    answer = await ask(anya, "Сколько сохранялось через сутки после заучивания?")
    assert "34 процент" in text_of(answer)


async def test_a_forwarded_short_message_is_a_source_with_its_author(anya: Person) -> None:
    await anya.forward("Экзамен по термодинамике перенесли на девятое июня, аудитория 214.", "Деканат физфака")
    await anya.sees(is_read)
    await anya.say("/sources")
    listed = await anya.sees("1 источник")
    await anya.tap("1", listed)
    assert "Деканат физфака" in text_of(await anya.sees("От: "))


async def test_evidence_from_a_forwarded_message_replies_to_it_and_quotes_it(anya: Person) -> None:
    forwarded = await anya.forward("Экзамен по термодинамике перенесли на девятое июня. Не опаздывайте.")
    await anya.sees(is_read)
    answer = await ask(anya, "На какое число перенесли экзамен по термодинамике?")
    await anya.tap("1", answer)
    passage = await anya.sees("[1]", after=answer)
    assert passage["reply_to_message"]["message_id"] == forwarded["message_id"]
    assert passage["quote"]["text"].startswith("Экзамен по термодинамике перенесли на девятое июня.")


async def test_a_question_taken_for_a_source_is_asked_after_one_tap(anya: Person) -> None:
    await keep(anya, GLACIER)
    await next_burst()
    await anya.forward("Какой длины ледник Федченко?")
    status = await anya.sees(lambda message: is_read(message) and "Это вопрос" in labels(message))
    await anya.tap("Это вопрос", status)
    answer = await anya.sees(is_answer, after=status)
    assert "семьдесят семь" in text_of(answer)
    await anya.say("/sources")
    await anya.sees("1 источник")


async def test_a_note_taken_for_a_question_is_kept_after_one_tap(anya: Person) -> None:
    await keep(anya, GLACIER)
    await next_burst()
    note = "Зачёт по гистологии принимает Вера Павловна в кабинете 312 третьего корпуса"
    await anya.say(note)
    refusal = await anya.sees("Ответа на это в блокноте нет")
    await anya.tap("Это источник, сохранить", refusal)
    await anya.sees(is_read, after=refusal)
    answer = await ask(anya, "Кто принимает зачёт по гистологии?")
    assert "Вера Павловна" in text_of(answer)


async def test_the_same_text_again_is_recognised_and_not_kept_twice(anya: Person) -> None:
    await keep(anya)
    await anya.say(FORGETTING)
    await anya.sees("уже есть в этом блокноте")
    await anya.say("/sources")
    await anya.sees("1 источник")


async def test_a_muted_source_is_left_out_of_answers_until_it_is_used_again(anya: Person) -> None:
    await anya.say(FORGETTING)
    await anya.say(GLACIER)
    await anya.sees("Прочитано 2")
    listed = await _listed(anya)
    await anya.tap("1", listed)
    await anya.tap("Не использовать в ответах")
    await anya.sees("Не участвует в ответах")
    asked = await anya.say("Сколько слогов сохранялось через сутки?")
    assert "Эббингауз" not in text_of(await anya.sees("Ответа на это в блокноте нет", after=asked))
    await anya.tap("Снова использовать", listed)
    await anya.sees(lambda message: "Не использовать в ответах" in labels(message))
    assert "34 процент" in text_of(await ask(anya, "Сколько сохранялось через сутки?"))


async def test_s4_a_deleted_source_is_not_known_to_the_next_answer(anya: Person) -> None:
    await anya.say(FORGETTING)
    await anya.say(GLACIER)
    await anya.sees("Прочитано 2")
    answer = await ask(anya, "Сколько сохранялось через сутки после заучивания?")
    assert "34" in text_of(answer)
    await anya.tap("1", await _listed(anya))
    await anya.tap("Удалить")
    await anya.tap("Да, удалить")
    await anya.sees("удалён")
    asked = await anya.say("Сколько сохранялось через сутки после заучивания?")
    assert "34" not in text_of(await anya.sees(lambda message: "Ответа на это" in text_of(message), after=asked))
    await anya.tap("1", answer)
    passage = await anya.sees("Источника больше нет", after=asked)
    assert "Осмысленный материал" not in text_of(passage)


async def test_deletion_can_be_thought_better_of(anya: Person) -> None:
    await keep(anya)
    await anya.tap("1", await _listed(anya))
    await anya.tap("Удалить")
    await anya.tap("Нет, оставить")
    await anya.sees(lambda message: "Не использовать в ответах" in labels(message))
    await anya.tap("К списку")
    await anya.sees("1 источник")


async def test_t5_a_file_above_the_limit_is_refused_without_asking_telegram_for_it(
    anya: Person, telegram: Telegram
) -> None:
    sent = await anya.say("/start")
    await anya.sees("Пришлите лекцию")
    since = await telegram.last_call()
    document = {
        "file_id": "BIG", "file_unique_id": "big", "file_name": "Большая лекция.pdf", "mime_type": "application/pdf",
        "file_size": 21_000_000,
    }  # fmt: skip
    message = {key: sent[key] for key in ("from", "chat", "date")}
    await telegram.update(message={**message, "message_id": sent["message_id"] + 500, "document": document})
    refusal = await anya.sees("не больше 20 МБ", after=sent)
    assert "Разделите" in text_of(refusal)
    await anya.say("/sources")
    await anya.sees("пока пусто")
    assert await telegram.bot_calls("getFile", since=since) == []


async def test_a_file_that_cannot_be_read_is_said_with_what_to_send_instead(anya: Person) -> None:
    await anya.send_file(b"MZ\x90\x00", "setup.exe")
    said = await anya.sees("Такие файлы пока не читаю")
    assert "setup.exe" in text_of(said)
    await anya.say("/sources")
    await anya.sees("пока пусто")


async def test_f10_an_empty_file_ends_with_a_sentence_and_never_stays_open(anya: Person) -> None:
    await anya.send_file(b" \n", "пусто.txt")
    failed = await anya.sees("Здесь пусто")
    assert text_of(failed).startswith("Прочитать не удалось")


async def test_f7_a_file_in_an_old_encoding_is_read_like_any_other(anya: Person) -> None:
    await anya.send_file(GLACIER.encode("cp1251"), "дневник.txt")
    await anya.sees(is_read)
    assert "семьдесят семь" in text_of(await ask(anya, "Какой длины ледник Федченко?"))


async def _listed(person: Person) -> dict:
    sent = await person.say("/sources")
    return await person.sees("источник", after=sent)
