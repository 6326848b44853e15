"""Logs are for machines or for people, and hold neither tokens nor the values of variables."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOKEN = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_"

PROGRAM = f"""
import logging, sys, structlog
from core.adapters.logs import configure_logging
from core.settings import LogSettings

configure_logging(LogSettings(format=sys.argv[1], level=sys.argv[2]))
structlog.contextvars.bind_contextvars(update_id=7)
structlog.get_logger("ours").info("event_of_ours", source_id=3)
logging.getLogger("library").warning("POST /bot%s/getMe", "{TOKEN}")
try:
    secret = "a user's words"
    raise ValueError("wrong")
except ValueError:
    structlog.get_logger("ours").exception("event_that_broke", url="https://host/bot{TOKEN}/x")
"""


def logged(form: str, level: str = "INFO") -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, form, level],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == ""
    return done.stderr


def test_each_line_is_one_json_object_with_what_was_bound() -> None:
    ours, library, broke = [json.loads(line) for line in logged("json").splitlines()]

    assert (ours["event"], ours["source_id"], ours["update_id"], ours["level"]) == ("event_of_ours", 3, 7, "info")
    assert ours["timestamp"].endswith("Z")
    assert (library["logger"], library["level"]) == ("library", "warning")
    assert "ValueError: wrong" in broke["exception"]


@pytest.mark.parametrize("form", ["json", "console"])
def test_no_token_is_logged_by_us_or_by_a_library(form: str) -> None:
    lines = logged(form)
    assert "getMe" in lines
    assert TOKEN not in lines


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_traceback_holds_no_value_of_a_variable_but_what_the_code_says(form: str) -> None:
    lines = logged(form)
    assert "ValueError: wrong" in lines
    assert lines.count("a user's words") == 0


def test_less_than_the_level_is_left_out() -> None:
    assert "event_of_ours" not in logged("json", "warning")
