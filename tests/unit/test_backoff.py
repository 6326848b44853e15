"""How long a failed piece of work waits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.retry import FIRST_S, JITTER, LONGEST_S, MAX_TRIES, backoff


def waits(tries: int) -> list[float]:
    return [wait for wait in (backoff(tries) for _ in range(300)) if wait is not None]


@pytest.mark.parametrize(("tries", "about"), [(1, 2), (2, 8), (3, 32), (4, 128)])
def test_each_try_waits_four_times_as_long(tries: int, about: float) -> None:
    assert all(about * (1 - JITTER) <= wait <= about * (1 + JITTER) for wait in waits(tries))


def test_work_that_failed_together_does_not_return_together() -> None:
    several = waits(3)
    assert max(several) - min(several) > 32 * JITTER
    assert len(set(several)) > 290


@given(st.integers(min_value=MAX_TRIES, max_value=10**6))
def test_after_the_fifth_try_there_is_none(tries: int) -> None:
    assert backoff(tries) is None


@given(st.integers(max_value=MAX_TRIES - 1))
def test_before_the_fifth_there_is_always_a_next(tries: int) -> None:
    wait = backoff(tries)
    assert wait is not None
    assert FIRST_S * (1 - JITTER) <= wait <= LONGEST_S * (1 + JITTER)
