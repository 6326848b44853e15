"""The cascade of videos, with every level guarded."""

from __future__ import annotations

from collections.abc import Sequence

from redis.asyncio import Redis

from core.adapters.youtube.findings import Findings, LastWord
from core.adapters.youtube.guard import Guarded
from core.adapters.youtube.pytubefix import PytubefixAndroid
from core.adapters.youtube.request import address_name
from core.adapters.youtube.transcript_api import TranscriptApi
from core.adapters.youtube.ytdlp import YtDlp
from core.ports.documents import Cascade, ChildRunner, Extractor, ServiceExtractor


def youtube_cascade(
    runner: ChildRunner,
    redis: Redis | None,
    *,
    proxy: str = "",
    ca_file: str = "",
    services: Sequence[ServiceExtractor] = (),
) -> Cascade:
    """Put the levels in order: three libraries, the services that are given, and the last word.

    Args:
        runner: Runs the libraries in children.
        redis: For memory, breaker and turns; None: without them.
        proxy: `http://user:password@host:port` of the operator, "" to ask directly.
        ca_file: Certificates of a proxy that opens TLS, "" for the usual ones.
        services: Firecrawl or Jina Reader, then recognition of the sound.
    """
    libraries: tuple[Extractor, ...] = (
        TranscriptApi(proxy=proxy, ca_file=ca_file),
        YtDlp(proxy=proxy, ca_file=ca_file),
        PytubefixAndroid(proxy=proxy, ca_file=ca_file),
    )
    findings, address = Findings(), address_name(proxy)
    asked = [Guarded(level, runner, redis, level.name, address, findings) for level in libraries]
    asked += [Guarded(level, runner, redis, level.name, level.name, findings, rest_s=0.0) for level in services]
    return Cascade((*asked, LastWord(findings)))
