"""The list of sources that models append although they are told not to; the product shows its own."""

from __future__ import annotations

import re

_TITLE = (
    r"[#*_\s]*(?:использованные\s+)?(?:источники|список\s+(?:источников|литературы)|литература|ссылки"
    r"|sources|references|citations)[:*_\s]*"
)
_ITEM = r"[ \t]*(?:[-*•][ \t]*|\d{1,3}[.)][ \t]*)?(?:\[{1,2}\^?\d{1,3}\]{1,2}|【\d{1,3}】)[^\n]*"
_LIST = re.compile(rf"(?:^|\n)(?:[ \t]*-{{3,}}[ \t]*\n)?{_TITLE}\n\s*{_ITEM}(?:\n+{_ITEM})*\s*\Z", re.IGNORECASE)
_FOOTNOTES = re.compile(r"(?:\n+[ \t]*\[\^\d{1,3}\]:[^\n]*)+\s*\Z")


def drop_source_list(text: str) -> str:
    """Take a closing list of sources or footnotes off an answer; text that is nothing else is left as it is."""
    rest = _FOOTNOTES.sub("", _LIST.sub("", text))
    return rest if rest.strip() else text
