# Two commands do everything: `make run` and `make test`.
EXAMPLE ?= resources/examples/breaky.py:Breaky
PYTHON_IN_VENV := .venv/bin/python

.PHONY: run test check check-beside check-types check-rest tests thorough sweep matrix benchmarks endurance translations screenshots clean help

run: ## install, then open the app on an example (without a display: work headless, leave results in out/)
	@.make/install.sh
	@.venv/bin/loupe $(EXAMPLE) --train

test: ## install what it needs and run every check
	@.make/install.sh test
	@$(MAKE) --no-print-directory -j2 check-beside tests

check: ## format, lint, types, import rules; side by side
	@$(MAKE) --no-print-directory -j2 --output-sync check-types check-rest

# Tests leave a core idle now and then: what is checked meanwhile, and last in turn, costs little time. Its output comes whole.
check-beside:
	@nice -n 19 $(MAKE) --no-print-directory check-types check-rest > .venv/check.log 2>&1; status=$$?; cat .venv/check.log; exit $$status

# Workers of mypy give up (status 2) where the machine is so busy that they start late: then it goes on without.
check-types:
	$(PYTHON_IN_VENV) -m mypy --num-workers auto || { [ $$? = 2 ] && $(PYTHON_IN_VENV) -m mypy; }
	MYPYPATH=.make $(PYTHON_IN_VENV) -m mypy .make/own_names.py .make/wheel_backend.py .make/install_packages.py .make/compile_tests.py

check-rest:
	$(PYTHON_IN_VENV) -m ruff format --check .
	$(PYTHON_IN_VENV) -m ruff check .
	.venv/bin/lint-imports

# One a core: each more imports torch and collects all tests for itself (25 s), and the core of a test that waits is the checks'.
TEST_PROCESSES ?= $(shell getconf _NPROCESSORS_ONLN)

# A file's tests stay together and share its captures.
PYTEST := QT_QPA_PLATFORM=offscreen $(PYTHON_IN_VENV) -m pytest -n $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder

tests: ## the quick ones and those that reach most for their time, on all cores
	$(PYTEST) -m "not slow and not thorough"

thorough: ## the tests that `make test` leaves out, but for sweeps and hours: run it before a change of the engine is called done
	@.make/install.sh test thorough
	$(PYTEST) -m "thorough and not slow"

sweep: ## what `make test` leaves out: more programs a mechanism, and all examples of the properties
	@.make/install.sh test thorough
	LOUPE_SWEEP=1 $(PYTEST) -m "slow or thorough or hypothesis"

matrix: ## the engine's tests on torch 2.11 to 2.15, each in an environment of its own; writes resources/docs/torch-versions.md
	@.make/install.sh test
	$(PYTHON_IN_VENV) .make/matrix.py

benchmarks: ## medians and ratios against plain torch.compile, in one run on this machine
	@.make/install.sh test
	QT_QPA_PLATFORM=offscreen $(PYTHON_IN_VENV) -m tests.benchmarks

endurance: ## hours: strangers' files, kills, timing for hours, captures, saves, models, a slow link, a random user, random commands; writes resources/docs/endurance.md (SCALE=0.01 for a look)
	@.make/install.sh test
	QT_QPA_PLATFORM=offscreen $(PYTHON_IN_VENV) -m tests.endurance --scale $(or $(SCALE),1)

translations: ## bring the window's translations up to date with its sources, for Qt Linguist
	@.make/translations.sh resources/translations $(PYTHON_IN_VENV)

screenshots: ## renew the README's pictures
	@.make/install.sh
	QT_QPA_PLATFORM=offscreen $(PYTHON_IN_VENV) -m tests.screenshots

clean: ## remove what was installed and written
	rm -rf .venv .matrix out .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info

help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/ \t/'
