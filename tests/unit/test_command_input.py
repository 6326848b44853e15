"""What an operator hands to a command."""

import json
from pathlib import Path

import pytest

from core.errors import UserError
from core.model.source import SourceKind
from workers.command_input import BadInput, incoming, lines, queries, sources


def wrong(key: str, line: int, field: str = "") -> tuple[str, dict[str, str | int]]:
    return key, {"line": line, **({"field": field} if field else {})}


def told(error: BadInput | None) -> tuple[str, dict[str, str | int]] | None:
    return None if error is None else (error.text_key, error.values)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_f6_lines_are_read_with_and_without_a_mark(tmp_path: Path, encoding: str, end: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(f'{{"a": "ё"}}{end}{end}  {end}{{"a": 2}}'.encode(encoding))
    assert list(lines(str(path))) == [(1, {"a": "ё"}), (4, {"a": 2})]


@pytest.mark.parametrize("line", ["{", "[1]", '"text"', "7", "null", "\ufffd{}"])
def test_a_line_that_is_no_object_is_told_by_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(f'{{"a": 1}}\n{line}\n{{"a": 3}}\n')
    (_, first), (number, second), (_, third) = lines(str(path))
    assert isinstance(second, BadInput)
    assert (first, told(second), third) == ({"a": 1}, wrong("line-not-json", number), {"a": 3})


def test_bytes_that_are_no_utf8_are_told_by_their_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes('{"text": "привет"}\n'.encode("cp1251"))
    ((_, row),) = lines(str(path))
    assert isinstance(row, BadInput)


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput) as error:
        list(lines(str(tmp_path / name)))
    assert error.value.text_key == "source-file-missing"


def test_a_query_is_understood_under_its_several_names(tmp_path: Path) -> None:
    rows = [
        {"query_id": "a", "query": "раз"}, {"qid": 2, "text": "два"}, {"id": 0, "question": "три"}, {"query": "четыре"},
        {"query_id": None, "qid": "e", "query": "пять", "text": "не это"},
    ]  # fmt: skip
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    found = [(query.query_id, query.text) for query in queries(str(path), "")]
    assert found == [("a", "раз"), ("2", "два"), ("0", "три"), ("4", "четыре"), ("e", "пять")]


def test_a_line_without_a_query_keeps_its_id(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"qid": "a", "query": 7}\n{"qid": "b", "query": " "}\nnonsense\n')
    found = {query.query_id: told(query.wrong) for query in queries(str(path), "")}
    assert found == {
        "a": wrong("line-incomplete", 1, "query"),
        "b": ("question-empty", {}),
        "3": wrong("line-not-json", 3),
    }


def test_s1_a_query_holds_nothing_that_cannot_be_stored() -> None:
    (query,) = queries(None, "кит\x00 \ud800")
    assert query.text == "кит\ufffd \ufffd"
    assert query.wrong is None


def test_imported_lines_need_a_text_only(tmp_path: Path) -> None:
    rows: list[object] = [
        {"external_id": 7, "title": " Два\nслова ", "text": "а"}, {"text": ""}, {"external_id": "x", "text": None}, [],
    ]  # fmt: skip
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    first, second, *bad = sources(str(path))
    assert not isinstance(first, BadInput)
    assert not isinstance(second, BadInput)
    assert (first.external_id, first.title, first.upload.text) == ("7", "Два слова", "а")
    assert (second.external_id, second.title) == ("", "")
    assert [told(one) for one in bad if isinstance(one, BadInput)] == [
        wrong("line-incomplete", 3, "text"),
        wrong("line-not-json", 4),
    ]


def test_a_file_comes_with_its_name_size_and_hash(tmp_path: Path) -> None:
    path = tmp_path / "Глава 1. Введение"
    path.write_bytes(b"abc")
    with incoming(str(path)) as one:
        assert (one.kind, one.title, one.upload.size_bytes) == (SourceKind.PLAIN_FILE, path.name, 3)
        assert one.content_hash == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("http://intranet/x.pdf", "link-invalid"),
        ("https://youtu.be/short", "youtube-bad-id"),
        ("no.pdf", "source-file-missing"),
        ("/", "source-file-missing"),
        ("я" * 300, "source-file-missing"),
        ("file:///etc/passwd", "source-file-missing"),
    ],
)
def test_what_is_no_file_is_told(name: str, key: str) -> None:
    with pytest.raises(UserError) as error, incoming(name):
        pass
    assert error.value.text_key == key


def test_a_kind_that_is_not_read_is_told_before_its_bytes_are_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    path.touch()
    with pytest.raises(UserError, match="source-not-supported"), incoming(str(path)):
        pass
