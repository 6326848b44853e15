"""What is behind a public address, written to a file; every hop goes out through the filtering proxy."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from core.adapters.web.egress import Egress
from core.adapters.web.fetch_hops import Fetch
from core.adapters.web.lease import USER, Lease
from core.adapters.web.special import YANDEX_DOWNLOAD, special_address
from core.library.paper_links import doi_of
from core.ports.documents import Fetched

TIMEOUT = httpx2.Timeout(20.0, connect=15.0)
# A server that is silent so long will not answer a person in time.

OVERHEAD = 1 << 20
# Bytes above the limit that headers, TLS and redirects may take.

USER_AGENT = "Mozilla/5.0 (compatible; Konspekt/1.0)"
ACCEPT = "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8"


@dataclass(frozen=True, slots=True)
class PublicFetcher:
    """The fetcher of links.

    Attributes:
        egress: Started; the only way out.
        verify: Certificates to trust; made once, since loading them takes longer than a request.
        user_agent: Who we say we are; a contact may stand in it.
    """

    egress: Egress
    verify: ssl.SSLContext = field(default_factory=httpx2.create_ssl_context)
    user_agent: str = USER_AGENT

    async def fetch(self, url: str, target: Path, *, max_bytes: int) -> Fetched:
        """Write what the address answers to a file, unpacked; a paper's address gives the paper.

        Raises:
            UserError: `link-private`, `link-invalid`, `link-not-found`, `link-login`, `link-telegram-closed`,
                `link-too-large` with `limit_mb`.
            TransientError: `link-unreachable`: the network, a time-out, 5xx, 429.
            PermanentError: `link-refused`: the server wants no program; a browser may be let in.
        """
        address = special_address(url)
        with self.egress.lease(max_bytes + OVERHEAD) as lease:
            async with self._client(lease) as client:
                fetch = Fetch(client, lease, target, max_bytes)
                if address.startswith(YANDEX_DOWNLOAD):
                    address = await fetch.named_in_json(address)
                fetched = await fetch.save(address)
                return await fetch.paper(fetched) if fetched.is_page and doi_of(url) else fetched

    @asynccontextmanager
    async def _client(self, lease: Lease) -> AsyncIterator[httpx2.AsyncClient]:
        headers = {
            "User-Agent": self.user_agent,
            "Accept": ACCEPT,
            "Accept-Language": "ru,en;q=0.8",
            "Accept-Encoding": "gzip, deflate",
        }
        proxy = httpx2.Proxy(lease.proxy, auth=(USER, lease.password))
        async with httpx2.AsyncClient(
            proxy=proxy, verify=self.verify, trust_env=False, timeout=TIMEOUT, headers=headers, follow_redirects=False
        ) as client:
            yield client
