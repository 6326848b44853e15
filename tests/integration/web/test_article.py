"""What is made of a page: the article with its shape, what it says of itself, and what is no article at all."""

from contextlib import suppress
from pathlib import Path

import pytest

from core.adapters.web.article import read_article
from core.adapters.web.page_levels import article_of
from core.adapters.web.page_tree import decode_page
from core.errors import PermanentError, UserError
from core.model.document import Document
from tests.fakes.hostile_site import ARTICLE

URL = "https://site.test/baikal?page=1"

PAGE = f"""<!doctype html><html><head><title>Озеро Байкал | Энциклопедия</title>
<meta property="og:site_name" content="Энциклопедия"><meta name="author" content="Анна Лимнова">
<meta property="article:published_time" content="2021-03-05T10:00:00+03:00">
<link rel="canonical" href="/baikal"><script>var x = "<p>не текст</p>"</script></head><body>
<div id="cookie-banner">Мы используем cookie. <button>Принять</button></div>
<nav><ul><li><a href="/">Главная</a></li><li><a href="/all">Все статьи</a></li></ul></nav>
<article><h1>Озеро Байкал</h1><p>{ARTICLE}</p>
<h2>Реки</h2><ul><li>впадают<ul><li>Селенга</li><li>Баргузин</li></ul></li><li>вытекает Ангара</li></ul>
<ol><li>первое</li><li>второе</li></ol>
<h2>Числа</h2><table><caption>Размеры</caption><tr><th>Что</th><th>Сколько</th></tr>
<tr><td rowspan="2">глубина</td><td>1642 м</td></tr><tr><td>744 | средняя</td></tr></table>
<p>Объём около 23615<sup>3</sup> и <a href="/x">ссылка</a> на <code>sin(x)</code><sup class="reference"><a>7</a>
</sup>.
<span class="mwe-math-element"><span style="display: none"><math alttext="x"><semantics><mi>x</mi>
<annotation encoding="application/x-tex">{{\\displaystyle x^2}}</annotation></semantics></math></span><img></span></p>
<pre>def f():
    return 1</pre><blockquote>Славное море.</blockquote>
<p hidden>тайное</p><p style="display:none">спрятанное</p><p>Кон&shy;ец {ARTICLE}</p></article>
<aside><h3>Читайте также</h3><a href="/1">Каспий</a> <a href="/2">Ладога</a></aside>
<footer>© 2026 Все права защищены</footer></body></html>"""


def read(page: str, url: str = URL) -> Document:
    return read_article(page, url)


def test_an_article_keeps_its_shape() -> None:
    text = read(PAGE).text

    for block in (
        "# Озеро Байкал\n\nОзеро Байкал находится",
        "## Реки\n\n- впадают\n  - Селенга\n  - Баргузин\n- вытекает Ангара",
        "1. первое\n2. второе",
        "Размеры\n\n| Что | Сколько |\n| --- | --- |\n| глубина | 1642 м |\n| глубина | 744 \\| средняя |",
        "Объём около 23615^3 и ссылка на `sin(x)`. $x^2$",
        "```\ndef f():\n    return 1\n```",
        "> Славное море.",
        "\n\nКонец Озеро",
    ):
        assert block in text


def test_what_stands_around_an_article_is_not_in_it() -> None:
    text = read(PAGE).text

    for word in ("cookie", "Главная", "тайное", "спрятанное", "Каспий", "©", "не текст", "^7", "displaystyle"):
        assert word not in text


def test_a_page_says_who_wrote_it_when_and_where() -> None:
    document = read(PAGE)

    assert document.title == "Озеро Байкал"
    assert (document.about.author, document.about.published) == ("Анна Лимнова", "2021-03-05")
    assert (document.about.site, document.about.url) == ("Энциклопедия", "https://site.test/baikal")


def test_linked_data_goes_before_tags() -> None:
    data = (
        '<script type="application/ld+json">{"@graph":[{"@type":"NewsArticle","headline":"Заголовок",'
        '"author":[{"@type":"Person","name":"Иван"},{"name":"Пётр"}],"datePublished":"2020-01-02"}]}</script>'
        '<script type="application/ld+json">{broken</script>'
    )

    document = read(PAGE.replace("<head>", f"<head>{data}"))

    assert (document.title, document.about.author) == ("Заголовок", "Иван, Пётр")
    assert document.about.published == "2020-01-02"


@pytest.mark.parametrize("href", ["https://evil.test/baikal", "/", "javascript:alert(1)", "http://[::1"])
def test_a_canonical_address_of_another_place_is_not_believed(href: str) -> None:
    assert read(PAGE.replace('href="/baikal"', f'href="{href}"')).about.url == ""


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "utf-8", "utf-16"])
def test_an_encoding_that_nobody_declares_is_found(encoding: str) -> None:
    document = read(decode_page(PAGE.replace("&shy;", "").encode(encoding)))

    assert "Озеро Байкал находится" in document.text


def test_a_false_declaration_does_not_spoil_the_text() -> None:
    page = PAGE.replace("<head>", '<head><meta charset="windows-1251">')

    assert "Озеро Байкал находится" in read(decode_page(page.encode())).text


def test_a_page_of_short_lines_is_taken_whole() -> None:
    rows = "".join(f"<tr><td>Город {n}</td><td>{n} км</td></tr>" for n in range(60))

    text = read(f"<title>Расстояния</title><body><table>{rows}</table>").text

    assert "| Город 59 | 59 км |" in text


def test_a_table_that_arranges_a_page_falls_apart() -> None:
    page = f"<title>Старый сайт</title><body><table><tr><td><p>{ARTICLE}</p></td><td><h2>Ниже</h2>да</td></tr></table>"

    text = read(page).text

    assert ARTICLE in text
    assert "| ---" not in text


JUNK = {
    "captcha": [
        ("Just a moment...", "<h1>site.test</h1><p>Verifying you are human. This may take a few seconds.</p>"),
        ("Ой!", "<p>Подтвердите, что запросы отправляли вы, а не робот</p>"),
        ("DDoS-Guard", "<p>Checking your browser before accessing site.test</p>"),
        ("site", "<div><script src='https://challenges.cloudflare.com/turnstile/v0/api.js'></script>Подождите</div>"),
    ],
    "login": [
        ("Вход", "<form><p>Войдите, чтобы продолжить чтение</p><input type=password><a>Забыли пароль?</a></form>"),
        ("Doc", "<p>Sign in to continue to Google Docs</p>"),
        ("Статья", "<p>Полный текст доступен только подписчикам. Необходимо авторизоваться на сайте журнала.</p>"),
    ],
    "not-found": [
        ("404 — Страница не найдена", "<p>Возможно, она переехала. Вернитесь на главную страницу сайта.</p>"),
        ("Сайт", "<h1>Страница не найдена</h1><p>Попробуйте поиск по нашему сайту, чтобы найти нужное.</p>"),
        ("Page not found", "<p>Sorry, we could not find what you are looking for on this server.</p>"),
    ],
    "parked": [("site.test", "<p>This domain is for sale! Buy this domain today and start your project.</p>")],
    "script-needed": [("App", "<div id=root></div><p>You need to enable JavaScript to run this app.</p>")],
    "cookie-banner": [
        ("Site", "<p>We use cookies to improve your experience. By clicking Accept all you consent to all cookies.</p>")
    ],
    "empty": [("", ""), ("x", "<div id=root></div>"), ("x", "<p>. . .</p>")],
}


@pytest.mark.parametrize(("code", "title", "body"), [(code, *page) for code, pages in JUNK.items() for page in pages])
def test_what_stands_in_an_articles_place_is_named(code: str, title: str, body: str) -> None:
    with pytest.raises(PermanentError) as caught:
        read(f"<html><head><title>{title}</title></head><body>{body}</body></html>")

    assert caught.value.values == {"code": code}
    assert caught.value.text_key.startswith("link-")


@pytest.mark.parametrize(
    "about",
    ["Капча и проверка, что вы не робот: как это устроено.", "Ошибка 404: откуда она взялась.",
     "Мы используем cookie на каждом сайте.", "Войдите, чтобы увидеть: история паролей."],
)  # fmt: skip
def test_an_article_about_such_things_is_an_article(about: str) -> None:
    page = f"<title>{about}</title><body><article><h1>{about}</h1><p>{about} {ARTICLE}</p><p>{ARTICLE}</p></article>"

    assert about in read(page).text


def test_a_short_note_is_an_article_too() -> None:
    assert "завтра в десять" in read("<title>Заметка</title><body><p>Экзамен будет завтра в десять утра.</p>").text


POST = """<div class="tgme_widget_message_wrap"><div class="tgme_widget_message js-widget_message" data-post="c/{n}">
<div class="tgme_widget_message_author"><a class="tgme_widget_message_owner_name"><span>Физика</span></a>
<span class="tgme_widget_message_from_author">Пётр Капица</span></div>
<a class="tgme_widget_message_reply"><div class="tgme_widget_message_text">на что отвечают</div></a>
<div class="tgme_widget_message_text js-message_text">Первая строка {n}.<br/><br/>Вторая <b>строка</b> с
<a href="https://x.test">ссылкой</a>.</div><a class="tgme_widget_message_date">
<time datetime="2024-05-0{n}T10:00:00+00:00">10:00</time></a></div></div>"""


def test_a_post_of_a_channel_is_read_with_author_and_date() -> None:
    document = read(f"<html><body>{POST.format(n=1)}</body></html>", "https://t.me/c/1?embed=1&mode=tme")

    assert document.text == "Первая строка 1.\n\nВторая строка с ссылкой."
    assert document.title == "Первая строка 1."
    about = document.about
    assert (about.author, about.published, about.site) == ("Пётр Капица", "2024-05-01", "Физика")


def test_a_channel_is_its_last_posts() -> None:
    document = read(f"<html><body>{POST.format(n=1)}{POST.format(n=2)}</body></html>", "https://t.me/s/c")

    assert document.title == "Физика"
    assert document.text.startswith("## 2024-05-01\n\nПервая строка 1.")
    assert "## 2024-05-02\n\nПервая строка 2." in document.text


def test_a_post_that_is_gone_is_not_found() -> None:
    with pytest.raises(UserError, match="link-not-found"):
        read('<div class="tgme_widget_message_error">Post not found</div>', "https://t.me/c/9?embed=1")


async def test_it_all_happens_in_a_child(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(PAGE.encode("cp1251", errors="ignore"))

    document = await article_of(path, URL, lambda _done, _total: None, cut=True)

    assert "Озеро Байкал находится" in document.text
    assert [lost.text_key for lost in document.lost] == ["lost-page-end"]


@pytest.mark.parametrize(
    "page", ["<div>" * 20_000, "<a " * 50_000, "<!--" * 50_000, "&#" * 50_000, "<table><tr>" * 5_000]
)
async def test_a_page_that_attacks_the_parser_harms_nobody(tmp_path: Path, page: str) -> None:
    path = tmp_path / "page.html"
    path.write_bytes((f"<p>{ARTICLE}</p>" + page).encode())

    with suppress(PermanentError):
        document = await article_of(path, URL, lambda _done, _total: None)
        assert ARTICLE in document.text
