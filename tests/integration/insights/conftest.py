"""Where insights are made: with rules alone, and with a language model over a socket."""

from collections.abc import AsyncIterator

import pytest

from core.adapters.llm.openai_compatible import ChatEndpoint, OpenAICompatible
from core.insights.make_insights import MakeInsights
from tests.fakes.openai_server import FakeOpenAI

SILENCE_S = 0.5


@pytest.fixture
async def model() -> AsyncIterator[FakeOpenAI]:
    """The endpoint, well behaved until a test says otherwise."""
    async with FakeOpenAI() as server:
        yield server


@pytest.fixture
async def make(model: FakeOpenAI) -> AsyncIterator[MakeInsights]:
    """Insights by the real client."""
    client = OpenAICompatible(
        ChatEndpoint(model.url, "fake-model", silence_s=SILENCE_S, connect_s=SILENCE_S, pause_s=0)
    )
    yield MakeInsights(client)
    await client.close()
