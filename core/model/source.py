"""A source: something a person sent to be read once and kept."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from core.model.ids import BurstId, NotebookId, PersonId, SourceId


class SourceKind(StrEnum):
    """Which cascade reads it."""

    TEXT = "text"  # pasted or forwarded words
    PLAIN_FILE = "plain_file"  # txt, md: bytes in an unknown encoding
    CSV = "csv"
    PDF = "pdf"
    DOCX = "docx"
    PPTX = "pptx"
    XLSX = "xlsx"
    ODT = "odt"
    ODP = "odp"
    ODS = "ods"
    DOC = "doc"
    PPT = "ppt"
    XLS = "xls"
    RTF = "rtf"
    HTML = "html"
    EPUB = "epub"
    FB2 = "fb2"
    DJVU = "djvu"
    IMAGE = "image"  # a photo, a scan, several of them as a ZIP in order
    AUDIO = "audio"  # voice, music, a video's sound
    WEB = "web"  # a link to a page
    YOUTUBE = "youtube"  # a link to a video
    ARCHIVE = "archive"  # a ZIP of documents: becomes one source for each
    PLAYLIST = "playlist"  # a link to several videos: becomes one source for each

    @property
    def is_container(self) -> bool:
        """It is replaced by the sources it holds."""
        return self in (SourceKind.ARCHIVE, SourceKind.PLAYLIST)

    @property
    def is_link(self) -> bool:
        """It came as an address: it can be refreshed."""
        return self in (SourceKind.WEB, SourceKind.YOUTUBE, SourceKind.PLAYLIST)


class SourceState(StrEnum):
    """Where a source stands; the last three are ends and carry a reason unless all is well."""

    QUEUED = "queued"
    READING = "reading"
    READY = "ready"
    PARTIAL = "partial"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        """No further work will change it."""
        return self in (SourceState.READY, SourceState.PARTIAL, SourceState.FAILED)

    @property
    def answers(self) -> bool:
        """Its text may be cited."""
        return self in (SourceState.READY, SourceState.PARTIAL)


class Stage(StrEnum):
    """What is being done to it, in order."""

    FETCH = "fetch"
    EXTRACT = "extract"
    CLEAN = "clean"
    CHUNK = "chunk"
    INDEX = "index"
    EMBED = "embed"
    INSIGHTS = "insights"
    DONE = "done"


class Outcome(StrEnum):
    """How an extractor's attempt ended."""

    WON = "won"
    REJECTED = "rejected"  # it answered, the quality gate said no
    UNAVAILABLE = "unavailable"  # not installed or not configured here
    FAILED = "failed"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out_of_memory"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One extractor's try; `reason` is a short code for operators, not a sentence for users."""

    extractor: str
    outcome: Outcome
    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a source ended as it did, as a text key with its values."""

    text_key: str
    values: dict[str, str | int]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a source came from: kept for forwarded words, so that a citation can lead back.

    `message` is the face's own reference to the message that holds the text (opaque), for replies with a quote.
    """

    author: str = ""
    date: datetime | None = None
    link: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class About:
    """What a work says of itself.

    Attributes:
        author: Names as printed, split by commas.
        published: ISO date, or a year, or "".
        site: Name of the site or channel.
        url: The canonical address, where it differs from the one that was sent.
    """

    author: str = ""
    published: str = ""
    site: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One photo of an album that is one source.

    Attributes:
        place: The messenger's own order of it among the others, which may come in any.
    """

    remote_file: str
    unique_file: str
    size_bytes: int = 0
    caption: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True)
class Upload:
    """The bytes of a source, or the way to them.

    Exactly one of `text`, `path`, `remote_file`, `parts` and `url` is set, or none for a member of a container, whose
    bytes are in the blob store already.

    Attributes:
        text: The words themselves.
        path: A file on this machine (the command line).
        remote_file: A file that the messenger still holds.
        url: A link as it was sent.
        album: The messenger's key of the album it belongs to.
        parts: The photos of an album, in order.
        caption: What was written under it.
    """

    file_name: str = ""
    media_type: str = ""
    size_bytes: int = 0
    text: str = ""
    path: str = ""
    remote_file: str = ""
    unique_file: str = ""
    caption: str = ""
    url: str = ""
    album: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A source as the library knows it (without its text)."""

    notebook_id: NotebookId
    id: SourceId
    version: int
    kind: SourceKind
    title: str
    state: SourceState
    stage: Stage
    upload: Upload
    origin: Origin
    external_id: str = ""
    original_key: str = ""
    progress_done: int = 0
    progress_total: int = 0
    reason: Reason | None = None
    content_hash: str = ""
    canonical_url: str = ""
    about: About = field(default_factory=About)
    language: str = ""
    extractor: str = ""
    attempts: tuple[Attempt, ...] = ()
    pages: int = 0
    missing_pages: tuple[int, ...] = ()
    characters: int = 0
    chunk_count: int = 0
    muted: bool = False
    tries: int = 0
    burst_id: BurstId | None = None
    added_by: PersonId | None = None
    created_at: datetime | None = None
