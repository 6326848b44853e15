"""SIGKILL of the bot at named points of an update and of a message.

No worker runs until the bot has come back: it could send what the bot was about to.
"""

import pytest

from tests.bot.people import Json, buttons, until
from tests.integration.crash.house import WORKERS, House
from tests.integration.crash.story import Story

RECEIVING = {
    "before the transaction": "opening transaction",
    "after the rows, before the commit": "before commit sources.add",
    "after the commit, before the job is published": "publishing ingest_source",
    "before the message is sent": "before sendMessage",
}
ASKING = {
    "after the rows, before the commit": "before commit questions.add",
    "after the commit, before the job is published": "publishing answer_question",
}


@pytest.fixture
async def story(house: House) -> Story:
    """A person who talks to a bot without workers."""
    await house.end(*WORKERS)
    return Story(house, await house.newcomer())


async def _kill_while_a_lecture_comes(story: Story, point: str) -> None:
    await story.house.restart("bot", point=point)
    await story.send_lecture()
    await story.house.killed("bot")
    story.house.start("bot", "light")
    await story.is_read(stage="embed")


@pytest.mark.parametrize("when", RECEIVING)
async def test_a_source_survives_the_death_of_the_bot(story: Story, when: str) -> None:
    await _kill_while_a_lecture_comes(story, RECEIVING[when])

    await story.check_reading(embedded=False)


async def test_only_a_death_between_telegrams_answer_and_the_commit_repeats_a_message(story: Story) -> None:
    await _kill_while_a_lecture_comes(story, "after sendMessage")

    await story.check_reading(statuses=2, embedded=False)


async def test_an_edit_may_be_repeated_without_a_trace(story: Story) -> None:
    person, house = story.person, story.house
    await house.restart("bot", point="after editMessageText")
    await person.say("/language")
    offered = await until(lambda: _offer(story), "the languages")
    await person.press(offered, buttons(offered)[1]["callback_data"], wait=False)
    await house.killed("bot")

    house.start("bot")

    await story.all_is_shown()
    assert await house.bot_says(person) == ["English from now on."]


@pytest.mark.parametrize("when", ASKING)
async def test_a_question_survives_the_death_of_the_bot(story: Story, when: str) -> None:
    house, text = story.house, "Сколько вагонов принимала станция номер 7?"
    house.start("bot")
    await story.send_lecture()
    await house.eventually("SELECT count(*) = 1 FROM sources WHERE notebook_id = $1", await story.notebook())
    await house.restart("bot", point=ASKING[when])
    asked = await story.ask(text)
    await house.killed("bot")

    house.start("bot", "questions")

    await story.is_answered(text)
    await story.all_is_shown()
    assert len(await house.bot_says(story.person, after=asked)) == 1
    # nothing was read yet, so no model was asked
    taken = "FROM prompt_ledger l JOIN persons p ON p.id = l.person_id WHERE p.external_id = $1"
    assert await house.rows.fetchval(f"SELECT array_agg(state) = '{{returned}}' {taken}", story.person.id)


async def _offer(story: Story) -> Json | None:
    """The bot's message with buttons, once it is there."""
    chat = story.person.id
    messages = await story.house.telegram.call("GET", f"/users/{chat}/chats/{chat}/messages")
    return next((message for message in messages if buttons(message)), None)
