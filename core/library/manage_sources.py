"""The sources of a notebook: list, look at, mute, delete."""

from dataclasses import dataclass

from core.errors import UserError
from core.library.access import WRITE, allowed_notebook
from core.library.burst_status import is_callers, tell_burst
from core.model.ids import NotebookId, SourceId
from core.model.notebook import Notebook
from core.model.source import Source
from core.model.user import Caller
from core.ports import BlobStore, Notifier, SourceUpdate, Transaction, Transactions


@dataclass(frozen=True, slots=True)
class ListSources:
    """List what a notebook holds."""

    transactions: Transactions

    async def __call__(self, caller: Caller, notebook_id: NotebookId) -> tuple[Notebook, list[Source]]:
        """Return the notebook and its sources, oldest first."""
        async with self.transactions() as tx:
            notebook = await allowed_notebook(tx, caller, notebook_id)
            return notebook, await tx.sources.of_notebook(notebook_id)


@dataclass(frozen=True, slots=True)
class GetSource:
    """Show one source."""

    transactions: Transactions

    async def __call__(self, caller: Caller, notebook_id: NotebookId, source_id: SourceId) -> Source:
        """Return it, or raise `source-gone`."""
        async with self.transactions() as tx:
            await allowed_notebook(tx, caller, notebook_id)
            source = await tx.sources.get(notebook_id, source_id)
            if source is None:
                raise UserError("source-gone")
            return source


@dataclass(frozen=True, slots=True)
class MuteSource:
    """Leave a source out of answers, or take it in again."""

    transactions: Transactions

    async def __call__(self, caller: Caller, notebook_id: NotebookId, source_id: SourceId, *, muted: bool) -> Source:
        """Return it changed."""
        async with self.transactions() as tx:
            await own_source(tx, caller, notebook_id, source_id)
            source = await tx.sources.update(notebook_id, source_id, SourceUpdate(muted=muted))
            if source is None:
                raise UserError("source-gone")
            return source


@dataclass(frozen=True, slots=True)
class DeleteSource:
    """Delete a source with its text, chunks, vectors and insights, at once: the next answer cannot cite it."""

    transactions: Transactions
    blobs: BlobStore
    notifier: Notifier

    async def __call__(self, caller: Caller, notebook_id: NotebookId, source_id: SourceId) -> Source:
        """Return what was deleted; its original goes after the commit, and its status message knows it no more."""
        async with self.transactions() as tx:
            source = await own_source(tx, caller, notebook_id, source_id)
            if not await tx.sources.delete(notebook_id, source_id):
                raise UserError("source-gone")
            if source.burst_id is not None:
                await tell_burst(tx, self.notifier, source.burst_id)

            async def delete_original() -> None:
                await self.blobs.delete([source.original_key] if source.original_key else [])

            tx.after_commit(delete_original)
            return source


async def own_source(tx: Transaction, caller: Caller, notebook_id: NotebookId, source_id: SourceId) -> Source:
    """Load a source that the caller may change: in a group its contributor, or who speaks as the group itself.

    Raises:
        UserError: `source-gone`, or `source-not-yours` in a group.
    """
    await allowed_notebook(tx, caller, notebook_id, WRITE)
    source = await tx.sources.get(notebook_id, source_id)
    if source is None:
        raise UserError("source-gone")
    if not is_callers(caller, source):
        raise UserError("source-not-yours")
    return source
