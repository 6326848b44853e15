"""Eight links at once through our pool against a bare pooled browser: `python -m tests.bench.bench_links`.

Both show the same local pages, each in a fresh context, as many at once, and wait for them by the same rule. Ours also
goes through the proxy, filters schemes, and takes the page from an isolated world. The measure is a ratio, so that the
machine cancels out. Allowed: at least 0.8 of the bare browser's pages a second. The whole level, with the article read
in a child, is printed beside it.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from statistics import median
from time import perf_counter

from playwright.async_api import Browser, async_playwright
from playwright.async_api import Error as PlaywrightError

from core.adapters.web.browser import BrowserPool
from core.adapters.web.chromium import appearance, arguments, find_browser, sandboxed
from core.adapters.web.egress import Egress
from core.adapters.web.page_browser import BrowserPage
from core.model.source import SourceKind
from core.ports.documents import ExtractionRequest
from tests.fakes.hostile_site import ARTICLE
from tests.fakes.website import Internet, html

AT_ONCE = 8
ROUNDS = 7
LEAST_SHARE = 0.8
SETTLE_MS = 3000

Visit = Callable[[str], Awaitable[object]]


def put_pages(internet: Internet) -> list[str]:
    """Put eight pages on the site: each has a style sheet and a script that fetches its second half."""
    utf8 = "text/html; charset=utf-8"
    internet.page("http://site.test/style.css", html("p{margin:1em}", content_type="text/css"))
    script = (
        "fetch('/more').then(r=>r.text()).then(t=>document.querySelector('article').insertAdjacentHTML('beforeend',t))"
    )
    internet.page("http://site.test/app.js", html(script, content_type="application/javascript"))
    internet.page("http://site.test/more", html(f"<p>{ARTICLE}</p>", content_type=utf8))
    body = "".join(f"<h2>Часть {n}</h2><p>{ARTICLE}</p>" for n in range(10))
    head = "<!doctype html><link rel=stylesheet href=/style.css><title>Байкал</title>"
    page = html(f"{head}<article><h1>Байкал</h1>{body}</article><script src=/app.js></script>", content_type=utf8)
    return [internet.page(f"http://site.test/{number}", page) for number in range(AT_ONCE)]


async def bare_visit(browser: Browser, url: str) -> str:
    """Show a page as anybody would with a pooled browser."""
    seen = appearance(browser.version)
    size = {"width": seen.width, "height": seen.height}
    context = await browser.new_context(user_agent=seen.user_agent, viewport=size, locale=seen.locale)  # type: ignore[arg-type]
    try:
        page = await context.new_page()
        await page.goto(url, wait_until="domcontentloaded")
        with suppress(PlaywrightError):
            await page.wait_for_load_state("networkidle", timeout=SETTLE_MS)
        return await page.content()
    finally:
        await context.close()


async def speed(visit: Visit, urls: Sequence[str]) -> float:
    """Return pages a second for all addresses at once."""
    begun = perf_counter()
    await asyncio.gather(*map(visit, urls))
    return len(urls) / (perf_counter() - begun)


async def measure(rounds: int) -> bool:
    """Print the speeds; False when ours is too slow."""
    async with (
        Internet() as internet,
        Egress(internet.resolve, internet.dial) as egress,
        async_playwright() as playwright,
    ):
        urls = put_pages(internet)
        rule = f"--host-resolver-rules=MAP site.test:80 127.0.0.1:{internet.port}"
        own = ("--host-resolver-rules", "--proxy-bypass-list")
        flags = [flag for flag in arguments("bench") if not flag.startswith(own)]
        bare = await playwright.chromium.launch(
            executable_path=find_browser(""), args=[*flags, rule], chromium_sandbox=sandboxed()
        )
        pool = BrowserPool(egress, parallel=AT_ONCE)
        level = BrowserPage(pool)

        async def whole(url: str) -> None:
            document = await level.read(ExtractionRequest("", SourceKind.WEB, url=url), lambda _done, _total: None)
            assert document.text.count(ARTICLE) >= 10  # on a busy machine the second half may come too late for both

        async def loaded(url: str) -> None:
            assert (await pool.load(url, deadline_s=60)).html.count(
                ARTICLE
            ) >= 10  # on a busy machine the second half may come too late for both

        async def shown(url: str) -> None:
            assert (await bare_visit(bare, url)).count(
                ARTICLE
            ) >= 10  # on a busy machine the second half may come too late for both

        speeds: dict[str, list[float]] = {"bare": [], "pool": [], "whole": []}
        for turn in range(rounds + 1):  # in turn, so that noise meets all; the first one warms up
            for name, visit in (("bare", shown), ("pool", loaded), ("whole", whole)):
                found = await speed(visit, urls)
                speeds[name] += [found] if turn else []
        await pool.close()
        await bare.close()
    return row({name: median(found) for name, found in speeds.items()})


def row(speeds: dict[str, float]) -> bool:
    """Print the medians with what is demanded."""
    share, whole = speeds["pool"] / speeds["bare"], speeds["whole"] / speeds["bare"]
    print(f"bare browser   {speeds['bare']:6.2f} pages/s")
    print(f"our pool       {speeds['pool']:6.2f} pages/s  {share:.2f} of it, at least {LEAST_SHARE}")
    print(f"with article   {speeds['whole']:6.2f} pages/s  {whole:.2f} of it")
    return share >= LEAST_SHARE


def main(rounds: int = ROUNDS) -> bool:
    """Run it; False when the bar is missed."""
    return asyncio.run(measure(rounds))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    raise SystemExit(not main(parser.parse_args().rounds))
