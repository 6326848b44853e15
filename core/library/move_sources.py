"""What was sent to one notebook goes to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.errors import UserError
from core.jobs import EmbedSource, IngestSource
from core.library.access import WRITE, allowed_notebook, who_may_move
from core.library.add_source import plan_of
from core.library.burst_status import burst_of, tell_burst
from core.library.kinds import HEAVY
from core.library.take_in import name_of
from core.model.ids import BurstId, NotebookId
from core.model.notebook import Notebook, Role
from core.model.source import Source, Stage
from core.model.user import Caller
from core.ports import BlobStore, Burst, Known, NewSource, Notifier, Remarks, Transaction, Transactions


@dataclass(frozen=True, slots=True)
class ListTargets:
    """List the notebooks that a burst's sources may go to."""

    transactions: Transactions

    async def __call__(self, caller: Caller, burst_id: BurstId) -> list[Notebook]:
        """Return those that the caller may write in, without the present one and archived ones."""
        person = who_may_move(caller)
        async with self.transactions() as tx:
            burst = await burst_of(tx, caller, burst_id)
            mine = await tx.notebooks.of_person(person.id)
            return [
                one
                for one in mine
                if one.id != burst.notebook_id
                and not one.archived
                and await tx.notebooks.role(one.id, person.id) in (Role.OWNER, Role.EDITOR)
            ]


@dataclass(frozen=True, slots=True)
class MoveBurst:
    """Move the sources of a burst, with what was made of them; those that are being read are read anew there.

    What the other notebook holds already is not held twice: it goes from here.
    """

    transactions: Transactions
    blobs: BlobStore
    notifier: Notifier

    async def __call__(self, caller: Caller, burst_id: BurstId, target: NotebookId) -> Notebook:
        """Return the notebook that now holds them.

        Raises:
            UserError: `burst-gone`, `notebook-gone` (also for no right to write in one of the two),
                `undo-nothing` without sources, `source-too-many` for the other notebook.
        """
        who_may_move(caller)
        async with self.transactions() as tx:
            await tx.people.lock_chat(caller.chat.id)
            burst = await burst_of(tx, caller, burst_id)
            await allowed_notebook(tx, caller, burst.notebook_id, WRITE)
            notebook = await allowed_notebook(tx, caller, target, WRITE)
            if target == burst.notebook_id:
                return notebook
            sources = await tx.sources.lock_burst(burst.id)
            if not sources:
                raise UserError("undo-nothing")
            moving = await self._leave_twins(tx, burst, sources, target)
            await self._check_room(tx, caller, notebook, len(moving))
            await self._move(tx, burst, moving, target)
            await tell_burst(tx, self.notifier, burst.id)
            return notebook

    async def _leave_twins(
        self, tx: Transaction, burst: Burst, sources: Sequence[Source], target: NotebookId
    ) -> list[Source]:
        """Delete what the other notebook has already; give the others."""
        moving: list[Source] = []
        for source in sources:
            if await tx.sources.duplicate(_as_new(source, target)) is None:
                moving.append(source)
                continue
            await tx.sources.delete(source.notebook_id, source.id)
            known = Known(name_of(source.title, source.upload), source.kind)
            await tx.bursts.remark(burst.id, Remarks(known=(known,)))
            if source.original_key:
                tx.after_commit(lambda key=source.original_key: self.blobs.delete([key]))  # type: ignore[misc]
        return moving

    async def _check_room(self, tx: Transaction, caller: Caller, notebook: Notebook, count: int) -> None:
        plan = await plan_of(tx, caller)
        if notebook.source_count + count > plan.max_sources:
            raise UserError("source-too-many", {"limit": plan.max_sources})

    async def _move(self, tx: Transaction, burst: Burst, moving: Sequence[Source], target: NotebookId) -> None:
        ids = [source.id for source in moving]
        for source in await tx.sources.move(burst.notebook_id, ids, target):
            if not source.state.ended or source.stage is Stage.FETCH:
                tx.publish(IngestSource(target, source.id, heavy=source.kind in HEAVY))
            elif source.stage is not Stage.DONE:
                tx.publish(EmbedSource(target, source.id))
        await tx.questions.follow(ids, target)
        await tx.bursts.move(burst.id, target)


def _as_new(source: Source, target: NotebookId) -> NewSource:
    """Describe a source as if it came to another notebook."""
    part = source.upload.parts[0].unique_file if source.upload.parts else ""
    upload = replace(source.upload, unique_file=source.upload.unique_file or part)
    return NewSource(
        notebook_id=target,
        kind=source.kind,
        title=source.title,
        upload=upload,
        origin=source.origin,
        added_by=source.added_by,
        burst_id=source.burst_id,
        content_hash=source.content_hash,
        external_id=source.external_id,
        canonical_url=source.canonical_url,
    )
