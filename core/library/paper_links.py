"""Addresses of scientific papers: whatever leads to a paper's page, its abstract or its PDF is the same paper."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

_ARXIV_HOSTS = frozenset(
    {"arxiv.org", "export.arxiv.org", "browse.arxiv.org", "xxx.lanl.gov", "alphaxiv.org", "ar5iv.org"}
)
_ARXIV_PATH = re.compile(
    r"/(?:abs|pdf|html|format|ps|ftp|src|e-print|overview)/"
    r"(?P<id>\d{4}\.\d{4,5}|[a-z-]{2,20}(?:\.[A-Z]{2})?/\d{7})(?P<version>v\d{1,3})?(?:\.pdf)?/?",
)
_DOI_HOSTS = frozenset({"doi.org", "dx.doi.org"})
_DOI = re.compile(r"10\.\d{4,9}/\S{1,300}")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(?P<id>\S+)", re.I)


def arxiv_id(url: str) -> str:
    """Give the identifier of the arXiv paper behind an address, with its version if one was named; "" for none.

    Both forms are known: `2301.12345v2` and, from before April 2007, `hep-th/9901001`.
    """
    parts = urlsplit(url)
    host = _host(parts.hostname)
    if host in _DOI_HOSTS and (named := _ARXIV_DOI.fullmatch(unquote(parts.path).strip("/"))):
        return arxiv_id(f"https://arxiv.org/abs/{named['id']}")
    if host not in _ARXIV_HOSTS:
        return ""
    found = _ARXIV_PATH.fullmatch(parts.path)
    return found["id"] + (found["version"] or "") if found else ""


def doi_of(url: str) -> str:
    """Give the DOI that an address of doi.org names, lower case (a DOI has no case); "" for none."""
    parts = urlsplit(url)
    named = unquote(parts.path).strip("/")
    return named.lower() if _host(parts.hostname) in _DOI_HOSTS and _DOI.fullmatch(named) else ""


def _host(name: str | None) -> str:
    return (name or "").lower().removeprefix("www.").rstrip(".")
