"""The ledger of prompts."""

from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from core.adapters.postgres.tables import persons, prompt_ledger
from core.model.ids import PersonId
from core.model.plan import PlanName


class PostgresLedger:
    """See `core.ports.Ledger`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def lock(self, person_id: PersonId) -> PlanName:
        """Hold the account's row until the transaction ends, and say its plan.

        Rows that only point at the account (a question being recorded) need not wait for this lock.
        """
        found = await self._connection.execute(
            select(persons.c.plan).where(persons.c.id == person_id).with_for_update(key_share=True)
        )
        return PlanName(found.scalar_one())

    async def used(self, person_id: PersonId, *, since: datetime | None) -> int:
        """Sum prompts reserved or spent after a time."""
        counted = select(func.coalesce(func.sum(prompt_ledger.c.price), 0)).where(
            prompt_ledger.c.person_id == person_id, prompt_ledger.c.state != "returned"
        )
        if since is not None:
            counted = counted.where(prompt_ledger.c.at > since)
        return int((await self._connection.execute(counted)).scalar_one())

    async def reserve(self, person_id: PersonId, kind: str, price: int, reference: str, *, now: datetime) -> None:
        """Take prompts for one request, once a reference."""
        await self._connection.execute(
            insert(prompt_ledger)
            .values(person_id=person_id, kind=kind, price=price, reference=reference, at=now)
            .on_conflict_do_nothing(index_elements=["reference"])
        )

    async def give_back(self, reference: str) -> None:
        """Return a reservation that was not spent."""
        await self._settle(reference, "returned")

    async def spend(self, reference: str) -> None:
        """Make a reservation final."""
        await self._settle(reference, "spent")

    async def _settle(self, reference: str, state: str) -> None:
        await self._connection.execute(
            update(prompt_ledger)
            .where(prompt_ledger.c.reference == reference, prompt_ledger.c.state == "reserved")
            .values(state=state)
        )
