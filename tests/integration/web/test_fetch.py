"""The fetcher: what it writes, what it calls it, and what it refuses."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.adapters.web.fetch import PublicFetcher
from core.adapters.web.special import YANDEX_DOWNLOAD, special_address
from core.errors import KonspektError, PermanentError, RateLimited, TransientError, UserError
from core.ports.documents import Fetched, LinkFetcher
from tests.fakes.hostile_site import endless, huge
from tests.fakes.website import SITE, Answer, html, redirect
from tests.integration.web.conftest import Web

PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"
MB = 1 << 20


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "fetched"


def written(target: Path) -> bytes:
    return target.read_bytes() if target.exists() else b""


async def fetch(web: Web, url: str, target: Path, max_bytes: int = MB) -> Fetched:
    return await web.fetcher.fetch(url, target, max_bytes=max_bytes)


async def refused(web: Web, url: str, target: Path) -> KonspektError:
    with pytest.raises(KonspektError) as caught:
        await fetch(web, url, target)
    return caught.value


async def test_a_page_is_written_as_it_came_and_is_a_page(web: Web, target: Path) -> None:
    data = "<html><body>Привет".encode("cp1251")
    url = web.internet.page("http://site.test/p", data, content_type="text/html; charset=windows-1251")

    fetched = await fetch(web, url, target)

    assert fetched == Fetched(url, "text/html", "p", is_page=True)
    assert written(target) == data


def test_it_is_the_port_that_the_pipeline_asks(web: Web) -> None:
    fetcher: LinkFetcher = web.fetcher

    assert fetcher


@pytest.mark.parametrize(
    ("answer", "is_page", "name"),
    [
        (html(PDF, content_type="application/pdf"), False, "paper"),
        (html(PDF, content_type="text/html"), False, "paper"),
        (html(PDF, content_type=""), False, "paper"),
        (html("<!DOCTYPE html><p>Войдите", content_type="application/pdf"), True, "paper"),
        (html("  \n<!-- x --><html>", content_type="application/octet-stream"), True, "paper"),
        (html("просто текст", content_type="text/plain"), False, "paper"),
        (html("<p>a", Content_Disposition="attachment; filename=a.html"), False, "a.html"),
        (
            html(PDF, content_type="x/y", Content_Disposition='inline; filename="../../etc/x.pdf"'),
            False,
            "_.._etc_x.pdf",
        ),
        (
            html(PDF, Content_Disposition="attachment; filename=\"x.pdf\"; filename*=UTF-8''%D0%9B%D0%B5%D0%BA.pdf"),
            False,
            "Лек.pdf",
        ),
    ],
)
async def test_w2_a_file_is_told_from_a_page_by_what_it_is(
    web: Web, target: Path, answer: Answer, is_page: bool, name: str
) -> None:
    fetched = await fetch(web, web.internet.page("http://site.test/paper", answer), target)

    assert (fetched.is_page, fetched.file_name) == (is_page, name)


async def test_redirects_are_followed_and_the_last_address_is_told(web: Web, target: Path) -> None:
    web.internet.page("http://site.test/1", redirect("/2?utm_source=a&x=1"))
    web.internet.page("http://site.test/2?utm_source=a&x=1", redirect("http://other.test/3", 308))
    web.internet.page("http://other.test/3", "<html>ok")

    fetched = await fetch(web, "http://site.test/1#part", target)

    assert fetched.url == "http://other.test/3"


async def test_an_endless_redirect_ends(web: Web, target: Path) -> None:
    web.internet.page("http://site.test/loop", redirect("/loop"))

    error = await refused(web, "http://site.test/loop", target)

    assert isinstance(error, PermanentError)
    assert len(web.internet.requests) == 6


@pytest.mark.parametrize(
    "location",
    ["http://redis:6379", "http://169.254.169.254/latest/meta-data/", "http://2130706433/", "http://0x7f.1/",
     "http://[::ffff:127.0.0.1]/", "http://127.0.0.1:{port}/", "http://localhost:{port}/", "file:///etc/passwd",
     "gopher://127.0.0.1:6379/_INFO", "http://user:password@site.test/", "//10.0.0.1/", "http://rebind.test:{port}/",
     "http://mixed.test:{port}/", "http://inside.test/"],
)  # fmt: skip
async def test_w1_a_redirect_inside_is_refused_before_anything_is_dialled(
    web: Web, target: Path, location: str
) -> None:
    web.internet.name("rebind.test", ["127.0.0.1"])
    web.internet.name("mixed.test", [SITE, "127.0.0.1"])
    web.internet.name("inside.test", ["10.1.2.3"])
    url = web.internet.page("http://site.test/out", redirect(location.format(port=web.bird.port)))

    error = await refused(web, url, target)

    assert (type(error), error.text_key) == (UserError, "link-private")
    assert web.internet.dialled == [(SITE, 80)]
    assert web.bird.hits == []
    assert written(target) == b""


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "0x7f.0.0.1", "0177.0.0.1", "169.254.169.254", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
     "rebind.test"],
)  # fmt: skip
async def test_w1_a_link_inside_is_refused(web: Web, target: Path, host: str) -> None:
    web.internet.name("rebind.test", ["127.0.0.1"])

    error = await refused(web, f"http://{host}:{web.bird.port}/", target)

    assert (type(error), error.text_key) == (UserError, "link-private")
    assert web.bird.hits == []


@pytest.mark.parametrize("link", ["http://2130706433/", "http://redis:6379/", "file:///etc/passwd", "http://a@b.test/"])
async def test_w1_what_is_no_web_address_is_refused(web: Web, target: Path, link: str) -> None:
    assert (await refused(web, link, target)).text_key == "link-invalid"
    assert web.internet.dialled == []


@pytest.mark.parametrize(
    ("answer", "kind", "key"),
    [
        (html("", status=404), UserError, "link-not-found"),
        (html("", status=410), UserError, "link-not-found"),
        (html("", status=403), PermanentError, "link-refused"),
        (html("", status=401), PermanentError, "link-refused"),
        (html("", status=500), TransientError, "link-unreachable"),
        (html("", status=503, cf_mitigated="challenge"), PermanentError, "link-refused"),
        (html("", status=429, Retry_After="7"), RateLimited, "link-unreachable"),
        (html(b"not gzip", Content_Encoding="gzip"), PermanentError, "link-refused"),
    ],
)
async def test_an_error_says_who_must_act(
    web: Web, target: Path, answer: Answer, kind: type[KonspektError], key: str
) -> None:
    error = await refused(web, web.internet.page("http://site.test/error", answer), target)

    assert (type(error), error.text_key) == (kind, key)
    assert getattr(error, "retry_after_s", 7.0) == 7.0


async def test_a_name_that_does_not_exist_is_not_found(web: Web, target: Path) -> None:
    assert (await refused(web, "http://no-such-name.example/", target)).text_key == "link-not-found"


@pytest.mark.parametrize(
    "make",
    [lambda: huge(200), lambda: huge(200, packed=True), lambda: html(b"x" * (MB + 1))],
    ids=["long", "bomb", "told"],
)
async def test_w2_more_than_the_limit_is_refused_as_soon_as_it_is_known(
    web: Web, target: Path, make: Callable[[], Answer]
) -> None:
    url = web.internet.page("http://site.test/huge", make())

    error = await refused(web, url, target)

    assert (type(error), error.text_key, error.values) == (UserError, "link-too-large", {"limit_mb": 1})
    assert len(written(target)) <= MB


async def test_a_login_of_a_big_service_is_named(web: Web, target: Path) -> None:
    url = web.internet.page("http://site.test/doc", redirect("http://accounts.google.com/signin"))
    web.internet.name("accounts.google.com", [SITE])
    web.internet.page("http://accounts.google.com/signin", "<html>Sign in")

    assert (await refused(web, url, target)).text_key == "link-login"


async def test_a_doi_leads_to_the_paper_that_its_publisher_names(web: Web, target: Path) -> None:
    _publisher(web, html(PDF, content_type="application/pdf"))

    fetched = await fetch(web, "http://doi.org/10.1234/ABC", target)

    assert (fetched.is_page, fetched.url) == (False, "http://journal.test/files/1.pdf?a=1&b=2")
    assert written(target) == PDF


@pytest.mark.parametrize("answer", [html("", status=403), html("<html>Sign in"), redirect("http://10.0.0.1/")])
async def test_a_paper_that_is_not_open_leaves_its_page(web: Web, target: Path, answer: Answer) -> None:
    _publisher(web, answer)

    fetched = await fetch(web, "http://doi.org/10.1234/ABC", target)

    assert (fetched.is_page, fetched.url) == (True, "http://journal.test/article/1")
    assert b"citation_pdf_url" in written(target)
    assert await asyncio.to_thread(os.listdir, target.parent) == [target.name]


def _publisher(web: Web, pdf: Answer) -> None:
    for host in ("doi.org", "journal.test"):
        web.internet.name(host, [SITE])
    web.internet.page("http://doi.org/10.1234/abc", redirect("http://journal.test/article/1"))
    head = '<html><head><meta content="/files/1.pdf?a=1&amp;b=2" name="citation_pdf_url"></head>'
    web.internet.page("http://journal.test/article/1", head)
    web.internet.page("http://journal.test/files/1.pdf?a=1&b=2", pdf)


async def test_a_certificate_of_nobody_is_not_trusted(web: Web, target: Path) -> None:
    stranger = PublicFetcher(web.egress)
    web.internet.page("http://site.test/secure", "<html>ok")

    ours = await fetch(web, "https://site.test/secure", target)
    with pytest.raises(PermanentError):
        await stranger.fetch("https://site.test/secure", target, max_bytes=MB)

    assert ours.url == "https://site.test/secure"


async def test_a_server_that_says_nothing_is_left(web: Web, target: Path) -> None:
    url = web.internet.page("http://site.test/endless", endless(web.internet, "<html>" + "x" * MB))

    error = await refused(web, url, target)

    assert error.text_key == "link-too-large"


def test_a_file_of_yandex_disk_is_asked_for_by_its_public_address() -> None:
    address = special_address("https://disk.yandex.ru/i/AbC_d-1?utm_source=x")

    assert address == YANDEX_DOWNLOAD + "public_key=https%3A%2F%2Fdisk.yandex.ru%2Fi%2FAbC_d-1"
