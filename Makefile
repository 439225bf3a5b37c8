# Every target sets up .venv by itself; the machine needs Python >= 3.11 and nothing else.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CORE   := $(VENV)/.core
STAMP  := $(VENV)/.installed

.DEFAULT_GOAL := help
# Tests start hundreds of processes, which share compiled modules.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: help demo workbench test test-browser test-database test-faults test-integrations check lint types lock cases docs docs-pictures docs-refresh bench fuzz clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "lydite needs Python 3.11 or newer; try: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

# What the demo runs: the core and the collections, compiled as installed packages are.
$(CORE): pyproject.toml extensions/corpus/pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable . --editable extensions/corpus
	$(BIN)/python -m compileall -q src extensions/corpus/src
	@touch $@

# All three parts, and what tests, types and documentation need.
$(STAMP): pyproject.toml extensions/corpus/pyproject.toml extensions/workbench/pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]' --editable extensions/corpus --editable 'extensions/workbench[postgresql]'
	$(BIN)/python -m compileall -q src extensions
	@touch $@ $(CORE)

demo: $(CORE)  ## score the three example systems and show the result
	@$(BIN)/python examples/demo.py

workbench: $(STAMP)  ## run the workbench with example campaigns: http://127.0.0.1:8000
	$(BIN)/lydite serve --demo

# One more than there are cores: some tests wait for processes that they started.
WORKERS := $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')

test: $(STAMP)  ## all tests
	$(BIN)/python -m pytest -n $(WORKERS) -q

DATABASE := $(VENV)/.database

# PostgreSQL comes from the system; tests start one of their own, which is not root's.
$(DATABASE): $(STAMP)
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql; } || { \
		echo 'the database tests need PostgreSQL (Debian: postgresql)'; exit 1; }
	@touch $@

test-database: $(DATABASE)  ## the workbench on SQLite and PostgreSQL; sets up what it needs
	LYDITE_POSTGRESQL=required $(BIN)/python -m pytest extensions/workbench -n $(WORKERS) -q

KILLS ?= 50

test-faults: $(DATABASE)  ## kill -9 of server and worker at random moments: make test-faults KILLS=50
	LYDITE_KILLS=$(KILLS) LYDITE_POSTGRESQL=required $(BIN)/python -m pytest extensions/workbench/tests/workbench/campaigns/test_kills.py extensions/workbench/tests/workbench/assessment/test_many_assessors.py -q

BROWSER := $(VENV)/.browser
AXE     := 4.14.0

# Chromium comes from the system, its driver and axe-core from registries; tests fetch nothing.
# Only what is missing is installed: an npm from elsewhere does not get along with Debian's.
$(BROWSER): $(STAMP)
	@missing=; for one in chromium chromedriver:chromium-driver npm; do \
		command -v $${one%%:*} >/dev/null || missing="$$missing $${one#*:}"; done; \
	[ -z "$$missing" ] || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends $$missing; } || { \
		echo "the browser tests need, as Debian calls them:$$missing"; exit 1; }
	$(BIN)/python -m pip install --quiet --editable '.[browser]'
	mkdir -p $(VENV)/axe
	cd $(VENV)/axe && npm pack --silent axe-core@$(AXE) >/dev/null && tar xzf axe-core-$(AXE).tgz package/axe.min.js
	@touch $@

test-browser: $(BROWSER)  ## the report page in Chromium; sets up what it needs
	LYDITE_BROWSER=required $(BIN)/python -m pytest tests/browser extensions/workbench/tests/in_browser -q

test-integrations: $(STAMP)  ## the bridges to torchmetrics, evaluate and spaCy, which it installs
	$(BIN)/python -m pip install --quiet --editable '.[torchmetrics,evaluate,spacy]'
	$(BIN)/python -m pytest tests/integrations -q -W default

lock: $(STAMP)  ## compare what every case and example prints, under every profile, with tests/lock.txt
	$(BIN)/python tools/lock.py check

check: lint types lock $(DATABASE)  ## what guards main: lint, types, figures, tests on both databases, browser, docs
	LYDITE_POSTGRESQL=required LYDITE_LAWS=thorough $(MAKE) test
	$(MAKE) test-browser docs

lint: $(STAMP)  ## ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)  ## mypy --strict
	$(BIN)/mypy

docs: $(STAMP)  ## the documentation as HTML under docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html

cases: $(STAMP)  ## write the archive of cases that ships with lydite anew
	PYTHONPATH=tests $(BIN)/python tests/shipped_cases.py

docs-pictures: $(BROWSER)  ## take the pictures of the how-to pages anew, in Chromium
	$(BIN)/python docs/pictures.py

docs-refresh: $(STAMP)  ## write the output that the pages show anew
	$(BIN)/python tests/docs/console.py

bench: $(STAMP)  ## the benchmark: ratios, never absolute times
	$(BIN)/python benchmarks/run.py

SECONDS ?= 60
SEED    ?= 1

fuzz: $(STAMP)  ## attack every verb with damaged files: make fuzz SECONDS=900 SEED=1
	PYTHONPATH=tests $(BIN)/python -m fuzz $(SECONDS) $(SEED) build/fuzz

clean:  ## remove everything that was made
	rm -rf $(VENV) demo.html dist build docs/_build docs/_generated docs/profiles .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
