"""A source's bytes are brought here and kept, before anything reads them."""

import asyncio
import hashlib
import shutil
import tempfile
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import KonspektError, PermanentError, TransientError, UserError
from core.library.lease import LeaseLost
from core.model.source import Part, Source, SourceKind, Upload
from core.ports import BlobStore, LinkFetcher, NewSource, RemoteFiles, SourceUpdate, Transactions

PAGE = "text/html"
"""Media type of a link's original that is a page."""


@dataclass(frozen=True, slots=True)
class Original:
    """A source whose bytes are here, or what kept a link from being fetched.

    Attributes:
        source: As its row is now; its `original_key` is "" for a video, and for a page that only a browser gets.
        trouble: Why a link could not be fetched the plain way.
    """

    source: Source
    trouble: KonspektError | None = None


class _Barred(Exception):
    """A link does not open the plain way: a browser has to try."""

    def __init__(self, trouble: KonspektError) -> None:
        super().__init__(trouble)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class FetchOriginal:
    """Bring the original of a source into the blob store, once; later tries find it there.

    Attributes:
        files: The messenger's files; None where there is no messenger (the command line).
        links: What is behind public addresses; None where nothing is fetched.
    """

    transactions: Transactions
    blobs: BlobStore
    files: RemoteFiles | None
    links: LinkFetcher | None = None

    async def __call__(self, source: Source, *, max_bytes: int) -> Original:
        """Return the source with the key of its bytes.

        Raises:
            UserError: `source-duplicate`, `source-gone-remote`, or what the messenger or the link says.
            TransientError: The network.
            LeaseLost: The source was deleted meanwhile.
        """
        if source.original_key or source.kind in (SourceKind.YOUTUBE, SourceKind.PLAYLIST):
            return Original(source)
        key = f"{source.notebook_id}/{source.id}.{source.version}"
        with tempfile.TemporaryDirectory(prefix="konspekt-") as folder:
            target = Path(folder) / "original"
            try:
                upload = await self._fetch(source, target, max_bytes)
            except _Barred as barred:
                return Original(source, barred.trouble)
            size_bytes, digest = await asyncio.to_thread(measure, target)
            await self._refuse_duplicate(source, digest)
            await self.blobs.put_file(key, target)
        async with self.transactions() as tx:
            change = SourceUpdate(original_key=key, content_hash=digest, upload=replace(upload, size_bytes=size_bytes))
            kept = await tx.sources.update(source.notebook_id, source.id, change)
        if kept is None:  # deleted meanwhile: nothing of it stays
            await self.blobs.delete([key])
            raise LeaseLost
        return Original(kept)

    async def _fetch(self, source: Source, target: Path, max_bytes: int) -> Upload:
        """Write the bytes; return what is known of them now."""
        upload = source.upload
        if upload.path:
            await asyncio.to_thread(_copy, Path(upload.path), target)
        elif upload.url and self.links is not None:
            return await _follow(self.links, upload, target, max_bytes)
        elif self.files is None:
            raise PermanentError("source-gone-remote")
        elif upload.parts:
            await self._album(self.files, upload.parts, target)
        elif upload.remote_file:
            await self.files.fetch(upload.remote_file, target)
        else:
            raise PermanentError("source-gone-remote")
        return upload

    async def _album(self, files: RemoteFiles, parts: tuple[Part, ...], target: Path) -> None:
        """Put the photos of an album into one file, in order."""
        pictures: list[Path] = []
        for number, part in enumerate(parts, start=1):
            picture = target.with_name(f"{number:04}.jpg")
            await files.fetch(part.remote_file, picture)
            pictures.append(picture)
        await asyncio.to_thread(_bind, pictures, target)

    async def _refuse_duplicate(self, source: Source, digest: str) -> None:
        """Stop when the notebook holds the same bytes."""
        twin = NewSource(source.notebook_id, source.kind, "", Upload(), source.origin, None, None, digest)
        async with self.transactions() as tx:
            known = await tx.sources.duplicate(twin, besides=source.id)
        if known is not None:
            raise UserError("source-duplicate", {"title": known.title})


def measure(path: Path) -> tuple[int, str]:
    """Give a file's size in bytes and its SHA-256 in hexadecimal."""
    with path.open("rb") as file:
        return path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest()


async def _follow(links: LinkFetcher, upload: Upload, target: Path, max_bytes: int) -> Upload:
    """Get what a link leads to."""
    try:
        fetched = await links.fetch(upload.url, target, max_bytes=max_bytes)
    except (PermanentError, TransientError) as error:
        raise _Barred(error) from error
    media_type = PAGE if fetched.is_page else fetched.media_type
    return replace(upload, file_name=fetched.file_name, media_type=media_type)


def _copy(origin: Path, target: Path) -> None:
    try:
        shutil.copyfile(origin, target)
    except OSError as error:
        raise UserError("source-file-missing", {"name": origin.name}) from error


def _bind(pictures: list[Path], target: Path) -> None:
    """Store pictures in a ZIP as they are, with fixed dates: equal albums are equal bytes."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as album:
        for picture in pictures:
            album.writestr(zipfile.ZipInfo(picture.name), picture.read_bytes())
