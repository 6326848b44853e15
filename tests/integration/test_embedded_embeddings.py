"""The embedded model as a server uses it: questions beside books, cancellation, several event loops."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from core.adapters.embeddings.e5_engines import OnnxEngine, Prefix, Stopped
from core.adapters.embeddings.embedded import EmbeddedE5

RUSSIAN = "Хижина дяди Тома — роман Гарриет Бичер-Стоу 1852 года, направленный против рабовладения в Америке."
ENGLISH = "Everest lies in the Mahalangur Himal; the border of Nepal and Tibet runs across its summit point."
LONG = " ".join(f"Глава {n}. {RUSSIAN} {ENGLISH}" for n in range(10))
FACTS = """Столица Франции — Париж.
Вода кипит при ста градусах Цельсия.
Эверест — высочайшая гора на Земле.
Пушкин написал роман «Евгений Онегин».
Митохондрии вырабатывают энергию клетки.
Великая Отечественная война началась в 1941 году.
Свет проходит триста тысяч километров в секунду.
Озеро Байкал — самое глубокое на планете.
Менделеев составил периодическую таблицу элементов.
Фотосинтез превращает углекислый газ в кислород.
Гагарин первым полетел в космос.
Интеграл находит площадь под кривой.
Спрос падает, когда растёт цена.
Инсулин снижает уровень сахара в крови.
Чайковский сочинил балет «Лебединое озеро».
Крепостное право отменили в 1861 году.
Бинарный поиск работает за логарифмическое время.
Землетрясения происходят на границах плит.
Пчёлы опыляют цветущие растения.
Суд присяжных выносит вердикт о виновности.""".splitlines()


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models") / "not yet made"


@pytest.fixture(scope="module")
def engine(cache: Path) -> OnnxEngine:
    return OnnxEngine(cache)


@pytest.fixture(scope="module")
async def model(cache: Path) -> AsyncIterator[EmbeddedE5]:
    opened = EmbeddedE5(cache)
    yield opened
    await opened.close()


@pytest.fixture
async def own_model(cache: Path) -> AsyncIterator[EmbeddedE5]:
    """A model that the test may close."""
    opened = EmbeddedE5(cache)
    yield opened
    await opened.close()


def wanted() -> bool:
    """Say that the vector has not become unwanted."""
    return False


async def test_a_russian_question_finds_its_passage_first_among_twenty(model: EmbeddedE5) -> None:
    passages = np.array(await model.embed_passages(FACTS))

    for question, fact in {
        "Кто был первым космонавтом?": 10,
        "Какая гора выше всех?": 2,
        "Чем лечат диабет?": 13,
    }.items():
        scores = passages @ np.array(await model.embed_query(question))
        assert scores.argmax() == fact, question


async def test_passages_come_back_in_their_order(model: EmbeddedE5, engine: OnnxEngine) -> None:
    vectors = await model.embed_passages([*FACTS, LONG, ""])

    assert [len(vector) for vector in vectors] == [model.dimensions] * 22
    for text, vector in zip([*FACTS, LONG, ""], vectors, strict=True):
        assert np.allclose(vector, engine.embed(text, Prefix.PASSAGE, wanted), atol=1e-5)


async def test_no_passages_give_no_vectors(model: EmbeddedE5) -> None:
    assert await model.embed_passages([]) == []


async def test_a_question_is_embedded_as_a_question(model: EmbeddedE5, engine: OnnxEngine) -> None:
    assert np.allclose(await model.embed_query(RUSSIAN), engine.embed(RUSSIAN, Prefix.QUERY, wanted), atol=1e-5)


async def test_a_question_does_not_wait_for_a_book(model: EmbeddedE5) -> None:
    minutes_of_work_for_each_thread = [LONG * 500] * 3
    async with asyncio.TaskGroup() as group:
        book = group.create_task(model.embed_passages(minutes_of_work_for_each_thread))
        async with asyncio.timeout(20):
            questions = [await model.embed_query(question) for question in FACTS[:5]]
        book.cancel()

    assert len(questions) == 5


async def test_a_short_source_does_not_wait_for_a_book(model: EmbeddedE5) -> None:
    async with asyncio.TaskGroup() as group:
        book = group.create_task(model.embed_passages([RUSSIAN * 5] * 30))
        await model.embed_query("the book has been begun")
        for _ in range(3):  # each as long as a passage of the book, so the last of those cannot outlast them
            await model.embed_passages([RUSSIAN * 5])
        embedded_before_the_book = not book.done()

    assert embedded_before_the_book


async def test_a_cancelled_book_is_not_read_on(own_model: EmbeddedE5) -> None:
    hours_of_work = [LONG * 1000]
    async with asyncio.TaskGroup() as group:
        book = group.create_task(own_model.embed_passages(hours_of_work))
        await own_model.embed_query("the book has been begun")
        book.cancel()

    async with asyncio.timeout(10):
        again = await own_model.embed_passages([RUSSIAN])
        await own_model.close()

    assert book.cancelled()
    assert len(again) == 1


async def test_two_event_loops_share_one_model(model: EmbeddedE5) -> None:
    def in_a_loop_of_its_own(_: int) -> list[list[float]]:
        return asyncio.run(model.embed_passages(FACTS[:4]))

    def both() -> list[list[list[float]]]:
        with ThreadPoolExecutor(2) as threads:
            return list(threads.map(in_a_loop_of_its_own, range(2)))

    first, second = await asyncio.to_thread(both)

    assert np.allclose(first, second, atol=1e-5)
    assert np.allclose(first, await model.embed_passages(FACTS[:4]), atol=1e-5)


async def test_a_closed_model_refuses(own_model: EmbeddedE5) -> None:
    await own_model.embed_query("anything")
    await own_model.close()

    with pytest.raises(RuntimeError):
        await own_model.embed_query("anything")
    with pytest.raises(RuntimeError):
        await own_model.embed_passages(["anything"])


async def test_closing_stops_the_work_under_way(own_model: EmbeddedE5) -> None:
    async with asyncio.TaskGroup() as group:
        book = group.create_task(failure_of(own_model.embed_passages([LONG * 1000])))
        await own_model.embed_query("the book has been begun")
        async with asyncio.timeout(10):
            await own_model.close()

    assert isinstance(book.result(), Stopped)


async def failure_of(work: Awaitable[object]) -> BaseException | None:
    """Await and return what it raised."""
    (outcome,) = await asyncio.gather(work, return_exceptions=True)
    return outcome if isinstance(outcome, BaseException) else None
