"""The use-cases over one database for many tests: every test brings people of its own."""

from collections.abc import AsyncIterator
from itertools import count

import pytest

from core.adapters.embedded_services import EmbeddedServices
from core.model.user import Caller
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.household import Household, household

_groups = count(-1000, -1)


@pytest.fixture(scope="package")
async def fake_models() -> AsyncIterator[FakeOpenAI]:
    """The endpoint of embeddings and, where one is configured, of the language model."""
    async with FakeOpenAI() as server:
        yield server


@pytest.fixture(scope="package")
async def plain_household(
    database_url: str, services: EmbeddedServices, fake_models: FakeOpenAI, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Household]:
    """The use-cases without a language model."""
    embedding = {"base_url": fake_models.url, "model": "fake-embeddings"}
    folder = tmp_path_factory.mktemp("plain")
    async with household(database_url, services.redis_url, folder, embedding=embedding) as wired:
        yield wired


@pytest.fixture(scope="package")
async def served_household(
    database_url: str, services: EmbeddedServices, fake_models: FakeOpenAI, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Household]:
    """The use-cases with a language model."""
    groups = {
        "embedding": {"base_url": fake_models.url, "model": "fake-embeddings"},
        "llm": {"base_url": fake_models.url, "model": "fake-model"},
    }
    folder = tmp_path_factory.mktemp("served")
    async with household(database_url, services.redis_url, folder, **groups) as wired:
        yield wired


@pytest.fixture
def home(plain_household: Household) -> Household:
    """Where a test lives; modules about the language model choose the other one."""
    return plain_household


@pytest.fixture
async def anya(home: Household) -> Caller:
    """Someone new."""
    return await home.person()


@pytest.fixture
async def boris(home: Household) -> Caller:
    """A stranger to Anya."""
    return await home.person()


@pytest.fixture
def group() -> int:
    """The outside id of a new group."""
    return next(_groups)
