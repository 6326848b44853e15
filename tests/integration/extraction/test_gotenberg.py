"""Office files printed by a service: what it gives, and every way in which it fails."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.adapters.extractors.docling_native import DoclingNative
from core.adapters.extractors.docx_text import DocxText
from core.adapters.extractors.gotenberg import GotenbergDocuments
from core.adapters.extractors.liteparse_pdf import LiteparsePdf
from core.adapters.killable import KillableRunner
from core.errors import TransientError
from core.ingest.cascade import ExtractionFailed, ExtractionTimeout
from core.model.document import Document
from core.model.source import Outcome, SourceKind
from core.ports.documents import Cascade, ExtractionRequest
from tests.fakes import gotenberg as stand_in
from tests.fakes.gotenberg import GotenbergStandIn
from tests.integration.extraction import misbehaving as bad
from tests.integration.extraction.made import PROSE, docx, paragraph
from tests.integration.extraction.programs import needs
from tests.integration.extraction.reading import read_file, words

pytestmark = needs("soffice")

READERS = Cascade((LiteparsePdf(), DoclingNative()))


@pytest.fixture(name="server")
async def _server() -> AsyncIterator[GotenbergStandIn]:
    async with GotenbergStandIn() as server:
        yield server


@pytest.fixture(name="letter")
def _letter(tmp_path: Path) -> Path:
    return docx(tmp_path / "письмо.docx", paragraph(PROSE))


def _level(server: GotenbergStandIn, **options: object) -> GotenbergDocuments:
    return GotenbergDocuments(server.url, READERS, KillableRunner(), **options)  # type: ignore[arg-type]


async def _run(level: GotenbergDocuments, path: Path, kind: SourceKind = SourceKind.DOCX) -> Document:
    request = ExtractionRequest(str(path), kind, file_name="../../имя.docx")
    return await KillableRunner().run(level, request, lambda _done, _total: None)


async def test_an_office_file_is_printed_and_its_pages_are_read(server: GotenbergStandIn, letter: Path) -> None:
    document = await _run(_level(server), letter)
    assert words(document.text) == words(PROSE)
    assert (document.page_count, document.page_at(0)) == (1, 1)


async def test_f10_a_senders_file_name_is_not_passed_on(server: GotenbergStandIn, letter: Path) -> None:
    await _run(_level(server), letter)
    assert server.file_names == ["document.docx"]


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (stand_in.refused, "gotenberg-http-400"),
        (stand_in.broke, "gotenberg-http-500"),
        (stand_in.broken_pdf, "gotenberg-pdf-not-read"),
        (stand_in.no_pdf, "gotenberg-not-a-pdf"),
        (stand_in.endless(3 << 20), "gotenberg-pdf-too-large"),
        (stand_in.moved, "gotenberg-http-307"),
    ],
)
async def test_what_time_does_not_mend_is_a_failure(
    failure: stand_in.Failure, code: str, server: GotenbergStandIn, letter: Path
) -> None:
    server.fail_next(failure)
    with pytest.raises(ExtractionFailed) as caught:
        await _run(_level(server, max_pdf_bytes=2 << 20), letter)
    assert caught.value.values["code"] == code


@pytest.mark.parametrize(
    ("failure", "key"),
    [
        (stand_in.busy, "document-service-busy"),
        (stand_in.too_many, "document-service-busy"),
        (stand_in.hangs, "document-service-away"),
        (stand_in.hangs_up, "document-service-away"),
    ],
)
async def test_what_time_may_mend_is_tried_again_later(
    failure: stand_in.Failure, key: str, server: GotenbergStandIn, letter: Path
) -> None:
    server.fail_next(failure)
    with pytest.raises(TransientError) as caught:
        await _run(_level(server, silence_s=0.5), letter)
    assert caught.value.text_key == key


async def test_a_service_that_is_down_is_away(letter: Path) -> None:
    with pytest.raises(TransientError, match="document-service-away"):
        await _run(GotenbergDocuments("http://127.0.0.1:9", READERS, KillableRunner()), letter)


async def test_a_service_that_hangs_is_left_at_the_deadline(server: GotenbergStandIn, letter: Path) -> None:
    server.fail_next(stand_in.hangs)
    with pytest.raises(ExtractionTimeout):
        await _run(_level(server, deadline_s=0.5), letter)


@pytest.mark.parametrize("failure", [stand_in.busy, stand_in.refused, stand_in.broken_pdf, stand_in.hangs_up])
async def test_the_next_level_takes_over(failure: stand_in.Failure, server: GotenbergStandIn, letter: Path) -> None:
    server.fail_next(failure)
    reading = await read_file(letter, SourceKind.DOCX, Cascade((bad.Dies("dies"), _level(server), DocxText())))
    assert reading.extractor == "docx-text"
    assert [attempt.outcome for attempt in reading.attempts] == [Outcome.FAILED, Outcome.FAILED, Outcome.WON]


async def test_a_busy_service_is_waited_for_when_nothing_else_reads_the_file(
    server: GotenbergStandIn, letter: Path
) -> None:
    server.fail_next(stand_in.busy)
    with pytest.raises(TransientError, match="document-service-busy"):
        await read_file(letter, SourceKind.DOCX, Cascade((bad.Dies("dies"), _level(server))))


def test_without_an_address_it_is_not_configured() -> None:
    assert GotenbergDocuments("", READERS, KillableRunner()).unavailable() == "not-configured"


async def test_the_real_service_reads_the_file_too(letter: Path) -> None:
    url = os.environ.get("GOTENBERG_URL")
    if not url:
        pytest.skip("GOTENBERG_URL is not set")
    document = await _run(GotenbergDocuments(url, READERS, KillableRunner()), letter)
    assert words(document.text) == words(PROSE)
