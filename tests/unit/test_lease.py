"""Work under a lease: what ends it, and what passes through it."""

import asyncio

import pytest

from core.errors import TransientError, UserError
from core.library.lease import LeaseLost, LeaseTerms, hold

TERMS = LeaseTerms("me", seconds=0.04)


class Lease:
    """A lease whose renewals a test decides."""

    def __init__(self, *answers: bool | Exception) -> None:
        self.answers = list(answers)
        self.asked = 0
        self.renewed = asyncio.Event()

    async def __call__(self) -> bool:
        self.asked += 1
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        self.renewed.set()
        return answer


async def _work_until_cancelled() -> None:
    await asyncio.Event().wait()


async def test_the_lease_is_renewed_while_the_work_goes_on_and_not_afterwards() -> None:
    lease = Lease(True)
    async with hold(lease, TERMS):
        await lease.renewed.wait()
    asked = lease.asked
    await asyncio.sleep(3 * TERMS.renew_every_s)
    assert lease.asked == asked


async def test_a_lost_lease_cancels_the_work() -> None:
    ended: list[type[BaseException]] = []

    async def work() -> None:
        async with hold(Lease(False), TERMS):
            try:
                await _work_until_cancelled()
            except asyncio.CancelledError as error:
                ended.append(type(error))
                raise

    with pytest.raises(LeaseLost):
        await work()
    assert ended == [asyncio.CancelledError]


@pytest.mark.parametrize(
    "error", [UserError("source-empty"), ValueError(), ExceptionGroup("of the work", [ValueError()])]
)
async def test_an_error_of_the_work_passes_as_it_is(error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        async with hold(Lease(True), TERMS):
            raise error
    assert caught.value is error
    assert error.__cause__ is None
    assert error.__context__ is None


async def test_a_cancellation_from_outside_passes_as_one() -> None:
    lease, working = Lease(True), asyncio.Event()

    async def work() -> None:
        async with hold(lease, TERMS):
            working.set()
            await _work_until_cancelled()

    async with asyncio.TaskGroup() as group:
        task = group.create_task(work())
        await working.wait()
        task.cancel()
    assert task.cancelled()


async def test_the_loss_is_told_rather_than_what_the_cancelled_work_made_of_it() -> None:
    async def work() -> None:
        async with hold(Lease(False), TERMS):
            try:
                await _work_until_cancelled()
            except asyncio.CancelledError:
                raise UserError("source-empty") from None

    with pytest.raises(LeaseLost):
        await work()


async def test_a_database_that_is_away_for_a_moment_does_not_end_the_work() -> None:
    away = TransientError("database-away")
    lease = Lease(away, away, True)
    async with hold(lease, LeaseTerms("me", seconds=0.4)):
        await lease.renewed.wait()
    assert lease.asked == 3


async def test_work_whose_lease_ran_out_ends_though_nobody_could_say_so() -> None:
    with pytest.raises(TransientError):
        async with hold(Lease(TransientError("database-away")), TERMS):
            await _work_until_cancelled()


async def test_a_bug_in_the_renewal_ends_the_work_and_passes_as_it_is() -> None:
    bug = KeyError("lease")
    with pytest.raises(KeyError) as caught:
        async with hold(Lease(bug), TERMS):
            await _work_until_cancelled()
    assert caught.value is bug


@pytest.mark.parametrize(("seconds", "every_s"), [(60.0, 2.0), (2.0, 0.5)])
def test_a_lease_is_renewed_several_times_before_it_runs_out(seconds: float, every_s: float) -> None:
    assert LeaseTerms("me", seconds).renew_every_s == every_s
