# The words a developer and CI type. `make help` lists them.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# pip would compile on one core, which takes longer than everything else it does; a file that is no Python 3 is no error.
INSTALL := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet install --no-compile --constraint constraints.txt
# Minutes of silence look like a fault, and pip's own lines are hundreds: one line every 20 seconds says how far it is.
TICK := so_far=0; while sleep 20 >/dev/null 2>&1 && kill -0 $$$$ 2>/dev/null; do so_far=$$((so_far + 20)); \
	echo "    $$so_far s: $$(du -sm $(VENV) 2>/dev/null | cut -f1) MB are in $(VENV); downloads come first, then they are unpacked ..."; done
COMPILE := $(BIN)/python -m compileall -q -j 0 $(VENV)/lib >/dev/null || true
T ?=
B ?=

.DEFAULT_GOAL := help
.PHONY: help up install install-dev test fuzz clients lint fmt bench docs shell migrations clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

up: $(VENV)/.installed ## Run PAM here, servers and all, until Ctrl-C (PAM_PORT=8000, PAM_HOME=.pam)
	@exec $(BIN)/python manage.py up

install: $(VENV)/.installed ## Install what PAM needs to run

install-dev: $(VENV)/.installed-dev ## Install what its developers need, too

test: $(VENV)/.installed-dev ## Run the tests on embedded servers (T=tests/pam or T="-k name" chooses)
	@$(BIN)/pytest -n auto $(T)

fuzz: $(VENV)/.installed-dev ## Nonsense for OAuth 20,000 times, one token at once 200 times, 100 calls at a limit of 10 50 times
	@PAM_FUZZ_EXAMPLES=5000 $(BIN)/pytest -n auto tests/accounts/oauth/test_fuzz.py
	@PAM_RACE_ROUNDS=200 $(BIN)/pytest tests/accounts/oauth/test_races.py
	@PAM_RACE_ROUNDS=50 $(BIN)/pytest tests/accounts/test_quotas.py -k parallel

clients: $(VENV)/.installed-dev ## Drive the real MCP clients against a running server (they come from npm)
	@$(BIN)/pytest -m clients tests/clients $(T)

lint: $(VENV)/.installed-dev ## Check style, types and the four floors
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

fmt: $(VENV)/.installed-dev ## Format the code
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

bench: $(VENV)/.installed-dev ## Measure quality and speed against their targets (B= for its arguments)
	@$(BIN)/python -m benchmarks $(B)

docs: $(VENV)/.installed-dev ## Build the documentation as a site into site/ (B=serve shows it while you write)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs --quiet $(or $(B),build)
	@test -n "$(B)" || echo "site/index.html is the beginning."

shell: $(VENV)/.installed ## A Python shell on the running `make up`
	@exec $(BIN)/python manage.py shell

migrations: $(VENV)/.installed ## Write the migrations that the models ask for
	@$(BIN)/python manage.py makemigrations

clean: ## Remove caches and builds; .venv and the data in .pam stay
	@rm -rf build dist site staticfiles *.egg-info .coverage .hypothesis
	@rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	@find . -path ./$(VENV) -prune -o -path ./.pam -prune -o -name __pycache__ -type d -exec rm -rf {} +

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer was not found; install it or give PYTHON=/path/to/python." >&2; exit 1; }
	@echo "Making $(VENV) with $(PYTHON) ..."
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing PAM and what it needs into $(VENV) (a minute or two the first time) ..."
	@{ $(TICK); } & tick=$$!; trap "kill $$tick 2>/dev/null" EXIT INT TERM; $(INSTALL) --editable .
	@$(COMPILE)
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "Installing the developers' tools into $(VENV) ..."
	@{ $(TICK); } & tick=$$!; trap "kill $$tick 2>/dev/null" EXIT INT TERM; $(INSTALL) --editable '.[dev]'
	@$(COMPILE)
	@touch $@
