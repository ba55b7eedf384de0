# One command to run, one to test. Needs Python 3.11 or newer, Node 22 or 24 and make.
.DEFAULT_GOAL := help
.PHONY: help run test check format contract lock bench fuzz cluster audit clean

help: ## List what can be done
	@echo "make …"
	@sed -n 's/^\([a-z]*\):.*## /  \1\t/p' Makefile | expand -t 14

run: ## Set everything up and run the portal with demo data at http://127.0.0.1:8000 (PORT chooses another, EMPTY=1 no data)
	@tools/python.sh -m tools.run

test: ## Run every check and test; ends with one line that sums up
	@tools/python.sh -m tools.test

check: ## Format, lint, types, architecture, migrations and contract, without the tests
	@tools/python.sh -m tools.checks check

format: ## Rewrite the sources in the house format
	@tools/python.sh -m tools.checks format

contract: ## Write frontend/contract and its types from the server's code
	@tools/python.sh -m tools.checks contract

lock: ## Write requirements*.txt, with hashes, from requirements*.in, and NOTICE
	@tools/python.sh -m tools.lock

bench: ## Measure the portal against a bare server (bench/README.md)
	@tools/python.sh -m tools.venv -m bench.$(if $(GROWTH),growth,$(if $(REPORTS),reports,run))

fuzz: ## Try the calls, the order's life and the browser's models at random (FUZZ_REQUESTS, FUZZ_SCHEDULES, FUZZ_SEED)
	@tools/python.sh -m tools.fuzz

cluster: ## Kill the primary of two database servers while fifty buyers order (docs/operations.md)
	@tools/python.sh -m tools.venv -m tools.cluster

audit: ## Check in the database that stock, money and history agree
	@tools/python.sh -m tools.venv manage.py audit

clean: ## Delete what was installed and built; the data folder var/ stays
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache frontend/node_modules frontend/dist \
	    frontend/coverage frontend/test-results frontend/playwright-report
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
