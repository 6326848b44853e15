#!/usr/bin/env bash
# Runs the tests. With arguments, as pytest takes them; without any, everything in two halves at once: the tests of the
# bot, of the chat page and of what is behind links mostly wait, so that both cores are busy only together.
set -euo pipefail
cd "$(dirname "$0")/.."
python=.venv/bin/python
[ $# -eq 0 ] || exec "$python" -m pytest "$@"

waiting=(tests/bot tests/e2e tests/integration/{sound,web,youtube})
beside=$(mktemp)
trap 'rm -f "$beside"' EXIT
"$python" -m pytest "${waiting[@]}" >"$beside" 2>&1 &
other=$!
code=0
"$python" -m pytest "${waiting[@]/#/--ignore=}" || code=$?
wait "$other" || code=$?
cat "$beside"
exit "$code"
