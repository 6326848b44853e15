"""What docs/playbooks.md promises is true: nothing is added by half, and documents speak of what is there."""

import importlib
import inspect
import json
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from aiogram.filters import Command, CommandStart

import core.adapters.extractors
import core.adapters.strategies
from bot.handlers import build_routers
from bot.i18n import LOCALES, Texts
from bot.menu import GROUP, PRIVATE
from core.adapters.strategies import STRATEGIES
from core.billing.plans import PLANS
from core.billing.quota import PRICES, Request
from core.jobs import JOBS, Job, QueueName, job_payload
from core.model.plan import PlanName
from core.model.source import SourceKind
from core.ports import ServiceExtractor
from core.settings import Settings
from workers.cli import ALONE
from workers.commands import COMMANDS
from workers.doctor import installed
from workers.jobs import FUNCTIONS
from workers.outside import build_outside

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


# A job


def test_every_job_has_one_function() -> None:
    assert set(JOBS) == set(get_args(Job)) == FUNCTIONS.keys()
    assert len(set(FUNCTIONS.values())) == len({job.name for job in JOBS}) == len(JOBS)


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_a_jobs_function_has_its_name_and_its_fields(job: type[Job]) -> None:
    function = FUNCTIONS[job]
    context, *parameters = inspect.signature(function).parameters
    hints = get_type_hints(function)
    assert function.__name__ == job.name
    assert context == "ctx"
    assert parameters == [field.name for field in fields(job)]
    assert {hints[name] for name in parameters} <= {int, str, bool}  # what JSON gives back


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_a_job_travels_as_json_and_is_one_with_its_equal(job: type[Job]) -> None:
    first, same, other = (job(*[number] * len(fields(job))) for number in (1, 1, 2))  # type: ignore[arg-type]
    assert job(**json.loads(json.dumps(job_payload(first)))) == first
    assert first.key == same.key != other.key
    assert first.key.startswith(f"{job.name}:")
    assert first.queue in QueueName


# A command


def commands() -> set[str]:
    """The commands that some router answers."""
    found: set[str] = set()
    for router in build_routers():
        for handler in router.message.handlers:
            for one in handler.filters or []:
                if isinstance(one.callback, Command) and not isinstance(one.callback, CommandStart):
                    found |= {str(name) for name in one.callback.commands}
    return found


def test_every_command_has_a_menu_text_in_every_locale() -> None:
    assert len(commands()) >= 8
    texts = Texts.load(strict=True)
    for locale in LOCALES:
        said = {name: texts(locale).plain(f"command-{name}") for name in commands()}
        assert all(said.values())
        assert len(set(said.values())) == len(said)
        assert all(len(text) <= 256 for text in said.values())  # Telegram's limit


def test_no_menu_text_is_left_of_a_command_that_is_gone() -> None:
    keys = re.findall(r"^command-([a-z]+) =", (ROOT / "bot/locales/ru/general.ftl").read_text(), re.MULTILINE)
    assert set(keys) == commands()


@pytest.mark.parametrize("menu", [PRIVATE, GROUP], ids=["private", "group"])
def test_a_menu_lists_at_most_five_commands_that_are_answered(menu: tuple[str, ...]) -> None:
    assert set(menu) <= commands()
    assert len(menu) == len(set(menu)) <= 5


def test_every_module_of_handlers_is_in_the_routers() -> None:
    import bot.handlers

    modules = {module.name for module in pkgutil.iter_modules(bot.handlers.__path__)}
    routers = [router.name for router in build_routers()]
    assert modules - {"errors"} == set(routers)  # errors are no router: they are caught around all of them
    assert len(routers) == len(set(routers))


# An extractor, a strategy, a plan


def classes_with(package: object, method: str) -> Iterator[type]:
    """The classes of a package's modules that offer a method."""
    for module in pkgutil.iter_modules(package.__path__):  # type: ignore[attr-defined]
        loaded = importlib.import_module(f"{package.__name__}.{module.name}")  # type: ignore[attr-defined]
        for value in vars(loaded).values():
            if inspect.isclass(value) and value.__module__ == loaded.__name__ and hasattr(value, method):
                yield value


OUTSIDE = build_outside(Settings(_env_file=None))
LEVELS = [
    (kind, one) for kind, cascade in OUTSIDE.cascades.items() for one in (*cascade.extractors, *cascade.page_rescue)
]


def test_every_extractor_is_in_a_cascade_and_every_kind_has_one_or_is_opened() -> None:
    used = {type(one) for _, one in LEVELS}
    children = set(classes_with(core.adapters.extractors, "extract"))
    services = {one for one in classes_with(core.adapters.extractors, "read") if hasattr(one, "unavailable")}
    assert used >= children | services
    assert not OUTSIDE.cascades.keys() & OUTSIDE.openers.keys()
    assert OUTSIDE.cascades.keys() | OUTSIDE.openers.keys() == set(SourceKind)
    assert {kind for kind in SourceKind if kind.is_container} == OUTSIDE.openers.keys()


def test_the_doctor_names_every_extractor_of_every_kind() -> None:
    found = installed(OUTSIDE.cascades)
    named = {(finding.part.split()[1], finding.name) for finding in found if finding.part.startswith("extractor")}
    assert named == {(kind, one.name) for kind, one in LEVELS}


def test_every_extractor_can_be_killed() -> None:
    for _, one in LEVELS:
        assert one.deadline_s > 0
        assert isinstance(one, ServiceExtractor) or one.memory_bytes > 0


def test_every_strategy_is_used_and_has_a_name_of_its_own() -> None:
    assert set(STRATEGIES) == set(classes_with(core.adapters.strategies, "search"))
    assert len({strategy.name for strategy in STRATEGIES}) == len(STRATEGIES)


def test_every_plan_is_one_whole_row() -> None:
    assert PLANS.keys() == set(PlanName)
    for name, plan in PLANS.items():
        assert plan.name is name
        assert min(plan.prompts, plan.max_sources, plan.max_file_bytes, plan.max_pages) > 0
        assert plan.window_s is None or plan.price_kopecks > 0
    assert set(PRICES) == set(Request)
    assert min(PRICES.values()) > 0


def test_a_dearer_plan_is_never_worse() -> None:
    offered = sorted(
        (plan for plan in PLANS.values() if plan.name is not PlanName.OPERATOR), key=lambda p: p.price_kopecks
    )
    for cheaper, dearer in pairwise(offered):
        assert cheaper.prompts < dearer.prompts
        assert cheaper.max_sources <= dearer.max_sources
        assert cheaper.max_file_bytes <= dearer.max_file_bytes
        assert cheaper.max_pages <= dearer.max_pages


# Documents


def code_in(path: Path) -> list[str]:
    """What stands between backticks, and the lines of code blocks."""
    text = path.read_text()
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    rest = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return [*re.findall(r"`([^`\n]+)`", rest), *(line.strip() for block in blocks for line in block.splitlines())]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_document_names_is_there(path: Path) -> None:
    tops = "|".join(re.escape(top.name) for top in ROOT.iterdir() if top.is_dir() and not top.name.startswith("."))
    named = [code for code in code_in(path) if re.fullmatch(rf"(?:{tops})/[\w./-]+", code)]
    there = [name for name in named if (ROOT / name).exists() or list(ROOT.glob(f"{name}*")) or "NNNN" in name]
    assert set(named) == set(there)


def test_every_target_that_a_document_names_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        word
        for path in DOCUMENTS
        for code in code_in(path)
        for word in re.findall(r"^(?:\w+=\d+ )?make ([a-z]+)", code)
    }
    assert len(named) >= 5
    assert named <= targets


def test_every_command_line_that_a_document_names_can_be_typed() -> None:
    known = {"run", *ALONE, *COMMANDS}
    named = {
        word for path in DOCUMENTS for code in code_in(path) for word in re.findall(r"^konspekt ([a-z][a-z-]*)", code)
    }
    assert {"doctor", "sources", "search", "stop"} <= named
    assert named <= known


def test_the_command_line_has_the_commands_that_operators_were_promised() -> None:
    assert {"run", *ALONE, *COMMANDS} == {
        "run", "stop", "doctor", "ingest", "import-sources", "search", "ask", "sources", "delete-source",
        "delete-notebook",
    }  # fmt: skip


def test_every_fixture_that_contributors_are_told_of_exists() -> None:
    table = re.findall(r"^\| (`[^|]+) \|", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    told = {name for row in table for name in re.findall(r"`(\w+)`", row)}
    defined = set(re.findall(r"^(?:async )?def (\w+)\(", (ROOT / "tests/conftest.py").read_text(), re.MULTILINE))
    assert "database" in told
    assert told <= defined


DECISIONS = sorted((ROOT / "docs/adr").glob("[0-9]*.md"))


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem[:4])
def test_a_decision_says_what_it_costs_and_what_guards_it(path: Path) -> None:
    text = path.read_text()
    for part in ("Context", "Decision", "Consequences", "Alternatives", "Guard"):
        assert f"**{part}.**" in text, part
    assert text.startswith(f"# {int(path.stem[:4])}. ")
    assert len(text.splitlines()) < 45  # half a page


def test_decisions_are_numbered_without_a_gap() -> None:
    assert [int(path.stem[:4]) for path in DECISIONS] == list(range(1, len(DECISIONS) + 1))
