"""Updates of the messenger that had their effect."""

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from core.adapters.postgres.tables import processed_updates


class PostgresUpdates:
    """See `core.ports.Updates`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def begin(self, bot_id: int, update_id: int) -> bool:
        """Mark an update as done; a second replica at the same update waits here for the first one's end."""
        done = await self._connection.execute(
            insert(processed_updates).values(bot_id=bot_id, update_id=update_id).on_conflict_do_nothing()
        )
        return done.rowcount == 1
