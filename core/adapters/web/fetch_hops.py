"""One link's way through redirects to a file."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx2
import structlog

from core.adapters.web.addresses import is_public
from core.adapters.web.fetch_errors import answered, broken, refused_by
from core.adapters.web.file_names import file_name
from core.adapters.web.lease import Lease
from core.adapters.web.papers import HEAD_BYTES, cited_pdf
from core.adapters.web.sniff import SNIFFED_BYTES, is_page
from core.errors import KonspektError, PermanentError, UserError
from core.library.web_links import plain_page
from core.ports.documents import Fetched

log = structlog.get_logger()

MAX_REDIRECTS = 5

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SMALL_ANSWER = 64 * 1024
# Bytes of an answer in JSON that only names another address.


@dataclass(frozen=True, slots=True)
class Fetch:
    """One link's way through redirects to a file."""

    client: httpx2.AsyncClient
    lease: Lease
    target: Path
    max_bytes: int

    async def save(self, url: str) -> Fetched:
        """Follow redirects and write the last answer's body."""
        async with self._answer(url) as response:
            answered(response)
            if int(response.headers.get("Content-Length", "0") or 0) > self.max_bytes:
                raise self._too_large()
            start = await self._write(response)
            return _fetched(response, start)

    async def named_in_json(self, url: str) -> str:
        """Return the address that a small JSON answer names in `href`."""
        async with self._answer(url) as response:
            answered(response)
            body = b""
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > _SMALL_ANSWER:
                    raise PermanentError("link-refused")
        try:
            return plain_page(str(json.loads(body)["href"]))
        except (ValueError, KeyError, TypeError) as error:
            raise PermanentError("link-refused") from error

    async def paper(self, page: Fetched) -> Fetched:
        """Get the PDF that a publisher's page names; the page itself where that cannot be had."""
        with self.target.open("rb") as file:
            head = file.read(HEAD_BYTES)
        named = cited_pdf(head, page.url)
        if not named:
            return page
        beside = Fetch(self.client, self.lease, self.target.with_name(self.target.name + ".paper"), self.max_bytes)
        try:
            fetched = await beside.save(named)
            if fetched.is_page:  # a login form in its place
                return page
            beside.target.replace(self.target)
            return fetched
        except KonspektError as error:
            log.info("paper_not_open", reason=error.text_key)
            return page
        finally:
            beside.target.unlink(missing_ok=True)

    @asynccontextmanager
    async def _answer(self, url: str) -> AsyncIterator[httpx2.Response]:
        """Give the first answer that is no redirect."""
        url = _kept_query(url)
        for _ in range(MAX_REDIRECTS + 1):
            async with self._request(url) as response:
                if response.status_code not in _REDIRECTS or "Location" not in response.headers:
                    yield response
                    return
                url = _next(url, response.headers["Location"])
        raise PermanentError("link-refused", {"code": "too-many-redirects"})

    @asynccontextmanager
    async def _request(self, url: str) -> AsyncIterator[httpx2.Response]:
        """Ask once; the library's errors, and the proxy's, become ours."""
        host = urlsplit(url).hostname or ""
        if _is_number(host) and not is_public(host):  # the proxy would refuse it too, but the client garbles IPv6
            raise UserError("link-private")
        try:
            async with self.client.stream("GET", url) as response:
                if self.lease.why_not(host):
                    raise refused_by(self.lease, host)
                yield response
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, UnicodeError) as error:
            raise self._too_large() if self.lease.exhausted else broken(error, self.lease, host) from error

    async def _write(self, response: httpx2.Response) -> bytes:
        """Write the body and return its beginning; a bomb stops at the limit too, since unpacked bytes are counted."""
        start, size = b"", 0
        with self.target.open("wb") as file:
            async for piece in response.aiter_bytes():
                size += len(piece)
                if size > self.max_bytes:
                    raise self._too_large()
                start += piece[: max(0, SNIFFED_BYTES - len(start))]
                file.write(piece)
        return start

    def _too_large(self) -> UserError:
        return UserError("link-too-large", {"limit_mb": max(1, self.max_bytes >> 20)})


def _is_number(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdecimal()


def _next(url: str, location: str) -> str:
    """Give the address of the next hop; one that is not of the public web is refused before anything is asked.

    Raises:
        UserError: `link-private`.
    """
    try:
        return _kept_query(urljoin(url, location))
    except UserError as error:
        raise UserError("link-private") from error


def _kept_query(url: str) -> str:
    """Check an address like any other, but keep its parameters: a redirect may need them all."""
    checked = urlsplit(plain_page(url))
    return checked._replace(query=urlsplit(url).query).geturl()


def _fetched(response: httpx2.Response, start: bytes) -> Fetched:
    media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    raw = next((value for name, value in response.headers.raw if name.lower() == b"content-disposition"), b"")
    attached = raw.strip().lower().startswith(b"attachment")
    url = str(response.url)
    return Fetched(url, media_type, file_name(raw, url), is_page(media_type, start, attached=attached))
