# The commands of the project. `make help` lists them; CMakePresets.json says what each build is.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
PRESET ?= dev

.DEFAULT_GOAL := help
.PHONY: help demo check tidy build test fuzz coverage format perf perf-check perf-docs perf-report-check perf-rivals perf-encoders models api-reference install python python-test python-extras python-measure clean dependencies

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: ## Builds the program, evaluates a few telling expressions, searches the packages of this machine
	@scripts/install-dependencies build
	@scripts/demo

check: ## All tests: format, unit, conformance, sanitizers, second compiler, fuzzing, package
	@scripts/install-dependencies check
	@scripts/check

tidy: ## Static analysis of all sources but the tests
	@scripts/install-dependencies check
	@scripts/tidy

build: ## Builds PRESET (default dev)
	cmake --preset $(PRESET)
	cmake --build --preset $(PRESET) --parallel $(JOBS)

test: build ## Builds PRESET and runs its tests
	ctest --preset $(PRESET) --parallel $(JOBS)

fuzz: ## Fuzzes for SECONDS per fuzz program (default 60)
	scripts/fuzz --seconds $(or $(SECONDS),60)

coverage: ## Runs the tests and prints which part of each layer they reach
	scripts/coverage

format: ## Formats all sources in place
	scripts/format

perf: ## Measures all cases, appends the record to perf/history and writes build/perf/report.html
	@scripts/install-dependencies perf
	@scripts/perf

perf-check: ## Fails if this tree is slower than commit BASE, or its plans need more steps or memory
	@scripts/install-dependencies perf
	@perf/regression/check.py --base $(or $(BASE),$(error say what to compare with: make perf-check BASE=<commit>))

perf-docs: ## Puts the figures of the latest record into README.md and docs/measuring.md
	@perf/report/tables.py

perf-report-check: ## Installs Chromium and looks at build/perf/report.html with it: charts, errors, widths, print
	@scripts/install-dependencies browser
	@perf/report/check_page.py --required build/perf/report.html

perf-rivals: ## Installs ONNX Runtime, OpenVINO, LightGBM, XGBoost, treelite, hnswlib and faiss from PyPI in build/rivals, for make perf
	@scripts/perf-rivals

perf-encoders: ## Measures text encoders beside ONNX Runtime and OpenVINO, keeps the points in perf/encoders/points, writes the report
	@scripts/install-dependencies perf
	@scripts/perf-encoders

api-reference: ## Writes the reference of the C++ and C interface to build/api, with Doxygen
	@scripts/install-dependencies reference
	@scripts/api-reference

models: ## Installs trainers and encoders from PyPI in build/models, compares scores and embeddings
	@scripts/install-dependencies check
	@scripts/models

install: ## Builds the release and installs it below PREFIX (default /usr/local)
	@scripts/install-dependencies build
	cmake --preset release -D TENREX_BUILD_TESTS=OFF -D TENREX_BUILD_EXAMPLES=ON -D CMAKE_INSTALL_PREFIX=$(PREFIX)
	cmake --build --preset release --parallel $(JOBS)
	cmake --install build/release --prefix $(PREFIX)

python: ## Builds the Python package: build/python/dist-release/*.whl
	@scripts/install-dependencies build python
	@scripts/python wheel

python-test: ## Builds it and tests it in a virtual environment
	@scripts/install-dependencies check
	@scripts/python test

python-extras: ## The same with packages of PyPI: pandas, pyarrow, polars, DuckDB, scikit-learn, mypy, the notebook
	@scripts/install-dependencies check
	@scripts/python extras

python-measure: ## What a call costs from Python, beside the same call from C++
	@scripts/install-dependencies check
	@scripts/python measure

dependencies: ## Installs the Debian packages that building and testing need
	scripts/install-dependencies check

clean: ## Removes all builds
	rm -rf build
