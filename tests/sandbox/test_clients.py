"""Two unmodified clients read what the sandbox answers: aiogram and python-telegram-bot."""

from __future__ import annotations

import asyncio

import pytest
from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import (
    TelegramBadRequest,
    TelegramConflictError,
    TelegramEntityTooLarge,
    TelegramForbiddenError,
    TelegramMigrateToChat,
    TelegramNetworkError,
    TelegramRetryAfter,
    TelegramServerError,
)
from aiogram.types import (
    BufferedInputFile,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaDocument,
    InputMediaPhoto,
    InputRichMessage,
    LabeledPrice,
    ReplyParameters,
)
from telegram import Bot as PtbBot
from telegram import InlineKeyboardButton as PtbButton
from telegram import InlineKeyboardMarkup as PtbMarkup
from telegram import InputMediaDocument as PtbDocument
from telegram.error import BadRequest, ChatMigrated, Forbidden, RetryAfter

from tests.sandbox.test_files import png

TOKEN = "42:SANDBOX"
STARS = {"title": "Plan", "description": "A month", "payload": "plan", "currency": "XTR"}


@pytest.fixture(scope="module")
async def aiogram_bot(shared_play):
    session = AiohttpSession(api=TelegramAPIServer.from_base(shared_play.url), timeout=20)
    async with Bot(TOKEN, session=session) as bot:
        yield bot


@pytest.fixture(scope="module")
async def ptb_bot(shared_play):
    async with PtbBot(TOKEN, base_url=f"{shared_play.url}/bot", base_file_url=f"{shared_play.url}/file/bot") as bot:
        yield bot


@pytest.fixture
async def ada(shared_play):
    ada = await shared_play.friend("Ада", last_name="Л", username="ada", language_code="ru")
    yield ada
    await shared_play.people("DELETE", "/faults")
    await shared_play.updates()


@pytest.fixture
def keyboard():
    return InlineKeyboardMarkup(
        inline_keyboard=[[InlineKeyboardButton(text="b", callback_data="d")],
                         [InlineKeyboardButton(text="u", url="https://a.com", style="primary")]]
    )  # fmt: skip


async def test_aiogram_sends_and_edits(aiogram_bot, ada, keyboard):
    me = await aiogram_bot.get_me()
    sent = await aiogram_bot.send_message(
        ada["id"], "<b>Привет</b> 😀 <a href='https://a.com/'>a</a>", parse_mode="HTML", reply_markup=keyboard
    )
    edited = await sent.edit_text("new *text*", parse_mode="Markdown")
    quoted = ReplyParameters(message_id=sent.message_id, quote="new")
    answer = await aiogram_bot.send_message(ada["id"], "re", reply_parameters=quoted)

    assert me.id == sent.from_user.id == 42
    assert [entity.extract_from(sent.text) for entity in sent.entities] == ["Привет", "a"]
    assert sent.reply_markup.model_dump() == keyboard.model_dump()
    assert edited.text == "new text"
    assert answer.reply_to_message.message_id == sent.message_id
    assert answer.quote.text == "new"
    assert await sent.delete()


async def test_aiogram_sends_files_and_albums_and_downloads(aiogram_bot, ada):
    document = await aiogram_bot.send_document(ada["id"], BufferedInputFile(b"body", "книга.txt"), caption="c")
    album = await aiogram_bot.send_media_group(
        ada["id"],
        [InputMediaPhoto(media=BufferedInputFile(png(30, 20), "1.png"), caption="<i>c</i>", parse_mode="HTML"),
         InputMediaPhoto(media=BufferedInputFile(png(40, 20), "2.png"))],
    )  # fmt: skip
    documents = await aiogram_bot.send_media_group(ada["id"], [InputMediaDocument(media=document.document.file_id)] * 2)
    photo = await aiogram_bot.send_photo(ada["id"], album[0].photo[-1].file_id)

    assert document.document.file_name == "книга.txt"
    assert (await aiogram_bot.download(document.document)).read() == b"body"
    assert [message.photo[-1].width for message in album] == [30, 40]
    assert album[0].caption_entities[0].type == "italic"
    assert len({message.media_group_id for message in documents}) == 1
    assert photo.photo[-1].file_unique_id == album[0].photo[-1].file_unique_id


async def test_aiogram_streams_and_sends_rich_messages_polls_and_invoices(aiogram_bot, ada):
    assert await aiogram_bot.send_message_draft(ada["id"], 5, text="<b>x</b>", parse_mode="HTML", can_stop=True)
    assert await aiogram_bot.send_chat_action(ada["id"], "typing")
    rich = await aiogram_bot.send_rich_message(
        ada["id"], InputRichMessage(html="<h1>T</h1><ul><li>a</li></ul><table><tr><td>1</td></tr></table>")
    )
    poll = await aiogram_bot.send_poll(ada["id"], "?", ["a", "b"], type="quiz", correct_option_ids=[1])
    invoice = await aiogram_bot.send_invoice(ada["id"], **STARS, prices=[LabeledPrice(label="p", amount=5)])

    assert [block.type for block in rich.rich_message.blocks] == ["heading", "list", "table"]
    assert poll.poll.correct_option_ids == [1]
    assert invoice.invoice.total_amount == 5


async def test_aiogram_asks_of_chats(aiogram_bot, shared_play, ada):
    club = await shared_play.group(ada)

    chat = await aiogram_bot.get_chat(club["id"])
    private = await aiogram_bot.get_chat(ada["id"])
    member = await aiogram_bot.get_chat_member(club["id"], 42)
    admins = await aiogram_bot.get_chat_administrators(club["id"])
    info = await aiogram_bot.get_webhook_info()

    assert (chat.title, private.username) == ("Club", "ada")
    assert member.status == "member"
    assert [admin.user.id for admin in admins] == [ada["id"]]
    assert info.url == ""


@pytest.mark.parametrize(("fault", "error"), [
    ({"kind": "flood", "retry_after": 3}, TelegramRetryAfter),
    ({"kind": "forbidden"}, TelegramForbiddenError),
    ({"kind": "migrated", "migrate_to_chat_id": -1009}, TelegramMigrateToChat),
    ({"kind": "bad_gateway_json"}, TelegramServerError),
    ({"kind": "too_large"}, TelegramEntityTooLarge),
    ({"kind": "drop"}, TelegramNetworkError),
    ({"kind": "drop_after"}, TelegramNetworkError),
])  # fmt: skip
async def test_aiogram_knows_the_failures(aiogram_bot, shared_play, ada, fault, error):
    await shared_play.people("POST", "/faults", json=fault)

    with pytest.raises(error) as failed:
        await aiogram_bot.send_message(ada["id"], "x")

    assert getattr(failed.value, "retry_after", 3) == 3
    assert getattr(failed.value, "migrate_to_chat_id", -1009) == -1009


async def test_aiogram_knows_refusals_and_conflicts(aiogram_bot, shared_play, ada):
    with pytest.raises(TelegramBadRequest, match="message text is empty"):
        await aiogram_bot.send_message(ada["id"], "")
    async with asyncio.TaskGroup() as group:
        poll = group.create_task(first_error(aiogram_bot))

        async def ended():
            await shared_play.call("getUpdates")
            return poll.done()

        await shared_play.until(ended)
    assert isinstance(poll.result(), TelegramConflictError)


async def first_error(bot):
    try:
        await bot.get_updates(timeout=40)
    except TelegramConflictError as error:
        return error
    return None


async def every_update(play, ada):
    """Make the sandbox emit every kind of update it has and return them all."""
    ask = ["message", "edited_message", "channel_post", "edited_channel_post", "callback_query", "my_chat_member",
           "chat_member", "message_reaction", "poll", "poll_answer", "pre_checkout_query",
           "stopped_message_generation"]  # fmt: skip
    await play.ok("getUpdates", allowed_updates=ask)
    me, place = ada["id"], f"/users/{ada['id']}/chats/{ada['id']}"
    bob = await play.user("Bob")
    said = await play.say(ada, "/ask x.com #t")
    await play.people("PUT", f"{place}/messages/{said['message_id']}", json={"text": "edited"})
    for kind, name, content in (("document", "a.pdf", b"%PDF"), ("photo", "p.png", png(900, 600)),
                                ("voice", "v.ogg", b"OggS"), ("audio", "m.mp3", b"ID3"), ("video", "v.mp4", b"x"),
                                ("video_note", "n.mp4", b"y")):  # fmt: skip
        await play.upload(ada, (name, content), kind=kind, caption="c")
    await play.upload(ada, ("1.txt", b"1"), ("2.txt", b"2"))
    news = {"id": -1009, "type": "channel", "title": "News"}
    for origin in (
        {"type": "hidden_user", "sender_user_name": "N"},
        {"type": "channel", "chat": news, "message_id": 5},
    ):
        await play.people("POST", f"{place}/forward", json={"origin": origin, "text": "f"})
    await play.say(ada, "re", reply_to_message_id=said["message_id"], quote="edit")
    keyboard = {"inline_keyboard": [[{"text": "b", "callback_data": "d"}]]}
    menu = await play.ok("sendMessage", chat_id=me, text="menu", reply_markup=keyboard)
    order = {"chat_id": me, "message_id": menu["message_id"]}
    await play.people("POST", f"/users/{me}/callbacks", json=order | {"data": "d", "wait": False})
    await play.people("POST", f"/users/{me}/reactions", json=order | {"reaction": [{"type": "emoji", "emoji": "👍"}]})
    poll = await play.ok("sendPoll", chat_id=me, question="?", options=["a", "b"], is_anonymous=False)
    vote = {"chat_id": me, "message_id": poll["message_id"], "option_ids": [0]}
    await play.people("POST", f"/users/{me}/votes", json=vote)
    await play.ok("sendMessageDraft", chat_id=me, draft_id=9, text="x", can_stop=True)
    await play.people("POST", f"/users/{me}/stop_draft")
    await play.people("POST", f"/users/{me}/block", json={"blocked": True})
    await play.people("POST", f"/users/{me}/block", json={"blocked": False})
    await group_updates(play, ada, bob)
    invoice = await play.ok("sendInvoice", chat_id=me, **STARS, prices=[{"label": "p", "amount": 5}])
    return await paid(play, ada, invoice)


async def group_updates(play, ada, bob):
    body = {"title": "Forum", "type": "supergroup", "member_ids": [ada["id"]], "is_forum": True}
    forum = await play.people("POST", "/chats", json=body)
    members = f"/chats/{forum['id']}/members"
    await play.people("POST", members, json={"user_id": 42, "status": "administrator"})
    for status in ("member", "restricted", "left"):
        await play.people("POST", members, json={"user_id": bob["id"], "status": status})
    topic = await play.people("POST", f"/chats/{forum['id']}/topics", json={"name": "T"})
    await play.say(ada, "in the topic", forum, message_thread_id=topic["message_thread_id"])
    await play.say(ada, "anonymous", forum, **{"as": "anonymous_admin"})
    await play.say(ada, "from the channel", forum, **{"as": "channel"})
    group = await play.people("POST", "/chats", json=body | {"type": "group"})
    await play.people("POST", f"/chats/{group['id']}/migrate", json={})
    linked = {"type": "channel", "linked_chat_id": forum["id"]}
    channel = await play.people("POST", "/chats", json=body | linked)
    post = await play.say(ada, "post", channel)
    path = f"/users/{ada['id']}/chats/{channel['id']}/messages/{post['message_id']}"
    await play.people("PUT", path, json={"text": "edited"})


async def paid(play, ada, invoice):
    """Pay the invoice, answering the query, and return all updates up to the payment."""
    order = {"chat_id": ada["id"], "message_id": invoice["message_id"]}
    async with asyncio.TaskGroup() as group:
        group.create_task(play.people("POST", f"/users/{ada['id']}/payments", json=order))

        async def asked():
            found = await play.ok("getUpdates")
            return [update for update in found if "pre_checkout_query" in update]

        [update] = await play.until(asked)
        query_id = update["pre_checkout_query"]["id"]
        await play.ok("answerPreCheckoutQuery", pre_checkout_query_id=query_id, ok=True)
    return await play.ok("getUpdates")


async def test_both_clients_read_every_kind_of_update(aiogram_bot, ptb_bot, shared_play, ada):
    raw = await every_update(shared_play, ada)

    ours = await aiogram_bot.get_updates()
    theirs = await ptb_bot.get_updates()

    assert {kind for update in raw for kind in update} == {
        "update_id", "message", "edited_message", "channel_post", "edited_channel_post", "callback_query",
        "my_chat_member", "chat_member", "message_reaction", "poll", "poll_answer", "pre_checkout_query",
        "stopped_message_generation",
    }  # fmt: skip
    assert [update.update_id for update in ours] == [update["update_id"] for update in raw]
    assert [update.update_id for update in theirs] == [update["update_id"] for update in raw]
    for update, source in zip(ours, raw, strict=True):
        assert not unknown_fields(update), update.event_type
        assert lost(source, update.model_dump(mode="json", by_alias=True, exclude_none=True)) == []
    for update, source in zip(theirs, raw, strict=True):
        assert lost(source, update.to_dict()) == []


def lost(source, read, path=""):
    """Collect the paths of what a client did not read from the raw update."""
    if isinstance(source, dict):
        missing = [f"{path}.{key}" for key in source if key not in read and source[key] != []]
        known = source.keys() & read.keys()
        return missing + [one for key in known for one in lost(source[key], read[key], f"{path}.{key}")]
    if isinstance(source, list):
        if len(source) != len(read):
            return [path]
        return [one for n, inner in enumerate(source) for one in lost(inner, read[n], f"{path}[{n}]")]
    return []


def unknown_fields(model):
    """Collect the fields that aiogram's types do not know, anywhere in a model."""
    found = list(model.model_extra or ())
    for name in type(model).model_fields:
        value = getattr(model, name)
        for inner in value if isinstance(value, list) else [value]:
            if hasattr(inner, "model_extra"):
                found += unknown_fields(inner)
    return found


async def test_ptb_sends_edits_and_downloads(ptb_bot, ada):
    markup = PtbMarkup([[PtbButton("b", callback_data="d")]])
    sent = await ptb_bot.send_message(ada["id"], "<b>Hi</b> <code>c</code>", parse_mode="HTML", reply_markup=markup)
    edited = await sent.edit_text("new")
    document = await ptb_bot.send_document(ada["id"], b"body", filename="a.txt", caption="c")
    media = [PtbDocument(b"1", filename="1.txt"), PtbDocument(b"2", filename="2.txt")]
    album = await ptb_bot.send_media_group(ada["id"], media)
    file = await ptb_bot.get_file(document.document.file_id)

    assert list(sent.parse_entities().values()) == ["Hi", "c"]
    assert sent.reply_markup == markup
    assert edited.text == "new"
    assert bytes(await file.download_as_bytearray()) == b"body"
    assert [message.document.file_name for message in album] == ["1.txt", "2.txt"]
    assert (await ptb_bot.get_me()).username == "konspekt_sandbox_bot"
    assert (await ptb_bot.get_chat(ada["id"])).first_name == "Ада"


@pytest.mark.parametrize(("fault", "error"), [
    ({"kind": "flood", "retry_after": 3}, RetryAfter),
    ({"kind": "forbidden"}, Forbidden),
    ({"kind": "migrated", "migrate_to_chat_id": -1009}, ChatMigrated),
])  # fmt: skip
async def test_ptb_knows_the_failures(ptb_bot, shared_play, ada, fault, error, monkeypatch):
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # without it this client warns of itself
    await shared_play.people("POST", "/faults", json=fault)

    with pytest.raises(error):
        await ptb_bot.send_message(ada["id"], "x")
    with pytest.raises(BadRequest, match="Message is too long"):
        await ptb_bot.send_message(ada["id"], "x" * 4097)
