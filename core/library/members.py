"""Who belongs to a group's notebook: those who use it, until they leave."""

from dataclasses import dataclass

from core.model.user import Caller, ChatKind
from core.ports import Transactions


@dataclass(frozen=True, slots=True)
class LeaveGroup:
    """End the access of a person who left a group."""

    transactions: Transactions

    async def __call__(self, caller: Caller, bot_id: int, external_person_id: int) -> None:
        """Remove their membership of the notebooks of the group and of its topics, if any."""
        if caller.chat.kind is not ChatKind.GROUP:
            return
        async with self.transactions() as tx:
            person = await tx.people.find_person(bot_id, external_person_id)
            if person is not None:
                await tx.notebooks.leave_chat(caller.chat.id, person.id)
