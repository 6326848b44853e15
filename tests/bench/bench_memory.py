"""An extractor that eats memory is killed alone: `python -m tests.bench.bench_memory`.

A real heavy worker whose first extractor of PDFs takes memory without end reads three PDFs. Bars: each is read by the
next extractor, the killed attempt is recorded, the worker is the same process as before, all of it together never
holds more than the extractor's limit with the worker's own memory and what may be taken between two looks, and the
worker itself grows by at most `GROWTH` between the first file and the last.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import psutil

from core.adapters.killable import SAMPLE_S
from core.library.add_source import Incoming
from core.model.source import Outcome, Source, SourceKind, Stage, Upload
from tests.bench.hungry import LIMIT_BYTES
from tests.bench.workers_beside import Beside, workers_beside

LECTURE = Path(__file__).parents[1] / "data" / "ru_lecture.pdf"
FILES = 3
GREED = 2 << 30
"""Bytes a second that a process may take at most: what is above the limit when it is seen is so much times the look."""
GROWTH = 1.2
READ_S = 240.0


async def read(beside: Beside, folder: Path, number: int) -> Source:
    """Have a copy of the lecture read and embedded, each with bytes of its own behind the end that PDFs mark."""
    path = folder / f"{number}.pdf"
    path.write_bytes(LECTURE.read_bytes() + b"\n%" + str(number).encode())
    source = await beside.add(Incoming(SourceKind.PDF, path.name, Upload(file_name=path.name, path=str(path))))
    async with asyncio.timeout(READ_S):
        while (current := await beside.now(source)).stage is not Stage.DONE:  # noqa: ASYNC110 (another process works)
            await asyncio.sleep(0.05)
    return current


async def run(folder: Path) -> bool:
    """Read the files one after the other."""
    sizes, fates = [], []
    async with workers_beside({"heavy": ("tests.bench.hungry_worker",)}) as beside, asyncio.TaskGroup() as group:
        watching = group.create_task(beside.watch())
        worker = psutil.Process(beside.workers["heavy"].pid)
        for number in range(FILES):
            fates.append(await read(beside, folder, number))
            sizes.append(worker.memory_info().rss)
        alive = beside.workers["heavy"].poll() is None
        left = [child for child in worker.children() if "extractor_child" in " ".join(child.cmdline())]
        watching.cancel()
    peak = beside.peaks["heavy"]
    allowed = peak.own + LIMIT_BYTES + int(GREED * SAMPLE_S * 2)
    killed = [source for source in fates if source.attempts[0].outcome is Outcome.OUT_OF_MEMORY]
    print(
        f"{len(killed)} of {FILES} killed for memory, {sum(source.state.answers for source in fates)} read by "
        f"{', '.join(sorted({source.extractor for source in fates}))}; "
        f"worker {sizes[0] >> 20} -> {sizes[-1] >> 20} MB, "
        f"with children at most {peak.whole >> 20} MB (at most {allowed >> 20}); "
        f"{'alive' if alive else 'dead'}, {len(left)} children left",
        flush=True,
    )
    read_well = all(source.state.answers for source in fates) and len(killed) == FILES
    return read_well and alive and not left and peak.whole <= allowed and sizes[-1] <= GROWTH * sizes[0]


def main() -> bool:
    """Run in a folder of its own; True when the bars are kept."""
    with tempfile.TemporaryDirectory(prefix="konspekt-bench-") as folder:
        return asyncio.run(run(Path(folder)))


if __name__ == "__main__":
    raise SystemExit(not main())
