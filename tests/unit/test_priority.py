"""A process that steps back does so against processes of other sessions too."""

import subprocess
import sys
from pathlib import Path

import pytest

AUTOGROUP = Path("/proc/sys/kernel/sched_autogroup_enabled")
SAY = "import os; from core.adapters.priority import {call}; {call}({given}); print(os.nice(0), {session})"
SESSION = "open('/proc/self/autogroup').read().split()[-1]"


def _said(call: str, given: str, *, session: str = "''", niceness: int = 0, leads: bool = True) -> list[str]:
    command = [sys.executable, "-c", SAY.format(call=call, given=given, session=session)]
    if niceness:
        command = ["nice", "-n", str(niceness), *command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True, start_new_session=leads)
    return done.stdout.split()


def test_a_process_steps_back_by_so_many_steps() -> None:
    assert _said("step_back", "3") == ["3"]


@pytest.mark.skipif(not AUTOGROUP.exists() or AUTOGROUP.read_text().strip() != "1", reason="no groups by session here")
def test_its_session_steps_back_with_it() -> None:
    assert _said("step_back", "3", session=SESSION) == ["3", "3"]
    assert _said("match_session", "", session=SESSION, niceness=4) == ["4", "4"]


@pytest.mark.skipif(not AUTOGROUP.exists(), reason="no groups by session here")
def test_a_session_that_others_lead_is_left_alone() -> None:
    before = Path("/proc/self/autogroup").read_text()
    _said("step_back", "5", leads=False)
    assert Path("/proc/self/autogroup").read_text() == before
