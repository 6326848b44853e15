"""Each library, unmodified, against the loopback YouTube.

One child of each library reads all the videos below, since starting a child for each takes minutes.
"""

import ssl
from dataclasses import dataclass, replace

import httpx2
import pytest

from core.adapters.killable import KillableRunner
from core.adapters.youtube.pytubefix import PytubefixAndroid
from core.adapters.youtube.transcript_api import TranscriptApi
from core.adapters.youtube.ytdlp import YtDlp
from core.errors import KonspektError
from core.ports.documents import Extractor
from tests.fakes.youtube import FakeYoutube
from tests.fakes.youtube_video import (
    AGE,
    AGE_OLD,
    BOT,
    GEO,
    GONE,
    MEMBERS,
    OLD_CLIENT,
    PRIVATE,
    REMOVED,
    UPCOMING,
    Caption,
    Video,
)
from tests.integration.youtube.conftest import PASSWORD, read_each, request_for, silent

RU = Caption("ru", tuple((number * 6.0, f"Предложение номер {number} о разрыве.") for number in range(12)))
EN = Caption("en", ((0.0, "Written English."),))
AUTO_RU = Caption("ru", ((0.0, "слова без точек"), (3.0, "[Музыка]"), (5.0, "и дальше")), automatic=True)
PT = Caption("pt-BR", ((0.0, "Bom dia a todos."),))
JA = Caption("ja", ((0.0, "皆さん、こんにちは。"),))
AUTO_JA = Caption("ja", ((0.0, "自動"),), automatic=True)

API, YTDLP, FIX = TranscriptApi, YtDlp, PytubefixAndroid
LEVELS = (API, YTDLP, FIX)
BLOCKED = "TransientError youtube-blocked"


@dataclass(frozen=True)
class Case:
    """A video, how it is asked for, and what each level makes of it; `code`: None is any."""

    name: str
    video: Video
    told: str
    code: str | None = ""
    languages: tuple[str, ...] = ("ru", "en")
    levels: tuple[type, ...] = LEVELS
    words: int | None = None


def refused(name: str, text_key: str, playability: dict[str, object], levels: tuple[type, ...] = LEVELS) -> Case:
    return Case(name, Video(playability=playability), f"UserError {text_key}", levels=levels)


QUICK = (API, YTDLP)
BOM_DIA = "Bom dia a todos."
CASES = (
    Case("y3-automatic-russian-before-written-english", Video(captions=(EN, AUTO_RU)), "слова без точек и дальше"),
    Case("y3-only-portuguese", Video(captions=(PT,), translations=("ru",)), BOM_DIA, languages=("ru", "pt")),
    Case("y3-translation-only", Video(captions=(JA,), translations=("ru", "en")), "皆さん、こんにちは。"),
    Case("y3-written-before-automatic", Video(captions=(AUTO_JA, JA)), "皆さん、こんにちは。"),
    Case("y3-the-spoken-language", Video(captions=(PT, AUTO_JA), translations=("ru",)), "自動"),
    refused("private", "youtube-private", PRIVATE),
    refused("removed", "youtube-gone", REMOVED, QUICK),
    refused("gone", "youtube-gone", GONE, QUICK),
    refused("age", "youtube-age", AGE),
    refused("age-old", "youtube-age", AGE_OLD, QUICK),
    refused("members", "youtube-members", MEMBERS, QUICK),
    refused("region", "youtube-region", GEO),
    Case("upcoming", Video(playability=UPCOMING, is_upcoming=True), "UserError youtube-live-later", levels=QUICK),
    Case("live", Video(is_live=True), "UserError youtube-live-later"),
    Case("y1-empty-once", Video(captions=(PT,), moods=["empty"]), BOM_DIA, words=2),
    Case("y1-malformed-once", Video(captions=(PT,), moods=["malformed"]), BOM_DIA, words=2, levels=QUICK),
    Case("y1-empty", Video(captions=(PT,), always="empty"), BLOCKED, None, words=2),
    Case("y1-malformed", Video(captions=(PT,), always="malformed"), BLOCKED, None, words=2, levels=QUICK),
    Case("y1-srv3", Video(captions=(PT,), always="srv3"), BLOCKED, "empty-transcript", words=2, levels=(API,)),
    Case("y2-bot", Video(playability=BOT), BLOCKED, "blocked"),
    Case("y2-words-429", Video(captions=(PT,), always="429"), BLOCKED, "blocked", words=1),
    Case("y2-site-429", Video(captions=(PT,), site="429"), BLOCKED, "blocked"),
    Case("y2-captcha", Video(captions=(PT,), site="captcha"), BLOCKED, "blocked", levels=QUICK),
    Case("y2-consent", Video(captions=(PT,), site="consent"), BLOCKED, "consent", levels=(API,)),
    Case("old-client", Video(playability=OLD_CLIENT), BLOCKED, "old-client", levels=(API,)),
    Case("y5-no-captions", Video(), "PermanentError youtube-no-transcript", "no-transcript"),
)


def id_of(case: Case) -> str:
    return f"case{CASES.index(case):07}"


@dataclass(frozen=True)
class Sweep:
    """What a level made of all its cases, and what YouTube was asked."""

    level: type
    found: dict[str, tuple[str, str]]
    asked: list[str]
    words: dict[str, int]
    unknown_hosts: list[str]


@pytest.fixture(params=LEVELS, ids=lambda level: level.__name__, scope="module")
async def sweep(request: pytest.FixtureRequest, loopback: FakeYoutube) -> Sweep:
    loopback.reset()
    cases = [case for case in CASES if request.param in case.levels]
    loopback.add(*(replace(case.video, id=id_of(case), moods=case.video.moods.copy()) for case in cases))
    level = request.param(proxy=loopback.proxy.url, ca_file=loopback.proxy.ca_file)
    found = await read_each(level, *(request_for(id_of(case), *case.languages) for case in cases))
    results = {case.name: result for case, result in zip(cases, found, strict=True)}
    hosts = loopback.proxy.unknown_hosts.copy()
    return Sweep(request.param, results, loopback.asked.copy(), dict(loopback.words_of), hosts)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_each_level_makes_of_a_video(sweep: Sweep, case: Case) -> None:
    if sweep.level not in case.levels:
        assert case.name not in sweep.found
        return
    told, code = sweep.found[case.name]
    assert told == case.told
    assert code if case.code is None else code == case.code
    if case.words is not None:
        assert sweep.words[id_of(case)] == case.words


def test_y3_a_translation_is_never_asked_for_and_no_other_host_is(sweep: Sweep) -> None:
    assert not [asked for asked in sweep.asked if asked.endswith(":translated")]
    assert any(asked.startswith("words:") for asked in sweep.asked)
    assert sweep.unknown_hosts == []


@pytest.fixture(params=LEVELS, ids=lambda level: level.__name__)
def level(request: pytest.FixtureRequest, youtube: FakeYoutube) -> Extractor:
    made: Extractor = request.param(proxy=youtube.proxy.url, ca_file=youtube.proxy.ca_file)
    return made


async def test_words_times_chapters_and_facts_are_kept(level: Extractor, youtube: FakeYoutube) -> None:
    youtube.add(Video(captions=(EN, RU), chapters=((0.0, "Начало"), (30.0, "Середина"), (60.0, "Конец"))))
    document = await KillableRunner().run(level, request_for(), silent)
    assert document.title == "Лекция 1: кассовый разрыв"
    assert (document.about.author, document.about.published) == ("Экономика для всех", "2024-03-01")
    assert (document.about.site, document.about.url) == ("YouTube", "https://www.youtube.com/watch?v=dQw4w9WgXcQ")
    headings = [line for line in document.text.splitlines() if line.startswith("## ")]
    assert headings == ["## Начало", "## Середина", "## Конец"]
    for number in range(12):
        assert document.time_at(document.text.index(f"номер {number} ")) == number * 6.0
    assert document.time_at(document.text.index("## Середина")) == 30.0
    assert not document.lost


async def test_the_proxys_password_is_in_no_error_and_in_no_repr(level: Extractor, youtube: FakeYoutube) -> None:
    assert PASSWORD in youtube.proxy.url
    assert PASSWORD not in repr(level)
    wrong = replace(level, proxy=youtube.proxy.url.replace(PASSWORD, f"{PASSWORD}-wrong"))  # type: ignore[type-var]
    with pytest.raises(KonspektError) as caught:
        await KillableRunner().run(wrong, request_for(), silent)
    assert caught.value.text_key == "youtube-blocked"
    assert PASSWORD not in f"{caught.value!r} {caught.value} {caught.value.__cause__!r}"
    assert youtube.proxy.refused_logins
    assert youtube.asked == []


async def test_the_loopback_lets_nobody_out_and_tells_who_tried(youtube: FakeYoutube) -> None:
    context = ssl.create_default_context(cafile=youtube.proxy.ca_file)
    async with httpx2.AsyncClient(proxy=youtube.proxy.url, verify=context, trust_env=False, timeout=10) as client:
        with pytest.raises(httpx2.ProxyError):
            await client.get("https://example.org/")
        assert (await client.get("https://www.youtube.com/watch?v=x")).status_code == 200
    assert youtube.proxy.unknown_hosts == ["example.org"]
