"""Plans and the ledger of prompts."""

from dataclasses import dataclass
from enum import StrEnum


class PlanName(StrEnum):
    """The plans; `operator` is that of the command line's owner and not on offer."""

    FREE = "free"
    PRO = "pro"
    BUSINESS = "business"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Plan:
    """One row of the table of plans.

    Attributes:
        prompts: Prompts per window.
        window_s: Length of the rolling window in seconds; None: for the lifetime of the account.
        max_sources: Sources a notebook.
        max_file_bytes: Size of one file.
        max_pages: Pages of one document.
    """

    name: PlanName
    price_kopecks: int
    prompts: int
    window_s: int | None
    max_sources: int
    max_file_bytes: int
    max_pages: int


@dataclass(frozen=True, slots=True)
class PromptsLeft:
    """What the ledger says of an account: prompts used and left in the present window."""

    plan: PlanName
    used: int
    left: int
