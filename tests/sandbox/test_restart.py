"""The state after a restart, and after a kill."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from bot.sandbox import start_sandbox

ROOT = Path(__file__).parents[2]


async def test_everything_is_there_after_a_restart(hand_on, tmp_path):
    first = await start_sandbox(tmp_path)
    play = hand_on(first.url)
    ada = await play.friend()
    [message] = await play.upload(ada, ("a.txt", b"kept"))
    sent = await play.ok("sendMessage", chat_id=ada["id"], text="x")
    await play.ok("setMyCommands", commands=[{"command": "ask", "description": "Ask"}])
    await first.close()

    second = await start_sandbox(tmp_path)
    play = hand_on(second.url)
    [update] = await play.updates()
    later = await play.ok("sendMessage", chat_id=ada["id"], text="y")
    bob = await play.user("Bob")
    await play.say(ada, "z")
    [next_update] = await play.updates()
    file = await play.ok("getFile", file_id=message["document"]["file_id"])
    state = await play.people("GET", "/state")
    await second.close()

    assert update["message"]["document"] == message["document"]
    assert next_update["update_id"] == update["update_id"] + 1
    assert later["message_id"] == sent["message_id"] + 1
    assert bob["id"] == ada["id"] + 1
    assert file["file_size"] == 4
    assert state["bot"]["commands"] == [{"command": "ask", "description": "Ask"}]


@pytest.fixture
async def processes():
    """Starts the emulator as a process; what is left is killed at the end."""
    started = []

    async def start(data):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot.sandbox", "--port", "0", "--data", str(data),
            stdout=asyncio.subprocess.PIPE, cwd=ROOT,
        )  # fmt: skip
        started.append(process)
        line = (await asyncio.wait_for(process.stdout.readline(), 30)).decode()
        return process, line.removeprefix("sandbox ready ").strip()

    yield start
    for process in started:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_what_was_answered_outlives_a_kill(processes, hand_on, tmp_path):
    process, url = await processes(tmp_path)
    play = hand_on(url)
    ada = await play.friend()
    for number in range(20):
        last = await play.ok("sendMessage", chat_id=ada["id"], text=str(number))
    await play.say(ada, "pending")
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()

    process, url = await processes(tmp_path)
    play = hand_on(url)

    assert [m["text"] for m in await play.history(ada)] == ["/start", *map(str, range(20)), "pending"]
    assert [update["message"]["text"] for update in await play.updates()] == ["pending"]
    assert (await play.ok("sendMessage", chat_id=ada["id"], text="x"))["message_id"] == last["message_id"] + 2
    process.terminate()
    assert await process.wait() == 0
