"""The right to work on a row, as columns: one set of statements for sources and questions.

A lease is (owner, until). It is free when nobody holds it, when it ran out, or when its owner asks again.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Table, Update, and_, or_, update


def free(table: Table, owner: str, now: datetime) -> ColumnElement[bool]:
    """State that `owner` may take the row now: nobody else holds it and its waiting time is over."""
    held = or_(table.c.lease_until.is_(None), table.c.lease_until <= now, table.c.lease_owner == owner)
    return and_(held, or_(table.c.retry_at.is_(None), table.c.retry_at <= now))


def take(table: Table, owner: str, now: datetime, seconds: float, **values: Any) -> Update:
    """Take the row and count the try (add the row's own key and `free` as conditions)."""
    return update(table).values(
        lease_owner=owner,
        lease_until=now + timedelta(seconds=seconds),
        retry_at=None,
        tries=table.c.tries + 1,
        **values,
    )


def held(table: Table, owner: str) -> ColumnElement[bool]:
    """State that `owner` holds the row (a lease that ran out unseen by others is still theirs)."""
    return table.c.lease_owner == owner


def give_back(table: Table, retry_at: datetime | None) -> Update:
    """Let the row go, not to be taken before a time."""
    return update(table).values(lease_owner="", lease_until=None, retry_at=retry_at)
