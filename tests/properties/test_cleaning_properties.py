"""Whatever comes in, what comes out is storable and every kept character can be found in the raw text."""

import itertools
from bisect import bisect_right

from hypothesis import given
from hypothesis import strategies as st

from core.ingest.cleaning import clean, clean_text, storable
from core.ingest.edited_text import Edit, EditedText
from core.model.document import Document, PageStart

DIRTY = st.text(
    st.one_of(
        st.sampled_from("\x00\r\n\n\n \t-|#\ufeff\u00ad\u200b\u00a0\ud83d\ude00\x0cабвabc19."),
        st.characters(codec=None),
    ),
    max_size=300,
)


def raw_place(offsets: tuple[tuple[int, int], ...], at: int) -> int:
    new, old = offsets[bisect_right(offsets, at, key=lambda pair: pair[0]) - 1]
    return old + at - new


@given(DIRTY)
def test_every_kept_character_is_found_in_the_raw_text(raw: str) -> None:
    cleaned = clean(Document(raw))
    for at, letter in enumerate(cleaned.text):
        if not letter.isspace() and ord(letter) < 0x10000:
            assert raw[raw_place(cleaned.raw_offsets, at)] == letter


@given(DIRTY)
def test_the_map_ascends(raw: str) -> None:
    offsets = clean(Document(raw)).raw_offsets
    assert all(a[0] < b[0] and a[1] <= b[1] for a, b in itertools.pairwise(offsets))


@given(DIRTY)
def test_the_result_can_be_stored_and_is_clean_already(raw: str) -> None:
    text = clean(Document(raw)).text
    text.encode()
    assert "\x00" not in text
    assert storable(text) == text


@given(DIRTY)
def test_no_word_is_lost_but_for_what_cannot_be_seen(raw: str) -> None:
    def seen(text: str) -> str:
        return "".join(letter for letter in text if letter.isalnum() and letter.isascii())

    assert seen(clean(Document(raw)).text) == seen(raw)


@given(DIRTY)
def test_a_clean_short_text_stays_as_it_is(raw: str) -> None:
    once = clean_text(raw)
    assert clean_text(once) == once
    once.encode()


@given(st.lists(DIRTY, min_size=1, max_size=8))
def test_a_page_still_holds_its_own_words(bodies: list[str]) -> None:
    text, starts = "", []
    for number, body in enumerate(bodies, 1):
        starts.append(PageStart(len(text), number))
        text += f"{body}\nслово{chr(0x1000 + number)}а\n"
    cleaned = clean(Document(text, pages=tuple(starts), page_count=len(bodies)))
    for number in range(1, len(bodies) + 1):
        assert cleaned.page_at(cleaned.text.index(f"слово{chr(0x1000 + number)}а")) == number


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, EditedText]:
    raw = draw(st.text("abcdefgh \n", max_size=60))
    current = EditedText.of(raw)
    for _ in range(draw(st.integers(0, 4))):
        cuts = sorted(draw(st.lists(st.integers(0, len(current.text)), max_size=8)))
        pairs = zip(cuts[::2], cuts[1::2], strict=False)
        edits = [Edit(start, end, draw(st.sampled_from(["", "X", "YY"]))[: end - start]) for start, end in pairs]
        current = current.apply(edits)
    return raw, current


@given(edited())
def test_edits_in_any_number_keep_the_map_true(case: tuple[str, EditedText]) -> None:
    raw, text = case
    for at, letter in enumerate(text.text):
        if letter not in "XY":
            assert raw[text.raw(at)] == letter


@given(edited())
def test_a_kept_raw_character_is_found_from_its_raw_place(case: tuple[str, EditedText]) -> None:
    _, text = case
    for at, letter in enumerate(text.text):
        if letter not in "XY":
            found = text.place(text.raw(at))
            assert found <= at
            assert all(text.text[between] in "XY" for between in range(found, at))
