"""The pooled browser: what it shows, what it survives, and that it never reaches inside."""

import asyncio
import os
import signal
from contextlib import suppress

import psutil
import pytest
from playwright.async_api import async_playwright

from core.adapters.web import browser as browser_module
from core.adapters.web.browser import BrowserPool
from core.adapters.web.chromium import arguments, find_browser, sandboxed
from core.adapters.web.page_load import MAX_HTML, Rendered
from core.errors import KonspektError, PermanentError, UserError
from tests.fakes.hostile_site import ARTICLE, endless, huge, put_hostile_pages
from tests.fakes.website import SITE, html, redirect
from tests.integration.web.conftest import Web

FILLED = """<!doctype html><title>Байкал</title><div id=root>Загрузка…</div><script>
setTimeout(() => fetch('/api').then(r => r.text()).then(t => { root.innerHTML = '<p>' + t + '</p>' }), 300)
</script>"""


async def load(web: Web, url: str, deadline_s: float = 30) -> Rendered:
    return await web.pool.load(url, deadline_s=deadline_s)


async def refused(web: Web, url: str, deadline_s: float = 30) -> KonspektError:
    with pytest.raises(KonspektError) as caught:
        await load(web, url, deadline_s)
    return caught.value


async def test_w2_an_article_that_a_script_writes_is_there(browser: Web) -> None:
    browser.internet.page("http://site.test/api", ARTICLE, content_type="text/plain; charset=utf-8")
    url = browser.internet.page("http://site.test/app", FILLED, content_type="text/html; charset=utf-8")

    rendered = await load(browser, url)

    assert ARTICLE in rendered.html
    assert (rendered.url, rendered.status, rendered.cut) == (url, 200, False)


async def test_a_site_sees_an_ordinary_browser_of_one_version(browser: Web) -> None:
    script = "document.write(JSON.stringify([navigator.webdriver, navigator.languages, navigator.userAgent]))"
    url = browser.internet.page("http://site.test/me", f"<script>{script}</script>")

    rendered = await load(browser, url)

    headers = browser.internet.headers[url]
    assert "Headless" not in headers["user-agent"]
    assert headers["user-agent"] in rendered.html
    assert 'false,["ru-RU"' in rendered.html
    assert "proxy-authorization" not in headers


async def test_w1_nothing_in_a_page_reaches_inside(browser: Web) -> None:
    browser.internet.name("rebind.test", [SITE], ["127.0.0.1"])
    browser.internet.name("mixed.test", [SITE, "127.0.0.1"])
    pages = put_hostile_pages(browser.internet, browser.bird)

    await asyncio.gather(*(load(browser, url, 60) for url in pages.values()), return_exceptions=True)

    assert browser.bird.hits == []
    assert {address for address, _ in browser.internet.dialled} == {SITE}
    assert {url for url in pages.values() if f"GET {url}" not in browser.internet.requests} == set()


async def test_the_same_pages_reach_inside_from_a_browser_without_protection(browser: Web) -> None:
    pages = put_hostile_pages(browser.internet, browser.bird)
    rule = f"--host-resolver-rules=MAP site.test:80 127.0.0.1:{browser.internet.port}"
    silent = set(pages)
    async with async_playwright() as playwright:
        bare = await playwright.chromium.launch(
            executable_path=find_browser(""), args=[rule], chromium_sandbox=sandboxed()
        )
        for vector, url in pages.items():
            page = await bare.new_page()
            browser.bird.sang.clear()
            await page.goto(url, wait_until="commit")
            with suppress(TimeoutError):
                await asyncio.wait_for(browser.bird.sang.wait(), 5)
                silent.discard(vector)
            await page.close()
        await bare.close()
    browser.bird.hits.clear()

    assert silent <= {"frames"}  # what a browser already refuses on its own


async def test_w1_a_redirect_inside_is_refused_by_the_browser(browser: Web) -> None:
    browser.internet.name("rebind.test", ["127.0.0.1"])
    hosts = ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "rebind.test"]
    inside = ["http://redis:6379", "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd"]
    inside += [f"http://{host}:{browser.bird.port}/" for host in hosts]
    urls = [browser.internet.page(f"http://site.test/{n}", redirect(where)) for n, where in enumerate(inside)]

    errors = await asyncio.gather(*(load(browser, url, 60) for url in urls), return_exceptions=True)

    assert {getattr(error, "text_key", repr(error)) for error in errors} <= {
        "link-private",
        "link-not-found",
        "link-refused",
    }
    assert browser.bird.hits == []
    assert {address for address, _ in browser.internet.dialled} == {SITE}


async def test_w1_a_script_that_goes_inside_is_named(browser: Web) -> None:
    url = put_hostile_pages(browser.internet, browser.bird)["location"]

    error = await refused(browser, url)

    assert (type(error), error.text_key) == (UserError, "link-private")


@pytest.mark.parametrize("link", ["file:///etc/passwd", "chrome://version", "view-source:http://site.test/"])
async def test_w1_other_schemes_are_not_opened_even_if_asked_for(browser: Web, link: str) -> None:
    error = await refused(browser, link)

    assert error.text_key == "link-invalid"


async def test_w2_a_page_that_never_ends_is_taken_as_far_as_it_came(browser: Web) -> None:
    url = browser.internet.page("http://site.test/endless", endless(browser.internet, f"<p>{ARTICLE}</p>"))

    rendered = await load(browser, url, deadline_s=8)

    assert ARTICLE in rendered.html


async def test_w2_a_page_that_never_begins_ends_at_the_deadline(browser: Web) -> None:
    async def silent(_request: object) -> None:
        await browser.internet.stopping.wait()

    url = browser.internet.page("http://site.test/silent", silent)  # type: ignore[arg-type]

    with pytest.raises((TimeoutError, KonspektError)):
        await load(browser, url, deadline_s=4)


async def test_a_script_that_never_yields_ends_at_the_deadline_and_the_next_page_opens(browser: Web) -> None:
    url = browser.internet.page("http://site.test/busy", f"<p>{ARTICLE}</p><script>for(;;);</script>")
    good = browser.internet.page("http://site.test/good", f"<meta charset=utf-8><p>{ARTICLE}</p>")

    with pytest.raises((TimeoutError, KonspektError)):
        await load(browser, url, deadline_s=6)

    assert ARTICLE in (await load(browser, good)).html


async def test_w2_a_page_of_200_megabytes_stops_at_the_limit(browser: Web) -> None:
    pool = BrowserPool(browser.egress, page_bytes=1 << 20)
    url = browser.internet.page("http://site.test/huge", huge(200))

    try:
        with suppress(KonspektError, TimeoutError):
            rendered = await pool.load(url, deadline_s=30)
            assert len(rendered.html) <= 5 << 20
    finally:
        await pool.close()


async def test_a_document_of_ten_megabytes_is_cut(browser: Web) -> None:
    script = "document.querySelector('div').innerHTML = ('<p>' + 'слово '.repeat(100)).repeat(9_000)"
    url = browser.internet.page("http://site.test/dom", f"<body><p>{ARTICLE}</p><div></div><script>{script}</script>")

    rendered = await load(browser, url)

    assert (len(rendered.html), rendered.cut) == (MAX_HTML, True)


async def test_a_page_cannot_answer_in_our_place(browser: Web) -> None:
    liar = (
        "<script>Object.defineProperty(document,'documentElement',{get(){return {outerHTML:'<p>lie'}}});"
        "Object.defineProperty(Element.prototype,'outerHTML',{get(){for(;;);}});String.prototype.slice=()=>'lie'</script>"
    )
    url = browser.internet.page("http://site.test/liar", f"<meta charset=utf-8><p>{ARTICLE}</p>{liar}")

    assert ARTICLE in (await load(browser, url)).html


async def test_dialogs_popups_and_pleas_not_to_leave_do_not_hold_it(browser: Web) -> None:
    scripts = (
        "<script>addEventListener('beforeunload',e=>{e.preventDefault();e.returnValue='x'});"
        "alert(1);confirm(2);prompt(3);for(let i=0;i<5;i++)open('/popup');print()</script>"
    )
    url = browser.internet.page("http://site.test/rude", f"<meta charset=utf-8>{scripts}<p>{ARTICLE}</p>")

    assert ARTICLE in (await load(browser, url)).html


async def test_an_attachment_is_left_to_the_fetcher(browser: Web) -> None:
    url = browser.internet.page(
        "http://site.test/file", html("a,b", content_type="text/csv", Content_Disposition="attachment")
    )

    error = await refused(browser, url)

    assert (type(error), error.values) == (PermanentError, {"code": "download"})


async def test_a_browser_that_is_killed_under_a_page_is_replaced(browser: Web) -> None:
    pool = BrowserPool(browser.egress)
    asked = asyncio.Event()

    async def slow(request: object) -> object:
        first = not asked.is_set()
        asked.set()
        if first:
            await browser.internet.stopping.wait()
        return await html(f"<meta charset=utf-8><p>{ARTICLE}</p>")(request)  # type: ignore[arg-type]

    url = browser.internet.page("http://site.test/slow", slow)  # type: ignore[arg-type]
    try:
        async with asyncio.TaskGroup() as group:
            loading = group.create_task(pool.load(url, deadline_s=60))
            await asked.wait()
            running = pool._now
            assert running is not None
            os.killpg(running.group, signal.SIGKILL)

        assert ARTICLE in loading.result().html
    finally:
        await pool.close()
    assert not any(_alive(process) for process in psutil.process_iter() if _in_group(process, running.group))


async def test_a_browser_that_grows_too_large_is_killed_and_the_page_refused(browser: Web) -> None:
    pool = BrowserPool(browser.egress, memory_bytes=1 << 20)
    url = browser.internet.page("http://site.test/greedy", endless(browser.internet, "<p>"))

    try:
        with pytest.raises(PermanentError) as caught:
            await pool.load(url, deadline_s=60)
    finally:
        await pool.close()
    assert caught.value.values == {"code": "browser-died"}


async def test_a_browser_is_renewed_before_it_grows_old(browser: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_module, "PAGES_A_BROWSER", 2)
    pool = BrowserPool(browser.egress, parallel=2)
    url = browser.internet.page("http://site.test/page", f"<p>{ARTICLE}</p>")
    groups: list[int] = []
    try:
        for _ in range(3):
            await pool.load(url, deadline_s=30)
            assert pool._now is not None
            groups.append(pool._now.group)
    finally:
        await pool.close()

    assert (groups[0] == groups[1], groups[1] == groups[2]) == (True, False)
    assert not any(_alive(process) for process in psutil.process_iter() if _in_group(process, groups[0]))


async def test_the_browser_knows_nothing_of_our_environment(browser: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_TOKEN", "secret-token")
    pool = BrowserPool(browser.egress)
    url = browser.internet.page("http://site.test/page", f"<p>{ARTICLE}</p>")
    try:
        await pool.load(url, deadline_s=30)
        assert pool._now is not None
        environments = []
        for each in [each for each in psutil.process_iter() if _in_group(each, pool._now.group)]:
            with suppress(psutil.Error):
                environments.append(each.environ())
    finally:
        await pool.close()

    assert environments
    assert not any("BOT_TOKEN" in environment for environment in environments)


def test_no_flag_opens_a_way_round_the_proxy() -> None:
    flags = arguments("x")

    assert "--proxy-bypass-list=<-loopback>" in flags
    assert not any(
        flag.startswith(("--proxy-server=direct", "--disable-web-security", "--remote-debugging")) for flag in flags
    )


def _in_group(process: psutil.Process, group: int) -> bool:
    try:
        return os.getpgid(process.pid) == group
    except ProcessLookupError:
        return False


def _alive(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
