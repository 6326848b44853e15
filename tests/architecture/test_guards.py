"""Every rule of docs/architecture.md has a guard, and here each guard is seen to fail once.

The tree is copied, one violation is planted, and the real tool is run on it as `make check` runs it.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COPIED = ("bot", "core", "workers", "scripts", "alembic", "pyproject.toml", ".importlinter", ".gitignore", "Makefile")
DOCSTRING = '"""Planted."""\n'
LINT_IMPORTS = str(Path(sys.executable).with_name("lint-imports"))


@dataclass(frozen=True)
class Tree:
    """A copy of the repository's code, into which a test plants files."""

    root: Path

    def run(self, *argv: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(argv, cwd=self.root, capture_output=True, text=True, timeout=110, check=False)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    root = tmp_path_factory.mktemp("tree")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, root / name)
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True, timeout=60)
    return Tree(root)


@pytest.fixture
def tree(copied: Tree) -> Iterator[Tree]:
    """The copy, without what earlier tests planted."""
    before = set(copied.root.rglob("*.*"))
    yield copied
    for path in set(copied.root.rglob("*planted*")) - before:
        path.unlink(missing_ok=True)


def plant(tree: Tree, planted: Mapping[str, str]) -> None:
    for name, text in planted.items():
        (tree.root / name).write_text(DOCSTRING + text)


CONTRACTS = {
    "layers": {"core/model/planted.py": "import bot\n", "bot/planted.py": "import workers\n"},
    "core": {
        "core/model/planted.py": "import core.jobs\n",
        "core/library/planted.py": "import core.answering\n",
        "core/ingest/planted.py": "import core.answering\n",
        "core/adapters/planted.py": "import core.settings\n",
        "core/planted.py": "",
    },
    "telegram-free": {"core/model/planted.py": "import aiogram\n"},
    "stages": {
        "core/model/planted.py": "import sqlalchemy\n",
        "core/answering/planted.py": "import openai\n",
        "core/ingest/planted.py": "import docling\n",
        "core/retrieval/planted.py": "import redis\n",
        "core/billing/planted.py": "import arq\n",
    },
    "bot-direct": {
        "bot/planted_sql.py": "import sqlalchemy\n",
        "bot/planted_queue.py": "import arq\n",
        "bot/planted_adapter.py": "import core.adapters.postgres\n",
    },
    "bot-light": {
        "bot/planted.py": "import core.planted_docling\nimport core.planted_browser\n",
        "core/planted_docling.py": "import docling\n",
        "core/planted_browser.py": "import playwright\n",
    },
    "extractors": {
        "core/adapters/planted.py": "import core.adapters.extractors\n",
        "workers/planted.py": "import core.adapters.extractors\n",
    },
    "arq": {"core/adapters/planted.py": "import arq\n", "bot/planted.py": "import arq\n"},
    "sandbox": {
        "bot/sandbox/planted_view.py": "import bot.views\n",
        "bot/sandbox/planted_core.py": "import core.model\n",
    },
}


def test_the_tree_keeps_every_import_contract(copied: Tree) -> None:
    done = copied.run(LINT_IMPORTS)
    assert done.returncode == 0, done.stdout


def test_every_import_contract_is_broken_here_once() -> None:
    contracts = {
        line.removeprefix("[importlinter:contract:").rstrip("]")
        for line in (ROOT / ".importlinter").read_text().splitlines()
        if line.startswith("[importlinter:contract:")
    }
    assert contracts == CONTRACTS.keys()


@pytest.mark.parametrize("contract", CONTRACTS)
def test_forbidden_imports_break_their_contract(tree: Tree, contract: str) -> None:
    planted = CONTRACTS[contract]
    plant(tree, planted)

    done = tree.run(LINT_IMPORTS, "--contract", contract)

    assert done.returncode == 1
    assert "0 kept, 1 broken" in done.stdout
    for name in planted:
        assert name.removesuffix(".py").replace("/", ".") in done.stdout


MANY_BRANCHES = "def planted(x: int) -> int:\n    '''Do.'''\n" + "".join(
    f"    if x == {n}:\n        return {n + 1}\n" for n in range(9)
)
LINT = [
    ("TID251", "import asyncio\n\n\nasync def planted() -> None:\n    '''Do.'''\n    asyncio.create_task(planted())\n"),
    ("TID251", "import time\n\n\ndef planted() -> None:\n    '''Do.'''\n    time.sleep(1)\n"),
    ("TID251", "from tests import conftest\n\nprinted = conftest\n"),
    ("DTZ005", "from datetime import datetime\n\nnow = datetime.now()\n"),
    ("C901", MANY_BRANCHES),
    ("PLR0913", "def planted(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> None:\n    '''Do.'''\n"),
    ("D103", "def planted() -> None:\n    pass\n"),
    ("T201", "print(1)\n"),
    ("F401", "import os\n"),
]


@pytest.mark.parametrize(("rule", "text"), LINT, ids=[f"{rule}-{n}" for n, (rule, _) in enumerate(LINT)])
def test_a_banned_construct_is_refused_by_lint(tree: Tree, rule: str, text: str) -> None:
    plant(tree, {"core/model/planted.py": text})

    done = tree.run(sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format=concise", "core/model")

    assert done.returncode == 1
    assert [line for line in done.stdout.splitlines() if "planted.py" in line and f" {rule} " in line], done.stdout


def test_unformatted_code_is_refused(tree: Tree) -> None:
    plant(tree, {"core/model/planted.py": "x = {  'a':1 }\n"})
    assert tree.run(sys.executable, "-m", "ruff", "format", "--no-cache", "--check", "core/model").returncode == 1


def test_a_function_without_types_is_refused(tree: Tree) -> None:
    plant(tree, {"core/model/planted.py": "def planted(x):\n    return x\n"})

    done = tree.run(sys.executable, "-m", "mypy", "--no-incremental", "core/model/planted.py")

    assert done.returncode == 1
    assert "no-untyped-def" in done.stdout


REPOSITORY = {
    "a registry": ("core/planted.txt", "see https://" + "pypi" + ".org/simple"),
    "a download": ("core/planted.txt", "get https://example.org/konspekt-1.0" + ".tar.gz"),
    "an index": ("core/planted.txt", "--extra-" + "index" + "-url=x"),
    "a machine path": ("core/planted.txt", "{above}/main"),
    "a long function": ("core/planted.py", "def planted() -> None:\n" + "    x = 1\n" * 60),
    "a package that shadows alembic": ("alembic/__init__.py", ""),
}


@pytest.mark.parametrize("kind", REPOSITORY)
def test_the_repository_check_refuses(tree: Tree, kind: str) -> None:
    name, text = REPOSITORY[kind]
    path = tree.root / name
    path.write_text(text.format(above=tree.root.parent))
    try:
        done = tree.run(sys.executable, "scripts/check_repository.py")
    finally:
        path.unlink()

    assert done.returncode == 1
    assert name in done.stdout


def test_the_repository_check_passes_on_the_tree(copied: Tree) -> None:
    done = copied.run(sys.executable, "scripts/check_repository.py")
    assert done.returncode == 0, done.stdout


def test_make_check_runs_every_guard() -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", "check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    for guard in ("ruff format --check", "ruff check", "mypy", "lint-imports", "scripts/check_repository.py"):
        assert guard in done.stdout


def test_the_bot_starts_without_the_extractors_libraries() -> None:
    program = (
        "import sys, bot.dispatcher;"
        "print(sorted({'docling', 'torch', 'playwright', 'liteparse', 'pypdfium2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert done.stdout.strip() == "[]", done.stderr
