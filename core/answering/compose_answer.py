"""A question becomes a checked answer: searched, written by a model or quoted, compared with its passages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog

from core.answering.budget import budget, pack
from core.answering.gather import QUOTED_CHUNKS, gather
from core.answering.write_answer import Show, WrittenAnswer, quote_answer
from core.errors import KonspektError, PermanentError, TransientError
from core.evidence.citations import texts_to_compare
from core.evidence.meaning import Meaning
from core.evidence.words import content_stems
from core.model.answer import Answer, Question, Turn
from core.model.ids import SourceId
from core.model.search import RankedChunk, SearchResult
from core.ports import LanguageModel, Transactions
from core.retrieval.language import detect_language
from core.retrieval.search_notebook import SearchNotebook

log = structlog.get_logger()

FOLLOW_UP_STEMS = 2
"""A question with no more content words than this leans on the one before it ("а почему?")."""
MEANING_TIMEOUT_S = 10.0
"""Comparing by meaning is for sentences whose words do not meet; an answer does not wait longer for it."""


@dataclass(slots=True)
class Composition:
    """One answer in the making; it outlives a stop, so that what was written is not lost.

    Attributes:
        only: Sources that it is to be answered from; empty: the whole notebook.
        searched: Sources looked through, once the search is over.
        written: What the model has written, None before it began or without one.
    """

    question: Question
    history: Sequence[Turn]
    only: tuple[SourceId, ...] = ()
    searched: int = 0
    written: WrittenAnswer | None = None

    @property
    def text(self) -> str:
        """The words so far, as they are shown while they grow."""
        return self.written.text if self.written else ""


@dataclass(frozen=True, slots=True)
class ComposeAnswer:
    """Search, write, check; without a language model the best sentences are quoted.

    Attributes:
        model: None without a configured language model.
    """

    transactions: Transactions
    search: SearchNotebook
    model: LanguageModel | None

    async def __call__(self, making: Composition, show: Show, *, try_again: Callable[[], bool]) -> Answer:
        """Make the answer.

        Args:
            making: Filled in on the way.
            show: Shows the text as it grows.
            try_again: Says whether a failed model may be tried later; if not, sentences are quoted instead.

        Raises:
            TransientError: The model or the search failed, and another try is worth it.
        """
        question = making.question
        words = with_context(question.text, making.history)
        result = await self.search(question.notebook_id, words, source_ids=making.only or None)
        making.searched = result.searched
        if self.model is not None and question.with_model:
            answer = await self._write(self.model, making, result, show, try_again=try_again)
            if answer is not None:
                return answer
        language = detect_language(question.text)
        chunks = result.chunks[:QUOTED_CHUNKS]
        return await asyncio.to_thread(quote_answer, question.text, language, chunks, searched=result.searched)

    async def stopped(self, making: Composition) -> Answer | None:
        """Check what was written before a stop; None when nothing was."""
        if self.model is None or making.written is None or not making.written.text.strip():
            return None
        return await self._check(self.model.name, making, stopped=True)

    async def _write(
        self,
        model: LanguageModel,
        making: Composition,
        result: SearchResult,
        show: Show,
        *,
        try_again: Callable[[], bool],
    ) -> Answer | None:
        """Let the model answer; None when it cannot and no further try will help."""
        question = making.question
        async with self.transactions() as tx:
            materials = await gather(tx, result)
        context = pack(materials, characters=budget(model.window_tokens))
        language = detect_language(question.text)
        making.written = WrittenAnswer(question.text, language, list(context.passages))

        async def search(query: str) -> Sequence[RankedChunk]:
            return (await self.search(question.notebook_id, query)).chunks[:QUOTED_CHUNKS]

        try:
            await making.written.write(model, making.history, search, show)
        except TransientError as error:
            if try_again():
                raise
            log.warning("model_given_up", question_id=question.id, text_key=error.text_key)
            return None
        except PermanentError as error:
            log.error("model_refused", question_id=question.id, text_key=error.text_key)
            return None
        return await self._check(model.name, making)

    async def _check(self, model_name: str, making: Composition, *, stopped: bool = False) -> Answer:
        """Compare the words with their passages, in a thread since a long context takes a second."""
        written = making.written
        assert written is not None  # the callers have something to check
        similar = await self._meaning(written)
        return await asyncio.to_thread(
            written.checked, model_name, searched=making.searched, stopped=stopped, similar=similar
        )

    async def _meaning(self, written: WrittenAnswer) -> Meaning | None:
        """Embed the sentences that words alone do not hold (other languages, paraphrases), if there are any."""
        texts = await asyncio.to_thread(texts_to_compare, written.text, written.passages)
        if not texts:
            return None
        embedder = self.search.embedding.embedder
        try:
            async with asyncio.timeout(MEANING_TIMEOUT_S):
                vectors = await embedder.embed_passages(texts)
        except (KonspektError, TimeoutError) as error:
            log.warning("meaning_not_compared", kind=type(error).__name__)
            return None
        return Meaning(dict(zip(texts, vectors, strict=True)), embedder.model_id)


def with_context(text: str, history: Sequence[Turn]) -> str:
    """Add the question before to one that says too little to be searched for alone."""
    if history and len(set(content_stems(text))) <= FOLLOW_UP_STEMS:
        return f"{history[-1].question} {text}"
    return text
