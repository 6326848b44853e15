"""What Jina Reader answered, as a document. Runs in a child that may be killed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from core.adapters.web.junk import TEXT_KEYS, Seen, junk
from core.errors import PermanentError
from core.model.document import Document
from core.model.source import About
from core.ports.documents import Progress

_IMAGE = re.compile(r"!\[[^\]\n]{0,500}\]\([^)\s]{0,3000}(?:\s\"[^\"\n]{0,500}\")?\)")
_LINK = re.compile(r"\[([^\[\]\n]{1,1000})\]\((?:https?:|mailto:|/|#)[^)\s]{0,3000}(?:\s\"[^\"\n]{0,500}\")?\)")
_UNDERLINED = re.compile(r"^(\S[^\n]{0,300})\n(=|-){3,}[ \t]*$", re.M)


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """The child's task: JSON of the service to a document."""

    answer: bytes

    def __call__(self, progress: Progress) -> Document:
        """Read it.

        Raises:
            PermanentError: As the article of a page does.
        """
        try:
            data: dict[str, Any] = json.loads(self.answer)["data"]
            text, title = str(data.get("content") or ""), str(data.get("title") or "").strip()
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise PermanentError("link-refused", {"code": "malformed-answer"}) from error
        text = plain_markdown(text)
        warned = str(data.get("warning") or "")
        found = re.search(r"returned error (\d{3})", warned)
        code = "not-found" if found and found[1] in ("404", "410") else junk(Seen(title, text))
        if code:
            raise PermanentError(TEXT_KEYS.get(code, "link-empty"), {"code": code})
        return Document(text, title=title, about=About(published=str(data.get("publishedTime") or "")[:10]))


def plain_markdown(text: str) -> str:
    """Drop pictures, keep the words of links, and write underlined headings with marks."""
    text = _LINK.sub(r"\1", _IMAGE.sub("", text.replace("\r\n", "\n")))
    text = _UNDERLINED.sub(lambda match: ("# " if match[2] == "=" else "## ") + match[1], text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()
