# Konspekt. `make help` lists the targets; nothing but Python 3.11, 3.12 or 3.13 need be there before.

SHELL := bash
.DEFAULT_GOAL := help
.SUFFIXES:

PYTHON := .venv/bin/python
UV := .venv/bin/uv
RUN_STAMP := .venv/.installed-run
DEV_STAMP := .venv/.installed-dev
TIMES := 20
STRESS_TESTS := tests/integration/test_embedded_services.py tests/unit/test_standalone.py \
    $(wildcard tests/integration/crash tests/*/test_*kill*.py tests/*/test_*concurren*.py tests/*/test_*once*.py)
LOCKED := requirements/uv.txt requirements/run.txt requirements/dev.txt

.PHONY: help run test check fix migration quality bench stress lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(RUN_STAMP) ## Start everything; with BOT_TOKEN it serves Telegram, without it opens a local chat page
	@scripts/system_packages.sh --check || true
	@exec $(PYTHON) -m workers.standalone

test: $(DEV_STAMP) ## Run every test (installs the system packages it needs, when run as root)
	@scripts/system_packages.sh
	@scripts/test.sh $(ARGS)

check: $(DEV_STAMP) ## Check format, lint, types, import contracts and what may be committed
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy
	.venv/bin/lint-imports
	$(PYTHON) scripts/check_repository.py

fix: $(DEV_STAMP) ## Format the code and fix what lint can fix
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

migration: $(DEV_STAMP) ## Draft a migration from the tables: make migration NAME=add_deck
	@test -n "$(NAME)" || { echo "Say its name: make migration NAME=add_deck"; exit 2; }
	$(PYTHON) -m workers.standalone --services-only -- $(PYTHON) -m alembic revision --autogenerate -m "$(NAME)"

quality: $(DEV_STAMP) ## Measure retrieval against the evaluation sets
	$(PYTHON) -m tests.quality $(ARGS)

bench: $(DEV_STAMP) ## Measure speed, as ratios within one run
	@scripts/system_packages.sh
	@for file in tests/bench/bench_*.py; do \
	    echo "== $$file"; $(PYTHON) -m "$$(tr / . <<<"$${file%.py}")" || exit 1; \
	done

stress: $(DEV_STAMP) ## Repeat the tests of crashes and of things that happen at once: make stress TIMES=20
	@for round in $$(seq $(TIMES)); do \
	    echo "== round $$round of $(TIMES)"; $(PYTHON) -m pytest -q -x $(STRESS_TESTS) $(ARGS) || exit 1; \
	done

lock: $(DEV_STAMP) ## Resolve the dependencies of pyproject.toml anew into requirements/
	scripts/lock.sh

clean: ## Remove the environment and caches; data below .konspekt stay
	rm -rf .venv .mypy_cache .ruff_cache .import_linter_cache .hypothesis dist *.egg-info
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +

$(RUN_STAMP): $(LOCKED) pyproject.toml scripts/install.sh
	@scripts/install.sh run

$(DEV_STAMP): $(LOCKED) pyproject.toml scripts/install.sh
	@scripts/install.sh dev
