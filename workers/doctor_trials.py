"""The doctor tries the programs of this machine: each does a tiny piece of its work."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from core.adapters.process_group import kill_group
from core.adapters.web.chromium import find_browser
from core.settings import Settings

PROGRAM_S = 60.0
"""LibreOffice starts in 5 s when the disk is cold and the machine busy."""
FREE_BYTES = 1 << 30
"""Below it neither originals nor the database can grow."""
GIGABYTE = 1 << 30


class Trouble(Exception):
    """Something does not work.

    Args:
        reason: A short code for operators.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


Trial = Callable[[Settings], Awaitable[str]]
"""Returns what was found to work, "" for what is not configured; raises Trouble otherwise."""


async def try_soffice(_: Settings) -> str:
    """Convert a text and a table."""
    _need("soffice")
    with _folder() as folder:
        (folder / "writer.txt").write_text("Проба", encoding="utf-8")
        (folder / "calc.csv").write_text("один,2\n", encoding="utf-8")
        profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
        names = [str(folder / name) for name in ("writer.txt", "calc.csv")]
        await run(
            "soffice", profile, "--headless", "--norestore", "--convert-to", "pdf", "--outdir", str(folder), *names
        )
        for part in ("writer", "calc"):
            made = folder / f"{part}.pdf"
            if not made.is_file() or not made.read_bytes().startswith(b"%PDF-"):
                raise Trouble(f"no-{part}")
    return "converts documents and tables"


async def try_tesseract(_: Settings) -> str:
    """Ask for its languages."""
    _need("tesseract")
    listed = (await run("tesseract", "--list-langs")).decode().split()
    if "rus" not in listed or "eng" not in listed:
        raise Trouble("no-russian")
    return "reads " + ", ".join(name for name in ("rus", "eng", "osd") if name in listed)


async def try_ffmpeg(_: Settings) -> str:
    """Make a voice message and convert it."""
    for program in ("ffmpeg", "ffprobe"):
        _need(program)
    with _folder() as folder:
        voice, target = str(folder / "voice.ogg"), folder / "voice.flac"
        quiet = ("-nostdin", "-hide_banner", "-v", "error")
        await run("ffmpeg", *quiet, "-f", "lavfi", "-i", "sine=d=0.5", "-c:a", "libopus", "-y", voice)
        await run("ffmpeg", *quiet, "-i", voice, "-ar", "16000", "-ac", "1", "-y", str(target))
        if not target.is_file() or not target.stat().st_size:
            raise Trouble("nothing-converted")
    return "converts voice messages"


async def try_browser(settings: Settings) -> str:
    """Start it and have a page's script write something."""
    program = find_browser(settings.web.browser)
    if not program:
        raise Trouble("not-installed")
    page = "data:text/html,<p id=p></p><script>p.textContent='kon'+6*7</script>"
    root = ["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    with _folder() as folder:
        shown = await run(
            program, *root, "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--proxy-server=127.0.0.1:9", f"--user-data-dir={folder}", "--dump-dom",
            page,
        )  # fmt: skip
    if b"kon42" not in shown:
        raise Trouble("page-not-read")
    return f"{Path(program).name} draws pages"


async def try_disk(settings: Settings) -> str:
    """Look for room in the data folder, and for the right to write there."""
    folder = settings.data.dir.expanduser().resolve()
    there = next(parent for parent in (folder, *folder.parents) if parent.is_dir())
    free = shutil.disk_usage(there).free
    if free < FREE_BYTES:
        raise Trouble("full")
    try:
        tempfile.TemporaryFile(dir=there).close()
    except OSError as error:
        raise Trouble("read-only") from error
    return f"{free / GIGABYTE:.0f} GB free in {folder}"


TRIALS: dict[str, Trial] = {
    "disk": try_disk,
    "tesseract": try_tesseract,
    "ffmpeg": try_ffmpeg,
    "soffice": try_soffice,
    "browser": try_browser,
}


async def run(*command: str) -> bytes:
    """Run a program in a process group of its own and return what it prints; nothing of it is left.

    Raises:
        Trouble: It fails, does not end or cannot be started.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=sys.platform != "win32",
        )
    except OSError as error:
        raise Trouble("not-started") from error
    try:
        async with asyncio.timeout(PROGRAM_S):
            printed, _ = await process.communicate()
    except TimeoutError as error:
        raise Trouble("timeout") from error
    finally:
        kill_group(process.pid)
        await process.wait()
    if process.returncode:
        raise Trouble(f"exit-{process.returncode}")
    return printed


def _need(program: str) -> None:
    if not shutil.which(program):
        raise Trouble("not-installed")


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="konspekt-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
