"""One way to open the openai client: no proxy from the environment, no retries of its own, bounded waits."""

from __future__ import annotations

import httpx2
import openai
from openai import AsyncOpenAI

CONNECT_S = 10.0
"""A service that does not accept a connection by then is down."""


def open_client(base_url: str, api_key: str, *, silence_s: float, connect_s: float = CONNECT_S) -> AsyncOpenAI:
    """Open a client for an OpenAI-compatible endpoint.

    Args:
        base_url: With its `/v1`.
        api_key: Empty for local servers that want none.
        silence_s: Longest wait for the next byte.
        connect_s: Longest wait for a connection.
    """
    timeout = httpx2.Timeout(silence_s, connect=connect_s)
    http = openai.DefaultAsyncHttpxClient(timeout=timeout, trust_env=False)
    return AsyncOpenAI(
        base_url=base_url,
        api_key=api_key or "none",
        timeout=timeout,
        max_retries=0,
        http_client=http,
    )
