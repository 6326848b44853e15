"""A ZIP of documents is opened in a child: its members become files of ours, and what stays behind is named."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from core.adapters.archive_names import name_of, title_of
from core.adapters.extractors.preflight import detect_kind
from core.adapters.extractors.zip_kinds import is_member
from core.adapters.inspection import MALFORMED
from core.adapters.killable import Limits, run_killable
from core.errors import PermanentError, UserError
from core.ingest.cascade import ExtractionFailed, ExtractionOutOfMemory, ExtractionTimeout
from core.model.source import Reason, SourceKind
from core.ports.documents import ExtractionRequest, Member, Opened, Progress

log = structlog.get_logger()

LIMITS = Limits(deadline_s=120.0, memory_bytes=1 << 30)
# Half a gigabyte is written in seconds.

MAX_UNPACKED_BYTES = 512 * 1024 * 1024
"""Of all members together: what people send through a messenger, unpacked."""

MAX_RATIO = 200
"""Unpacked by packed, for a member of more than `_SMALL_BYTES`: text packs at most 20 times."""

MAX_ENTRIES = 20_000
_SMALL_BYTES = 16 * 1024 * 1024
_PIECE = 1 << 20
_NAMED = 5
# Names that are told of each sort of what was left out.

_BROKEN = (zipfile.BadZipFile, EOFError, NotImplementedError, OSError, ValueError, RuntimeError)

Found = tuple[list[tuple[str, SourceKind, str]], list[Reason]]
"""Title, kind and path of each member; what was left out."""


@dataclass(frozen=True, slots=True)
class ZipOpener:
    """Opens archives one level deep."""

    limits: Limits = LIMITS
    max_unpacked_bytes: int = MAX_UNPACKED_BYTES

    async def open(self, request: ExtractionRequest, folder: Path, *, limit: int) -> Opened:
        """Unpack at most `limit` documents into the folder, under names of ours.

        Raises:
            UserError: `source-damaged`, `source-encrypted` (every member), `source-bomb`, `source-too-heavy`,
                `archive-nothing` when it holds no file that can be read.
            TransientError: No process could be started.
        """
        task = _Unpack(request.path, str(folder), limit, self.max_unpacked_bytes)
        try:
            found = await run_killable(task, self.limits, lambda _done, _total: None)
        except (ExtractionOutOfMemory, ExtractionTimeout) as error:
            raise UserError("source-too-heavy") from error
        except ExtractionFailed as error:
            log.warning("archive_not_opened", code=error.values.get("code", ""))
            if error.values.get("code") == MALFORMED:  # our own fault, not the file's
                raise PermanentError("source-broke") from error
            raise UserError("source-damaged") from error
        assert isinstance(found, tuple)
        members, lost = found
        if not members:
            raise UserError("archive-nothing")
        return Opened(tuple(Member(title, kind, path=path) for title, kind, path in members), tuple(lost))


@dataclass(slots=True)
class _Left:
    """Names of what stays in the archive, by the text key that says why."""

    names: dict[str, list[str]] = field(default_factory=dict)

    def add(self, key: str, name: str) -> None:
        """Note one more."""
        self.names.setdefault(key, []).append(title_of(name))

    def reasons(self) -> list[Reason]:
        """Say how many of each sort there are, and name the first."""
        return [Reason(key, {"count": len(names), "names": _some(names)}) for key, names in self.names.items()]


@dataclass(frozen=True, slots=True)
class _Unpack:
    """The task that the child is sent."""

    path: str
    folder: str
    limit: int
    max_bytes: int

    def __call__(self, progress: Progress) -> Found:
        left = _Left()
        try:
            with zipfile.ZipFile(self.path) as archive:
                entries = _members(archive.infolist(), left)
                self._refuse_bomb(entries)
                members = list(self._taken(archive, entries, left))
        except zipfile.BadZipFile as error:
            raise UserError("source-damaged") from error
        if not members and set(left.names) == {"lost-members-locked"}:
            raise UserError("source-encrypted")
        return members, left.reasons()

    def _refuse_bomb(self, entries: list[zipfile.ZipInfo]) -> None:
        large = [entry for entry in entries if entry.file_size > _SMALL_BYTES]
        if len(entries) > MAX_ENTRIES or sum(entry.file_size for entry in entries) > self.max_bytes:
            raise UserError("source-bomb")
        if any(entry.file_size > MAX_RATIO * max(1, entry.compress_size) for entry in large):
            raise UserError("source-bomb")

    def _taken(
        self, archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], left: _Left
    ) -> Iterator[tuple[str, SourceKind, str]]:
        """Write members one by one; keep those that are documents."""
        count = 0
        for entry in entries:
            name = name_of(entry)
            if count >= self.limit:
                left.add("lost-members-beyond", name)
                continue
            target = Path(self.folder) / f"{count + 1:04}.bin"
            kind, lost = _written(archive, entry, target)
            if kind is None:
                target.unlink(missing_ok=True)
                left.add(lost, name)
            else:
                count += 1
                yield title_of(name), kind, str(target)


def _members(entries: Iterable[zipfile.ZipInfo], left: _Left) -> list[zipfile.ZipInfo]:
    """Leave out folders, hidden files and what programs put beside them, and note what is locked."""
    files = [entry for entry in entries if not entry.is_dir() and is_member(name_of(entry))]
    for entry in files:
        if entry.flag_bits & 1:
            left.add("lost-members-locked", name_of(entry))
    return [entry for entry in files if not entry.flag_bits & 1]


def _written(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path) -> tuple[SourceKind | None, str]:
    """Write a member to a file; tell its kind, or None and the key of why it is left out."""
    try:
        with archive.open(entry) as member, target.open("wb") as file:
            while piece := member.read(_PIECE):
                file.write(piece)
        kind = detect_kind(str(target), name_of(entry), "")
    except (*_BROKEN, UserError):
        return None, "lost-members"
    if kind is not None and kind.is_container:
        return None, "lost-members-archives"
    return kind, "lost-members"


def _some(names: list[str]) -> str:
    """Join the first names, each shortened."""
    told = ", ".join(name if len(name) <= 40 else f"{name[:39]}…" for name in names[:_NAMED])
    return f"{told}, …" if len(names) > _NAMED else told
