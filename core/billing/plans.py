"""The plans: one row each, the table is the documentation."""

from core.model.plan import Plan, PlanName

MEGABYTE = 1024 * 1024
GIGABYTE = 1024 * MEGABYTE
WINDOW_S = 5 * 3600
"""Paid prompts come back five hours after each was made."""

UNBOUNDED = 10**9
"""No limit: who runs the machine pays for all of it already, and measures with whole libraries."""

PLANS: dict[PlanName, Plan] = {
    plan.name: plan
    for plan in (
        Plan(PlanName.FREE, 0, 20, None, max_sources=50, max_file_bytes=50 * MEGABYTE, max_pages=600),
        Plan(PlanName.PRO, 79_900, 800, WINDOW_S, max_sources=300, max_file_bytes=200 * MEGABYTE, max_pages=3000),
        Plan(
            PlanName.BUSINESS, 119_900, 2000, WINDOW_S, max_sources=600, max_file_bytes=2000 * MEGABYTE, max_pages=3000
        ),
        Plan(
            PlanName.OPERATOR, 0, UNBOUNDED, None, max_sources=UNBOUNDED, max_file_bytes=1024 * GIGABYTE, max_pages=3000
        ),
    )
}
"""Prices in kopecks; limits of reading bound what a plan may cost us, since reading itself costs no prompts."""
