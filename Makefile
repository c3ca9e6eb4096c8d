# Two commands on a fresh machine: `make demo` and `make test`. Each sets up what it needs.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
OUT ?= verulaw-out
VERIFIER ?= recorded
PYTEST_ARGS ?=

NATIVE_SOURCES := $(wildcard native/Cargo.toml native/Cargo.lock native/src/*.rs)

.PHONY: demo test test-postgres lint types contracts check fuzz bench wheel clean

demo: $(VENV)/.runtime
	$(BIN)/verulaw-gate demo --verifier $(VERIFIER) --out $(OUT)

test: $(VENV)/.dev native-present
	$(BIN)/python -m pytest -n auto $(PYTEST_ARGS)

# The store's tests against a real PostgreSQL; the script starts a private server.
test-postgres: $(VENV)/.dev
	scripts/with_postgres.sh $(BIN)/python -m pytest -m postgres $(PYTEST_ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

contracts: $(VENV)/.dev
	$(BIN)/lint-imports

check: lint types contracts test

fuzz: $(VENV)/.dev
	$(BIN)/python scripts/fuzz.py $(FUZZ_ARGS)

bench: $(VENV)/.dev
	for script in $(filter-out benchmarks/scale_replay.py,$(wildcard benchmarks/*.py)); do echo "== $$script"; $(BIN)/python $$script || exit 1; done

wheel: $(VENV)/.dev
	$(BIN)/python -m build --wheel --outdir dist .

# With cargo there, the native layer has to be built and used: its absence is a failure, not a skip.
.PHONY: native-present
native-present: $(VENV)/.dev
	@if command -v cargo >/dev/null 2>&1; then \
	  $(BIN)/python -c "import verulaw_gate._native" || \
	  { echo "cargo is here but verulaw_gate._native was not built: see the pip output above" >&2; exit 1; }; \
	else echo "native layer: no cargo on PATH, testing the pure-Python tool"; fi

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "python3 -m venv failed; on Debian: apt-get install python3-venv" >&2; exit 2; }

$(VENV)/.runtime: $(VENV)/bin/python pyproject.toml $(NATIVE_SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml $(NATIVE_SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.runtime

clean:
	rm -rf $(VENV) build dist *.egg-info native/target $(OUT)
