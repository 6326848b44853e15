"""Light sources beside heavy ones: `python -m tests.bench.bench_heavy_load`.

Real worker processes, one a queue, on the machine's cores. Short texts, small files and small pages are sent one after
the other: with nothing else to do, while six heavy PDFs (three long books, three scans) that were sent at once are
read, and while these are embedded. Bar: the 95th percentile of each kind is at most twice the idle one's. The heavy
worker with all its children stays below the memory that docker-compose.yml gives it.
"""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from statistics import median, quantiles

import pypdfium2 as pdfium

from core.jobs import QueueName
from core.library.add_source import Incoming
from core.library.kinds import HEAVY
from core.model.source import Source, SourceKind, Stage, Upload
from tests.bench.workers_beside import Beside, workers_beside

LECTURE = Path(__file__).parents[1] / "data" / "ru_lecture.pdf"
BOOK_PAGES, SCAN_PAGES = 900, 16
SCAN_DPI = 150
EACH = 24
"""Light sources of each kind in each phase."""
LEAST = 12
WARM_UP = 2
RATIO = 2.0
MEMORY_BYTES = 6 << 30
"""`mem_limit` of the heavy worker in docker-compose.yml."""
SENTENCE = "Станция номер {n} приняла за смену {m} вагонов угля, и смотритель записал это в журнал чернилами. "

Latencies = dict[str, list[float]]


def heavy_files(folder: Path) -> list[Path]:
    """Make the six: books with a text layer and scans without one, in turn."""
    paths = []
    with pdfium.PdfDocument(LECTURE) as lecture:
        pictures = [lecture[n].render(scale=SCAN_DPI / 72, grayscale=True).to_pil() for n in range(SCAN_PAGES)]
        for number in range(3):  # no two are equal, and no chunks either: what is known is not read or embedded again
            order = random.Random(number)
            paths += [folder / f"book{number}.pdf", folder / f"scan{number}.pdf"]
            with pdfium.PdfDocument.new() as bound:
                while len(bound) < BOOK_PAGES:
                    bound.import_pages(lecture, order.sample(range(len(lecture)), len(lecture)))
                bound.save(paths[-2])
            turned = pictures[number:] + pictures[:number]
            turned[0].save(paths[-1], save_all=True, append_images=turned[1:], resolution=SCAN_DPI)
    return paths


def light(folder: Path) -> Iterator[tuple[str, Incoming]]:
    """Give ever new light sources, the kinds in turn."""
    numbers = count()
    for number in numbers:
        yield "text", Incoming(SourceKind.TEXT, f"text {number}", Upload(text=_words(number)))
        file = folder / f"{(number := next(numbers))}.txt"
        file.write_text(_words(number), "utf-8")
        yield "file", Incoming(SourceKind.PLAIN_FILE, file.name, Upload(file_name=file.name, path=str(file)))
        page = folder / f"{(number := next(numbers))}.html"
        page.write_text(f"<html><body><h1>Станция {number}</h1><p>{_words(number)}</p></body></html>", "utf-8")
        if SourceKind.HTML not in HEAVY:
            yield "page", Incoming(SourceKind.HTML, page.name, Upload(file_name=page.name, path=str(page)))


def _words(number: int) -> str:
    return "".join(SENTENCE.format(n=number, m=number * 7 + k) for k in range(12))


Busy = Callable[[], Awaitable[bool]]


async def send(phase: str, beside: Beside, sources: Iterator[tuple[str, Incoming]], busy: Busy) -> Latencies:
    """Send light sources one after the other, `EACH` of each kind unless what goes on beside them ends first."""
    taken: Latencies = {}
    while min((len(times) for times in taken.values()), default=0) < EACH and await busy():
        kind, incoming = next(sources)
        taken.setdefault(kind, []).append(await beside.latency(incoming))
    medians = ", ".join(f"{kind} {median(times):.2f} s ({len(times)})" for kind, times in taken.items())
    print(f"{phase}: {medians}", flush=True)
    return taken


async def measure(beside: Beside, folder: Path) -> dict[str, Latencies]:
    """Send the same kinds of light sources in three phases."""
    sources = light(folder)
    heavy_paths = await asyncio.to_thread(heavy_files, folder)
    for _, (_, incoming) in zip(range(3 * WARM_UP), sources, strict=False):
        await beside.latency(incoming)
    phases = {"idle": await send("idle", beside, sources, _always)}
    heavy: list[Source] = []
    for path in heavy_paths:
        upload = Upload(file_name=path.name, path=str(path))
        heavy.append(await beside.add(Incoming(SourceKind.PDF, path.name, upload)))

    async def reading() -> bool:
        return not all([(await beside.now(source)).state.ended for source in heavy])

    async def embedding() -> bool:
        return not all([(await beside.now(source)).stage is Stage.DONE for source in heavy])

    phases["reading"] = await send("reading", beside, sources, reading)
    while await reading():  # noqa: ASYNC110 (another process reads)
        await asyncio.sleep(1)
    phases["embedding"] = await send("embedding", beside, sources, embedding)
    assert all([(await beside.now(source)).state.answers for source in heavy])
    return phases


async def _always() -> bool:
    return True


def p95(times: Sequence[float]) -> float:
    """Give the 95th percentile of at least `LEAST` times."""
    assert len(times) >= LEAST, f"only {len(times)} were measured: make the heavy files longer"
    return quantiles(times, n=20)[18]


def told(phases: dict[str, Latencies]) -> bool:
    """Print every phase against the idle one; True when all bars are kept."""
    kept = True
    for kind, idle in phases["idle"].items():
        line = f"{kind}: p50 {median(idle):.2f} s, p95 {p95(idle):.2f} s idle"
        for phase in ("reading", "embedding"):
            times = phases[phase][kind]
            ratio = p95(times) / p95(idle)
            kept &= ratio <= RATIO
            line += f"; {phase} p50 {median(times):.2f} s, p95 {p95(times):.2f} s: {ratio:.2f} x"
        print(f"{line} (at most {RATIO})", flush=True)
    return kept


def memory_told(beside: Beside) -> bool:
    """Print the workers' memory; True when the heavy one kept its limit."""
    for name, peak in sorted(beside.peaks.items()):
        print(f"worker {name}: at most {peak.own >> 20} MB, with its children {peak.whole >> 20} MB", flush=True)
    return beside.peaks[QueueName.HEAVY].whole < MEMORY_BYTES


async def run() -> bool:
    """Measure with all three workers."""
    with tempfile.TemporaryDirectory(prefix="konspekt-bench-") as folder:
        async with workers_beside() as beside, asyncio.TaskGroup() as group:
            watching = group.create_task(beside.watch())
            phases = await measure(beside, Path(folder))
            watching.cancel()
    load = ", ".join(f"{figure:.1f}" for figure in os.getloadavg())
    print(f"{os.cpu_count()} cores, load {load}", flush=True)
    kept = told(phases)
    if SourceKind.HTML in HEAVY:
        print("page: not measured, pages wait in the heavy queue (core.library.kinds.HEAVY)")
        kept = False
    return memory_told(beside) and kept


def main() -> bool:
    """Print the ratios; True when the bars are kept."""
    return asyncio.run(run())


if __name__ == "__main__":
    raise SystemExit(not main())
