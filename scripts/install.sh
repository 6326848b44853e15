#!/usr/bin/env bash
# Makes .venv and installs the locked requirements and Konspekt itself: install.sh run|dev
# Every package is a wheel with a known hash. `make` calls this when the lock or pyproject.toml has changed.
set -euo pipefail
cd "$(dirname "$0")/.."
wanted=${1:?run or dev}
python=.venv/bin/python

# Prints an interpreter that can make an environment; says what is missing otherwise.
find_python() {
    local candidate without_venv=""
    for candidate in python3.13 python3.12 python3.11 python3 python; do
        "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null || continue
        if "$candidate" -c 'import ensurepip, venv' 2>/dev/null; then
            echo "$candidate"
            return
        fi
        without_venv=$candidate
    done
    if [ -n "$without_venv" ]; then
        echo "$without_venv lacks the module venv. On Debian and Ubuntu: apt-get install ${without_venv%-*}-venv" >&2
    else
        echo "Konspekt needs Python 3.11, 3.12 or 3.13, and none was found: install one and run make again." >&2
    fi
    return 1
}

make_environment() {
    "$python" -c '' 2>/dev/null && return
    local base
    base=$(find_python)
    echo "Making .venv with $("$base" --version)"
    rm -rf .venv
    "$base" -m venv .venv
}

# uv installs in parallel; pip, which knows its own configuration of mirrors, does the same where uv cannot reach one.
install_locked() {
    local locked=requirements/$wanted.txt
    echo "Installing the packages of $locked"
    if "$python" -m pip install --quiet --require-hashes --only-binary :all: -r requirements/uv.txt &&
        .venv/bin/uv --system-certs pip install --python "$python" --require-hashes --only-binary :all: -r "$locked"; then
        return
    fi
    echo "uv could not install them; trying pip"
    "$python" -m pip install --require-hashes --only-binary :all: -r "$locked"
}

make_environment
install_locked
"$python" -m pip install --quiet --no-deps --no-build-isolation --editable .
[ "$wanted" = run ] || touch .venv/.installed-run
touch ".venv/.installed-$wanted"
