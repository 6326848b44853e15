"""The parameters of a Bot API call, read as Telegram's server reads them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.sandbox.errors import bad_request


@dataclass(frozen=True)
class Upload:
    """A received file, still in the uploads directory."""

    name: str
    mime: str
    path: Path
    size: int
    sha: str


@dataclass
class Params:
    """Named values, each a string or (from a JSON body) any JSON value, and the files beside them."""

    values: dict[str, Any] = field(default_factory=dict)
    files: list[tuple[str, Upload]] = field(default_factory=list)

    def file(self, name: str) -> Upload | None:
        """Return the file sent under a name."""
        return next((upload for field_name, upload in self.files if field_name == name), None)

    def has(self, name: str) -> bool:
        """Tell whether a parameter was given and is not null."""
        return self.values.get(name) is not None

    def text(self, name: str) -> str:
        """Return a parameter as text; empty if it is absent."""
        value = self.values.get(name)
        if value is None:
            return ""
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    def integer(self, name: str, default: int = 0) -> int:
        """Return a parameter as a number; whatever is not one counts as absent, as on Telegram's server."""
        return whole_number(self.text(name), default)

    def flag(self, name: str) -> bool:
        """Return a parameter as a truth value."""
        return self.text(name).strip().lower() in {"true", "yes", "1", "t", "y"}

    def json(self, name: str, what: str) -> Any:
        """Return a parameter as JSON; None if it is absent or empty.

        Args:
            name: The parameter.
            what: What Telegram calls it in its error.
        """
        value = self.values.get(name)
        if not isinstance(value, str):
            return value
        if not value.strip():
            return None
        try:
            return json.loads(value)
        except ValueError as error:
            raise bad_request(f"can't parse {what} JSON object") from error

    def logged(self) -> dict[str, Any]:
        """Return the parameters for the log of calls: JSON read, files described."""
        shown = {name: _readable(value) for name, value in self.values.items()}
        return shown | {
            name: {"file_name": file.name, "mime_type": file.mime, "file_size": file.size, "sha256": file.sha}
            for name, file in self.files
        }


def whole_number(value: Any, default: int = 0) -> int:
    """Read a 64-bit number; whatever is not one gives the default."""
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return default
    return number if -(2**63) <= number < 2**63 else default


def _readable(value: Any) -> Any:
    if not isinstance(value, str) or value[:1] not in {"{", "["}:
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value
