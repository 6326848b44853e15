"""What a message brings is taken into its burst: kept, known already, or refused with a reason; told in one message."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from core.billing.quota import Request, reference_of
from core.errors import UserError
from core.library.access import WRITE, allowed_notebook
from core.library.add_source import Added, AddSource, Incoming, join_burst
from core.library.burst_status import burst_of, tell_burst
from core.library.link_source import link_label, link_source
from core.model.ids import BurstId, ReplyTo
from core.model.source import Origin, Reason, Source, SourceKind, Upload
from core.model.user import Caller
from core.ports import Burst, Known, Refused, Remarks, Transaction, Transactions


@dataclass(frozen=True, slots=True)
class Arrival:
    """What one message brings.

    Attributes:
        items: Things to be kept.
        refused: What of it cannot be.
        links: Addresses in its words, to be offered.
    """

    items: tuple[Incoming, ...] = ()
    refused: tuple[Refused, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakeIn:
    """Take in what a message brings.

    A refusal of one thing stops no other. Words that the person typed just before and that wait to be answered
    (`AskQuestion`) belong to what is sent now: they become the burst's note, and nothing is paid for them.
    """

    transactions: Transactions
    add: AddSource

    async def __call__(
        self, caller: Caller, arrival: Arrival, reply_to: ReplyTo, *, now: datetime
    ) -> tuple[Added, ...]:
        """Return what was kept and what was there already, in order.

        Raises:
            UserError: No right to add here.
        """
        async with self.transactions() as tx:
            await allowed_notebook(tx, caller, caller.notebook_id, WRITE)
            await tx.people.lock_chat(caller.chat.id)
            burst = await join_burst(tx, caller, reply_to, now=now)
            note = await self._note(tx, caller, now)
            added = await take_into(tx, self.add, caller, arrival, burst, now=now)
            if note:
                await tx.bursts.remark(burst.id, Remarks(note=note))
            await tell_burst(tx, self.add.notifier, burst.id)
            return added

    async def _note(self, tx: Transaction, caller: Caller, now: datetime) -> str:
        """Withdraw what waits to be answered, and give its words."""
        person_id = caller.person.id if caller.person else None
        withdrawn = await tx.questions.withdraw(caller.chat.id, caller.thread_id, person_id, now=now)
        for question in withdrawn:
            await tx.ledger.give_back(reference_of(Request.ANSWER, question.id))
        return "\n".join(question.text for question in withdrawn)


@dataclass(frozen=True, slots=True)
class AddOfferedLinks:
    """Add the links that a burst's status message offers, to the same burst."""

    transactions: Transactions
    add: AddSource

    async def __call__(self, caller: Caller, burst_id: BurstId, *, now: datetime) -> tuple[Added, ...]:
        """Return what became of them.

        Raises:
            UserError: `burst-gone`, or no right to add there.
        """
        async with self.transactions() as tx:
            await tx.people.lock_chat(caller.chat.id)
            burst = await burst_of(tx, caller, burst_id)
            await allowed_notebook(tx, caller, burst.notebook_id, WRITE)
            arrival = arrival_of_links(await tx.bursts.take_links(burst_id))
            await tx.bursts.begin_again(burst_id, now=now)
            there = replace(caller, notebook_id=burst.notebook_id)
            added = await take_into(tx, self.add, there, arrival, burst, now=now)
            await tell_burst(tx, self.add.notifier, burst_id)
            return added


async def take_into(
    tx: Transaction, add: AddSource, caller: Caller, arrival: Arrival, burst: Burst, *, now: datetime
) -> tuple[Added, ...]:
    """Record what is to be kept, and remark on what is not; call with the chat locked."""
    added: list[Added] = []
    refused = list(arrival.refused)
    for item in arrival.items:
        try:
            added.append(await add.record(tx, caller, item, burst, now=now))
        except UserError as error:
            reason = Reason(error.text_key, error.values)
            refused.append(Refused(name_of(item.title, item.upload), item.kind, reason))
    known = tuple(_known(one.source) for one in added if one.duplicate)
    await tx.bursts.remark(burst.id, Remarks(known=known, refused=tuple(refused), links=arrival.links))
    return tuple(added)


def arrival_of_links(
    addresses: Iterable[str], *, caption: str = "", origin: Origin | None = None, refused: tuple[Refused, ...] = ()
) -> Arrival:
    """Make sources of addresses; those that lead nowhere are refused, the others go on."""
    items: list[Incoming] = []
    bad = list(refused)
    for address in addresses:
        try:
            items.append(link_source(address, caption=caption, origin=origin))
        except UserError as error:
            bad.append(Refused(link_label(address), SourceKind.WEB, Reason(error.text_key, error.values)))
    return Arrival(tuple(items), tuple(bad))


def name_of(title: str, upload: Upload) -> str:
    """Name a thing by its title, its address or its file; "" when it has none of them."""
    return title or (link_label(upload.url) if upload.url else upload.file_name)


def _known(source: Source) -> Known:
    return Known(name_of(source.title, source.upload), source.kind)
