"""What a page says of itself: title, authors, date, site, and its one true address."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

from core.model.source import About

Element = Any
"""An element of lxml, which has no types."""

MAX_FIELD = 300
# Characters of any one field.

_TITLE = ("citation_title", "og:title", "dc.title", "twitter:title")
_AUTHOR = ("citation_author", "author", "article:author", "dc.creator", "dc.contributor.author", "parsely-author")
_DATE = (
    "citation_publication_date", "citation_date", "article:published_time", "datepublished", "dc.date.issued",
    "dc.date", "date", "pubdate", "publishdate", "og:published_time", "parsely-pub-date", "mediator_published_time",
)  # fmt: skip
_SITE = ("og:site_name", "citation_journal_title", "application-name")
_ISO = re.compile(r"(\d{4})(?:[-/.](\d{1,2}))?(?:[-/.](\d{1,2}))?")
_RUSSIAN = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_SUFFIX = re.compile(r"\s+[|—–·•»:-]\s+[^|—–·•»]{2,60}$")


@dataclass(slots=True)
class _Said:
    """Everything a page declares, by lower-case name, in order."""

    values: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, value: object) -> None:
        text = " ".join(str(value or "").split())[:MAX_FIELD]
        if text and text not in self.values.setdefault(name.lower(), []):
            self.values[name.lower()].append(text)

    def all(self, *names: str) -> list[str]:
        return next((self.values[name] for name in names if self.values.get(name)), [])

    def first(self, *names: str) -> str:
        return next(iter(self.all(*names)), "")


def about_page(root: Element, url: str) -> tuple[str, About]:
    """Return the title and the rest; JSON-LD goes before the page's own tags.

    Args:
        root: The whole tree, before anything was dropped.
        url: Where the page was found.
    """
    said = _Said()
    for node in _linked_data(root):
        _hear_data(said, node)
    for meta in root.iter("meta"):
        name = meta.get("property") or meta.get("name") or meta.get("itemprop") or ""
        said.add(name, meta.get("content"))
    _hear_tags(said, root)
    site = said.first("ld:site", *_SITE)
    authors = [name for name in said.all("ld:author", *_AUTHOR, "tag:author") if "://" not in name]
    date = _date(said.first("ld:date", *_DATE, "tag:time"))
    about = About(", ".join(authors)[:MAX_FIELD], date, site, _canonical(root, url))
    return _title(said, root, site), about


def _linked_data(root: Element) -> Iterator[dict[str, Any]]:
    """Give the objects of JSON-LD that describe a work."""
    for script in root.xpath("//script[@type='application/ld+json']"):
        try:
            data = json.loads(script.text or "", strict=False)
        except (ValueError, RecursionError):
            continue
        nodes = data if isinstance(data, list) else [data]
        for node in nodes:
            graph = node.get("@graph", [node]) if isinstance(node, dict) else []
            yield from (each for each in graph if isinstance(each, dict) and _is_work(each))


def _is_work(node: dict[str, Any]) -> bool:
    kinds = node.get("@type", "")
    return any(re.search(r"Article|Posting|WebPage|Report|Book|Recipe|Course", str(kind)) for kind in _listed(kinds))


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _hear_data(said: _Said, node: dict[str, Any]) -> None:
    said.add("ld:title", node.get("headline"))
    said.add("ld:date", node.get("datePublished"))
    for author in _listed(node.get("author")):
        said.add("ld:author", author.get("name") if isinstance(author, dict) else author)
    publisher = node.get("publisher")
    if isinstance(publisher, dict):
        said.add("ld:site", publisher.get("name"))


def _hear_tags(said: _Said, root: Element) -> None:
    for element in root.xpath("//*[@rel='author' or @itemprop='author'][not(self::meta)]")[:3]:
        said.add("tag:author", element.text_content())
    for element in root.xpath("//time[@datetime]")[:1]:
        said.add("tag:time", element.get("datetime"))
    for element in root.xpath("//*[@itemprop='datePublished'][@datetime or @content]")[:1]:
        said.add("datepublished", element.get("datetime") or element.get("content"))


def _title(said: _Said, root: Element, site: str) -> str:
    """Choose a title: a declared one, unless it only names the site; then the page's, without the site's name."""
    declared = said.first("ld:title", *_TITLE)
    if declared and declared != site:
        return declared
    headings = root.xpath("//h1")
    heading = " ".join(headings[0].text_content().split()) if len(headings) == 1 else ""
    named = " ".join((root.findtext(".//title") or "").split())
    if site and named.endswith(site):
        named = named.removesuffix(site).rstrip(" |—–·•»:-") or named
    elif heading and _SUFFIX.sub("", named) == heading:
        named = heading
    return (named or heading)[:MAX_FIELD]


def _date(text: str) -> str:
    """Give an ISO date, or a year, or ""."""
    if russian := _RUSSIAN.match(text):
        day, month, year = russian.groups()
    elif iso := _ISO.match(text):
        year, month, day = iso.groups()
    else:
        return ""
    if not (month and day):
        return str(year)
    return f"{year}-{int(month):02}-{int(day):02}" if int(month) <= 12 and int(day) <= 31 else str(year)


def _canonical(root: Element, url: str) -> str:
    """Give the address a page names as its own, when it is one of the same site and not merely its front page."""
    for link in root.xpath("//link[@rel='canonical'][@href]"):
        try:
            named = urljoin(url, str(link.get("href")).strip())
            ours, theirs = urlsplit(url), urlsplit(named)
        except ValueError:
            continue
        front = theirs.path in ("", "/") and ours.path not in ("", "/")
        if theirs.scheme in ("http", "https") and _site(theirs.hostname) == _site(ours.hostname) and not front:
            return "" if named == url else named
    return ""


def _site(host: str | None) -> str:
    """Give the last two labels: enough to tell another site from a subdomain."""
    return ".".join((host or "").split(".")[-2:])
