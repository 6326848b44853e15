"""Whatever a bot or a page sends, it gets an answer in JSON, never a 500."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.sandbox.bot_api import METHODS

NAMES = (
    "from_chat_id", "message_id", "message_ids", "text", "parse_mode", "entities", "caption", "reply_markup", "media",
    "document", "reply_parameters", "link_preview_options", "photo", "draft_id", "message_thread_id", "file_id",
    "callback_query_id", "user_id", "commands", "scope", "language_code", "rich_message", "options", "question", "type",
    "correct_option_ids", "title", "description", "payload", "currency", "prices", "subscription_period", "ok",
    "action", "pre_checkout_query_id", "reaction", "name", "offset", "limit",
)  # fmt: skip
KEYS = (
    "type", "offset", "length", "url", "text", "message_id", "quote", "quote_entities", "inline_keyboard", "keyboard",
    "callback_data", "copy_text", "html", "markdown", "blocks", "items", "cells", "media", "command", "description",
    "amount", "label", "chat_id", "user", "value", "start", "sender_user_name",
)  # fmt: skip
WORDS = ("", "x", "HTML", "bold", "photo", "pre", "paragraph", "list", "table", "details", "<b>x", "{", "[1]", "quiz",
         "XTR", "text_link", "supergroup", "flood", "hidden_user", "member")  # fmt: skip
leaves = st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from([2**70, 1.5, *WORDS])
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)
SAFE = sorted(METHODS.keys() - {"leavechat"})

PATHS = (
    ("POST", "/users"), ("POST", "/chats"), ("POST", "/users/{user}/chats/{user}/messages"), ("POST", "/updates"),
    ("POST", "/users/{user}/chats/{user}/forward"), ("POST", "/users/{user}/votes"), ("POST", "/chats/{user}/members"),
    ("PUT", "/users/{user}/chats/{user}/messages/1"), ("POST", "/users/{user}/reactions"),
    ("POST", "/users/{user}/block"),
)  # fmt: skip
FIELDS = (
    "first_name", "username", "title", "type", "member_ids", "creator_id", "is_forum", "bot_status", "text", "entities",
    "reply_to_message_id", "quote", "quote_position", "origin", "from_chat_id", "message_ids", "chat_id", "message_id",
    "option_ids", "reaction", "as", "user_id", "status", "update_id", "blocked",
)  # fmt: skip


def lists_of(names, fields):
    """Lists of calls: a name, and some fields with any values."""
    call = st.tuples(st.sampled_from(names), st.dictionaries(st.sampled_from(fields), values, max_size=8))
    return st.lists(call, min_size=5, max_size=20)


relaxed = settings(
    deadline=None, max_examples=25, phases=[Phase.explicit, Phase.generate],  # shrinking takes minutes over HTTP
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip


@pytest.fixture(scope="module")
async def user_id(shared_play):
    ada = await shared_play.friend()
    return ada["id"]


@relaxed
@given(calls=lists_of(SAFE, NAMES))
async def test_every_method_answers_nonsense_in_json(shared_play, user_id, calls):
    for method, params in calls:
        answer = await shared_play.call(method, chat_id=user_id, **params)

        assert answer["ok"] or 400 <= answer["error_code"] < 500


@relaxed
@given(calls=lists_of(PATHS, FIELDS))
async def test_the_sandbox_api_answers_nonsense_in_json(shared_play, user_id, calls):
    for (verb, path), body in calls:
        url = f"{shared_play.url}/sandbox{path.format(user=user_id)}"
        async with shared_play.session.request(verb, url, json=body) as response:
            answer = await response.json()

            assert response.status == 200 or (response.status < 500 and "error" in answer)
