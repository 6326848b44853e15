"""The emulator's memory: one SQLite file, written through at once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS users (id INTEGER PRIMARY KEY, body TEXT NOT NULL, blocked INTEGER NOT NULL DEFAULT 0,
    started INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS chats (id INTEGER PRIMARY KEY, body TEXT NOT NULL, migrated_to INTEGER,
    next_message_id INTEGER NOT NULL DEFAULT 1, linked_id INTEGER);
CREATE TABLE IF NOT EXISTS members (chat_id INTEGER, user_id INTEGER, status TEXT NOT NULL,
    PRIMARY KEY (chat_id, user_id));
CREATE TABLE IF NOT EXISTS topics (chat_id INTEGER, thread_id INTEGER, name TEXT NOT NULL,
    PRIMARY KEY (chat_id, thread_id));
CREATE TABLE IF NOT EXISTS messages (chat_id INTEGER, message_id INTEGER, body TEXT NOT NULL,
    author_id INTEGER NOT NULL, reply_to INTEGER, seen_by_bot INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (chat_id, message_id));
CREATE TABLE IF NOT EXISTS unread (user_id INTEGER, chat_id INTEGER, n INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, chat_id));
CREATE TABLE IF NOT EXISTS files (file_id TEXT PRIMARY KEY, unique_id TEXT NOT NULL, kind TEXT NOT NULL,
    sha TEXT NOT NULL, size INTEGER NOT NULL, name TEXT NOT NULL, mime TEXT NOT NULL, path TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS updates (seq INTEGER PRIMARY KEY AUTOINCREMENT, update_id INTEGER NOT NULL,
    body TEXT NOT NULL, lane TEXT NOT NULL, expires_at REAL NOT NULL, forced INTEGER NOT NULL DEFAULT 0,
    delivered INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS callbacks (id TEXT PRIMARY KEY, user_id INTEGER NOT NULL, asked_at REAL NOT NULL,
    answer TEXT);
CREATE TABLE IF NOT EXISTS records (kind TEXT, key TEXT, body TEXT NOT NULL, PRIMARY KEY (kind, key));
CREATE TABLE IF NOT EXISTS calls (id INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, method TEXT NOT NULL,
    params TEXT NOT NULL, answer TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS calls_method ON calls (method, id);
"""


class Store:
    """One SQLite connection whose transactions are never held over an await.

    WAL with `synchronous=NORMAL`: what was committed outlives a killed process.
    """

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.row_factory = sqlite3.Row
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.executescript(f"BEGIN;{SCHEMA}COMMIT;")
        self._depth = 0
        self._after_commit: list[Callable[[], None]] = []

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make everything inside take effect together; an exception undoes it and its events."""
        if self._depth:
            yield
            return
        self._db.execute("BEGIN IMMEDIATE")
        self._depth = 1
        try:
            yield
        except BaseException:
            self._after_commit.clear()
            self._db.execute("ROLLBACK")
            raise
        else:
            self._db.execute("COMMIT")
        finally:
            self._depth = 0
        self._run_after_commit()

    def after_commit(self, action: Callable[[], None]) -> None:
        """Run an action once the present transaction is safe, or at once outside one."""
        if self._depth:
            self._after_commit.append(action)
        else:
            action()

    def _run_after_commit(self) -> None:
        actions, self._after_commit = self._after_commit, []
        for action in actions:
            action()

    def run(self, sql: str, *args: Any) -> int:
        """Execute a statement and return the number of changed rows."""
        return self._db.execute(sql, args).rowcount

    def rows(self, sql: str, *args: Any) -> list[sqlite3.Row]:
        """Return all rows of a query."""
        return self._db.execute(sql, args).fetchall()

    def row(self, sql: str, *args: Any) -> sqlite3.Row | None:
        """Return the first row of a query."""
        found: sqlite3.Row | None = self._db.execute(sql, args).fetchone()
        return found

    def get(self, key: str, default: Any = None) -> Any:
        """Return a setting as it was put."""
        found = self.row("SELECT value FROM meta WHERE key = ?", key)
        return default if found is None else json.loads(found["value"])

    def put(self, key: str, value: Any) -> None:
        """Keep a setting, any JSON value."""
        self.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, json.dumps(value))

    def record(self, kind: str, key: str) -> Any:
        """Return a kept record, any JSON value, or None."""
        found = self.row("SELECT body FROM records WHERE kind = ? AND key = ?", kind, key)
        return None if found is None else json.loads(found["body"])

    def keep(self, kind: str, key: str, value: Any) -> None:
        """Keep a record under a kind and a key."""
        self.run("INSERT OR REPLACE INTO records VALUES (?, ?, ?)", kind, key, json.dumps(value, ensure_ascii=False))

    def next_number(self, counter: str, first: int) -> int:
        """Count up: `first`, then one more each time, over restarts too."""
        number = int(self.get(f"next {counter}", first))
        self.put(f"next {counter}", number + 1)
        return number
