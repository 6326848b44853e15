"""A group became a supergroup: same notebook, deck and quota under a new outside id."""

from dataclasses import dataclass

from core.ports import Transactions


@dataclass(frozen=True, slots=True)
class MigrateChat:
    """Re-key the chat, once, whichever way the news comes (either service message, or a refused call)."""

    transactions: Transactions

    async def __call__(self, bot_id: int, old: int, new: int) -> bool:
        """Return True when this was the news that did it."""
        async with self.transactions() as tx:
            return await tx.people.rekey_chat(bot_id, old, new)
