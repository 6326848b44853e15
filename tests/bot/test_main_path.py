"""The product's main job, as one person sees it."""

import re
from pathlib import Path

import pytest

from tests.bot.notes import ask, is_read
from tests.bot.people import Person, buttons, labels, text_of

LECTURE = Path(__file__).parents[1] / "data" / "ru_lecture.pdf"
QUESTION = "Кому принадлежит мысль пустить вагоны по канату?"


@pytest.fixture
async def reader(anya: Person) -> Person:
    """A person whose lecture has been read."""
    await anya.send_file(LECTURE.read_bytes(), "Лекции о канатной дороге.pdf")
    await anya.sees(is_read, seconds=90)
    return anya


async def test_the_first_words_need_no_set_up(anya: Person) -> None:
    await anya.say("/start")
    shown = await anya.sees("Пришлите лекцию")
    assert labels(shown) == ["Пример", "Кто видит мои файлы?"]


async def test_a_file_is_read_under_one_silent_status_message_that_is_edited_in_place(anya: Person) -> None:
    await anya.send_file(LECTURE.read_bytes(), "Лекции.pdf")
    status = await anya.sees(is_read, seconds=90)
    states = [text_of(state) for state in anya.history(status)]
    assert len(anya.from_bot()) == 1
    assert not anya.heard(status)
    assert states[0].startswith("Читаю 1 · Мой первый блокнот")
    assert len(states) > 1
    assert "Можно спрашивать" in states[-1]


async def test_a_question_gets_a_cited_answer_whose_citation_opens_the_passage_with_its_page(reader: Person) -> None:
    answer = await ask(reader, QUESTION)
    assert "Лопатин" in text_of(answer)
    page = re.match(r"1 · с\. (\d+)$", labels(answer)[0])
    assert page
    assert reader.heard(answer)
    await reader.tap("1 · с.", answer)
    passage = await reader.sees("[1]", after=answer)
    assert "Лекции о канатной дороге" in text_of(passage)
    assert f"с. {page[1]}" in text_of(passage)
    assert "Лопатин" in text_of(passage)
    assert any(entity["type"] == "blockquote" for entity in passage["entities"])


async def test_the_passages_of_an_answer_are_stepped_through_in_place(reader: Person) -> None:
    answer = await ask(reader, "Какой запас прочности Веттер принял для несущего и для тягового каната?")
    assert len(labels(answer)) >= 2
    await reader.tap("1", answer)
    passage = await reader.sees("[1]", after=answer)
    shown = len(reader.from_bot())
    await reader.tap("2 ›", passage)
    await reader.sees(lambda message: text_of(message).startswith("[2]"))
    await reader.tap("‹ 1", passage)
    await reader.wait_for(lambda: text_of(reader.now(passage)).startswith("[1]"), "the first passage again")
    assert len(reader.from_bot()) == shown


async def test_what_the_source_does_not_hold_is_refused_without_a_list_of_sources(reader: Person) -> None:
    asked = await reader.say("Сколько стоит билет на самолёт до Токио?")
    refusal = await reader.sees("Ответа на это в блокноте нет", after=asked)
    assert "поиск прошёл по 1 источнику" in text_of(refusal)
    assert "Лекции" not in text_of(refusal)
    assert buttons(refusal) == []


async def test_the_same_file_sent_again_is_not_read_twice(reader: Person) -> None:
    await reader.send_file(LECTURE.read_bytes(), "Те же лекции под другим именем.pdf")
    await reader.sees("уже есть в")
    await reader.say("/sources")
    listed = await reader.sees("📄")
    assert text_of(listed).count("✔") == 1
