"""A group's life: the bot joins, the group becomes a supergroup, a member leaves."""

from aiogram import Bot, F, Router
from aiogram.filters import IS_MEMBER, IS_NOT_MEMBER, ChatMemberUpdatedFilter
from aiogram.types import ChatMemberUpdated, Message

from bot.i18n import Translate
from bot.screen import Screen
from bot.views.groups import group_joined_view
from core.model.user import Caller, ChatKind
from core.wiring import App


def build_router() -> Router:
    """Build the router."""
    router = Router(name="groups")
    router.message.register(migrated_to, F.migrate_to_chat_id)
    router.message.register(migrated_from, F.migrate_from_chat_id)
    router.my_chat_member.register(joined, ChatMemberUpdatedFilter(IS_NOT_MEMBER >> IS_MEMBER))
    router.my_chat_member.register(ignore)
    router.message.register(said_to_have_left, F.left_chat_member)
    router.chat_member.register(left, ChatMemberUpdatedFilter(IS_MEMBER >> IS_NOT_MEMBER))
    return router


async def migrated_to(message: Message, bot: Bot, app: App) -> None:
    """Follow the old group's word of its new id."""
    assert message.migrate_to_chat_id is not None
    await app.migrate_chat(bot.id, message.chat.id, message.migrate_to_chat_id)


async def migrated_from(message: Message, bot: Bot, app: App) -> None:
    """Follow the new supergroup's word of its old id."""
    assert message.migrate_from_chat_id is not None
    await app.migrate_chat(bot.id, message.migrate_from_chat_id, message.chat.id)


async def joined(_event: ChatMemberUpdated, bot: Bot, screen: Screen, t: Translate, caller: Caller, app: App) -> None:
    """Introduce the bot, once."""
    if caller.chat.kind is not ChatKind.GROUP:
        return
    notebook = await app.get_notebook(caller, caller.notebook_id)
    me = await bot.me()
    await screen.send(group_joined_view(t, notebook.title, sees_all=bool(me.can_read_all_group_messages)))


async def ignore(_event: ChatMemberUpdated) -> None:
    """Take note of nothing: a chat becomes reachable again with its next message."""


async def said_to_have_left(message: Message, bot: Bot, caller: Caller, app: App) -> None:
    """End the access of who left, as a bot that is no administrator hears of it."""
    assert message.left_chat_member is not None
    await app.leave_group(caller, bot.id, message.left_chat_member.id)


async def left(event: ChatMemberUpdated, bot: Bot, caller: Caller, app: App) -> None:
    """End the access of who left, as an administrator hears of it."""
    await app.leave_group(caller, bot.id, event.new_chat_member.user.id)
