#!/usr/bin/env bash
# Runs the tests. With arguments, as pytest takes them; without any, everything in two halves at once: the tests of the
# bot and of the chat page mostly wait, so that both cores are busy only together.
set -euo pipefail
cd "$(dirname "$0")/.."
python=.venv/bin/python
[ $# -eq 0 ] || exec "$python" -m pytest "$@"

beside=$(mktemp)
trap 'rm -f "$beside"' EXIT
"$python" -m pytest tests/bot tests/e2e >"$beside" 2>&1 &
other=$!
code=0
"$python" -m pytest --ignore=tests/bot --ignore=tests/e2e || code=$?
wait "$other" || code=$?
cat "$beside"
exit "$code"
