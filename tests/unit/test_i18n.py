"""Every text a person reads is there, in every locale, and cannot be broken by a value."""

import ast
import html
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import FluentParser
from fluent.syntax import ast as ftl
from fluent.syntax.visitor import Visitor

from bot.i18n import FOLDER, LAST_RESORT, LOCALES, Html, MissingText, Texts, language_name, pick_locale
from bot.sandbox.html_entities import parse_html
from core.model.source import Outcome, SourceKind, SourceState, Stage

ROOT = Path(__file__).parents[2]
PACKAGES = ("core", "bot", "workers")
KEY = re.compile(r"[a-z0-9_]+(?:-[a-z0-9_]+)+|example|start|help|privacy|refusal|cancelled")
SAYING = {"t", "plain", "error_view", "error_toast", "group_hint_view", "notebook_said_view"}
REFUSAL = re.compile(r"(?:Error|Failed|Timeout|Limited|OutOfMemory|^Reason|^NotYet)$")
QUIET_SIGNS = set("✔≈✖📄•‹›·…—–“”«»’")


class Uses(Visitor):
    """The variables and messages that a message names."""

    def __init__(self) -> None:
        self.variables: set[str] = set()
        self.messages: set[str] = set()

    def visit_VariableReference(self, node: ftl.VariableReference) -> None:
        self.variables.add(node.id.name)

    def visit_MessageReference(self, node: ftl.MessageReference) -> None:
        self.messages.add(node.id.name)


def read_messages(locale: str) -> dict[str, ftl.Message]:
    files = sorted((FOLDER / locale).glob("*.ftl"))
    parsed = FluentParser().parse("\n".join(file.read_text(encoding="utf-8") for file in files))
    junk = [entry.content for entry in parsed.body if isinstance(entry, ftl.Junk)]
    assert not junk, junk
    return {entry.id.name: entry for entry in parsed.body if isinstance(entry, ftl.Message)}


MESSAGES = {locale: read_messages(locale) for locale in LOCALES}


def variables(locale: str, key: str) -> set[str]:
    uses = Uses()
    uses.visit(MESSAGES[locale][key])
    return uses.variables.union(*(variables(locale, other) for other in uses.messages))


def literals(locale: str) -> Iterator[tuple[str, str]]:
    """Every piece of wording with its key."""

    class Pieces(Visitor):
        def __init__(self) -> None:
            self.found: list[str] = []

        def visit_TextElement(self, node: ftl.TextElement) -> None:
            self.found.append(node.value)

    for key, message in MESSAGES[locale].items():
        pieces = Pieces()
        pieces.visit(message)
        yield from ((key, piece) for piece in pieces.found)


@dataclass(frozen=True)
class Use:
    """A text named in the source, with the values given to it; None: not known from the source."""

    where: str
    key: str
    values: frozenset[str] | None


def uses_in_source() -> list[Use]:
    found: list[Use] = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "sandbox" in path.parts:
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    found += uses_in_call(node, str(path.relative_to(ROOT)))
    return found


def uses_in_call(call: ast.Call, path: str) -> Iterator[Use]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if not (
        name in SAYING
        or name in ("Reason", "NotYet")
        or re.search(r"(?:Error|Failed|Timeout|Limited|OutOfMemory)$", name)
    ):
        return
    for argument in call.args[:2]:
        for key in constants(argument):
            if KEY.fullmatch(key):
                yield Use(f"{path}:{call.lineno}", key, values_of(call, name))


def constants(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    return constants(node.body) + constants(node.orelse) if isinstance(node, ast.IfExp) else []


def values_of(call: ast.Call, name: str) -> frozenset[str] | None:
    if name in ("t", "plain"):
        names = [keyword.arg for keyword in call.keywords]
        return None if None in names else frozenset(name for name in names if name)
    if name == "notebook_said_view":
        return frozenset({"title"})
    if name in SAYING:
        return None
    given = call.args[1] if len(call.args) > 1 else None
    if given is None:
        return frozenset()
    if not isinstance(given, ast.Dict):
        return None
    return frozenset(key.value for key in given.keys if isinstance(key, ast.Constant) and isinstance(key.value, str))


USES = uses_in_source()
SAMPLE: dict[str, object] = {"outside": "x", "reason": "empty", "bytes": 5_000_000}


def sample_values(key: str, number: int = 5) -> dict[str, object]:
    numbers = {"count", "ready", "done", "total", "read", "searched", "used", "limit", "pages", "limit_mb", "page"}
    return {name: SAMPLE.get(name, number if name in numbers else "имя") for name in variables("ru", key)}


@pytest.fixture(scope="module")
def texts() -> Texts:
    return Texts.load(strict=True)


def test_all_locales_have_the_same_texts_with_the_same_values() -> None:
    first, *others = LOCALES
    for other in others:
        assert MESSAGES[first].keys() == MESSAGES[other].keys()
        for key in MESSAGES[first]:
            assert variables(first, key) == variables(other, key), key


def test_every_text_named_in_the_source_exists() -> None:
    missing = {f"{use.where}: {use.key}" for use in USES if use.key not in MESSAGES["ru"]}
    assert len(USES) > 100
    assert not missing


def test_every_text_gets_the_values_it_needs() -> None:
    short = [
        f"{use.where}: {use.key} lacks {variables('ru', use.key) - use.values}"
        for use in USES
        if use.values is not None and use.key in MESSAGES["ru"] and not variables("ru", use.key) <= use.values
    ]
    assert not short


def test_every_text_put_together_in_the_source_exists() -> None:
    families = [
        *(f"kind-{kind}" for kind in SourceKind),
        *(f"stage-{stage}" for stage in Stage if stage not in (Stage.DONE, Stage.INSIGHTS)),
        *(f"source-state-{state}" for state in SourceState if state is not SourceState.READING),
        *(f"attempt-{outcome}" for outcome in Outcome),
        *(f"language-{locale}" for locale in LOCALES),
        *(f"source-{reason}" for reason in quality_reasons()),
        *(f"{prefix}-{code}" for prefix in ("llm", "embeddings") for code in openai_codes()),
    ]
    assert [key for key in families if key not in MESSAGES["ru"]] == []


def quality_reasons() -> set[str]:
    """The codes that the quality gate's docstring promises."""
    text = (ROOT / "core/ingest/quality.py").read_text(encoding="utf-8")
    line = re.search(r'reason: "" when ok, else a short code: (.*)', text)
    assert line
    return set(re.findall(r"`([a-z-]+)`", line[1]))


def openai_codes() -> set[str]:
    """The codes that the translation of a service's errors promises in its docstring."""
    text = (ROOT / "core/adapters/openai_errors.py").read_text(encoding="utf-8")
    return set(re.findall(r"^    -([a-z-]+) ", text, re.MULTILINE))


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "Остался 1 запрос."),
        (2, "Осталось 2 запроса."),
        (5, "Осталось 5 запросов."),
        (11, "Осталось 11 запросов."),
        (12, "Осталось 12 запросов."),
        (19, "Осталось 19 запросов."),
        (21, "Остался 21 запрос."),
        (22, "Осталось 22 запроса."),
        (111, "Осталось 111 запросов."),
    ],
)
def test_russian_plurals_are_right(texts: Texts, count: int, said: str) -> None:
    assert texts("ru")("answer-prompts-left", count=count) == said


@pytest.mark.parametrize(
    ("used", "searched", "said"),
    [(1, 1, "По 1 из 1 источника."), (2, 5, "По 2 из 5 источников."), (5, 21, "По 5 из 21 источника.")],
)
def test_how_much_was_looked_at_agrees_in_case(texts: Texts, used: int, searched: int, said: str) -> None:
    assert texts("ru").plain("answer-footer", used=used, searched=searched) == said


def test_values_are_escaped_in_a_message_and_not_on_a_button(texts: Texts) -> None:
    t = texts("ru")
    assert "«&lt;b&gt; &amp; &quot;»" in t("notebook-switched", title='<b> & "')
    assert "<b> &" in t.plain("notebook-label", title="<b> &", count=1)


def test_what_is_html_already_is_not_escaped_again(texts: Texts) -> None:
    t = texts("en")
    inner = t("privacy-llm", service="<m>")
    assert isinstance(inner, Html)
    assert "&lt;m&gt;" in t("privacy", outside=inner)
    assert "&amp;lt;" not in t("privacy", outside=inner)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("number", [0, 1, 2, 5, 1234])
def test_every_text_is_whole_html_without_invisible_marks(texts: Texts, locale: str, number: int) -> None:
    for key in MESSAGES[locale]:
        said = texts(locale)(key, **sample_values(key, number))
        shown, _ = parse_html(said)
        assert shown.strip(), key
        assert not re.search("[\u2066-\u2069\u200b]", said), key
        assert len(shown) < 1500, key


@pytest.mark.parametrize("locale", LOCALES)
def test_texts_for_buttons_and_footers_hold_no_markup(texts: Texts, locale: str) -> None:
    plain = {use.key for use in USES if use.key.startswith(("button-", "answer-", "title-", "notebook-label"))}
    assert len(plain) > 20
    for key in plain:
        said = texts(locale).plain(key, **sample_values(key))
        assert said == html.unescape(said), key
        assert "<" not in said, key


@pytest.mark.parametrize("locale", LOCALES)
def test_texts_are_quiet_and_set_with_care(locale: str) -> None:
    for key, piece in literals(locale):
        assert "!" not in piece, key
        assert "..." not in piece, key
        assert '"' not in piece, key
        assert "  " not in piece.strip(), key
        assert " - " not in piece, key
        odd = {char for char in piece if ord(char) > 0x2000} - QUIET_SIGNS
        assert not odd, (key, odd)


@pytest.mark.parametrize("locale", LOCALES)
def test_texts_are_in_their_own_language(locale: str) -> None:
    foreign = re.compile(r"[а-яё]", re.I) if locale == "en" else re.compile(r"\b(?:the|and|your|is|of)\b", re.I)
    own_names = {"language-ru", "language-en"}
    assert [key for key, piece in literals(locale) if key not in own_names and foreign.search(piece)] == []


def test_a_callback_answer_fits_its_200_characters(texts: Texts) -> None:
    for key in ("error-generic", "error-stale", "asking-stopped", "asking-stop-too-late", "database-away"):
        assert len(texts("ru").plain(key)) <= 200


def test_a_missing_text_fails_a_test_but_never_a_person(texts: Texts) -> None:
    with pytest.raises(MissingText):
        texts("ru")("no-such-text")
    said = Texts.load()("ru")("no-such-text")
    assert said == texts("ru")("error-generic")


def test_a_text_that_one_locale_lacks_is_shown_in_another() -> None:
    bundles = {locale: FluentBundle([locale], use_isolating=False) for locale in LOCALES}
    bundles["ru"].add_resource(FluentResource("greeting = Здравствуйте"))
    assert Texts(bundles)("en")("greeting") == "Здравствуйте"


def test_not_even_the_fallback_is_needed() -> None:
    empty = Texts({locale: FluentBundle([locale]) for locale in LOCALES})
    assert empty("ru")("anything") == LAST_RESORT


def test_a_missing_value_fails_a_test_but_never_a_person(texts: Texts) -> None:
    with pytest.raises(MissingText):
        texts("ru")("notebook-deleted")
    assert "Блокнот" in Texts.load()("ru")("notebook-deleted")


@pytest.mark.parametrize(
    ("code", "locale"),
    [
        ("ru", "ru"),
        ("uk", "ru"),
        ("be", "ru"),
        ("kk", "ru"),
        ("ru-RU", "ru"),
        ("en", "en"),
        ("en-GB", "en"),
        ("pt_BR", "en"),
        ("de", "en"),
        ("", "ru"),
        (None, "ru"),
    ],
)
def test_the_locale_follows_the_messengers_language(code: str | None, locale: str) -> None:
    assert pick_locale(code) == locale


def test_an_unknown_locale_is_served_all_the_same(texts: Texts) -> None:
    assert texts("de").locale == "en"
    assert texts("uk").locale == "ru"


def test_languages_are_named_in_the_readers_words() -> None:
    assert language_name("ru", "en") == "английский"
    assert language_name("en", "ru") == "Russian"
    assert language_name("ru", "??") == "??"


def test_a_size_is_said_as_people_say_it(texts: Texts) -> None:
    assert texts("ru")("size-file", bytes=21_000_000) == "20\N{NO-BREAK SPACE}МБ"
    assert texts("en")("size-file", bytes=20_000) == "20\N{NO-BREAK SPACE}KB"


def test_texts_and_markdown_load_without_the_telegram_library() -> None:
    code = "import sys, bot.i18n, bot.rich_text; sys.exit('aiogram' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, timeout=60)
