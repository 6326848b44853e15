"""A burst's one status message follows its sources."""

from dataclasses import dataclass

from core.model.source import Source
from core.ports import BurstStatus, Notifier, Transaction


@dataclass(frozen=True, slots=True)
class ShowBurst:
    """Bring the status message of a source's burst up to date, in the transaction that changed it."""

    notifier: Notifier

    async def __call__(self, tx: Transaction, source: Source) -> None:
        """Do nothing for a source that came without a burst (the command line)."""
        if source.burst_id is None:
            return
        burst = await tx.bursts.get(source.burst_id)
        if burst is None:
            return
        notebook = await tx.notebooks.get(burst.notebook_id)
        members = tuple(await tx.sources.of_burst(burst.id))
        await self.notifier.burst_changed(tx, BurstStatus(burst, notebook.title if notebook else "", members))
