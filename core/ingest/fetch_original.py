"""A source's bytes are brought here and kept, before anything reads them."""

import asyncio
import hashlib
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from core.errors import PermanentError, UserError
from core.library.lease import LeaseLost
from core.model.source import Source, Upload
from core.ports import BlobStore, NewSource, RemoteFiles, SourceUpdate, Transactions


@dataclass(frozen=True, slots=True)
class FetchOriginal:
    """Bring the original of a source into the blob store, once; later tries find it there.

    Attributes:
        files: The messenger's files; None where there is no messenger (the command line).
    """

    transactions: Transactions
    blobs: BlobStore
    files: RemoteFiles | None

    async def __call__(self, source: Source) -> Path:
        """Return where the bytes are.

        Raises:
            UserError: `source-duplicate`, `source-gone-remote`, or what the messenger says of its file.
            TransientError: The network.
            LeaseLost: The source was deleted meanwhile.
        """
        if source.original_key:
            return self.blobs.path(source.original_key)
        key = f"{source.notebook_id}/{source.id}.{source.version}"
        with tempfile.TemporaryDirectory(prefix="konspekt-") as folder:
            fetched = await self._fetch(source, Path(folder) / "original")
            digest = await asyncio.to_thread(_sha256, fetched)
            await self._refuse_duplicate(source, digest)
            await self.blobs.put_file(key, fetched)
        async with self.transactions() as tx:
            change = SourceUpdate(original_key=key, content_hash=digest)
            kept = await tx.sources.update(source.notebook_id, source.id, change)
        if kept is None:  # deleted meanwhile: nothing of it stays
            await self.blobs.delete([key])
            raise LeaseLost
        return self.blobs.path(key)

    async def _fetch(self, source: Source, target: Path) -> Path:
        upload = source.upload
        if upload.path:
            await asyncio.to_thread(_copy, Path(upload.path), target)
        elif upload.remote_file and self.files is not None:
            await self.files.fetch(upload.remote_file, target)
        else:
            raise PermanentError("source-gone-remote")
        return target

    async def _refuse_duplicate(self, source: Source, digest: str) -> None:
        """Stop when the notebook holds the same bytes."""
        twin = NewSource(source.notebook_id, source.kind, "", Upload(), source.origin, None, None, digest)
        async with self.transactions() as tx:
            known = await tx.sources.duplicate(twin, besides=source.id)
        if known is not None:
            raise UserError("source-duplicate", {"title": known.title})


def _copy(origin: Path, target: Path) -> None:
    try:
        shutil.copyfile(origin, target)
    except OSError as error:
        raise UserError("source-file-missing", {"name": origin.name}) from error


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
