"""The command line as an operator uses it: real processes, one data directory, services started once."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from core.adapters.embedded_services import find_running, stop_embedded
from core.ingest.cleaning import clean_text, storable
from core.settings import Settings
from tests.integration.cli_story import (
    FUNICULAR,
    LECTURE,
    QUESTIONS,
    RAW,
    ROWS,
    SEARCHES,
    WHALE,
    Done,
    Json,
    Konspekt,
    Story,
)
from tests.integration.extraction.made import docx, paragraph
from workers.doctor import examine
from workers.report import finding_report

pytestmark = pytest.mark.timeout(400)
"""The story is told in one fixture, by some fifteen processes."""

SOURCE_KEYS = {
    "source_id", "title", "state", "extractor", "attempts", "characters", "pages", "chunks", "seconds", "error",
}  # fmt: skip
SEARCH_KEYS = {"query_id", "query", "sources", "chunks", "seconds", "strategy_seconds"}
FOUND_SOURCE_KEYS = {"source_id", "external_id", "title", "score", "strategies", "chunks"}
FOUND_CHUNK_KEYS = {"source_id", "external_id", "ordinal", "start", "end", "page", "score", "text"}
ANSWER_KEYS = {"answered", "text", "citations", "searched", "seconds", "model"}
CITATION_KEYS = {
    "n", "source_id", "external_id", "title", "page", "time", "start", "end", "quote", "verdict",
}  # fmt: skip


@pytest.fixture(scope="module")
def konspekt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Konspekt]:
    data = Path(tempfile.mkdtemp(prefix="konspekt-cli-"))  # see `data_dir`
    yield Konspekt(tmp_path_factory.mktemp("cli"), data)
    stop_embedded(data)
    shutil.rmtree(data)


# The story: an import, then two people at once


@pytest.fixture(scope="module")
def first(konspekt: Konspekt) -> dict[str, Done]:
    """The two commands that are typed at once where nothing has been started yet."""
    path = konspekt.write("rows.jsonl", ROWS, mark=True)
    with path.open("a") as file:
        file.write("\n\nnot json\n")
    with ThreadPoolExecutor(2) as pool:
        import_ = pool.submit(konspekt, "import-sources", "--json", "--notebook", "Звери", path)
        doctor = pool.submit(konspekt, "doctor", "--json")
    return {"import": import_.result(), "doctor": doctor.result()}


@pytest.fixture(scope="module")
def imported(first: dict[str, Done]) -> Done:
    return first["import"]


@pytest.fixture(scope="module")
def files(konspekt: Konspekt, samples_dir: Path) -> list[str | Path]:
    """What is handed to one `ingest`: good, odd and bad; `-` is a text in UTF-16."""
    folder = konspekt.folder / "files"
    folder.mkdir()
    docx(folder / "отчёт.docx", paragraph("Отчёт о реке Варке.") + paragraph("Мост через Варку построен в 1931 году."))
    (folder / "page.html").write_text(
        "<html><head><meta charset='windows-1251'></head><body><h1>Паром</h1>"
        "<p>Паром не ходил через реку во время ледохода, и почту перебрасывали на верёвке.</p></body></html>",
        "cp1251",
    )
    (folder / "заметка.txt").write_text(FUNICULAR, "koi8-r")
    (folder / "копия.txt").write_text(FUNICULAR, "koi8-r")
    (folder / "Глава 1. Введение").write_text("В главе сказано, что лодочник Пахом боялся тоннелей.", "utf-8-sig")
    (folder / ("ж" * 120 + ".txt")).write_text("Жук по имени Жорж живёт в жёлуде.", "utf-8")
    (folder / "table.sqlite").write_bytes(b"PK\x03\x04")
    foreign = Path(os.fsdecode(os.fsencode(folder) + b"/" + "имя".encode("cp1251") + b".txt"))
    foreign.write_text("Имя этого файла записано старой программой.", "utf-8")
    bad = [samples_dir / "bad" / name for name in ("enc_user.pdf", "bomb.docx")]
    return [
        LECTURE, *sorted(folder.iterdir()), "-", "нет/../нет.pdf", "ж" * 200 + "/../x.pdf",
        "https://intranet/статья", folder, *bad,
    ]  # fmt: skip


@pytest.fixture(scope="module")
def story(konspekt: Konspekt, imported: Done, files: list[str | Path]) -> Story:
    """Two operators work at once: with files, with texts."""
    told = Story()
    secret = next(str(line["source_id"]) for line in imported.lines if line["external_id"] == "secret")
    searches, questions = konspekt.write("q.jsonl", SEARCHES, mark=True), konspekt.write("ask.jsonl", QUESTIONS)

    def with_files() -> None:
        given = {"stdin": "Лекцию читали вслух.".encode("utf-16")}
        told.done["ingest"] = konspekt("ingest", "--json", "--notebook", "Файлы", *files, **given)
        told.originals["ingest"] = originals(konspekt)
        told.done["sources"] = konspekt("sources", "--json", "--notebook", " Файлы ")
        told.done["context"] = konspekt(
            "search", "--json", "--notebook", "Файлы", "--top", "1", "--context", "запас прочности каната"
        )
        told.done["delete-notebook"] = konspekt("delete-notebook", "--json", "--notebook", "Файлы")
        told.originals["delete-notebook"] = originals(konspekt)

    def with_texts() -> None:
        told.done["search"] = konspekt("search", "--json", "--notebook", "Звери", "--batch", searches)
        told.done["ask"] = konspekt("ask", "--json", "--notebook", "Звери", "--batch", questions)
        told.done["delete-source"] = konspekt("delete-source", "--json", "--notebook", "Звери", secret)
        told.done["ask-again"] = konspekt("ask", "--json", "--notebook", "Звери", "Какой пароль от сейфа Николая?")

    chapters: tuple[Callable[[], None], ...] = (with_files, with_texts)
    with ThreadPoolExecutor(len(chapters)) as pool:
        for chapter in [pool.submit(chapter) for chapter in chapters]:
            chapter.result()
    return told


def originals(konspekt: Konspekt) -> list[Path]:
    """The files that hold the bytes of sources."""
    folder = konspekt.data / "originals"
    return [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]


# Importing


def test_every_line_of_an_import_is_told_under_the_same_names(imported: Done) -> None:
    assert len(imported.lines) == len(ROWS) + 1
    assert all(line.keys() >= SOURCE_KEYS for line in imported.lines)
    assert [line["state"] for line in imported.lines] == ["ready"] * 6 + ["failed"] * 3
    assert [line["external_id"] for line in imported.lines[:2]] == ["hedgehog", "whale"]
    assert [line["title"] for line in imported.lines[:2]] == ["Ёж", "Кит"]
    assert imported.lines[4]["external_id"] == "4"


def test_s1_a_nul_and_half_a_character_lose_no_import(imported: Done) -> None:
    elephant = imported.lines[4]
    assert (elephant["state"], elephant["error"], elephant["chunks"]) == ("ready", None, 1)


def test_a_repeated_import_adds_nothing(imported: Done) -> None:
    first, *others = [line for line in imported.lines if line["title"] == "Кит"]
    assert first["duplicate"] is False
    assert [(line["source_id"], line["duplicate"]) for line in others] == [(first["source_id"], True)] * 2


def test_a_bad_line_is_told_with_its_number_and_the_others_are_read(imported: Done) -> None:
    assert imported.code == 1
    assert [line["error"] for line in imported.lines if line["error"]] == [
        {"key": "line-incomplete", "line": 7, "field": "text"},
        {"key": "line-not-json", "line": 8},
        {"key": "line-not-json", "line": 10},
    ]


# Files


@pytest.fixture(scope="module")
def ingested(story: Story, files: list[str | Path]) -> dict[str, Json]:
    """What became of each file, by its name."""
    lines = story.done["ingest"].lines
    return {
        Path(name).name if "://" not in str(name) else str(name): line for name, line in zip(files, lines, strict=True)
    }


@pytest.mark.parametrize(
    ("name", "extractor"),
    [
        ("отчёт.docx", "docling-office"),
        ("page.html", "docling-html"),
        ("заметка.txt", "plain-text"),
        ("Глава 1. Введение", "plain-text"),
        ("ж" * 120 + ".txt", "plain-text"),
        ("-", "plain-text"),
    ],
)
def test_a_file_is_read_by_the_first_extractor_that_can(ingested: dict[str, Json], name: str, extractor: str) -> None:
    line = ingested[name]
    assert line.keys() >= SOURCE_KEYS
    assert (line["state"], line["extractor"], line["error"]) == ("ready", extractor, None)
    assert line["attempts"][-1].keys() == {"extractor", "outcome", "reason", "seconds"}
    assert line["attempts"][-1]["outcome"] == "won"
    assert line["characters"] > 10
    assert line["chunks"] == 1


def test_the_lecture_is_read_with_its_pages(ingested: dict[str, Json]) -> None:
    line = ingested["ru_lecture.pdf"]
    assert (line["state"], line["title"], line["stage"]) == ("ready", "ru_lecture.pdf", "done")
    assert line["pages"] >= 30
    assert line["chunks"] > 10


def test_a_copy_of_a_file_is_recognised_before_anything_is_recorded(ingested: dict[str, Json]) -> None:
    note, copy = ingested["заметка.txt"], ingested["копия.txt"]
    assert copy["duplicate"] is True
    assert (copy["source_id"], copy["title"], copy["error"]) == (note["source_id"], note["title"], None)


def test_f10_a_name_in_another_encoding_is_read(ingested: dict[str, Json]) -> None:
    (line,) = [line for name, line in ingested.items() if storable(name) != name]
    assert (line["state"], line["error"]) == ("ready", None)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("нет.pdf", "source-file-missing"),
        ("x.pdf", "source-file-missing"),
        ("files", "source-file-missing"),
        ("https://intranet/статья", "link-invalid"),
        ("table.sqlite", "source-not-supported"),
        ("enc_user.pdf", "source-encrypted"),
        ("bomb.docx", "source-bomb"),
    ],
)
def test_f2_f10_what_cannot_be_read_fails_with_a_text_key(ingested: dict[str, Json], name: str, key: str) -> None:
    line = ingested[name]
    assert line.keys() >= SOURCE_KEYS
    assert (line["state"], line["error"]["key"], line["chunks"]) == ("failed", key, 0)
    assert line["attempts"] == []


def test_f10_originals_are_stored_by_our_ids_only(story: Story) -> None:
    assert story.done["ingest"].code == 1
    assert len(story.originals["ingest"]) >= 8
    assert all(part.replace(".", "").isdigit() for path in story.originals["ingest"] for part in path.parts)


def test_the_sources_of_a_notebook_are_listed(story: Story, ingested: dict[str, Json]) -> None:
    listed = story.done["sources"]
    recorded = {line["source_id"] for line in ingested.values() if line["source_id"]}
    assert {line["source_id"] for line in listed.lines} == recorded
    assert all(line.keys() >= SOURCE_KEYS for line in listed.lines)
    assert listed.code == 1  # some of them failed


def test_a_notebook_is_deleted_with_its_originals(story: Story) -> None:
    deleted = story.done["delete-notebook"]
    assert (deleted.code, deleted.one) == (0, {"deleted": "Файлы"})
    assert story.originals["delete-notebook"] == []


# Searching


def test_a_batch_of_searches_has_the_promised_names(story: Story) -> None:
    assert len(story.done["search"].lines) == len(SEARCHES) == 200
    found = story.lines("search")["q-hedgehog"]
    assert found.keys() >= SEARCH_KEYS
    assert found["query"] == "где ёж прячет грибы"
    assert all(source.keys() == FOUND_SOURCE_KEYS for source in found["sources"])
    assert all(chunk.keys() == FOUND_CHUNK_KEYS for chunk in found["chunks"])
    assert found["strategy_seconds"].keys() == {"vector", "text", "title", "insight"}


@pytest.mark.parametrize(
    ("query_id", "external_id"),
    [("q-hedgehog", "hedgehog"), ("q-whale", "whale"), ("7", "secret"), ("4", "secret"), ("q-dirt", "4")],
)
def test_the_best_source_comes_first_whatever_the_id_is_called(story: Story, query_id: str, external_id: str) -> None:
    found = story.lines("search")[query_id]
    assert found["sources"][0]["external_id"] == external_id
    assert found["chunks"][0]["external_id"] == external_id
    scores = [chunk["score"] for chunk in found["chunks"]]
    assert scores == sorted(scores, reverse=True)


def test_offsets_point_into_the_imported_text(story: Story) -> None:
    found = story.lines("search")
    hedgehog, whale = found["q-hedgehog"]["chunks"][0], found["q-whale"]["chunks"][0]
    assert hedgehog["text"].startswith("Первая строка.\n\nЁж")
    assert (hedgehog["start"], hedgehog["end"]) == (1, len(RAW))
    assert WHALE[whale["start"] : whale["end"]] == whale["text"]


def test_a_query_that_cannot_be_searched_for_stops_no_batch(story: Story) -> None:
    found = story.lines("search")
    assert story.done["search"].code == 1
    assert found["q-empty"]["error"] == {"key": "question-empty"}
    assert found["q-none"]["error"] == {"key": "line-incomplete", "line": 6, "field": "query"}
    assert [found[name]["error"] for name in ("q-long", "q-dirt", "more-191")] == [None] * 3


def test_one_search_shows_its_pages_and_what_a_model_would_read(story: Story) -> None:
    found = story.done["context"].one
    assert story.done["context"].code == 0
    assert [source["title"] for source in found["sources"]] == ["ru_lecture.pdf"]
    assert all(chunk["page"] for chunk in found["chunks"] if chunk["source_id"] == found["sources"][0]["source_id"])
    assert {passage["source_id"] for passage in found["context"]["passages"]} == {found["sources"][0]["source_id"]}
    assert 0 < found["context"]["characters"] <= 40_000


# Asking


def test_an_answer_has_the_promised_names_and_leads_to_its_place(story: Story) -> None:
    answer = story.lines("ask")["held"]
    assert answer.keys() >= ANSWER_KEYS
    assert (answer["answered"], answer["searched"]) == (True, 4)
    (citation,) = [item for item in answer["citations"] if "дупле" in item["quote"]]
    assert citation.keys() == CITATION_KEYS
    assert (citation["external_id"], citation["verdict"]) == ("hedgehog", "verbatim")
    assert clean_text(RAW[citation["start"] : citation["end"]]) == citation["quote"]
    assert f"[{citation['n']}]" in answer["text"]


def test_what_the_sources_do_not_hold_is_refused_without_citations(story: Story) -> None:
    refused = story.lines("ask")["missing"]
    assert (refused["answered"], refused["text"], refused["citations"]) == (False, "", [])
    assert (refused["searched"], refused["error"]) == (4, None)


def test_a_question_that_cannot_be_asked_stops_no_batch(story: Story) -> None:
    answers = story.lines("ask")
    assert story.done["ask"].code == 1
    assert answers["long"]["error"] == {"key": "question-too-long", "limit": 4000}
    assert answers["empty"]["error"] == {"key": "question-empty"}


def test_s4_what_was_deleted_is_not_known_any_more(story: Story) -> None:
    assert "камбала" in story.lines("ask")["secret"]["text"]
    assert story.done["delete-source"].code == 0
    again = story.done["ask-again"].one
    assert "камбала" not in json.dumps(again, ensure_ascii=False)
    assert (again["citations"], again["searched"]) == ([], 3)


# The machine


def test_the_doctor_names_every_extractor_model_and_service(first: dict[str, Done]) -> None:
    found = {(line["part"].split()[0], line["name"]): line for line in first["doctor"].lines}
    assert first["doctor"].code == 0
    assert found.keys() >= {
        ("service", "postgres"), ("service", "redis"), ("model", "embedding"), ("model", "language"),
        ("extractor", "docling-standard"), ("extractor", "liteparse"), ("extractor", "docling-native"),
        ("extractor", "pdfium"), ("extractor", "tesseract"), ("extractor", "docling-office"),
        ("extractor", "docx-text"), ("extractor", "docling-html"), ("extractor", "plain-text"),
    }  # fmt: skip
    assert "pgvector" in found["service", "postgres"]["detail"]
    assert "384 dimensions" in found["model", "embedding"]["detail"]
    assert found["model", "language"]["works"] is None


async def test_the_doctor_goes_on_when_nothing_can_be_reached(tmp_path: Path) -> None:
    nowhere: dict[str, Any] = {
        "database": {"url": "postgresql://nobody@127.0.0.1:9/none"},
        "redis": {"url": "redis://127.0.0.1:9"},
        "llm": {"base_url": "http://127.0.0.1:9", "model": "m"},
        "embedding": {"base_url": "http://127.0.0.1:9", "model": "e"},
        "data": {"dir": tmp_path},
    }
    reports = [finding_report(finding) async for finding in examine(Settings(_env_file=None, **nowhere))]
    broken = {report["name"]: report["error"]["key"] for report in reports if report["error"]}
    assert broken.keys() == {"start", "postgres", "redis", "embedding", "language"}
    assert len(reports) > 20


@pytest.mark.parametrize(
    ("settings", "key"),
    [({"LLM_WINDOW_TOKENS": "много"}, "settings-wrong"), ({}, "notebook-gone")],
    ids=["settings", "notebook"],
)
def test_a_failure_is_one_line_with_a_text_key(
    konspekt: Konspekt, imported: Done, settings: dict[str, str], key: str
) -> None:
    done = konspekt("sources", "--json", "--notebook", "нет такого", **settings)
    assert (done.code, done.one["error"]["key"]) == (1, key)


def test_services_are_started_once_and_end_with_stop(konspekt: Konspekt, story: Story) -> None:
    started = (konspekt.data / "postgres.log").read_text().count("database system is ready to accept connections")
    assert started == 1
    assert konspekt("stop", "--json").one == {"stopped": True}
    assert find_running(konspekt.data) is None
