"""The schema. Every table of a notebook has `notebook_id` first in its key; the heavy three are partitioned by it.

Times are timestamptz. Ids are ours; the messenger's ids stand only in `persons`, `chats` and `processed_updates`.
A change here needs one reviewed migration: a test compares the two.
"""

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    false,
    func,
    text,
    true,
)
from sqlalchemy.dialects.postgresql import JSONB, TSVECTOR

PARTITIONS = 16
"""Hash partitions of chunks, postings and vectors: enough to keep each one's indexes in memory at a million chunks."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _id() -> Column[int]:
    return Column("id", BigInteger, Identity(), primary_key=True)


def _created() -> Column[object]:
    return Column("created_at", DateTime(timezone=True), nullable=False, server_default=func.now())


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False, server_default="")


def _number(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, server_default="0")


def _lease() -> list[Column[object]]:
    """The right to work on a row: who holds it until when, how often it was taken, when it may be taken again."""
    return [
        Column("lease_owner", Text, nullable=False, server_default=""),
        Column("lease_until", DateTime(timezone=True)),
        Column("retry_at", DateTime(timezone=True)),
        Column("tries", Integer, nullable=False, server_default="0"),
    ]


persons = Table(
    "persons",
    metadata,
    _id(),
    Column("bot_id", BigInteger, nullable=False),
    Column("external_id", BigInteger, nullable=False),
    _text("name"),
    _text("locale"),
    Column("locale_chosen", Boolean, nullable=False, server_default=false()),
    Column("plan", Text, nullable=False, server_default="free"),
    _created(),
    UniqueConstraint("bot_id", "external_id"),
)

chats = Table(
    "chats",
    metadata,
    _id(),
    Column("bot_id", BigInteger, nullable=False),
    Column("external_id", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    _text("title"),
    Column("reachable", Boolean, nullable=False, server_default=true()),
    _created(),
    UniqueConstraint("bot_id", "external_id"),
)

notebooks = Table(
    "notebooks",
    metadata,
    _id(),
    Column("owner_id", BigInteger, ForeignKey("persons.id"), index=True),
    Column("title", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("local_only", Boolean, nullable=False, server_default=false()),
    Column("archived", Boolean, nullable=False, server_default=false()),
    _created(),
)

notebook_members = Table(
    "notebook_members",
    metadata,
    Column("notebook_id", BigInteger, ForeignKey("notebooks.id", ondelete="CASCADE"), nullable=False),
    Column("person_id", BigInteger, ForeignKey("persons.id"), nullable=False, index=True),
    Column("role", Text, nullable=False),
    PrimaryKeyConstraint("notebook_id", "person_id"),
)

chat_notebooks = Table(
    "chat_notebooks",
    metadata,
    Column("chat_id", BigInteger, ForeignKey("chats.id", ondelete="CASCADE"), nullable=False),
    Column("thread_id", BigInteger, nullable=False),
    Column("notebook_id", BigInteger, ForeignKey("notebooks.id", ondelete="CASCADE"), nullable=False, index=True),
    # the conversation began after this question: earlier ones are not leant on
    Column("conversation_after", BigInteger, nullable=False, server_default="0"),
    PrimaryKeyConstraint("chat_id", "thread_id"),
)

expected_inputs = Table(
    "expected_inputs",
    metadata,
    Column("chat_id", BigInteger, ForeignKey("chats.id", ondelete="CASCADE"), nullable=False),
    Column("person_id", BigInteger, ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("reference", BigInteger, nullable=False),
    Column("until", DateTime(timezone=True), nullable=False),
    PrimaryKeyConstraint("chat_id", "person_id"),
)

bursts = Table(
    "bursts",
    metadata,
    _id(),
    Column("notebook_id", BigInteger, ForeignKey("notebooks.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("chat_id", BigInteger, ForeignKey("chats.id", ondelete="CASCADE"), nullable=False),
    Column("reply_to", Text, nullable=False),
    Column("last_at", DateTime(timezone=True), nullable=False),
    Column("begun_at", DateTime(timezone=True)),  # since when its people wait for it; none: all of it is read
    _text("note"),
    Column("known", JSONB, nullable=False, server_default=text("'[]'")),  # [{title, kind}, …] it had already
    Column("refused", JSONB, nullable=False, server_default=text("'[]'")),  # [{title, kind, reason}, …]
    Column("links", JSONB, nullable=False, server_default=text("'[]'")),  # offered as sources
    _number("removed"),  # sources taken back
    _created(),
    Index("ix_bursts_chat_id_last_at", "chat_id", "last_at"),
)

sources = Table(
    "sources",
    metadata,
    Column("notebook_id", BigInteger, ForeignKey("notebooks.id", ondelete="CASCADE"), nullable=False),
    Column("id", BigInteger, Identity(), nullable=False),
    Column("version", Integer, nullable=False, server_default="1"),
    Column("kind", Text, nullable=False),
    _text("title"),
    Column("state", Text, nullable=False, server_default="queued"),
    Column("stage", Text, nullable=False, server_default="fetch"),
    Column("upload", JSONB, nullable=False),
    Column("origin", JSONB, nullable=False),
    Column("about", JSONB, nullable=False, server_default=text("'{}'")),  # author, year, DOI
    _text("external_id"),
    _text("original_key"),
    _text("content_hash"),
    _text("unique_file"),
    _text("canonical_url"),
    _text("language"),
    _text("extractor"),
    Column("attempts", JSONB, nullable=False, server_default=text("'[]'")),
    Column("reason", JSONB),
    _number("progress_done"),
    _number("progress_total"),
    _number("pages"),
    Column("missing_pages", ARRAY(Integer), nullable=False, server_default=text("'{}'")),
    _number("characters"),
    _number("chunk_count"),
    Column("term_count", BigInteger, nullable=False, server_default="0"),  # lexemes over its chunks, for BM25's average
    Column("muted", Boolean, nullable=False, server_default=false()),
    Column("burst_id", BigInteger, ForeignKey("bursts.id", ondelete="SET NULL"), index=True),
    Column("added_by", BigInteger, ForeignKey("persons.id")),
    *_lease(),
    _created(),
    PrimaryKeyConstraint("notebook_id", "id"),
    Index("ix_sources_content_hash", "notebook_id", "content_hash"),
    Index("ix_sources_unfinished", "stage", "retry_at", postgresql_where=text("stage <> 'done'")),
)


def _source_key() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["notebook_id", "source_id"],
        ["sources.notebook_id", "sources.id"],
        onupdate="CASCADE",  # a source moves to another notebook
        ondelete="CASCADE",
    )


source_texts = Table(
    "source_texts",
    metadata,
    Column("notebook_id", BigInteger, nullable=False),
    Column("source_id", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("pages", JSONB, nullable=False),  # [[offset, page], …]
    Column("times", JSONB, nullable=False),  # [[offset, seconds], …]
    Column("raw_offsets", JSONB, nullable=False),  # [[offset in text, offset in raw text], …]
    PrimaryKeyConstraint("notebook_id", "source_id", "version"),
    _source_key(),
)

insights = Table(
    "insights",
    metadata,
    Column("notebook_id", BigInteger, nullable=False),
    Column("source_id", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("words", TSVECTOR, nullable=False),  # of the normalised text
    _created(),
    PrimaryKeyConstraint("notebook_id", "source_id", "kind"),
    _source_key(),
)

# The partitioned three have no foreign keys: a trigger a row would halve the speed of a bulk load. They are written
# and removed only by their repository, behind the lock of their source's row.

_BY_NOTEBOOK = "HASH (notebook_id)"

chunks = Table(
    "chunks",
    metadata,
    Column("notebook_id", BigInteger, nullable=False),
    Column("id", BigInteger, Identity(), nullable=False),
    Column("source_id", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("page", Integer),
    Column("time_s", Float),
    Column("headings", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    Column("language", Text, nullable=False),
    Column("text", Text, nullable=False),
    PrimaryKeyConstraint("notebook_id", "id"),
    Index("ix_chunks_notebook_id_source_id_ordinal", "notebook_id", "source_id", "ordinal"),
    postgresql_partition_by=_BY_NOTEBOOK,
)

postings = Table(
    "postings",
    metadata,
    Column("notebook_id", BigInteger, nullable=False),
    Column("lexeme", Text(collation="C"), nullable=False),
    Column("chunk_id", BigInteger, nullable=False),
    Column("source_id", BigInteger, nullable=False),
    Column("tf", SmallInteger, nullable=False),
    Column("length", Integer, nullable=False),  # lexemes of the chunk
    PrimaryKeyConstraint("notebook_id", "lexeme", "chunk_id", postgresql_include=["source_id", "tf", "length"]),
    Index("ix_postings_notebook_id_source_id", "notebook_id", "source_id"),
    postgresql_partition_by=_BY_NOTEBOOK,
)

vectors = Table(
    "vectors",
    metadata,
    Column("notebook_id", BigInteger, nullable=False),
    Column("model_id", BigInteger, nullable=False),
    Column("chunk_id", BigInteger, nullable=False),
    Column("source_id", BigInteger, nullable=False),
    Column("language", Text(collation="C"), nullable=False),
    Column("embedding", HALFVEC(), nullable=False),
    PrimaryKeyConstraint("notebook_id", "model_id", "chunk_id"),
    Index("ix_vectors_notebook_id_source_id", "notebook_id", "source_id"),
    postgresql_partition_by=_BY_NOTEBOOK,
)

embedding_models = Table(
    "embedding_models",
    metadata,
    _id(),
    Column("name", Text, nullable=False, unique=True),
    Column("dimensions", Integer, nullable=False),
    Column("calibration", JSONB, nullable=False, server_default=text("'{}'")),
    _created(),
)

vector_cache = Table(
    "vector_cache",
    metadata,
    Column("model_id", BigInteger, ForeignKey("embedding_models.id", ondelete="CASCADE"), nullable=False),
    Column("text_hash", LargeBinary, nullable=False),
    Column("embedding", HALFVEC(), nullable=False),
    PrimaryKeyConstraint("model_id", "text_hash"),
)

questions = Table(
    "questions",
    metadata,
    _id(),
    Column("notebook_id", BigInteger, ForeignKey("notebooks.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("person_id", BigInteger, ForeignKey("persons.id")),
    Column("chat_id", BigInteger, ForeignKey("chats.id", ondelete="CASCADE"), nullable=False),
    Column("thread_id", BigInteger, nullable=False, server_default="0"),
    Column("text", Text, nullable=False),
    Column("locale", Text, nullable=False),
    Column("state", Text, nullable=False, server_default="queued"),
    Column("reply_to", Text, nullable=False),
    Column("with_model", Boolean, nullable=False, server_default=false()),  # prompts for it are reserved
    Column("cancel_requested", Boolean, nullable=False, server_default=false()),
    Column("waits_for", BigInteger),  # the source it was written under, which may be gone
    Column("waits_until", DateTime(timezone=True)),
    *_lease(),
    _created(),
    Index("ix_questions_conversation", "chat_id", "thread_id", "notebook_id", "id"),
    Index("ix_questions_unfinished", "state", "id", postgresql_where=text("state in ('queued', 'running')")),
)

answers = Table(
    "answers",
    metadata,
    _id(),
    Column("notebook_id", BigInteger, ForeignKey("notebooks.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("question_id", BigInteger, ForeignKey("questions.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("answered", Boolean, nullable=False),
    Column("text", Text, nullable=False),
    Column("unsupported", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    Column("searched", Integer, nullable=False),
    Column("used", Integer, nullable=False),
    Column("model", Text, nullable=False),
    _created(),
)

citations = Table(
    "citations",
    metadata,
    Column("notebook_id", BigInteger, nullable=False),
    Column("answer_id", BigInteger, ForeignKey("answers.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("n", Integer, nullable=False),
    Column("source_id", BigInteger, nullable=False),  # no foreign key: a citation outlives its source
    Column("version", Integer, nullable=False),
    _text("external_id"),
    Column("title", Text, nullable=False),
    Column("quote", Text, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("page", Integer),
    Column("time_s", Float),
    Column("headings", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    Column("verdict", Text, nullable=False),
    PrimaryKeyConstraint("notebook_id", "answer_id", "n"),
)

prompt_ledger = Table(
    "prompt_ledger",
    metadata,
    _id(),
    Column("person_id", BigInteger, ForeignKey("persons.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("price", Integer, nullable=False),
    Column("reference", Text, nullable=False, unique=True),
    Column("state", Text, nullable=False, server_default="reserved"),
    Column("at", DateTime(timezone=True), nullable=False),
    Index("ix_prompt_ledger_person_id_at", "person_id", "at"),
)

outbox = Table(
    "outbox",
    metadata,
    _id(),
    Column("key", Text, nullable=False, unique=True),
    Column("chat_id", BigInteger, ForeignKey("chats.id", ondelete="CASCADE"), nullable=False),
    Column("payload", Text, nullable=False),
    Column("priority", SmallInteger, nullable=False, server_default="5"),
    Column("revision", Integer, nullable=False, server_default="1"),
    Column("shown_revision", Integer, nullable=False, server_default="0"),
    _text("message_ref"),
    _text("dropped"),
    *_lease(),
    _created(),
    Index("ix_outbox_due", "chat_id", "id", postgresql_where=text("shown_revision < revision and dropped = ''")),
)

processed_updates = Table(
    "processed_updates",
    metadata,
    Column("bot_id", BigInteger, nullable=False),
    Column("update_id", BigInteger, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False, server_default=func.now(), index=True),
    PrimaryKeyConstraint("bot_id", "update_id"),
)
