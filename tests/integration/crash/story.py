"""The one story that every test tells: a lecture is sent and read, a question about it is asked and answered."""

from __future__ import annotations

from dataclasses import dataclass

from tests.bot.people import Json, Person
from tests.integration.crash.house import House

TITLE = "Лекция о канатной дороге"
SECTIONS = 20
"""More chunks than are embedded between two commits."""
READ = "Прочитано"


def lecture() -> bytes:
    """Write sections that differ in their numbers, each about a chunk long."""
    words = (
        "Станция номер {n} принимала груз: {m} вагонов угля за смену. Канат меняли раз в {m} дней, и за этим следил "
        "смотритель участка {n}. Уклон пути на участке составлял {n} метров на версту, а двигатель развивал {m} "
        "лошадиных сил. Журнал станции вели чернилами, и каждая запись заверялась подписью. "
    )
    parts = [
        f"# Участок {n}\n\n" + "\n\n".join(words.format(n=n, m=n * 10 + k) for k in range(4)) for n in range(SECTIONS)
    ]
    return "\n\n".join(parts).encode()


@dataclass
class Story:
    """One person's story, with a notebook of their own."""

    house: House
    person: Person

    async def send_lecture(self) -> None:
        """Send it."""
        await self.person.send_file(lecture(), f"{TITLE}.md")

    async def ask(self, text: str) -> Json:
        """Ask about it."""
        return await self.person.say(text)

    async def notebook(self) -> int:
        """The id of the person's notebook."""
        query = "SELECT n.id FROM notebooks n JOIN persons p ON p.id = n.owner_id WHERE p.external_id = $1"
        await self.house.eventually(f"SELECT EXISTS ({query})", self.person.id)
        found = await self.house.rows.fetch(query, self.person.id)
        assert len(found) == 1
        return int(found[0]["id"])

    async def is_read(self, *, stage: str = "done") -> None:
        """Wait until the lecture has been read, and embedded unless another stage is enough."""
        query = "SELECT bool_and(stage = $2) FROM sources WHERE notebook_id = $1"
        await self.house.eventually(query, await self.notebook(), stage)

    async def is_answered(self, text: str) -> None:
        """Wait until a question is over."""
        query = (
            "SELECT bool_and(state NOT IN ('queued', 'running')) FROM questions WHERE notebook_id = $1 AND text = $2"
        )
        await self.house.eventually(query, await self.notebook(), text)

    async def all_is_shown(self) -> None:
        """Wait until every message is on the screen."""
        due = "FROM outbox WHERE dropped = '' AND shown_revision < revision OR lease_until IS NOT NULL"
        await self.house.eventually(f"SELECT NOT EXISTS (SELECT {due})")

    async def check_reading(self, *, statuses: int = 1, embedded: bool = True) -> None:
        """Check the rows of the lecture against each other and its message in the chat."""
        await self.all_is_shown()
        await self._check({**READING, **(EMBEDDED if embedded else {})}, await self.notebook())
        said = await self.house.bot_says(self.person)
        assert len([text for text in said if TITLE in text]) == statuses, said
        assert sum(READ in text for text in said) == 1, said

    async def check_answer(self, asked: Json) -> None:
        """Check the rows of a question against each other and its one answer in the chat."""
        await self.all_is_shown()
        await self._check(ANSWERED, await self.notebook(), asked["text"])
        said = await self.house.bot_says(self.person, after=asked)
        assert len(said) == 1, said
        assert "[1]" in said[0]

    async def _check(self, invariants: dict[str, str], *given: object) -> None:
        wrong = [name for name, query in invariants.items() if not await self.house.rows.fetchval(query, *given)]
        assert not wrong


_OF = "WHERE notebook_id = $1"
READING = {
    "one source, well": f"SELECT array_agg(state) = '{{ready}}' FROM sources {_OF}",
    "its text once": f"SELECT count(*) = 1 FROM source_texts {_OF}",
    "chunks as counted": f"SELECT count(*) = (SELECT chunk_count FROM sources {_OF}) AND count(*) > 16 "
    f"FROM chunks {_OF}",
    "chunks in a row": "SELECT array_agg(ordinal ORDER BY ordinal) = array_agg(n ORDER BY n) FROM (SELECT ordinal, "
    f"(row_number() OVER (ORDER BY ordinal) - 1)::int AS n FROM chunks {_OF}) AS numbered",
    "postings of these chunks": f"SELECT (SELECT array_agg(DISTINCT chunk_id) FROM postings {_OF}) = "
    f"(SELECT array_agg(id ORDER BY id) FROM chunks {_OF})",
    "postings as counted": f"SELECT sum(tf) = (SELECT term_count FROM sources {_OF}) FROM postings {_OF}",
    "nobody holds it": f"SELECT bool_and(lease_owner = '' AND lease_until IS NULL) FROM sources {_OF}",
}
EMBEDDED = {
    "done": f"SELECT bool_and(stage = 'done') FROM sources {_OF}",
    "a vector a chunk": f"SELECT (SELECT array_agg(chunk_id ORDER BY chunk_id) FROM vectors {_OF}) = "
    f"(SELECT array_agg(id ORDER BY id) FROM chunks {_OF})",
    "progress as done": f"SELECT bool_and(progress_done = chunk_count) FROM sources {_OF}",
    "one summary": f"SELECT count(*) = 1 FROM insights {_OF} AND kind = 'summary'",
}
_ASKED = f"(SELECT id FROM questions {_OF} AND text = $2)"
ANSWERED = {
    "one question": f"SELECT array_agg(state) = '{{answered}}' FROM questions {_OF} AND text = $2",
    "nobody holds it": f"SELECT bool_and(lease_owner = '' AND lease_until IS NULL) FROM questions {_OF} AND text = $2",
    "one answer, the model's": f"SELECT array_agg(model) = '{{fake-model}}' FROM answers WHERE question_id IN {_ASKED}",
    "its citations": "SELECT count(*) > 0 AND count(*) = count(DISTINCT n) FROM citations WHERE answer_id IN "
    f"(SELECT id FROM answers WHERE question_id IN {_ASKED})",
    "one prompt spent": "SELECT count(*) = 1 AND bool_and(state = 'spent' AND price = 1) FROM prompt_ledger "
    f"WHERE reference IN (SELECT 'answer:' || id FROM questions {_OF} AND text = $2)",
}
"""What is true of the rows when all is over; $1 is the notebook, $2 the question."""
