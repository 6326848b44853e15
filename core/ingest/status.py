"""A burst's one status message follows its sources."""

from dataclasses import dataclass

from core.library.burst_status import tell_burst
from core.model.source import Source
from core.ports import Notifier, Transaction


@dataclass(frozen=True, slots=True)
class ShowBurst:
    """Bring the status message of a source's burst up to date, in the transaction that changed it."""

    notifier: Notifier

    async def __call__(self, tx: Transaction, source: Source) -> None:
        """Do nothing for a source that came without a burst (the command line)."""
        if source.burst_id is not None:
            await tell_burst(tx, self.notifier, source.burst_id)
