"""Insights of a source: the kinds under which they are kept."""

SUMMARY, KEY_POINTS, QUESTIONS = "summary", "key_points", "questions"
"""Questions are offered to people; they say nothing of the source, so no answer may lean on them."""
QUESTION_COUNT = 3
"""Questions of a source, and of what is shown together: what a phone shows below a message without scrolling."""


def questions_of(stored: str) -> tuple[str, ...]:
    """Read suggested questions as they are kept, one a line."""
    return tuple(line for line in stored.split("\n") if line.strip())
