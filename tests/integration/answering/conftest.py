"""Where questions are asked: with a language model over a socket, by someone who has one source."""

import pytest

from core.model.user import Caller
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.household import NOTE, Household


@pytest.fixture
def home(served_household: Household) -> Household:
    return served_household


@pytest.fixture
def model(fake_models: FakeOpenAI) -> FakeOpenAI:
    """The model, without what another test scripted."""
    fake_models.reset()
    return fake_models


@pytest.fixture
async def anya(home: Household) -> Caller:
    """Someone on the free plan with one source."""
    caller = await home.person()
    await home.add(caller, NOTE, title="Заметка")
    return caller
