"""A model's Markdown arrives in Telegram whole, readable and within the limits."""

from collections.abc import Sequence

import pytest

from bot.highlight import highlight
from bot.rich_text import Entity, RichText, clean, render, split, utf16_len
from bot.sandbox.cleaning import clean as telegram_clean
from bot.split_text import ENTITY_LIMIT, TEXT_LIMIT

SPECIAL = "_*[]()~`>#+-=|{}.!\\"


def covered(rich: RichText, kind: str) -> list[str]:
    """The words under entities of a kind."""
    units = rich.text.encode("utf-16-le")
    return [
        units[2 * entity["offset"] : 2 * (entity["offset"] + entity["length"])].decode("utf-16-le")
        for entity in rich.entities
        if entity["type"] == kind
    ]


@pytest.mark.parametrize(
    ("markdown", "text", "kind", "words"),
    [
        ("это **важно** знать", "это важно знать", "bold", ["важно"]),
        ("это *важно* знать", "это важно знать", "italic", ["важно"]),
        ("это __важно__ знать", "это важно знать", "bold", ["важно"]),
        ("~~нет~~ да", "нет да", "strikethrough", ["нет"]),
        ("вызов `a < b` тут", "вызов a < b тут", "code", ["a < b"]),
        ("# Глава 1\n\nтекст", "Глава 1\n\nтекст", "bold", ["Глава 1"]),
        ("> слова\n> автора\n\nи мои", "слова\nавтора\n\nи мои", "blockquote", ["слова\nавтора"]),
        ("😀 **жирно**", "😀 жирно", "bold", ["жирно"]),
    ],
)
def test_marks_become_entities(markdown: str, text: str, kind: str, words: list[str]) -> None:
    rich = render(markdown)
    assert rich.text == text
    assert covered(rich, kind) == words


def test_code_keeps_its_language_and_its_lines() -> None:
    rich = render("```python\nif a < b:\n    print('<b>')\n```")
    assert rich.text == "if a < b:\n    print('<b>')"
    assert rich.entities == ({"type": "pre", "language": "python", "offset": 0, "length": 26},)


def test_lists_keep_their_numbers_bullets_and_depth() -> None:
    rich = render("3. три\n4. четыре\n   - внутри\n     - глубже\n\nдальше")
    assert rich.text == "3. три\n4. четыре\n   • внутри\n      • глубже\n\nдальше"


def test_deep_structure_keeps_its_words() -> None:
    assert "дно" in render("> " * 25 + "дно").text
    assert "дно" in render("".join("  " * depth + "- а\n" for depth in range(25)) + "  " * 25 + "- дно").text


def test_code_in_a_list_is_not_indented() -> None:
    rich = render("- шаг:\n  ```\n  a\n    b\n  ```\n- другой")
    assert rich.text == "• шаг:\na\n  b\n• другой"
    assert covered(rich, "pre") == ["a\n  b"]


def test_a_narrow_table_is_aligned() -> None:
    rich = render("| Имя | Лет |\n|---|---|\n| Аня | **3** |\n| Борис | 40 |")
    assert covered(rich, "pre") == ["Имя   │ Лет\n──────┼────\nАня   │ 3\nБорис │ 40"]


def test_a_wide_table_is_told_row_by_row() -> None:
    rich = render(
        "| Автор | Что утверждает | Где |\n|---|---|---|\n"
        "| Эббингауз | забывание идёт быстро сразу после заучивания [1] | *с. 5* |\n| Другой | | с. 7 |"
    )
    assert rich.text == (
        "Эббингауз\nЧто утверждает: забывание идёт быстро сразу после заучивания [1]\nГде: с. 5\n\nДругой\nГде: с. 7"
    )
    assert covered(rich, "bold") == ["Эббингауз", "Другой"]
    assert covered(rich, "italic") == ["с. 5"]


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("где $a_1 * b_2 * c$ постоянны", "где a₁ * b₂ * c постоянны"),
        (r"доля \(\frac{a+b}{c}\) мала", "доля (a+b)/c мала"),
        (r"$\sqrt{x^2+y^2} \le 10^{-34}$", "√(x²+y²) ≤ 10⁻³⁴"),
        ("стоит $5, а не $6", "стоит $5, а не $6"),
        ("от $5-$6 за штуку", "от $5-$6 за штуку"),
        ("2*3*4 и 5*6", "2*3*4 и 5*6"),
    ],
)
def test_formulas_are_readable_and_prices_are_none(markdown: str, text: str) -> None:
    rich = render(markdown)
    assert rich.text == text
    assert not rich.entities


def test_a_display_formula_stands_apart_with_its_lines() -> None:
    rich = render("Итак:\n$$\n\\frac{\\partial u}{\\partial t} = a^2\n- b\n$$\nгде a")
    assert rich.text == "Итак:\n\n(∂ u)/(∂ t) = a²\n- b\n\nгде a"
    assert covered(rich, "pre") == ["(∂ u)/(∂ t) = a²\n- b"]


def test_a_formula_too_deep_to_convert_stays_as_it_is() -> None:
    formula = "{" * 500 + "x" + "}" * 500
    assert formula in render(f"${formula[350:650]}$ и $${formula}$$").text


@pytest.mark.parametrize("url", ["https://ya.ru/a?b=1&c=2", "http://example.org", "tg://user?id=1"])
def test_safe_links_lead_somewhere(url: str) -> None:
    rich = render(f"см. [сайт]({url}).")
    assert rich.text == "см. сайт."
    assert rich.entities == ({"type": "text_link", "url": url, "offset": 4, "length": 4},)


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html;base64,x",
        "file:///etc/passwd",
        "/local",
        "mailto:a@b.c",
        "http:",
        "ftp://a.b/c",
    ],
)
def test_other_links_lead_nowhere_and_keep_their_words(url: str) -> None:
    rich = render(f"см. [сайт]({url}).")
    assert "сайт" in rich.text
    assert not rich.entities


def test_html_is_shown_as_it_is_written() -> None:
    rich = render("<b>жирно</b> & <script>alert(1)</script>\n\n<div>\nблок\n</div>")
    assert rich.text == "<b>жирно</b> & <script>alert(1)</script>\n\n<div>\nблок\n</div>"
    assert not rich.entities


def test_citation_marks_stay_readable_wherever_they_stand() -> None:
    markdown = "Так [1][2]. **И так [3].** [1](слова в скобках)\n\n[1]: лекция"
    assert render(markdown).text == "Так [1][2]. И так [3]. [1](слова в скобках)\n\n[1]: лекция"


def test_no_style_reaches_over_code() -> None:
    rich = render("**до `код` после**")
    assert covered(rich, "bold") == ["до ", " после"]
    assert covered(rich, "code") == ["код"]


def test_unseen_characters_are_cleaned() -> None:
    assert clean("a\x00b\ud83dc\r\nd\te\u202ef") == "abc\nd    ef"
    assert clean("\ud83d\ude00") == "😀"
    assert render("**a\x00b\udc00**").text == "ab"


def test_special_characters_of_markdown_v2_arrive() -> None:
    """T1: as a sentence, escaped and raw."""
    raw = "100 % <tag> & " + SPECIAL
    assert render("100 % <tag> & " + "".join("\\" + char for char in SPECIAL)).text == raw
    assert "100 % <tag> &" in render(raw).text
    assert all(char in render(raw).text for char in SPECIAL)


def test_a_bold_run_longer_than_a_message_goes_on_in_the_next() -> None:
    """T1: 5000 characters of bold."""
    rich = render("**" + "слово " * 833 + "конец**")
    first, second = split(*rich)
    assert first.text + second.text == rich.text
    for part in (first, second):
        assert utf16_len(part.text) <= TEXT_LIMIT
        assert part.entities == ({"type": "bold", "offset": 0, "length": utf16_len(part.text)},)
    assert first.text.endswith(" ")


def test_emoji_at_the_limit_are_not_torn() -> None:
    """T2: 600 words, then 50 emoji outside the BMP over the border."""
    text = " ".join(["слово"] * 600)
    text += "ж" * (TEXT_LIMIT - 51 - len(text)) + "😀" * 50
    parts = split(text)
    assert "".join(part.text for part in parts) == text
    assert [utf16_len(part.text) <= TEXT_LIMIT for part in parts] == [True, True]
    for part in parts:
        assert part.text.encode("utf-8")


def test_emoji_of_several_code_points_are_not_torn() -> None:
    family = "👨‍👩‍👧‍👦"
    parts = split(family * 30, limit=104)
    assert all(part.text == family * (len(part.text) // len(family)) for part in parts)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("абзац один.\n\nабзац два. И три", "абзац один.\n\n"),
        ("строка один\nстрока два и три", "строка один\n"),
        ("Сказано раз. Сказано два и три", "Сказано раз. "),
        ("слова слова слова слова слова", "слова слова слова "),
        ("сплошноеслововдвадцатьбукв", "сплошноеслововдвадца"),
    ],
)
def test_a_cut_prefers_the_gentler_place(text: str, first: str) -> None:
    assert split(text, limit=20)[0].text == first


def test_a_link_over_a_cut_leads_there_from_both_parts() -> None:
    rich = render(f"[{'слово ' * 900}](https://ya.ru)")
    assert [part.entities[0]["url"] for part in split(*rich)] == ["https://ya.ru"] * 2


def test_a_message_has_no_more_entities_than_telegram_keeps() -> None:
    rich = render(" ".join(f"**{n}**" for n in range(250)))
    parts = split(*rich)
    assert [len(part.entities) for part in parts] == [ENTITY_LIMIT, ENTITY_LIMIT, 50]
    assert "".join(part.text for part in parts) == rich.text


def test_telegram_takes_the_result_as_it_is() -> None:
    rich = render(
        "# Т\n\n**ж *к* `код`** [с](http://a.b)\n\n> ц **ж**\n\n"
        "```py\nx\n```\n\n- а\n  1. б\n\n| а | б |\n|-|-|\n| 1 | 2 |"
    )
    text, entities = telegram_clean(rich.text, [dict(entity) for entity in rich.entities])
    assert text == rich.text
    assert styles(text, entities) == styles(rich.text, rich.entities)


def styles(text: str, entities: Sequence[Entity]) -> list[set[str]]:
    """The kinds of entity over each character (of the BMP): Telegram may cut one entity in two."""
    return [
        {entity["type"] for entity in entities if entity["offset"] <= at < entity["offset"] + entity["length"]}
        for at in range(len(text))
    ]


def test_a_passage_is_bold_in_its_rendered_surroundings() -> None:
    rich = highlight("# Глава\n\nДо этого. ", "Это **важно** знать.", " Потом.\n\n- пункт")
    assert rich.text == "Глава\n\nДо этого. Это важно знать. Потом.\n\n• пункт"
    assert covered(rich, "bold") == ["Глава", "Это важно знать."]


def test_a_passage_in_a_table_is_bold() -> None:
    rich = highlight("| Имя | Лет |\n|---|---|\n", "| Аня | 3 |", "\n| Боря | 4 |\n")
    assert rich.text == "Аня\nЛет: 3\n\nБоря\nЛет: 4"
    assert "Аня\nЛет: 3" in covered(rich, "bold")


def test_a_passage_that_cannot_be_followed_is_shown_as_written() -> None:
    rich = highlight("см. [сайт](http://a.b/", "c) дальше", " конец")
    assert rich.text == "см. [сайт](http://a.b/c) дальше конец"
    assert covered(rich, "bold") == ["c) дальше"]
