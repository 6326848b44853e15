"""A rule that turns a statement into the question that it answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from core.insights.plain_sentences import Capitals

Write = Callable[[re.Match[str], Capitals], str]
"""Words the question of a match; "" if this one makes none."""


@dataclass(frozen=True, slots=True)
class QuestionRule:
    """A pattern of a sentence and the question that it answers; `weight` tells good kinds from poor ones."""

    pattern: re.Pattern[str]
    write: Write
    weight: float
