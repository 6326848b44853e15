"""However a document looks, its chunks are ranges of it, in order, complete and within the limit."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from core.ingest.chunking import cut
from core.ingest.windows import windows
from core.model.document import Document

WORDS = st.sampled_from(["мост", "река", "the", "year", "1941", "C++", "длинноеслово" * 5, "«кавычки»", "a,", "конец."])
SENTENCE = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)
TABLE = st.integers(1, 12).map(
    lambda rows: "| год | сумма |\n|---|---|\n" + "\n".join(f"| 19{n:02} | {n * 7} руб. |" for n in range(rows))
)
BLOCK = st.one_of(
    SENTENCE,
    SENTENCE.map(lambda text: f"## {text[:40]}"),
    TABLE,
    st.lists(SENTENCE, min_size=1, max_size=4).map(lambda items: "\n".join(f"- {item}" for item in items)),
    st.text(max_size=80),
)
MARKDOWN = st.lists(BLOCK, max_size=12).map("\n\n".join)


def letters(text: str) -> int:
    """Count letters: a counting anybody can check."""
    return len(text)


@given(MARKDOWN, st.integers(40, 400))
def test_a_chunk_is_a_range_of_the_document(text: str, limit: int) -> None:
    chunks = cut(Document(text), count_tokens=letters, limit=limit)
    assert all(chunk.text == text[chunk.start : chunk.end] for chunk in chunks)
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert all(a.start < b.start and a.end < b.end for a, b in itertools.pairwise(chunks))


@given(MARKDOWN, st.integers(40, 400))
def test_nothing_but_white_space_is_left_out(text: str, limit: int) -> None:
    covered = bytearray(len(text))
    for chunk in cut(Document(text), count_tokens=letters, limit=limit):
        covered[chunk.start : chunk.end] = b"\x01" * (chunk.end - chunk.start)
    assert all(covered[at] or letter.isspace() for at, letter in enumerate(text))


@given(MARKDOWN, st.integers(40, 400))
def test_no_chunk_is_above_the_limit_or_empty(text: str, limit: int) -> None:
    chunks = cut(Document(text), count_tokens=letters, limit=limit)
    assert all(0 < letters(chunk.text) <= limit and chunk.text.strip() for chunk in chunks)


@given(MARKDOWN, st.integers(60, 400))
def test_overlap_stays_small(text: str, limit: int) -> None:
    chunks = cut(Document(text), count_tokens=letters, limit=limit)
    assert all(a.end - b.start <= 0.15 * limit for a, b in itertools.pairwise(chunks))


@given(st.lists(SENTENCE, max_size=3), st.integers(1, 12), st.lists(SENTENCE, max_size=3))
def test_a_table_that_fits_is_never_torn(before: list[str], rows: int, after: list[str]) -> None:
    table = "| год | сумма |\n|---|---|\n" + "\n".join(f"| 19{n:02} | {n * 7} руб. |" for n in range(rows))
    text = "\n\n".join([*before, table, *after])
    chunks = cut(Document(text), count_tokens=letters, limit=300)
    assert any(table in chunk.text for chunk in chunks)


@given(st.text("аб| -\n", max_size=2000), st.integers(0, 1500))
def test_windows_follow_each_other_without_gaps(text: str, letters: int) -> None:
    text += "я" * letters + text
    spans = list(windows(text))
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(start < end for start, end in spans)


@given(st.integers(20, 60))
def test_a_long_table_is_cut_at_rows_and_its_header_keeps_a_row(rows: int) -> None:
    table = "| год | сумма |\n|---|---|\n" + "\n".join(f"| 19{n:02} | {n * 7} руб. |" for n in range(rows))
    chunks = cut(Document(f"Вот таблица.\n\n{table}\n\nВот и всё."), count_tokens=letters, limit=120)
    assert all(line.startswith("|") == line.endswith("|") for chunk in chunks for line in chunk.text.splitlines())
    header = next(chunk for chunk in chunks if "|---|" in chunk.text)
    assert "| год |" in header.text
    assert "| 1900 |" in header.text
