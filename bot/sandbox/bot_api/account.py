"""What the bot says of itself: getMe, commands, names and descriptions."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from bot.sandbox import commands
from bot.sandbox.errors import bad_request
from bot.sandbox.limits import COMMANDS_MAX
from bot.sandbox.params import Params
from bot.sandbox.world import Obj, World

_COMMAND = re.compile(r"[a-z0-9_]{1,32}")


def get_me(world: World, params: Params) -> Obj:
    """Return the bot."""
    return world.bot_user() | {
        "can_join_groups": True, "can_read_all_group_messages": not world.privacy, "supports_inline_queries": False,
        "can_connect_to_business": False, "has_main_web_app": False, "has_topics_enabled": False,
        "allows_users_to_create_topics": False, "can_manage_bots": False, "supports_guest_queries": False,
        "supports_join_request_queries": False,
    }  # fmt: skip


def set_my_commands(world: World, params: Params) -> bool:
    """Set the commands of a scope and a language."""
    given = params.json("commands", "commands list")
    if not isinstance(given, list):
        raise bad_request("commands must be non-empty" if given is None else "expected an Array of BotCommand")
    if len(given) > COMMANDS_MAX:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    commands.put(world, *_place(world, params), [_command(one) for one in given])
    return True


def _command(given: Any) -> Obj:
    if not isinstance(given, dict):
        raise bad_request("expected an Object as BotCommand")
    name, text = str(given.get("command", "")).lstrip("/"), str(given.get("description", "")).strip()
    if not _COMMAND.fullmatch(name):
        raise bad_request("BOT_COMMAND_INVALID")
    if not 1 <= len(text) <= 256:
        raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    return {"command": name, "description": text}


def _place(world: World, params: Params) -> tuple[Obj, str]:
    scope = params.json("scope", "BotCommandScope") or {"type": "default"}
    if not isinstance(scope, dict) or str(scope.get("type")) not in commands.SCOPES:
        raise bad_request("can't parse BotCommandScope: Unsupported type specified")
    language = params.text("language_code")
    if language and not re.fullmatch(r"[a-z]{2}", language):
        raise bad_request("invalid language code specified")
    return scope, language


def get_my_commands(world: World, params: Params) -> list[Obj]:
    """Return the commands of exactly a scope and a language."""
    return commands.get(world, *_place(world, params))


def delete_my_commands(world: World, params: Params) -> bool:
    """Forget the commands of a scope and a language."""
    commands.put(world, *_place(world, params), [])
    return True


def _set_text(world: World, params: Params, *, field: str, limit: int) -> bool:
    text = params.text(field)
    if len(text) > limit:
        raise bad_request(f"BOT_{field.upper()}_TOO_LONG")
    world.store.put(f"{field} {params.text('language_code')}", text)
    if field == "name" and text and not params.text("language_code"):
        world.store.put("bot name", text)
    return True


def _get_text(world: World, params: Params, *, field: str) -> Obj:
    default = world.bot_user()["first_name"] if field == "name" else ""
    return {field: world.store.get(f"{field} {params.text('language_code')}", default)}


def accept(world: World, params: Params) -> bool:
    """Agree and do nothing: what it would change cannot be seen here."""
    return True


METHODS: dict[str, Any] = {
    "getMe": get_me,
    "setMyCommands": set_my_commands,
    "getMyCommands": get_my_commands,
    "deleteMyCommands": delete_my_commands,
    "setMyName": partial(_set_text, field="name", limit=64),
    "getMyName": partial(_get_text, field="name"),
    "setMyDescription": partial(_set_text, field="description", limit=512),
    "getMyDescription": partial(_get_text, field="description"),
    "setMyShortDescription": partial(_set_text, field="short_description", limit=120),
    "getMyShortDescription": partial(_get_text, field="short_description"),
    "setMyDefaultAdministratorRights": accept,
    "setChatMenuButton": accept,
    "setMyProfilePhoto": accept,
    "logOut": accept,
    "close": accept,
}
