"""What a language model writes arrives as it was meant: checked, whole, untorn."""

from collections.abc import Callable
from typing import Any

from tests.bot.notes import GLACIER, LENGTH, QUESTION, ask, is_answer, is_read, keep
from tests.bot.people import Person, labels, text_of
from tests.fakes import openai_behaviours as fake
from tests.fakes.openai_server import FakeOpenAI


async def test_invented_citations_are_dropped_and_what_they_stood_for_is_marked(
    reader: Person, model: FakeOpenAI
) -> None:
    model.script(fake.streamed(f"{LENGTH} Его открыл Марко Поло в 1271 году. [7] Так говорят. [99]"))
    answer = await ask(reader, QUESTION)
    assert "[7]" not in text_of(answer)
    assert "[99]" not in text_of(answer)
    assert "Марко Поло в 1271 году. ✖" in text_of(answer)
    assert labels(answer) == ["1"]


async def test_t12_a_mention_after_emoji_is_cut_out_of_the_question_and_nothing_else_is(
    anya: Person, make_group: Callable[..., Any], model: FakeOpenAI
) -> None:
    group = await make_group(anya, bot_status="administrator")
    note = await anya.say(GLACIER, group)
    await anya.say("/add", group, reply_to_message_id=note["message_id"])
    await anya.sees(is_read, group)
    asked = await anya.say(f"👩‍👩‍👧‍👦🎓 Эй, @konspekt_sandbox_bot {QUESTION}", group)
    await anya.sees(is_answer, group, after=asked)
    said = [str(message.get("content")) for message in model.requests[-1]["messages"]]
    assert any(f"👩‍👩‍👧‍👦🎓 Эй,  {QUESTION}" in content for content in said)


async def test_t1_a_bold_run_of_5000_characters_arrives_whole_in_parts(reader: Person, model: FakeOpenAI) -> None:
    run = " ".join(f"слово{number}" for number in range(500))
    model.script(fake.streamed(f"**{run}** {LENGTH}"))
    answer = await ask(reader, QUESTION)
    parts = [one for one in reader.from_bot() if "слово" in text_of(one)]
    assert len(parts) == 2
    words = " ".join(text_of(one) for one in parts).split()
    assert [word for word in words if word.startswith("слово")] == run.split()
    assert all(any(entity["type"] == "bold" for entity in one["entities"]) for one in parts)
    assert labels(answer) == ["1"]


async def test_t1_what_looks_like_markup_arrives_as_it_was_written(reader: Person, model: FakeOpenAI) -> None:
    odd = r"Теги <tag> и </b>, знаки & &amp; \ \\ и _*[]()~>#+-=|{}.! остались"
    model.script(fake.streamed(f"`{odd}` {LENGTH}"))
    assert odd in text_of(await ask(reader, QUESTION)).replace(" ✖", "")


async def test_t2_emoji_at_the_limit_are_not_torn(reader: Person, model: FakeOpenAI) -> None:
    text = "слово " * 600 + "🧬" * 50 + "👩‍👩‍👧‍👦" * 20
    model.script(fake.streamed(f"{text} {LENGTH}"))
    await ask(reader, QUESTION)
    shown = "".join(text_of(one) for one in reader.from_bot() if "слово" in text_of(one) or "🧬" in text_of(one))
    assert shown.count("🧬") == 50
    assert shown.count("👩‍👩‍👧‍👦") == 20
    assert shown.count("слово") == 600


async def test_s1_a_nul_and_a_lone_surrogate_in_a_models_answer_are_cleaned(reader: Person, model: FakeOpenAI) -> None:
    model.script(fake.streamed(f"Начало\x00 и \ud83d конец. {LENGTH}"))
    answer = await ask(reader, QUESTION)
    assert "Начало" in text_of(answer)
    assert "\x00" not in text_of(answer)


async def test_s5_all_forms_of_citations_are_understood(reader: Person, model: FakeOpenAI) -> None:
    sentence = "Ледник Федченко длиной семьдесят семь километров лежит на Памире"
    model.script(fake.streamed(f"{sentence} 【1】. {sentence} [^1]. {sentence} [1, 9]."))
    answer = await ask(reader, QUESTION)
    assert text_of(answer).count("[1]") == 3
    assert "9" not in text_of(answer).split("\n")[0]


async def test_s6_a_quote_that_leaves_out_not_is_marked(anya: Person, model: FakeOpenAI) -> None:
    await keep(anya, "Приказ ректора\n\n" + "Студентам не разрешается сдавать экзамен досрочно без заявления. " * 12)
    model.script(fake.streamed("Студентам разрешается сдавать экзамен досрочно без заявления. [1]"))
    asked = await anya.say("Можно ли сдавать экзамен досрочно без заявления?")
    answer = await anya.sees("Студентам разрешается", after=asked)
    assert "✖" in text_of(answer)
