"""What a status message says of things that did not become sources: known already, or refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.i18n import Html, Translate
from bot.views.wording import name_or, short, title_or
from core.model.source import Source, SourceState
from core.ports import BurstStatus, Refused

NAMES_SHOWN = 10
"""Things of one kind that are named; more become a number."""
NAME_SHOWN = 40
DUPLICATE = "source-duplicate"


def is_duplicate(source: Source) -> bool:
    """Tell whether a source turned out to be one that the notebook had, once its bytes were seen."""
    return source.state is SourceState.FAILED and source.reason is not None and source.reason.text_key == DUPLICATE


def remark_lines(t: Translate, status: BurstStatus) -> list[str]:
    """Word them: one line for all that is known, one for each reason of a refusal."""
    remarks = status.burst.remarks
    known = [name_or(t, one.title, one.kind) for one in remarks.known]
    known += [title_or(t, source) for source in status.sources if is_duplicate(source)]
    lines: list[str] = [t("burst-known", names=_names(t, known))] if known else []
    by_reason: dict[str, list[Refused]] = {}
    for one in remarks.refused:
        by_reason.setdefault(_reason(t, one), []).append(one)
    return lines + [_refused(t, Html(reason), them) for reason, them in by_reason.items()]


def _reason(t: Translate, refused: Refused) -> Html:
    return t(refused.reason.text_key, **refused.reason.values)


def _refused(t: Translate, reason: Html, them: Sequence[Refused]) -> Html:
    """Name what was refused for one reason; what has no name (a sticker) is told by the reason alone."""
    names = [name_or(t, one.title, one.kind) if one.kind else one.title for one in them]
    named = [name for name in names if name]
    return t("item-failed", title=_names(t, named), reason=reason) if named else reason


def _names(t: Translate, names: Sequence[str]) -> str:
    """List names, equal ones once with their number."""
    counted = Counter(short(name, NAME_SHOWN) for name in names)
    shown = [name if count == 1 else f"{name} ({count})" for name, count in list(counted.items())[:NAMES_SHOWN]]
    more = len(counted) - len(shown)
    return ", ".join([*shown, t.plain("burst-more", count=more)] if more > 0 else shown)
