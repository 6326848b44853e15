"""The one story that is told in every test: a lecture is sent and read, a question is asked and answered."""

from __future__ import annotations

from tests.bot.people import text_of
from tests.integration.crash.house import House

TITLE = "Лекция о канатной дороге"
QUESTION = "Какой груз принимала станция семнадцать?"
SECTIONS = 40
"""Enough for more chunks than are embedded between two commits."""


def lecture() -> bytes:
    """Write sections that differ in their numbers, each about a chunk long."""
    words = (
        "Станция номер {n} принимала груз: {m} вагонов угля за смену. Канат меняли раз в {m} дней, и за этим следил "
        "смотритель участка {n}. Уклон пути на участке составлял {n} метров на версту, а двигатель развивал {m} "
        "лошадиных сил. Журнал станции вели чернилами, и каждая запись заверялась подписью. "
    )
    parts = [f"# Участок {n}\n\n" + "\n\n".join(words.format(n=n, m=n * 10 + k) for k in range(4)) for n in range(SECTIONS)]
    return "\n\n".join(parts).encode()


async def send_lecture(house: House) -> None:
    """Send it."""
    await house.person.send_file(lecture(), f"{TITLE}.md")


async def is_read(house: House) -> None:
    """Wait until it has been read and embedded, and its message says so."""
    await house.eventually("SELECT count(*) = 1 FROM sources WHERE stage = 'done'")


async def ask(house: House) -> None:
    """Ask about it."""
    await house.person.say(QUESTION)


async def is_answered(house: House) -> None:
    """Wait until the question has been answered."""
    await house.eventually("SELECT count(*) = 1 FROM questions WHERE state = 'answered'")


async def nothing_waits(house: House) -> None:
    """Wait until every message is on the screen."""
    await house.eventually("SELECT NOT EXISTS (SELECT FROM outbox WHERE shown_revision < revision)")


async def nothing_lost_or_doubled(house: House, *, answers: int = 1, statuses: int = 1) -> None:
    """Check rows against each other and against the chat, after everything has been done."""
    await nothing_waits(house)
    wrong = [name for name, query in INVARIANTS.items() if not await house.rows.fetchval(query)]
    assert not wrong
    said = [text_of(message) for message in await house.bot_says()]
    assert [sum(TITLE in text and "Прочитано" in text for text in said), sum("[1]" in text for text in said)] == [
        statuses,
        answers,
    ], said
    assert len(said) == 1 + statuses + answers, said  # and the answer to /start


INVARIANTS = {
    "one source, ready": "SELECT array_agg((state, stage)::text) = '{\"(ready,done)\"}' FROM sources",
    "one read of it": "SELECT count(*) = 1 FROM source_texts",
    "chunks as counted": "SELECT count(*) = (SELECT chunk_count FROM sources) AND count(*) > 16 FROM chunks",
    "chunks in a row": "SELECT array_agg(ordinal ORDER BY ordinal) = array_agg(n ORDER BY n) FROM "
    "(SELECT ordinal, (row_number() OVER (ORDER BY ordinal) - 1)::int AS n FROM chunks) AS numbered",
    "postings of these chunks": "SELECT (SELECT array_agg(DISTINCT chunk_id) FROM postings) = "
    "(SELECT array_agg(id ORDER BY id) FROM chunks)",
    "postings as counted": "SELECT sum(tf) = (SELECT term_count FROM sources) FROM postings",
    "a vector a chunk": "SELECT (SELECT array_agg(chunk_id ORDER BY chunk_id) FROM vectors) = "
    "(SELECT array_agg(id ORDER BY id) FROM chunks)",
    "one summary": "SELECT count(*) = 1 FROM insights",
    "one question": "SELECT array_agg(state) = '{answered}' FROM questions",
    "one answer by the model": "SELECT array_agg(model) = '{fake-model}' FROM answers",
    "its citations": "SELECT count(*) > 0 AND count(*) = count(DISTINCT n) FROM citations",
    "one prompt spent": "SELECT array_agg((state, price)::text) = '{\"(spent,1)\"}' FROM prompt_ledger",
    "every update once": "SELECT count(*) = 3 FROM processed_updates",
    "one person and notebook": "SELECT (SELECT count(*) FROM persons) = 1 AND (SELECT count(*) FROM notebooks) = 1",
    "nothing held": "SELECT NOT EXISTS (SELECT FROM sources WHERE lease_owner <> '') AND NOT EXISTS "
    "(SELECT FROM questions WHERE lease_owner <> '') AND NOT EXISTS (SELECT FROM outbox WHERE lease_owner <> '')",
}
"""What is true of the rows when the story is over."""
