"""Addresses and pages in general."""

import contextlib
import ipaddress

from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from core.adapters.web.addresses import is_public
from core.adapters.web.file_names import MAX_NAME, file_name
from core.adapters.web.junk import Seen, junk
from core.adapters.web.markdown import to_markdown
from core.adapters.web.special import special_address
from core.errors import UserError
from core.ingest.text_changes import SHOWN, changes
from core.library.web_links import canonical_page

V4 = st.ip_addresses(v=4)
WORDS = st.text(alphabet="абвгдabc \n#|`*>-", max_size=40)
LINKS = st.one_of(
    st.from_regex(
        r"https?://[a-zа-я0-9.-]{1,30}(:\d{1,5})?(/[a-zA-Zа-я0-9_%.~+-]{0,12}){0,4}(\?[a-z_=&%0-9а-я]{0,30})?",
        fullmatch=True,
    ),
    st.sampled_from(
        ["https://t.me/durov/142", "https://docs.google.com/document/d/1AbCdEfGhIjKlMnOpQrStUvWxYz/edit#heading=h.1",
         "https://arxiv.org/abs/2301.12345v2", "https://doi.org/10.1000/ABC%2Fd", "https://www.dropbox.com/s/abc/x.pdf?dl=0",
         "https://disk.yandex.ru/i/abc", "https://github.com/a/b/blob/main/x y.md", "https://ru.m.wikipedia.org/wiki/Лек#x"]
    ),
)  # fmt: skip


@given(V4)
def test_whatever_carries_an_address_is_as_public_as_it(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    carriers = [
        ipaddress.IPv6Address((0xFFFF << 32) | number),
        ipaddress.IPv6Address((0x64FF9B << 96) | number),
        ipaddress.IPv6Address((0x2002 << 112) | (number << 80)),
    ]

    assert {is_public(str(carrier)) for carrier in carriers} == {is_public(str(address))}


@given(st.ip_addresses())
def test_nothing_is_public_that_the_library_calls_private(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if is_public(str(address)):
        assert not address.is_loopback
        assert not address.is_link_local
        assert not address.is_multicast
        assert not address.is_unspecified
        assert not (isinstance(address, ipaddress.IPv4Address) and address.is_private)


@given(LINKS)
def test_one_spelling_is_its_own_spelling(link: str) -> None:
    with contextlib.suppress(UserError):
        once = canonical_page(link)
        assert canonical_page(once) == once
        assert once.isascii()


@given(LINKS)
def test_a_special_address_is_its_own_special_address(link: str) -> None:
    with contextlib.suppress(UserError):
        once = special_address(link)
        assert special_address(once) == once


@given(st.text(max_size=60))
def test_any_text_is_a_link_or_a_refusal(text: str) -> None:
    for address in (text, f"https://{text}", f"https://site.test/{text}", f"https://t.me/{text}"):
        with contextlib.suppress(UserError):
            canonical_page(address)
        with contextlib.suppress(UserError):
            special_address(address)


@given(st.binary(max_size=300), st.text(max_size=60))
def test_a_file_name_is_one_name(header: bytes, path: str) -> None:
    for disposition in (header, b"attachment; filename*=UTF-8''" + header, b'attachment; filename="' + header + b'"'):
        name = file_name(disposition, f"https://site.test/{path}")

        assert not set(name) & set("/\\\0\n")
        assert len(name) <= MAX_NAME
        assert name not in (".", "..")


@given(st.lists(st.tuples(st.sampled_from(["p", "h2", "li", "td", "blockquote", "pre", "b"]), WORDS), max_size=8))
def test_every_word_of_a_page_stays(parts: list[tuple[str, str]]) -> None:
    root = html.Element("div")
    for tag, text in parts:
        parent = root
        for outer in {"li": ["ul"], "td": ["table", "tr"]}.get(tag, []):
            parent = html.etree.SubElement(parent, outer)
        html.etree.SubElement(parent, tag).text = text

    found = to_markdown(root)

    letters = [character for _, text in parts for character in text if character.isalpha()]
    assert [character for character in found if character.isalpha()] == letters


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_page_is_judged(title: str, text: str) -> None:
    assert junk(Seen(title, text, text, text)) in (
        "", "captcha", "not-found", "login", "parked", "script-needed", "cookie-banner", "empty",
    )  # fmt: skip


PARAGRAPHS = st.lists(st.text(alphabet="аб ", min_size=1, max_size=4).filter(str.strip), max_size=8)


@given(PARAGRAPHS, PARAGRAPHS)
def test_changes_balance(old: list[str], new: list[str]) -> None:
    found = changes("\n\n".join(old), "\n\n".join(new))

    assert len(old) - found.removed + found.added == len(new)
    assert len(found.first_added) == min(SHOWN, found.added)
    assert not changes("\n\n".join(old), "\n \n".join(reversed(old))).any
