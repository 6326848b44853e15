"""A source's title, summary, key points and questions: by one call of a language model, or by rule from its text."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

import structlog

from core.errors import PermanentError, TransientError
from core.insights.ask_model import ANSWER_TOKENS, insight_messages
from core.insights.check_reply import check_reply
from core.insights.choose_title import heading_title, sentence_title
from core.insights.key_points import key_points
from core.insights.read_reply import read_reply
from core.insights.source_insights import SourceInsights
from core.insights.suggest_questions import suggest_questions
from core.insights.summarise import summarise
from core.model.insight import QUESTION_COUNT
from core.ports.models import LanguageModel

log = structlog.get_logger()

SHORTEST_TEXT = 200
"""Characters from which a text is worth a model's time: a shorter one is read faster than its summary."""
LEAST_SUMMARY = 60
"""Characters of a checked summary; of one that lost more than that, the text's own sentences say more."""
LONGEST_CALL_S = 90.0
"""A model that streams a word every few seconds is not waited for longer than this."""


@dataclass(frozen=True, slots=True)
class MakeInsights:
    """Make the insights of a text. Costs nobody a prompt.

    Attributes:
        model: None without a configured language model.
    """

    model: LanguageModel | None = None

    async def __call__(self, text: str, *, language: str, asked_in: str, try_again: bool) -> SourceInsights:
        """Make them; what the model gave and the text does not hold is replaced by what the rules give.

        Args:
            text: The source's clean text.
            language: Two-letter code of its language.
            asked_in: Of the notebook's language, which a model's questions are in.
            try_again: A model that failed may be asked again later; if not, the rules do it.

        Raises:
            TransientError: The model failed, and another try is worth it.
        """
        by_rule = await asyncio.to_thread(insights_by_rule, text, language)
        if self.model is None or len(text) < SHORTEST_TEXT:
            return by_rule
        reply = await self._ask(self.model, text, language, asked_in, try_again=try_again)
        claimed = await asyncio.to_thread(read_reply, reply)
        if claimed is None:
            return by_rule
        made = await asyncio.to_thread(check_reply, claimed, text)
        return _completed(made, by_rule)

    async def _ask(self, model: LanguageModel, text: str, language: str, asked_in: str, *, try_again: bool) -> str:
        """Ask once; "" when the model cannot and no further try will help."""
        messages = insight_messages(text, language=language, asked_in=asked_in, window_tokens=model.window_tokens)
        try:
            async with asyncio.timeout(LONGEST_CALL_S):
                return await model.complete(messages, max_tokens=ANSWER_TOKENS)
        except TimeoutError as error:
            if try_again:
                raise TransientError("llm-timeout") from error
        except TransientError as error:
            if try_again:
                raise
            log.warning("insights_given_up", text_key=error.text_key)
        except PermanentError as error:
            log.error("insights_refused", text_key=error.text_key)
        return ""


def insights_by_rule(text: str, language: str) -> SourceInsights:
    """Make insights of what stands in the text, word by word."""
    return SourceInsights(
        title=heading_title(text) or sentence_title(text),
        summary=summarise(text),
        key_points=key_points(text),
        questions=suggest_questions(text, language),
    )


def _completed(made: SourceInsights, by_rule: SourceInsights) -> SourceInsights:
    """Take from the rules what is left of too little; questions of both may stand side by side."""
    questions = made.questions + tuple(one for one in by_rule.questions if one not in made.questions)
    return replace(
        made,
        title=made.title or by_rule.title,
        summary=made.summary if len(made.summary) >= LEAST_SUMMARY else by_rule.summary,
        key_points=made.key_points or by_rule.key_points,
        questions=questions[:QUESTION_COUNT],
    )
