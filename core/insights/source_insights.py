"""What is made of a source once it is searchable."""

from __future__ import annotations

from dataclasses import dataclass

from core.model.insight import KEY_POINTS, QUESTIONS, SUMMARY

LONGEST_QUESTION = 160
"""Characters of a question."""


@dataclass(frozen=True, slots=True)
class SourceInsights:
    """Insights of one source.

    Attributes:
        title: A better name for the source, "" if there is none.
        summary: A Markdown list or paragraphs; "" for a text that has no sentence worth it.
        key_points: Short lines, in document order.
        questions: What the source answers, the best first, each one line that ends with a question mark.
    """

    title: str = ""
    summary: str = ""
    key_points: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()

    def rows(self, language: str, asked_in: str) -> list[tuple[str, str, str]]:
        """List what is kept: kind, text ("" takes the place of what an earlier reading had) and language.

        Args:
            language: Two-letter code of the source's language.
            asked_in: Of its questions' language.
        """
        points = "\n".join(f"- {point}" for point in self.key_points)
        return [
            (SUMMARY, self.summary, language),
            (KEY_POINTS, points, language),
            (QUESTIONS, "\n".join(self.questions), asked_in),
        ]
