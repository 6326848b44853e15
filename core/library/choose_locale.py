"""A person chooses the language of the interface."""

from dataclasses import dataclass

from core.errors import UserError
from core.model.user import Caller
from core.ports import Transactions

LOCALES = ("ru", "en")


@dataclass(frozen=True, slots=True)
class ChooseLocale:
    """Remember the choice, over what the messenger says."""

    transactions: Transactions

    async def __call__(self, caller: Caller, locale: str) -> str:
        """Return the locale now in force."""
        if caller.person is None or locale not in LOCALES:
            raise UserError("person-needed")
        async with self.transactions() as tx:
            await tx.people.choose_locale(caller.person.id, locale)
        return locale
