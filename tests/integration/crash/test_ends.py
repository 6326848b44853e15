"""SIGTERM in the middle of work, and a Redis that forgot everything: nothing waits, nothing is lost or doubled."""

import pytest
import redis.asyncio

from tests.bot.people import until
from tests.integration.crash.house import WORKERS, House, gone
from tests.integration.crash.story import Story

UNDELIVERED = "SELECT count(*) FROM processed_updates"
LONG = {"worker": {"lease_s": 300.0}}
"""A lease that no test outlives: work goes on only because it was given back."""


@pytest.fixture
async def stories(house: House) -> tuple[Story, Story]:
    """Two persons who talk to a bot without workers."""
    await house.end("bot", *WORKERS)
    return Story(house, await house.newcomer()), Story(house, await house.newcomer())


async def _two_in_flight(house: House, stories: tuple[Story, Story]) -> None:
    """Bring the bot to the middle of two updates, and tell it to end."""
    house.start("bot")
    await house.restart("bot", point="before commit updates.begin", holds=True)
    for story in stories:
        await story.send_lecture()
    await house.held(2)
    house.running["bot"].terminate()


async def _both_had_their_effect_once(house: House, stories: tuple[Story, Story]) -> None:
    house.start("bot", "light")
    for story in stories:
        await story.is_read(stage="embed")
        await story.check_reading(embedded=False)


async def test_t11_a_bot_that_is_told_to_end_finishes_the_updates_it_has(
    house: House, stories: tuple[Story, Story]
) -> None:
    before = await house.rows.fetchval(UNDELIVERED)
    await _two_in_flight(house, stories)
    house.release()
    await house.end("bot")
    assert await house.rows.fetchval(UNDELIVERED) == before + 2

    await _both_had_their_effect_once(house, stories)


async def test_t11_a_bot_that_cannot_finish_in_time_undoes_its_updates_and_they_come_again(
    house: House, stories: tuple[Story, Story]
) -> None:
    before = await house.rows.fetchval(UNDELIVERED)
    await _two_in_flight(house, stories)
    await house.end("bot")
    assert await house.rows.fetchval(UNDELIVERED) == before
    house.release()

    await _both_had_their_effect_once(house, stories)


async def test_a_message_on_its_way_when_the_bot_is_told_to_end_is_not_sent_again(
    house: House, stories: tuple[Story, Story]
) -> None:
    house.start("bot")
    await house.restart("bot", point="after sendMessage", holds=True)
    await stories[0].person.say("/help")
    await house.held()
    house.running["bot"].terminate()
    house.release()
    await house.end("bot")

    house.start("bot")

    await stories[0].all_is_shown()
    assert len(await house.bot_says(stories[0].person)) == 1


@pytest.mark.parametrize(
    ("role", "point"),
    [("light", "running extractor"), ("light", "called texts.save"), ("heavy", "called vectors.add")],
)
async def test_a_source_given_back_at_the_end_of_a_worker_goes_on_at_once(
    house: House, stories: tuple[Story, Story], role: str, point: str
) -> None:
    story = stories[0]
    house.start("bot", *WORKERS, **LONG)
    await house.restart(role, point=point, holds=True, **LONG)
    await story.send_lecture()
    await house.held()
    await house.end(role)
    await until(lambda: gone(house.armed.with_suffix(".child")), "the end of the extractor")
    house.release()

    house.start(role, **LONG)

    await story.is_read()
    await story.check_reading()


async def test_a_question_given_back_at_the_end_of_a_worker_is_answered_at_once(
    house: House, stories: tuple[Story, Story]
) -> None:
    story = stories[0]
    house.start("bot", *WORKERS, **LONG)
    await story.send_lecture()
    await story.is_read()
    await house.restart("questions", point="before sendMessageDraft", holds=True, **LONG)
    asked = await story.ask("Какой груз принимала станция номер 9?")
    await house.held()
    await house.end("questions")
    house.release()

    house.start("questions", **LONG)

    await story.is_answered(asked["text"])
    await story.check_answer(asked)


async def test_work_that_redis_forgot_is_found_by_its_rows(
    house: House, stories: tuple[Story, Story], own_redis: str
) -> None:
    house.start("bot")
    for story in stories:
        await story.send_lecture()
        await story.notebook()
    await house.eventually("SELECT count(*) = 2 FROM sources WHERE state = 'queued'")
    await _forget(own_redis)

    house.start("light")

    for story in stories:
        await story.is_read(stage="embed")
    await _forget(own_redis)  # while a worker serves: the vectors of both are still asked for
    house.start("heavy")
    for story in stories:
        await story.is_read()
        await story.check_reading()


async def _forget(url: str) -> None:
    async with redis.asyncio.Redis.from_url(url) as client:
        await client.flushdb()
