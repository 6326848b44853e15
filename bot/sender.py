"""The only way out: brings every chat to what the outbox says, at the speed that Telegram allows.

Any number of processes run it; a message is held by one at a time, and a chat's messages go in order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog
from aiogram.exceptions import (
    AiogramError,
    TelegramForbiddenError,
    TelegramMigrateToChat,
    TelegramNetworkError,
    TelegramRetryAfter,
    TelegramServerError,
)

from bot.delivery import Delivery
from bot.payload import Payload
from core.errors import TransientError
from core.ports import FloodGate, OutgoingClaim, Transaction, Transactions

log = structlog.get_logger()

LEASE_S = 60.0
"""After a killed sender its message is free so many seconds later."""
BRING_S = 45.0
"""For all calls of one message; shorter than the lease: a message is not sent by two at once."""
STOP_S = 3.0
"""When the process ends, calls under way may take so long: one that is cut off may have had its effect."""
FINISH_S = 2.0
"""And the messages that became due at the end."""
RECORD_AGAIN_S = 0.5
"""Between tries to write down what Telegram answered while the database is away."""
BATCH = 30
IDLE_S = 1.0
"""Between looks when nobody called `kick`: what another process left is sent this late at most."""
MAX_TRIES = 15
"""With back-off to five minutes this is about an hour of an unreachable Telegram."""


@dataclass(slots=True)
class Sender:
    """Sends what is due; `kick` it after a commit that put something."""

    delivery: Delivery
    transactions: Transactions
    gate: FloodGate
    owner: str
    clock: Callable[[], datetime]
    lease_s: float = LEASE_S
    _work: asyncio.Event = field(default_factory=asyncio.Event)

    async def kick(self) -> None:
        """Look at the outbox at once."""
        self._work.set()

    async def run(self) -> None:
        """Send until cancelled, and finish the calls under way then; a database that is away is waited for."""
        while True:
            self._work.clear()
            try:
                busy = await _to_its_end(self.send_due())
            except TransientError:
                busy = False
                log.warning("outbox_away")
            if not busy:
                await self._pause()

    async def finish(self) -> None:
        """Send what became due until the process was told to end; what does not fit in waits in its row."""
        with suppress(TimeoutError, TransientError):
            async with asyncio.timeout(FINISH_S):
                await self.send_due()

    async def send_due(self) -> bool:
        """Send one round: at most one message a chat.

        Returns:
            True when something was sent, so that more may be due now.
        """
        async with self.transactions() as tx:
            claims = await tx.outbox.claim(now=self.clock(), limit=BATCH, lease_s=self.lease_s, owner=self.owner)
        async with asyncio.TaskGroup() as group:
            sent = [group.create_task(self._bring(claim)) for claim in claims]
        return any(task.result() for task in sent)

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(IDLE_S):
                await self._work.wait()
        except TimeoutError:
            return

    async def _bring(self, claim: OutgoingClaim) -> bool:
        """Bring one message to its content; False when it has to wait."""
        try:
            payload = Payload.unpack(claim.payload)
        except (ValueError, TypeError, KeyError) as error:  # another version wrote it
            await self._refused(claim, error)
            return True
        editing = bool(claim.message_ref or payload.edits)
        wait = await self.gate.wait_s(claim.bot_id, claim.chat, edit=editing)
        if wait > 0:
            await self._postpone(claim, wait, failed=False)
            return False
        return await self._deliver(claim, payload)

    async def _deliver(self, claim: OutgoingClaim, payload: Payload) -> bool:
        """Make the calls and write down how they ended; one message that cannot be told stops no other."""
        try:
            async with asyncio.timeout(BRING_S):
                message_id = int(claim.message_ref or payload.edits)
                shown = await self.delivery.bring(payload, claim.chat.external_id, message_id)
        except TelegramRetryAfter as error:
            await self.gate.block(claim.bot_id, claim.chat, error.retry_after)
            await self._postpone(claim, error.retry_after, failed=False)
            return False
        except TelegramMigrateToChat as error:
            await self._migrate(claim, error.migrate_to_chat_id)
        except TelegramForbiddenError:
            await self._unreachable(claim)
        except (TelegramNetworkError, TelegramServerError, TimeoutError) as error:
            await self._later(claim, error)
            return False
        except (AiogramError, ValueError) as error:
            await self._refused(claim, error)
        else:
            await self._record(lambda tx: tx.outbox.shown(claim, str(shown)))
        return True

    async def _migrate(self, claim: OutgoingClaim, new_id: int) -> None:
        async def move(tx: Transaction) -> None:
            await tx.people.rekey_chat(claim.bot_id, claim.chat.external_id, new_id)
            await tx.outbox.postpone(claim, until=self.clock(), failed=True)

        await self._record(move)

    async def _unreachable(self, claim: OutgoingClaim) -> None:
        async def leave(tx: Transaction) -> None:
            await tx.people.set_reachable(claim.chat.id, False)
            await tx.outbox.drop(claim, "forbidden")

        await self._record(leave)

    async def _refused(self, claim: OutgoingClaim, error: Exception) -> None:
        log.error("message_refused", outbox_id=claim.id, kind=type(error).__name__, reason=str(error))
        await self._record(lambda tx: tx.outbox.drop(claim, "refused"))

    async def _later(self, claim: OutgoingClaim, error: Exception) -> None:
        log.warning("message_delayed", outbox_id=claim.id, kind=type(error).__name__, tries=claim.tries)
        if claim.tries + 1 >= MAX_TRIES:
            await self._refused(claim, error)
            return
        await self._postpone(claim, min(300.0, 0.5 * 2**claim.tries), failed=True)

    async def _postpone(self, claim: OutgoingClaim, seconds: float, *, failed: bool) -> None:
        until = self.clock() + timedelta(seconds=seconds)
        await self._record(lambda tx: tx.outbox.postpone(claim, until=until, failed=failed))

    async def _record(self, change: Callable[[Transaction], Awaitable[None]]) -> None:
        """Write down how a call ended, as soon as the database is there: forgotten, the message would be repeated."""
        while True:
            try:
                async with self.transactions() as tx:
                    await change(tx)
                return
            except TransientError:
                log.warning("outbox_away")
                await asyncio.sleep(RECORD_AGAIN_S)


async def _to_its_end(work: Coroutine[Any, Any, bool]) -> bool:
    """Await work that a cancellation lets finish first, for a few seconds."""
    task = asyncio.get_running_loop().create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        with suppress(TimeoutError, TransientError):
            async with asyncio.timeout(STOP_S):
                await task
        raise
