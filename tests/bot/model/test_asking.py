"""A language model answers: searched, streamed, cited, tried again, paid for."""

from itertools import pairwise

import pytest

from core.billing.plans import PLANS
from core.billing.quota import Request
from core.model.ids import PersonId
from core.model.plan import PlanName
from core.wiring import open_plumbing, utc_now
from tests.bot.notes import LENGTH, QUESTION, ask, is_answer
from tests.bot.people import Person, labels, text_of
from tests.bot.product import Product
from tests.fakes import openai_behaviours as fake
from tests.fakes.openai_server import FakeOpenAI


async def test_the_main_path_with_a_model_searches_writes_and_cites(reader: Person, model: FakeOpenAI) -> None:
    answer = await ask(reader, QUESTION)
    assert "семьдесят семь километров" in text_of(answer)
    assert "выдержки" not in text_of(answer)
    assert [message["role"] for message in model.requests[-1]["messages"]].count("tool") == 1
    await reader.tap("1", answer)
    passage = await reader.sees("[1] Дневник экспедиции", after=answer)
    assert "семьдесят семь" in text_of(passage)


async def test_an_answer_streams_as_drafts_that_the_final_message_replaces(reader: Person, model: FakeOpenAI) -> None:
    model.token_pause_s = 0.06
    model.script(fake.streamed(f"{LENGTH} " * 6))
    answer = await ask(reader, QUESTION)
    drafts = reader.drafts()
    assert len(drafts) >= 2
    assert all(later.startswith(earlier.rstrip(" …")[:20]) for earlier, later in pairwise(drafts))
    assert len(drafts[-1]) > len(drafts[0])
    assert text_of(answer).startswith("Ледник Федченко длиной")
    assert [event["type"] for event in reader.events if event["type"].startswith("draft")][-1] == "draft_end"


async def test_t8_a_person_sees_typing_while_a_silent_model_is_waited_for(reader: Person, model: FakeOpenAI) -> None:
    model.script(fake.silent(30))
    asked = await reader.say(QUESTION)
    await reader.wait_for(lambda: [one for one in reader.events if one["type"] == "chat_action"], "typing")
    assert not [one for one in reader.from_bot() if one["message_id"] > asked["message_id"]]
    answer = await reader.sees(is_answer, after=asked)
    assert "семьдесят семь" in text_of(answer)


@pytest.mark.parametrize(
    "failures",
    [[fake.dropped("Ледник Федченко ")], [fake.refused_connection()] * 2, [fake.rate_limited(1)],
     [fake.silent(30, "Лед")], [fake.broken(502)] * 2, [fake.malformed()]],
    ids=["dropped", "refused", "429", "silence", "502", "malformed"],
)  # fmt: skip
async def test_a_model_that_failed_is_asked_again_and_one_answer_comes(
    reader: Person, model: FakeOpenAI, failures: list[fake.Behaviour]
) -> None:
    model.script(*failures)  # two where the client itself tries once more
    asked = await reader.say(QUESTION)
    answer = await reader.sees(is_answer, after=asked)
    assert "семьдесят семь" in text_of(answer)
    assert "Остался 19" in text_of(answer).replace("Осталось 19", "Остался 19")
    assert len([one for one in reader.from_bot() if one["message_id"] > asked["message_id"]]) == 1


async def test_a_model_that_refuses_its_key_leaves_the_person_with_passages_and_costs_nothing(
    reader: Person, model: FakeOpenAI
) -> None:
    model.script(fake.error(401, "Incorrect API key", "invalid_api_key"))
    answer = await ask(reader, QUESTION)
    assert "семьдесят семь" in text_of(answer)
    assert "Запрос не потрачен" in text_of(answer)
    assert "Incorrect" not in text_of(answer)
    assert "Осталось 19 запросов" in text_of(await ask(reader, "Кто измерил скорость движения льда?"))


async def test_what_the_sources_do_not_hold_is_refused_without_a_list_of_sources(
    reader: Person, model: FakeOpenAI
) -> None:
    model.script(fake.refusal())
    asked = await reader.say("Сколько стоит билет в Берлин?")
    refusal = await reader.sees("Ответа на это в блокноте нет", after=asked)
    assert labels(refusal) == []
    assert "Дневник" not in text_of(refusal)


async def test_after_the_last_prompt_answers_go_on_without_the_model(
    reader: Person, model: FakeOpenAI, product: Product
) -> None:
    await _spend(product, reader, PLANS[PlanName.FREE].prompts - 1)
    last = await ask(reader, QUESTION)
    assert "Запросов больше нет" in text_of(last)
    asked_model = len(model.requests)
    beyond = await ask(reader, "Кто измерил скорость движения льда?")
    assert "Корженевский" in text_of(beyond)
    assert "Запросы закончились" in text_of(beyond)
    assert len(model.requests) == asked_model


async def test_a_follow_up_question_is_asked_with_the_conversation_until_it_begins_anew(
    reader: Person, model: FakeOpenAI
) -> None:
    await ask(reader, QUESTION)
    await ask(reader, "А кто измерил скорость льда?")
    assert any(QUESTION in str(message) for message in model.requests[-1]["messages"])
    await reader.say("/new")
    await reader.sees("Разговор начат заново")
    await ask(reader, "Кто построил обсерваторию имени Горбунова?")
    assert not any(QUESTION in str(message) for message in model.requests[-1]["messages"])


async def test_privacy_names_the_model_and_where_it_lives(reader: Person) -> None:
    await reader.say("/privacy")
    await reader.sees("fake-model (127.0.0.1)")


async def test_a_quoted_fragment_goes_along_with_the_words_about_it(reader: Person, model: FakeOpenAI) -> None:
    answer = await ask(reader, QUESTION)
    more = {"reply_to_message_id": answer["message_id"], "quote": "семьдесят семь километров"}
    await ask(reader, "объясни", **more)
    said = [str(message.get("content")) for message in model.requests[-1]["messages"]]
    assert any("семьдесят семь километров\n\nобъясни" in content for content in said)


async def _spend(product: Product, person: Person, prompts: int) -> None:
    """Take prompts from a person's account, as questions do."""
    plumbing = open_plumbing(product.settings)
    try:
        async with plumbing.transactions() as tx:
            known = await tx.people.find_person(42, person.id)
            assert known is not None
            for number in range(prompts):
                reference = f"spent:{person.id}:{number}"
                await tx.ledger.reserve(PersonId(known.id), Request.ANSWER, 1, reference, now=utc_now())
                await tx.ledger.spend(reference)
    finally:
        await plumbing.close()
