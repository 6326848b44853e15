"""A person at the chat page: opens it, asks, reads."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

ANSWER_MS = 40_000
"""Patience on a busy machine; no bound of the product."""


@asynccontextmanager
async def open_chat(browser: Browser, url: str) -> AsyncIterator[Page]:
    """Open the chat page as its first person, in the chat with the bot."""
    context = await browser.new_context(viewport=ViewportSize(width=1180, height=860))
    page = await context.new_page()
    page.set_default_timeout(20_000)
    await page.goto(url)
    await expect(page.get_by_test_id("app")).to_have_attribute("data-online", "true")
    yield page
    await context.close()


async def ask(page: Page, question: str) -> Locator:
    """Type a question and wait for the message that answers it."""
    bot = page.locator("[data-testid=message][data-from=bot]")
    before = await bot.count()
    await page.get_by_test_id("composer").fill(question)
    await page.get_by_test_id("composer").press("Enter")
    await expect(bot).to_have_count(before + 1, timeout=ANSWER_MS)
    return bot.last


def told(page: Page, words: str) -> Locator:
    """Find the bot's messages with these words."""
    return page.locator("[data-testid=message][data-from=bot]").filter(has_text=words)
