# Everything runs out of .venv, which `make setup` fills from the hashed lock in requirements/.
.PHONY: help setup demo ui test browser check judge lock
.DEFAULT_GOAL := help
BIN := .venv/bin
DG := VIRTUAL_ENV="$(CURDIR)/.venv" PATH="$(CURDIR)/$(BIN):$$PATH" dg
ARGS ?=
PROFILE ?= all
# dg reads dagster.yaml, which switches its telemetry off, only in DAGSTER_HOME.
export DAGSTER_HOME ?= $(CURDIR)/data/dagster
export DO_NOT_TRACK := 1
export HF_HUB_DISABLE_TELEMETRY := 1

help:
	@echo 'make setup   install into .venv what is missing (PROFILE=core: without training and tests)'
	@echo 'make demo    the whole loop on real data, from sources to a gated checkpoint'
	@echo 'make ui      the asset graph in the browser'
	@echo 'make test    all tests (ARGS="tests/winnow/lake -x" for some)'
	@echo 'make check   lint, format, types, import arrows, Dagster definitions'
	@echo 'make judge   every line by which this project is judged, as a table'
	@echo 'make lock    resolve the dependencies again (ARGS=--upgrade moves versions)'

setup:
	@bash requirements/install.sh $(PROFILE)
	@bash requirements/sandbox.sh

demo: setup
	@$(BIN)/winnow demo $(ARGS)

ui: setup
	@mkdir -p $(DAGSTER_HOME) && cp -n dagster.yaml $(DAGSTER_HOME)/
	@echo 'The asset graph is the page Lineage (/asset-groups) of the address that Dagster names below.'
	@$(DG) dev $(ARGS)

test: setup browser
	@$(BIN)/python -m pytest $(ARGS)

browser:
	@bash requirements/browser.sh

check: setup
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-cache
	@mkdir -p $(DAGSTER_HOME) && cp -n dagster.yaml $(DAGSTER_HOME)/
	@$(DG) check defs

judge: setup
	@$(BIN)/python -m benchmarks.judge $(ARGS)

lock:
	@bash requirements/compile.sh $(ARGS)
