"""The command line as an operator uses it: real processes, one data directory, services started once."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.adapters.embedded_services import find_running, stop_embedded
from core.ingest.cleaning import clean_text, storable
from tests.integration.extraction.made import docx, paragraph

ROOT = Path(__file__).parents[2]
LECTURE = ROOT / "tests" / "data" / "ru_lecture.pdf"
TIMEOUT_S = 110
OWN = ("DATABASE_", "REDIS_", "LLM_", "EMBEDDING_", "BOT_", "DATA_", "LOG_")
"""Settings of the machine that runs the tests; they are not these commands'."""

Json = dict[str, Any]

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


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Json]:
        """What it printed: nothing but JSON, and nothing of an exception."""
        assert "Traceback" not in self.err + self.out, self.err
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def one(self) -> Json:
        """Its only line."""
        (line,) = self.lines
        return line


@dataclass(frozen=True)
class Konspekt:
    """The command with a data directory of its own, run in another folder than the repository."""

    folder: Path
    data: Path

    def __call__(self, *argv: str | bytes | Path, stdin: bytes = b"", **settings: str) -> Done:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(OWN)}
        environment |= {"DATA_DIR": str(self.data), "PYTHONPATH": str(ROOT), **settings}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # compiling the libraries anew would take most of the time
        environment["PYTHONPYCACHEPREFIX"] = str(self.data / "pycache")
        done = subprocess.run(
            [sys.executable, "-m", "workers.cli", *argv],
            input=stdin, cwd=self.folder, env=environment, capture_output=True, timeout=TIMEOUT_S, check=False,
        )  # fmt: skip
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def write(self, name: str, rows: Iterable[object], *, mark: bool = False) -> Path:
        """Write lines of JSON, as Windows programs do with a byte order mark."""
        path = self.folder / name
        path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8-sig" if mark else "utf-8")
        return path


@pytest.fixture(scope="module")
def konspekt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Konspekt]:
    data = Path(tempfile.mkdtemp(prefix="konspekt-cli-"))  # see `data_dir`
    yield Konspekt(tmp_path_factory.mktemp("cli"), data)
    stop_embedded(data)
    shutil.rmtree(data)


# Importing


ADDED_BY_CLEANING = "Первая\u00ad строка\u200b.  \r\n\r\n\r\n\r\n"
HEDGEHOG = "Ёж собирает грибы осенью.\r\nОн прячет их в дупле старого дуба."
WHALE = "Синий кит весит сто пятьдесят тонн и питается крилем."
SECRET = "Пароль от сейфа Николая — слово «камбала»."
ROWS: list[object] = [
    {"external_id": "hedgehog", "title": "Ёж", "text": f"\ufeff{ADDED_BY_CLEANING}{HEDGEHOG}"},
    {"external_id": "whale", "title": "Кит", "text": WHALE},
    {"external_id": "whale", "title": "Кит снова", "text": "Другие слова под тем же номером."},
    {"external_id": "whale-2", "title": "Кит ещё раз", "text": WHALE},
    {"external_id": 4, "title": None, "text": "Слон живёт семьдесят лет\x00 и помнит \ud800 дорогу к воде."},
    {"external_id": "secret", "title": "Сейф", "text": SECRET},
    {"external_id": "bad", "title": "Без текста"},
    ["не", "объект"],
]


@pytest.fixture(scope="module")
def imported(konspekt: Konspekt) -> Done:
    path = konspekt.write("rows.jsonl", ROWS, mark=True)
    with path.open("a") as file:
        file.write("\n\nnot json\n")
    return konspekt("import-sources", "--json", "--notebook", "Звери", path)


def ids(imported: Done) -> dict[str, int]:
    return {line["external_id"]: line["source_id"] for line in imported.lines if line["source_id"]}


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
def ingested(konspekt: Konspekt, imported: Done, samples_dir: Path) -> dict[str, Json]:
    """What became of each file, in one command; `-` is a text in UTF-16."""
    folder = konspekt.folder / "files"
    folder.mkdir()
    docx(folder / "отчёт.docx", paragraph("Отчёт о реке Варке.") + paragraph("Мост через Варку построен в 1931 году."))
    (folder / "page.html").write_text(
        "<html><head><meta charset='windows-1251'></head><body><h1>Паром</h1>"
        "<p>Паром не ходил через реку во время ледохода, и почту перебрасывали на верёвке.</p></body></html>",
        "cp1251",
    )
    (folder / "заметка.txt").write_text("Фуникулёр открыли весной, и первый билет стоил три копейки.", "koi8-r")
    (folder / "Глава 1. Введение").write_text("В главе сказано, что лодочник Пахом боялся тоннелей.", "utf-8-sig")
    (folder / "копия.txt").write_text("Фуникулёр открыли весной, и первый билет стоил три копейки.", "koi8-r")
    (folder / ("ж" * 120 + ".txt")).write_text("Жук по имени Жорж живёт в жёлуде.", "utf-8")
    (folder / "table.xlsx").write_bytes(b"PK\x03\x04")
    (folder / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    foreign = os.fsencode(folder) + "/имя".encode("cp1251") + b".txt"
    Path(os.fsdecode(foreign)).write_text("Имя этого файла записано старой программой.", "utf-8")
    bad = [samples_dir / "bad" / name for name in ("enc_user.pdf", "bomb.docx")]
    names: list[str | bytes | Path] = [
        LECTURE, *sorted(path for path in folder.iterdir()), "-", "нет/../нет.pdf", "ж" * 200 + "/../x.pdf",
        "https://example.org/статья", folder, *bad,
    ]  # fmt: skip
    done = konspekt("ingest", "--json", "--notebook", "Файлы", *names, stdin="Лекцию читали вслух.".encode("utf-16"))
    assert done.code == 1
    assert len(done.lines) == len(names)
    given = [os.fsdecode(name) if isinstance(name, bytes) else str(name) for name in names]
    return {Path(name).name if "://" not in name else name: line for name, line in zip(given, done.lines, strict=True)}


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
        ("https://example.org/статья", "links-later"),
        ("table.xlsx", "source-not-supported"),
        ("photo.png", "source-not-supported"),
        ("enc_user.pdf", "source-encrypted"),
        ("bomb.docx", "source-bomb"),
    ],
)
def test_f2_f10_what_cannot_be_read_fails_with_a_text_key(ingested: dict[str, Json], name: str, key: str) -> None:
    line = ingested[name]
    assert line.keys() >= SOURCE_KEYS
    assert (line["state"], line["error"]["key"], line["chunks"]) == ("failed", key, 0)
    assert line["attempts"] == []


def test_f10_originals_are_stored_by_our_ids_only(konspekt: Konspekt, ingested: dict[str, Json]) -> None:
    originals = [path.relative_to(konspekt.data / "originals") for path in (konspekt.data / "originals").rglob("*.*")]
    assert len(originals) >= 8
    assert all(all(part.replace(".", "").isdigit() for part in path.parts) for path in originals)


def test_the_sources_of_a_notebook_are_listed(konspekt: Konspekt, ingested: dict[str, Json]) -> None:
    done = konspekt("sources", "--json", "--notebook", " Файлы ")
    recorded = {line["source_id"] for line in ingested.values() if line["source_id"]}
    assert {line["source_id"] for line in done.lines} == recorded
    assert all(line.keys() >= SOURCE_KEYS for line in done.lines)
    assert done.code == 1  # some of them failed


# Searching


@pytest.fixture(scope="module")
def searched(konspekt: Konspekt, imported: Done) -> dict[str, Json]:
    """Two hundred searches in one process, whose ids are spelled in several ways."""
    asked: list[object] = [
        {"query_id": "q-hedgehog", "query": "где ёж прячет грибы"},
        {"qid": "q-whale", "text": "сколько весит синий кит"},
        {"id": 7, "question": "пароль от сейфа"},
        {"query": "камбала"},
        {"query_id": "q-empty", "query": "  "},
        {"query_id": "q-none"},
        {"query_id": "q-dirt", "query": "слон\x00 \ud800 помнит"},
        {"query_id": "q-long", "query": "кит " * 3000},
    ]
    asked += [{"qid": f"more-{number}", "query": f"кит {number}"} for number in range(200 - len(asked))]
    begun = time.monotonic()
    done = konspekt("search", "--json", "--notebook", "Звери", "--batch", konspekt.write("q.jsonl", asked, mark=True))
    assert time.monotonic() - begun < TIMEOUT_S
    assert done.code == 1
    assert len(done.lines) == 200
    return {line["query_id"]: line for line in done.lines}


def test_a_search_has_the_promised_names(searched: dict[str, Json]) -> None:
    found = searched["q-hedgehog"]
    assert found.keys() >= SEARCH_KEYS
    assert found["query"] == "где ёж прячет грибы"
    assert all(source.keys() == FOUND_SOURCE_KEYS for source in found["sources"])
    assert all(chunk.keys() == FOUND_CHUNK_KEYS for chunk in found["chunks"])
    assert found["strategy_seconds"].keys() == {"vector", "text", "title", "insight"}


@pytest.mark.parametrize(
    ("query_id", "external_id"),
    [("q-hedgehog", "hedgehog"), ("q-whale", "whale"), ("7", "secret"), ("4", "secret"), ("q-dirt", "4")],
)
def test_the_best_source_comes_first_whatever_the_id_is_called(
    searched: dict[str, Json], query_id: str, external_id: str
) -> None:
    found = searched[query_id]
    assert found["sources"][0]["external_id"] == external_id
    assert found["chunks"][0]["external_id"] == external_id
    scores = [chunk["score"] for chunk in found["chunks"]]
    assert scores == sorted(scores, reverse=True)


def test_offsets_point_into_the_imported_text(searched: dict[str, Json]) -> None:
    raw = ROWS[0]["text"]  # type: ignore[index, call-overload]
    chunk = searched["q-hedgehog"]["chunks"][0]
    assert chunk["text"].startswith("Первая строка.\n\nЁж")
    assert (chunk["start"], chunk["end"]) == (1, len(raw))
    whale = searched["q-whale"]["chunks"][0]
    assert WHALE[whale["start"] : whale["end"]] == whale["text"]


def test_a_query_that_cannot_be_asked_stops_no_batch(searched: dict[str, Json]) -> None:
    assert searched["q-empty"]["error"] == {"key": "question-empty"}
    assert searched["q-none"]["error"] == {"key": "line-incomplete", "line": 6, "field": "query"}
    assert [searched[name]["error"] for name in ("q-long", "q-dirt", "more-191")] == [None] * 3


def test_one_search_shows_its_pages_and_what_a_model_would_read(konspekt: Konspekt, ingested: dict[str, Json]) -> None:
    done = konspekt("search", "--json", "--notebook", "Файлы", "--top", "1", "--context", "запас прочности каната")
    found = done.one
    assert done.code == 0
    assert [source["title"] for source in found["sources"]] == ["ru_lecture.pdf"]
    assert all(chunk["page"] for chunk in found["chunks"] if chunk["source_id"] == found["sources"][0]["source_id"])
    assert {passage["source_id"] for passage in found["context"]["passages"]} == {found["sources"][0]["source_id"]}
    assert 0 < found["context"]["characters"] <= 40_000


# Asking


@pytest.fixture(scope="module")
def asked(konspekt: Konspekt, imported: Done) -> tuple[Done, dict[str, Json]]:
    batch = konspekt.write(
        "ask.jsonl",
        [
            {"query_id": "held", "query": "Где ёж прячет грибы осенью?"},
            {"query_id": "secret", "query": "Какой пароль от сейфа Николая?"},
            {"query_id": "missing", "query": "В каком году основали Рио-де-Жанейро?"},
            {"query_id": "long", "query": "я" * 4001},
            {"query_id": "empty", "query": ""},
        ],
    )
    done = konspekt("ask", "--json", "--notebook", "Звери", "--batch", batch)
    return done, {line["query_id"]: line for line in done.lines}


def test_an_answer_has_the_promised_names_and_leads_to_its_place(asked: tuple[Done, dict[str, Json]]) -> None:
    answer = asked[1]["held"]
    assert answer.keys() >= ANSWER_KEYS
    assert answer["answered"] is True
    assert answer["searched"] == 4
    (citation,) = [item for item in answer["citations"] if "дупле" in item["quote"]]
    assert citation.keys() == CITATION_KEYS
    assert (citation["external_id"], citation["verdict"]) == ("hedgehog", "verbatim")
    raw: str = ROWS[0]["text"]  # type: ignore[index, call-overload]
    assert clean_text(raw[citation["start"] : citation["end"]]) == citation["quote"]
    assert f"[{citation['n']}]" in answer["text"]


def test_what_the_sources_do_not_hold_is_refused_without_citations(asked: tuple[Done, dict[str, Json]]) -> None:
    refused = asked[1]["missing"]
    assert (refused["answered"], refused["text"], refused["citations"]) == (False, "", [])
    assert (refused["searched"], refused["error"]) == (4, None)


def test_a_question_that_cannot_be_asked_stops_no_batch(asked: tuple[Done, dict[str, Json]]) -> None:
    assert asked[0].code == 1
    assert asked[1]["long"]["error"] == {"key": "question-too-long", "limit": 4000}
    assert asked[1]["empty"]["error"] == {"key": "question-empty"}


@pytest.fixture(scope="module")
def deleted(konspekt: Konspekt, imported: Done, searched: dict[str, Json], asked: tuple[Done, dict[str, Json]]) -> Done:
    """The source of the password is deleted, after everything that needs it."""
    return konspekt("delete-source", "--json", "--notebook", "Звери", str(ids(imported)["secret"]))


def test_s4_what_was_deleted_is_not_known_any_more(
    konspekt: Konspekt, asked: tuple[Done, dict[str, Json]], deleted: Done, imported: Done
) -> None:
    assert "камбала" in asked[1]["secret"]["text"]
    assert (deleted.code, deleted.one["deleted"]) == (0, ids(imported)["secret"])

    again = konspekt("ask", "--json", "--notebook", "Звери", "Какой пароль от сейфа Николая?").one

    assert "камбала" not in json.dumps(again, ensure_ascii=False)
    assert again["citations"] == []
    assert again["searched"] == 3


def test_a_notebook_is_deleted_with_its_originals(konspekt: Konspekt, ingested: dict[str, Json], deleted: Done) -> None:
    twice = konspekt("delete-source", "--json", "--notebook", "Звери", str(deleted.one["deleted"]))
    gone = konspekt("delete-notebook", "--json", "--notebook", "Файлы")
    after = konspekt("search", "--json", "--notebook", "Файлы", "лекция")

    assert (twice.code, twice.one) == (1, {"error": {"key": "source-gone"}})
    assert (gone.code, gone.one) == (0, {"deleted": "Файлы"})
    assert (after.code, after.one) == (1, {"error": {"key": "notebook-gone"}})
    assert not [path for path in (konspekt.data / "originals").rglob("*") if path.is_file()]


# The whole


def test_services_are_started_once_and_found_running(konspekt: Konspekt, imported: Done) -> None:
    before = find_running(konspekt.data)
    konspekt("sources", "--json", "--notebook", "Звери")
    assert before is not None
    assert find_running(konspekt.data) == before


def test_the_doctor_names_every_extractor_model_and_service(konspekt: Konspekt, imported: Done) -> None:
    done = konspekt("doctor", "--json")
    found = {(line["part"].split()[0], line["name"]): line for line in done.lines}
    assert done.code == 0
    assert found.keys() >= {
        ("service", "postgres"), ("service", "redis"), ("model", "embedding"), ("model", "language"),
        ("extractor", "docling-standard"), ("extractor", "liteparse"), ("extractor", "docling-native"),
        ("extractor", "pdfium"), ("extractor", "tesseract"), ("extractor", "docling-office"),
        ("extractor", "docx-text"), ("extractor", "docling-html"), ("extractor", "plain-text"),
    }  # fmt: skip
    assert "pgvector" in found["service", "postgres"]["detail"]
    assert "384 dimensions" in found["model", "embedding"]["detail"]
    assert found["model", "language"]["works"] is None


def test_the_doctor_goes_on_when_nothing_can_be_reached(konspekt: Konspekt) -> None:
    nowhere = "127.0.0.1:9"
    done = konspekt(
        "doctor", "--json", DATABASE_URL=f"postgresql://nobody@{nowhere}/none", REDIS_URL=f"redis://{nowhere}",
        LLM_BASE_URL=f"http://{nowhere}", LLM_MODEL="m", EMBEDDING_BASE_URL=f"http://{nowhere}", EMBEDDING_MODEL="e",
    )  # fmt: skip
    broken = {line["name"]: line["error"]["key"] for line in done.lines if line["error"]}
    assert done.code == 1
    assert broken.keys() == {"start", "postgres", "redis", "embedding", "language"}


@pytest.mark.parametrize(
    ("argv", "settings", "key"),
    [
        (["search", "--json", "--notebook", "Звери", "--batch", "no.jsonl"], {}, "source-file-missing"),
        (["ask", "--json", "--notebook", "  ", "Что?"], {}, "notebook-title-empty"),
        (["sources", "--json", "--notebook", "Звери"], {"LLM_WINDOW_TOKENS": "много"}, "settings-wrong"),
        (["sources", "--json", "--notebook", "Звери"], {"DATABASE_URL": "postgresql://127.0.0.1:9/x"}, "start-failed"),
    ],
)
def test_a_failure_is_one_line_with_a_text_key(
    konspekt: Konspekt, imported: Done, argv: list[str], settings: dict[str, str], key: str
) -> None:
    done = konspekt(*argv, **settings)
    assert done.code == 1
    assert done.one["error"]["key"] == key


def test_stop_ends_the_services_once(
    konspekt: Konspekt, ingested: dict[str, Json], asked: tuple[Done, dict[str, Json]], deleted: Done
) -> None:
    assert konspekt("stop", "--json").one == {"stopped": True}
    assert find_running(konspekt.data) is None
    assert konspekt("stop", "--json").one == {"stopped": False}
