"""Links whose text lies at another address than the one that people copy: documents, files, posts, papers."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from core.adapters.web.papers import paper_pdf
from core.errors import UserError
from core.library.web_links import canonical_page

YANDEX_DOWNLOAD = "https://cloud-api.yandex.net/v1/disk/public/resources/download?"
# Answers JSON whose `href` leads to the file.

_GOOGLE_DOCS = re.compile(r"/(document|spreadsheets|presentation)/(?:u/\d/)?d/([\w-]{20,100})(?:/.*)?")
_GOOGLE_EXPORT = {
    "document": "export?format=docx",
    "spreadsheets": "export?format=xlsx",
    "presentation": "export/pptx",
}
_GOOGLE_FILE = re.compile(r"/file/(?:u/\d/)?d/([\w-]{20,100})(?:/.*)?")
_YANDEX_PATH = re.compile(r"/(?:[id]/[\w-]+|public/?)")
_TELEGRAM_POST = re.compile(r"/(?:s/)?([A-Za-z]\w{3,31})(?:/\d+)?/(\d+)/?")
_TELEGRAM_CHANNEL = re.compile(r"/(?:s/)?([A-Za-z]\w{3,31})/?")
_GITHUB_FILE = re.compile(r"/([\w.-]+)/([\w.-]+)/(?:blob|raw)/(.+)")
_TELEGRAM_CLOSED = re.compile(r"/(?:\+|joinchat/|c/|addlist/|proxy|login|share/|addstickers/|addemoji/).*")


def special_address(url: str) -> str:
    """Give the address at which the text behind a link is; the canonical address itself where nothing is special.

    Pure, and stable: what it returned it returns unchanged.

    Raises:
        UserError: `link-invalid`; `link-telegram-closed` for a post or chat that only its members see.
    """
    canonical = canonical_page(url)
    if pdf := paper_pdf(canonical):
        return pdf
    host = (urlsplit(canonical).hostname or "").removeprefix("www.")
    rule = _RULES.get(host)
    return rule(canonical) or canonical if rule else canonical


def _google_docs(url: str) -> str:
    found = _GOOGLE_DOCS.fullmatch(urlsplit(url).path)
    if not found or "/export" in url:
        return ""
    return f"https://docs.google.com/{found[1]}/d/{found[2]}/{_GOOGLE_EXPORT[found[1]]}"


def _google_drive(url: str) -> str:
    parts = urlsplit(url)
    found = _GOOGLE_FILE.fullmatch(parts.path)
    named = dict(parse_qsl(parts.query)).get("id", "") if parts.path in ("/open", "/uc") else ""
    file = found[1] if found else named
    return f"https://drive.usercontent.google.com/download?id={quote(file)}&export=download&confirm=t" if file else ""


def _yandex_disk(url: str) -> str:
    return YANDEX_DOWNLOAD + urlencode({"public_key": url}) if _YANDEX_PATH.match(urlsplit(url).path) else ""


def _dropbox(url: str) -> str:
    parts = urlsplit(url)
    if not re.match(r"/(?:s|scl)/", parts.path):
        return ""
    query = [(name, value) for name, value in parse_qsl(parts.query) if name not in ("dl", "raw")]
    return urlunsplit(parts._replace(query=urlencode([*query, ("dl", "1")])))


def _github(url: str) -> str:
    found = _GITHUB_FILE.fullmatch(urlsplit(url).path)
    return f"https://raw.githubusercontent.com/{found[1]}/{found[2]}/{found[3]}" if found else ""


def _telegram(url: str) -> str:
    path = urlsplit(url).path
    if _TELEGRAM_CLOSED.fullmatch(path):
        raise UserError("link-telegram-closed")
    if post := _TELEGRAM_POST.fullmatch(path):
        return f"https://t.me/{post[1]}/{post[2]}?embed=1&mode=tme"
    channel = _TELEGRAM_CHANNEL.fullmatch(path)
    return f"https://t.me/s/{channel[1]}" if channel else ""


_RULES: dict[str, Callable[[str], str]] = {
    "docs.google.com": _google_docs,
    "drive.google.com": _google_drive,
    "disk.yandex.ru": _yandex_disk,
    "disk.yandex.com": _yandex_disk,
    "disk.360.yandex.ru": _yandex_disk,
    "yadi.sk": _yandex_disk,
    "dropbox.com": _dropbox,
    "github.com": _github,
    "t.me": _telegram,
    "telegram.me": _telegram,
}
