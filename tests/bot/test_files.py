"""Files that cannot be read as they are: a person is told why and what to do, and nothing stays open."""

import io
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.types import Message

from bot.files import TelegramFiles
from bot.i18n import Texts
from bot.readable_answers import ReadableAnswers
from bot.sandbox import Sandbox, start_sandbox
from core.errors import RateLimited, TransientError, UserError
from tests.bot.notes import GLACIER, ask, is_read
from tests.bot.people import Person, text_of
from tests.fakes.tones import WORDS, speech, write


@pytest.mark.parametrize(
    ("sample", "reason"),
    [
        pytest.param("enc_user.pdf", "защищён паролем", id="F2 a password"),
        pytest.param("zero.pdf", "Здесь пусто", id="F10 nothing"),
        pytest.param("bomb.docx", "при распаковке", id="F10 a bomb"),
        pytest.param("random.pdf", "поврежд", id="F10 noise"),
    ],
)
async def test_a_bad_file_ends_with_its_reason(anya: Person, samples_dir: Path, sample: str, reason: str) -> None:
    content = (samples_dir / "bad" / sample).read_bytes()
    await anya.send_file(content, sample)
    failed = await anya.sees("✖", seconds=60)
    assert reason in text_of(failed)
    assert text_of(failed).startswith("Прочитать не удалось")
    assert len(anya.from_bot()) == 1


async def test_f10_a_file_without_an_ending_and_one_with_a_hostile_name_are_read(anya: Person) -> None:
    await anya.send_file(GLACIER.encode(), "README")
    await anya.send_file("Столовая закрыта до пятого мая.".encode(), "../../" + "ы" * 200 + ".txt")
    await anya.sees("Прочитано 2")
    assert "семьдесят семь" in text_of(await ask(anya, "Какой длины ледник Федченко?"))


async def test_f6_a_byte_order_mark_never_shows(anya: Person) -> None:
    await anya.send_file(("\ufeff" + GLACIER).encode(), "дневник.md")
    await anya.sees(is_read)
    answer = await ask(anya, "Какой длины ледник Федченко?")
    await anya.tap("1", answer)
    assert "\ufeff" not in text_of(await anya.sees("[1]", after=answer))


# The way of the bytes: over aiogram's own client and real HTTP, from a server like Telegram's and from a local one

LIMIT = 20 * 1024 * 1024
Served = Callable[..., AbstractAsyncContextManager["Server"]]


@dataclass
class Server:
    """A sandbox with one person in it, and a client that knows what kind of server it is."""

    sandbox: Sandbox
    bot: Bot
    data: Path
    http: aiohttp.ClientSession

    async def given(self, content: bytes, name: str = "лекция.pdf", **fields: str) -> Any:
        """Have a person send a file; return its message."""
        async with self.http.post(f"{self.sandbox.url}/sandbox/users", json={"first_name": "Аня"}) as response:
            user = (await response.json())["id"]
        form = aiohttp.FormData(quote_fields=False)
        for key, value in fields.items():
            form.add_field(key, value)
        form.add_field("file", io.BytesIO(content), filename=name)
        url = f"{self.sandbox.url}/sandbox/users/{user}/chats/{user}/messages"
        async with self.http.post(url, data=form) as response:
            return (await response.json())[0]

    async def fault(self, **order: Any) -> None:
        """Order a failure."""
        async with self.http.post(f"{self.sandbox.url}/sandbox/faults", json=order) as response:
            assert response.status == 200

    def kept(self) -> list[Path]:
        """The files that the server in local mode holds."""
        return [path for path in (self.data / "server").rglob("*") if path.is_file()]


@pytest.fixture
def served(tmp_path: Path) -> Served:
    @asynccontextmanager
    async def serve(*, local: bool = False, local_as: str = "") -> AsyncIterator[Server]:
        data = tmp_path / "server"
        sandbox = await start_sandbox(data, local=local, local_as=local_as)
        session = AiohttpSession(api=TelegramAPIServer.from_base(sandbox.url, is_local=local))
        session.middleware(ReadableAnswers())
        try:
            async with Bot("42:SANDBOX", session=session) as bot, aiohttp.ClientSession() as http:
                yield Server(sandbox, bot, data, http)
        finally:
            await sandbox.close()

    return serve


async def test_a_file_comes_over_http(served: Served, tmp_path: Path) -> None:
    async with served() as server:
        message = await server.given(b"%PDF-1.7 body")
        await TelegramFiles(server.bot).fetch(message["document"]["file_id"], tmp_path / "target")
    assert (tmp_path / "target").read_bytes() == b"%PDF-1.7 body"


async def test_t5_a_file_that_turns_out_too_large_is_said_with_the_ways_out(served: Served, tmp_path: Path) -> None:
    async with served() as server:
        message = await server.given(bytes(LIMIT + 1))
        with pytest.raises(UserError) as refused:
            await TelegramFiles(server.bot).fetch(message["document"]["file_id"], tmp_path / "target")
    assert (refused.value.text_key, refused.value.values["limit_mb"]) == ("source-over-telegram", 20)
    said = Texts.load(strict=True)("ru")(refused.value.text_key, **refused.value.values)
    assert all(way in said for way in ("20 МБ", "Разделите", "ссылку"))


@pytest.mark.parametrize("visible", [True, False], ids=["on a disk we see", "on another machine"])
async def test_a_local_server_hands_over_more_than_20_mb(served: Served, tmp_path: Path, visible: bool) -> None:
    content = b"%PDF" + bytes(LIMIT)
    async with served(local=True, local_as="" if visible else "/var/lib/telegram-bot-api") as server:
        message = await server.given(content)
        await TelegramFiles(server.bot, local=True).fetch(message["document"]["file_id"], tmp_path / "target")
        kept = server.kept()
    assert (tmp_path / "target").read_bytes() == content
    assert [path.stat().st_size for path in kept] == [len(content)]
    assert kept[0].samefile(tmp_path / "target") is visible  # linked, not copied, and the server's stays


async def test_a_servers_disk_that_is_seen_elsewhere_is_found_below_the_root(served: Served, tmp_path: Path) -> None:
    async with served(local=True, local_as="/var/lib/telegram-bot-api") as server:
        message = await server.given(b"body")
        files = TelegramFiles(server.bot, local=True, root=server.data / "server")
        await files.fetch(message["document"]["file_id"], tmp_path / "target")
        assert server.kept()[0].samefile(tmp_path / "target")


async def test_a_file_is_taken_from_the_server_only_when_that_is_wanted(served: Served, tmp_path: Path) -> None:
    async with served(local=True) as server:
        message = await server.given(b"body")
        for take, left in ((False, 1), (True, 0)):
            files = TelegramFiles(server.bot, local=True, take=take)
            await files.fetch(message["document"]["file_id"], tmp_path / f"target-{take}")
            assert len(server.kept()) == left
            assert (tmp_path / f"target-{take}").read_bytes() == b"body"


@pytest.mark.parametrize("linked", [False, True], ids=["a path", "a link"])
async def test_nothing_outside_the_servers_directory_is_read(served: Served, tmp_path: Path, linked: bool) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "secret").write_bytes(b"secret")
    async with served(local=True) as server:
        message = await server.given(b"body")
        await server.bot.get_file(message["document"]["file_id"])
        root = server.data / "server" if linked else tmp_path / "elsewhere"
        if linked:
            [kept] = server.kept()
            kept.unlink()
            kept.symlink_to(tmp_path / "elsewhere" / "secret")
        files = TelegramFiles(server.bot, local=True, root=root)
        with pytest.raises(UserError, match="source-gone-remote"):
            await files.fetch(message["document"]["file_id"], tmp_path / "target")
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize(
    ("method", "fault", "error"),
    [
        ("getFile", {"kind": "server_error"}, TransientError),
        ("getFile", {"kind": "drop"}, TransientError),
        ("getFile", {"kind": "flood", "retry_after": 7}, RateLimited),
        ("download", {"kind": "server_error"}, TransientError),
        ("download", {"kind": "drop", "times": 3}, TransientError),  # the client asks again by itself once
        ("download", {"kind": "server_error", "status": 404}, UserError),
    ],
)
@pytest.mark.parametrize("local", [False, True])
async def test_what_fails_on_the_way_is_told_apart(
    served: Served, tmp_path: Path, method: str, fault: dict[str, Any], error: type[Exception], local: bool
) -> None:
    async with served(local=local, local_as="/var/lib/telegram-bot-api") as server:
        message = await server.given(b"body")
        await server.fault(method=method, **fault)
        with pytest.raises(error):
            await TelegramFiles(server.bot, local=local).fetch(message["document"]["file_id"], tmp_path / "target")


async def test_a_file_that_telegram_no_longer_has_is_gone(served: Served, tmp_path: Path) -> None:
    async with served() as server:
        with pytest.raises(UserError, match="source-gone-remote"):
            await TelegramFiles(server.bot).fetch("nonsense", tmp_path / "target")


@pytest.mark.parametrize(
    ("kind", "name", "options"),
    [
        ("voice", "voice.ogg", ("-c:a", "libopus")),
        ("audio", "song.mp3", ()),
        ("audio", "song.m4a", ()),
        ("audio", "song.flac", ()),
        ("video", "clip.mp4", ("-f", "lavfi", "-i", "color=s=64x48:r=5:d=3", "-t", "3")),
        ("video", "clip.webm", ("-f", "lavfi", "-i", "color=s=64x48:r=5:d=3", "-t", "3")),
        ("video_note", "note.mp4", ("-f", "lavfi", "-i", "color=s=64x64:r=5:d=3", "-t", "3")),
    ],
)
async def test_sounding_messages_look_like_telegrams(
    served: Served, tmp_path: Path, kind: str, name: str, options: tuple[str, ...]
) -> None:
    content = write(speech(WORDS[:3]), tmp_path / name, *options).read_bytes()
    async with served() as server:
        message = Message.model_validate(await server.given(content, name, kind=kind))
        media = getattr(message, kind)
        assert media.duration == 3
        assert media.file_size == len(content)
        if kind == "video_note":
            assert media.length == 64
        if kind == "video":
            assert (media.width, media.height) == (64, 48)
        await TelegramFiles(server.bot).fetch(media.file_id, tmp_path / "target")
    assert (tmp_path / "target").read_bytes() == content
