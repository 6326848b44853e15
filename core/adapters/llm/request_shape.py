"""What an endpoint understands: requests begin with everything and lose what it complains about."""

from __future__ import annotations

import re
from typing import Any

import openai

from core.adapters.openai_errors import error_text

_TOOLS = re.compile(r"\btools?\b|tool[_ -]?(?:choice|call|use)|function[_ -]?call", re.IGNORECASE)
_NOT_ABOUT_SHAPE = frozenset({401, 402, 403, 429})


class RequestShape:
    """Builds requests for one endpoint and remembers what it refused.

    Attributes:
        tools: Whether the endpoint takes tools, as far as known.
    """

    def __init__(self, model: str, temperature: float) -> None:
        self.tools = True
        self._model = model
        self._temperature: float | None = temperature
        self._limit_name = "max_tokens"

    def request(self, messages: list[dict[str, Any]], tools: dict[str, Any], max_tokens: int) -> dict[str, Any]:
        """Put a request together."""
        request: dict[str, Any] = {"model": self._model, "messages": messages, self._limit_name: max_tokens}
        if self._temperature is not None:
            request["temperature"] = self._temperature
        return {**request, **tools} if self.tools else request

    def learn(self, error: openai.APIStatusError, request: dict[str, Any]) -> bool:
        """Look whether the error complains about something that can be left out; True: ask again without it."""
        said = error_text(error)
        if error.status_code in _NOT_ABOUT_SHAPE:
            return False
        if "tools" in request and _TOOLS.search(said):
            self.tools = False
        elif "max_tokens" in request and "max_completion_tokens" in said:
            self._limit_name = "max_completion_tokens"
        elif "temperature" in request and "temperature" in said:
            self._temperature = None
        else:
            return False
        return True
