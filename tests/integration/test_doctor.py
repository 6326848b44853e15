"""The doctor really tries what can be tried, and says of the rest what to do."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest
from aiohttp import web

from bot.sandbox import start_sandbox
from core.model.document import Document
from core.model.source import SourceKind
from core.ports.documents import Cascade, ExtractionRequest, Progress
from core.settings import Settings
from tests.fakes.openai_behaviours import error
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.tones import listen
from tests.fakes.transcription import FakeTranscription, page, refusal
from tests.fakes.youtube_proxy import Reply, Request, TlsProxy
from tests.integration.extraction.reading import CASCADES
from workers import doctor_trials
from workers.doctor import Finding, examine, installed, look
from workers.doctor_help import HELP, advice
from workers.doctor_services import SERVICES, a_second_of_silence
from workers.doctor_trials import TRIALS


def settings(**groups: dict[str, Any]) -> Settings:
    return Settings(_env_file=None, **groups)


async def ask(name: str, **groups: dict[str, Any]) -> Finding:
    """Have one service looked at."""
    [(part, check)] = [(part, check) for (part, known), check in SERVICES.items() if known == name]
    return await look(part, name, check(settings(**groups)))


async def attempt(name: str, **groups: dict[str, Any]) -> Finding:
    """Have one program tried."""
    return await look("trial", name, TRIALS[name](settings(**groups)))


# Levels


@dataclass(frozen=True)
class Level:
    """A level that cannot work for a reason."""

    name: str
    reason: str
    deadline_s: float = 1.0

    def unavailable(self) -> str:
        return self.reason

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        raise NotImplementedError


def test_every_level_of_the_cascades_given_is_named_with_what_to_do() -> None:
    levels = (Level("speech-to-text", "not-configured"), Level("gotenberg", ""))
    cascades = {SourceKind.AUDIO: Cascade(levels[:1], page_rescue=levels[1:])}
    found = [finding for finding in installed(cascades) if finding.part.startswith("extractor")]
    assert [(one.part, one.name, one.works) for one in found] == [
        ("extractor audio 1", "speech-to-text", False),
        ("extractor audio 2", "gotenberg", True),
    ]
    assert "SPEECH_BASE_URL" in found[0].advice
    assert found[1].advice == ""


def test_no_level_that_cannot_work_here_is_left_without_advice() -> None:
    for finding in installed(CASCADES):
        assert bool(finding.advice) is not finding.works


@pytest.mark.parametrize(
    ("name", "reason", "word"),
    [
        ("tesseract", "no-russian", "tesseract-ocr-rus"),
        ("soffice+docling", "not-installed", "LibreOffice"),
        ("ddjvu+tesseract", "not-installed", "djvulibre-bin"),
        ("docling-html", "not-installed", "worker"),
        ("youtube-transcript-api", "not-installed", "worker"),
        ("language", "llm-auth", "key"),
        ("speech", "speech-unknown-model", "name"),
        ("vision", "vision-no-credit", "top it up"),
        ("telegram", "http-401", "@BotFather"),
        ("jina", "http-401", "key"),
        ("postgres", "ConnectionRefusedError", "DATABASE_URL"),
        ("something-new", "of-which-nobody-knew", "LOG_LEVEL"),
    ],
)
def test_the_advice_fits(name: str, reason: str, word: str) -> None:
    assert word in advice(name, reason)


def test_every_advice_is_one_short_sentence_and_can_be_reached() -> None:
    for (name, reason), sentence in HELP.items():
        assert len(sentence) <= 120, sentence
        assert sentence.endswith("."), sentence
        assert advice(name, reason) == sentence


# Programs


@pytest.mark.parametrize("name", list(TRIALS))
async def test_the_programs_of_this_machine_are_tried(name: str, tmp_path: Path) -> None:
    finding = await attempt(name, data={"dir": tmp_path / "not" / "there" / "yet"})
    assert finding.works, finding


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Replace the machine's programs by scripts of one's own."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for needed in ("sh", "sleep", "cat"):
        (folder / needed).symlink_to(str(shutil.which(needed)))
    monkeypatch.setenv("PATH", str(folder))

    def put(name: str, script: str) -> None:
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)

    return put


@pytest.mark.parametrize("name", [name for name in TRIALS if name != "disk"])
async def test_a_program_that_is_not_there_is_named_with_its_package(
    programs: Callable[[str, str], None], name: str
) -> None:
    finding = await attempt(name)
    assert (finding.works, finding.detail) == (False, "not-installed")
    assert "system_packages.sh" in finding.advice


@pytest.mark.parametrize(
    ("name", "program", "script", "reason"),
    [
        ("tesseract", "tesseract", "echo eng", "no-russian"),
        ("soffice", "soffice", "exit 0", "no-writer"),
        ("soffice", "soffice", "exit 77", "exit-77"),
        ("ffmpeg", "ffmpeg", "exit 0", "nothing-converted"),
        ("browser", "chromium", "echo '<html></html>'", "page-not-read"),
        ("browser", "chromium", "exit 1", "exit-1"),
    ],
)
async def test_a_program_that_is_there_and_does_not_work_is_found_out(
    programs: Callable[[str, str], None], name: str, program: str, script: str, reason: str
) -> None:
    programs(program, script)
    programs("ffprobe", "exit 0")
    finding = await attempt(name)
    assert (finding.works, finding.detail) == (False, reason)
    assert finding.advice


async def test_a_program_that_hangs_is_ended_with_all_it_started(
    programs: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(doctor_trials, "PROGRAM_S", 0.5)
    programs("tesseract", f"sleep 600 & echo $! > {tmp_path}/child; wait")
    finding = await attempt("tesseract")
    assert (finding.works, finding.detail) == (False, "timeout")
    child = int((tmp_path / "child").read_text())
    assert not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE


async def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor_trials, "FREE_BYTES", 1 << 60)
    finding = await attempt("disk", data={"dir": tmp_path})
    assert (finding.works, finding.detail) == (False, "full")
    assert "DATA_DIR" in finding.advice


async def test_a_folder_that_may_not_be_written_to_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_trials, "FREE_BYTES", 0)  # there is no room in it either
    finding = await attempt("disk", data={"dir": "/proc"})
    assert (finding.works, finding.detail) == (False, "read-only")
    assert "DATA_DIR" in finding.advice


# Services


@dataclass
class Answers:
    """A server that answers everything alike, and keeps what it was asked."""

    url: str = ""
    status: int = 200
    body: bytes = b""
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        await request.read()
        self.asked.append((request.method, request.raw_path, dict(request.headers)))
        return web.Response(status=self.status, body=self.body)


@pytest.fixture
async def answers() -> AsyncIterator[Answers]:
    server = Answers()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", server.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield server
    await runner.cleanup()


@pytest.mark.parametrize("name", [name for _, name in SERVICES])
async def test_what_is_not_configured_is_no_error(name: str) -> None:
    finding = await ask(name)
    assert (finding.works, finding.detail) == (None, "not configured")
    assert finding.advice


async def test_a_vision_model_is_shown_a_picture() -> None:
    async with FakeOpenAI() as server:
        group = {"base_url": server.url, "model": "eye", "api_key": "k"}
        assert (await ask("vision", vision=group)).works
        content = server.requests[0]["messages"][0]["content"]
        assert content[1]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")
        server.script(error(401, "wrong key"))
        refused = await ask("vision", vision=group)
    assert (refused.works, refused.detail) == (False, "vision-auth")
    assert "key" in refused.advice


async def test_a_speech_service_is_given_sound() -> None:
    async with FakeTranscription() as server:
        group = {"base_url": server.url, "model": "ear"}
        assert (await ask("speech", speech=group)).works
        assert server.requests[0].seconds == pytest.approx(1.0)
        for trouble, reason in (
            (page(), None),
            (refusal(404), "speech-unknown-model"),
            (page(502), "speech-unavailable"),
        ):
            server.script(trouble)
            finding = await ask("speech", speech=group)
            assert (finding.works, finding.detail if reason else None) == (not reason, reason)


def test_the_sound_is_sound() -> None:
    assert listen(a_second_of_silence()) == ((), 1.0)


async def test_gotenberg_prints(answers: Answers) -> None:
    answers.body = b"%PDF-1.7"
    assert (await ask("gotenberg", gotenberg={"url": answers.url})).works
    assert answers.asked[0][:2] == ("POST", "/forms/libreoffice/convert")
    answers.body = b"<html>"
    assert (await ask("gotenberg", gotenberg={"url": answers.url})).detail == "broken-reply"


@pytest.mark.parametrize(
    ("name", "body", "asked"),
    [("jina", b"# Page", ("GET", "/https://example.com")), ("firecrawl", b'{"success": true}', ("POST", "/v2/scrape"))],
)
async def test_readers_of_pages_are_asked_for_a_page(
    answers: Answers, name: str, body: bytes, asked: tuple[str, str]
) -> None:
    answers.body = body
    group = {"url": answers.url, "api_key": "fc-key"}
    assert (await ask(name, **{name: group})).works
    assert answers.asked[0][:2] == asked
    assert answers.asked[0][2]["Authorization"] == "Bearer fc-key"
    answers.body = b""
    assert (await ask(name, **{name: group})).detail == "broken-reply"
    for status, word in ((401, "key"), (402, "top it up"), (429, "wait")):
        answers.status = status
        refused = await ask(name, **{name: group})
        assert (refused.works, refused.detail) == (False, f"http-{status}")
        assert word in refused.advice


@pytest.mark.parametrize("name", ["gotenberg", "jina", "firecrawl"])
async def test_a_service_that_is_down_is_away(name: str) -> None:
    finding = await ask(name, **{name: {"url": "http://127.0.0.1:9"}})
    assert (finding.works, finding.detail) == (False, "away")
    assert ".env" in finding.advice


async def test_a_proxy_leads_to_youtube() -> None:
    async def no_content(_: Request) -> Reply:
        return Reply(status=204)

    async with TlsProxy(no_content, user="u", password="p") as proxy:
        address = proxy.url.split("@")[-1].removeprefix("http://")
        right = {"proxy": f"http://u:p@{address}", "ca_file": str(proxy.ca_file)}
        assert (await ask("proxy", youtube=right)).works
        wrong = await ask("proxy", youtube={**right, "proxy": f"http://u:wrong@{address}"})
        unknown = await ask("proxy", youtube={"proxy": right["proxy"]})
    assert (wrong.works, wrong.detail) == (False, "http-407")
    assert (unknown.works, unknown.detail) == (False, "certificate")
    missing = await ask("proxy", youtube={**right, "ca_file": "/nonexistent"})
    assert missing.detail == "no-ca-file"


@pytest.mark.parametrize("local", [False, True])
async def test_telegram_is_asked_who_the_bot_is(tmp_path: Path, local: bool) -> None:
    sandbox = await start_sandbox(tmp_path, local=local)
    try:
        server = {"api_url": sandbox.url, "local": local}
        found = await ask("telegram", bot={"token": "42:SANDBOX"}, telegram=server)
        stranger = await ask("telegram", bot={"token": "42:OTHER"}, telegram=server)
    finally:
        await sandbox.close()
    assert found.works
    assert ("2 GB" if local else "20 MB") in found.detail
    assert (stranger.works, stranger.detail) == (False, "http-401")
    assert "OTHER" not in repr(stranger)


async def test_local_mode_without_a_server_of_ones_own_is_a_mistake() -> None:
    finding = await ask("telegram", bot={"token": "42:T"}, telegram={"local": True})
    assert (finding.works, finding.detail) == (False, "local-without-url")


# All together


async def test_all_of_it_is_looked_at_whatever_fails(programs: Callable[[str, str], None], tmp_path: Path) -> None:
    nowhere: dict[str, Any] = {
        "database": {"url": "postgresql://nobody@127.0.0.1:9/none"},
        "redis": {"url": "redis://127.0.0.1:9"},
        "data": {"dir": tmp_path},
        "embedding": {"base_url": "http://127.0.0.1:9", "model": "e"},
        "speech": {"base_url": "http://127.0.0.1:9", "model": "s"},
        "gotenberg": {"url": "http://127.0.0.1:9"},
    }
    found = [finding async for finding in examine(settings(**nowhere))]
    broken = {finding.name for finding in found if finding.works is False and finding.part in ("service", "model")}
    assert broken >= {"postgres", "redis", "embedding", "speech", "gotenberg"}
    assert {finding.name for finding in found if finding.part == "trial"} == set(TRIALS)
    assert all(finding.advice for finding in found if finding.works is False)
