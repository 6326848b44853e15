"""The command line as a process with a data directory of its own, and what is handed to it."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LECTURE = ROOT / "tests" / "data" / "ru_lecture.pdf"
TIMEOUT_S = 300
OWN = ("DATABASE_", "REDIS_", "LLM_", "EMBEDDING_", "BOT_", "DATA_", "LOG_")
"""Settings of the machine that runs the tests; they are not these commands'."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Json]:
        """What it printed: nothing but JSON, and nothing of an exception."""
        assert "Traceback" not in self.err + self.out, self.err
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def one(self) -> Json:
        """Its only line."""
        (line,) = self.lines
        return line


@dataclass(frozen=True)
class Konspekt:
    """The command with a data directory of its own, run in another folder than the repository."""

    folder: Path
    data: Path

    def __call__(self, *argv: str | bytes | Path, stdin: bytes = b"", **settings: str) -> Done:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(OWN)}
        environment |= {"DATA_DIR": str(self.data), "PYTHONPATH": str(ROOT), **settings}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # compiling the libraries anew would take most of the time
        environment["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / f"konspekt-pycache-{os.getuid()}")
        done = subprocess.run(
            [sys.executable, "-m", "workers.cli", *argv],
            input=stdin, cwd=self.folder, env=environment, capture_output=True, timeout=TIMEOUT_S, check=False,
        )  # fmt: skip
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def write(self, name: str, rows: Iterable[object], *, mark: bool = False) -> Path:
        """Write lines of JSON, as Windows programs do with a byte order mark."""
        path = self.folder / name
        path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8-sig" if mark else "utf-8")
        return path


@dataclass
class Story:
    """How the commands of a story ended, and what was there in between."""

    done: dict[str, Done] = field(default_factory=dict)
    originals: dict[str, list[Path]] = field(default_factory=dict)

    def lines(self, name: str) -> dict[str, Json]:
        """The lines of a batch by the ids of their queries."""
        return {line["query_id"]: line for line in self.done[name].lines}


ADDED_BY_CLEANING = "Первая\u00ad строка\u200b.  \r\n\r\n\r\n\r\n"
HEDGEHOG = "Ёж собирает грибы осенью.\r\nОн прячет их в дупле старого дуба."
RAW = f"\ufeff{ADDED_BY_CLEANING}{HEDGEHOG}"
WHALE = "Синий кит весит сто пятьдесят тонн и питается крилем."
SECRET = "Пароль от сейфа Николая — слово «камбала»."
ROWS: list[object] = [
    {"external_id": "hedgehog", "title": "Ёж", "text": RAW},
    {"external_id": "whale", "title": "Кит", "text": WHALE},
    {"external_id": "whale", "title": "Кит снова", "text": "Другие слова под тем же номером."},
    {"external_id": "whale-2", "title": "Кит ещё раз", "text": WHALE},
    {"external_id": 4, "title": None, "text": "Слон живёт семьдесят лет\x00 и помнит \ud800 дорогу к воде."},
    {"external_id": "secret", "title": "Сейф", "text": SECRET},
    {"external_id": "bad", "title": "Без текста"},
    ["не", "объект"],
]
FUNICULAR = "Фуникулёр открыли весной, и первый билет стоил три копейки."
SEARCHES: list[object] = [
    {"query_id": "q-hedgehog", "query": "где ёж прячет грибы"},
    {"qid": "q-whale", "text": "сколько весит синий кит"},
    {"id": 7, "question": "пароль от сейфа"},
    {"query": "камбала"},
    {"query_id": "q-empty", "query": "  "},
    {"query_id": "q-none"},
    {"query_id": "q-dirt", "query": "слон\x00 \ud800 помнит"},
    {"query_id": "q-long", "query": "кит " * 3000},
    *({"qid": f"more-{number}", "query": f"кит {number}"} for number in range(192)),
]
QUESTIONS: list[object] = [
    {"query_id": "held", "query": "Где ёж прячет грибы осенью?"},
    {"query_id": "secret", "query": "Какой пароль от сейфа Николая?"},
    {"query_id": "missing", "query": "В каком году основали Рио-де-Жанейро?"},
    {"query_id": "long", "query": "я" * 4001},
    {"query_id": "empty", "query": ""},
]
