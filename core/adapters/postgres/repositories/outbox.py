"""The outbox: what chats shall show, and how far the messenger agrees."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, Subquery, and_, case, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from core.adapters.postgres.tables import chats, outbox
from core.model.ids import ChatId
from core.model.user import Chat, ChatKind
from core.ports import OutgoingClaim, OutgoingMessage


class PostgresOutbox:
    """See `core.ports.Outbox`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def put(self, message: OutgoingMessage) -> None:
        """Add a message, or give the one with this key new content, which is due even if the old was given up."""
        new = insert(outbox).values(
            key=message.key, chat_id=message.chat_id, payload=message.payload, priority=message.priority
        )
        afresh = {"revision": outbox.c.revision + 1, "retry_at": None, "tries": 0, "dropped": ""}
        await self._connection.execute(
            new.on_conflict_do_update(
                index_elements=["key"],
                set_={"payload": new.excluded.payload, **afresh},
                where=outbox.c.payload != new.excluded.payload,
            )
        )

    async def claim(self, *, now: datetime, limit: int, lease_s: float, owner: str) -> list[OutgoingClaim]:
        """Take the first due message of each chat that nobody is sending to.

        The chats are locked first and their messages looked at in a second statement, which sees what other senders
        committed meanwhile: two never hold messages of one chat. Nothing here waits for anybody's lock.
        """
        chat_ids = await self._lock_chats(now, limit)
        first = _first(now, outbox.c.chat_id.in_(chat_ids))
        picked = await self._connection.execute(
            _ready(select(outbox.c.id), first, now).with_for_update(of=outbox, skip_locked=True)
        )
        ids = list(picked.scalars())
        if not ids:
            return []
        await self._connection.execute(
            update(outbox)
            .where(outbox.c.id.in_(ids))
            .values(lease_owner=owner, lease_until=now + timedelta(seconds=lease_s))
        )
        rows = await self._connection.execute(
            select(outbox, chats.c.bot_id, chats.c.external_id, chats.c.kind, chats.c.title, chats.c.reachable)
            .join(chats, chats.c.id == outbox.c.chat_id)
            .where(outbox.c.id.in_(ids))
            .order_by(outbox.c.priority, outbox.c.id)
        )
        return [_claim(row) for row in rows]

    async def _lock_chats(self, now: datetime, limit: int) -> list[int]:
        """Lock the chats with the most urgent messages, so that no other sender chooses in them."""
        found = await self._connection.execute(
            _ready(select(chats.c.id), _first(now), now)
            .join(chats, chats.c.id == outbox.c.chat_id)
            .order_by(outbox.c.priority, outbox.c.id)
            .limit(limit)
            .with_for_update(of=chats, key_share=True, skip_locked=True)
        )
        return list(found.scalars())

    async def shown(self, claim: OutgoingClaim, message_ref: str) -> None:
        """Record that this revision is on the screen; newer content stays due."""
        await self._settle(claim, shown_revision=claim.revision, message_ref=message_ref, tries=0, retry_at=None)

    async def postpone(self, claim: OutgoingClaim, *, until: datetime, failed: bool) -> None:
        """Give it back, not before a time."""
        await self._settle(claim, retry_at=until, tries=claim.tries + failed)

    async def drop(self, claim: OutgoingClaim, why: str) -> None:
        """Give up on this content; what was put meanwhile is still due."""
        await self._settle(claim, dropped=case((outbox.c.revision == claim.revision, why), else_=""))

    async def ref(self, key: str) -> str:
        """Find where a message is shown."""
        found = await self._connection.execute(select(outbox.c.message_ref).where(outbox.c.key == key))
        return found.scalar() or ""

    async def _settle(self, claim: OutgoingClaim, **values: Any) -> None:
        await self._connection.execute(
            update(outbox).where(outbox.c.id == claim.id).values(lease_owner="", lease_until=None, **values)
        )


def _first(now: datetime, *within: ColumnElement[bool]) -> Subquery:
    """Select the first due message of each chat where no due one is held."""
    due = and_(outbox.c.shown_revision < outbox.c.revision, outbox.c.dropped == "", *within)
    return (
        select(outbox.c.chat_id, func.min(outbox.c.id).label("id"))
        .where(due)
        .group_by(outbox.c.chat_id)
        .having(func.bool_and(or_(outbox.c.lease_until.is_(None), outbox.c.lease_until <= now)))
        .subquery()
    )


def _ready(chosen: Select[int], first: Subquery, now: datetime) -> Select[int]:
    """Keep of the first messages those that need not wait."""
    retry = or_(outbox.c.retry_at.is_(None), outbox.c.retry_at <= now)
    return chosen.select_from(outbox).join(first, first.c.id == outbox.c.id).where(retry)


def _claim(row: Row[Any]) -> OutgoingClaim:
    chat = Chat(ChatId(row.chat_id), row.external_id, ChatKind(row.kind), row.title, row.reachable)
    return OutgoingClaim(row.id, row.revision, row.key, chat, row.bot_id, row.payload, row.message_ref, row.tries)
