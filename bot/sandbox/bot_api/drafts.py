"""sendMessageDraft: a message that is being written."""

from __future__ import annotations

from bot.sandbox import drafts
from bot.sandbox.chats import topic_exists, writable
from bot.sandbox.entities import read_text
from bot.sandbox.errors import bad_request
from bot.sandbox.limits import TEXT_MAX
from bot.sandbox.params import Params
from bot.sandbox.world import Obj, World


def checked_place(world: World, params: Params) -> tuple[Obj, int, int | None]:
    """Return where a draft goes: chat, draft number, topic.

    Raises:
        ApiError: The chat is not private, the number is zero, or the topic does not exist.
    """
    chat = writable(world, params)
    if chat["type"] != "private":
        raise bad_request("TEXTDRAFT_PEER_INVALID")
    draft_id = params.integer("draft_id")
    if not draft_id:
        raise bad_request("RANDOM_ID_INVALID")
    thread_id = params.integer("message_thread_id")
    if thread_id and not topic_exists(world, chat["id"], thread_id):
        raise bad_request("message thread not found")
    return chat, draft_id, thread_id or None


def send_message_draft(world: World, params: Params) -> bool:
    """Show a draft for 30 seconds, or what it says now; an empty text shows that the bot thinks.

    Raises:
        ApiError: As `checked_place`, or the text is too long.
    """
    chat, draft_id, thread_id = checked_place(world, params)
    text, entities = read_text(params, "text")
    if len(text) > TEXT_MAX:
        raise bad_request("message is too long")
    drafts.show(world, chat["id"], drafts.Shown(draft_id, {"text": text, "entities": entities}, thread_id), params)
    return True


METHODS = {"sendMessageDraft": send_message_draft}
