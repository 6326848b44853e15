"""A tap on a citation shows the passage in its surroundings."""

import re
from dataclasses import dataclass

from core.errors import UserError
from core.library.access import allowed_notebook
from core.model.answer import Citation
from core.model.ids import AnswerId
from core.model.user import Caller
from core.ports import Transactions

AROUND = 400
"""Characters of text shown on either side of the quote: about a screen of a phone in all."""

_FIRST_WORD = re.compile(r"\A\S*\s+(?=\S)")
_LAST_WORD = re.compile(r"(?<=\S)\s+\S*\Z")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A citation with its surroundings.

    Attributes:
        before, quote, after: Adjoining pieces of the source's clean text; only `quote` (the snapshot) is left when
            the source is gone.
        exists: The source still stands in the version that was cited.
        count: Citations of the answer, numbered from 1.
        message_link: The face's reference to the forwarded message that holds the words; "" for files.
    """

    citation: Citation
    before: str
    quote: str
    after: str
    exists: bool
    count: int
    message_link: str = ""


@dataclass(frozen=True, slots=True)
class ShowEvidence:
    """Load a citation for a person who may read its notebook."""

    transactions: Transactions

    async def __call__(self, caller: Caller, answer_id: AnswerId, n: int) -> Evidence:
        """Return the passage in its surroundings.

        Raises:
            UserError: `citation-gone` when there is none, or its notebook is not the caller's.
        """
        async with self.transactions() as tx:
            found = await tx.questions.citation(answer_id, n)
            if found is None:
                raise UserError("citation-gone")
            notebook_id, citation, exists = found
            await allowed_notebook(tx, caller, notebook_id)
            count = await tx.questions.citation_count(answer_id)
            if not exists:
                return Evidence(citation, "", citation.quote, "", False, count)
            source = await tx.sources.get(notebook_id, citation.source_id)
            start, end = citation.start, citation.end
            before = await tx.texts.slice(notebook_id, citation.source_id, max(0, start - AROUND), start)
            after = await tx.texts.slice(notebook_id, citation.source_id, end, end + AROUND + 1)  # one more: is it cut?
            message = source.origin.message if source else ""
            return Evidence(
                citation, _from_word(before, start > AROUND), citation.quote, _to_word(after), True, count, message
            )


def _from_word(text: str, cut: bool) -> str:
    """Begin at a word when the beginning was cut off; a text without spaces stays as it is."""
    return "…" + _FIRST_WORD.sub("", text, count=1) if cut else text


def _to_word(text: str) -> str:
    """End at a word when the end was cut off; a text without spaces stays as it is."""
    return text if len(text) <= AROUND else _LAST_WORD.sub("", text[:AROUND], count=1) + "…"
