"""Writes docs/quality.md: the run beside the systems it has to beat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.quality.scoring import METRICS, SLICES, Scores, mean

if TYPE_CHECKING:
    from tests.quality.retrieval import Run

SYSTEMS = {
    "vector": "vectors alone",
    "bm25": "BM25 alone",
    "seed": "reference formula",
    "cc+ld": "best known (CC.4+LD)",
}

HEAD = """# Quality of retrieval

Written by `make quality` (`python -m tests.quality.retrieval`); do not edit by hand. The set, its licences and the
figures of the other systems lie beside the repository; this page holds figures only.

Each cell: R@1 / R@5 (the right source among the first 1 and 5), then P@5 / P@10 (the right passage among the first 5
and 10 chunks). Two questions in one message count only when both are found. Every question runs in one process
through the product's own path: cleaning, chunks, Postgres, the embedded model, four strategies, fusion.

"""


def write_report(
    path: Path,
    queries: Sequence[dict[str, Any]],
    runs: Mapping[str, Run],
    scores: Mapping[str, Scores],
    known: Mapping[str, Scores],
) -> Path:
    """Write the page and return where it is."""
    systems = {title: known[name] for name, title in SYSTEMS.items() if name in known}
    systems |= {f"**Konspekt**, {name}": found for name, found in scores.items()}
    lines = [f"| slice (n) | {' | '.join(systems)} |", "|---" * (len(systems) + 1) + "|"]
    for title, belongs in SLICES.items():
        ids = [query["qid"] for query in queries if query["gold"] and belongs(query)]
        cells = [_cell(found, ids) for found in systems.values()]
        lines.append(f"| {title} ({len(ids)}) | {' | '.join(cells)} |")
    lines += ["", *_more(queries, runs)]
    path.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def _cell(found: Scores, ids: Sequence[str]) -> str:
    r1, r5, p5, p10 = (f"{mean(found, ids, metric):.3f}".lstrip("0") for metric in METRICS)
    return f"{r1}/{r5} {p5}/{p10}"


def _more(queries: Sequence[dict[str, Any]], runs: Mapping[str, Run]) -> list[str]:
    """Say how the sources are ranked, what reaches the model, and how long it takes."""
    lines = [
        "| way | source ranking R@1 / R@5 | passage in what the model reads | characters read | search p50 / p95 |",
        "|---|---|---|---|---|",
    ]
    asked = [query for query in queries if query["gold"]]
    for name, run in runs.items():
        first, five = (sum(_found(run, query, top) for query in asked) / len(asked) for top in (1, 5))
        held = sum(_held(run, query) for query in asked) / len(asked)
        size = sum(hit["end"] - hit["start"] for query in asked for hit in run.context[query["qid"]]) / len(asked)
        p50, p95 = run.latency_ms()
        lines.append(f"| {name} | {first:.3f} / {five:.3f} | {held:.3f} | {size:,.0f} | {p50:.0f} / {p95:.0f} ms |")
    return lines


def _found(run: Run, query: Mapping[str, Any], top: int) -> bool:
    """Say whether the right source, or each of them where all are needed, is among the first."""
    gold = {passage["sid"] for passage in query["gold"]}
    found = gold & set(run.sources[query["qid"]][:top])
    return found == gold if query.get("need_all") else bool(found)


def _held(run: Run, query: Mapping[str, Any]) -> bool:
    """Say whether what the model reads covers most of a gold passage, or of each where all are needed."""
    covered = [_covered(run.context[query["qid"]], gold) for gold in query["gold"]]
    return all(covered) if query.get("need_all") else any(covered)


def _covered(hits: Sequence[Mapping[str, Any]], gold: Mapping[str, Any]) -> bool:
    own = [hit for hit in hits if hit["sid"] == gold["sid"]]
    inside = sum(max(0, min(hit["end"], gold["end"]) - max(hit["start"], gold["start"])) for hit in own)
    return inside >= 0.5 * (gold["end"] - gold["start"])
