"""Check an answer's citations: what each sentence says against the passages it names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from core.evidence.marks import Resolved, find_marks, remove_marks, resolve_marks
from core.evidence.meaning import Similarity
from core.evidence.prepared import PreparedPassage, PreparedStatement
from core.evidence.sentences import Span, split_sentences
from core.evidence.source_list import drop_source_list
from core.evidence.statements import NOTHING, Judgement, judge_each
from core.model.answer import Citation, Passage, Verdict

__all__ = ["Checked", "Resolved", "check_answer", "resolve_marks", "texts_to_compare"]

STATES_FROM = 2
"""Content words from which a sentence without a mark counts as a statement; "Да, конечно." is none."""
MOST_TEXTS = 120
"""Texts to embed for one answer: some seconds on a processor."""

_NOT_A_STATEMENT = re.compile(r"^\s*(?:#{1,6}\s|```|~~~|\|?[\s:|-]+\|?\s*$)|[?:]\W*$")
_ABOUT_SOURCES = re.compile(
    r"(?:источник|материал|документ|текст|passage|source|document)\w*.{0,80}\b(?:не|нет|no|not|nothing)\b"
    r"|\b(?:не|нет|no|not|nothing)\b.{0,80}(?:источник|материал|документ|passage|source|document)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer whose marks are `[1]`…`[k]`, one citation each, and the sentences that nothing holds.

    `unsupported` sentences stand in `text` exactly as they stand here.
    """

    text: str
    citations: tuple[Citation, ...]
    unsupported: tuple[str, ...]


def check_answer(text: str, passages: Sequence[Passage], similar: Similarity | None = None) -> Checked:
    """Resolve the marks of a model's answer and compare every sentence with what it cites.

    Args:
        text: The model's Markdown with marks that name `Passage.n`.
        passages: What the model was given.
        similar: Optional similarity of meaning, over the texts that `texts_to_compare` names.

    Returns:
        The text with renumbered marks and without a list of sources at its end, the citations in order of their
        numbers (quote and verdict of the sentence that its passage holds best), and the sentences that cite nothing
        or nothing that holds them.
    """
    by_number = {passage.n: passage for passage in passages}
    resolved = _resolved(text, by_number)
    cited = [by_number[n] for n in resolved.order]
    prepared = _prepared(cited)
    chosen: dict[int, Judgement] = {}
    unsupported: list[str] = []
    for written, statement, numbers in _sentences(resolved.text, len(cited)):
        judgements = judge_each(statement, [prepared[n - 1] for n in numbers], similar)
        for n, judgement in zip(numbers, judgements, strict=True):
            chosen[n] = max(chosen.get(n, NOTHING), judgement, key=lambda j: j.strength)
        if not _is_held(statement, judgements):
            unsupported.append(written)
    citations = tuple(_citation(n, passage, chosen.get(n, NOTHING)) for n, passage in enumerate(cited, 1))
    return Checked(resolved.text, citations, tuple(dict.fromkeys(unsupported)))


def _resolved(text: str, known: Collection[int]) -> Resolved:
    """Resolve the marks and drop a list of sources at the end, also one that is last only without what was dropped."""
    resolved = resolve_marks(drop_source_list(text), known)
    while (shorter := drop_source_list(resolved.text)) != resolved.text:
        again = resolve_marks(shorter, len(resolved.order))
        resolved = Resolved(again.text, tuple(resolved.order[n - 1] for n in again.order))
    return resolved


def texts_to_compare(text: str, passages: Sequence[Passage]) -> list[str]:
    """List what must be embedded to judge by meaning the sentences that words alone do not hold.

    Returns:
        Those statements and the sentences of the passages they cite, at most MOST_TEXTS, without repetition; [] if
        words suffice. Their vectors make a `core.evidence.meaning.Meaning`.
    """
    by_number = {passage.n: passage for passage in passages}
    resolved = _resolved(text, by_number)
    prepared = _prepared([by_number[n] for n in resolved.order])
    wanted: dict[str, None] = {}
    for _, statement, numbers in _sentences(resolved.text, len(prepared)):
        cited = [prepared[n - 1] for n in numbers]
        if cited and not _is_held(statement, judge_each(statement, cited)):
            wanted[statement.text] = None
            wanted.update((p.text[s.start : s.end], None) for p in cited for s in p.sentences)
    return list(wanted)[:MOST_TEXTS]


def _prepared(passages: Sequence[Passage]) -> list[PreparedPassage]:
    return [PreparedPassage(p.text, "\n".join((p.chunk.title, *p.chunk.headings))) for p in passages]


def _sentences(text: str, count: int) -> Iterator[tuple[str, PreparedStatement, list[int]]]:
    """Give each sentence of a resolved text as written, without its marks, and the numbers it names."""
    for span in split_sentences(text):
        written = text[span.start : span.end]
        numbers = [n for mark in find_marks(written, range(1, count + 1)) for n in mark.numbers]
        yield written, PreparedStatement(remove_marks(written)), list(dict.fromkeys(numbers))


def _is_held(statement: PreparedStatement, judgements: Sequence[Judgement]) -> bool:
    """Tell whether a sentence may stand as it is: something holds it, or it states nothing."""
    if not judgements:
        return not _states_something(statement)
    return not statement.stems or any(j.verdict is not Verdict.NOT_FOUND for j in judgements)


def _states_something(statement: PreparedStatement) -> bool:
    """Headings, questions, lead-ins, code and remarks about the sources themselves state nothing."""
    if _NOT_A_STATEMENT.search(statement.written) or _ABOUT_SOURCES.search(statement.written):
        return False
    return len(statement.stems) >= STATES_FROM


def cite(n: int, passage: Passage, span: Span, verdict: Verdict) -> Citation:
    """Make the citation of a slice of a passage (`span` counts within its text)."""
    chunk = passage.chunk
    return Citation(
        n=n,
        source_id=chunk.source_id,
        version=chunk.version,
        external_id=chunk.external_id,
        title=chunk.title,
        quote=passage.text[span.start : span.end],
        start=passage.start + span.start,
        end=passage.start + span.end,
        verdict=verdict,
        page=chunk.page,
        time_s=chunk.time_s,
        headings=chunk.headings,
    )


def _citation(n: int, passage: Passage, judgement: Judgement) -> Citation:
    span = Span(judgement.start, judgement.end) if judgement.end else Span(0, len(passage.text))
    return cite(n, passage, span, judgement.verdict)
