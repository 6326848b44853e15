"""A child process is bounded, and nothing of it stays behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from core.adapters.extractors.plain_text import PlainText
from core.adapters.killable import KillableRunner
from core.errors import UserError
from core.ingest.cascade import ExtractionFailed, ExtractionOutOfMemory, ExtractionTimeout
from core.model.source import Outcome, SourceKind
from core.ports.documents import Cascade, ExtractionRequest
from tests.integration.extraction import misbehaving as bad
from tests.integration.extraction.reading import read_file, run


def _gone(pid: int) -> bool:
    """A process that ended, reaped or not."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


async def _until(reached: Callable[[], bool]) -> bool:
    """Look every 50 ms whether something came about, 20 seconds at most: other processes tell no event."""
    for _ in range(400):
        if reached():
            return True
        await asyncio.sleep(0.05)
    return False


async def _until_gone(*pids: int) -> bool:
    """Wait for processes to end."""
    return await _until(lambda: all(map(_gone, pids)))


async def _until_told(path: Path) -> list[int]:
    """Wait until an extractor has written its process numbers."""
    assert await _until(lambda: len(path.read_text().split()) == 2)
    return list(map(int, _words_in(path)))


def _words_in(path: Path) -> list[str]:
    return path.read_text().split()


async def test_f3_a_parser_that_hangs_is_killed_and_the_next_one_reads(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("Заметка о парке")
    reading = await read_file(path, SourceKind.PLAIN_FILE, Cascade((bad.Hangs("hangs", deadline_s=1.0), PlainText())))
    assert reading.document is not None
    assert reading.document.text == "Заметка о парке"
    assert [(attempt.extractor, attempt.outcome) for attempt in reading.attempts] == [
        ("hangs", Outcome.TIMEOUT),
        ("plain-text", Outcome.WON),
    ]
    assert reading.attempts[0].reason == "after-1-s"
    assert 1.0 <= reading.attempts[0].seconds < 5.0


async def test_f3_the_worker_serves_others_while_a_parser_hangs(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("Другая заметка")
    async with asyncio.TaskGroup() as group:
        hanging = group.create_task(_outcome(bad.Hangs(deadline_s=3.0), path))
        other = await run(PlainText(), path, SourceKind.PLAIN_FILE)
        assert other.text == "Другая заметка"
        assert not hanging.done()
    assert isinstance(hanging.result(), ExtractionTimeout)


async def _outcome(extractor: bad.Extractor, path: Path) -> BaseException | None:
    try:
        await run(extractor, path)  # type: ignore[arg-type]
    except Exception as error:  # noqa: BLE001 - whatever it is, the test looks at it
        return error
    return None


async def test_a_killed_extractor_takes_its_own_children_along(tmp_path: Path) -> None:
    path = tmp_path / "pids"
    path.touch()
    assert isinstance(await _outcome(bad.HangsWithChild(deadline_s=2.0), path), ExtractionTimeout)
    assert await _until_gone(*await _until_told(path))


async def test_cancelling_the_reader_ends_the_whole_group(tmp_path: Path) -> None:
    path = tmp_path / "pids"
    path.touch()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(run(bad.HangsWithChild(), path))
        pids = await _until_told(path)
        task.cancel()
    assert task.cancelled()
    assert await _until_gone(*pids)


async def test_a_child_ends_with_a_worker_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "pids"
    path.touch()
    program = (
        "import asyncio, sys; from pathlib import Path\n"
        "from tests.integration.extraction.misbehaving import Hangs, HangsWithChild\n"
        "from tests.integration.extraction.reading import run\n"
        f"asyncio.run(run(HangsWithChild(), Path({str(path)!r})))"
    )
    worker = await asyncio.create_subprocess_exec(sys.executable, "-c", program, start_new_session=True)
    try:
        child, grandchild = await _until_told(path)
    finally:
        worker.kill()
        await worker.wait()
    assert await _until_gone(child)
    os.kill(grandchild, signal.SIGKILL)


@pytest.mark.parametrize("extractor", [bad.EatsMemory, bad.EatsMemoryInChild])
async def test_a_group_that_holds_too_much_memory_is_killed(extractor: type, tmp_path: Path) -> None:
    error = await _outcome(extractor(memory_bytes=200 << 20), tmp_path)
    assert isinstance(error, ExtractionOutOfMemory)
    assert error.values == {"code": "above-200-mb"}


async def test_a_crash_is_told_by_its_signal(tmp_path: Path) -> None:
    error = await _outcome(bad.Dies(), tmp_path)
    assert isinstance(error, ExtractionFailed)
    assert error.values == {"code": "signal-11"}


async def test_a_panic_is_told_by_its_class_without_its_words(tmp_path: Path) -> None:
    error = await _outcome(bad.Panics(), tmp_path)
    assert isinstance(error, ExtractionFailed)
    assert error.values == {"code": "PanicError"}


async def test_an_error_of_the_product_comes_through_as_it_is(tmp_path: Path) -> None:
    error = await _outcome(bad.Refuses(), tmp_path)
    assert type(error) is UserError
    assert (error.text_key, error.values) == ("source-encrypted", {"pages": 3})


async def test_what_a_library_prints_does_not_spoil_the_answer(tmp_path: Path) -> None:
    document = await run(bad.Prints(), tmp_path)
    assert document.text == "Текст, который всё же дошёл."


async def test_the_child_gets_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KONSPEKT_BOT_TOKEN", "secret")
    document = await run(bad.TellsEnvironment(), tmp_path)
    assert "KONSPEKT_BOT_TOKEN" not in document.text.split()
    assert "HF_HUB_OFFLINE" in document.text.split()


async def test_temporary_files_of_a_child_are_removed(tmp_path: Path) -> None:
    document = await run(bad.LeavesFile(), tmp_path)
    assert "konspekt-" in document.text
    assert not os.path.exists(document.text)  # noqa: ASYNC240


async def test_an_answer_cannot_run_code_in_the_worker(tmp_path: Path) -> None:
    error = await _outcome(bad.SendsCode(), tmp_path)
    assert isinstance(error, ExtractionFailed)
    assert error.values == {"code": "answer-malformed"}
    assert not os.path.exists(bad.TRACE)  # noqa: ASYNC240


async def test_progress_reaches_the_worker_in_order(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    request = ExtractionRequest(str(tmp_path), SourceKind.PDF)
    await KillableRunner().run(bad.Slow(), request, lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]
