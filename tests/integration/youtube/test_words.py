"""From cues to a document: what is dropped, where paragraphs end, which second belongs to a character."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adapters.youtube.cues import Cue, from_json3, spoken, twice
from core.adapters.youtube.facts import Chapter, VideoFacts, chapters_of_description, embedded_json, facts_of
from core.adapters.youtube.refusals import blocked, check_playable, refusal
from core.adapters.youtube.tracks import Track, choose
from core.adapters.youtube.transcript import LONGEST_PARAGRAPH_S, to_document
from core.errors import TransientError

FACTS = VideoFacts("dQw4w9WgXcQ", "Лекция")


def said(*texts: str) -> list[str]:
    return [cue.text for cue in spoken(Cue(float(20 * number), text) for number, text in enumerate(texts))]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("[Music]", None),
        ("[Музыка]", None),
        ("[музыка играет]", None),
        ("(applause)", None),
        ("♪", None),
        ("♪ la la ♪", "la la"),
        ("[Аплодисменты] Спасибо", "Спасибо"),
        ("[1] источник", "[1] источник"),
        ("[Иванов] сказал", "[Иванов] сказал"),
        ("(музыкальная школа)", "(музыкальная школа)"),
        ("(music theory)", "(music theory)"),
        ("две\nстроки\u00a0и  пробелы", "две строки и пробелы"),
        (">> Второй говорит", "— Второй говорит"),
        ("- Да\n - Нет", "— Да — Нет"),
        (">> да >> нет", "— да — нет"),
        ("5 - 3 = 2", "5 - 3 = 2"),
        ("минус -3", "минус -3"),
        ("AT&amp;T", "AT&T"),
        ("\u200b", None),
        ("", None),
    ],
)
def test_sounds_are_dropped_and_words_are_kept(written: str, read: str | None) -> None:
    assert said(written) == ([] if read is None else [read])


def test_what_is_shown_twice_is_read_once_and_what_is_said_twice_is_kept() -> None:
    cues = spoken([Cue(0, "две строки"), Cue(2, "две строки"), Cue(4, "Да."), Cue(5, "Да."), Cue(60, "две строки")])
    assert [cue.start_s for cue in cues] == [0, 4, 5, 60]
    assert spoken([Cue(60, "две строки"), Cue(80, "две строки")])[1].start_s == 80


def test_automatic_captions_overlap_and_only_their_start_counts() -> None:
    events = [
        {"tStartMs": 0, "dDurationMs": 8000, "segs": [{"utf8": "первая"}, {"utf8": " строка"}]},
        {"tStartMs": 3000, "dDurationMs": 2000, "aAppend": 1, "segs": [{"utf8": "\n"}]},
        {"tStartMs": 3010, "dDurationMs": 8000, "segs": [{"utf8": "вторая строка"}]},
        {"tStartMs": 4000, "segs": [{"utf8": "вторая строка"}]},
        {"tStartMs": 90, "wWinId": 1},
    ]
    cues = from_json3(json.dumps({"wireMagic": "pb3", "events": events}).encode())
    assert cues == [Cue(0.0, "первая строка"), Cue(3.01, "вторая строка")]


@pytest.mark.parametrize("body", [b"", b"  \n", b"<xml/>", b"[]", b"{}", b'{"events": 1}', b'{"events": [3]}'])
def test_y1_what_is_no_json3_is_a_block_not_a_crash(body: bytes) -> None:
    with pytest.raises(TransientError, match="youtube-blocked"):
        from_json3(body)


def test_y1_a_second_try_is_made_once_and_not_when_blocked() -> None:
    tries: list[str] = []

    def failing(code: str) -> list[Cue]:
        tries.append(code)
        raise blocked(code)

    for code, count in (("empty-transcript", 2), ("blocked", 1)):
        tries.clear()
        with pytest.raises(TransientError):
            twice(lambda code=code: failing(code))  # type: ignore[misc]
        assert len(tries) == count


def test_a_paragraph_ends_with_a_sentence_after_half_a_minute_or_after_a_minute() -> None:
    with_dots = to_document(FACTS, [Cue(5.0 * n, f"Фраза {n}.") for n in range(30)])
    without = to_document(FACTS, [Cue(5.0 * n, f"фраза {n}") for n in range(30)])
    assert [part.count("Фраза") for part in with_dots.text.split("\n\n")] == [6, 6, 6, 6, 6]
    assert [part.count("фраза") for part in without.text.split("\n\n")] == [12, 12, 6]


def test_chapters_stand_where_their_first_phrase_is_said() -> None:
    chapters = (Chapter(0, "Начало"), Chapter(20, "Пустая"), Chapter(20.2, "  Вторая   глава "), Chapter(500, "Поздно"))
    facts = VideoFacts("x" * 11, chapters=chapters)
    document = to_document(facts, [Cue(0, "раз"), Cue(10, "два"), Cue(19.9, "три"), Cue(30, "# четыре")])
    assert document.text == "## Начало\n\nраз два\n\n## Пустая\n\n## Вторая глава\n\nтри # четыре"
    assert document.time_at(document.text.index("## Вторая")) == 20.2
    assert document.time_at(document.text.index("четыре")) == 30


PHRASES = st.text(st.sampled_from("абв .!?#>-[]😀"), min_size=1, max_size=20)


@given(
    st.lists(st.tuples(st.floats(0, 4000), PHRASES), min_size=1, max_size=60),
    st.lists(st.tuples(st.floats(0, 4000), PHRASES), max_size=8),
)
def test_every_offset_leads_to_its_second(pairs: list[tuple[float, str]], named: list[tuple[float, str]]) -> None:
    cues = spoken(Cue(start, text) for start, text in pairs)
    chapters = tuple(Chapter(start, title) for start, title in sorted(named))
    document = to_document(VideoFacts("x" * 11, chapters=chapters), cues)
    offsets = [time.offset for time in document.times]
    seconds = [time.seconds for time in document.times]
    assert offsets == sorted(set(offsets))
    assert seconds == sorted(seconds)
    assert all(0 <= offset < max(len(document.text), 1) for offset in offsets)
    for cue in cues:
        assert cue.text.lstrip("#> ") in document.text
    for part in document.text.split("\n\n"):
        first, last = document.text.index(part), document.text.index(part) + len(part) - 1
        begun, ended = document.time_at(first), document.time_at(max(last, first))
        assert not part or (begun is not None and ended is not None and ended - begun <= LONGEST_PARAGRAPH_S + 4000)


TRACKS = [Track("en", False, 1), Track("en", True, 2), Track("pt-BR", False, 3), Track("ru", True, 4)]


@pytest.mark.parametrize(
    ("languages", "handle"),
    [
        (("ru", "en"), 4),
        (("en", "ru"), 1),
        (("pt",), 3),
        (("PT-br",), 3),
        (("pt-PT",), 3),
        (("de", "fr"), 1),  # English is spoken, and written
        ((), 1),
    ],
)
def test_y3_the_first_wanted_language_wins_whatever_its_kind(languages: tuple[str, ...], handle: int) -> None:
    track = choose(TRACKS, languages)
    assert track is not None
    assert track.handle == handle


def test_y3_the_exact_region_is_preferred_and_nothing_is_made_of_nothing() -> None:
    tracks = [Track("pt-PT", False, 1), Track("pt-BR", False, 2), Track("pt", True, 3)]
    chosen = choose(tracks, ["pt-BR"])
    assert chosen is not None
    assert chosen.handle == 2
    assert choose([], ["ru"]) is None


@pytest.mark.parametrize(
    ("words", "key", "code"),
    [
        ("Private video. Sign in if you've been granted access to this video", "youtube-private", None),
        ("Video no longer available because the account has been terminated.", "youtube-gone", None),
        ("Video unavailable. This content isn't available, try again later.", "youtube-blocked", "blocked"),
        ("ERROR: [youtube] x: Sign in to confirm you’re not a bot. Use --cookies", "youtube-blocked", "blocked"),
        ("Sign in to confirm your age. This video may be inappropriate", "youtube-age", None),
        ("This video is available to this channel's members. Join this channel", "youtube-members", None),
        ("The uploader has not made this video available in your country", "youtube-region", None),
        ("Premieres in 3 hours", "youtube-live-later", None),
        ("This live stream recording is not available.", "youtube-live-later", None),
        ("The following content is not available on this app. Watch on the latest", "youtube-blocked", "old-client"),
        ("Something nobody has seen yet", "youtube-blocked", "unplayable"),
        ("HTTP Error 429: Too Many Requests", "youtube-blocked", "blocked"),
    ],
)  # fmt: skip
def test_what_youtube_says_is_understood(words: str, key: str, code: str | None) -> None:
    error = refusal(words)
    assert (error.text_key, error.values.get("code")) == (key, code)


@pytest.mark.parametrize("player", [{}, {"playabilityStatus": None}, {"playabilityStatus": {"status": "OK"}}])
def test_a_player_that_says_nothing_is_no_refusal(player: dict[str, object]) -> None:
    check_playable(player)


def test_chapters_of_a_description_are_read_as_youtube_does() -> None:
    text = "О курсе\n0:00 Введение\n(1:30) — Разрыв\n1:02:03. Итоги\nhttps://example.org 5:00"
    assert chapters_of_description(text) == (Chapter(0, "Введение"), Chapter(90, "Разрыв"), Chapter(3723, "Итоги"))
    for none in ("", "0:00 Одна", "0:10 a\n0:20 b\n0:30 c", "0:00 a\n0:40 b\n0:20 c", "0:00 a\n0:00 b\n0:20 c"):
        assert chapters_of_description(none) == ()


@pytest.mark.parametrize("page", ["", "ytInitialData = ", "ytInitialData = {", "ytInitialData = [1]", "var x = {}"])
def test_a_page_without_its_data_tells_nothing_and_breaks_nothing(page: str) -> None:
    assert embedded_json(page, "ytInitialData") == {}
    assert facts_of("x" * 11, {"videoDetails": None, "microformat": 3}, page) == VideoFacts("x" * 11)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_no_player_answer_breaks_the_facts(value: object) -> None:
    player = {"videoDetails": value, "microformat": {"playerMicroformatRenderer": value}}
    assert facts_of("x" * 11, player).video_id == "x" * 11
