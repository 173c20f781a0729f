# What a contributor types. `make setup` first; on Windows, CONTRIBUTING.md has the lines behind each name.
PYTHON = .venv/bin/python

.PHONY: setup test lint docs coverage all

setup:  ## An environment with symparam and the tools of its tests.
	python3 -m venv .venv && .venv/bin/pip install -e ".[test]"

test:  ## The tests that run by default, in two minutes.
	$(PYTHON) -m pytest

lint:  ## What reads the code: ruff and mypy.
	$(PYTHON) -m ruff check . && $(PYTHON) -m ruff format --check symparam scripts benchmarks && $(PYTHON) -m mypy

docs:  ## Fill the marked places of the documentation and check what people wrote in it.
	$(PYTHON) -m symparam docs docs README.md && $(PYTHON) -m symparam check derivations docs README.md

coverage:  ## Which lines and branches the tests reach.
	.venv/bin/pip install -q pytest-cov && $(PYTHON) -m pytest --cov --cov-report=term:skip-covered

all:  ## Everything that has to pass before a change lands.
	.ci/run
