"""The levels of a link, and how they follow each other."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.adapters.killable import KillableRunner
from core.adapters.web.browser import BrowserPool
from core.adapters.web.jina import JinaPage
from core.adapters.web.page_browser import BrowserPage
from core.adapters.web.page_http import HttpPage
from core.errors import KonspektError, PermanentError, RateLimited, TransientError, UserError
from core.ingest.cascade import Reading, read
from core.model.document import Document
from core.model.source import Outcome, SourceKind
from core.ports.documents import Cascade, ExtractionRequest, Level, ServiceExtractor
from tests.fakes.hostile_site import ARTICLE
from tests.fakes.jina import FakeJina
from tests.fakes.website import SITE, html
from tests.integration.web.conftest import Web

PAGE = f"<!doctype html><meta charset=utf-8><title>Байкал</title><article><h1>Байкал</h1><p>{ARTICLE}</p></article>"
ROBOT = "<title>Just a moment...</title><p>Verifying you are human."


@pytest.fixture
async def jina() -> AsyncIterator[FakeJina]:
    async with FakeJina() as server:
        yield server


def request(url: str, path: str = "") -> ExtractionRequest:
    return ExtractionRequest(path, SourceKind.WEB, url=url)


async def run(level: ServiceExtractor, url: str, path: str = "") -> Document:
    return await level.read(request(url, path), lambda _done, _total: None)


async def refused(level: ServiceExtractor, url: str) -> KonspektError:
    with pytest.raises(KonspektError) as caught:
        await run(level, url)
    return caught.value


async def cascade(levels: tuple[Level, ...], url: str, path: str = "") -> Reading:
    return await read(Cascade(levels), request(url, path), runner=KillableRunner(), progress=lambda _done, _total: None)


async def test_a_page_in_the_browser_becomes_a_document(browser: Web) -> None:
    url = browser.internet.page("http://site.test/page", PAGE)

    document = await run(BrowserPage(browser.pool), url + "?utm_source=x#y")

    assert (document.title, document.text) == ("Байкал", f"# Байкал\n\n{ARTICLE}")


async def test_levels_are_what_the_runner_awaits(web: Web) -> None:
    for level in (BrowserPage(web.pool), JinaPage("", web.egress), HttpPage(web.fetcher)):
        assert isinstance(level, ServiceExtractor)


async def test_without_browser_and_service_the_page_itself_is_read(web: Web) -> None:
    url = web.internet.page("http://site.test/page", PAGE)
    levels = (BrowserPage(BrowserPool(web.egress, "no-such-program")), JinaPage("", web.egress), HttpPage(web.fetcher))

    reading = await cascade(levels, url)

    assert reading.extractor == "http"
    assert [(attempt.outcome, attempt.reason) for attempt in reading.attempts] == [
        (Outcome.UNAVAILABLE, "not-installed"),
        (Outcome.UNAVAILABLE, "not-configured"),
        (Outcome.WON, ""),
    ]


async def test_what_was_fetched_is_not_fetched_again(web: Web, tmp_path: Path) -> None:
    stored = tmp_path / "fetched"
    stored.write_bytes(PAGE.encode())

    document = await run(HttpPage(web.fetcher), "http://site.test/page", str(stored))

    assert ARTICLE in document.text
    assert web.internet.requests == []


async def test_a_check_for_robots_lets_the_next_level_try(browser: Web, jina: FakeJina) -> None:
    url = browser.internet.page("http://site.test/robots", html(ROBOT, status=403))
    jina.put(f"# Байкал\n\n{ARTICLE}", title="Байкал")

    reading = await cascade(
        (BrowserPage(browser.pool), JinaPage(jina.url, browser.egress), HttpPage(browser.fetcher)), url
    )

    assert reading.extractor == "jina"
    assert [attempt.reason for attempt in reading.attempts] == ["captcha", ""]


async def test_a_page_that_is_not_there_is_not_read(browser: Web) -> None:
    url = browser.internet.page("http://site.test/gone", html(PAGE, status=404))

    assert (await refused(BrowserPage(browser.pool), url)).text_key == "link-not-found"


async def test_an_error_with_an_article_under_it_is_one_with_little_text(browser: Web) -> None:
    note = "<p>Сервис временно не отвечает, приходите к нам завтра утром.</p>"
    short = browser.internet.page(
        "http://site.test/short", html(note, status=403, content_type="text/html; charset=utf-8")
    )

    assert (await refused(BrowserPage(browser.pool), short)).values == {"code": "http-403"}


async def test_a_post_of_telegram_is_read_without_scripts(web: Web) -> None:
    web.internet.name("t.me", [SITE])
    post = '<div class="tgme_widget_message"><div class="tgme_widget_message_text">Привет, это пост.</div></div>'
    web.internet.page("http://t.me/channel/5?embed=1&mode=tme", f"<meta charset=utf-8>{post}")

    document = await run(HttpPage(web.fetcher), "https://t.me/channel/5")

    assert document.text == "Привет, это пост."


async def test_a_paper_of_arxiv_is_fetched_as_the_paper(web: Web, tmp_path: Path) -> None:
    web.internet.name("arxiv.org", [SITE])
    web.internet.page("http://arxiv.org/pdf/2301.12345v2", html(b"%PDF-1.7", content_type="application/pdf"))

    fetched = await web.fetcher.fetch("https://arxiv.org/abs/2301.12345v2", tmp_path / "paper", max_bytes=1 << 20)

    assert (fetched.is_page, fetched.url) == (False, "https://arxiv.org/pdf/2301.12345v2")


async def test_a_file_of_yandex_disk_is_fetched_where_its_service_says(web: Web, tmp_path: Path) -> None:
    web.internet.name("cloud-api.yandex.net", [SITE])
    api = "http://cloud-api.yandex.net/v1/disk/public/resources/download"
    web.internet.page(api, html('{"href": "http://site.test/file?x=1"}', content_type="application/json"))
    web.internet.page("http://site.test/file", html(b"%PDF-1.7", content_type="application/pdf"))

    fetched = await web.fetcher.fetch("https://disk.yandex.ru/i/abc", tmp_path / "file", max_bytes=1 << 20)

    assert (fetched.is_page, fetched.url) == (False, "http://site.test/file?x=1")


async def test_jina_is_asked_as_its_service_wants_and_its_markdown_is_cleaned(web: Web, jina: FakeJina) -> None:
    web.internet.page("http://site.test/page", PAGE)
    jina.put(
        f"![Image 1](https://x.test/a.png)\n\nБайкал\n======\n\n[Озеро](https://x.test/b) {ARTICLE}\n", title="Байкал"
    )

    document = await run(JinaPage(jina.url, web.egress, "secret"), "http://site.test/page?a=1#b")

    asked, headers = jina.requests[0]
    assert asked == "http://site.test/page?a=1"
    assert (headers["Accept"], headers["Authorization"]) == ("application/json", "Bearer secret")
    assert document.text == f"# Байкал\n\nОзеро {ARTICLE}"


@pytest.mark.parametrize("link", ["http://169.254.169.254/", "http://10.0.0.1/", "http://127.1.1.1/"])
async def test_w1_jina_is_never_sent_inside(web: Web, jina: FakeJina, link: str) -> None:
    error = await refused(JinaPage(jina.url, web.egress), link)

    assert (type(error), error.text_key) == (UserError, "link-private")
    assert jina.requests == []


@pytest.mark.parametrize(
    ("status", "kind"), [(402, PermanentError), (422, PermanentError), (429, RateLimited), (503, TransientError)]
)
async def test_what_jina_refuses_is_sorted_by_who_must_act(
    web: Web, jina: FakeJina, status: int, kind: type[KonspektError]
) -> None:
    jina.fail(status)

    assert type(await refused(JinaPage(jina.url, web.egress), "http://site.test/page")) is kind


async def test_jina_meeting_a_missing_page_or_a_robot_check_is_no_article(web: Web, jina: FakeJina) -> None:
    jina.put("Что-то тут не то, но слов достаточно.", warning="Target URL returned error 404: Not Found")
    jina.put("Verifying you are human.", title="Just a moment...")
    level = JinaPage(jina.url, web.egress)

    errors = [await refused(level, "http://site.test/page") for _ in range(2)]

    assert [error.text_key for error in errors] == ["link-not-found", "link-captcha"]


async def test_a_person_is_told_why_no_level_could_read_it(browser: Web) -> None:
    url = browser.internet.page("http://site.test/robots", html(ROBOT))

    reading = await cascade((BrowserPage(browser.pool), HttpPage(browser.fetcher)), url)

    assert reading.document is None
    assert reading.reason is not None
    assert reading.reason.text_key == "link-captcha"
    assert [attempt.reason for attempt in reading.attempts] == ["captcha", "captcha"]
