"""Suggested questions: buttons below what was read, the words of one that was tapped, and a source in short."""

from __future__ import annotations

from bot.callbacks import AskSuggested
from bot.i18n import Html, Translate, escape
from bot.views.view import Button, View
from bot.views.wording import short
from core.ports import BurstStatus
from core.ports.face import Suggestion

QUESTION_SHOWN = 60
"""Characters of a question on a button: what a phone shows of it on two lines."""
SUMMARY_SHOWN = 600
"""Characters of a summary below a title: half a screen of a phone."""


def suggestion_rows(t: Translate, status: BurstStatus) -> tuple[tuple[Button, ...], ...]:
    """Set one button a row for each of a burst's suggested questions; () without any."""
    return tuple((_button(suggestion),) for suggestion in status.suggestions)


def asked_view(question: str) -> View:
    """Show the words of a tapped question: a button leaves none in the chat, and the answer would come from nowhere."""
    return View(f"❓ {escape(question)}", silent=True)


def source_insight_text(t: Translate, summary: str) -> Html:
    """Tell a source in short: its summary, cut at a line or a word to what a card has room for; "" without one."""
    lines = [line.removeprefix("- ").strip() for line in summary.split("\n")]
    kept: list[str] = []
    room = SUMMARY_SHOWN
    for line in filter(None, lines):
        if room < len(line) and kept:
            break
        kept.append(short(line, SUMMARY_SHOWN))
        room -= len(line)
    if not kept:
        return Html("")
    return t(
        "insight-summary", text=Html("\n".join(f"• {escape(line)}" if len(kept) > 1 else escape(line) for line in kept))
    )


def _button(suggestion: Suggestion) -> Button:
    data = AskSuggested(notebook_id=suggestion.notebook_id, source_id=suggestion.source_id, ordinal=suggestion.ordinal)
    return Button(short(suggestion.text, QUESTION_SHOWN), data=data.pack())
