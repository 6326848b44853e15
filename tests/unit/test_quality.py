"""The gate tells text from what only looks like one."""

from __future__ import annotations

import pytest

from core.ingest.garble import is_garbled
from core.ingest.pages import join_pages, put_pages, split_pages
from core.ingest.quality import judge
from core.model.document import Document, PageStart
from core.model.source import SourceKind

RUSSIAN = (
    "Городские парки выполняют сразу несколько задач: они охлаждают воздух в летние месяцы, удерживают дождевую воду и "
    "дают жителям место для отдыха. В 2024 году комиссия обследовала сорок семь парков в девяти районах. "
    "Настоящий отчёт обобщает результаты измерений, объясняет причины расхождений с прошлогодними данными и предлагает "
    "перечень первоочередных работ. Обследование проводилось в два этапа. Сначала специалисты описали деревья и "
    "кустарники, затем измерили влажность почвы, уровень шума и освещённость дорожек."
)
OTHERS = {
    "english": "The county maintains thirty-one bridges across three rivers. Most of them were built between the wars.",
    "german": "Die Größe der Brücke wurde zweimal geprüft, danach fuhren die Züge wieder über den breiten Fluss.",
    "french": "Les élèves préférés de l'école ont été reçus à la mairie, où l'on a célébré l'été près de la forêt.",
    "ukrainian": "Київ є столицею та найбільшим містом України, що розташоване у середній течії річки Дніпро.",
    "kazakh": "Қазақстан Республикасы Орталық Азияда орналасқан мемлекет, елдің астанасы Астана қаласы болып табылады.",
    "serbian": "Београд је главни и највећи град Србије, и лежи на ушћу Саве у Дунав, где се спајају две реке.",
    "vietnamese": "Hà Nội là thủ đô của nước Cộng hòa Xã hội chủ nghĩa Việt Nam và là một thành phố trực thuộc.",
    "java": "int getValueOfFirstNodeInList() { return nodeList.getFirstNode().getValueAsInteger(); } void setName();",
    "numbers": "| 2020 | 516,0 | 31,4 | 48 |\n| 2021 | 84,5 | 44,2 | 56 |\n| 2022 | 122,7 | 28,9 | 51 |",
    "contents": "Введение . . . . . . . . . . . . . . 3\nГлава 1 .................... 7\nЗаключение ______________ 91",
}


def _shifted(text: str) -> str:
    """As a font does whose map is off by one."""
    return "".join(chr(ord(letter) + 1) if "а" <= letter < "я" or "А" <= letter < "Я" else letter for letter in text)


def _phonetic(text: str) -> str:
    """As a font does whose glyph numbers are taken for characters."""
    return "".join(chr(0x250 + ord(letter) - 0x410) if "А" <= letter <= "я" else letter for letter in text)


GARBLED = {
    "cp1251 as latin-1": RUSSIAN.encode("cp1251").decode("latin-1"),
    "utf-8 as cp1251": RUSSIAN.encode().decode("cp1251", errors="ignore"),
    "utf-8 as latin-1": RUSSIAN.encode().decode("latin-1"),
    "koi8-r as cp1251": RUSSIAN.encode("koi8-r").decode("cp1251"),
    "cp1251 as koi8-r": RUSSIAN.encode("cp1251").decode("koi8-r"),
    "cp1251 as cp866": RUSSIAN.encode("cp1251").decode("cp866"),
    "private use": "".join(chr(0xF000 + ord(letter) % 256) if letter.isalpha() else letter for letter in RUSSIAN),
    "replacement": "".join("\ufffd" if letter.isalpha() else letter for letter in RUSSIAN),
    "shifted map": _shifted(RUSSIAN),
    "phonetic letters": _phonetic(RUSSIAN),
}


@pytest.mark.parametrize("name", GARBLED)
def test_mojibake_and_broken_maps_are_caught(name: str) -> None:
    assert is_garbled(GARBLED[name])


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("times", [1, 8])
def test_no_language_table_or_program_is_called_garbled(name: str, times: int) -> None:
    assert not is_garbled(f"{OTHERS[name]}\n" * times)


def test_russian_is_not_called_garbled() -> None:
    assert not is_garbled(RUSSIAN)
    assert not is_garbled("Запись № 5")


@pytest.mark.parametrize("text", ["", " \n\n ", "---\n\n***"])
def test_f1_a_text_without_a_letter_is_empty(text: str) -> None:
    judgement = judge(Document(text=text), SourceKind.DOCX)
    assert (judgement.ok, judgement.reason, judgement.readable) == (False, "empty", False)


@pytest.mark.parametrize("text", ["<!-- image -->\n\n<!-- image -->", "![](a.png)\n\n![рисунок](b.png)"])
def test_f1_placeholders_of_pictures_are_no_text(text: str) -> None:
    judgement = judge(Document(text=text), SourceKind.DOCX)
    assert (judgement.ok, judgement.reason) == (False, "scan-without-text")


def test_f1_thirteen_typed_characters_over_three_scans_are_no_text() -> None:
    pages = join_pages({1: "Копия", 2: "верна", 3: "№ 1"}, page_count=3)
    judgement = judge(Document(pages.text, pages.pages, page_count=3, missing_pages=(1, 2, 3)), SourceKind.PDF)
    assert (judgement.ok, judgement.reason, judgement.bad_pages) == (False, "scan-without-text", (1, 2, 3))


def test_a_file_with_some_scanned_pages_passes_and_names_them() -> None:
    pages = join_pages({1: RUSSIAN, 3: RUSSIAN}, page_count=3)
    judgement = judge(Document(pages.text, pages.pages, page_count=3, missing_pages=(2,)), SourceKind.PDF)
    assert (judgement.ok, judgement.bad_pages) == (True, (2,))


def test_one_garbled_page_of_ten_is_named_and_the_rest_passes() -> None:
    document = join_pages(dict.fromkeys(range(1, 10), RUSSIAN) | {10: GARBLED["private use"]})
    judgement = judge(document, SourceKind.PDF)
    assert (judgement.ok, judgement.garbled_pages) == (True, (10,))


def test_mostly_garbled_pages_are_rejected() -> None:
    judgement = judge(join_pages({1: RUSSIAN, 2: GARBLED["private use"]}), SourceKind.PDF)
    assert (judgement.ok, judgement.reason, judgement.readable) == (False, "garbled", True)


def test_a_page_of_scattered_signs_is_garbled() -> None:
    judgement = judge(join_pages({1: "- , . - fi , - : - Th - , .. - ; - , - " * 6}), SourceKind.PDF)
    assert judgement.reason == "garbled"


def test_words_that_a_person_typed_are_never_called_garbled() -> None:
    assert judge(Document(text=GARBLED["utf-8 as latin-1"]), SourceKind.TEXT).ok
    assert judge(Document(text="Да"), SourceKind.TEXT).ok
    assert not judge(Document(text=GARBLED["utf-8 as latin-1"]), SourceKind.PLAIN_FILE).ok


def test_pages_are_joined_split_and_found_by_offset() -> None:
    document = join_pages({3: "Третья", 1: " Первая\n", 2: ""}, page_count=5)
    assert document.text == "Первая\n\nТретья"
    assert document.pages == (PageStart(0, 1), PageStart(8, 3))
    assert document.page_count == 5
    assert document.page_at(document.text.index("Третья")) == 3
    assert split_pages(document) == {1: "Первая", 3: "Третья"}


def test_a_sentence_that_goes_on_over_the_page_is_not_torn() -> None:
    document = join_pages({16: "Она прошла к кабине по канату в", 17: "тёмном пальто. Конец."})
    assert document.text == "Она прошла к кабине по канату в\nтёмном пальто. Конец."
    assert document.page_at(document.text.index("тёмном")) == 17
    assert split_pages(document)[17] == "тёмном пальто. Конец."


def test_a_rescued_page_is_put_in_page_order() -> None:
    document = put_pages(join_pages({1: "Один", 3: "Три", 4: "Четыре"}), {2: "Два", 3: "ТРИ"}, missing=(4,))
    assert document.text == "Один\n\nДва\n\nТРИ\n\nЧетыре"
    assert [start.page for start in document.pages] == [1, 2, 3, 4]
    assert [document.text[start.offset] for start in document.pages] == ["О", "Д", "Т", "Ч"]
    assert document.missing_pages == (4,)
