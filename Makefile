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

# How many recordings land for make landings and make months, and in a burst for make bursts.
LANDINGS ?=
FILES ?= 10000
# Of the benchmarks, what is not a link to Sources.
BENCHMARKS := Benchmarks/Package.swift $(addprefix Benchmarks/Sources/,StoreBenchmark StoreRuns) \
	$(wildcard Benchmarks/Rooms/*.swift)

.PHONY: help demo test simulate kills landings bursts months build lint format corpus clean

help:
	@echo "make demo     build, and run over the sample recordings in corpus/"
	@echo "make test     run all tests"
	@echo "make simulate SEEDS=1000000   run through so many simulated worlds (SEED=1 shows one,"
	@echo "                              WATCHED=1 only those that are watched)"
	@echo "make kills    kill runs KILLS times, by SEED, and tell of each"
	@echo "make landings LANDINGS=100    tell how long recordings take from their close to the manifest"
	@echo "make bursts FILES=10000       copy in many recordings at once while watching"
	@echo "make months LANDINGS=100000   tell what watching needs while recordings come and go"
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

# With what was built for release, as for a user.
release = TAPEDECK="$$($(SWIFT) build -c release --show-bin-path)/tapedeck"

landings: build
	@.ci/install test
	$(release) LANDINGS=$(or $(LANDINGS),100) $(SWIFT) test --filter LandingTests

bursts: build
	@.ci/install test
	$(release) FILES=$(FILES) $(SWIFT) test --filter BurstTests

months: build
	@.ci/install test
	$(release) LANDINGS=$(or $(LANDINGS),100000) $(SWIFT) test --filter MonthsTests

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests \
		$(BENCHMARKS)
	.ci/check-sources

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests \
		$(BENCHMARKS)

corpus:
	python3 corpus/make.py

clean:
	rm -rf .build
