"""The log of the bot's calls: what a test reads to know what the bot did."""

from __future__ import annotations

import json

from bot.sandbox.params import Params
from bot.sandbox.world import Obj, World

KEPT = 20_000
"""Calls kept; older ones are forgotten."""


def record(world: World, method: str, params: Params, answer: Obj) -> None:
    """Keep one call with its parameters and its answer."""
    world.store.run(
        "INSERT INTO calls (time, method, params, answer) VALUES (?, ?, ?, ?)", world.now(), method,
        json.dumps(params.logged(), ensure_ascii=False), json.dumps(answer, ensure_ascii=False),
    )  # fmt: skip
    world.store.run("DELETE FROM calls WHERE id <= (SELECT max(id) FROM calls) - ?", KEPT)


def find(world: World, *, method: str | None, since: int) -> list[Obj]:
    """Return calls after a call's id, oldest first.

    Args:
        world: The emulator.
        method: Only calls of this method, in any case; None for all.
        since: Id of the last call already known; 0 for all.
    """
    rows = world.store.rows(
        "SELECT * FROM calls WHERE id > ? AND (? IS NULL OR lower(method) = lower(?)) ORDER BY id",
        since,
        method,
        method,
    )
    return [
        {
            "id": row["id"],
            "time": row["time"],
            "method": row["method"],
            "params": json.loads(row["params"]),
            "answer": json.loads(row["answer"]),
        }
        for row in rows
    ]
