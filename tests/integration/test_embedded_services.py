"""The embedded Postgres and Valkey start once, are found again, and survive what machines do to them."""

import asyncio
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import psutil
import pytest
import redis
from sqlalchemy import make_url

from core.adapters.embedded_services import (
    EmbeddedServiceError,
    EmbeddedServices,
    find_running,
    start_embedded,
    stop_embedded,
)

ROOT = Path(__file__).parents[2]
NOBODY = 65534


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A data directory whose path is long and full of what shells and URLs trip over."""
    top = Path(tempfile.mkdtemp(prefix="konspekt-embedded-"))
    path = top / "пробелы и 'кавычки' %20 & другое" / ("long-" * 30)
    yield path
    stop_embedded(path)
    shutil.rmtree(top)


def start(data_dir: Path) -> EmbeddedServices:
    return start_embedded(data_dir, postgres=True, valkey=True)


def query(services: EmbeddedServices, statement: str) -> object:
    async def run() -> object:
        dsn = make_url(services.database_url).set(drivername="postgresql").render_as_string(hide_password=False)
        connection = await asyncpg.connect(dsn, timeout=10)
        try:
            return await connection.fetchval(statement)
        finally:
            await connection.close()

    return asyncio.run(run())


def valkey(services: EmbeddedServices) -> redis.Redis:
    return redis.Redis.from_url(services.redis_url, socket_timeout=10)


def servers(data_dir: Path) -> dict[str, psutil.Process]:
    """The two running servers, by the pid files that they wrote."""
    files = {"postgres": data_dir / "postgres" / "postmaster.pid", "valkey": data_dir / "valkey" / "valkey.pid"}
    return {name: psutil.Process(int(path.read_text().split()[0])) for name, path in files.items()}


def kill(process: psutil.Process) -> None:
    process.kill()
    psutil.wait_procs([process], timeout=10)


def test_both_servers_answer_and_hold_what_the_product_needs(data_dir: Path) -> None:
    services = start(data_dir)

    assert query(services, "SELECT count(*) FROM pg_extension WHERE extname IN ('vector', 'pg_trgm')") == 2
    assert query(services, "SELECT similarity('кассовый разрыв', 'Кассовых разрывов') > 0.3 AND lower('Ё') = 'ё'")
    assert query(services, "SHOW synchronous_commit") == "on"
    with valkey(services) as client:
        assert client.ping()
        assert client.config_get("appendonly") == {"appendonly": "yes"}


def test_no_port_is_open_and_no_other_user_can_reach_the_sockets(data_dir: Path) -> None:
    start(data_dir)

    run_dir = Path(json.loads((data_dir / "services.json").read_text())["run_dir"])
    assert stat.S_IMODE(run_dir.stat().st_mode) == 0o700
    assert stat.S_IMODE((data_dir / "services.json").stat().st_mode) == 0o600
    for server in servers(data_dir).values():
        assert not [found for found in server.net_connections("inet") if found.status == psutil.CONN_LISTEN]


def test_a_second_process_finds_the_servers_running(data_dir: Path) -> None:
    services = start(data_dir)
    first = servers(data_dir)

    program = (
        "import sys; from pathlib import Path; from core.adapters.embedded_services import *;"
        "print(start_embedded(Path(sys.argv[1]), postgres=True, valkey=True) == find_running(Path(sys.argv[1])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(data_dir)], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )

    assert done.stdout.strip() == "True"
    assert find_running(data_dir) == services
    assert servers(data_dir) == first


def test_data_survive_a_stop(data_dir: Path) -> None:
    services = start(data_dir)
    query(services, "CREATE TABLE kept AS SELECT 42 AS value")
    with valkey(services) as client:
        client.set("kept", "42")

    assert stop_embedded(data_dir)
    assert find_running(data_dir) is None
    services = start(data_dir)

    assert query(services, "SELECT value FROM kept") == 42
    with valkey(services) as client:
        assert client.get("kept") == b"42"


def test_stopping_what_does_not_run_is_no_error(data_dir: Path) -> None:
    start(data_dir)
    assert stop_embedded(data_dir)
    assert not stop_embedded(data_dir)


def test_a_committed_row_survives_kill_9_of_both_servers(data_dir: Path) -> None:
    services = start(data_dir)
    query(services, "CREATE TABLE kept AS SELECT 42 AS value")
    for server in servers(data_dir).values():
        kill(server)

    assert find_running(data_dir) is None
    services = start(data_dir)

    assert query(services, "SELECT value FROM kept") == 42
    with valkey(services) as client:
        assert client.ping()


def test_pid_files_that_name_other_living_processes_do_not_prevent_a_start(data_dir: Path) -> None:
    """After a reboot the old numbers belong to others."""
    start(data_dir)
    for server in servers(data_dir).values():
        kill(server)
    for path in (data_dir / "postgres" / "postmaster.pid", data_dir / "valkey" / "valkey.pid"):
        path.write_text("\n".join([str(os.getppid()), *path.read_text().split("\n")[1:]]))

    services = start(data_dir)

    assert query(services, "SELECT 1") == 1
    assert psutil.pid_exists(os.getppid())


def test_servers_whose_sockets_were_cleaned_away_come_back(data_dir: Path) -> None:
    services = start(data_dir)
    query(services, "CREATE TABLE kept AS SELECT 42 AS value")
    shutil.rmtree(json.loads((data_dir / "services.json").read_text())["run_dir"])

    services = start(data_dir)

    assert query(services, "SELECT value FROM kept") == 42
    with valkey(services) as client:
        assert client.ping()


def test_two_processes_that_start_at_once_share_one_pair_of_servers(data_dir: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from core.adapters.embedded_services import start_embedded;"
        "print(start_embedded(Path(sys.argv[1]), postgres=True, valkey=True).database_url)"
    )
    command = [sys.executable, "-c", program, str(data_dir)]
    starting = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    answers = {process.communicate(timeout=90)[0].strip() for process in starting}

    assert [process.returncode for process in starting] == [0, 0, 0]
    services = find_running(data_dir)
    assert services is not None
    assert answers == {services.database_url}


def test_a_torn_state_file_is_written_anew(data_dir: Path) -> None:
    start(data_dir)
    (data_dir / "services.json").write_text('{"run_dir": "/tm')

    assert find_running(data_dir) is None
    services = start(data_dir)

    assert query(services, "SELECT 1") == 1


def test_servers_are_stopped_even_when_the_state_file_is_lost(data_dir: Path) -> None:
    start(data_dir)
    running = servers(data_dir)
    (data_dir / "services.json").unlink()

    assert stop_embedded(data_dir)

    assert not [server for server in running.values() if server.is_running() and server.status() != "zombie"]


def test_one_server_alone_leaves_the_other_address_empty(data_dir: Path) -> None:
    services = start_embedded(data_dir, postgres=False, valkey=True)

    assert services.database_url == ""
    assert find_running(data_dir) == services
    assert not (data_dir / "postgres").exists()


def test_a_cluster_of_another_postgres_version_is_refused_with_a_sentence(data_dir: Path) -> None:
    (data_dir / "postgres").mkdir(parents=True)
    (data_dir / "postgres" / "PG_VERSION").write_text("12\n")

    with pytest.raises(EmbeddedServiceError, match="made by Postgres 12"):
        start_embedded(data_dir, postgres=True, valkey=False)


def test_a_data_directory_that_cannot_be_made_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(EmbeddedServiceError, match="file"):
        start(tmp_path / "file" / "data")


@pytest.mark.skipif(os.geteuid() != 0, reason="these tests already run as a normal user")
def test_a_normal_user_can_start_them_too() -> None:
    home = Path(tempfile.mkdtemp(prefix="konspekt-user-"))
    os.chown(home, NOBODY, NOBODY)
    program = (
        "import os, sys; from pathlib import Path; from core.adapters.embedded_services import *;"
        f"os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY}); data_dir = Path(sys.argv[1]);"
        "print(start_embedded(data_dir, postgres=True, valkey=True) == find_running(data_dir), stop_embedded(data_dir))"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", program, str(home / "data")], cwd=ROOT, capture_output=True, text=True, timeout=90
        )
        assert done.stdout.strip() == "True True", done.stderr
        assert (home / "data" / "postgres").stat().st_uid == NOBODY
    finally:
        stop_embedded(home / "data")
        shutil.rmtree(home)
