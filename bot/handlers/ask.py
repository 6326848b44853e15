"""Questions, their passages, and flipping a wrong guess."""

import json
from dataclasses import replace

from aiogram import F, Router
from aiogram.filters import Command, CommandObject
from aiogram.types import CallbackQuery, Message, MessageGenerationStopped

from bot.callbacks import OpenCitation, StopQuestion, Treat
from bot.filters import AddressesBot, PrivateChat
from bot.i18n import Translate
from bot.incoming import may_belong_to_what_follows
from bot.reply_to import Place
from bot.screen import Screen
from bot.views.evidence import evidence_alert, evidence_view
from bot.views.groups import group_hint_view
from bot.views.start import help_view
from core.answering.show_evidence import Evidence
from core.library.add_source import Incoming
from core.library.manage_notebooks import as_title
from core.model.ids import AnswerId, NotebookId, QuestionId, SourceId
from core.model.source import SourceKind, Upload
from core.model.user import Caller, ChatKind
from core.wiring import App


def build_router() -> Router:
    """Build the router."""
    router = Router(name="ask")
    router.message.register(ask_command, Command("ask"))
    router.message.register(ask_private, PrivateChat(), F.text, ~F.text.startswith("/"))
    router.message.register(unknown_command, PrivateChat(), F.text.regexp(r"^/\w+(\s|$)"))
    router.message.register(ask_addressed, F.text, AddressesBot())
    router.callback_query.register(open_citation, OpenCitation.filter())
    router.callback_query.register(stop, StopQuestion.filter())
    router.callback_query.register(flip, Treat.filter())
    router.stopped_message_generation.register(stop_draft)
    return router


async def ask_command(
    message: Message, command: CommandObject, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Ask what stands after `/ask`, or in the message that it answers."""
    answered = message.reply_to_message
    words = command.args or (answered.text if answered and not _is_bot(answered) else "") or ""
    if not words:
        await screen.send(group_hint_view(t, "group-ask-how"))
        return
    await _ask(message.message_id, words, caller, app)


async def ask_private(message: Message, caller: Caller, app: App) -> None:
    """Ask what was typed; a quoted fragment comes along. What may be the heading of files waits for them a moment."""
    words = _with_quote(message, message.text or "")
    await _ask(message.message_id, words, caller, app, hold=may_belong_to_what_follows(message))


async def unknown_command(_message: Message, screen: Screen, t: Translate) -> None:
    """Say what there is instead of a command that there is not; one for another bot is not ours to answer."""
    await screen.send(help_view(t))


async def ask_addressed(message: Message, words: str, screen: Screen, t: Translate, caller: Caller, app: App) -> None:
    """Ask what a group's member said to the bot."""
    if not words:
        await screen.send(group_hint_view(t, "group-ask-how"))
        return
    await _ask(message.message_id, _with_quote(message, words), caller, app)


async def _ask(message_id: int, words: str, caller: Caller, app: App, *, hold: bool = False) -> None:
    in_group = caller.chat.kind is ChatKind.GROUP
    place = Place(caller.chat.id, caller.thread_id, message_id, caller.locale, reply=in_group)
    await app.ask_question(caller, words, place.pack(), now=app.clock(), hold=hold)


async def open_citation(
    _query: CallbackQuery, callback_data: OpenCitation, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Show the passage in its surroundings; in a group only to the person who tapped."""
    evidence = await app.show_evidence(caller, AnswerId(callback_data.answer_id), callback_data.n)
    if caller.chat.kind is ChatKind.GROUP:
        screen.toast(evidence_alert(t, evidence), alert=True)
        return
    view = evidence_view(t, callback_data.answer_id, evidence)
    if callback_data.step:
        await screen.edit(view)
    elif message_id := _held_by(evidence, caller):
        await screen.reply(view, message_id, quote=evidence.quote)
    else:
        await screen.send(view)


async def stop(
    _query: CallbackQuery, callback_data: StopQuestion, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Stop an answer by its button."""
    stopped = await app.stop_question(caller, QuestionId(callback_data.question_id))
    screen.toast(t.plain("asking-stopped" if stopped else "asking-stop-too-late"))


async def stop_draft(event: MessageGenerationStopped, caller: Caller, app: App) -> None:
    """Stop an answer by its draft, whose id is the question's."""
    await app.stop_question(caller, QuestionId(event.draft_id))


async def flip(
    _query: CallbackQuery, callback_data: Treat, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Treat a question's words as a source, or a short source's words as a question."""
    place = Place(caller.chat.id, caller.thread_id, 0, caller.locale)
    if callback_data.as_ == "source":
        question = await app.get_question(caller, QuestionId(callback_data.reference))
        words = Incoming(SourceKind.TEXT, as_title(question.text, 60), Upload(text=question.text))
        added = await app.add_source(caller, words, place.pack(), now=app.clock())
        if added.duplicate:
            screen.toast(t.plain("source-duplicate", title=added.source.title))
        return
    notebook_id, source_id = NotebookId(callback_data.notebook_id), SourceId(callback_data.reference)
    source = await app.delete_source(caller, notebook_id, source_id)
    asker = replace(caller, notebook_id=notebook_id)
    await app.ask_question(asker, source.upload.text, place.pack(), now=app.clock())


def _with_quote(message: Message, words: str) -> str:
    """Put a quoted fragment before the words that speak of it ("объясни")."""
    return f"{message.quote.text}\n\n{words}" if message.quote else words


def _is_bot(message: Message) -> bool:
    return message.from_user is not None and message.from_user.is_bot


def _held_by(evidence: Evidence, caller: Caller) -> int:
    """Name the message of this chat that holds the passage, 0 for a file's or another chat's."""
    if not evidence.message_link or not evidence.exists:
        return 0
    held = json.loads(evidence.message_link)
    return int(held["message"]) if held["chat"] == caller.chat.external_id else 0
