"""How soon a 200-page PDF answers keyword questions, against its extractor alone.

Bar: from upload to searchable at most 1.3 times a lone child process running the same extractor, plus 3 s; and at that
moment no vector need exist.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

import pypdfium2 as pdfium

from core.adapters.embedded_services import stop_embedded
from core.adapters.extractors.liteparse_pdf import LiteparsePdf
from core.adapters.killable import KillableRunner
from core.library.add_source import Incoming
from core.model.search import SearchQuery
from core.model.source import SourceKind, Upload
from core.ports import ExtractionRequest
from core.settings import DataSettings, Settings
from workers.local_owner import HERE, Session, local_session

LECTURE = Path(__file__).parents[1] / "data" / "ru_lecture.pdf"
PAGES = 200
RATIO, EXTRA_S = 1.3, 3.0
QUESTION = "ледоход на Варке"


def book(folder: Path) -> Path:
    """Bind copies of the lecture into a book of 200 pages with a text layer."""
    target = folder / "book.pdf"
    with pdfium.PdfDocument(LECTURE) as lecture, pdfium.PdfDocument.new() as bound:
        while len(bound) < PAGES:
            bound.import_pages(lecture, list(range(min(len(lecture), PAGES - len(bound)))))
        bound.save(target)
    return target


async def lone_extractor(path: Path, name: str) -> float:
    """Run the extractor that won, alone in its child process; return its seconds."""
    extractor = LiteparsePdf()
    assert extractor.name == name
    begun = time.perf_counter()
    await KillableRunner().run(extractor, ExtractionRequest(str(path), SourceKind.PDF), lambda _done, _total: None)
    return time.perf_counter() - begun


async def upload_to_searchable(session: Session, path: Path) -> tuple[float, str, int, int]:
    """Add the book and read it; return seconds, the extractor that won, keyword hits and vectors at that moment."""
    caller = await session.notebook("bench", make=True)
    upload = Upload(file_name=path.name, path=str(path))
    begun = time.perf_counter()
    added = await session.app.add_source(
        caller, Incoming(SourceKind.PDF, path.name, upload), HERE, now=session.app.clock()
    )
    await session.work.ingest_source(added.source.notebook_id, added.source.id)
    seconds = time.perf_counter() - begun
    found = await session.work.search.retrieve(SearchQuery(caller.notebook_id, QUESTION, "ru"))
    source = await session.app.get_source(caller, added.source.notebook_id, added.source.id)
    return seconds, source.extractor, len(found.chunks), source.progress_done


async def run(folder: Path) -> bool:
    """Measure three times and compare the medians."""
    path = await asyncio.to_thread(book, folder)
    whole, alone = [], []
    async with local_session(Settings(data=DataSettings(dir=folder / "data"))) as session:
        for _ in range(3):
            seconds, extractor, hits, vectors = await upload_to_searchable(session, path)
            assert hits, "the book answers keyword questions"
            assert not vectors, "and no vector was needed for it"
            whole.append(seconds)
            alone.append(await lone_extractor(path, extractor))
            caller = await session.notebook("bench", make=False)
            await session.app.delete_notebook(caller, caller.notebook_id, first_title="bench")
    ours, lone = sorted(whole)[1], sorted(alone)[1]
    bar = RATIO * lone + EXTRA_S
    print(f"{PAGES} pages: upload to searchable {ours:.2f} s; the extractor alone {lone:.2f} s; bar {bar:.2f} s")
    return ours <= bar


def main() -> bool:
    """Run in a folder of its own; True when the bar is kept."""
    with tempfile.TemporaryDirectory(prefix="konspekt-bench-") as folder:
        try:
            return asyncio.run(run(Path(folder)))
        finally:
            stop_embedded(Path(folder) / "data")


if __name__ == "__main__":
    raise SystemExit(not main())
