"""Reply markup checked as Telegram checks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.sandbox.errors import ApiError, bad_request
from bot.sandbox.limits import BUTTONS_MAX, CALLBACK_DATA_MAX, COPY_TEXT_MAX
from bot.sandbox.links import check_url
from bot.sandbox.params import Params
from bot.sandbox.world import Obj

ACTIONS = (
    "callback_data", "url", "copy_text", "web_app", "login_url", "switch_inline_query",
    "switch_inline_query_current_chat", "switch_inline_query_chosen_chat", "pay", "callback_game", "disabled",
)  # fmt: skip
"""What an inline button can do; each has exactly one of them."""

_FLAGS = {
    "keyboard": ("is_persistent", "resize_keyboard", "one_time_keyboard", "selective"),
    "force_reply": ("force_reply", "selective"),
    "remove_keyboard": ("remove_keyboard", "selective"),
}


def read_markup(params: Params, name: str = "reply_markup", *, may_pay: bool = False) -> Obj | None:
    """Return a call's reply markup, checked; None without one. Only invoices `may_pay`.

    Raises:
        ApiError: It is malformed or a button is refused.
    """
    markup = params.json(name, "reply keyboard markup")
    if markup is None or markup == {}:
        return None
    if not isinstance(markup, dict):
        raise bad_request("object expected as reply markup")
    if "inline_keyboard" in markup:
        rows = _rows(markup, "inline_keyboard", "inline keyboard button")
        if not may_pay and any("pay" in button for row in rows for button in row):
            raise bad_request("BUTTON_TYPE_INVALID")
        return {"inline_keyboard": rows} if rows else None
    for kind, flags in _FLAGS.items():
        if kind in markup:
            return _keyboard(markup, kind, flags)
    return None


def inline_only(markup: Obj | None) -> Obj | None:
    """Refuse a keyboard of another kind where only an inline one can be, as in edits."""
    if markup is not None and "inline_keyboard" not in markup:
        raise bad_request("inline keyboard expected")
    return markup


def _keyboard(markup: Obj, kind: str, flags: tuple[str, ...]) -> Obj:
    for flag in flags:
        if flag in markup and not isinstance(markup[flag], bool):
            raise bad_request(f'field "{flag}" must be of type Boolean')
    if kind == "keyboard":
        return markup | {"keyboard": _rows(markup, "keyboard", "keyboard button")}
    return markup


def _rows(markup: Obj, name: str, what: str) -> list[list[Obj]]:
    rows = markup[name]
    if not isinstance(rows, list):
        raise bad_request(f'field "{name}" must be of type Array')
    if not all(isinstance(row, list) for row in rows):
        raise bad_request(f'field "{name}" must be an Array of Arrays')
    read = _inline_button if name == "inline_keyboard" else _plain_button
    checked = [[read(button, what) for button in row] for row in rows if row]
    if sum(map(len, checked)) > BUTTONS_MAX and name == "inline_keyboard":
        raise bad_request("reply markup is too long")
    return checked


def _unparsable(what: str, reason: str) -> ApiError:
    return bad_request(f"can't parse {what}: {reason}")


def _plain_button(button: Any, what: str) -> Obj:
    if isinstance(button, str):
        return {"text": button}
    _check_text(button, what)
    return dict(button)


def _check_text(button: Any, what: str) -> None:
    if not isinstance(button, dict):
        raise bad_request(
            "Object expected as a keyboard button" if what[0] == "k" else "InlineKeyboardButton must be an Object"
        )
    if "text" not in button:
        raise _unparsable(what, 'Can\'t find field "text"')
    if not isinstance(button["text"], str):
        raise _unparsable(what, 'Field "text" must be of type String')


def _inline_button(button: Any, what: str) -> Obj:
    _check_text(button, what)
    kept: Obj = {key: value for key, value in button.items() if value is not None}
    action = next((name for name in ACTIONS if _acts(kept, name)), None)
    if action is None:
        raise _unparsable(what, "Text buttons are unallowed in the inline keyboard")
    if not kept["text"].strip():
        raise bad_request("REPLY_MARKUP_INVALID")
    check = _CHECKS.get(action)
    if check is not None:
        check(kept)
    return kept


def _acts(button: Obj, name: str) -> bool:
    may_be_empty = name.startswith("switch_inline") or name in {"copy_text", "callback_game"}
    return name in button and (may_be_empty or button[name] not in ("", False))


def _check_data(button: Obj) -> None:
    data = button["callback_data"]
    if not isinstance(data, str):
        raise _unparsable("inline keyboard button", 'Field "callback_data" must be of type String')
    if len(data.encode()) > CALLBACK_DATA_MAX:
        raise bad_request("BUTTON_DATA_INVALID")


def _check_button_url(button: Obj) -> None:
    check_url(str(button["url"]), "inline keyboard button URL")


def _check_copy(button: Obj) -> None:
    copied = button["copy_text"]
    text = copied.get("text") if isinstance(copied, dict) else None
    if not isinstance(text, str) or not 1 <= len(text) <= COPY_TEXT_MAX:
        raise bad_request("BUTTON_COPY_TEXT_INVALID")


def _check_web_app(button: Obj) -> None:
    url = str(button["web_app"].get("url", "")) if isinstance(button["web_app"], dict) else ""
    if not url.lower().startswith("https://"):
        raise bad_request(f"inline keyboard button Web App URL '{url}' is invalid: Only HTTPS links are allowed")


def _refuse_type(button: Obj) -> None:
    raise bad_request("BUTTON_TYPE_INVALID")


_CHECKS: dict[str, Callable[[Obj], None]] = {
    "callback_data": _check_data,
    "url": _check_button_url,
    "copy_text": _check_copy,
    "web_app": _check_web_app,
    "callback_game": _refuse_type,
}
