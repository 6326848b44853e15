"""The sandbox's chat page in a real browser: people write, a real bot answers over HTTP."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import aiohttp
import pytest
from playwright.async_api import Browser, FilePayload, Locator, Page, ViewportSize, expect

from tests.e2e.chat_world import WAIT_S, Bot, Server

WIDE = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)

OpenPage = Callable[..., Awaitable[Page]]


@pytest.fixture(scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60)) as http:
        started = Server(tmp_path_factory.mktemp("sandbox"), http)
        await started.start()
        yield started
        await started.stop()


@pytest.fixture
async def bot(server: Server) -> AsyncIterator[Bot]:
    """A bot that has forgotten what earlier tests told it."""
    made = Bot(server)
    async with asyncio.TaskGroup() as group:
        polling = group.create_task(made.poll())
        yield made
        polling.cancel()


@pytest.fixture
async def open_page(browser: Browser, server: Server) -> AsyncIterator[OpenPage]:
    """Open the page as a person; a request to another host or an error in its scripts fails the test."""
    async with contextlib.AsyncExitStack() as stack:
        failures: list[str] = []
        local = (server.url, "data:", "blob:")

        async def opened(user: int, chat: int | None = None, size: ViewportSize = WIDE) -> Page:
            context = await browser.new_context(viewport=size)
            stack.push_async_callback(context.close)
            page = await context.new_page()
            page.set_default_timeout(WAIT_S * 1000)
            page.on("pageerror", lambda error: failures.append(str(error)))
            page.on("request", lambda request: None if request.url.startswith(local) else failures.append(request.url))
            await page.goto(f"{server.url}/#user={user}&chat={chat or user}")
            await expect(page.get_by_test_id("app")).to_have_attribute("data-online", "true")
            return page

        yield opened
        assert failures == []


async def write(page: Page, text: str) -> None:
    await page.get_by_test_id("composer").fill(text)
    await page.get_by_test_id("composer").press("Enter")


def said(page: Page, text: str, author: str = "bot") -> Locator:
    return page.locator(f"[data-testid=message][data-from={author}]").filter(has_text=text)


async def test_a_text_reaches_the_bot_and_its_answer_the_person(server: Server, bot: Bot, open_page: OpenPage) -> None:
    page = await open_page(user := await server.person("Анна"))
    await write(page, "Что такое хлоропласт?")
    message = await bot.told("message", "хлоропласт")
    reply = {"message_id": message["message_id"]}
    await bot.call("sendMessage", chat_id=user, text="Часть клетки", reply_parameters=reply)
    await expect(said(page, "Что такое хлоропласт?", "me")).to_be_visible()
    await expect(said(page, "Часть клетки").get_by_test_id("reply-line")).to_contain_text("Что такое хлоропласт?")
    await expect(page.get_by_test_id("composer")).to_have_value("")


async def test_a_new_person_begins_with_the_start_button(server: Server, bot: Bot, open_page: OpenPage) -> None:
    user = await server.play("users", {"first_name": "Вера"})
    page = await open_page(user["id"])
    await page.get_by_test_id("start-button").click()
    while (await bot.told("message", "/start"))["from"]["id"] != user["id"]:
        pass
    await expect(page.get_by_test_id("start-button")).to_be_hidden()


async def test_markup_in_a_text_is_shown_and_never_run(server: Server, bot: Bot, open_page: OpenPage) -> None:
    page = await open_page(user := await server.person("Анна"))
    text = "😀 жирный <script>window.ran = 1</script><img src=x onerror='window.ran = 2'>"
    await bot.call("sendMessage", chat_id=user, text=text, entities=[{"type": "bold", "offset": 3, "length": 6}])
    shown = said(page, "жирный").get_by_test_id("message-text")
    await expect(shown).to_contain_text("<script>window.ran = 1</script><img src=x")
    await expect(shown.locator("strong")).to_have_text("жирный")
    assert await shown.locator("script, img").count() == 0
    assert await page.evaluate("window.ran") is None


async def test_entities_that_cross_keep_every_letter_once(server: Server, open_page: OpenPage) -> None:
    page = await open_page(await server.person("Анна"))
    html = await page.evaluate(
        """async () => {
            const { renderText } = await import("/static/entities.js");
            const box = document.createElement("div");
            box.append(...renderText("абвгдежз", [
                { type: "italic", offset: 3, length: 4 }, { type: "bold", offset: 0, length: 5 },
                { type: "underline", offset: 1, length: 1 }, { type: "code", offset: 7, length: 50 }]));
            return box.innerHTML;
        }"""
    )
    assert html == '<strong>а<u>б</u>в<em>гд</em></strong><em>еж</em><code class="inline">з</code>'


async def test_a_pressed_button_spins_until_the_bot_answers(server: Server, bot: Bot, open_page: OpenPage) -> None:
    page = await open_page(user := await server.person("Анна"))
    keyboard = {"inline_keyboard": [[{"text": "Сохранить", "callback_data": "save"}]]}
    await bot.call("sendMessage", chat_id=user, text="Ответ", reply_markup=keyboard)
    button = page.get_by_test_id("inline-button")
    await button.click()
    query = await bot.told("callback_query")
    await expect(button).to_have_attribute("aria-busy", "true")
    await bot.call("answerCallbackQuery", callback_query_id=query["id"], text="Сохранено")
    await expect(page.get_by_test_id("toast")).to_have_text("Сохранено")
    await expect(button).to_have_attribute("aria-busy", "false")
    await button.click()
    query = await bot.told("callback_query")
    await bot.call("answerCallbackQuery", callback_query_id=query["id"], text="Важно", show_alert=True)
    await expect(page.get_by_test_id("alert")).to_contain_text("Важно")


async def test_an_edit_changes_the_message_where_it_stands(server: Server, bot: Bot, open_page: OpenPage) -> None:
    page = await open_page(user := await server.person("Анна"))
    sent = await bot.call("sendMessage", chat_id=user, text="Читаю: 1 из 9")
    place = page.locator(f"[data-message-id='{sent['message_id']}']")
    await expect(place).to_contain_text("1 из 9")
    count = await page.get_by_test_id("message").count()
    await bot.call("editMessageText", chat_id=user, message_id=sent["message_id"], text="Читаю: 9 из 9")
    await expect(place).to_contain_text("9 из 9")
    await expect(place.get_by_test_id("edited")).to_be_visible()
    assert await page.get_by_test_id("message").count() == count
    await bot.call("deleteMessage", chat_id=user, message_id=sent["message_id"])
    await expect(place).to_have_count(0)


async def test_the_final_message_takes_the_place_of_the_draft(server: Server, bot: Bot, open_page: OpenPage) -> None:
    page = await open_page(user := await server.person("Анна"))
    draft = page.get_by_test_id("draft")
    for length in range(56, 80, 4):  # around one line of the bubble, where the time needs a line of its own
        text = f"{length} {'тилакоид ' * 9}"[:length].strip()
        for part in (text[:9], text):
            await bot.call("sendMessageDraft", chat_id=user, draft_id=length, text=part)
            await expect(draft.get_by_test_id("message-text")).to_contain_text(part)
        before = await draft.locator(".bubble").bounding_box()
        await bot.call("sendMessage", chat_id=user, text=text)
        await expect(draft).to_have_count(0)
        assert await said(page, text).last.locator(".bubble").bounding_box() == before


async def test_the_stop_button_of_a_draft_tells_the_bot(server: Server, bot: Bot, open_page: OpenPage) -> None:
    page = await open_page(user := await server.person("Анна"))
    await bot.call("sendMessageDraft", chat_id=user, draft_id=6, text="Длинный ответ", can_stop=True)
    await page.get_by_test_id("draft-stop").click()
    assert (await bot.told("stopped_message_generation"))["draft_id"] == 6
    await expect(page.get_by_test_id("draft")).to_have_count(0)


async def test_a_sent_file_shows_its_name_and_size_and_downloads(server: Server, bot: Bot, open_page: OpenPage) -> None:
    page = await open_page(await server.person("Анна"))
    file = FilePayload(name="Лекция 3.txt", mimeType="text/plain", buffer=b"x" * 2048)
    await page.get_by_test_id("file-input").set_input_files([file])
    await page.get_by_test_id("attach-caption").fill("Прочитай")
    await page.get_by_test_id("attach-send").click()
    document = said(page, "Прочитай", "me").get_by_test_id("document")
    await expect(document).to_contain_text("Лекция 3.txt")
    await expect(document).to_contain_text("2 КБ")
    async with page.expect_download() as downloading:
        await document.click()
    assert (await (await downloading.value).path()).read_bytes() == b"x" * 2048


async def test_a_fragment_is_quoted_and_its_line_leads_back(server: Server, bot: Bot, open_page: OpenPage) -> None:
    page = await open_page(user := await server.person("Анна"))
    await bot.call("sendMessage", chat_id=user, text="🌱 Темновая фаза идёт в строме")
    await said(page, "Темновая").click(button="right")
    await page.get_by_test_id("menu-quote").click()
    await page.get_by_test_id("quote-text").evaluate("node => node.setSelectionRange(3, 16)")
    await page.get_by_test_id("quote-send").click()
    await write(page, "объясни")
    message = await bot.told("message", "объясни")
    assert message["quote"] == {"text": "Темновая фаза", "position": 3, "is_manual": True}
    await said(page, "объясни", "me").get_by_test_id("reply-line").click()
    await expect(said(page, "🌱")).to_have_class(re.compile("flash"))


async def test_a_post_of_a_channel_is_forwarded_with_its_origin(server: Server, bot: Bot, open_page: OpenPage) -> None:
    page = await open_page(await server.person("Анна"))
    await page.get_by_test_id("attach").click()
    await page.get_by_test_id("attach-forward").click()
    await page.get_by_test_id("origin-name").fill("Биология")
    await page.get_by_test_id("origin-text").fill("Новая статья")
    await page.get_by_test_id("origin-send").click()
    origin = (await bot.told("message", "Новая статья"))["forward_origin"]
    assert (origin["type"], origin["chat"]["title"]) == ("channel", "Биология")
    await expect(said(page, "Новая статья", "me").get_by_test_id("forwarded")).to_contain_text("Биология")


async def test_a_phone_shows_the_list_or_the_conversation(server: Server, bot: Bot, open_page: OpenPage) -> None:
    page = await open_page(user := await server.person("Анна"), size=PHONE)
    await expect(page.get_by_test_id("composer")).to_be_visible()
    await expect(page.get_by_test_id("chat-list")).to_be_hidden()
    await page.get_by_test_id("back").click()
    await expect(page.get_by_test_id("composer")).to_be_hidden()
    await bot.call("sendMessage", chat_id=user, text="Пора повторить")
    item = page.locator(f"[data-testid=chat-item][data-chat-id='{user}']")
    await expect(item).to_contain_text("Пора повторить")
    await expect(item).to_have_attribute("data-unread", "1")
    assert await page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    await item.click()
    await expect(said(page, "Пора повторить")).to_be_visible()


async def test_two_people_talk_in_a_group(server: Server, bot: Bot, open_page: OpenPage) -> None:
    anna, boris = await server.person("Анна"), await server.person("Борис")
    group = {"title": "Ботаники", "type": "group", "member_ids": [anna, boris], "creator_id": anna}
    chat = await server.play("chats", group)
    hers, his = await open_page(anna, chat["id"]), await open_page(boris, chat["id"])
    await write(hers, "Кто читал главу?")
    await expect(said(his, "Кто читал главу?", "other").get_by_test_id("sender")).to_have_text("Анна")
    await write(his, "Я читал")
    await expect(said(hers, "Я читал", "other").get_by_test_id("sender")).to_have_text("Борис")
    await expect(said(hers, "Кто читал главу?", "me")).to_be_visible()


async def test_the_page_catches_up_after_the_server_was_away(tmp_path: Path, server: Server, browser: Browser) -> None:
    own = Server(tmp_path, server.http)
    await own.start()
    user = await own.person("Анна")
    page = await browser.new_page()
    await page.goto(f"{own.url}/#user={user}&chat={user}")
    app = page.get_by_test_id("app")
    await expect(app).to_have_attribute("data-online", "true")
    await own.stop()
    await expect(app).to_have_attribute("data-online", "false")
    await own.start(int(own.url.rsplit(":", 1)[1]))
    await Bot(own).call("sendMessage", chat_id=user, text="Пока вас не было")
    await expect(said(page, "Пока вас не было")).to_be_visible(timeout=WAIT_S * 1000)
    await page.close()
    await own.stop()


async def test_only_a_message_with_sound_rings(server: Server, bot: Bot, open_page: OpenPage) -> None:
    page = await open_page(user := await server.person("Анна"))
    bell = page.get_by_test_id("sound-bell")
    await bot.call("sendMessage", chat_id=user, text="Читаю 9", disable_notification=True)
    await expect(said(page, "Читаю 9")).to_be_visible()
    await expect(bell).to_have_attribute("data-count", "0")
    await bot.call("sendMessage", chat_id=user, text="Готово 8 из 9")
    await expect(bell).to_have_attribute("data-count", "1")
    await expect(page).to_have_title(re.compile(r"^\(1\) "))


async def test_a_link_to_the_bot_starts_it_with_its_payload(server: Server, bot: Bot, open_page: OpenPage) -> None:
    page = await open_page(user := await server.person("Анна"))
    name = (await bot.call("getMe"))["username"]
    await bot.call("sendMessage", chat_id=user, text=f"Приглашение: https://t.me/{name}?start=join_42")
    await said(page, "Приглашение").get_by_role("link").click()
    assert (await bot.told("message", "/start join_42"))["chat"]["id"] == user


async def test_a_reply_keyboard_types_for_the_person_and_goes_when_it_was_for_once(
    server: Server, bot: Bot, open_page: OpenPage
) -> None:
    page = await open_page(user := await server.person("Анна"))
    markup = {"keyboard": [[{"text": "30 карточек"}]], "one_time_keyboard": True}
    await bot.call("sendMessage", chat_id=user, text="Сколько?", reply_markup=markup)
    await page.get_by_test_id("reply-button").click()
    await bot.told("message", "30 карточек")
    await expect(page.get_by_test_id("reply-keyboard")).to_be_hidden()
