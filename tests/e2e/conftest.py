"""A real browser for the tests that look at the chat page."""

import os
import shutil
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, async_playwright

CHROMIUM = shutil.which("chromium")
ARGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


@pytest.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    if CHROMIUM is None:
        missing = "no Chromium: run scripts/system_packages.sh"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGS))
        yield launched
        await launched.close()
