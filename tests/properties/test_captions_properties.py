"""Captions are put into a text without moving anything of it to another page, second or place of the original."""

from hypothesis import given
from hypothesis import strategies as st

from core.ingest.captions import with_captions
from core.ingest.pages import join_pages, split_pages
from core.model.document import Document, TimeStart
from core.model.source import Part, Upload

words = st.text("абвГД -.", min_size=1, max_size=40).filter(lambda text: bool(text.strip()))
captions = st.lists(st.text("019 ", max_size=20), min_size=1, max_size=5)


@given(st.dictionaries(st.integers(1, 5), words, max_size=5), captions)
def test_each_photo_keeps_its_text_and_gets_its_caption(pages: dict[int, str], said: list[str]) -> None:
    before = join_pages(pages, page_count=5)
    parts = tuple(Part(f"file{n}", f"unique{n}", caption=caption) for n, caption in enumerate(said))
    after = with_captions(before, Upload(parts=parts))
    old, new = split_pages(before), split_pages(after)
    assert old.keys() == new.keys()
    for page, text in old.items():
        assert text in new[page]
    for caption in said:
        assert " ".join(caption.split()) in after.text


@given(words, st.lists(st.integers(0, 30), unique=True, max_size=4), words)
def test_what_is_said_keeps_its_second(text: str, offsets: list[int], caption: str) -> None:
    starts = sorted({min(offset, len(text) - 1) for offset in offsets})
    before = Document(text, times=tuple(TimeStart(offset, float(second)) for second, offset in enumerate(starts)))
    after = with_captions(before, Upload(caption=caption))
    shift = len(after.text) - len(text)
    for offset in range(len(text)):
        if before.time_at(offset) is not None:
            assert after.time_at(offset + shift) == before.time_at(offset)


@given(st.dictionaries(st.integers(1, 4), words, min_size=1, max_size=4), captions)
def test_each_character_keeps_its_place_in_the_raw_text(pages: dict[int, str], said: list[str]) -> None:
    before = join_pages(pages)
    parts = tuple(Part("file", "unique", caption=caption) for caption in said)
    after = with_captions(before, Upload(parts=parts))

    def raw(document: Document, offset: int) -> int:
        new, old = max(pair for pair in document.raw_offsets if pair[0] <= offset)
        return old + offset - new

    for start in before.pages:
        text = split_pages(before)[start.page]
        moved = next(one for one in after.pages if one.page == start.page)
        at = after.text.index(text, moved.offset)
        assert raw(after, at) == raw(before, start.offset)


def test_nothing_written_changes_nothing() -> None:
    document = Document("Текст")
    assert with_captions(document, Upload(caption=" \n")) is document


def test_a_caption_stands_before_the_text() -> None:
    assert with_captions(Document("Текст"), Upload(caption="к зачёту")).text == "> к зачёту\n\nТекст"
