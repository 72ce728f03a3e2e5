# Each target sets up what it needs. `make` alone lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TARGET ?= profiles/emulator.toml
WORKERS ?= 2
ARGS ?=

.PHONY: help conformance test matrix browser lint docs schema lock bench

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# The set-up runs again only when the constraints change.
$(READY): constraints.txt
	@echo "Setting up $(VENV) from constraints.txt (once; about half a minute)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=")'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement constraints.txt
	@touch $@

conformance: $(READY) ## run the whole suite against a target: TARGET=profile, ARGS=more options of pytest
	@echo "Running the conformance suite against $(TARGET)"
	@$(BIN)/python -m pytest --target=$(TARGET) $(ARGS)

test: $(READY) browser ## run the project's own tests
	@echo "Running the project's own tests (some minutes: the kill matrix is among them)"
	@$(BIN)/python -m pytest tests -n $(WORKERS) --dist=worksteal -q -rfE $(ARGS)

matrix: $(READY) browser ## run the whole kill matrix: faults in batches, variations, older releases, rare faults
	@echo "Running the whole kill matrix (an hour and more on two cores)"
	@KILL_MATRIX=whole $(BIN)/python -m pytest tests/kill_matrix -n $(WORKERS) --dist=worksteal -q -rfE $(ARGS)

# The tests of the report look at it in a browser. CHROMIUM names another one than the one that is found.
browser:
	@if [ -z "$$CHROMIUM" ] && ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then \
		if command -v apt-get >/dev/null; then \
			echo "Installing Chromium with apt (once; a minute or two)"; \
			sudo=$$(test "$$(id -u)" = 0 || command -v sudo || true); \
			$$sudo apt-get update -qq && $$sudo apt-get install -y -qq chromium >/dev/null; \
		else echo "No Chromium and no apt: the tests of the report in a browser will be skipped"; fi; fi

lint: $(READY) ## check style, types, import walls and spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/codespell

docs: $(READY) ## render the catalogue of requirements into docs/generated
	@$(BIN)/python -m tests.catalogue_pages

schema: $(READY) ## write the JSON Schema of the profile anew
	@$(BIN)/python -m fixtures.profile --schema > profiles/profile.schema.json

lock: ## write constraints.txt anew from pyproject.toml (needs the tool uv)
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --no-header --upgrade -o constraints.txt

bench: $(READY) ## time the main job
	@$(BIN)/python -m tests.bench
