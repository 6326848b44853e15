"""The gate: is what an extractor answered a text that a person could read?"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from core.ingest.garble import is_garbled, is_rubble
from core.ingest.pages import split_pages
from core.model.document import Document
from core.model.source import SourceKind

GARBLED_SHARE = 0.2
# Of the pages with text: above it another extractor is tried before single pages are rescued.

_PLACEHOLDER = re.compile(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)|^\s*(?:-{3,}|\*{3,}|_{3,})\s*$", re.S | re.M)
# What extractors write where a picture or a rule stood.


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the gate says of a document.

    Attributes:
        ok: The text may be used as it is (single pages of it may still be bad).
        reason: "" when ok, else a short code: `empty`, `scan-without-text`, `garbled`, `unreadable`.
        missing_pages: Pages that hold something, but no text was had from it, ascending.
        garbled_pages: Pages whose text is not what a reader sees, ascending.
        good_characters: Letters and digits that are neither on a missing nor on a garbled page.
    """

    ok: bool
    reason: str = ""
    missing_pages: tuple[int, ...] = ()
    garbled_pages: tuple[int, ...] = ()
    good_characters: int = 0

    @property
    def bad_pages(self) -> tuple[int, ...]:
        """Pages that should be read by other means, ascending."""
        return tuple(sorted({*self.missing_pages, *self.garbled_pages}))

    @property
    def readable(self) -> bool:
        """Some of the text may be used, whatever is wrong with the rest."""
        return self.good_characters > 0


def judge(document: Document, kind: SourceKind) -> Judgement:
    """Say whether a text is fit to be read, and which pages are not.

    A page that the document's map does not name, and that is not among `missing_pages`, is blank: no fault. Words that
    a person typed are never called garbled: they may be a formula or a joke.

    Args:
        document: What an extractor made of a file.
        kind: Decides whether the text is checked for mojibake.
    """
    if not document.pages:
        return _judge_whole(document, typed=kind is SourceKind.TEXT)
    return _judge_pages(document)


def _judge_whole(document: Document, *, typed: bool) -> Judgement:
    """Judge a text without pages."""
    characters = _characters(document.text)
    if not characters:
        reason = "scan-without-text" if document.missing_pages or _has_picture(document.text) else "empty"
        return Judgement(ok=False, reason=reason, missing_pages=document.missing_pages)
    if not typed and is_garbled(document.text):
        return Judgement(ok=False, reason="garbled")
    return Judgement(ok=True, good_characters=characters, missing_pages=document.missing_pages)


def _judge_pages(document: Document) -> Judgement:
    """Judge a text page by page."""
    texts = {page: text for page, text in split_pages(document).items() if _characters(text)}
    garbled = tuple(page for page, text in texts.items() if is_garbled(text) or is_rubble(text))
    missing = tuple(page for page in document.missing_pages if page not in garbled)
    good = sum(_characters(text) for page, text in texts.items() if page not in garbled and page not in missing)
    if len(garbled) > GARBLED_SHARE * len(texts):
        reason = "garbled"
    elif good:
        reason = ""
    else:
        reason = "scan-without-text" if missing else "empty"
    return Judgement(not reason, reason, missing, garbled, good)


def _characters(text: str) -> int:
    """Count letters and digits outside placeholders."""
    counted = Counter(_PLACEHOLDER.sub("", text))
    return sum(count for character, count in counted.items() if character.isalnum())


def _has_picture(text: str) -> bool:
    """Say whether a placeholder stands for a picture."""
    return "<!-- image" in text or "![" in text
