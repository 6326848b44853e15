"""`make run` brings everything up, ends it with one signal, and finds its data the next time."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from core.adapters.embedded_services import find_running
from core.settings import Settings

ROOT = Path(__file__).parents[2]
READY_WITHIN_S = 110
END_WITHIN_S = 40


def environment(data_dir: Path) -> dict[str, str]:
    """Our own environment without any setting, but for a place of its own and a free port."""
    groups = tuple(f"{name.upper()}_" for name in Settings.model_fields)
    plain = {name: value for name, value in os.environ.items() if not name.startswith(groups)}
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    return {**plain, "DATA_DIR": str(data_dir), "SANDBOX_PORT": str(port)}


@contextmanager
def run(variables: dict[str, str]) -> Iterator["tuple[subprocess.Popen[str], list[str]]"]:
    """Everything running, with its console up to the line that says where to go."""
    command = [sys.executable, "-m", "workers.standalone"]
    with subprocess.Popen(
        command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        console = []
        for line in process.stdout:
            console.append(line)
            if "Konspekt is ready" in line:
                break
        try:
            yield process, console
        finally:
            process.kill()


def end(process: "subprocess.Popen[str]", number: int, console: list[str]) -> None:
    process.send_signal(number)
    said, _ = process.communicate(timeout=END_WITHIN_S)
    console.extend(said.splitlines(keepends=True))


def ask(address: str, sent: dict[str, str] | None = None) -> dict[str, Any]:
    """Call the sandbox: GET, or POST of what is sent."""
    body = None if sent is None else json.dumps(sent).encode()
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def still_running(data_dir: Path) -> list[int]:
    """Processes that were started for a data directory, whoever their parent is now."""
    found = []
    for process in psutil.process_iter():
        try:
            mentions = [*process.cmdline(), process.environ().get("DATA_DIR", "")]
        except psutil.Error:
            continue
        if process.pid != os.getpid() and any(str(data_dir) in text for text in mentions):
            found.append(process.pid)
    return found


@pytest.mark.timeout(2 * (READY_WITHIN_S + END_WITHIN_S))
def test_everything_comes_up_ends_with_one_signal_and_keeps_its_data(data_dir: Path) -> None:
    variables = environment(data_dir)

    with run(variables) as (process, console):
        address = f"http://127.0.0.1:{variables['SANDBOX_PORT']}/"
        assert any(address in line for line in console), "".join(console)
        with urllib.request.urlopen(address, timeout=30) as page:
            assert page.status == 200
        anna = ask(address + "sandbox/users", {"first_name": "Анна"})
        end(process, signal.SIGINT, console)

    assert process.returncode == 0
    assert find_running(data_dir) is None
    assert still_running(data_dir) == []
    assert "Traceback" not in "".join(console)

    with run(variables) as (process, console):
        assert any(address in line for line in console), "".join(console)
        assert anna in ask(address + "sandbox/state")["users"]
        end(process, signal.SIGTERM, console)

    assert process.returncode == 0
    assert still_running(data_dir) == []
