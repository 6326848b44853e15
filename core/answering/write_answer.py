"""Words become an answer: by a language model that may search, or by the best sentences without one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from core.answering.extractive import MODEL_NAME as EXTRACTIVE
from core.answering.extractive import extract_answer, join_neighbours
from core.answering.gather import as_passages
from core.answering.prompt import build_messages, render_passages
from core.evidence.citations import check_answer, cite
from core.evidence.meaning import Similarity
from core.evidence.sentences import Span
from core.model.answer import Answer, Passage, Turn, Verdict
from core.model.search import RankedChunk
from core.ports import LanguageModel

MAX_SEARCHES = 3
"""Searches that the model may add to ours: enough for a question with several parts."""

Search = Callable[[str], Awaitable[Sequence[RankedChunk]]]
Show = Callable[[str], Awaitable[None]]


@dataclass(slots=True)
class WrittenAnswer:
    """What a model has written so far, and the passages it was given.

    It outlives the writing, so that a person who stops it keeps the part that was written.
    """

    question: str
    language: str
    passages: list[Passage]
    text: str = ""
    finish: str = ""
    _known: set[int] = field(default_factory=set)

    async def write(self, model: LanguageModel, history: Sequence[Turn], search: Search, show: Show) -> None:
        """Let the model write, showing the text as it grows.

        Raises:
            TransientError, PermanentError: As the model's port says; `text` holds what came before.
        """
        self.text = ""
        self._known = {passage.chunk.id for passage in self.passages}

        async def search_sources(query: str) -> str:
            found = [hit for hit in await search(query) if hit.chunk.id not in self._known]
            new = as_passages(found, first=len(self.passages) + 1)
            self.passages.extend(new)
            self._known |= {passage.chunk.id for passage in new}
            return render_passages(new)

        messages = build_messages(self.question, self.passages, history, self.language)
        async for piece in model.answer(messages, search_sources, max_searches=MAX_SEARCHES):
            self.text += piece.text
            self.finish = piece.finish or self.finish
            await show(self.text)

    def checked(
        self, model_name: str, *, searched: int, stopped: bool = False, similar: Similarity | None = None
    ) -> Answer:
        """Check what was written against its passages; a refusal and an empty text are refusals."""
        if self.finish == "refused" or not self.text.strip():
            return refusal(searched, model_name)
        found = check_answer(self.text, self.passages, similar)
        return Answer(
            answered=True,
            text=found.text,
            citations=found.citations,
            searched=searched,
            used=len({passage.chunk.source_id for passage in self.passages}),
            model=model_name,
            unsupported=found.unsupported,
            cut_off=stopped or self.finish == "length",
        )


def quote_answer(question: str, language: str, chunks: Sequence[RankedChunk], *, searched: int) -> Answer:
    """Answer with the best matching sentences, quoted and cited, or refuse.

    Sentences that stand together are one quote with one citation; the best quote comes first.
    """
    passages = as_passages(chunks)
    extracted = extract_answer(question, passages, language)
    if not extracted.answered:
        return refusal(searched, EXTRACTIVE)
    quotes = join_neighbours(extracted.sentences, passages)
    citations = tuple(
        cite(n, passages[quote.n - 1], Span(quote.start, quote.end), Verdict.VERBATIM)
        for n, quote in enumerate(quotes, start=1)
    )
    text = "\n\n".join(f"{quote.text} [{n}]" for n, quote in enumerate(quotes, start=1))
    used = len({citation.source_id for citation in citations})
    return Answer(True, text, citations, searched, used, EXTRACTIVE)


def refusal(searched: int, model_name: str) -> Answer:
    """The sources do not hold it: no text of ours, no list of sources."""
    return Answer(False, "", (), searched, 0, model_name)
