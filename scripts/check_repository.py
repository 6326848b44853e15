"""Refuses what no linter looks for: addresses of package registries, paths of one machine, functions that are too long.

Prints each finding as `file:line: what` and fails if there is any. It looks at what git tracks or would add.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_FUNCTION_LINES = 50
"""A longer function is refused; 30 lines are a smell (CONTRIBUTING.md)."""

HOSTS = [
    ".".join(name)
    for name in (
        ("pypi", "org"),
        ("files", "pythonhosted", "org"),
        ("registry", "npmjs", "org"),
        ("registry", "yarnpkg", "com"),
        ("deb", "debian", "org"),
        ("archive", "ubuntu", "com"),
    )
]
"""In pieces, for this file is looked at too."""

FORBIDDEN_TEXT = {
    re.compile("|".join(map(re.escape, HOSTS))): "the address of a package registry",
    re.compile(r"https?://[^\s\"']+\.(whl|tgz|tar\.gz)([#\"?\s]|$)"): "the address of a download",
    re.compile("index" + r"[-_]url|extra" + r"[-_]index"): "a setting of a package index",
}

FORBIDDEN_FILES = {"alembic/__init__.py": "it would shadow the library alembic"}


def main(root: Path) -> int:
    """Print every finding below a repository.

    Returns:
        1 if there is any, else 0.
    """
    findings = sorted(found for path in files(root) for found in look_at(root, path))
    sys.stdout.writelines(f"{finding}\n" for finding in findings)
    return int(bool(findings))


def files(root: Path) -> list[Path]:
    """Return what git tracks or would add, relative to the repository."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    done = subprocess.run(listing, cwd=root, capture_output=True, text=True, check=True, timeout=60)
    return [Path(name) for name in done.stdout.split("\0") if name and (root / name).is_file()]


def look_at(root: Path, path: Path) -> Iterator[str]:
    """Yield the findings of one file; one that is not text has none."""
    if str(path) in FORBIDDEN_FILES:
        yield f"{path}:1: {FORBIDDEN_FILES[str(path)]}"
    try:
        text = (root / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    patterns = {**FORBIDDEN_TEXT, **machine_paths(root)}
    for number, line in enumerate(text.splitlines(), 1):
        yield from (f"{path}:{number}: {what}" for pattern, what in patterns.items() if pattern.search(line))
    if path.suffix == ".py" and path.parts[0] in {"bot", "core", "workers"}:
        yield from long_functions(path, text)


def machine_paths(root: Path) -> dict[re.Pattern[str], str]:
    """Return what a path of this machine looks like; short directories above the repository are everybody's."""
    above = str(root.resolve().parent)
    return {re.compile(re.escape(above + "/")): "a path of this machine"} if len(above) > len("/tmp") else {}


def long_functions(path: Path, text: str) -> Iterator[str]:
    """Yield the functions that are longer than a reader's patience."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MAX_FUNCTION_LINES:
                yield f"{path}:{node.lineno}: {node.name} has {lines} lines, more than {MAX_FUNCTION_LINES}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1]))
