"""sendRichMessage and its draft."""

from __future__ import annotations

from bot.sandbox.bot_api.drafts import checked_place
from bot.sandbox.bot_api.outgoing import read_options, send
from bot.sandbox.chats import writable
from bot.sandbox.drafts import Shown, show
from bot.sandbox.params import Params
from bot.sandbox.rich import read_rich_message
from bot.sandbox.world import Obj, World


def send_rich_message(world: World, params: Params) -> Obj:
    """Send headings, lists, tables and the like as blocks."""
    rich = read_rich_message(params.json("rich_message", "rich message"))
    chat = writable(world, params)
    options = read_options(world, params, chat)
    return send(world, chat, {"rich_message": rich}, options)


def send_rich_message_draft(world: World, params: Params) -> bool:
    """Show a rich draft, with the rules of sendMessageDraft."""
    chat, draft_id, thread_id = checked_place(world, params)
    rich = read_rich_message(params.json("rich_message", "rich message"))
    show(world, chat["id"], Shown(draft_id, {"rich_message": rich}, thread_id), params)
    return True


METHODS = {"sendRichMessage": send_rich_message, "sendRichMessageDraft": send_rich_message_draft}
