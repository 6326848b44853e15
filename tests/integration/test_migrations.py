"""The migrations: they make the tables that the code knows, and can be taken back."""

import os
import subprocess
import sys

import asyncpg
import pytest
from sqlalchemy import make_url

from tests.conftest import ROOT

TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"


def _alembic(url: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "alembic", *arguments],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": url},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


async def _count(url: str) -> int:
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(plain)
    try:
        return int(await connection.fetchval(TABLES))
    finally:
        await connection.close()


async def test_up_down_up(empty_database: str) -> None:
    _alembic(empty_database, "upgrade", "head")
    made = await _count(empty_database)
    _alembic(empty_database, "downgrade", "base")
    assert await _count(empty_database) == 0
    _alembic(empty_database, "upgrade", "head")
    assert await _count(empty_database) == made > 0


def test_the_tables_in_code_and_the_migrated_ones_are_the_same(database: str) -> None:
    assert "No new upgrade operations detected" in _alembic(database, "check")


@pytest.mark.parametrize("change", ["ALTER TABLE outbox ADD extra int", "DROP INDEX ix_outbox_due"])
async def test_a_difference_would_be_noticed(database: str, change: str) -> None:
    plain = make_url(database).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(plain)
    await connection.execute(change)
    await connection.close()
    with pytest.raises(AssertionError, match="New upgrade operations detected"):
        _alembic(database, "check")
