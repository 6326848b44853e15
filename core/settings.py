"""Settings: read once a process from the environment and `.env`, frozen, unknown keys refused.

A variable is `GROUP_NAME`: `LLM_BASE_URL` is `settings.llm.base_url`. `.env.example` explains every one.
An empty `url` means: use the embedded service.
"""

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

PLAIN_POSTGRES = re.compile(r"^postgres(ql)?://")


class Group(BaseModel):
    """A frozen group of settings that refuses what it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class BotSettings(Group):
    """`BOT_…`: without a token the bot serves the local chat page."""

    token: SecretStr = SecretStr("")


class TelegramSettings(Group):
    """`TELEGRAM_…`: another Bot API server than Telegram's own."""

    api_url: str = ""
    local: bool = False  # a local Bot API server in local mode: no 20 MB limit
    api_id: str = ""  # this and the next one are for the local Bot API server of docker-compose.yml
    api_hash: SecretStr = SecretStr("")


class DatabaseSettings(Group):
    """`DATABASE_…`."""

    url: SecretStr = SecretStr("")
    password: SecretStr = SecretStr("")  # put into a URL that has none, whatever characters it has
    pool_size: int = 10

    @model_validator(mode="before")
    @classmethod
    def _complete_the_url(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Accept the usual `postgres://…`, which does not say how Python shall talk to it, and add the password."""
        url, password = _revealed(given.get("url")), _revealed(given.get("password"))
        parts = urlsplit(PLAIN_POSTGRES.sub("postgresql+asyncpg://", url))
        if password and parts.username and parts.password is None:
            user, _, host = parts.netloc.rpartition("@")
            parts = parts._replace(netloc=f"{user}:{quote(password, safe='')}@{host}")
        return {**given, "url": parts.geturl()} if url else given


def _revealed(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value or "")


class RedisSettings(Group):
    """`REDIS_…`."""

    url: SecretStr = SecretStr("")


class LlmSettings(Group):
    """`LLM_…`: an OpenAI-compatible chat endpoint; without a base URL and model answers are extractive."""

    base_url: str = ""
    api_key: SecretStr = SecretStr("")
    model: str = ""
    window_tokens: int = 128_000
    silence_s: float = 30.0  # between two pieces of a stream

    @property
    def configured(self) -> bool:
        """There is a model to ask."""
        return bool(self.base_url and self.model)


class EmbeddingSettings(Group):
    """`EMBEDDING_…`: an OpenAI-compatible embedding endpoint; without one the embedded model serves."""

    base_url: str = ""
    api_key: SecretStr = SecretStr("")
    model: str = ""
    dimensions: int = 0  # 0: as the endpoint answers
    max_tokens: int = 512
    threads: int = 2  # of the embedded model

    @property
    def configured(self) -> bool:
        """There is an endpoint to ask."""
        return bool(self.base_url and self.model)


class VisionSettings(Group):
    """`VISION_…`: an OpenAI-compatible chat endpoint that sees pictures; without one tesseract reads them."""

    base_url: str = ""
    api_key: SecretStr = SecretStr("")
    model: str = ""
    parallel: int = 4  # pages asked for at once

    @property
    def configured(self) -> bool:
        """There is a model to ask."""
        return bool(self.base_url and self.model)


class SpeechSettings(Group):
    """`SPEECH_…`: an OpenAI-compatible transcription endpoint; without one voice is not read."""

    base_url: str = ""
    api_key: SecretStr = SecretStr("")
    model: str = ""

    @property
    def configured(self) -> bool:
        """There is a model to ask."""
        return bool(self.base_url and self.model)


class GotenbergSettings(Group):
    """`GOTENBERG_…`: LibreOffice as a service, for documents that docling does not read."""

    url: str = ""


class JinaSettings(Group):
    """`JINA_…`: Jina Reader, for pages that no browser of ours gets; its address alone turns it on."""

    url: str = ""
    api_key: SecretStr = SecretStr("")


class FirecrawlSettings(Group):
    """`FIRECRAWL_…`: the last level for videos."""

    url: str = ""
    api_key: SecretStr = SecretStr("")


class YoutubeSettings(Group):
    """`YOUTUBE_…`: how subtitles are got."""

    proxy: SecretStr = SecretStr("")  # http://user:password@host:port, against bans of this machine's address
    ca_file: str = ""  # certificates of a proxy that opens TLS
    languages: str = "ru,en,es,pt"  # after the notebook's own


class WebSettings(Group):
    """`WEB_…`: how pages are read."""

    browser: str = ""  # the executable; "": the one that is installed
    parallel: int = 3  # pages at once in the one browser
    contact: str = ""  # e-mail address for services that ask who calls (Crossref, arXiv)


class DataSettings(Group):
    """`DATA_…`: where originals and embedded services keep their files."""

    dir: Path = Path(".konspekt")


class WorkerSettings(Group):
    """`WORKER_…`: how work is held."""

    lease_s: float = 60.0  # after a worker died, its row is free so many seconds later


class SandboxSettings(Group):
    """`SANDBOX_…`: the local chat page."""

    host: str = "127.0.0.1"
    port: int = 8081


class LogSettings(Group):
    """`LOG_…`: `json` for production, `console` for people."""

    format: str = "console"
    level: str = "INFO"


class Settings(BaseSettings):
    """All settings."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_nested_delimiter="_",
        env_nested_max_split=1,
        env_ignore_empty=True,
        frozen=True,
        extra="forbid",
    )

    bot: BotSettings = Field(default_factory=BotSettings)
    telegram: TelegramSettings = Field(default_factory=TelegramSettings)
    database: DatabaseSettings = Field(default_factory=DatabaseSettings)
    redis: RedisSettings = Field(default_factory=RedisSettings)
    llm: LlmSettings = Field(default_factory=LlmSettings)
    embedding: EmbeddingSettings = Field(default_factory=EmbeddingSettings)
    vision: VisionSettings = Field(default_factory=VisionSettings)
    speech: SpeechSettings = Field(default_factory=SpeechSettings)
    gotenberg: GotenbergSettings = Field(default_factory=GotenbergSettings)
    jina: JinaSettings = Field(default_factory=JinaSettings)
    firecrawl: FirecrawlSettings = Field(default_factory=FirecrawlSettings)
    youtube: YoutubeSettings = Field(default_factory=YoutubeSettings)
    web: WebSettings = Field(default_factory=WebSettings)
    data: DataSettings = Field(default_factory=DataSettings)
    worker: WorkerSettings = Field(default_factory=WorkerSettings)
    sandbox: SandboxSettings = Field(default_factory=SandboxSettings)
    log: LogSettings = Field(default_factory=LogSettings)
