"""A person taps a suggested question."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import UserError
from core.library.access import allowed_notebook
from core.model.ids import NotebookId, SourceId
from core.model.insight import QUESTIONS, questions_of
from core.model.user import Caller
from core.ports import Transaction, Transactions


@dataclass(frozen=True, slots=True)
class TakeSuggestion:
    """Find the words of a suggested question that is to be asked now.

    Call it in the transaction that asks: the chat is held until then, so that two taps ask once.
    """

    transactions: Transactions

    async def __call__(self, caller: Caller, notebook_id: NotebookId, source_id: SourceId, ordinal: int) -> str | None:
        """Return the question, or None while the same one of this person is being answered in this chat or topic.

        Raises:
            UserError: `suggestion-gone` when its source or the question is not there any more; `notebook-gone`.
        """
        async with self.transactions() as tx:
            await allowed_notebook(tx, caller, notebook_id)
            stored = await tx.insights.of_kind(notebook_id, [source_id], QUESTIONS)
            questions = questions_of(stored.get(source_id, ""))
            if not 0 <= ordinal < len(questions):
                raise UserError("suggestion-gone")
            await tx.people.lock_chat(caller.chat.id)
            if await _is_asked(tx, caller, notebook_id, questions[ordinal]):
                return None
            return questions[ordinal]


async def _is_asked(tx: Transaction, caller: Caller, notebook_id: NotebookId, words: str) -> bool:
    person_id = caller.person.id if caller.person else None
    return any(
        question.text == words
        and question.chat_id == caller.chat.id
        and question.thread_id == caller.thread_id
        and question.person_id == person_id
        for question in await tx.questions.open_of(notebook_id)
    )
