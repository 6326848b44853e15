"""The main job in a real browser: forward a lecture, watch it being read, ask, and check the citations.

With SCREENSHOTS set to a folder, the pictures of the README are taken on the way.
"""

import os
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.chat import ANSWER_MS, ask, open_chat, told
from tests.e2e.conftest import RunProduct
from tests.e2e.product import Product

LECTURE = Path(__file__).parents[1] / "data" / "ru_lecture.pdf"
READ_MS = 90_000
"""Patience on a busy machine; no bound of the product."""

QUESTIONS = (
    ("Кто предложил пустить вагоны по канату?", "Лопатин"),
    ("Сколько дней в среднем длится ледоход на Варке?", "девятнадцать"),
    ("Какое расстояние между скалой Кабан и копром шахты «Надежда»?", "874"),
)

pytestmark = pytest.mark.timeout(400)


@pytest.fixture(scope="module")
async def product(run_product: RunProduct) -> AsyncIterator[Product]:
    async with run_product() as started:
        yield started


@pytest.fixture
async def page(browser: Browser, product: Product) -> AsyncIterator[Page]:
    async with open_chat(browser, product.url) as opened:
        yield opened


async def test_a_lecture_is_read_asked_and_checked_in_the_chat_page(page: Page) -> None:
    await page.get_by_test_id("start-button").click()
    await expect(told(page, "отвечать на ваши вопросы только по ним")).to_be_visible(timeout=ANSWER_MS)
    await picture(page, "1-start")

    await page.get_by_test_id("file-input").set_input_files(LECTURE)
    await page.get_by_test_id("attach-send").click()
    await expect(told(page, "Читаю 1")).to_be_visible(timeout=READ_MS)
    await picture(page, "2-reading")
    status = told(page, "ru_lecture.pdf")
    await expect(status.last).to_contain_text("Прочитано", timeout=READ_MS)
    assert await told(page, "Читаю 1").count() == 0, "the status is edited in place"

    for question, expected in QUESTIONS:
        answer = await ask(page, question)
        await expect(answer).to_contain_text(expected)
        await expect(answer.get_by_test_id("inline-button").first).to_contain_text("с.")
    await picture(page, "3-answer")

    answer = page.locator("[data-testid=message][data-from=bot]").last
    await answer.get_by_test_id("inline-button").first.click()
    evidence = told(page, "ru_lecture.pdf").last
    await expect(evidence).to_contain_text(re.compile(r"с\. \d+"), timeout=ANSWER_MS)
    await expect(evidence).to_contain_text("874 метра")
    await expect(evidence.locator("strong").last).to_be_visible()
    await picture(page, "4-evidence")

    refusal = await ask(page, "Как размножаются амёбы?")
    await expect(refusal).to_contain_text("Ответа на это в блокноте нет")
    await expect(refusal.get_by_text("ru_lecture.pdf")).to_have_count(0)
    await picture(page, "5-refusal")

    await page.set_viewport_size({"width": 390, "height": 844})
    await picture(page, "6-phone")


async def picture(page: Page, name: str) -> None:
    if folder := os.environ.get("SCREENSHOTS"):
        await page.screenshot(path=Path(folder) / f"{name}.png")
