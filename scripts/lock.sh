#!/usr/bin/env bash
# Resolves pyproject.toml into requirements/*.txt: exact versions with hashes, for every supported Python and platform.
# No index address is written. One resolution (dev.txt) holds everything; the others are parts of it.
set -euo pipefail
cd "$(dirname "$0")/.."

compile() {
    .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --annotation-style line \
        --only-binary :all: "$@"
}

compile pyproject.toml --all-extras --group build --output-file requirements/dev.txt ${UPGRADE:+--upgrade}
compile pyproject.toml --constraints requirements/dev.txt --group build --output-file requirements/bot.txt
compile pyproject.toml --constraints requirements/dev.txt --group build --extra worker \
    --output-file requirements/worker.txt
compile pyproject.toml --constraints requirements/dev.txt --group build --extra worker --extra embedded \
    --output-file requirements/run.txt
echo uv | compile - --constraints requirements/dev.txt --output-file requirements/uv.txt
