# Two commands for a fresh machine, and the ones that work here needs.
#   make demo    installs what is missing, builds, and runs over corpus/
#   make test    installs what is missing, and runs all tests
SWIFT ?= swift
DEMO  := .build/demo
# What is built for release holds Swift's libraries, so that it runs where there is no Swift, and
# starts in half the time; it need not look for others beside itself. GNU's linker would warn of calls
# in them that nobody makes.
RELEASE := -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic
# From 2.36 on the C library takes relocations packed, fifty thousand in a hundredth of the room.
ifneq ($(shell printf '2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | sort -VC && echo 1),)
RELEASE += -Xlinker -z -Xlinker pack-relative-relocs
endif
# GNU's C++ library goes in as well, where its archive is there: to load it takes as long as to load
# those for sound. The linker takes what it finds first, so the archive gets a folder of its own.
# ARCHIVE= leaves it out.
ARCHIVE := $(shell $(dir $(realpath $(shell command -v $(SWIFT))))clang \
	-print-file-name=libstdc++.a 2> /dev/null)
ifneq ($(and $(shell command -v $(SWIFT)),$(wildcard $(ARCHIVE))),)
STATIC := .build/static
RELEASE += -Xlinker -L$(STATIC)
endif
# Generic types are asked for by a call. By name, which takes less room, each would cost a search
# among all that conforms to anything, a twelfth of the time that a short recording takes.
RELEASE += -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# The build for tests: asserts are held, which a test expects of it, and of Swift only what tests have
# reckon most is optimised (Package.swift), so it builds quickly. It is not a debug build, because in one
# ArgumentParser checks its options against each other at every start of the command. That takes a third
# of a second, and the tests start it all the time. Most modules are tests, which nobody waits for to be
# told of apart from their code: to do so would read each twice. Nor does anybody step through it, which
# would take another tenth.
CHECKED := --scratch-path .build/checked -c release -Xswiftc -Onone -Xswiftc -gnone \
	-Xswiftc -no-emit-module-separately-wmo
checked = HOLDS_ASSERTS=1 $(SWIFT)
# For no other build, though somebody may have exported it.
unexport HOLDS_ASSERTS
# The tests that make test runs, by their names; all where none is named.
FILTER ?=
# What make build builds: the command, or a tool that the benchmarks need.
PRODUCT ?= tapedeck
# Where make install puts the command, and by what shells complete it; packagers set DESTDIR too.
PREFIX  ?= /usr/local
DESTDIR ?=
TARGET  := $(DESTDIR)$(PREFIX)
TOOL    := .build/release/tapedeck
INSTALLED := bin/tapedeck
BASH := share/bash-completion/completions/tapedeck
ZSH  := share/zsh/site-functions/_tapedeck
FISH := share/fish/vendor_completions.d/tapedeck.fish
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

.PHONY: help demo test build install uninstall simulate kills landings bursts months lint format \
	corpus clean

help:
	@echo "make demo     build, and run over the sample recordings in corpus/"
	@echo "make test     run all tests, or FILTER=JobsTests"
	@echo "make build    build the command in release mode"
	@echo "make install  put it, and what shells complete it by, below PREFIX=/usr/local"
	@echo "make uninstall         take it away again"
	@echo "make simulate SEEDS=1000000   run through so many simulated worlds (SEED=1 shows one,"
	@echo "                              WATCHED=1 only those that are watched)"
	@echo "make kills    kill runs KILLS times, by SEED, and tell of each"
	@echo "make landings LANDINGS=100    tell how long recordings take from their close to the manifest"
	@echo "make bursts FILES=10000       copy in many recordings at once while watching"
	@echo "make months LANDINGS=100000   tell what watching needs while recordings come and go"
	@echo "make lint     check format and style"
	@echo "make format   put the format right"
	@echo "make corpus   make the sample recordings anew (python3-numpy, espeak-ng)"
	@echo "make clean    remove everything that was built"

demo: build
	@rm -rf $(DEMO)
	@# Exit status 3: some of the sample recordings are broken on purpose.
	@$(TOOL) run corpus --output $(DEMO) || test $$? -eq 3
	@echo
	@echo "The failures are meant: corpus/troubled holds broken recordings."
	@echo "The results are in $(DEMO); corpus/README.md says what is in each recording."

build: $(STATIC:%=%/libstdc++.a)
	@.ci/install build
	$(SWIFT) build $(RELEASE) --product $(PRODUCT)

.build/static/libstdc++.a:
	@mkdir -p $(@D)
	@ln -sf $(ARCHIVE) $@

# Often by somebody with more rights and without Swift, so nothing is built here.
install:
	@test -x $(TOOL) || { echo "run make build first" >&2; exit 1; }
	mkdir -p $(sort $(dir $(addprefix $(TARGET)/,$(INSTALLED) $(BASH) $(ZSH) $(FISH))))
	install -m 755 $(TOOL) $(TARGET)/$(INSTALLED)
	strip -S $(TARGET)/$(INSTALLED)
	$(TOOL) --generate-completion-script bash > $(TARGET)/$(BASH)
	$(TOOL) --generate-completion-script zsh > $(TARGET)/$(ZSH)
	$(TOOL) --generate-completion-script fish > $(TARGET)/$(FISH)

uninstall:
	rm -f $(addprefix $(TARGET)/,$(INSTALLED) $(BASH) $(ZSH) $(FISH))

test:
	@.ci/install build test
	$(checked) test $(CHECKED) $(if $(FILTER),--filter '$(FILTER)')

# What it is made of is part of the tests, and is built with them.
simulate:
	@.ci/install build test
	$(checked) build $(CHECKED) --build-tests -Xswiftc -enable-testing
	.build/checked/release/simulate $(if $(SEED),--seed $(SEED),--seeds $(SEEDS)) \
		$(if $(WATCHED),--watched)

kills:
	@.ci/install build test
	KILLS=$(KILLS) SEED=$(or $(SEED),1) $(checked) test $(CHECKED) --filter KillTests

# With what was built for release, as for a user.
release = TAPEDECK="$(abspath $(TOOL))"

landings: build
	@.ci/install test
	$(release) LANDINGS=$(or $(LANDINGS),100) $(checked) test $(CHECKED) --filter LandingTests

bursts: build
	@.ci/install test
	$(release) FILES=$(FILES) $(checked) test $(CHECKED) --filter BurstTests

months: build
	@.ci/install test
	$(release) LANDINGS=$(or $(LANDINGS),100000) $(checked) test $(CHECKED) --filter MonthsTests

lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests \
		$(BENCHMARKS)
	.ci/check-sources

format:
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests \
		$(BENCHMARKS)

corpus:
	python3 corpus/make.py

clean:
	rm -rf .build
