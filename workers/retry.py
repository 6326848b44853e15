"""The only retry policy: how long a failed piece of work waits, and when it has failed for good."""

import random

MAX_TRIES = 5
FIRST_S = 2.0
FACTOR = 4.0
LONGEST_S = 300.0
JITTER = 0.3
"""Share by which a wait is shortened or lengthened at random, so that what failed together does not return together."""


def backoff(tries: int) -> float | None:
    """Give the seconds until the next try.

    Args:
        tries: Tries made so far, as the row counts them.

    Returns:
        About 2, 8, 32, 128 seconds; None when five tries were made.
    """
    if tries >= MAX_TRIES:
        return None
    wait = min(LONGEST_S, FIRST_S * FACTOR ** max(0, tries - 1))
    return wait * random.uniform(1 - JITTER, 1 + JITTER)
