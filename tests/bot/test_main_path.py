"""The product's main job, as one person sees it."""

import re
from pathlib import Path

import pytest

from tests.bot.people import Person, labels, text_of

LECTURE = Path(__file__).parents[1] / "data" / "ru_lecture.pdf"


@pytest.fixture
async def reader(anya: Person) -> Person:
    """A person whose lecture has been read."""
    await anya.send_file(LECTURE.read_bytes(), "Лекции о канатной дороге.pdf")
    await anya.sees("Прочитано", seconds=90)
    return anya


async def test_the_first_words_need_no_set_up(anya: Person) -> None:
    await anya.say("/start")
    shown = await anya.sees("Пришлите лекцию")
    assert labels(shown) == ["Пример", "Кто видит мои файлы?"]


async def test_a_file_is_read_under_one_silent_status_message_that_is_edited_in_place(anya: Person) -> None:
    await anya.send_file(LECTURE.read_bytes(), "Лекции.pdf")
    status = await anya.sees("Прочитано", seconds=90)
    states = [text_of(state) for state in anya.history(status)]
    assert len(anya.from_bot()) == 1
    assert not anya.heard(status)
    assert "Читаю 1" in states[0]
    assert len(states) > 1
    assert "Можно спрашивать" in states[-1]


async def test_a_question_gets_a_cited_answer_whose_citation_opens_the_passage(reader: Person) -> None:
    asked = await reader.say("Кому принадлежит мысль пустить вагоны по канату?")
    answer = await reader.sees("[1]", after=asked)
    assert "Лопатин" in text_of(answer)
    assert re.match(r"1 · с\. \d+", labels(answer)[0])
    await reader.tap("1 · с.", answer)
    passage = await reader.sees("[1]", after=answer)
    assert "Лекции о канатной дороге" in text_of(passage)
    assert re.search(r"с\. \d+", text_of(passage))
