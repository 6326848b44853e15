"""sendPoll and stopPoll."""

from __future__ import annotations

from typing import Any

from bot.sandbox import messages, polls
from bot.sandbox.bot_api.outgoing import read_options, send
from bot.sandbox.chats import writable
from bot.sandbox.entities import read_text
from bot.sandbox.errors import bad_request
from bot.sandbox.params import Params
from bot.sandbox.world import Obj, World

OPTIONS_MAX = 12
"""Options of a poll."""


def send_poll(world: World, params: Params) -> Obj:
    """Send a poll or a quiz.

    Raises:
        ApiError: The question, the options or the right answer are refused.
    """
    chat = writable(world, params)
    question, marks = read_text(params, "question", "question_entities", parse_mode="question_parse_mode")
    if not question:
        raise bad_request("poll question must be non-empty")
    if len(question) > 300:
        raise bad_request("poll question length must not exceed 300")
    poll_id = str(5_100_000_000_000_000_000 + world.store.next_number("poll", 1))
    poll: Obj = {"id": poll_id, "question": question, "options": _options(params, poll_id), **_settings(params)}
    if marks:
        poll["question_entities"] = marks
    poll |= _quiz(params, poll) if poll["type"] == "quiz" else {}
    message = send(world, chat, {"poll": poll}, read_options(world, params, chat))
    polls.place(world, poll_id, chat["id"], message["message_id"])
    return message


def _options(params: Params, poll_id: str) -> list[Obj]:
    given = params.json("options", "poll options")
    if not isinstance(given, list) or len(given) < 2:
        raise bad_request("poll must have at least 2 option")
    if len(given) > OPTIONS_MAX:
        raise bad_request(f"poll can't have more than {OPTIONS_MAX} options")
    return [_option(option, f"{poll_id}-{number}") for number, option in enumerate(given)]


def _option(given: Any, persistent_id: str) -> Obj:
    own = Params(dict(given) if isinstance(given, dict) else {"text": given})
    text, marks = read_text(own, "text", "text_entities", parse_mode="text_parse_mode")
    if not text:
        raise bad_request("poll options must be non-empty")
    if len(text) > 100:
        raise bad_request("poll options length must not exceed 100")
    option: Obj = {"persistent_id": persistent_id, "text": text, "voter_count": 0}
    return option | ({"text_entities": marks} if marks else {})


def _settings(params: Params) -> Obj:
    kind = params.text("type") or "regular"
    if kind not in {"regular", "quiz"}:
        raise bad_request("unsupported poll type specified")
    settings: Obj = {
        "total_voter_count": 0, "is_closed": params.flag("is_closed"), "type": kind,
        "is_anonymous": params.flag("is_anonymous") if params.has("is_anonymous") else True,
        "allows_multiple_answers": params.flag("allows_multiple_answers"),
        "allows_revoting": params.flag("allows_revoting") if params.has("allows_revoting") else kind == "regular",
        "members_only": params.flag("members_only"),
    }  # fmt: skip
    return settings | {name: params.integer(name) for name in ("open_period", "close_date") if params.integer(name)}


def _quiz(params: Params, poll: Obj) -> Obj:
    given = params.json("correct_option_ids", "correct option identifiers")
    if given is None and params.has("correct_option_id"):
        given = [params.integer("correct_option_id", -1)]
    if not isinstance(given, list) or not given:
        raise bad_request("quiz must have a correct option")
    if any(not isinstance(one, int) or not 0 <= one < len(poll["options"]) for one in given):
        raise bad_request("wrong correct option ID specified")
    text, marks = read_text(params, "explanation", "explanation_entities", parse_mode="explanation_parse_mode")
    if len(text) > 200:
        raise bad_request("message is too long")
    quiz: Obj = {"correct_option_ids": given, "correct_option_id": given[0]}
    quiz |= {"explanation": text} if text else {}
    return quiz | ({"explanation_entities": marks} if marks else {})


def stop_poll(world: World, params: Params) -> Obj:
    """Close one of the bot's polls."""
    chat = writable(world, params)
    message = messages.find(world, chat["id"], params.integer("message_id"))
    if message is None or "poll" not in message:
        raise bad_request("message with poll to stop not found" if message is None else "message is not a poll")
    if message["poll"]["is_closed"]:
        raise bad_request("poll has already been closed")
    return polls.close(world, chat, message)


METHODS = {"sendPoll": send_poll, "stopPoll": stop_poll}
