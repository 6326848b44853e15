"""What we ask of the world: the seams between the stages and `core/adapters` (and the face, `bot/`).

Methods raise only errors of `core.errors`. Repositories live in a `Transaction`; everything else is called
outside of one.
"""

from core.ports.documents import Cascade, ChildRunner, ExtractionRequest, Extractor, FileInspector, Inspected, Progress
from core.ports.face import BlobStore, BurstStatus, Drafts, FloodGate, JobQueue, Notifier, RemoteFiles
from core.ports.models import ChatMessage, Embedder, LanguageModel, ModelReply, SearchTool
from core.ports.rows import (
    Burst,
    Bursts,
    Insights,
    Ledger,
    NewSource,
    Notebooks,
    Outbox,
    OutgoingClaim,
    OutgoingMessage,
    People,
    Questions,
    Sources,
    SourceUpdate,
    Texts,
    Transaction,
    Transactions,
    Updates,
    Vectors,
)
from core.ports.search import Strategy

__all__ = [
    "BlobStore",
    "Burst",
    "BurstStatus",
    "Bursts",
    "Cascade",
    "ChatMessage",
    "ChildRunner",
    "Drafts",
    "Embedder",
    "ExtractionRequest",
    "Extractor",
    "FileInspector",
    "FloodGate",
    "Insights",
    "Inspected",
    "JobQueue",
    "LanguageModel",
    "Ledger",
    "ModelReply",
    "NewSource",
    "Notebooks",
    "Notifier",
    "Outbox",
    "OutgoingClaim",
    "OutgoingMessage",
    "People",
    "Progress",
    "Questions",
    "RemoteFiles",
    "SearchTool",
    "SourceUpdate",
    "Sources",
    "Strategy",
    "Texts",
    "Transaction",
    "Transactions",
    "Updates",
    "Vectors",
]
