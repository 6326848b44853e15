"""Whatever a bot or a page sends, it gets an answer in JSON, never a 500."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.sandbox.bot_api import METHODS

NAMES = [
    "from_chat_id",
    "message_id",
    "message_ids",
    "text",
    "parse_mode",
    "entities",
    "caption",
    "caption_entities",
    "reply_markup",
    "media",
    "document",
    "reply_parameters",
    "link_preview_options",
    "photo",
    "draft_id",
    "message_thread_id",
    "callback_query_id",
    "file_id",
    "user_id",
    "commands",
    "scope",
    "language_code",
    "rich_message",
    "options",
    "question",
    "type",
    "correct_option_ids",
    "title",
    "description",
    "payload",
    "currency",
    "prices",
    "subscription_period",
    "pre_checkout_query_id",
    "ok",
    "action",
    "reaction",
    "name",
    "allowed_updates",
    "offset",
    "limit",
]
KEYS = [
    "type",
    "offset",
    "length",
    "url",
    "text",
    "message_id",
    "quote",
    "quote_entities",
    "inline_keyboard",
    "keyboard",
    "callback_data",
    "copy_text",
    "html",
    "markdown",
    "blocks",
    "items",
    "cells",
    "media",
    "command",
    "description",
    "amount",
    "label",
    "chat_id",
    "user",
    "value",
    "start",
]
leaves = (
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from([2**70, 1.5, "", "x", "HTML", "bold", "photo", "pre"])
    | st.sampled_from(["paragraph", "list", "table", "details", "<b>x", "{", "[1]", "text_link", "quiz", "XTR"])
)  # fmt: skip
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)
SAFE = sorted(METHODS.keys() - {"leavechat"})


@pytest.fixture(scope="module")
async def chat_id(shared_play):
    ada = await shared_play.friend()
    return ada["id"]


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(calls=st.lists(
    st.tuples(st.sampled_from(SAFE), st.dictionaries(st.sampled_from(NAMES), values, max_size=8)), min_size=10, max_size=25
))  # fmt: skip
async def test_every_method_answers_nonsense_in_json(shared_play, chat_id, calls):
    for method, params in calls:
        answer = await shared_play.call(method, chat_id=chat_id, **params)

        assert answer["ok"] or 400 <= answer["error_code"] < 500


PATHS = (
    ("POST", "/users"), ("POST", "/chats"), ("POST", "/users/{user}/chats/{user}/messages"), ("POST", "/faults"),
    ("POST", "/users/{user}/chats/{user}/forward"), ("POST", "/users/{user}/callbacks"), ("POST", "/users/{user}/votes"),
    ("POST", "/users/{user}/reactions"), ("PUT", "/users/{user}/chats/{user}/messages/1"), ("POST", "/clock"),
)  # fmt: skip
FIELDS = [
    "first_name",
    "username",
    "title",
    "type",
    "member_ids",
    "creator_id",
    "is_forum",
    "text",
    "entities",
    "reply_to_message_id",
    "quote",
    "quote_position",
    "kind",
    "times",
    "origin",
    "from_chat_id",
    "message_ids",
    "chat_id",
    "message_id",
    "data",
    "option_ids",
    "reaction",
    "advance_s",
    "as",
]


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(calls=st.lists(
    st.tuples(st.sampled_from(PATHS), st.dictionaries(st.sampled_from(FIELDS), values, max_size=6)), min_size=5, max_size=15
))  # fmt: skip
async def test_the_sandbox_api_answers_nonsense_in_json(shared_play, chat_id, calls):
    for (verb, path), body in calls:
        url = f"{shared_play.url}/sandbox{path.format(user=chat_id)}"
        async with shared_play.session.request(verb, url, json=body) as response:
            answer = await response.json()

            assert response.status == 200 or "error" in answer
            assert response.status < 500
