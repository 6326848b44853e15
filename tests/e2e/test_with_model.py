"""The main job with a language model, over a socket, in a real browser: drafts that grow, checked citations, faults."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.chat import ANSWER_MS, ask, open_chat, told
from tests.e2e.conftest import RunProduct
from tests.e2e.product import Product
from tests.fakes.openai_behaviours import Behaviour, dropped, rate_limited, silent, streamed
from tests.fakes.openai_server import FakeOpenAI

pytestmark = pytest.mark.timeout(400)


@pytest.fixture(scope="module")
async def model() -> AsyncIterator[FakeOpenAI]:
    async with FakeOpenAI(token_pause_s=0.15) as server:
        yield server


@pytest.fixture(scope="module")
async def product(run_product: RunProduct, model: FakeOpenAI) -> AsyncIterator[Product]:
    settings = {"LLM_BASE_URL": model.url, "LLM_MODEL": "fake-model", "LLM_API_KEY": "none", "LLM_SILENCE_S": "3"}
    async with run_product(**settings) as started:
        yield started


@pytest.fixture(scope="module")
async def page(browser: Browser, product: Product) -> AsyncIterator[Page]:
    """A chat that talks to the example notebook."""
    async with open_chat(browser, product.url) as opened:
        await opened.get_by_test_id("start-button").click()
        await opened.get_by_text("Пример", exact=True).click(timeout=ANSWER_MS)
        await expect(told(opened, "Прочитано")).to_be_visible(timeout=ANSWER_MS)
        yield opened


@pytest.fixture(autouse=True)
def good_model(model: FakeOpenAI) -> None:
    model.reset()


LONG = " ".join(
    [
        "Сразу после заучивания забывание идёт быстро. [1]",
        "Через двадцать минут сохранялось около 58 процентов, через час — около 44, через сутки — около 34. [1]",
        "Потом потери замедляются: через шесть дней оставалось около 25 процентов, через месяц — около 21. [1]",
        "Осмысленный материал забывается медленнее, чем бессмысленные слоги. [1]",
        "Повторения, разделённые днями, действуют лучше, чем столько же повторений подряд. [1]",
    ]
)


async def test_an_answer_grows_as_a_draft_and_ends_with_citations(page: Page, model: FakeOpenAI) -> None:
    model.script(streamed(LONG))
    await page.get_by_test_id("composer").fill("Сколько помнится через сутки?")
    await page.get_by_test_id("composer").press("Enter")
    await expect(page.get_by_test_id("draft")).to_be_visible(timeout=ANSWER_MS)
    answer = told(page, "разделённые днями").last
    await expect(answer.get_by_test_id("inline-button").first).to_contain_text("1", timeout=ANSWER_MS)
    await expect(page.get_by_test_id("draft")).to_have_count(0)


async def test_a_citation_that_was_invented_is_dropped_and_its_sentence_marked(page: Page, model: FakeOpenAI) -> None:
    model.script(streamed("Через сутки сохранялось около 34 процентов. [1] Рим основан в 753 году до нашей эры. [9]"))
    answer = await ask(page, "Сколько сохраняется через сутки, если верить Эббингаузу?")
    await expect(answer).to_contain_text("34 процентов. [1]")
    await expect(answer).not_to_contain_text("[9]")
    await expect(answer).to_contain_text("✖")


@pytest.mark.parametrize("fault", [dropped(), rate_limited(1), silent(60)], ids=["dropped", "429", "silence"])
async def test_a_model_in_trouble_still_ends_in_one_answer(page: Page, model: FakeOpenAI, fault: Behaviour) -> None:
    model.script(fault)
    answer = await ask(page, "Что замедляет забывание?")
    await expect(answer).to_contain_text("овторени")
    await expect(answer.get_by_test_id("inline-button").first).to_be_visible()
