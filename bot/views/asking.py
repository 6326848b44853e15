"""What is shown while a question is being answered."""

from __future__ import annotations

from bot.callbacks import StopQuestion
from bot.i18n import Translate
from bot.views.view import Button, View


def searching_view(t: Translate, question_id: int) -> View:
    """Say that the search is on, with a way to stop it."""
    stop = Button(t.plain("button-stop"), data=StopQuestion(question_id=question_id).pack())
    return View(t("asking-searching"), keyboard=((stop,),), silent=True)


def stopped_view(t: Translate) -> View:
    """Say that nothing more will come."""
    return View(t("asking-stopped"), silent=True)
