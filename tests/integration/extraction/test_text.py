"""F6, F7: text files in every encoding that people send come out alike."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.adapters.decoding import decode
from core.adapters.inspection import preflight
from core.errors import UserError
from core.model.source import SourceKind
from tests.integration.extraction.reading import read_file
from tests.integration.extraction.samples import sample, truth

TABLE = (
    "Парк;Район;Площадь, га;Примечание\n"
    "Сокольнический;Восточный;516,0;ремонт дренажа\n"
    "Берёзовая роща;Южный;122,7;обрезка тополей\n"
    "Академический;Западный;63,1;замена фонарей\n"
)
AS_MARKDOWN = (
    "| Парк | Район | Площадь, га | Примечание |\n"
    "| - | - | - | - |\n"
    "| Сокольнический | Восточный | 516,0 | ремонт дренажа |\n"
    "| Берёзовая роща | Южный | 122,7 | обрезка тополей |\n"
    "| Академический | Западный | 63,1 | замена фонарей |"
)
CODE_PAGES = ["cp1251", "koi8-r", "cp866", "mac_cyrillic", "iso8859-5"]
UNICODE = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]


@pytest.mark.parametrize("encoding", [*CODE_PAGES, *UNICODE])
def test_f7_one_table_in_every_encoding_is_decoded_alike(encoding: str) -> None:
    assert decode(TABLE.encode(encoding)) == TABLE


@pytest.mark.parametrize("encoding", CODE_PAGES)
@pytest.mark.parametrize("line", ["Привет, это короткая заметка.", "Купить молоко и хлеб", "Глава первая"])
def test_f7_a_single_line_is_enough(line: str, encoding: str) -> None:
    assert decode(line.encode(encoding)) == line


@pytest.mark.parametrize("name", ["cp1251", "koi8-r", "cp866", "mac_cyrillic", "iso8859-5", "utf-16", "utf-16-le"])
async def test_f7_the_sample_report_is_read_alike(name: str) -> None:
    expected = truth("synth/ru.gt.txt")
    reading = await read_file(sample(f"synth/ru_{name}.txt"), SourceKind.PLAIN_FILE)
    assert reading.document is not None
    assert reading.document.text == expected


@pytest.mark.parametrize("name", ["cp1251", "cp866", "koi8-r"])
def test_f7_the_short_sample_is_read_alike(name: str) -> None:
    data = sample(f"synth/short_{name}.txt").read_bytes()
    assert decode(data) == "Привет, это короткая заметка.\nКупить молоко и хлеб.\n"


@pytest.mark.parametrize("name", ["table.csv", "note.txt", "note.md", "film.vtt"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
async def test_f6_no_byte_order_mark_stays_in_the_text(name: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(TABLE.encode(encoding))
    reading = await read_file(path, SourceKind.PLAIN_FILE)
    assert reading.document is not None
    assert reading.document.text == TABLE


@pytest.mark.parametrize("encoding", [*CODE_PAGES, *UNICODE])
async def test_f7_one_table_in_every_encoding_is_the_same_csv_and_the_same_text(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(TABLE.encode(encoding))
    as_table = (await preflight(str(path), "таблица.csv", "application/vnd.ms-excel", max_pages=9)).kind
    as_text = (await preflight(str(path), "таблица.txt", "text/plain", max_pages=9)).kind
    assert (as_table, as_text) == (SourceKind.CSV, SourceKind.PLAIN_FILE)
    table, text = await read_file(path, as_table), await read_file(path, as_text)
    assert table.document is not None
    assert table.document.text == AS_MARKDOWN
    assert text.document is not None
    assert text.document.text == TABLE


def test_f6_a_mark_written_twice_is_gone_too() -> None:
    assert decode(b"\xef\xbb\xbf\xef\xbb\xbf" + "Итог".encode()) == "Итог"


def test_german_and_english_are_not_taken_for_cyrillic() -> None:
    german = "Die Größe der Brücke wurde zweimal geprüft, danach fuhren die Züge wieder über den Fluss. " * 3
    assert decode(german.encode("cp1252")) == german
    assert decode(b"Just plain words.") == "Just plain words."


def test_a_broken_byte_in_a_long_utf8_text_costs_only_itself() -> None:
    text = "Длинный текст о парках и реках. " * 200
    data = bytearray(text.encode())
    data[1001] = 0xFF
    found = decode(bytes(data))
    assert "\ufffd" not in found
    assert len(text) - len(found) <= 2
    assert found[-100:] == text[-100:]


def test_line_ends_are_made_alike() -> None:
    assert decode("один\r\nдва\rтри".encode()) == "один\nдва\nтри"


@pytest.mark.parametrize(
    ("data", "key"),
    [(b"", "source-empty"), (bytes(range(256)) * 20, "source-not-text"), (b"\0\1\2\3" * 100, "source-not-text")],
)
def test_bytes_that_are_no_text_are_refused_by_name(data: bytes, key: str) -> None:
    with pytest.raises(UserError) as caught:
        decode(data)
    assert caught.value.text_key == key


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), min_size=1))
@settings(deadline=None)
def test_valid_utf8_is_never_changed(text: str) -> None:
    assert decode(text.encode()) == text.removeprefix("\ufeff")


@given(st.binary(min_size=1, max_size=200))
@settings(deadline=None, max_examples=60)
def test_any_bytes_give_text_without_stand_ins_or_a_refusal(data: bytes) -> None:
    stands_there = "\ufffd".encode() in data or "\ufffd".encode("utf-16-le") in data
    with suppress(UserError):
        assert stands_there or "\ufffd" not in decode(data)
