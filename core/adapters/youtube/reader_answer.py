"""The transcript in what a service that reads pages makes of a video's page."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from core.adapters.youtube.cues import without_sounds
from core.ingest.extraction_failures import ExtractionFailed
from core.model.document import Document
from core.model.source import About, Reason
from core.ports.documents import Progress

FIRECRAWL = "firecrawl"
JINA = "jina"

PARAGRAPH_CHARACTERS = 700
"""About as much as is said in 45 seconds."""

_SECTION = re.compile(r"^\s*(?:#{1,6}\s*)?(?:Transcript|Расшифровка(?: видео)?|Текст видео)\s*$", re.I | re.M)
_STAMP = re.compile(r"^\s*[\[(]?\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d+)?[\])]?\s*(?:[-–—:]\s*)?")
_NEXT_SECTION = re.compile(r"^\s*#{1,2}\s+\S", re.M)
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")
_AUTHOR = re.compile(r"^\*\*Uploaded by\*\*:\s*\[?([^\]\n(]+)", re.M)
_DAY = re.compile(r"^\*\*(?:Published|Uploaded) at\*\*:\s*(\d{4}-\d{2}-\d{2})", re.M)


@dataclass(frozen=True, slots=True)
class AnswerTask:
    """Reads a service's answer; runs in a child.

    Attributes:
        service: `FIRECRAWL` or `JINA`.
        body: JSON as it came.
    """

    service: str
    video_id: str
    body: bytes = field(repr=False)

    def __call__(self, progress: Progress) -> Document:
        """Make a document of it.

        Raises:
            ExtractionFailed: There is no transcript in it.
        """
        try:
            data = json.loads(self.body)["data"]
            markdown = str(data["markdown" if self.service == FIRECRAWL else "content"] or "")
        except (ValueError, KeyError, TypeError) as error:
            raise _failed("answer-malformed") from error
        text = _paragraphs(_transcript(markdown))
        if not text:
            raise _failed("no-transcript-section")
        return Document(
            text=text, title=_title(data), about=_about(self.video_id, markdown), lost=(Reason("lost-times", {}),)
        )


def _transcript(markdown: str) -> str:
    """Return what stands below the heading, without times and sounds."""
    found = _SECTION.search(markdown)
    if found is None:
        return ""
    section = _NEXT_SECTION.split(markdown[found.end() :], maxsplit=1)[0]
    return " ".join(without_sounds(_STAMP.sub("", line)) for line in section.splitlines()).strip()


def _paragraphs(text: str) -> str:
    """Break a text after whole sentences."""
    paragraphs = [""]
    for sentence in _SENTENCE.split(" ".join(text.split())):
        if len(paragraphs[-1]) >= PARAGRAPH_CHARACTERS:
            paragraphs.append("")
        paragraphs[-1] = f"{paragraphs[-1]} {sentence}".strip()
    return "\n\n".join(paragraphs)


def _title(data: dict[str, Any]) -> str:
    metadata = data.get("metadata")
    title = data.get("title") or (metadata.get("title") if isinstance(metadata, dict) else "")
    return str(title or "").removesuffix(" - YouTube")


def _about(video_id: str, markdown: str) -> About:
    author, day = _AUTHOR.search(markdown), _DAY.search(markdown)
    return About(
        author=author[1].strip() if author else "",
        published=day[1] if day else "",
        site="YouTube",
        url=f"https://www.youtube.com/watch?v={video_id}",
    )


def _failed(code: str) -> ExtractionFailed:
    return ExtractionFailed("extraction-failed", {"code": code})
