"""Run a task in a process group of its own that is killed when it takes too long, too much, or nobody waits."""

from __future__ import annotations

import asyncio
import io
import os
import pickle
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass

import structlog

from core.adapters.extractor_child import LENGTH, Task
from core.adapters.process_group import kill_group, resident_bytes
from core.errors import KonspektError, TransientError
from core.ingest.cascade import ExtractionFailed, ExtractionOutOfMemory, ExtractionTimeout
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Extractor, Level, Progress, ServiceExtractor

log = structlog.get_logger()

SAMPLE_S = 0.2
# Between two looks at the memory of the group.

MAX_FRAME_BYTES = 512 * 1024 * 1024
# An answer larger than this is not a text.

_PASSED_ON = (
    "PATH",
    "LD_LIBRARY_PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TESSDATA_PREFIX",
    "HF_HOME",
    "DOCLING_ARTIFACTS_PATH",
)
# The child reads what strangers send: it gets no token, no password and no database address.

_ANSWERS = frozenset(
    {
        "core.adapters.extractors.preflight",
        "core.errors",
        "core.ingest.extraction_failures",
        "core.model.document",
        "core.model.source",
    }
)
# The modules in which the classes of an honest answer live.


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may use.

    Attributes:
        deadline_s: From its start to its answer.
        memory_bytes: Resident memory of all processes of its group together.
    """

    deadline_s: float
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class _ExtractTask:
    """One extractor with what it shall read."""

    extractor: Extractor
    request: ExtractionRequest

    def __call__(self, progress: Progress) -> Document:
        return self.extractor.extract(self.request, progress)


class KillableRunner:
    """Runs one extractor in a process group of its own, or awaits one that asks a service."""

    async def run(self, extractor: Level, request: ExtractionRequest, progress: Progress) -> Document:
        """Return its document.

        Raises:
            ExtractionTimeout, ExtractionOutOfMemory: It was killed.
            ExtractionFailed: It broke, or its process ended without an answer.
            UserError, PermanentError: As the extractor raised them.
            TransientError: No process could be started.
        """
        if isinstance(extractor, ServiceExtractor):
            return await _await(extractor, request, progress)
        limits = Limits(extractor.deadline_s, extractor.memory_bytes)
        result = await run_killable(_ExtractTask(extractor, request), limits, progress)
        if not isinstance(result, Document):
            raise _failed("no-document")
        return result


async def _await(extractor: ServiceExtractor, request: ExtractionRequest, progress: Progress) -> Document:
    """Let an extractor ask its service, until its deadline; what breaks in it breaks nothing else."""
    try:
        async with asyncio.timeout(extractor.deadline_s):
            return await extractor.read(request, progress)
    except KonspektError:
        raise
    except TimeoutError as error:
        raise ExtractionTimeout("extraction-timeout", {"code": f"after-{extractor.deadline_s:g}-s"}) from error
    except Exception as error:
        log.exception("extractor_broke", extractor=extractor.name)
        raise _failed(type(error).__name__) from error


async def run_killable(task: Task, limits: Limits, progress: Progress) -> object:
    """Run a picklable task in a child and return what it returns; the whole group is gone afterwards, in every case."""
    with tempfile.TemporaryDirectory(prefix="konspekt-", ignore_cleanup_errors=True) as scratch:
        child = await _start(scratch)
        try:
            return await _within(child, task, limits, progress)
        finally:
            kill_group(child.pid)
            await asyncio.shield(child.wait())


async def _start(scratch: str) -> asyncio.subprocess.Process:
    """Start the child as the leader of a new session, with an environment that holds no secret."""
    environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    environment |= {
        "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path),
        "TMPDIR": scratch,
        "HF_HUB_OFFLINE": "1",  # a hub that accepts and never answers hangs docling for minutes
        "OMP_THREAD_LIMIT": "1",
    }
    try:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "core.adapters.extractor_child", str(os.getpid()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,  # what libraries print may hold words of the file
            env=environment,
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise TransientError("extraction-no-process") from error


async def _within(child: asyncio.subprocess.Process, task: Task, limits: Limits, progress: Progress) -> object:
    """Wait for the answer, the deadline or the memory limit, whatever comes first."""
    try:
        async with asyncio.timeout(limits.deadline_s), asyncio.TaskGroup() as group:
            guard = group.create_task(_watch(child.pid, limits.memory_bytes))
            answer = await _converse(child, task, progress)
            guard.cancel()
        return answer
    except TimeoutError as error:
        raise ExtractionTimeout("extraction-timeout", {"code": f"after-{limits.deadline_s:g}-s"}) from error
    except ExceptionGroup as group_error:
        raise group_error.exceptions[0] from None


async def _converse(child: asyncio.subprocess.Process, task: Task, progress: Progress) -> object:
    """Send the task and read frames until the result stands in one."""
    assert child.stdin is not None
    assert child.stdout is not None
    with suppress(ConnectionError):  # a child that died at once says so by its missing answer
        child.stdin.write(pickle.dumps(task))
        await child.stdin.drain()
        child.stdin.close()
    while True:
        try:
            kind, value = await _frame(child.stdout)
        except asyncio.IncompleteReadError:
            raise _failed(_ending(await child.wait())) from None
        if kind == "progress" and isinstance(value, tuple):
            done, total = value
            progress(done, total)
        else:
            return _opened(kind, value)


async def _frame(pipe: asyncio.StreamReader) -> tuple[str, object]:
    """Read one frame; refuse what is too long or names a class that has no business in an answer."""
    (length,) = LENGTH.unpack(await pipe.readexactly(LENGTH.size))
    if length > MAX_FRAME_BYTES:
        raise _failed("answer-too-long")
    body = await pipe.readexactly(length)
    try:
        kind, value = await asyncio.to_thread(_Answers(io.BytesIO(body)).load)
    except (pickle.UnpicklingError, ValueError, TypeError, AttributeError, ImportError) as error:
        raise _failed("answer-malformed") from error
    return kind, value


class _Answers(pickle.Unpickler):
    """Opens an answer: a child that a hostile file has taken over must not choose what runs in the worker."""

    def find_class(self, module: str, name: str) -> object:
        """Return a class of the product's values or errors."""
        if module in _ANSWERS and "." not in name:
            found = super().find_class(module, name)
            if isinstance(found, type):
                return found
        raise pickle.UnpicklingError(f"{module}.{name}")


def _opened(kind: str, value: object) -> object:
    """Return a result, or raise what the child raised."""
    if kind == "result":
        return value
    if kind == "raised" and isinstance(value, KonspektError):
        raise value
    if value == "out-of-memory":
        raise ExtractionOutOfMemory("extraction-out-of-memory", {"code": "refused-by-system"})
    raise _failed(str(value))


def _failed(code: str) -> ExtractionFailed:
    return ExtractionFailed("extraction-failed", {"code": code})


def _ending(status: int) -> str:
    """Word how a process without an answer ended."""
    return f"signal-{-status}" if status < 0 else f"exit-{status}"


async def _watch(pid: int, memory_bytes: int) -> None:
    """Raise as soon as the group holds too much memory."""
    while True:
        if await asyncio.to_thread(resident_bytes, pid) > memory_bytes:
            raise ExtractionOutOfMemory("extraction-out-of-memory", {"code": f"above-{memory_bytes >> 20}-mb"})
        await asyncio.sleep(SAMPLE_S)
