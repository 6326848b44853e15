"""The database goes away for a while: updates, work and what Telegram answered wait for it."""

from collections.abc import AsyncIterator

import pytest

from tests.bot.people import until
from tests.integration.crash.cable import Cable, cable
from tests.integration.crash.house import WORKERS, House
from tests.integration.crash.story import Story


@pytest.fixture
async def line(house: House) -> AsyncIterator[Cable]:
    """The cable of every process; the test's own connection does without."""
    url = house.groups["database"]["url"]
    async with cable(url, house.folder) as laid:
        house.groups["database"] = {**house.groups["database"], "url": laid.url}
        yield laid
        house.close()
    house.groups["database"] = {**house.groups["database"], "url": url}


@pytest.fixture
async def story(house: House, line: Cable) -> Story:
    """A person who talks to a bot behind the cable."""
    house.start("bot")
    return Story(house, await house.newcomer())


async def test_updates_wait_for_the_database(house: House, line: Cable, story: Story) -> None:
    await house.restart("bot")
    await line.pull_out()
    await story.send_lecture()
    await until(lambda: _said(house, "update_waits"), "an update that waits")

    await line.plug_in()

    house.start("light")
    await story.is_read(stage="embed")
    await story.check_reading(embedded=False)


async def test_an_update_whose_transaction_is_cut_is_made_again(house: House, line: Cable, story: Story) -> None:
    await house.restart("bot", point="called sources.add", holds=True)
    await story.send_lecture()
    await house.held()
    await line.pull_out()
    await line.plug_in()
    house.release()

    house.start("light")
    await story.is_read(stage="embed")
    await story.check_reading(embedded=False)


async def test_a_message_is_not_repeated_when_the_database_is_away_after_telegrams_answer(
    house: House, line: Cable, story: Story
) -> None:
    await house.restart("bot", point="after sendMessage", holds=True)
    await story.person.say("/help")
    await house.held()
    await line.pull_out()
    house.release()
    await until(lambda: _said(house, "outbox_away"), "a sender that waits")

    await line.plug_in()

    await story.all_is_shown()
    assert len(await house.bot_says(story.person)) == 1


@pytest.mark.parametrize("point", ["running extractor", "called texts.save"])
async def test_reading_goes_on_after_the_database_came_back(
    house: House, line: Cable, story: Story, point: str
) -> None:
    house.start(*WORKERS)
    await house.restart("light", point=point, holds=True)
    await story.send_lecture()
    await house.held()
    await line.pull_out()
    await line.plug_in()
    house.release()

    await story.is_read()
    await story.check_reading()


async def _said(house: House, word: str) -> bool:
    return word in house.log("bot")
