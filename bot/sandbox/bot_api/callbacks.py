"""answerCallbackQuery."""

from __future__ import annotations

from bot.sandbox import callbacks
from bot.sandbox.errors import bad_request
from bot.sandbox.limits import CALLBACK_ANSWER_MAX
from bot.sandbox.params import Params
from bot.sandbox.world import World


def answer_callback_query(world: World, params: Params) -> bool:
    """Answer a pressed button; only the first answer is shown.

    Raises:
        ApiError: The query is unknown or older than 150 seconds, or the text is too long.
    """
    text = params.text("text")
    if len(text) > CALLBACK_ANSWER_MAX:
        raise bad_request("MESSAGE_TOO_LONG")
    answer = {"text": text, "show_alert": params.flag("show_alert"), "url": params.text("url")}
    if not callbacks.answer(world, params.text("callback_query_id"), answer):
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    return True


METHODS = {"answerCallbackQuery": answer_callback_query}
