"""Errors in the Bot API's own words, and the sandbox API's own errors."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """A refusal that the bot receives as `{"ok": false, ...}`.

    Attributes:
        code: HTTP status and `error_code`.
        description: Telegram's text, prefix included ("Bad Request: chat not found").
        parameters: `ResponseParameters` such as `retry_after`, or empty.
    """

    def __init__(self, code: int, description: str, parameters: dict[str, Any] | None = None) -> None:
        super().__init__(code, description, parameters)
        self.code = code
        self.description = description
        self.parameters = parameters or {}

    def answer(self) -> dict[str, Any]:
        """Return the JSON body of the refusal."""
        body: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            body["parameters"] = self.parameters
        return body


class SandboxError(Exception):
    """A refusal of the sandbox API: a sentence and a status 4xx."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence, status)
        self.sentence = sentence
        self.status = status


def bad_request(text: str) -> ApiError:
    """Build a 400 as the Bot API server words it: a plain sentence gets a small first letter, a CODE stays."""
    is_code = len(text) > 1 and (text[1] == "_" or text[1].isupper())
    return ApiError(400, "Bad Request: " + (text if is_code else text[:1].lower() + text[1:]))


def forbidden(text: str) -> ApiError:
    """Build a 403."""
    return ApiError(403, f"Forbidden: {text}")


def conflict(text: str) -> ApiError:
    """Build a 409."""
    return ApiError(409, f"Conflict: {text}")
