"""Where a long recording is cut so that no word is torn: in its silences."""

from __future__ import annotations

from collections.abc import Sequence

Span = tuple[float, float]
"""From and to, in seconds."""

LATE_SHARE = 0.6
"""A piece is cut in the longest silence of its last part, from this share of its greatest length on."""

EDGE_S = 0.3
"""Silence left at the edges of a piece: a word's first sound is soft."""

SHORTEST_S = 0.1
"""What is shorter than this between two silences is a click; endpoints refuse it."""


def cut(duration_s: float, silences: Sequence[Span], piece_s: float) -> list[Span]:
    """Cut a recording into pieces that hold sound.

    Args:
        silences: Ascending, apart from each other.
        piece_s: Greatest length of a piece; positive.

    Returns:
        Pieces in order, none longer than `piece_s`. A word is torn only where no silence lies within a piece's
        greatest length. What lies between two pieces is silent; silence alone gives no piece.
    """
    pieces: list[Span] = []
    start = 0.0
    while duration_s - start > piece_s:
        end = _end(start, silences, piece_s)
        pieces.append((start, end))
        start = end
    pieces.append((start, duration_s))
    trimmed = (_trimmed(piece, silences) for piece in pieces)
    return [(start, end) for start, end in trimmed if end - start >= SHORTEST_S]


def _end(start: float, silences: Sequence[Span], piece_s: float) -> float:
    """Find the middle of the longest silence late in a piece, or else of its last one, or its greatest length."""
    latest = start + piece_s
    late = [_clipped(one, start + LATE_SHARE * piece_s, latest) for one in silences]
    longest = max(late, key=_length, default=(0.0, 0.0))
    if _length(longest) > 0:
        return sum(longest) / 2
    early = [span for one in silences if _length(span := _clipped(one, start + SHORTEST_S, latest)) > 0]
    return sum(early[-1]) / 2 if early else latest


def _clipped(span: Span, first: float, last: float) -> Span:
    return max(span[0], first), min(span[1], last)


def _length(span: Span) -> float:
    return span[1] - span[0]


def _trimmed(piece: Span, silences: Sequence[Span]) -> Span:
    """Take silence off a piece's ends but for a little; a silent piece becomes empty."""
    start, end = piece
    for first, last in silences:
        if first <= piece[0] < last:
            start = max(start, last - EDGE_S)
        if first < piece[1] <= last:
            end = min(end, first + EDGE_S)
        if first <= piece[0] and piece[1] <= last:
            return piece[0], piece[0]
    return start, max(start, end)
