"""Chunks know where they stand: headings, page, second; tables and sentences stay whole."""

import itertools

from core.ingest.chunking import CHUNK_TOKENS, cut
from core.model.document import Document, PageStart, TimeStart


def words(text: str) -> int:
    return len(text.split())


def test_an_empty_document_has_no_chunks() -> None:
    assert cut(Document("")) == []
    assert cut(Document(" \n\n\t")) == []


def test_a_short_document_is_one_chunk() -> None:
    (chunk,) = cut(Document("\n\nОдин абзац.\n\nВторой абзац.\n"))
    assert chunk.text == "Один абзац.\n\nВторой абзац."
    assert (chunk.start, chunk.ordinal) == (2, 0)


def test_a_chunk_knows_the_headings_above_it() -> None:
    body = "слово " * 30
    text = f"# Книга\n\n{body}\n\n## Глава 1\n\n{body}\n\n### Параграф\n\n{body}\n\n## Глава 2\n\n{body}"
    paths = {chunk.headings for chunk in cut(Document(text), count_tokens=words, limit=40)}
    assert paths == {("Книга",), ("Книга", "Глава 1"), ("Книга", "Глава 1", "Параграф"), ("Книга", "Глава 2")}


def test_a_comment_in_code_is_no_heading() -> None:
    text = "# Раздел\n\n```python\n# не заголовок\nx = 1\n```\n\n" + "слово " * 60
    assert {chunk.headings for chunk in cut(Document(text), count_tokens=words, limit=30)} == {("Раздел",)}


def test_a_heading_stays_with_its_text() -> None:
    text = "слово " * 35 + "\n\n## Глава\n\nНачало главы. " + "ещё " * 30
    chunks = cut(Document(text), count_tokens=words, limit=40)
    assert any("## Глава\n\nНачало главы." in chunk.text for chunk in chunks)


def test_a_chunk_knows_its_page_and_second() -> None:
    first, second = "раз " * 30, "два " * 30
    text = f"{first}\n\n{second}"
    begin = text.index("два")
    document = Document(
        text, pages=(PageStart(0, 7), PageStart(begin, 8)), times=(TimeStart(0, 0.0), TimeStart(begin, 61.5))
    )
    chunks = cut(document, count_tokens=words, limit=35)
    assert [(chunk.page, chunk.time_s) for chunk in chunks] == [(7, 0.0), (8, 61.5)]


def test_prose_is_cut_at_sentence_ends_and_overlaps() -> None:
    text = " ".join(f"Предложение номер {n} говорит о чём-то своём." for n in range(60))
    chunks = cut(Document(text), count_tokens=words, limit=50)
    assert all(chunk.text.endswith(".") for chunk in chunks)
    assert all(b.start < a.end for a, b in itertools.pairwise(chunks))


def test_without_the_embedders_counting_a_chunk_is_about_five_hundred_tokens() -> None:
    text = " ".join(f"Предложение номер {n} говорит о чём-то своём, и довольно подробно." for n in range(200))
    chunks = cut(Document(text))
    assert 2 <= len(chunks) <= len(text) // 1000
    assert all(len(chunk.text) <= CHUNK_TOKENS * 6 for chunk in chunks)


def test_a_table_stays_with_its_heading_and_caption() -> None:
    table = "\n".join(["| год | сумма |", "|---|---|", *(f"| {1990 + n} | {n} |" for n in range(5))])
    text = "слово " * 200 + f"\n\n## Бюджет\n\nТаблица 1. Расходы\n\n{table}\n\n" + "слово " * 200
    chunks = cut(Document(text), count_tokens=words, limit=60)
    assert any(f"## Бюджет\n\nТаблица 1. Расходы\n\n{table}" in chunk.text for chunk in chunks)


def test_data_without_spaces_is_cut_in_a_moment() -> None:
    def slow_on_long_words(text: str) -> int:
        assert all(len(word) <= 1000 for word in text.split())
        return len(text) // 3 + 1

    chunks = cut(Document("начало " + "QUJD" * 5_000 + " конец"), count_tokens=slow_on_long_words)
    assert "".join(chunk.text for chunk in chunks).count("QUJD") >= 4_900
