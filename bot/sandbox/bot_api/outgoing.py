"""What all sending methods have in common."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.sandbox import drafts, messages
from bot.sandbox.chats import topic_exists
from bot.sandbox.errors import bad_request
from bot.sandbox.links import checked_link
from bot.sandbox.markup import read_markup
from bot.sandbox.params import Params
from bot.sandbox.replies import read_reply
from bot.sandbox.world import Obj, World

PREVIEW_FLAGS = ("is_disabled", "prefer_small_media", "prefer_large_media", "show_above_text")


@dataclass(frozen=True)
class Options:
    """What every sending method can be told: fields of the message, what it answers, whether it makes a sound."""

    fields: Obj = field(default_factory=dict)
    reply_to: int | None = None
    silent: bool = False


def read_options(world: World, params: Params, chat: Obj, *, may_pay: bool = False) -> Options:
    """Read the parameters that every sending method has.

    Raises:
        ApiError: The topic does not exist, the markup is refused, the answered message is missing.
    """
    if params.text("business_connection_id"):
        raise bad_request("business connection not found")
    fields = _thread(world, params, chat)
    markup = read_markup(params, may_pay=may_pay)
    if markup is not None:
        fields["reply_markup"] = markup
    if params.flag("protect_content"):
        fields["has_protected_content"] = True
    if params.text("message_effect_id"):
        fields["effect_id"] = params.text("message_effect_id")
    reply_to, quoted = read_reply(world, params, chat)
    return Options(fields | quoted, reply_to, params.flag("disable_notification"))


def _thread(world: World, params: Params, chat: Obj) -> Obj:
    thread_id = params.integer("message_thread_id")
    if not thread_id:
        return {}
    if not topic_exists(world, chat["id"], thread_id):
        raise bad_request("message thread not found")
    return {"message_thread_id": thread_id, "is_topic_message": True}


def link_preview(params: Params) -> Obj:
    """Read the link preview's options into a message field."""
    given = params.json("link_preview_options", "link preview options")
    if not isinstance(given, dict):
        return {"link_preview_options": {"is_disabled": True}} if params.flag("disable_web_page_preview") else {}
    for flag in PREVIEW_FLAGS:
        if flag in given and not isinstance(given[flag], bool):
            raise bad_request(f'field "{flag}" must be of type Boolean')
    if given.get("url") and checked_link(str(given["url"])) is None:
        raise bad_request("WEBPAGE_URL_INVALID")
    kept = {key: value for key, value in given.items() if value}
    return {"link_preview_options": kept} if kept else {}


def send(world: World, chat: Obj, content: Obj, options: Options) -> Obj:
    """Post the bot's message; a draft in that chat ends with it."""
    content = {**content, **options.fields}
    message = messages.post(world, chat, world.bot_user(), content, reply_to=options.reply_to, silent=options.silent)
    drafts.end(world, chat["id"])
    return message
