"""SIGKILL of a worker at named points of reading and answering."""

from pathlib import Path

import psutil
import pytest

from core.jobs import QueueName
from tests.bot.people import until
from tests.integration.crash import story
from tests.integration.crash.house import House

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


@pytest.mark.parametrize("when", READING)
async def test_a_source_survives_the_death_of_its_worker(house: House, when: str) -> None:
    role, point = READING[when]
    house.arm()
    house.start("bot", *(queue for queue in QueueName if queue != role))
    house.start(role, point=point)
    await house.person.say("/start")
    await story.send_lecture(house)
    await house.killed(role)
    await until(lambda: _gone(house.armed.with_suffix(".child")), "the end of the extractor")

    house.start(role)
    await story.is_read(house)

    await story.ask(house)
    await story.is_answered(house)
    await story.nothing_lost_or_doubled(house)


@pytest.mark.parametrize("when", ANSWERING)
async def test_a_question_survives_the_death_of_its_worker(house: House, when: str) -> None:
    house.start("bot", "light", "heavy")
    await house.person.say("/start")
    await story.send_lecture(house)
    await story.is_read(house)
    house.arm()
    house.start("questions", point=ANSWERING[when])
    await story.ask(house)
    await house.killed("questions")

    house.start("questions")

    await story.is_answered(house)
    await story.nothing_lost_or_doubled(house)


async def _gone(told: Path) -> bool:
    """Whether no extractor runs whose number stands in a file."""
    if not told.exists():
        return True
    child = int(told.read_text())
    return not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE
