"""LibreOffice on this machine: it ends with its extractor, asks no network, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import socket
import stat
import tempfile
from pathlib import Path

import psutil
import pytest

from core.adapters.extractors.soffice import converted
from core.adapters.extractors.soffice_pdf import SofficePdf
from core.ingest.cascade import ExtractionFailed, ExtractionTimeout
from core.model.source import SourceKind
from tests.integration.extraction.made import docx, packed, paragraph
from tests.integration.extraction.programs import needs
from tests.integration.extraction.reading import run


def _linked(path: Path, address: str) -> Path:
    """Write an ODT with a picture that lies elsewhere: without our settings LibreOffice fetches it."""
    oasis = "urn:oasis:names:tc:opendocument:xmlns"
    picture = (
        '<draw:frame svg:width="3cm" svg:height="3cm" text:anchor-type="as-char"><draw:image '
        f'xlink:href="{address}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame>'
    )
    content = (
        f'<office:document-content xmlns:office="{oasis}:office:1.0" xmlns:text="{oasis}:text:1.0" '
        f'xmlns:draw="{oasis}:drawing:1.0" xmlns:svg="{oasis}:svg-compatible:1.0" '
        'xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2"><office:body><office:text>'
        f"<text:p>Слова{picture}</text:p></office:text></office:body></office:document-content>"
    )
    entry = '<m:file-entry m:full-path="{}" m:media-type="{}"/>'
    kind = "application/vnd.oasis.opendocument.text"
    entries = entry.format("/", kind) + entry.format("content.xml", "text/xml")
    manifest = f'<m:manifest xmlns:m="{oasis}:manifest:1.0">{entries}</m:manifest>'
    parts = {"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": manifest}
    path.write_bytes(packed({name: text.encode() for name, text in parts.items()}))
    return path


def _program(folder: Path, script: str) -> None:
    """Put a program of the name in the way of the real one."""
    program = folder / "soffice"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


async def _gone(pid: int) -> bool:
    """Look every 50 ms, 20 seconds at most: other processes tell no event."""
    for _ in range(400):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        await asyncio.sleep(0.05)
    return False


async def test_f3_libreoffice_that_hangs_ends_with_its_extractor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _program(tmp_path, f"/bin/sleep 600 & echo $! > {tmp_path}/pid; wait")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    letter = docx(tmp_path / "a.docx", paragraph("Слова"))
    with pytest.raises(ExtractionTimeout):
        await run(SofficePdf(deadline_s=6.0), letter, SourceKind.DOCX)
    assert await _gone(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize(
    ("script", "code"),
    [("exit 0", "soffice-wrote-nothing"), ("exit 1", "soffice-CalledProcessError"), ("wait; read x; sleep 9", "")],
)
def test_what_libreoffice_does_not_write_is_a_failure(
    script: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _program(tmp_path, script)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(ExtractionFailed) as caught:
        converted(str(docx(tmp_path / "a.docx", "<w:p/>")), SourceKind.DOCX, "pdf", timeout_s=2.0)
    assert caught.value.values["code"] == (code or "soffice-TimeoutExpired")


def test_without_the_program_it_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert SofficePdf().unavailable() == "not-installed"


@needs("soffice")
def test_a_picture_from_elsewhere_is_not_fetched(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        path = _linked(tmp_path / "linked.odt", f"http://127.0.0.1:{server.getsockname()[1]}/secret.png")
        assert converted(str(path), SourceKind.ODT, "pdf", timeout_s=60).stat().st_size
        with pytest.raises(BlockingIOError):  # nobody has knocked
            server.accept()


@needs("soffice")
async def test_what_a_conversion_needs_is_gone_after_it(tmp_path: Path) -> None:
    document = await run(SofficePdf(), docx(tmp_path / "a.docx", paragraph("Слова письма")), SourceKind.DOCX)
    assert document.text == "Слова письма"
    assert not list(Path(tempfile.gettempdir()).iterdir())  # noqa: ASYNC240 - a folder of this test's own
