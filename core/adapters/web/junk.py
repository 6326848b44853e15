"""Pages that are no article but something in its place: a check for robots, a login form, an error, a banner."""

from __future__ import annotations

import re
from dataclasses import dataclass

SHORT = 1500
# Characters: a page with more text than this is believed to be about captchas rather than to be one.

VERY_SHORT = 600
EMPTY = 25
# Letters and digits.

TEXT_KEYS = {"captcha": "link-captcha", "login": "link-login", "not-found": "link-not-found", "parked": "link-parked"}
# What the person is told; anything else is `link-empty`.

_I = re.IGNORECASE
_CAPTCHA_TITLE = re.compile(
    r"^(?:just a moment|attention required|ddos.?guard|один момент|вы не робот|access denied|доступ ограничен|"
    r"checking your browser|are you a robot|robot check|human verification|security check|pardon our interruption|"
    r"captcha|проверка браузера|проверяем браузер|ой!)",
    _I,
)
_CAPTCHA = re.compile(
    r"checking (?:your browser|if the site connection)|verif(?:y|ying) (?:that )?you are (?:a )?(?:human|not a robot)|"
    r"i.?m not a robot|я не робот|что (?:вы|это) не робот|отправляли вы, а не робот|"
    r"complete the (?:security check|captcha)|"
    r"unusual traffic from your|enable javascript and cookies to continue|введите (?:код|символы) с картинки|"
    r"проверка,? что вы (?:человек|не робот)|подтвердите, что (?:вы человек|запросы)",
    _I,
)
_CAPTCHA_MARK = re.compile(
    r"challenges\.cloudflare\.com|/cdn-cgi/challenge|_Incapsula_Resource|smartcaptcha|hcaptcha\.com", _I
)
_MISSING_TITLE = re.compile(
    r"(?:^|\W)404(?:\W|$)|(?:page|file) not found|^not found|страниц\w* не (?:найден|существует)|^не найдено|"
    r"ошибка 404|страница удалена|page (?:doesn.?t|does not) exist",
    _I,
)
_LOGIN = re.compile(
    r"войдите,? чтобы|необходимо (?:войти|авторизоваться)|авторизуйтесь|требуется авторизация|"
    r"(?:log|sign) ?in to (?:continue|your|view|see|read)|"
    r"(?:please|you must|you need to) (?:be )?(?:log|sign)(?:ged|ed)? ?in|"
    r"доступ\w* только (?:для )?(?:зарегистрированны|авторизованны|подписчик)|(?:for|to) subscribers only|"
    r"войти (?:в аккаунт|через)|забыли пароль|forgot (?:your )?password|subscribe to (?:continue|read)",
    _I,
)
_SCRIPT = re.compile(
    r"(?:enable|turn on|requires?|needs?) javascript|javascript (?:is |must be )?(?:required|disabled|enabled)|"
    r"включ\w+ (?:поддержку )?javascript|необходим\w? javascript|browser (?:is )?(?:not supported|out of date)|"
    r"ваш браузер (?:устарел|не поддерживается)",
    _I,
)
_COOKIE = re.compile(
    r"cookie|куки|consent|согласи|персональн|privacy|конфиденциальност|принять все|accept all|gdpr", _I
)
_PARKED = re.compile(
    r"domain (?:name )?(?:is |may be )?(?:for sale|parked)|buy this domain|"
    r"домен (?:прода[её]тся|припаркован|не привязан)|"
    r"купить (?:этот )?домен|срок регистрации домена|welcome to nginx|apache2 \w+ default page|^it works!|"
    r"account (?:has been )?suspended|сайт (?:временно )?(?:отключ[её]н|не настроен|заблокирован)",
    _I,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seen:
    """What is judged.

    Attributes:
        title: Of the page.
        text: The article's text.
        body: All that the page shows.
        source: The page's HTML.
        has_password: There is a field for one.
    """

    title: str
    text: str
    body: str = ""
    source: str = ""
    has_password: bool = False


def junk(seen: Seen) -> str:
    """Say what stands in an article's place; "" for an article.

    Returns:
        `captcha`, `not-found`, `login`, `parked`, `script-needed`, `cookie-banner` or `empty`.
    """
    if len(seen.text) >= SHORT:
        return ""
    shown = seen.body if len(seen.body) < SHORT else seen.text
    if _is_captcha(seen, shown):
        return "captcha"
    if _MISSING_TITLE.search(seen.title) or _MISSING_TITLE.search(shown[:200]):
        return "not-found"
    if _LOGIN.search(shown) and (seen.has_password or len(seen.text) < VERY_SHORT):
        return "login"
    return _empty_shell(seen, shown)


def _is_captcha(seen: Seen, shown: str) -> bool:
    if _CAPTCHA_TITLE.search(seen.title) and len(seen.text) < VERY_SHORT:
        return True
    return bool(_CAPTCHA.search(shown)) or (len(seen.text) < 250 and bool(_CAPTCHA_MARK.search(seen.source)))


def _empty_shell(seen: Seen, shown: str) -> str:
    """Tell pages that hold next to nothing from one another."""
    if _PARKED.search(shown):
        return "parked"
    if len(seen.text) < VERY_SHORT and _SCRIPT.search(shown):
        return "script-needed"
    if _mostly_about_cookies(seen.text):
        return "cookie-banner"
    return "empty" if sum(map(str.isalnum, seen.text)) < EMPTY else ""


def _mostly_about_cookies(text: str) -> bool:
    """Say whether more than half of what is said is said about cookies."""
    parts = [part for part in re.split(r"[.!?\n]+", text) if part.strip()]
    about = sum(len(part) for part in parts if _COOKIE.search(part))
    return bool(parts) and re.search("cookie|куки", text, _I) is not None and about > 0.5 * sum(map(len, parts))
