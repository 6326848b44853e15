"""First words, help, privacy, the example."""

from __future__ import annotations

from bot.callbacks import NotebookAction, Topic
from bot.i18n import Html, Translate
from bot.views.view import Button, View
from bot.views.wording import paragraphs


def start_view(t: Translate) -> View:
    """Say what to send and that answers come only from it."""
    example = Button(t.plain("button-example"), data=Topic(topic="example").pack())
    privacy = Button(t.plain("button-privacy"), data=Topic(topic="privacy").pack())
    return View(t("start"), keyboard=((example, privacy),))


def help_view(t: Translate, *, group: bool = False) -> View:
    """Explain the few rules; a group has its own."""
    if group:
        return View(t("help-group"))
    example = Button(t.plain("button-example"), data=Topic(topic="example").pack())
    privacy = Button(t.plain("button-privacy"), data=Topic(topic="privacy").pack())
    language = Button(t.plain("button-language"), data=Topic(topic="language").pack())
    return View(t("help"), keyboard=((example, language), (privacy,)))


def privacy_view(t: Translate, *, llm: str = "", embedding: str = "") -> View:
    """Name who may see text; a service is named as `model (host)`, "" means that there is none."""
    notes = [t("privacy-llm", service=llm)] if llm else []
    notes += [t("privacy-embedding", service=embedding)] if embedding else []
    outside = Html(paragraphs(*notes)) if notes else t("privacy-local")
    back = Button(t.plain("button-back"), data=Topic(topic="home").pack())
    return View(t("privacy", outside=outside), keyboard=((back,),))


def example_view(t: Translate, notebook_title: str, back_to: int) -> View:
    """Invite to ask the example notebook, which is open now; `back_to` is the notebook that was open before."""
    back = Button(t.plain("button-own-notebook"), data=NotebookAction(action="switch", notebook_id=back_to).pack())
    return View(t("example", notebook=notebook_title), keyboard=((back,),))


def new_conversation_view(t: Translate) -> View:
    """Say that earlier questions no longer count."""
    return View(t("new-conversation"), silent=True)
