"""Recordings of every kind become a text with true times."""

import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from core.adapters.extractors.speech import SpeechToText
from core.adapters.killable import KillableRunner
from core.errors import UserError
from core.model.source import Outcome
from tests.fakes.tones import WORDS, silence, speech, tone, write
from tests.fakes.transcription import FakeTranscription, refusal, says, segment
from tests.integration.sound.listening import KEY, cascade, extractor, hear, request, said_at, words

SHORT = WORDS[:4]
VIDEO = ("-f", "lavfi", "-i", "color=c=blue:s=64x64:r=5:d=4", "-shortest")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param("voice.ogg", ("-c:a", "libopus", "-ac", "1", "-ar", "48000"), id="a voice message"),
        pytest.param("song.mp3", ("-c:a", "libmp3lame", "-ac", "2", "-ar", "44100"), id="mp3"),
        pytest.param("lecture.m4a", ("-c:a", "aac"), id="m4a"),
        pytest.param("plain.wav", ("-ac", "2"), id="wav"),
        pytest.param("plain.flac", (), id="flac"),
        pytest.param("raw.aac", ("-c:a", "aac", "-f", "adts"), id="aac"),
        pytest.param("note.mp4", (*VIDEO, "-c:v", "libx264", "-c:a", "aac"), id="a video note"),
        pytest.param("clip.mov", (*VIDEO, "-c:v", "libx264", "-c:a", "aac"), id="mov"),
        pytest.param("clip.webm", (*VIDEO, "-c:v", "libvpx", "-c:a", "libopus"), id="webm"),
        pytest.param("clip.mkv", (*VIDEO, "-c:v", "libx264", "-c:a", "libmp3lame"), id="mkv"),
        pytest.param("nameless", ("-c:a", "libopus", "-f", "ogg"), id="a name without ending"),
    ],
)
async def test_every_kind_of_recording_is_heard_with_its_times(
    service: FakeTranscription, tmp_path: Path, left: Path, name: str, options: tuple[str, ...]
) -> None:
    path = write(speech(SHORT), tmp_path / name, *options)
    document = await hear(extractor(service), path)
    assert words(document) == list(SHORT)
    for number, word in enumerate(SHORT):
        assert said_at(document)[word] == pytest.approx(number, abs=0.12)
    [asked] = service.requests
    assert asked.fields == {"model": "whisper-1", "response_format": "verbose_json"}
    assert asked.headers["Authorization"] == f"Bearer {KEY}"
    assert asked.sound.startswith(b"fLaC")
    assert os.listdir(left) == []


async def test_a_video_whose_sound_begins_late_keeps_the_times_that_a_player_shows(
    service: FakeTranscription, tmp_path: Path
) -> None:
    late = ("-f", "lavfi", "-i", "color=c=blue:s=64x64:r=5:d=8", "-filter:a", "asetpts=PTS+3/TB")
    path = write(speech(SHORT), tmp_path / "late.mkv", *late, "-c:v", "libx264", "-c:a", "flac")
    document = await hear(extractor(service), path)
    assert said_at(document)[SHORT[0]] == pytest.approx(3.0, abs=0.15)


async def test_a_long_recording_is_cut_in_its_silences_and_put_together_in_order(
    service: FakeTranscription, tmp_path: Path
) -> None:
    path = write(speech(WORDS[:30]), tmp_path / "lecture.flac")
    document = await hear(extractor(service, piece_s=5.0), path)
    assert words(document) == list(WORDS[:30])  # a torn word would be heard twice
    assert {word: round(at or 0) for word, at in said_at(document).items()} == {w: n for n, w in enumerate(WORDS[:30])}
    assert len(service.requests) >= 6
    assert max(asked.seconds for asked in service.requests) <= 5.05
    assert service.most_at_once == 2


async def test_sound_without_any_silence_is_cut_where_it_must_be(service: FakeTranscription, tmp_path: Path) -> None:
    path = write(np.concatenate([tone("берег", 4.0), tone("ветер", 4.0)]), tmp_path / "hum.wav")
    document = await hear(extractor(service, piece_s=3.0), path)
    assert sorted(asked.seconds for asked in service.requests) == pytest.approx([2.0, 3.0, 3.0], abs=0.01)
    assert set(words(document)) == {"берег", "ветер"}


async def test_long_silence_is_not_sent_and_moves_no_time(service: FakeTranscription, tmp_path: Path) -> None:
    sound = np.concatenate([speech(SHORT[:2]), silence(40.0), speech(SHORT[2:])])
    document = await hear(extractor(service, piece_s=10.0), write(sound, tmp_path / "pause.ogg", "-c:a", "libopus"))
    assert said_at(document)[SHORT[2]] == pytest.approx(42.0, abs=0.12)
    assert sum(asked.seconds for asked in service.requests) < 20


async def test_silence_alone_is_said_to_hold_no_speech(service: FakeTranscription, tmp_path: Path) -> None:
    path = write(silence(5.0), tmp_path / "nothing.ogg", "-c:a", "libopus")
    with pytest.raises(UserError, match="source-no-speech"):
        await hear(extractor(service), path)
    assert service.requests == []


async def test_a_quiet_voice_is_heard_all_the_same(service: FakeTranscription, tmp_path: Path) -> None:
    quiet = np.concatenate([speech(SHORT) * np.float32(0.02), speech(SHORT) * np.float32(0.02)])
    document = await hear(extractor(service, piece_s=5.0), write(quiet, tmp_path / "quiet.flac"))
    assert words(document) == [*SHORT, *SHORT]


async def test_a_video_without_sound_holds_no_speech(service: FakeTranscription, tmp_path: Path) -> None:
    path = write(silence(1.0), tmp_path / "mute.mp4", *VIDEO, "-map", "1:v", "-c:v", "libx264")
    with pytest.raises(UserError, match="source-no-speech"):
        await hear(extractor(service), path)


@pytest.mark.parametrize("head", [b"", b"OggS", b"\x00\x00\x00\x18ftypmp42", b"RIFF"])
async def test_a_damaged_file_is_called_damaged(service: FakeTranscription, tmp_path: Path, head: bytes) -> None:
    path = tmp_path / "broken.ogg"
    path.write_bytes(head + bytes(range(256)) * 40)
    with pytest.raises(UserError, match="source-damaged"):
        await hear(extractor(service), path)


async def test_a_file_that_breaks_off_is_read_up_to_there_and_the_gap_is_said(
    service: FakeTranscription, tmp_path: Path
) -> None:
    whole = write(speech(WORDS[:30]), tmp_path / "whole.mp4", "-c:a", "aac", "-movflags", "+faststart").read_bytes()
    (tmp_path / "half.mp4").write_bytes(whole[: len(whole) // 2])
    document = await hear(extractor(service), tmp_path / "half.mp4")
    assert words(document)[:5] == list(WORDS[:5])
    [lost] = document.lost
    assert (lost.text_key, lost.values["to"]) == ("lost-sound", "0:30")


@pytest.mark.parametrize(
    "text", ["#EXTM3U\n#EXTINF:1,\n{target}\n", "ffconcat version 1.0\nfile '{target}'\n"], ids=["m3u8", "concat"]
)
async def test_a_playlist_reads_no_other_file(service: FakeTranscription, tmp_path: Path, text: str) -> None:
    secret = write(speech(SHORT), tmp_path / "secret.wav")
    path = tmp_path / "voice.m3u8"
    path.write_text(text.format(target=secret))
    with pytest.raises(UserError, match="source-damaged"):
        await hear(extractor(service), path)
    assert service.requests == []


async def test_a_recording_above_the_limit_is_refused(service: FakeTranscription, tmp_path: Path) -> None:
    path = write(speech(SHORT), tmp_path / "long.ogg", "-c:a", "libopus")
    with pytest.raises(UserError) as refused:
        await hear(extractor(service, max_s=3.0), path)
    assert (refused.value.text_key, refused.value.values) == ("source-sound-too-long", {"hours": 0})


async def test_title_and_artist_are_those_of_the_file(service: FakeTranscription, tmp_path: Path) -> None:
    tags = ("-metadata", "title=Лекция о ледниках", "-metadata", "artist=Анна Снегова")
    document = await hear(extractor(service), write(speech(SHORT), tmp_path / "a.mp3", *tags))
    assert (document.title, document.about.author) == ("Лекция о ледниках", "Анна Снегова")


async def test_the_language_is_named_only_when_there_is_no_choice(service: FakeTranscription, tmp_path: Path) -> None:
    path = write(speech(SHORT), tmp_path / "a.wav")
    await hear(extractor(service), path, languages=("ru", "en"))
    await hear(extractor(service), path, languages=("de",))
    assert [asked.fields.get("language") for asked in service.requests] == [None, "de"]


async def test_paragraphs_are_of_half_a_minute_to_a_minute(service: FakeTranscription, tmp_path: Path) -> None:
    spoken = [segment(n * 5.0, n * 5.0 + 4.5, f" Предложение номер {n}.") for n in range(40)]
    service.script(says(*spoken))
    document = await hear(extractor(service), write(tone("берег", 205.0), tmp_path / "a.flac"))
    paragraphs = document.text.split("\n\n")
    assert len(paragraphs) in range(4, 8)
    assert len(document.times) == 40
    assert document.time_at(document.text.index("номер 17")) == 85.0
    starts = [document.time_at(document.text.index(one)) or 0.0 for one in paragraphs]
    assert all(30 <= later - earlier <= 60 for earlier, later in pairwise(starts))


async def test_what_the_model_made_up_is_left_out(service: FakeTranscription, tmp_path: Path) -> None:
    loop = [segment(10.0 + n, 11.0 + n, " Это очень важно.") for n in range(12)]
    service.script(
        says(
            segment(0, 2, " [Музыка]"),
            segment(2, 4, " Ледник движется."),
            *loop,
            segment(23, 24, " Продолжение следует..."),
            segment(24, 25, " Субтитры сделал DimaTorzok"),
            segment(25, 26, " Тишина", no_speech_prob=0.9, avg_logprob=-1.4),
            segment(26, 28, " Спасибо за внимание."),
        )
    )
    document = await hear(extractor(service), write(tone("берег", 30.0), tmp_path / "a.flac"))
    assert document.text == "Ледник движется. Это очень важно. Спасибо за внимание."


async def test_music_alone_holds_no_speech(service: FakeTranscription, tmp_path: Path) -> None:
    service.script(says(segment(0, 2, " [Музыка]"), segment(2, 4, " Продолжение следует...")))
    with pytest.raises(UserError, match="source-no-speech"):
        await hear(extractor(service), write(tone("берег", 4.0), tmp_path / "a.flac"))


async def test_progress_counts_pieces(service: FakeTranscription, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = write(speech(WORDS[:15]), tmp_path / "a.flac")
    one = extractor(service, piece_s=5.0)
    await KillableRunner().run(one, request(path), lambda done, total: seen.append((done, total)))
    total = len(service.requests)
    assert seen == [(done, total) for done in range(total + 1)]


async def test_without_a_service_it_says_so(tmp_path: Path) -> None:
    reading = await cascade(SpeechToText(), write(speech(SHORT), tmp_path / "a.wav"))
    [attempt] = reading.attempts
    assert (attempt.outcome, attempt.reason) == (Outcome.UNAVAILABLE, "not-configured")


async def test_without_ffmpeg_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from core.adapters.sound import sound_programs

    sound_programs.cache_clear()
    monkeypatch.setenv("PATH", "/nonexistent")
    assert SpeechToText("http://127.0.0.1:9/v1", "", "m").unavailable() == "not-installed"
    sound_programs.cache_clear()


async def test_the_key_stands_in_no_text_of_the_extractor(service: FakeTranscription, tmp_path: Path) -> None:
    service.script(*[refusal(401, f"Incorrect API key provided: {KEY}")] * 3)
    reading = await cascade(one := extractor(service), write(speech(SHORT), tmp_path / "a.wav"))
    assert KEY not in repr(one)
    assert [attempt.reason for attempt in reading.attempts] == ["speech-auth"]
