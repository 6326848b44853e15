"""What we ask of the world: the seams between the stages and `core/adapters` (and the face, `bot/`).

Methods raise only errors of `core.errors`. Repositories live in a `Transaction`; everything else is called
outside of one.
"""

from core.ports.documents import (
    Cascade,
    ChildRunner,
    ContainerOpener,
    ExtractionRequest,
    Extractor,
    Fetched,
    FileInspector,
    Inspected,
    Level,
    LinkFetcher,
    Member,
    Opened,
    Progress,
    ServiceExtractor,
)
from core.ports.face import BlobStore, BurstStatus, Drafts, FloodGate, JobQueue, Notifier, RemoteFiles
from core.ports.models import ChatMessage, Embedder, LanguageModel, ModelReply, SearchTool
from core.ports.outbox import Outbox, OutgoingClaim, OutgoingMessage, Updates
from core.ports.people import Notebooks, People
from core.ports.questions import Ledger, Questions
from core.ports.search import Strategy
from core.ports.sources import Burst, Bursts, Known, NewSource, Refused, Remarks, Sources, SourceUpdate
from core.ports.texts import Insights, Texts, Vectors
from core.ports.transaction import Transaction, Transactions

__all__ = [
    "BlobStore",
    "Burst",
    "BurstStatus",
    "Bursts",
    "Cascade",
    "ChatMessage",
    "ChildRunner",
    "ContainerOpener",
    "Drafts",
    "Embedder",
    "ExtractionRequest",
    "Extractor",
    "Fetched",
    "FileInspector",
    "FloodGate",
    "Insights",
    "Inspected",
    "JobQueue",
    "Known",
    "LanguageModel",
    "Ledger",
    "Level",
    "LinkFetcher",
    "Member",
    "ModelReply",
    "NewSource",
    "Notebooks",
    "Notifier",
    "Opened",
    "Outbox",
    "OutgoingClaim",
    "OutgoingMessage",
    "People",
    "Progress",
    "Questions",
    "Refused",
    "Remarks",
    "RemoteFiles",
    "SearchTool",
    "ServiceExtractor",
    "SourceUpdate",
    "Sources",
    "Strategy",
    "Texts",
    "Transaction",
    "Transactions",
    "Updates",
    "Vectors",
]
