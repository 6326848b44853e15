"""Addresses of pages: one spelling for all that lead to the same place."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

from core.errors import UserError
from core.library.paper_links import arxiv_id, doi_of

MAX_ADDRESS = 4096
# Characters: longer than what browsers and servers take.

_TRACKING = re.compile(
    r"utm_\w*|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|yclid|ymclid|ysclid|_openstat|mc_cid|mc_eid|igshid|igsh|twclid"
    r"|msclkid|ttclid|li_fat_id|vero_id|wickedid|rb_clickid|erid|_hsenc|_hsmi|mkt_tok",
    re.I,
)
# Names of parameters that tell who came from where and nothing of what is there.

_PORTS = {"http": 80, "https": 443}
_WIKIPEDIA = re.compile(
    r"([a-z-]{2,12})\.m\.((?:wikipedia|wikibooks|wikisource|wiktionary|wikiquote|wikiversity)\.org)"
)
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_PATH = "/%:@!$&'()*+,;=~-._"
_QUERY = _PATH + "?[]|"
# Characters that stay as they are when letters are percent-encoded.


def canonical_page(address: str) -> str:
    """Give the one spelling of an address: duplicates are found by it, and it can be fetched.

    The scheme stays, the host is lower case and in its ASCII form, default ports, fragments, tracking parameters, a
    trailing dot of the host and the mobile host of Wikipedia go; the order of parameters stays, since some servers
    mind. All addresses of one arXiv paper are its abstract's, all of one DOI are doi.org's.

    Raises:
        UserError: `link-invalid`: no web address, one with a password, or a host that is not of the Internet.
    """
    plain = plain_page(address)
    if paper := arxiv_id(plain):
        return f"https://arxiv.org/abs/{paper}"
    if doi := doi_of(plain):
        return f"https://doi.org/{quote(doi, safe=_PATH)}"
    return plain


def plain_page(address: str) -> str:
    """Give the one spelling of an address without asking what it leads to (see `canonical_page`).

    Raises:
        UserError: `link-invalid`.
    """
    parts = _split(address)
    host = _WIKIPEDIA.sub(r"\1.\2", ascii_host(parts.hostname or ""))
    path = quote(parts.path or "/", safe=_PATH)
    return urlunsplit((parts.scheme, host + _port(parts), path, _query(parts.query), ""))


def ascii_host(host: str) -> str:
    """Give a host as name servers know it: lower case, letters outside ASCII as punycode.

    Raises:
        UserError: `link-invalid`: it has no dot or characters that no name has.
    """
    try:
        address = ipaddress.IPv6Address(host)
        return f"[{address.compressed}]"
    except ValueError:
        pass
    try:
        name = host.rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise UserError("link-invalid") from error
    labels = name.split(".")
    if len(labels) < 2 or len(name) > 253 or not all(map(_LABEL.fullmatch, labels)):
        raise UserError("link-invalid")
    return name


def _split(address: str) -> SplitResult:
    """Take an address apart, or refuse it."""
    try:
        parts = urlsplit(address.strip())
        _ = parts.port, address.encode()
    except ValueError as error:  # also what is no Unicode text
        raise UserError("link-invalid") from error
    odd = len(address) > MAX_ADDRESS or any(ord(character) < 33 for character in address.strip())
    if odd or parts.scheme not in _PORTS or not parts.hostname or "@" in parts.netloc or "\\" in parts.netloc:
        raise UserError("link-invalid")
    return parts


def _port(parts: SplitResult) -> str:
    """Give the port where it is not the scheme's own."""
    return "" if parts.port in (None, _PORTS[parts.scheme]) else f":{parts.port}"


def _query(query: str) -> str:
    kept = [part for part in query.split("&") if part and not _TRACKING.fullmatch(part.partition("=")[0])]
    return quote("&".join(kept), safe=_QUERY)
