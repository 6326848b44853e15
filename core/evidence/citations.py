"""Check an answer's citations: what each sentence says against the passages it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.evidence.marks import Resolved, find_marks, remove_marks, resolve_marks
from core.evidence.prepared import PreparedPassage
from core.evidence.sentences import Span, split_sentences
from core.evidence.statements import STRENGTH, Judgement, Similarity, judge_each, statement_stems
from core.model.answer import Citation, Passage, Verdict

__all__ = ["Checked", "Resolved", "check_answer", "resolve_marks"]

STATES_FROM = 2
"""Content words from which a sentence without a mark counts as a statement; "Да, конечно." is none."""

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
        similar: Optional similarity of meaning, see `judge_statement`.

    Returns:
        The text with renumbered marks, the citations in order of their numbers (quote and verdict of the sentence
        that its passage holds best), and the sentences that cite nothing or nothing that holds them.
    """
    by_number = {passage.n: passage for passage in passages}
    resolved = resolve_marks(text, by_number)
    cited = [by_number[n] for n in resolved.order]
    prepared = [PreparedPassage(p.text, "\n".join((p.chunk.title, *p.chunk.headings))) for p in cited]
    chosen: dict[int, Judgement] = {}
    unsupported: list[str] = []
    for sentence in split_sentences(resolved.text):
        written = resolved.text[sentence.start : sentence.end]
        if not _judge_sentence(written, prepared, chosen, similar):
            unsupported.append(written)
    citations = tuple(_citation(n, passage, chosen.get(n)) for n, passage in enumerate(cited, 1))
    return Checked(resolved.text, citations, tuple(dict.fromkeys(unsupported)))


def _judge_sentence(
    written: str, prepared: Sequence[PreparedPassage], chosen: dict[int, Judgement], similar: Similarity | None
) -> bool:
    """Judge one sentence, keep each passage's best judgement; False: nothing holds it."""
    numbers = [n for mark in find_marks(written, range(1, len(prepared) + 1)) for n in mark.numbers]
    statement = remove_marks(written)
    if not numbers:
        return not _states_something(statement)
    unique = list(dict.fromkeys(numbers))
    judgements = judge_each(statement, [prepared[n - 1] for n in unique], similar)
    for n, judgement in zip(unique, judgements, strict=True):
        before = chosen.get(n)
        if before is None or _strength(judgement) > _strength(before):
            chosen[n] = judgement
    return any(j.verdict is not Verdict.NOT_FOUND for j in judgements) or not statement_stems(statement)


def _strength(judgement: Judgement) -> tuple[int, float]:
    return STRENGTH[judgement.verdict], judgement.coverage


def _states_something(statement: str) -> bool:
    """Headings, questions, lead-ins, code and remarks about the sources themselves state nothing."""
    if _NOT_A_STATEMENT.search(statement) or _ABOUT_SOURCES.search(statement):
        return False
    return len(statement_stems(statement)) >= STATES_FROM


def _citation(n: int, passage: Passage, judgement: Judgement | None) -> Citation:
    span = Span(judgement.start, judgement.end) if judgement and judgement.end else Span(0, len(passage.text))
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
        verdict=judgement.verdict if judgement else Verdict.NOT_FOUND,
        page=chunk.page,
        time_s=chunk.time_s,
        headings=chunk.headings,
    )
