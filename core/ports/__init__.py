"""What we ask of the world: the seams between the stages and `core/adapters` (and the face, `bot/`).

Methods raise only errors of `core.errors`. Repositories live in a `Transaction`; everything else is called
outside of one.
"""

from core.ports.documents import Cascade, ChildRunner, ExtractionRequest, Extractor, FileInspector, Inspected, Progress
from core.ports.face import BlobStore, BurstStatus, Drafts, FloodGate, JobQueue, Notifier, RemoteFiles
from core.ports.models import ChatMessage, Embedder, LanguageModel, ModelReply, SearchTool
from core.ports.outbox import Outbox, OutgoingClaim, OutgoingMessage, Updates
from core.ports.people import Notebooks, People
from core.ports.questions import Ledger, Questions
from core.ports.search import Strategy
from core.ports.sources import Burst, Bursts, NewSource, Sources, SourceUpdate
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
