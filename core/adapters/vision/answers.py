"""What a model that sees answered: a page's text, or something that must not be taken for one."""

from __future__ import annotations

import re
from collections import Counter

from core.adapters.vision.prompt import NO_TEXT

_FENCED = re.compile(r"\A```[\w-]*[ \t]*\n(?P<inside>.*?)(?:^```)?\s*\Z", re.DOTALL | re.MULTILINE)
_THOUGHTS = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>\s*", re.DOTALL)
_INTRODUCTION = re.compile(
    r"\A(?:sure[,!.]?\s*)?(?:here(?:'s| is| are)|below is|вот|ниже|конечно)\b[^\n]{0,100}:[ \t]*\n+", re.IGNORECASE
)
_NO_TEXT = re.compile(r"\W*no[- _]text\W*", re.IGNORECASE)

_SHORT = 500
# Characters: an apology is no longer; a page that holds one is.

_REFUSAL = re.compile(
    r"\A\W*(?:i(?:['’]m| am) (?:really |very )?(?:sorry|unable|not able)|sorry\b"
    r"|i (?:can(?:no|['’])t|apologi[sz]e|won['’]t)|as an ai\b|unfortunately"
    r"|извин(?:ите|яюсь)|простите|к сожалению|прошу прощения|я не (?:могу|вижу|способ)"
    r"|не могу (?:помочь|прочитать|распознать|обработать))",
    re.IGNORECASE,
)
_ABOUT_ITSELF = re.compile(
    r"\b(?:images?|pictures?|assist|transcri\w+|provide|process|help|view|see)\b"
    r"|изображени|картинк|помочь|распозна|прочитать|расшифров|обработать|фото",
    re.IGNORECASE,
)
_DESCRIPTION = re.compile(
    r"\A\W*(?:the|this) (?:image|picture|photo|page) (?:shows|is|appears|contains|does not contain)\b"
    r"|\A\W*на (?:этом )?(?:изображении|фото(?:графии)?|картинке) (?:показан|изображ|виден|видна|нет)",
    re.IGNORECASE,
)

LONGEST_PERIOD = 400
# Characters of what a model in a loop repeats.

REPEATED = 8
# So many times at the end of an answer: no page ends like this.

_SHARE_OF_ONE_LINE = 0.5
_MANY_LINES = 16
# From so many lines on one of them, of more than a few letters, is not more than half of a page.


class BadAnswer(Exception):
    """An answer that is not the text of a page; `code` says why: `empty`, `refused`, `loop`, `cut`, `described`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def page_text(answer: str, finish: str | None) -> str:
    """Return the text of the page as Markdown, "" for a page without text.

    Args:
        answer: As the model wrote it.
        finish: Why it ended: `length` for an answer that was cut, `content_filter` for one that was withheld.

    Raises:
        BadAnswer: It is no transcription.
    """
    text = _bare(answer)
    if finish == "content_filter":
        raise BadAnswer("refused")
    if not text:
        raise BadAnswer("empty")
    if _NO_TEXT.fullmatch(text):
        return ""
    if is_loop(text):
        raise BadAnswer("loop")
    if finish == "length":
        raise BadAnswer("cut")
    if len(text) <= _SHORT:
        _refuse_talk(text)
    return text.replace(NO_TEXT, "").strip()


def is_loop(text: str) -> bool:
    """Say whether a model repeated itself: at the end of its answer, or one line over and over."""
    end = text.rstrip()
    for period in range(4, LONGEST_PERIOD):
        tail = end[-period:]
        if end.endswith(tail * REPEATED) and any(character.isalnum() for character in tail):
            return True
    lines = [line.strip() for line in text.splitlines() if sum(character.isalpha() for character in line) > 3]
    if len(lines) < _MANY_LINES:
        return False
    return Counter(lines).most_common(1)[0][1] > _SHARE_OF_ONE_LINE * len(lines)


def _refuse_talk(text: str) -> None:
    """Raise for a short answer in which the model speaks for itself."""
    if _REFUSAL.search(text) and _ABOUT_ITSELF.search(text):
        raise BadAnswer("refused")
    if _DESCRIPTION.search(text):
        raise BadAnswer("described")


def _bare(answer: str) -> str:
    """Take off thoughts, an introduction and the code fence around the whole."""
    text = _THOUGHTS.sub("", answer).strip()
    text = _INTRODUCTION.sub("", text).strip()
    fenced = _FENCED.match(text)
    if fenced and "\n```" not in fenced["inside"]:
        text = fenced["inside"].strip()
    return text
