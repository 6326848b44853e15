"""A small Internet, a proxy into it, one browser for all tests of a package, and a canary."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from core.adapters.web.browser import BrowserPool
from core.adapters.web.chromium import find_browser
from core.adapters.web.egress import WEB_PORTS, Egress
from core.adapters.web.fetch import PublicFetcher
from tests.fakes.hostile_site import Canary, canary
from tests.fakes.website import Internet, make_certificate


@dataclass
class Web:
    """What a test of links works with."""

    internet: Internet
    bird: Canary
    egress: Egress
    fetcher: PublicFetcher
    pool: BrowserPool


@pytest.fixture(scope="package")
async def shared_web(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Web]:
    served, trusted = make_certificate(tmp_path_factory.mktemp("tls"))
    async with canary() as bird, Internet(tls=served) as internet:
        ports = WEB_PORTS | {bird.port}  # or the proxy would refuse the canary for its port alone
        async with Egress(internet.resolve, internet.dial, ports) as egress:
            pool = BrowserPool(egress, parallel=3)
            yield Web(internet, bird, egress, PublicFetcher(egress, trusted), pool)
            await pool.close()


@pytest.fixture
def web(shared_web: Web) -> Web:
    """The world, in which names mean what they always mean."""
    shared_web.internet.requests.clear()
    shared_web.internet.dialled.clear()
    shared_web.internet.asked.clear()
    shared_web.internet.names.clear()
    return shared_web


@pytest.fixture
def browser(web: Web) -> Web:
    """The world where there is a browser."""
    if not find_browser(""):
        pytest.skip("no chromium on this machine")
    return web
