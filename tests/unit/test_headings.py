"""The path of headings above a character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.headings import MAX_HEADING, HeadingPaths

BOOK = "\n\nтекст\n\n".join(["начало", "# Часть 1", "## Глава 1", "### Раздел", "## Глава 2", "# Часть 2", "конец"])


@pytest.mark.parametrize(
    ("before", "path"),
    [
        ("начало", ()),
        ("# Часть 1", ("Часть 1",)),
        ("## Глава 1", ("Часть 1", "Глава 1")),
        ("### Раздел", ("Часть 1", "Глава 1", "Раздел")),
        ("## Глава 2", ("Часть 1", "Глава 2")),
        ("конец", ("Часть 2",)),
    ],
)
def test_a_heading_stands_above_all_that_follows_until_its_equal(before: str, path: tuple[str, ...]) -> None:
    assert HeadingPaths.of(BOOK).at(BOOK.index(before)) == path


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# C#", "C#"),
        ("## F# и C#", "F# и C#"),
        ("# Заголовок #", "Заголовок"),
        ("# Заголовок ###  ", "Заголовок"),
        ("#\tс табуляцией", "с табуляцией"),
        ("###### шестой", "шестой"),
        ("# а", "а"),
    ],
)
def test_a_title_is_what_stands_between_the_hashes(line: str, title: str) -> None:
    assert HeadingPaths.of(line).at(len(line)) == (title,)


@pytest.mark.parametrize("line", ["#хэштег", "####### семь", "# ", "#", "текст # не заголовок", "    # код", "\\# нет"])
def test_what_only_looks_like_a_heading_is_none(line: str) -> None:
    assert HeadingPaths.of(line).at(len(line)) == ()


@pytest.mark.parametrize("fence", ["```", "~~~", "```python"])
def test_a_comment_in_code_is_no_heading(fence: str) -> None:
    text = f"# Глава\n\n{fence}\n# комментарий\n{fence[:3]}\n\nтекст"
    assert HeadingPaths.of(text).at(text.index("комментарий")) == ("Глава",)
    assert HeadingPaths.of(text).at(len(text)) == ("Глава",)


def test_code_that_never_ends_holds_no_heading() -> None:
    assert HeadingPaths.of("```\n# комментарий\nтекст").starts == ()


def test_a_deeper_first_heading_needs_none_above_it() -> None:
    text = "### Раздел\n\n# Часть\n\n### Раздел 2"
    assert [path for _, path in HeadingPaths.of(text).starts] == [("Раздел",), ("Часть",), ("Часть", "Раздел 2")]


def test_a_title_of_a_whole_paragraph_is_cut() -> None:
    assert len(HeadingPaths.of("# " + "я" * 5000).at(10)[0]) == MAX_HEADING


@given(st.text(alphabet="#` ~\n\tая1", max_size=120))
def test_the_map_ascends_and_no_path_is_deeper_than_six(text: str) -> None:
    starts = HeadingPaths.of(text).starts
    assert [offset for offset, _ in starts] == sorted({offset for offset, _ in starts})
    assert all(0 < len(path) <= 6 and all(path) for _, path in starts)
    assert all(text[offset] == "#" for offset, _ in starts)


@given(st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["А", "Б б", "В#"])), min_size=1, max_size=12))
def test_the_last_heading_ends_the_path_and_all_above_it_are_higher(outline: list[tuple[int, str]]) -> None:
    text = "\n\n".join(f"{'#' * level} {title}\n\nслова" for level, title in outline)
    levels = dict(zip((offset for offset, _ in HeadingPaths.of(text).starts), outline, strict=True))
    for offset, path in HeadingPaths.of(text).starts:
        level, title = levels[offset]
        assert path[-1] == title
        assert len(path) <= level
        assert HeadingPaths.of(text).at(offset) == path
