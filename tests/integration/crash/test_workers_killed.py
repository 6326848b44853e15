"""SIGKILL of a worker at named points of reading and answering."""

import pytest

from tests.bot.people import until
from tests.integration.crash.house import WORKERS, House, gone
from tests.integration.crash.story import Story

READING = {
    "after the lease": ("light", "after commit sources.lease"),
    "in the middle of extraction": ("light", "running extractor"),
    "after the texts, before the commit": ("light", "called texts.save"),
    "after the commit, before vectors are asked for": ("light", "publishing embed_source"),
    "after some vectors": ("heavy", "after commit vectors.add"),
    "after some vectors, before the commit": ("heavy", "called vectors.add"),
}
ANSWERING = {
    "after the lease": "after commit questions.lease",
    "while the model streams": "before sendMessageDraft",
    "after the answer, before the commit": "called questions.finish",
    "after the commit, before sending": "after commit questions.finish",
}


@pytest.fixture
def staffed(house: House) -> House:
    """The house with all its processes."""
    house.start("bot", *WORKERS)
    return house


@pytest.fixture(scope="module")
async def reader(whole_house: House) -> Story:
    """A person whose lecture has been read."""
    whole_house.start("bot", *WORKERS)
    story = Story(whole_house, await whole_house.newcomer())
    await story.send_lecture()
    await story.is_read()
    await story.all_is_shown()
    return story


@pytest.mark.parametrize("when", READING)
async def test_a_source_survives_the_death_of_its_worker(staffed: House, when: str) -> None:
    role, point = READING[when]
    story = Story(staffed, await staffed.newcomer())
    await staffed.restart(role, point=point)
    await story.send_lecture()
    await staffed.killed(role)
    await until(lambda: gone(staffed.armed.with_suffix(".child")), "the end of the extractor")

    staffed.start(role)

    await story.is_read()
    await story.check_reading()


@pytest.mark.parametrize("when", ANSWERING)
async def test_a_question_survives_the_death_of_its_worker(staffed: House, reader: Story, when: str) -> None:
    await staffed.restart("questions", point=ANSWERING[when])
    asked = await reader.ask(f"Какой груз принимала станция номер {list(ANSWERING).index(when) + 5}?")
    await staffed.killed("questions")

    staffed.start("questions")

    await reader.is_answered(asked["text"])
    await reader.check_answer(asked)
