"""Insights as rows: made once a source is searchable, shown with its burst, never in the way of an answer."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from core.errors import UserError
from core.ingest.embed_source import INSIGHT_TRIES, EmbedSource
from core.ingest.status import ShowBurst
from core.insights.make_insights import MakeInsights
from core.insights.take_suggestion import TakeSuggestion
from core.library.add_source import Incoming
from core.library.suggestions import status_of
from core.model.ids import NotebookId
from core.model.insight import KEY_POINTS, QUESTIONS, SUMMARY, questions_of
from core.model.source import Source, SourceKind, Stage, Upload
from core.model.user import Caller
from core.ports import BurstStatus, SourceUpdate
from tests.fakes import openai_behaviours as fake
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.household import HERE, NOON, Household
from workers.local_owner import Told

GLACIER = (
    "Ледник Федченко — это самый длинный ледник Памира. Его длина составляет 77 километров.\n\n"
    "Скорость движения льда зависит от времени года и от толщины снега.\n\n"
    "Обсерватория имени Горбунова стоит на высоте 4169 метров над морем."
)
MEMORY = (
    "Кривая забывания — это график того, как долго помнят слова. Повторение замедляет забывание слов, потому что "
    "укрепляет память."
)


class Watching(Told):
    """Keeps the statuses that would be shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[BurstStatus] = []

    async def burst_changed(self, tx: Any, status: BurstStatus) -> None:
        """Keep it."""
        self.shown.append(status)


@dataclass(frozen=True)
class Reader:
    """A household's reading, with a model of its own and a watched status message."""

    home: Household
    watching: Watching

    async def read(
        self, caller: Caller, words: str, title: str = "Источник", make: MakeInsights | None = None
    ) -> Source:
        """Add words and have them read to the end."""
        source = await self.add(caller, words, title)
        await self.tell(source, make)
        return await self.home.app.get_source(caller, source.notebook_id, source.id)

    async def add(self, caller: Caller, words: str, title: str = "Источник", file_name: str = "") -> Source:
        """Add words and have them read until they are searchable."""
        incoming = Incoming(SourceKind.TEXT, title, Upload(text=words, file_name=file_name))
        source = (await self.home.app.add_source(caller, incoming, HERE, now=NOON)).source
        await self.home.work.ingest_source(source.notebook_id, source.id)
        return source

    async def tell(self, source: Source, make: MakeInsights | None = None) -> float | None:
        """Do the rest once."""
        return await self.embed(make or MakeInsights())(source.notebook_id, source.id)

    def embed(self, make: MakeInsights) -> EmbedSource:
        """The use-case."""
        return replace(self.home.work.embed_source, insights=make, show=ShowBurst(self.watching))

    async def kept(self, source: Source) -> dict[str, str]:
        """The insights of a source by their kinds."""
        async with self.home.app.transactions() as tx:
            found = {
                kind: await tx.insights.of_kind(source.notebook_id, [source.id], kind)
                for kind in (SUMMARY, KEY_POINTS, QUESTIONS)
            }
        return {kind: texts[source.id] for kind, texts in found.items() if source.id in texts}


@pytest.fixture
def reader(home: Household) -> Reader:
    return Reader(home, Watching())


async def test_a_searchable_source_gets_a_summary_points_and_questions(reader: Reader, anya: Caller) -> None:
    source = await reader.read(anya, GLACIER)
    kept = await reader.kept(source)
    assert source.stage is Stage.DONE
    assert kept[SUMMARY].startswith("- Ледник Федченко")
    assert "Что такое ледник Федченко?" in questions_of(kept[QUESTIONS])


async def test_every_question_made_by_rule_is_answered_from_its_source(reader: Reader, anya: Caller) -> None:
    asked = 0
    for words in (GLACIER, MEMORY, *LECTURES):
        kept = await reader.kept(await reader.read(anya, words, words[:20]))
        for question in questions_of(kept[QUESTIONS]):
            answer = await reader.home.ask(anya, question)
            assert answer is not None, question
            assert answer.answered, question
            asked += 1
    assert asked >= 8


LECTURES = (
    "# Физика\n\n## Тепло\n\nТепло — это форма передачи энергии между телами. Скорость теплообмена зависит от разности "
    "температур. Теплопроводность отличается от конвекции отсутствием движения вещества.\n\n## Звук\n\nЗвук — это "
    "волна в упругой среде. В 1947 году лётчик Чак Йегер впервые преодолел звуковой барьер.",
    "Photosynthesis is a process that turns light into sugar. The rate of photosynthesis depends on light. "
    "Chlorophyll is used to absorb light of certain colours. There are two stages of photosynthesis: light and dark.",
)


async def test_answers_lean_on_summaries_and_points_but_never_on_questions(reader: Reader, anya: Caller) -> None:
    source = await reader.read(anya, LECTURES[0])
    async with reader.home.app.transactions() as tx:
        told = (await tx.insights.of_sources(source.notebook_id, [source.id]))[source.id]
    assert "Тепло — это форма" in told
    assert "?" not in told
    found = "SELECT words::text FROM insights WHERE source_id = :id AND kind = 'questions'"
    assert await reader.home.value(found, id=source.id) == ""


async def test_the_burst_shows_questions_and_the_gist_when_all_of_it_is_read(reader: Reader, anya: Caller) -> None:
    source = await reader.read(anya, GLACIER)
    status = reader.watching.shown[-1]
    assert [one.ordinal for one in status.suggestions] == list(range(len(status.suggestions)))
    assert status.suggestions[0].source_id == source.id
    assert status.gist.startswith("- Ледник Федченко")
    other = await reader.add(anya, MEMORY, "Память")
    async with reader.home.app.transactions() as tx:
        await tx.sources.update(other.notebook_id, other.id, SourceUpdate(state=None, stage=Stage.EMBED))
    await reader.tell(other)
    both = reader.watching.shown[-1]
    assert {one.source_id for one in both.suggestions} == {source.id, other.id}
    assert both.gist == ""


async def test_a_burst_that_is_still_read_or_whose_source_is_muted_suggests_nothing(
    reader: Reader, anya: Caller
) -> None:
    source = await reader.read(anya, GLACIER)
    waiting = Incoming(SourceKind.TEXT, "Потом", Upload(text=MEMORY))
    await reader.home.app.add_source(anya, waiting, HERE, now=NOON)
    assert (await _status(reader, source)).suggestions == ()
    boris = await reader.home.person()
    muted = await reader.read(boris, GLACIER)
    assert (await _status(reader, muted)).suggestions != ()
    await reader.home.app.mute_source(boris, muted.notebook_id, muted.id, muted=True)
    assert (await _status(reader, muted)).suggestions == ()


async def _status(reader: Reader, source: Source) -> BurstStatus:
    assert source.burst_id is not None
    async with reader.home.app.transactions() as tx:
        burst = await tx.bursts.get(source.burst_id)
        assert burst is not None
        return await status_of(tx, burst)


# --- with a model ---


async def test_a_models_insights_are_made_once_however_often_the_job_runs(
    reader: Reader, anya: Caller, model: FakeOpenAI, make: MakeInsights
) -> None:
    source = await reader.read(anya, GLACIER, make=make)
    before = await reader.kept(source)
    assert before[QUESTIONS].startswith("Что сказано о том")
    await reader.tell(source, make)
    assert await reader.kept(source) == before
    assert len(model.insight_requests) == 1


async def test_a_model_that_is_away_is_tried_a_few_times_and_then_the_rules_do_it(
    reader: Reader, anya: Caller, model: FakeOpenAI, make: MakeInsights
) -> None:
    model.script_insights(*[fake.rate_limited(0.1)] * 10)
    source = await reader.add(anya, GLACIER)
    tries = 0
    while await _again(reader, source, make):
        tries += 1
        assert await reader.kept(source) == {}
        await reader.home.execute("UPDATE sources SET retry_at = NULL WHERE id = :id", id=source.id)
    assert tries == INSIGHT_TRIES - 1
    assert "Что такое ледник Федченко?" in (await reader.kept(source))[QUESTIONS]
    ended = await reader.home.app.get_source(anya, source.notebook_id, source.id)
    assert ended.state.answers
    assert ended.stage is Stage.DONE


async def _again(reader: Reader, source: Source, make: MakeInsights) -> bool:
    return await reader.tell(source, make) is not None


async def test_reading_anew_replaces_what_was_told(reader: Reader, anya: Caller, make: MakeInsights) -> None:
    source = await reader.read(anya, GLACIER)
    async with reader.home.app.transactions() as tx:
        await tx.insights.put(source.notebook_id, source.id, QUESTIONS, "Старый вопрос?", "ru")
        await tx.insights.put(source.notebook_id, source.id, KEY_POINTS, "- старое", "ru")
        await tx.sources.update(source.notebook_id, source.id, SourceUpdate(stage=Stage.EMBED))
    await reader.tell(source)
    kept = await reader.kept(source)
    assert "Старый вопрос?" not in kept[QUESTIONS]
    assert KEY_POINTS not in kept


async def test_a_bug_in_the_insights_costs_the_insights_alone(reader: Reader, anya: Caller) -> None:
    class Broken(MakeInsights):
        async def __call__(self, *_: object, **__: object) -> Any:
            raise ZeroDivisionError

    source = await reader.read(anya, GLACIER, make=Broken())
    assert source.stage is Stage.DONE
    assert source.state.answers
    assert await reader.kept(source) == {}


async def test_a_source_without_vectors_is_told_of_all_the_same(
    reader: Reader, anya: Caller, fake_models: FakeOpenAI
) -> None:
    fake_models.script_embeddings(fake.error(401, "Incorrect API key", "invalid_api_key"))
    source = await reader.read(anya, GLACIER)
    assert source.stage is Stage.DONE
    assert SUMMARY in await reader.kept(source)


@pytest.mark.parametrize(
    ("title", "file_name", "named"),
    [("скан 1", "скан 1.txt", "Ледник Федченко"), ("Моя лекция", "Моя лекция.txt", "Моя лекция"),
     ("Заметка", "", "Заметка")],
)  # fmt: skip
async def test_a_models_title_replaces_only_a_name_that_says_nothing(
    reader: Reader, anya: Caller, model: FakeOpenAI, make: MakeInsights, title: str, file_name: str, named: str
) -> None:
    model.script_insights(fake.streamed('{"title": "Ледник Федченко", "summary": [], "questions": []}'))
    source = await reader.add(anya, GLACIER, title, file_name)
    await reader.tell(source, make)
    assert (await reader.home.app.get_source(anya, source.notebook_id, source.id)).title == named


# --- a tapped question ---


@pytest.fixture
async def offered(reader: Reader, anya: Caller) -> Source:
    return await reader.read(anya, GLACIER)


async def test_a_tapped_question_is_found_once_until_it_is_answered(
    reader: Reader, anya: Caller, offered: Source
) -> None:
    take, app = TakeSuggestion(reader.home.app.transactions), reader.home.app
    words = await take(anya, offered.notebook_id, offered.id, 0)
    assert words == questions_of((await reader.kept(offered))[QUESTIONS])[0]
    question = await app.ask_question(anya, words, HERE, now=NOON)
    assert await take(anya, offered.notebook_id, offered.id, 0) is None
    assert await take(anya, offered.notebook_id, offered.id, 1) is not None
    assert (await reader.home.answer(question)) is not None
    assert await take(anya, offered.notebook_id, offered.id, 0) == words


async def test_a_question_that_is_gone_is_said(reader: Reader, anya: Caller, offered: Source) -> None:
    take = TakeSuggestion(reader.home.app.transactions)
    await _refused(take, anya, offered.notebook_id, offered, 7, "suggestion-gone")
    await reader.home.app.delete_source(anya, offered.notebook_id, offered.id)
    await _refused(take, anya, offered.notebook_id, offered, 0, "suggestion-gone")


async def test_a_stranger_learns_nothing_by_a_forged_button(reader: Reader, boris: Caller, offered: Source) -> None:
    take = TakeSuggestion(reader.home.app.transactions)
    await _refused(take, boris, offered.notebook_id, offered, 0, "notebook-gone")
    await _refused(take, boris, boris.notebook_id, offered, 0, "suggestion-gone")


async def _refused(
    take: TakeSuggestion, caller: Caller, notebook_id: NotebookId, source: Source, ordinal: int, key: str
) -> None:
    with pytest.raises(UserError) as error:
        await take(caller, notebook_id, source.id, ordinal)
    assert error.value.text_key == key
