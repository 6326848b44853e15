"""What the command line prints."""

import json

from hypothesis import given
from hypothesis import strategies as st

from core.errors import UserError
from core.ingest.cleaning import clean
from core.model.document import Document
from core.model.ids import NotebookId, SourceId
from core.model.source import Attempt, Origin, Outcome, Reason, Source, SourceKind, SourceState, Stage, Upload
from workers.command_input import BadInput, Query
from workers.doctor import Finding
from workers.report import (
    error_report,
    failed_answer_report,
    failed_search_report,
    failed_source_report,
    finding_report,
    raw_offset,
    raw_range,
    source_report,
)

DIRTY = st.text(alphabet="аб \n\r\t\u00ad\u200b\ufeff\u2028-", max_size=60)


def test_an_offset_moves_by_what_was_left_out_before_it() -> None:
    offsets = ((0, 0), (5, 8), (9, 20))
    assert [raw_offset(offsets, at) for at in (0, 4, 5, 8, 9, 12)] == [0, 4, 8, 11, 20, 23]


def test_without_a_map_offsets_are_those_of_the_text() -> None:
    assert raw_offset((), 7) == 7
    assert raw_offset(((3, 10),), 1) == 1


def test_a_range_ends_before_what_was_left_out_behind_it() -> None:
    offsets = ((0, 0), (5, 9))
    assert raw_range(offsets, 0, 5) == {"start": 0, "end": 5}
    assert raw_range(offsets, 5, 7) == {"start": 9, "end": 11}
    assert raw_range(offsets, 3, 7) == {"start": 3, "end": 11}


def test_an_empty_range_stays_empty() -> None:
    assert raw_range(((0, 2),), 4, 4) == {"start": 6, "end": 6}


@given(DIRTY, st.integers(0, 60), st.integers(0, 60))
def test_a_range_of_clean_text_is_found_in_the_text_that_came_in(raw: str, one: int, other: int) -> None:
    document = clean(Document(raw))
    start, end = sorted((min(one, len(document.text)), min(other, len(document.text))))
    found = raw_range(document.raw_offsets, start, end)
    assert 0 <= found["start"] <= found["end"] <= len(raw)
    seen = document.text[start:end].strip()
    if seen:
        assert letters(raw[found["start"] : found["end"]]) == letters(seen)


@given(DIRTY)
def test_neighbouring_ranges_do_not_overlap(raw: str) -> None:
    document = clean(Document(raw))
    middle = len(document.text) // 2
    first = raw_range(document.raw_offsets, 0, middle)
    second = raw_range(document.raw_offsets, middle, len(document.text))
    assert first["end"] <= second["start"]


def letters(text: str) -> str:
    return "".join(char for char in text if char.isalpha())


SOURCE = Source(
    NotebookId(1), SourceId(2), 1, SourceKind.PDF, "Книга", SourceState.PARTIAL, Stage.DONE, Upload(), Origin(),
    reason=Reason("source-partial", {"read": 2, "total": 3}), pages=3, characters=100, chunk_count=4,
    attempts=(Attempt("liteparse", Outcome.WON, "", 1.25),),
)  # fmt: skip


def test_a_source_is_told_as_json_with_the_reason_of_what_is_missing() -> None:
    report = json.loads(json.dumps(source_report(SOURCE, 1.23456)))
    assert (report["state"], report["pages"], report["chunks"], report["seconds"]) == ("partial", 3, 4, 1.235)
    assert report["attempts"] == [{"extractor": "liteparse", "outcome": "won", "reason": "", "seconds": 1.25}]
    assert report["error"] == {"key": "source-partial", "read": 2, "total": 3}


def test_what_did_not_become_a_source_is_told_under_the_same_names() -> None:
    failed = failed_source_report("x.pdf", UserError("source-file-missing", {"name": "x.pdf"}))
    assert failed.keys() == source_report(SOURCE, 0).keys()
    assert (failed["source_id"], failed["state"]) == (None, "failed")
    assert failed["error"] == {"key": "source-file-missing", "name": "x.pdf"}


def test_a_failed_query_keeps_its_id_and_words() -> None:
    query = Query("q7", "что?")
    for report in (failed_search_report(query, UserError("a-key")), failed_answer_report(query, UserError("a-key"))):
        assert (report["query_id"], report["query"], report["error"]) == ("q7", "что?", {"key": "a-key"})


def test_an_error_is_its_key_and_its_values() -> None:
    assert error_report(BadInput("line-not-json", {"line": 3})) == {"key": "line-not-json", "line": 3}


def test_only_what_is_configured_and_does_not_answer_is_an_error_of_the_machine() -> None:
    broken, absent = (
        Finding("model", "language", False, "llm-away"),
        Finding("model", "language", None, "not configured"),
    )
    missing = Finding("extractor pdf 1", "docling-standard", False, "no-torch")
    assert finding_report(broken)["error"] == {"key": "llm-away"}
    assert [finding_report(one)["error"] for one in (absent, missing)] == [None, None]
