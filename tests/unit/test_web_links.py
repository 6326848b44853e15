"""Addresses: one spelling each, and where the text behind them is."""

import pytest

from core.adapters.web.papers import cited_pdf, paper_pdf
from core.adapters.web.special import special_address
from core.errors import UserError
from core.ingest.text_changes import changes
from core.library.links import parse_link
from core.library.paper_links import arxiv_id, doi_of
from core.library.web_links import canonical_page
from core.model.source import SourceKind

DOC = "1AbCdEfGhIjKlMnOpQrStUvWxYz"


@pytest.mark.parametrize(
    ("address", "canonical"),
    [
        ("HTTPS://Site.TEST", "https://site.test/"),
        ("https://site.test./a#part", "https://site.test/a"),
        ("http://site.test:80/a", "http://site.test/a"),
        ("https://site.test:443/a", "https://site.test/a"),
        ("http://site.test:8080/a", "http://site.test:8080/a"),
        ("https://site.test/a?utm_source=x&b=2&a=1&yclid=9&ysclid=z&fbclid=q&gclid=w", "https://site.test/a?b=2&a=1"),
        ("https://site.test/a?utm_source=x", "https://site.test/a"),
        ("https://site.test/a?id=%D0%B0&q=а б".replace(" ", "%20"), "https://site.test/a?id=%D0%B0&q=%D0%B0%20%D0%B1"),
        ("https://пример.рф/путь", "https://xn--e1afmkfd.xn--p1ai/%D0%BF%D1%83%D1%82%D1%8C"),
        ("https://ru.m.wikipedia.org/wiki/Лёд", "https://ru.wikipedia.org/wiki/%D0%9B%D1%91%D0%B4"),
        ("http://1.1.1.1/a", "http://1.1.1.1/a"),
        ("http://[2606:4700:0:0::1111]/", "http://[2606:4700::1111]/"),
        ("https://arxiv.org/pdf/2301.12345v2.pdf", "https://arxiv.org/abs/2301.12345v2"),
        ("https://doi.org/10.48550/arXiv.2301.12345", "https://arxiv.org/abs/2301.12345"),
        ("http://dx.doi.org/10.1000/ABC", "https://doi.org/10.1000/abc"),
    ],
)  # fmt: skip
def test_an_address_has_one_spelling(address: str, canonical: str) -> None:
    assert canonical_page(address) == canonical


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "file:///etc/passwd", "ftp://site.test/", "data:text/html,x", "http://redis:6379/", "http://localhost/",
     "http://user:password@site.test/", "http://user@site.test/", "http://site.test:99999/", "http://[::1", "http:///a",
     "http://2130706433/", "http://site.test\\@evil.test/", "http://a b.test/", "http://-.test/", "http://site..test/",
     "http://" + "a" * 64 + ".test/", "http://site.test/\n", "http://site.test/" + "a" * 5000, "", "site", "http://\ud800.test/"],
)  # fmt: skip
def test_w1_what_is_no_address_of_the_internet_is_refused(address: str) -> None:
    with pytest.raises(UserError, match="link-invalid"):
        canonical_page(address.replace("\n", "\na"))


def test_a_link_is_known_by_its_canonical_address() -> None:
    link = parse_link("Site.test/a?utm_medium=x")

    assert (link.kind, link.canonical) == (SourceKind.WEB, "https://site.test/a")


@pytest.mark.parametrize(
    ("address", "paper"),
    [
        ("https://arxiv.org/abs/2301.12345", "2301.12345"),
        ("http://www.arxiv.org/abs/2301.12345v3", "2301.12345v3"),
        ("https://arxiv.org/pdf/2301.12345", "2301.12345"),
        ("https://arxiv.org/pdf/2301.12345v1.pdf", "2301.12345v1"),
        ("https://arxiv.org/html/2301.12345v1/", "2301.12345v1"),
        ("https://export.arxiv.org/abs/0704.0001", "0704.0001"),
        ("https://arxiv.org/abs/hep-th/9901001v2", "hep-th/9901001v2"),
        ("https://arxiv.org/pdf/math.GT/0309136", "math.GT/0309136"),
        ("https://doi.org/10.48550/ARXIV.2301.12345", "2301.12345"),
        ("https://arxiv.org/list/cs.CL/recent", ""),
        ("https://arxiv.org/abs/../../etc", ""),
        ("https://arxiv.org.evil.test/abs/2301.12345", ""),
        ("https://evil.test/arxiv.org/abs/2301.12345", ""),
    ],
)
def test_a_paper_of_arxiv_is_known_by_any_of_its_addresses(address: str, paper: str) -> None:
    assert arxiv_id(address) == paper
    assert paper_pdf(address) == (f"https://arxiv.org/pdf/{paper}" if paper else "")


def test_a_doi_has_no_case_and_may_be_escaped() -> None:
    assert doi_of("https://DOI.org/10.1002/(SICI)1097%2D4571") == "10.1002/(sici)1097-4571"
    assert doi_of("https://doi.org/about") == ""
    assert doi_of("https://site.test/10.1002/x") == ""


@pytest.mark.parametrize(
    ("address", "special"),
    [
        (f"https://docs.google.com/document/d/{DOC}/edit?usp=sharing", f"https://docs.google.com/document/d/{DOC}/export?format=docx"),
        (f"https://docs.google.com/document/u/0/d/{DOC}/", f"https://docs.google.com/document/d/{DOC}/export?format=docx"),
        (f"https://docs.google.com/spreadsheets/d/{DOC}/edit#gid=0", f"https://docs.google.com/spreadsheets/d/{DOC}/export?format=xlsx"),
        (f"https://docs.google.com/presentation/d/{DOC}/view", f"https://docs.google.com/presentation/d/{DOC}/export/pptx"),
        (f"https://docs.google.com/document/d/e/2PACX-{DOC}/pub", f"https://docs.google.com/document/d/e/2PACX-{DOC}/pub"),
        (f"https://drive.google.com/file/d/{DOC}/view", f"https://drive.usercontent.google.com/download?id={DOC}&export=download&confirm=t"),
        (f"https://drive.google.com/open?id={DOC}", f"https://drive.usercontent.google.com/download?id={DOC}&export=download&confirm=t"),
        ("https://www.dropbox.com/scl/fi/a/b.pdf?rlkey=x&dl=0", "https://www.dropbox.com/scl/fi/a/b.pdf?rlkey=x&dl=1"),
        ("https://github.com/a/b/blob/main/docs/x.md", "https://raw.githubusercontent.com/a/b/main/docs/x.md"),
        ("https://github.com/a/b", "https://github.com/a/b"),
        ("https://t.me/durov/142", "https://t.me/durov/142?embed=1&mode=tme"),
        ("https://t.me/s/durov/142?single", "https://t.me/durov/142?embed=1&mode=tme"),
        ("https://t.me/group/5/142", "https://t.me/group/142?embed=1&mode=tme"),
        ("https://t.me/durov", "https://t.me/s/durov"),
        ("https://arxiv.org/abs/2301.12345", "https://arxiv.org/pdf/2301.12345"),
        ("https://site.test/a#b", "https://site.test/a"),
    ],
)  # fmt: skip
def test_the_text_of_a_special_link_is_elsewhere(address: str, special: str) -> None:
    assert special_address(address) == special


@pytest.mark.parametrize("address", ["https://t.me/c/1234/5", "https://t.me/+AbCd", "https://t.me/joinchat/AbCd"])
def test_a_post_of_a_closed_chat_is_refused_with_its_own_words(address: str) -> None:
    with pytest.raises(UserError, match="link-telegram-closed"):
        special_address(address)


@pytest.mark.parametrize(
    ("page", "pdf"),
    [
        ('<meta name="citation_pdf_url" content="/a.pdf">', "https://j.test/a.pdf"),
        ("<META CONTENT='https://c.test/x?a=1&amp;b=2' NAME='citation_pdf_url'/>", "https://c.test/x?a=1&b=2"),
        ('<meta name="citation_pdf_url" content="javascript:alert(1)">', ""),
        ('<meta name="citation_pdf_url" content="file:///etc/passwd">', ""),
        ('<meta name="citation_title" content="citation_pdf_url">', ""),
        ("<meta " * 10_000, ""),
    ],
)
def test_a_publisher_names_the_paper(page: str, pdf: str) -> None:
    assert cited_pdf(page.encode(), "https://j.test/article/1") == pdf


def test_what_changed_is_told_by_paragraphs() -> None:
    found = changes("Один.\n\nДва.\n\nТри.", "Один.\n\nДва  с половиной.\n\nТри.\n\nЧетыре.")

    assert (found.added, found.removed, found.first_added) == (2, 1, ("Два  с половиной.", "Четыре."))
    assert not changes("Один.\n\nДва.", "Один.\n\n\n Два. ").any
