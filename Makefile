# Two commands for a fresh machine, and the ones that work here needs.
#   make demo    installs what is missing, builds, and runs over corpus/
#   make test    installs what is missing, and runs all tests
SWIFT ?= swift
DEMO  := .build/demo
# Simulated worlds that make simulate runs through, or the one that it tells of.
SEEDS ?= 100000
# Of both kinds of worlds, those that are watched alone.
WATCHED ?=
# How often make kills kills a run.
KILLS ?= 40
# Which throws of the dice: of both.
SEED  ?=

.PHONY: help demo test simulate kills build lint format corpus clean

help:
	@echo "make demo     build, and run over the sample recordings in corpus/"
	@echo "make test     run all tests"
	@echo "make simulate SEEDS=1000000   run through so many simulated worlds (SEED=1 shows one,"
	@echo "                              WATCHED=1 only those that are watched)"
	@echo "make kills    kill runs KILLS times, by SEED, and tell of each"
	@echo "make build    build the command in release mode"
	@echo "make lint     check format and style"
	@echo "make format   put the format right"
	@echo "make corpus   make the sample recordings anew (python3-numpy, espeak-ng)"
	@echo "make clean    remove everything that was built"

demo: build
	@rm -rf $(DEMO)
	@# Exit status 3: some of the sample recordings are broken on purpose.
	@"$$($(SWIFT) build -c release --show-bin-path)/tapedeck" run corpus --output $(DEMO) \
		|| test $$? -eq 3
	@echo
	@echo "The failures are meant: corpus/troubled holds broken recordings."
	@echo "The results are in $(DEMO); corpus/README.md says what is in each recording."

build:
	@.ci/install build
	$(SWIFT) build -c release --product tapedeck

test:
	@.ci/install build test
	$(SWIFT) test

simulate:
	@.ci/install build
	$(SWIFT) run -c release simulate $(if $(SEED),--seed $(SEED),--seeds $(SEEDS)) \
		$(if $(WATCHED),--watched)

kills:
	@.ci/install build test
	KILLS=$(KILLS) SEED=$(or $(SEED),1) $(SWIFT) test --filter KillTests

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests \
		Benchmarks/Package.swift Benchmarks/Sources/StoreBenchmark
	.ci/check-sources

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests \
		Benchmarks/Package.swift Benchmarks/Sources/StoreBenchmark

corpus:
	python3 corpus/make.py

clean:
	rm -rf .build
