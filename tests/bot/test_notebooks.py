"""A person's notebooks, and the language they are spoken to in."""

from tests.bot.notes import TULIPS, ask, keep
from tests.bot.people import Json, Person, labels, text_of


async def test_a_new_person_has_a_notebook_at_once(anya: Person) -> None:
    shown = await _notebooks(anya)
    assert labels(shown) == ["✔ Мой первый блокнот · 0", "Новый блокнот"]


async def test_a_notebook_is_made_from_the_title_that_was_asked_for_and_keeps_its_sources_apart(anya: Person) -> None:
    await keep(anya)
    await anya.tap("Новый блокнот", await _notebooks(anya))
    await anya.sees("Как назвать новый блокнот?")
    await anya.say("Памир  <b>&\nледники")
    await anya.sees("Блокнот «Памир <b>& ледники» создан и открыт")
    await anya.say("Сколько сохранялось через сутки?")
    await anya.sees("в блокноте нет источников")
    await anya.tap("Мой первый блокнот", await _notebooks(anya))
    await anya.tap("Открыть этот блокнот")
    await anya.sees("Открыт блокнот «Мой первый блокнот»")
    assert "34" in text_of(await ask(anya, "Сколько сохранялось через сутки?"))


async def test_a_notebook_is_renamed_archived_and_taken_out_again(anya: Person) -> None:
    await anya.tap("Мой первый блокнот", await _notebooks(anya))
    await anya.tap("Переименовать")
    await anya.sees("Как теперь назвать «Мой первый блокнот»?")
    await anya.say("Психология")
    await anya.sees("Теперь он называется «Психология»")
    await anya.tap("Психология", await _notebooks(anya))
    await anya.tap("В архив")
    await anya.sees("Блокнот «Психология» в архиве")
    shown = await _notebooks(anya)
    assert labels(shown) == ["✔ Мой первый блокнот · 0", "Психология · в архиве", "Новый блокнот"]
    await anya.tap("Психология", shown)
    await anya.tap("Вернуть из архива")
    await anya.sees("вернулся из архива")


async def test_a_deleted_notebook_takes_its_sources_along_and_another_takes_its_place(anya: Person) -> None:
    await keep(anya)
    answer = await ask(anya, "Сколько сохранялось через сутки?")
    shown = await _notebooks(anya)
    await anya.tap("Мой первый блокнот", shown)
    await anya.tap("Удалить")
    confirm = await anya.sees("Вместе с ним исчезнут 1 источник")
    assert "Мой первый блокнот" in text_of(confirm)
    await anya.tap("Да, удалить")
    await anya.sees("Блокнот «Мой первый блокнот» удалён")
    gone = await anya.tap("1", answer)
    assert gone["text"] == "Этой цитаты больше нет."
    assert labels(await _notebooks(anya)) == ["✔ Мой первый блокнот · 0", "Новый блокнот"]


async def test_a_title_that_was_asked_for_can_be_cancelled_and_the_next_words_are_a_question_again(
    anya: Person,
) -> None:
    await anya.tap("Новый блокнот", await _notebooks(anya))
    await anya.tap("Отмена")
    await anya.sees("всё осталось как было")
    await anya.say("Что такое ледник?")
    await anya.sees("в блокноте нет источников")


async def test_a_command_instead_of_the_title_is_a_command(anya: Person) -> None:
    await anya.tap("Новый блокнот", await _notebooks(anya))
    await anya.sees("Как назвать")
    await anya.say("/sources")
    await anya.sees("пока пусто")
    await anya.say("Физика")
    await anya.sees("Блокнот «Физика» создан")


async def test_lists_are_edited_in_place_not_sent_anew(anya: Person) -> None:
    shown = await _notebooks(anya)
    await anya.tap("Мой первый", shown)
    await anya.sees("Открыт сейчас")
    await anya.tap("Источники", shown)
    await anya.sees("пока пусто")
    await anya.tap("Все блокноты", shown)
    await anya.sees("Ваши блокноты")
    assert len(anya.from_bot()) == 1


async def test_a_long_list_of_sources_is_turned_by_pages_in_place(anya: Person) -> None:
    await anya.send_album({f"Конспект {number}.txt": f"Конспект номер {number}".encode() for number in range(10)})
    await anya.sees("Прочитано 10")
    sent = await anya.say("/sources")
    listed = await anya.sees("Страница 1 из 2", after=sent)
    await anya.tap("›", listed)
    await anya.sees("Страница 2 из 2")
    assert "Конспект 9" in text_of(anya.now(listed))
    assert "Конспект 1." not in text_of(anya.now(listed))


async def test_the_example_is_one_tap_away_and_answers(anya: Person) -> None:
    await anya.say("/start")
    await anya.tap("Пример")
    invitation = await anya.sees("В блокноте «Пример: память»")
    await anya.sees("Прочитано")
    answered, _, refused = [line[2:] for line in text_of(invitation).split("\n") if line.startswith("• ")]
    assert "34" in text_of(await ask(anya, answered))
    await anya.say(refused)
    await anya.sees("Ответа на это в блокноте нет")


async def test_an_english_speaker_gets_english_and_answers_in_the_questions_language(meet) -> None:
    kate = await meet("Kate", "en-GB")
    await kate.say("/start")
    await kate.sees("Send me a lecture")
    await kate.say(TULIPS)
    await kate.sees("Read · My first notebook")
    answer = await ask(kate, "What was the price of a Viceroy tulip bulb in February 1637?")
    assert "three thousand guilders" in text_of(answer)
    assert "word for word" in text_of(answer)


async def test_the_language_is_switched_both_ways_and_a_choice_outlives_what_telegram_says(anya: Person) -> None:
    await anya.say("/language")
    await anya.tap("English")
    await anya.sees("English from now on")
    await anya.say("/sources")
    await anya.sees("is still empty")
    await anya.say("/language")
    await anya.tap("Русский", await anya.sees("The language of my messages"))
    await anya.sees("Дальше по-русски")
    sent = await anya.say("/help")
    assert labels(await anya.sees("Как это работает", after=sent)) == ["Пример", "Язык", "Кто видит мои файлы?"]


async def test_privacy_names_who_may_see_text_and_opens_and_closes_in_place(anya: Person) -> None:
    await anya.say("/start")
    await anya.tap("Кто видит мои файлы?")
    shown = await anya.sees("fake-embeddings (127.0.0.1)")
    await anya.tap("Назад", shown)
    await anya.sees("Пришлите лекцию")
    assert len(anya.from_bot()) == 1


async def _notebooks(person: Person) -> Json:
    sent = await person.say("/notebooks")
    return await person.sees("Ваши блокноты", after=sent)


async def test_a_forward_that_comes_while_a_title_is_asked_for_is_kept_and_the_title_still_waited_for(
    anya: Person,
) -> None:
    await anya.tap("Новый блокнот", await _notebooks(anya))
    await anya.sees("Как назвать новый блокнот?")
    await anya.forward("Экзамен по термодинамике перенесли на девятое июня, аудитория 214.", "Деканат физфака")
    await anya.sees("Прочитано · Мой первый блокнот")
    await anya.say("Термодинамика")
    await anya.sees("Блокнот «Термодинамика» создан и открыт")
