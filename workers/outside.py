"""What reaches beyond the rows: how each kind is read, what opens containers, the way to public addresses.

Wired from the settings; the only importer of the extractors.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from redis.asyncio import Redis

from core.adapters.archive import ZipOpener
from core.adapters.extractors import PRINTED, build_cascades
from core.adapters.extractors.gotenberg import GotenbergDocuments
from core.adapters.extractors.speech import SpeechToText
from core.adapters.extractors.vision_pages import VisionPages
from core.adapters.killable import KillableRunner
from core.adapters.vision.page_reader import VisionEndpoint
from core.adapters.web.browser import BrowserPool
from core.adapters.web.egress import Dial, Egress, Resolve, dial_address, resolve_name
from core.adapters.web.fetch import USER_AGENT, PublicFetcher
from core.adapters.web.jina import JinaPage
from core.adapters.web.page_browser import BrowserPage
from core.adapters.web.page_http import HttpPage
from core.adapters.youtube.cascade import youtube_cascade
from core.adapters.youtube.playlist import PlaylistOpener
from core.adapters.youtube.readers import FirecrawlVideo, JinaVideo
from core.model.source import SourceKind
from core.ports import Cascade, ChildRunner, ContainerOpener, LinkFetcher
from core.settings import Settings

REDIS_TIMEOUT_S = 3.0
"""What is remembered of videos only saves work: nothing waits long for it."""


@dataclass(frozen=True, slots=True)
class Network:
    """How public names are found and dialled."""

    resolve: Resolve = resolve_name
    dial: Dial = dial_address


@dataclass(frozen=True, slots=True)
class Outside:
    """What a worker reads with.

    Attributes:
        cascades: What is tried on each kind.
        openers: What opens each kind of container.
        links: Gets what is behind public addresses.
        open: To be called in the process's loop before the first source is read.
        close: Ends what is held open: a browser, a proxy, connections.
    """

    cascades: Mapping[SourceKind, Cascade]
    openers: Mapping[SourceKind, ContainerOpener]
    links: LinkFetcher | None
    open: Callable[[], Awaitable[None]]
    close: Callable[[], Awaitable[None]]


def build_outside(settings: Settings, *, network: Network | None = None, runner: ChildRunner | None = None) -> Outside:
    """Wire what the settings chose; nothing starts yet."""
    network, runner = network or Network(), runner or KillableRunner()
    egress = Egress(network.resolve, network.dial)
    contact = settings.web.contact
    fetcher = PublicFetcher(egress, user_agent=f"{USER_AGENT} (mailto:{contact})" if contact else USER_AGENT)
    pool = BrowserPool(egress, settings.web.browser, settings.web.parallel)
    redis = _redis(settings)
    cascades = build_cascades(
        vision=VisionPages(_vision(settings)),
        speech=_speech(settings),
        gotenberg=GotenbergDocuments(settings.gotenberg.url, PRINTED, runner),
        web=(
            BrowserPage(pool),
            JinaPage(settings.jina.url, egress, settings.jina.api_key.get_secret_value()),
            HttpPage(fetcher),
        ),
        youtube=_youtube(settings, runner, redis),
    )
    playlists = PlaylistOpener(redis, proxy=settings.youtube.proxy.get_secret_value(), ca_file=settings.youtube.ca_file)
    openers: dict[SourceKind, ContainerOpener] = {SourceKind.ARCHIVE: ZipOpener(), SourceKind.PLAYLIST: playlists}

    async def close() -> None:
        await pool.close()
        await egress.close()
        if redis is not None:
            await redis.aclose()

    return Outside(cascades, openers, fetcher, egress.start, close)


def _redis(settings: Settings) -> Redis | None:
    url = settings.redis.url.get_secret_value()
    if not url:
        return None
    opened: Redis = Redis.from_url(url, socket_timeout=REDIS_TIMEOUT_S, socket_connect_timeout=REDIS_TIMEOUT_S)
    return opened


def _vision(settings: Settings) -> VisionEndpoint:
    chosen = settings.vision
    return VisionEndpoint(
        chosen.base_url, chosen.model, chosen.api_key.get_secret_value(), parallel=max(1, chosen.parallel)
    )


def _speech(settings: Settings) -> SpeechToText:
    chosen = settings.speech
    return SpeechToText(chosen.base_url, chosen.api_key.get_secret_value(), chosen.model)


def _youtube(settings: Settings, runner: ChildRunner, redis: Redis | None) -> Cascade:
    return youtube_cascade(
        runner,
        redis,
        proxy=settings.youtube.proxy.get_secret_value(),
        ca_file=settings.youtube.ca_file,
        services=(
            FirecrawlVideo(settings.firecrawl.url, settings.firecrawl.api_key.get_secret_value()),
            JinaVideo(settings.jina.url, settings.jina.api_key.get_secret_value()),
        ),
    )
