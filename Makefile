# Each target sets up what it needs. `make` alone lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TARGET ?= profiles/emulator.toml
# Four more than there are cores: most of their time the tests wait, for processes, callbacks, and what comes later.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 4)')
ARGS ?=

# Hundreds of processes are started by the tests alone: none of them should compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

# The one without windows first: a page takes a third of the CPU in it.
BROWSERS ?= chromium-headless-shell chrome-headless-shell chromium chromium-browser google-chrome

SAMPLE ?= 200
SEED ?= 0
SECONDS ?= 1800

.PHONY: help conformance test matrix mutants browser lint docs schema lock kill-record bench beside wheel

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# The set-up runs again only when the constraints change.
$(READY): constraints.txt
	@echo "Setting up $(VENV) from constraints.txt (once; about half a minute)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=")'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement constraints.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

conformance: $(READY) browser ## run the whole suite against a target: TARGET=profile, ARGS=more options of run
	@echo "Running the conformance suite against $(TARGET)"
	@$(BIN)/python -m gateway_conformance run --target $(TARGET) $(ARGS)

test: $(READY) browser ## run the project's own tests
	@echo "Running the project's own tests (some minutes: the kill matrix is among them)"
	@$(BIN)/python -m pytest tests -n $(WORKERS) --dist=worksteal -q -rfE $(ARGS) || { test $$? -eq 1 || exit; $(ALONE); }

# A test that failed beside the others is run once more, by itself, so that a log says of each failure whether it comes
# of what ran beside it, on a machine with few cores most of all. It ends at the third that fails again. Of some logs only
# the last lines are kept: the names stand there.
ALONE = echo "Running once more, alone, what failed beside the others" \
	&& { $(BIN)/python -m pytest tests --last-failed --last-failed-no-failures=none --maxfail=3 -q -rfE \
	|| { cat .pytest_cache/v/cache/lastfailed; exit 1; }; } \
	&& echo "Alone all of it passes: the failures above come of what ran beside them"

matrix: $(READY) browser ## run the whole kill matrix, and unit tests with new examples: faults in batches, all releases
	@echo "Running the whole kill matrix (an hour and more on two cores)"
	@KILL_MATRIX=whole $(BIN)/python -m pytest tests/kill_matrix tests/unit -n $(WORKERS) --dist=worksteal -q -rfE $(ARGS)

mutants: $(READY) ## let a machine break the gateway: SAMPLE=200 mutants by SEED=0, for SECONDS=1800 at most
	@$(BIN)/python -m tests.mutants --count $(SAMPLE) --seed $(SEED) --seconds $(SECONDS) $(ARGS)

# Three requirements are seen by a browser only, and the tests of the report look at it in one. CHROMIUM names another
# browser than the one that is found. Where none can be installed, everything else goes on.
browser:
	@for each in "$$CHROMIUM" $(BROWSERS); do command -v "$$each" >/dev/null && exit; done; \
		sudo=$$(test "$$(id -u)" = 0 || echo "sudo -n"); \
		if command -v apt-get >/dev/null && $$sudo true 2>/dev/null; then \
			echo "Installing Chromium with apt (once; a minute or two)"; \
			{ $$sudo apt-get update -qq && { $$sudo apt-get install -y -qq chromium-headless-shell >/dev/null 2>&1 \
				|| $$sudo apt-get install -y -qq chromium >/dev/null; }; } \
				|| echo "Chromium could not be installed: what only a browser sees is left out"; \
		else echo "No Chromium, and no apt as root to install it: what only a browser sees is left out"; fi

lint: $(READY) ## check style, types, import walls, spelling, and known holes of what is installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/codespell
	$(BIN)/python -m tests.audit

docs: $(READY) ## build the pages for people, the catalogue of requirements among them, into build/site
	@$(BIN)/python -m tests.catalogue_pages
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo build/site/index.html

kill-record: $(READY) ## record which checks catch which faults, for --depth smoke: SECONDS=1800 at most, goes on where it stopped
	@$(BIN)/python -m tests.kill_record --seconds $(SECONDS) $(ARGS)

schema: $(READY) ## write the JSON Schemas of the profile and of the output anew
	@$(BIN)/python -m fixtures.profile --schema > profiles/profile.schema.json
	@$(BIN)/python -m reports.formats.shapes docs/schemas

lock: ## write constraints.txt anew from pyproject.toml (needs the tool uv)
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --upgrade -o constraints.txt

wheel: $(READY) ## build wheel and sdist into dist
	@$(BIN)/python -m hatchling build -d dist

bench: $(READY) ## measure a part of the suite beside plain httpx, in turns, for two minutes
	@$(BIN)/python -m tests.bench

beside: $(READY) ## run Schemathesis, newman and Tavern beside this suite on the same faults: SECONDS=1800 at most, goes on where it stopped
	@$(BIN)/python -m tests.bench.beside --seconds $(SECONDS) $(ARGS)
