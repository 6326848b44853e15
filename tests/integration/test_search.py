"""Search over real Postgres: what must be found, what must never be."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

import asyncpg
import pytest
from sqlalchemy import make_url, update
from sqlalchemy.ext.asyncio import AsyncEngine

from core.adapters.postgres.engine import make_engine
from core.adapters.postgres.repositories.texts import PostgresTexts
from core.adapters.postgres.tables import embedding_models
from core.adapters.postgres.unit_of_work import PostgresTransactions
from core.adapters.strategies import build_strategies
from core.adapters.strategies.text import TextStrategy
from core.errors import TransientError
from core.ingest.chunking import cut
from core.ingest.cleaning import clean
from core.jobs import Job
from core.model.chunk import ChunkDraft
from core.model.document import Document, PageStart, TimeStart
from core.model.ids import ModelId, NotebookId, SourceId
from core.model.search import Hit, SearchQuery, SearchResult
from core.model.source import Origin, SourceKind, SourceState, Upload
from core.ports import NewSource, SourceUpdate, Strategy
from core.retrieval.language import detect_language
from core.retrieval.retrieve import Retrieve


class NoQueue:
    """Search publishes nothing."""

    async def publish(self, jobs: Sequence[Job]) -> None:
        assert not jobs


@dataclass
class Shelf:
    """Notebooks of one test, filled as the product fills them."""

    engine: AsyncEngine
    transactions: PostgresTransactions
    retrieve: Retrieve

    async def notebook(self, title: str = "Блокнот") -> NotebookId:
        async with self.transactions() as tx:
            return (await tx.notebooks.add(title, "ru", None)).id

    async def add(self, notebook: NotebookId, text: str, title: str = "Источник", **about: object) -> SourceId:
        document = clean(replace(Document(text), **about))  # type: ignore[arg-type]
        new = NewSource(notebook, SourceKind.TEXT, title, Upload(text="…"), Origin(), None, None)
        async with self.transactions() as tx:
            source = await tx.sources.add(new)
            await tx.texts.save(notebook, source.id, document, cut(document), detect_language(document.text))
            await tx.sources.update(notebook, source.id, SourceUpdate(state=SourceState.READY))
        return source.id

    async def embed(self, notebook: NotebookId, source: SourceId, vector: Sequence[float]) -> ModelId:
        """Give every chunk of a source one vector of a model of two dimensions."""
        async with self.transactions() as tx:
            model = await tx.vectors.model("test:flat", len(vector))
            missing = await tx.vectors.missing(notebook, source, model, 10_000)
            await tx.vectors.add(notebook, source, model, {chunk_id: vector for chunk_id, _ in missing})
        return model

    async def find(self, notebook: NotebookId, text: str, **more: object) -> SearchResult:
        query = SearchQuery(notebook, text, detect_language(text))
        return await self.retrieve(replace(query, **more))  # type: ignore[arg-type]

    async def found(self, notebook: NotebookId, text: str, **more: object) -> set[SourceId]:
        return {one.chunk.source_id for one in (await self.find(notebook, text, **more)).chunks}


@pytest.fixture
async def shelf(database: str) -> AsyncIterator[Shelf]:
    engine = make_engine(database)
    transactions = PostgresTransactions(engine, NoQueue())
    yield Shelf(engine, transactions, Retrieve(build_strategies(engine), transactions))
    await engine.dispose()


# S1: what cannot be stored never loses a transaction


@pytest.mark.parametrize("dirt", ["\x00", "\ud800", "\x00\ud83d"])
async def test_unstorable_characters_reach_no_insert(shelf: Shelf, dirt: str) -> None:
    notebook = await shelf.notebook()
    raw = f"Касса{dirt} закрыта. Приходите завтра."
    source = await shelf.add(notebook, raw)
    assert await shelf.found(notebook, f"касса{dirt}") == {source}
    async with shelf.transactions() as tx:
        await tx.insights.put(notebook, source, "summary", f"О кассе{dirt}.", "ru")
        assert "О кассе" in (await tx.insights.of_sources(notebook, [source]))[source]


async def test_even_uncleaned_text_is_stored_with_its_offsets_true(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    document = Document("раз\x00два \ud800 три", title="t")
    async with shelf.transactions() as tx:
        new = NewSource(notebook, SourceKind.TEXT, "Грязь", Upload(text="…"), Origin(), None, None)
        source = (await tx.sources.add(new)).id
        draft = ChunkDraft(0, 0, len(document.text), document.text)
        await tx.texts.save(notebook, source, document, [draft], "ru")
        stored = await tx.texts.document(notebook, source)
        (chunk,) = await tx.texts.of_source(notebook, source)
    assert stored is not None
    assert chunk.text == stored.text[chunk.start : chunk.end]
    assert stored.text.index("три") == document.text.index("три")


# S2: words are found in their forms, terms and numbers exactly

TEXT_WITH_TERMS = """
# Отчёт

Причиной кассовых разрывов в 2026 году стала задержка платежей, пишет Шостако́вич.
Статья 158 УК РФ и п. 4.1.2 договора. Оформление по ГОСТ 7.32-2017 обязательно.
Модуль написан на C++, оболочка на .NET и C#, модель GPT-4 Turbo, самолёт Ил-76.
Формула E=mc² и реакция H₂SO₄. Ёлка стоит в «Ме\u00adгаполисе», нашёл её Д’Артаньян.
The neural networks were trained on COVID-19 data (p < 0.05), see naïve baseline.
"""


@pytest.mark.parametrize(
    "question",
    [
        "кассовый разрыв 2026",
        "Шостакович",
        "шостаковичем",
        "статья 158",
        "4.1.2",
        "ГОСТ 7.32-2017",
        "гост 7.32",
        "C++",
        "c++?",
        ".NET",
        "C#",
        "GPT-4",
        "GPT4",
        "gpt 4",
        "Ил-76",
        "ил76",
        "mc2",
        "H2SO4",
        "елка",
        "ёлка",
        "мегаполис",
        "артаньян",
        "neural network training",
        "covid-19",
        "naive",
        "0.05",
    ],
)
async def test_words_terms_and_numbers_are_found(terms: tuple[Shelf, NotebookId, SourceId], question: str) -> None:
    shelf, notebook, source = terms
    hits = await TextStrategy(shelf.engine).search(SearchQuery(notebook, question, "ru"), 10)
    assert hits
    assert hits[0].source_id == source


@pytest.fixture
async def terms(shelf: Shelf) -> tuple[Shelf, NotebookId, SourceId]:
    notebook = await shelf.notebook()
    for number in range(3):
        await shelf.add(notebook, f"Совсем другое: о рыбах, реках и лодках, часть {number + 11}. C, D, 76 и 2017.")
    return shelf, notebook, await shelf.add(notebook, TEXT_WITH_TERMS)


async def test_a_code_is_not_mistaken_for_its_parts(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    await shelf.add(notebook, "Язык C и плюс, число 32, год 2017, номер 7 в списке, буква C.")
    right = await shelf.add(notebook, "По ГОСТ 7.32-2017 пишут на C++ отчёты о научной работе, и это долго.")
    assert (await shelf.find(notebook, "7.32-2017")).chunks[0].chunk.source_id == right
    assert (await shelf.find(notebook, "C++")).chunks[0].chunk.source_id == right


async def test_stop_words_alone_find_nothing(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    await shelf.add(notebook, "Что это такое и как с этим быть, не знает никто.")
    assert (await shelf.find(notebook, "и как с ним быть")).chunks == ()


async def test_bm25_prefers_the_rare_word_and_the_shorter_chunk(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    for number in range(4):
        await shelf.add(notebook, f"Река течёт, река несёт воду, река шумит, берег {number}.")
    long = await shelf.add(notebook, "Осётр жил в реке. " + "Потом был долгий рассказ о погоде и дорогах. " * 10)
    short = await shelf.add(notebook, "Осётр и река.")
    hits = await TextStrategy(shelf.engine).search(SearchQuery(notebook, "осётр в реке", "ru"), 10)
    assert [hit.source_id for hit in hits[:2]] == [short, long]
    assert all(0 < hit.score < 1 for hit in hits)


# S3: a notebook is alone in the world


async def test_a_huge_notebook_neither_leaks_nor_hides_a_small_one(shelf: Shelf, database: str) -> None:
    big, small = await shelf.notebook("большой"), await shelf.notebook("малый")
    await _fill(database, big, chunks=100_000)
    mine = {await shelf.add(small, f"Кот Барсик номер {number} любит рыбу и сон.") for number in range(20)}
    for source in mine:
        model = await shelf.embed(small, source, [0.8, 0.6])
    result = await shelf.find(small, "кот Барсик", embedding=(1.0, 0.0), model_id=model)
    assert {one.chunk.source_id for one in result.chunks} == mine
    assert result.searched == 20
    assert not result.failed


async def _fill(database: str, notebook: NotebookId, *, chunks: int) -> None:
    """Write a notebook of one source and many chunks that all speak of the cat, in bulk."""
    connection = await asyncpg.connect(make_url(database).set(drivername="postgresql").render_as_string(False))
    await connection.execute(
        """
        INSERT INTO sources (notebook_id, id, kind, title, state, upload, origin, chunk_count, term_count)
        OVERRIDING SYSTEM VALUE VALUES ($1, 900001, 'text', 'кот Барсик', 'ready', '{}', '{}', $2, 3 * $2)
        """,
        notebook, chunks,
    )  # fmt: skip
    await connection.execute(
        """
        INSERT INTO chunks (notebook_id, id, source_id, version, ordinal, start, "end", language, text)
        OVERRIDING SYSTEM VALUE
        SELECT $1, 1000000 + n, 900001, 1, n, 0, 10, 'ru', 'кот Барсик' FROM generate_series(1, $2::int) n
        """,
        notebook, chunks,
    )  # fmt: skip
    await connection.execute(
        """
        INSERT INTO postings (notebook_id, lexeme, chunk_id, source_id, tf, length)
        SELECT $1, lexeme, 1000000 + n, 900001, 1, 3
        FROM generate_series(1, $2::int) n, unnest(ARRAY['кот', 'барсик', 'рыб']) lexeme
        """,
        notebook, chunks,
    )  # fmt: skip
    await connection.execute(
        """
        INSERT INTO embedding_models (name, dimensions) VALUES ('test:flat', 2);
        INSERT INTO vectors (notebook_id, model_id, chunk_id, source_id, language, embedding)
        SELECT c.notebook_id, m.id, c.id, c.source_id, 'ru', '[1,0]'
        FROM chunks c, embedding_models m WHERE c.id > 1000000
        """
    )
    await connection.close()


async def test_only_the_sources_asked_for_are_searched(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    one, _ = await shelf.add(notebook, "Кот спит."), await shelf.add(notebook, "Кот ест.")
    assert await shelf.found(notebook, "кот", source_ids=(one,)) == {one}
    assert await shelf.found(notebook, "кот", source_ids=()) == set()


@pytest.mark.parametrize(
    "change",
    [SourceUpdate(muted=True), SourceUpdate(state=SourceState.READING), SourceUpdate(state=SourceState.FAILED)],
)
async def test_what_may_not_answer_is_not_found_by_any_strategy(shelf: Shelf, change: SourceUpdate) -> None:
    notebook = await shelf.notebook()
    source = await shelf.add(notebook, "Кот Барсик спит.", title="Кот Барсик")
    model = await shelf.embed(notebook, source, [1.0, 0.0])
    async with shelf.transactions() as tx:
        await tx.insights.put(notebook, source, "summary", "О коте Барсике.", "ru")
        await tx.sources.update(notebook, source, change)
    result = await shelf.find(notebook, "кот Барсик", embedding=(1.0, 0.0), model_id=model)
    assert (result.chunks, result.sources, result.searched) == ((), (), 0)


# S4: deleted is forgotten


async def test_a_deleted_source_is_not_known_any_more(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    source = await shelf.add(notebook, "Пароль от сейфа: апельсин.", title="Пароль")
    model = await shelf.embed(notebook, source, [1.0, 0.0])
    async with shelf.transactions() as tx:
        await tx.insights.put(notebook, source, "summary", "О пароле.", "ru")
    assert await shelf.found(notebook, "пароль от сейфа") == {source}
    async with shelf.transactions() as tx:
        assert await tx.sources.delete(notebook, source)
    result = await shelf.find(notebook, "пароль от сейфа", embedding=(1.0, 0.0), model_id=model)
    assert (result.chunks, result.sources, result.searched) == ((), (), 0)
    async with shelf.transactions() as tx:
        assert await tx.texts.of_source(notebook, source) == []
        assert await tx.texts.document(notebook, source) is None
        assert await tx.insights.of_sources(notebook, [source]) == {}


async def test_a_source_deleted_while_it_was_read_is_not_brought_back(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    source = await shelf.add(notebook, "Было.")
    document = Document("Стало.")
    async with shelf.transactions() as tx:
        (chunk,) = await tx.texts.of_source(notebook, source)
        model = await tx.vectors.model("test:flat", 2)
        await tx.sources.delete(notebook, source)
    async with shelf.transactions() as tx:
        await tx.texts.save(notebook, source, document, cut(document), "ru")
        await tx.vectors.add(notebook, source, model, {chunk.id: [1.0, 0.0]})
        await tx.insights.put(notebook, source, "summary", "Было.", "ru")
    assert await shelf.found(notebook, "было стало") == set()


async def test_a_deletion_waits_for_a_save_and_takes_what_it_wrote(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    source = await shelf.add(notebook, "Старые слова.")
    document = Document("Новые слова.")
    saved, may_commit = asyncio.Event(), asyncio.Event()

    async def save() -> None:
        async with shelf.transactions() as tx:
            await tx.texts.save(notebook, source, document, cut(document), "ru")
            saved.set()
            await may_commit.wait()

    async def remove() -> None:
        await saved.wait()
        async with shelf.transactions() as tx:
            removal = tx.sources.delete(notebook, source)
            may_commit.set()
            assert await removal

    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        group.create_task(save())
        group.create_task(remove())
    async with shelf.transactions() as tx:
        assert await tx.texts.of_source(notebook, source) == []


async def test_reading_again_replaces_all_that_was_there(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    source = await shelf.add(notebook, "Старые слова о жирафе.")
    await shelf.embed(notebook, source, [1.0, 0.0])
    document = Document("Новые слова о бегемоте.")
    async with shelf.transactions() as tx:
        await tx.texts.save(notebook, source, document, cut(document), "ru")
    assert await shelf.found(notebook, "жираф") == set()
    assert await shelf.found(notebook, "бегемот") == {source}
    async with shelf.transactions() as tx:
        model = await tx.vectors.model("test:flat", 2)
        assert len(await tx.vectors.missing(notebook, source, model, 10)) == 1


# Strategies, fusion, failure


async def test_meaning_finds_across_languages(shelf: Shelf) -> None:
    """In a model that parts languages, a Russian question still reaches the English passage that answers it."""
    notebook = await shelf.notebook()
    english = await shelf.add(notebook, "The cat sleeps on the warm roof of the house and it is happy.")
    model = await shelf.embed(notebook, english, [0.0, 0.6, 0.8])
    for number, near in enumerate((0.0, 0.1, 0.2)):
        source = await shelf.add(notebook, f"Русская заметка номер {number} о погоде.")
        await shelf.embed(notebook, source, [0.9, near, (1 - 0.81 - near**2) ** 0.5])
    await _calibrate(shelf, model, {"ru": [0.9, 0.1, 0.2], "en": [0.0, 0.3, 0.7]})
    result = await shelf.find(notebook, "где спит котик", embedding=(0.8, 0.6, 0.0), model_id=model)
    assert result.chunks[0].chunk.source_id == english


async def _calibrate(shelf: Shelf, model: ModelId, means: dict[str, list[float]]) -> None:
    async with shelf.engine.begin() as connection:
        await connection.execute(
            update(embedding_models).where(embedding_models.c.id == model).values(calibration={"means": means})
        )


async def test_a_named_source_is_heard(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    for number in range(8):
        await shelf.add(notebook, f"Книга о главных мыслях и выводах, том {number}.", title=f"Том {number}")
    named = await shelf.add(notebook, "Здесь о совсем ином: пчёлы и мёд.", title="Сказание о пасеке")
    result = await shelf.find(notebook, "главные мысли и выводы книги «Сказание о пасеке»")
    assert {source.source_id: source.strategies for source in result.sources}[named] == ("title",)


@pytest.mark.parametrize("question", ["скозание о посеке", "Сказание о па"])
async def test_a_title_is_found_with_slips_and_by_its_beginning(shelf: Shelf, question: str) -> None:
    notebook = await shelf.notebook()
    await shelf.add(notebook, "Другое.", title="Руководство по эксплуатации")
    named = await shelf.add(notebook, "Пчёлы и мёд.", title="Сказание о пасеке")
    assert [source.source_id for source in (await shelf.find(notebook, question)).sources] == [named]


async def test_a_summary_finds_its_source(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    source = await shelf.add(notebook, "Улей стоял в саду.", title="Заметка")
    async with shelf.transactions() as tx:
        await tx.insights.put(notebook, source, "summary", "Текст о пчеловодстве.", "ru")
    (found,) = (await shelf.find(notebook, "пчеловодство")).sources
    assert (found.source_id, found.strategies) == (source, ("insight",))


async def test_a_broad_question_is_answered_from_several_sources(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    paragraph = "Пингвины живут в Антарктиде и плавают в море. " * 60
    long = await shelf.add(notebook, "\n\n".join([paragraph] * 12), title="Длинный")
    short = {await shelf.add(notebook, paragraph + f" Заметка {number}.") for number in range(4)}
    result = await shelf.find(notebook, "пингвины Антарктиды")
    assert {source.source_id for source in result.sources} == {long, *short}
    assert short <= {one.chunk.source_id for one in result.chunks}


class Broken:
    """A strategy whose service is away."""

    name, weight = "vector", 1.0

    async def search(self, query: SearchQuery, limit: int) -> list[Hit]:
        raise TransientError("search-away")


class Endless:
    """A strategy that never answers."""

    name, weight = "insight", 1.0

    async def search(self, query: SearchQuery, limit: int) -> list[Hit]:
        await asyncio.Event().wait()
        return []


async def test_a_failing_strategy_costs_recall_and_is_named(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    source = await shelf.add(notebook, "Кот спит.")
    strategies: list[Strategy] = [Broken(), TextStrategy(shelf.engine), Endless()]
    result = await Retrieve(strategies, shelf.transactions, timeout_s=0.2)(SearchQuery(notebook, "кот", "ru"))
    assert {one.chunk.source_id for one in result.chunks} == {source}
    assert result.failed == ("vector", "insight")


async def test_a_vector_of_the_wrong_length_costs_only_the_vectors(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    source = await shelf.add(notebook, "Кот спит.")
    model = await shelf.embed(notebook, source, [1.0, 0.0])
    result = await shelf.find(notebook, "кот", embedding=(1.0, 0.0, 0.0), model_id=model)
    assert {one.chunk.source_id for one in result.chunks} == {source}
    assert result.failed == ("vector",)


async def test_when_nothing_can_be_asked_it_is_an_error(shelf: Shelf) -> None:
    with pytest.raises(TransientError):
        await Retrieve([Broken()], shelf.transactions)(SearchQuery(await shelf.notebook(), "кот", "ru"))


async def test_an_empty_notebook_has_nothing_to_say(shelf: Shelf) -> None:
    result = await shelf.find(await shelf.notebook(), "что угодно", embedding=(1.0, 0.0), model_id=ModelId(1))
    assert (result.chunks, result.sources, result.searched, result.failed) == ((), (), 0, ())


# Texts and vectors as rows


async def test_a_text_comes_back_with_its_maps(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    text = "Первая страница.\n\nВторая страница с продолжением."
    source = await shelf.add(
        notebook, "\ufeff" + text, pages=(PageStart(0, 1), PageStart(19, 2)), times=(TimeStart(0, 0.5),)
    )
    async with shelf.transactions() as tx:
        stored = await tx.texts.document(notebook, source)
        assert stored is not None
        assert stored.text == text
        assert stored.page_at(text.index("Вторая")) == 2
        assert stored.time_at(3) == 0.5
        assert stored.raw_offsets == ((0, 1),)
        assert await tx.texts.slice(notebook, source, 7, 15) == "страница"
        assert await tx.texts.slice(notebook, source, -5, 6) == "Первая"
        assert await tx.texts.slice(notebook, source, 40, 4000) == text[40:]
        assert await tx.texts.slice(notebook, source, 9, 3) == ""


async def test_chunks_come_in_the_order_asked_for(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    source = await shelf.add(notebook, "\n\n".join(f"Абзац {n}. " + "Слова и слова. " * 100 for n in range(6)))
    async with shelf.transactions() as tx:
        chunks = await tx.texts.of_source(notebook, source)
        ids = [chunk.id for chunk in reversed(chunks)]
        assert [chunk.id for chunk in await tx.texts.chunks(notebook, ids)] == ids
        near = await tx.texts.neighbours(notebook, source, [2, 0, 99])
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert [chunk.ordinal for chunk in near] == [0, 2]


async def test_several_sources_are_loaded_at_once(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    long = await shelf.add(notebook, "\n\n".join(f"Абзац {n}. " + "Слова и слова. " * 100 for n in range(6)))
    short, gone = await shelf.add(notebook, "Коротко."), await shelf.add(notebook, "Лишнее.")
    async with shelf.transactions() as tx:
        await tx.sources.delete(notebook, gone)
        found = await PostgresTexts(tx.connection).of_sources(  # type: ignore[attr-defined]
            notebook, {long: [4, 1, 99], short: [], gone: [0]}, whole=1000
        )
        document = await tx.texts.document(notebook, long)
    assert document is not None
    assert {source: [chunk.ordinal for chunk in chunks] for source, (_, chunks) in found.items()} == {
        long: [1, 4],
        short: [0],
    }
    assert (found[long][0], found[short][0]) == (len(document.text), 8)


async def test_an_equal_text_is_embedded_once(shelf: Shelf) -> None:
    notebook, other = await shelf.notebook(), await shelf.notebook()
    first, second = await shelf.add(notebook, "Один и тот же текст."), await shelf.add(other, "Один и тот же текст.")
    model = await shelf.embed(notebook, first, [0.6, 0.8])
    async with shelf.transactions() as tx:
        assert await tx.vectors.missing(notebook, first, model, 10) == []
        ((chunk_id, text),) = await tx.vectors.missing(other, second, model, 10)
        known = await tx.vectors.cached(model, [text, "незнакомый"])
        await tx.vectors.add(other, second, model, {chunk_id: known[text]})
        await tx.vectors.add(other, second, model, {chunk_id: known[text]})
        assert await tx.vectors.missing(other, second, model, 10) == []
    assert set(known) == {text}
    assert known[text] == pytest.approx([0.6, 0.8], abs=1e-3)


async def test_models_stand_side_by_side(shelf: Shelf) -> None:
    notebook = await shelf.notebook()
    source = await shelf.add(notebook, "Текст.")
    old = await shelf.embed(notebook, source, [1.0, 0.0])
    async with shelf.transactions() as tx:
        new = await tx.vectors.model("test:other", 3)
        assert await tx.vectors.model("test:other", 3) == new != old
        assert len(await tx.vectors.missing(notebook, source, new, 10)) == 1
        assert await tx.vectors.missing(notebook, source, old, 10) == []
    assert await shelf.found(notebook, "и", embedding=(1.0, 0.0), model_id=old) == {source}
