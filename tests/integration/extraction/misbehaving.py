"""Extractors that do what libraries do on a bad day; they run in the real child process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from core.errors import UserError
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

TRACE = "/tmp/konspekt-was-here"


@dataclass
class Extractor:
    """An extractor that is always available."""

    name: str = "misbehaving"
    deadline_s: float = 20.0
    memory_bytes: int = 1 << 30

    def unavailable(self) -> str:
        return ""


class Hangs(Extractor):
    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        progress(1, 2)
        threading.Event().wait()
        raise AssertionError("unreachable")


class HangsWithChild(Extractor):
    """Starts a process that would outlive it, and writes its number beside the file."""

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        child = subprocess.Popen([sys.executable, "-c", "import threading; threading.Event().wait()"])
        Path(request.path).write_text(f"{os.getpid()} {child.pid}")
        progress(1, 2)
        child.wait()
        raise AssertionError("unreachable")


class EatsMemory(Extractor):
    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        held = []
        while True:
            held.append(os.urandom(1) * (8 << 20))


class EatsMemoryInChild(Extractor):
    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        hungry = "x = []\nwhile True: x.append(b'1' * (8 << 20))"
        subprocess.run([sys.executable, "-c", hungry], check=True)
        raise AssertionError("unreachable")


class Dies(Extractor):
    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        os.kill(os.getpid(), 11)
        raise AssertionError("unreachable")


class Panics(Extractor):
    """As a Rust library does: not an Exception."""

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        raise PanicError("the words of the file")


class PanicError(BaseException):
    pass


class Refuses(Extractor):
    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        raise UserError("source-encrypted", {"pages": 3})


class Prints(Extractor):
    """Writes to both outputs, through Python and past it."""

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        print("chatter " * 1000, flush=True)
        os.write(1, b"\0" * 100_000)
        sys.stderr.write("more" * 100_000)
        progress(1, 1)
        return Document(text="Текст, который всё же дошёл.")


class TellsEnvironment(Extractor):
    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        return Document(text=" ".join(sorted(os.environ)))


class LeavesFile(Extractor):
    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        import tempfile

        handle, path = tempfile.mkstemp()
        os.close(handle)
        return Document(text=path)


class SendsCode(Extractor):
    """A child that a file has taken over: its answer would run something in the worker."""

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        return _Bomb()  # type: ignore[return-value]


class _Bomb:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (f"touch {TRACE}",)


class Slow(Extractor):
    """Reports each page."""

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        for page in (1, 2, 3):
            progress(page, 3)
        return Document(text="готово")


class ReadsNothing(Extractor):
    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        return Document(text="")
