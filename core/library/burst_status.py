"""A burst: who may act on it, and its one status message, brought up to date in the transaction that changed it."""

from core.errors import UserError
from core.library.suggestions import status_of
from core.model.ids import BurstId
from core.model.source import Source
from core.model.user import Caller, ChatKind
from core.ports import Burst, Notifier, Transaction


async def tell_burst(tx: Transaction, notifier: Notifier, burst_id: BurstId) -> None:
    """Show what the burst is now; nothing happens when it is gone."""
    burst = await tx.bursts.get(burst_id)
    if burst is not None:
        await notifier.burst_changed(tx, await status_of(tx, burst))


async def burst_of(tx: Transaction, caller: Caller, burst_id: BurstId) -> Burst:
    """Load a burst of the caller's chat.

    Raises:
        UserError: `burst-gone` when there is none, or it is another chat's: the two are not told apart.
    """
    burst = await tx.bursts.get(burst_id)
    if burst is None or burst.chat_id != caller.chat.id:
        raise UserError("burst-gone")
    return burst


def is_callers(caller: Caller, source: Source) -> bool:
    """Tell whether a caller may change a source: in a group its contributor, or who speaks as the group itself."""
    in_group = caller.chat.kind is ChatKind.GROUP
    return not in_group or caller.person is None or source.added_by == caller.person.id
