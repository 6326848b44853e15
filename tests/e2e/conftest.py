"""A real browser for the tests that look at the chat page."""

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright

from tests.e2e.product import Product

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


RunProduct = Callable[..., AbstractAsyncContextManager[Product]]


@pytest.fixture(scope="module")
def run_product(tmp_path_factory: pytest.TempPathFactory) -> RunProduct:
    """Run the whole product, with these variables, for as long as a block lasts."""

    @asynccontextmanager
    async def run(**environment: str) -> AsyncIterator[Product]:
        started = Product(Path(tmp_path_factory.mktemp("product")) / "data", _free_port())
        await started.start(**environment)
        async with asyncio.TaskGroup() as group:
            console = group.create_task(started.drain())
            yield started
            console.cancel()
        await started.stop()

    return run


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
