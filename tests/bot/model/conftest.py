"""The product once more, with an OpenAI-compatible endpoint that writes its answers."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from tests.bot.notes import GLACIER, keep
from tests.bot.people import Person
from tests.bot.product import Product
from tests.fakes.openai_server import FakeOpenAI

SILENCE_S = 1.5
"""Patience with the model: the thirty seconds of the settings, shortened."""


@pytest.fixture(scope="package")
async def model_product(start_product: Callable[..., Any]) -> AsyncIterator[Product]:
    """The product with a language model."""
    async with start_product("model", 6, llm={"model": "fake-model", "silence_s": SILENCE_S}) as running:
        yield running


@pytest.fixture
async def product(model_product: Product) -> AsyncIterator[Product]:
    """All of it, before and after each test."""
    assert not model_product.broken()
    yield model_product
    assert not model_product.broken()


@pytest.fixture
def model(product: Product) -> FakeOpenAI:
    """The endpoint, well behaved until a test says otherwise."""
    product.models.reset()
    product.models.token_pause_s = 0
    return product.models


@pytest.fixture
async def reader(anya: Person, model: FakeOpenAI) -> Person:
    """A person who has something to ask about."""
    await keep(anya, GLACIER)
    return anya
