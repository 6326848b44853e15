"""Where recordings are cut, and what of a model's answer is kept: the pure part."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adapters.extractors.speech_text import Segment, as_segments, clock, compose, without_inventions
from core.adapters.sound_pieces import EDGE_S, SHORTEST_S, Span, cut


@st.composite
def recordings(draw: st.DrawFn) -> tuple[float, list[Span]]:
    """A length and its silences: ascending, apart."""
    lengths = draw(st.lists(st.floats(0.2, 30.0), min_size=1, max_size=40))
    begins_silent = draw(st.booleans())
    edges = [0.0]
    for length in lengths:
        edges.append(edges[-1] + length)
    spans = list(pairwise(edges))
    return edges[-1], spans[0 if begins_silent else 1 :: 2]


@given(recordings(), st.floats(5.0, 60.0))
def test_pieces_are_short_enough_in_order_and_lose_no_sound(
    recording: tuple[float, list[Span]], piece_s: float
) -> None:
    duration, silences = recording
    pieces = cut(duration, silences, piece_s)
    assert all(SHORTEST_S <= end - start <= piece_s + 1e-9 for start, end in pieces)
    assert all(one[1] <= other[0] for one, other in pairwise(pieces))
    lost = list(zip([0.0, *(end for _, end in pieces)], [*(start for start, _ in pieces), duration], strict=True))
    for start, end in lost:
        silent = sum(max(0.0, min(end, last) - max(start, first)) for first, last in silences)
        assert silent >= end - start - SHORTEST_S - 1e-6


@given(recordings(), st.floats(5.0, 60.0))
def test_no_word_is_torn_where_a_silence_lies_within_reach(recording: tuple[float, list[Span]], piece_s: float) -> None:
    duration, silences = recording
    for start, end in cut(duration, silences, piece_s):
        torn = end < duration and not any(first - 1e-6 <= end <= last + 1e-6 for first, last in silences)
        within = [one for one in silences if start + EDGE_S + SHORTEST_S < one[0] and one[1] < end]
        assert not (torn and within)


def test_the_longest_silence_late_in_a_piece_is_taken() -> None:
    silences = [(2.0, 5.0), (65.0, 66.0), (80.0, 82.0), (95.0, 95.5)]
    assert cut(150.0, silences, 100.0) == [(0.0, 80.3), (81.7, 150.0)]


def test_silence_alone_gives_no_piece() -> None:
    assert cut(100.0, [(0.0, 100.0)], 30.0) == []


@pytest.mark.parametrize(
    ("heard", "kept"),
    [
        ("Субтитры сделал DimaTorzok", ""),
        ("Редактор субтитров А.Синецкая Корректор А.Егорова", ""),
        ("Субтитры создавал DimaTorzok.", ""),
        ("Продолжение следует...", ""),
        ("Спасибо за просмотр!", ""),
        ("Subtitles by the Amara.org community", ""),
        ("Thank you for watching.", ""),
        ("[Музыка]", ""),
        ("(аплодисменты)", ""),
        ("♪♪♪", ""),
        ("[BLANK_AUDIO]", ""),
        ("Да, да, да, конечно.", "Да, да, да, конечно."),
        ("Продолжение следует из второй теоремы.", "Продолжение следует из второй теоремы."),
        ("Субтитры сделали кино доступным.", "Субтитры сделали кино доступным."),
        ("Музыка Баха (1685–1750) строга.", "Музыка Баха (1685–1750) строга."),
        ("[Музыка] Начнём.", "Начнём."),
        ("и вот и вот и вот и вот и вот и вот и дальше", "и вот и дальше"),
        ("Спасибо. Спасибо. Спасибо. Спасибо. Спасибо. Спасибо. Спасибо. Спасибо.", "Спасибо."),
    ],
)
def test_what_nobody_said_is_left_out_and_what_was_said_stays(heard: str, kept: str) -> None:
    found = without_inventions([Segment(0.0, 2.0, heard)])
    assert " ".join(segment.text for segment in found) == kept


def test_a_loop_of_several_segments_is_kept_once() -> None:
    said = ["Начало.", *["Раз.", "Два.", "Три."] * 5, "Конец."]
    found = without_inventions(Segment(float(n), n + 1.0, text) for n, text in enumerate(said))
    assert [segment.text for segment in found] == ["Начало.", "Раз.", "Два.", "Три.", "Конец."]
    assert found[-1].start_s == 16.0


def test_words_said_twice_stay() -> None:
    found = without_inventions(Segment(float(n), n + 1.0, "Повторим.") for n in range(2))
    assert len(found) == 2


@given(st.lists(st.tuples(st.floats(0.1, 20.0), st.text("абв .#>-", min_size=1, max_size=40)), max_size=60))
def test_every_time_leads_to_the_words_said_then(spoken: list[tuple[float, str]]) -> None:
    at, segments = 0.0, []
    for length, text in spoken:
        segments.append(Segment(at, at + length, text))
        at += length
    said = without_inventions(segments)
    text, times = compose(said)
    assert [start.seconds for start in times] == [round(one.start_s or 0.0, 2) for one in said]
    assert [start.offset for start in times] == sorted(start.offset for start in times)
    for start, segment in zip(times, said, strict=True):
        assert segment.text.lstrip("#>|+*- ").startswith(text[start.offset :][:3].strip("#>|+*- ")[:1])


def test_a_piece_without_times_becomes_paragraphs_too() -> None:
    text = " ".join(f"Это предложение номер {number} о ледниках и реках." for number in range(100))
    paragraphs, times = compose(as_segments(text, 60.0, 660.0))
    assert 4 <= paragraphs.count("\n\n") <= 6
    assert [(start.offset, start.seconds) for start in times] == [(0, 60.0)]


@pytest.mark.parametrize(("seconds", "said"), [(0, "0:00"), (750.9, "12:30"), (3723, "1:02:03")])
def test_a_time_is_written_as_a_player_shows_it(seconds: float, said: str) -> None:
    assert clock(seconds) == said
