"""The sandbox stands alone, so it starts fast and serves any bot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_it_imports_neither_the_product_nor_a_bot_library():
    listed = subprocess.run(
        [sys.executable, "-c", "import bot.sandbox.__main__, sys; print(*sys.modules)"],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    ).stdout.split()  # fmt: skip

    ours = {name for name in listed if name.partition(".")[0] in {"core", "workers", "bot"}}
    assert {name for name in ours if not name.startswith("bot.sandbox")} == {"bot"}
    assert not {"aiogram", "pydantic", "sqlalchemy", "telegram"} & set(listed)
