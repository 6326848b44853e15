"""Have a recording read as the worker does, in small pieces so that tests are short."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.adapters.extractors.speech import SpeechToText
from core.adapters.killable import KillableRunner
from core.ingest.cascade import Reading, read
from core.model.document import Document
from core.model.source import SourceKind
from core.ports.documents import Cascade, ExtractionRequest
from tests.fakes.transcription import FakeTranscription

KEY = "sk-secret-of-the-worker"


def extractor(service: FakeTranscription, **options: Any) -> SpeechToText:
    """The extractor, with pauses that a test can wait for."""
    return SpeechToText(service.url, KEY, "whisper-1", **{"pause_s": 0.01, **options})


def request(path: Path, **options: Any) -> ExtractionRequest:
    return ExtractionRequest(str(path), SourceKind.AUDIO, path.name, **options)


async def hear(one: SpeechToText, path: Path, **options: Any) -> Document:
    """Read a recording."""
    return await KillableRunner().run(one, request(path, **options), lambda _done, _total: None)


async def cascade(one: SpeechToText, path: Path) -> Reading:
    """Read a recording through the cascade."""
    return await read(Cascade((one,)), request(path), runner=KillableRunner(), progress=lambda _done, _total: None)


def words(document: Document) -> list[str]:
    """The words of a text, without full stops."""
    return document.text.replace(".", "").split()


def said_at(document: Document) -> dict[str, float | None]:
    """When each word of a text is said."""
    return {word: document.time_at(document.text.index(word)) for word in words(document)}
