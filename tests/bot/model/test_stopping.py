"""An answer that is being written can be stopped, by who asked."""

from tests.bot.notes import GLACIER, LENGTH, QUESTION, is_answer, is_read
from tests.bot.people import Person, labels, text_of
from tests.fakes import openai_behaviours as fake
from tests.fakes.openai_server import FakeOpenAI


async def test_a_stopped_answer_keeps_what_was_written_and_its_citations(reader: Person, model: FakeOpenAI) -> None:
    model.token_pause_s = 0.05
    model.script(fake.streamed(f"{LENGTH} " + "И ещё одно предложение о леднике. " * 100))
    asked = await reader.say(QUESTION)
    await reader.wait_for(lambda: any("[1]" in draft for draft in reader.drafts()), "a draft")
    await reader.stop_draft()
    answer = await reader.sees("Ответ обрывается здесь", after=asked)
    assert text_of(answer).startswith(LENGTH)
    assert len(text_of(answer)) < 2500
    assert labels(answer) == ["1"]


async def test_a_stopped_draft_leaves_the_persons_language_as_it_was(meet, model: FakeOpenAI) -> None:
    kate = await meet("Kate", "en")
    await kate.say(GLACIER)
    await kate.sees(is_read)
    model.token_pause_s = 0.05
    model.script(fake.streamed("A long answer that goes on. " * 100))
    await kate.say("How long is the glacier?")
    await kate.wait_for(kate.drafts, "a draft")
    await kate.stop_draft()
    await kate.sees("The answer breaks off here")
    await kate.say("/sources")
    await kate.sees("1 source")


async def test_in_a_group_an_answer_grows_by_edits_and_only_the_asker_stops_it(
    meet, make_group, model: FakeOpenAI
) -> None:
    anya, boris = await meet("Аня"), await meet("Борис")
    group = await make_group(anya, boris)
    note = await anya.say(GLACIER, group)
    await anya.say("/add", group, reply_to_message_id=note["message_id"])
    await anya.sees(is_read, group)
    model.token_pause_s = 0.05
    model.script(fake.streamed(f"{LENGTH} " + "И ещё одно предложение о леднике. " * 100))
    asked = await anya.say(f"/ask {QUESTION}", group)
    growing = await anya.sees(lambda message: "Остановить" in labels(message), group, after=asked)
    assert (await boris.tap("Остановить", growing))["text"] == "Останавливать уже нечего."
    assert (await anya.tap("Остановить", growing))["text"] == "Остановлено."
    answer = await anya.sees("Ответ обрывается здесь", group)
    assert answer["message_id"] == growing["message_id"]
    assert answer["reply_to_message"]["message_id"] == asked["message_id"]


async def test_a_private_draft_cannot_be_stopped_by_another_person(meet, reader: Person, model: FakeOpenAI) -> None:
    thief = await meet("Фома")
    await thief.say("/start")
    shown = await thief.sees("Пришлите лекцию")
    model.token_pause_s = 0.05
    model.script(fake.streamed(f"{LENGTH} " + "И ещё одно предложение. " * 12))
    await reader.say(QUESTION)
    await reader.wait_for(reader.drafts, "a draft")
    draft_id = next(event["draft_id"] for event in reader.events if event["type"] == "draft")
    assert (await thief.forge(shown, f"stop:{draft_id}"))["text"] == "Останавливать уже нечего."
    answer = await reader.sees(is_answer)
    assert "обрывается" not in text_of(answer)
