"""The doctor asks every service that is configured for a tiny piece of its work."""

from __future__ import annotations

import base64
import io
import ssl
import struct
import wave
import zlib
from typing import Any

import httpx2

from core.adapters.openai_client import open_client
from core.adapters.openai_errors import translated_errors
from core.adapters.youtube.readers import scrape_address
from core.settings import Settings
from workers.doctor_trials import Trial, Trouble

ASK_S = 15.0
EXAMPLE = "https://example.com"
"""A page that is always there, for services that fetch pages."""
TELEGRAM = "https://api.telegram.org"
YOUTUBE = "https://www.youtube.com/generate_204"


async def ask_vision(settings: Settings) -> str:
    """Show it a white square."""
    chosen = settings.vision
    if not chosen.configured:
        return ""
    picture = {"url": f"data:image/png;base64,{base64.b64encode(white_square()).decode()}"}
    content: Any = [{"type": "text", "text": "What colour is this?"}, {"type": "image_url", "image_url": picture}]
    async with open_client(chosen.base_url, chosen.api_key.get_secret_value(), silence_s=ASK_S) as client:
        with translated_errors("vision"):
            await client.chat.completions.create(
                model=chosen.model, messages=[{"role": "user", "content": content}], max_tokens=16
            )
    return f"{chosen.model} takes pictures"


async def ask_speech(settings: Settings) -> str:
    """Let it hear a second of silence."""
    chosen = settings.speech
    if not chosen.configured:
        return ""
    async with open_client(chosen.base_url, chosen.api_key.get_secret_value(), silence_s=ASK_S) as client:
        with translated_errors("speech"):
            await client.audio.transcriptions.create(
                file=("silence.wav", a_second_of_silence(), "audio/wav"), model=chosen.model, response_format="json"
            )
    return f"{chosen.model} takes sound"


async def ask_gotenberg(settings: Settings) -> str:
    """Have a text printed."""
    url = settings.gotenberg.url
    if not url:
        return ""
    files = {"files": ("probe.txt", "Проба".encode(), "text/plain")}
    answer = await _ask("POST", f"{url.rstrip('/')}/forms/libreoffice/convert", files=files)
    if not answer.content.startswith(b"%PDF-"):
        raise Trouble("broken-reply")
    return "prints documents"


async def ask_jina(settings: Settings) -> str:
    """Have a page read."""
    chosen = settings.jina
    if not chosen.url:
        return ""
    answer = await _ask("GET", f"{chosen.url.rstrip('/')}/{EXAMPLE}", key=chosen.api_key.get_secret_value())
    if not answer.text.strip():
        raise Trouble("broken-reply")
    return "reads pages"


async def ask_firecrawl(settings: Settings) -> str:
    """Have a page read."""
    chosen = settings.firecrawl
    if not chosen.url:
        return ""
    order = {"url": EXAMPLE, "formats": ["markdown"]}
    answer = await _ask("POST", scrape_address(chosen.url), key=chosen.api_key.get_secret_value(), json=order)
    if not _json(answer).get("success"):
        raise Trouble("broken-reply")
    return "reads pages"


async def ask_proxy(settings: Settings) -> str:
    """Go through it to YouTube, which answers 204 at this address."""
    proxy = settings.youtube.proxy.get_secret_value()
    if not proxy:
        return ""
    ca_file = settings.youtube.ca_file
    try:
        verify: ssl.SSLContext | bool = ssl.create_default_context(cafile=ca_file) if ca_file else True
    except OSError as error:
        raise Trouble("no-ca-file") from error
    answer = await _ask("GET", YOUTUBE, proxy=proxy, verify=verify)
    return f"leads to YouTube ({answer.status_code})"


async def ask_telegram(settings: Settings) -> str:
    """Ask who the bot is, of Telegram or of a Bot API server of one's own."""
    token, chosen = settings.bot.token.get_secret_value(), settings.telegram
    if chosen.local and not chosen.api_url:
        raise Trouble("local-without-url")
    if not token:
        return ""
    answer = _json(await _ask("GET", f"{(chosen.api_url or TELEGRAM).rstrip('/')}/bot{token}/getMe"))
    found = answer.get("result")
    if not answer.get("ok") or not isinstance(found, dict):
        raise Trouble("broken-reply")
    server = "a server of its own" if chosen.api_url else "Telegram"
    return f"@{found.get('username')} at {server}, files of {'2 GB' if chosen.local else '20 MB'}"


SERVICES: dict[tuple[str, str], Trial] = {
    ("model", "vision"): ask_vision,
    ("model", "speech"): ask_speech,
    ("service", "gotenberg"): ask_gotenberg,
    ("service", "jina"): ask_jina,
    ("service", "firecrawl"): ask_firecrawl,
    ("service", "proxy"): ask_proxy,
    ("service", "telegram"): ask_telegram,
}


async def _ask(
    method: str, url: str, *, key: str = "", proxy: str = "", verify: ssl.SSLContext | bool = True, **more: Any
) -> httpx2.Response:
    """Make one request; its address may hold a token, so that nothing of an error is passed on but its kind."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        async with httpx2.AsyncClient(trust_env=False, timeout=ASK_S, proxy=proxy or None, verify=verify) as client:
            answer = await client.request(method, url, headers=headers, **more)
    except httpx2.TimeoutException:
        raise Trouble("timeout") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        raise Trouble(_network(error)) from None
    if answer.status_code >= 400:
        raise Trouble(f"http-{answer.status_code}")
    return answer


def _network(error: Exception) -> str:
    """Name what is wrong on the way."""
    said = str(error)
    if "CERTIFICATE_VERIFY_FAILED" in said:
        return "certificate"
    return "http-407" if "407" in said else "away"


def _json(answer: httpx2.Response) -> dict[str, Any]:
    try:
        found = answer.json()
    except ValueError as error:
        raise Trouble("broken-reply") from error
    return found if isinstance(found, dict) else {}


def white_square(side: int = 32) -> bytes:
    """Draw a PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\xff" * side) * side)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def a_second_of_silence(rate: int = 16_000) -> bytes:
    """Write a WAV."""
    body = io.BytesIO()
    with wave.open(body, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(bytes(2 * rate))
    return body.getvalue()
