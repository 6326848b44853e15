"""Every error the product raises on purpose, sorted by who must act.

    KonspektError
    ├── UserError         the user acts: shown in their language, logged at INFO
    ├── TransientError    time acts: the work is retried, logged at WARNING
    │   └── RateLimited   as above, and the service said how long to wait
    └── PermanentError    nobody can act: the work fails, the user is told, logged at ERROR

Anything else is a bug and reaches the outermost boundary. Errors carry a `text_key` (a message id of the
locales) and its arguments, never a sentence. The arguments go through `Exception.args`, so that an error can
be pickled on its way out of a child process.
"""

from __future__ import annotations


class KonspektError(Exception):
    """The root of the tree: a text key and the values its text needs.

    Args:
        text_key: Id of a message in `bot/locales`.
        values: Arguments of that message: numbers, names, never prose.
    """

    def __init__(self, text_key: str, values: dict[str, str | int] | None = None) -> None:
        super().__init__(text_key, values)
        self.text_key = text_key
        self.values: dict[str, str | int] = values or {}

    def __str__(self) -> str:
        return f"{self.text_key} {self.values}" if self.values else self.text_key


class UserError(KonspektError):
    """The user can put it right: a limit, a wrong file, a missing right."""


class TransientError(KonspektError):
    """The same call may work later: a network, a busy service, a lost connection."""


class RateLimited(TransientError):
    """The service asked to wait.

    Args:
        retry_after_s: Seconds until it may be asked again.
    """

    def __init__(self, text_key: str, values: dict[str, str | int] | None = None, retry_after_s: float = 1.0) -> None:
        super().__init__(text_key, values)
        self.args = (text_key, values, retry_after_s)
        self.retry_after_s = retry_after_s


class PermanentError(KonspektError):
    """No retry and no user can help: the input or the configuration is beyond repair."""
