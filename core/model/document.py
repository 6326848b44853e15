"""What every extractor makes of a source: Markdown with a map of its pages."""

from bisect import bisect_right
from dataclasses import dataclass, field

from core.model.source import About, Reason


@dataclass(frozen=True, slots=True)
class PageStart:
    """From this character of the text on, the words stand on this page (1-based, as printed in a viewer)."""

    offset: int
    page: int


@dataclass(frozen=True, slots=True)
class TimeStart:
    """From this character of the text on, the words are said at this second."""

    offset: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Document:
    """Extracted text.

    Attributes:
        text: Markdown; headings as `#` lines, tables as pipe tables, paragraphs split by an empty line.
        pages: Ascending by offset; empty where a format has no pages.
        times: Ascending by offset; empty unless it was spoken.
        page_count: Pages of the original, 0 where a format has none.
        missing_pages: Pages whose text could not be had, ascending.
        title: The document's own title, or "".
        about: What the work says of itself.
        lost: What could not be had beside whole pages, as text keys `lost-…`: rows of a table, members, time stamps.
        raw_offsets: Pairs (offset in `text`, offset in the extractor's raw text), ascending, where they diverge.
    """

    text: str
    pages: tuple[PageStart, ...] = ()
    times: tuple[TimeStart, ...] = ()
    page_count: int = 0
    missing_pages: tuple[int, ...] = ()
    title: str = ""
    about: About = field(default_factory=About)
    lost: tuple[Reason, ...] = ()
    raw_offsets: tuple[tuple[int, int], ...] = field(default=((0, 0),))

    def page_at(self, offset: int) -> int | None:
        """Name the page that holds a character of the text, None where the format has no pages."""
        index = bisect_right(self.pages, offset, key=lambda start: start.offset) - 1
        return self.pages[index].page if index >= 0 else None

    def time_at(self, offset: int) -> float | None:
        """Name the second at which a character of the text is said, None where nothing was spoken."""
        index = bisect_right(self.times, offset, key=lambda start: start.offset) - 1
        return self.times[index].seconds if index >= 0 else None
