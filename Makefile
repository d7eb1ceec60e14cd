# Commands for a fresh machine; the other targets are listed by make help.
#   make demo    installs what is missing, builds, and runs over corpus/
#   make test    installs what is missing, and runs all tests
SWIFT ?= swift
DEMO  := .build/demo
# Release builds link Swift's libraries statically, so that the command runs without Swift and
# starts in half the time; it needs no rpath. The linker is lld because GNU ld would warn about
# library calls that never happen.
RELEASE := -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic
# glibc 2.36 and later load packed relative relocations: 50,000 in a hundredth of the space.
ifneq ($(shell printf '2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | sort -VC && echo 1),)
RELEASE += -Xlinker -z -Xlinker pack-relative-relocs
endif
# libstdc++ is linked statically too, if its archive is installed: loading it takes as long as
# loading the audio libraries. The linker uses the first match, so the archive gets a folder of
# its own. ARCHIVE= disables this.
ARCHIVE := $(shell $(dir $(realpath $(shell command -v $(SWIFT))))clang \
	-print-file-name=libstdc++.a 2> /dev/null)
ifneq ($(and $(shell command -v $(SWIFT)),$(wildcard $(ARCHIVE))),)
STATIC := .build/static
RELEASE += -Xlinker -L$(STATIC)
endif
# Get generic type metadata by function calls. Lookup by mangled name is smaller, but each one
# searches all protocol conformances: a twelfth of the time that a short recording takes.
RELEASE += -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# The build for tests evaluates asserts, which one test verifies, and optimises only the Swift
# modules that use the most time in tests (Package.swift), so it builds quickly. In a debug build,
# ArgumentParser would validate its options at every start of the command: a third of a second, and
# tests start it often. Swift modules are not emitted separately: most are tests, which no other
# module waits for, and each would be parsed twice. Debug info (-gnone), which nobody uses here,
# would take another tenth of the time.
CHECKED := --scratch-path .build/checked -c release -Xswiftc -Onone -Xswiftc -gnone \
	-Xswiftc -no-emit-module-separately-wmo
checked = HOLDS_ASSERTS=1 $(SWIFT)
# Other builds must not see HOLDS_ASSERTS, even if the user's environment exports it.
unexport HOLDS_ASSERTS
# A filter by test name for make test; empty runs all tests.
FILTER ?=
# The product that make build builds: the command, or a tool for benchmarks.
PRODUCT ?= tapedeck
# The folder below which make install puts everything; packagers also set DESTDIR.
PREFIX  ?= /usr/local
DESTDIR ?=
TARGET  := $(DESTDIR)$(PREFIX)
TOOL    := .build/release/tapedeck
# Decodes what only libav can; tapedeck expects it in its own folder.
HELPER  := .build/release/tapedeck-decoder
LIBAV   := libavformat-dev libavcodec-dev libavutil-dev libseccomp-dev
COMMAND := bin/tapedeck
BASH := share/bash-completion/completions/tapedeck
ZSH  := share/zsh/site-functions/_tapedeck
FISH := share/fish/vendor_completions.d/tapedeck.fish
UNIT := lib/systemd/system/tapedeck-watch@.service
MAN  := share/man/man1
DATA := share/tapedeck
DOC  := share/doc/tapedeck
# All that make install writes and make uninstall removes: files, a pattern, and two whole folders.
INSTALLED := $(COMMAND) $(COMMAND)-decoder $(BASH) $(ZSH) $(FISH) $(UNIT) \
	$(MAN)/tapedeck.1 $(MAN)/tapedeck-*.1 $(DATA) $(DOC)
# The date of man pages and packages, in seconds since 1970: that of the last commit, or, without
# git, of the change log.
EPOCH = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2> /dev/null \
	|| stat -c %Y CHANGELOG.md))
# The number of simulated worlds that make simulate runs; SEED shows a single one instead.
SEEDS ?= 100000
# Set to simulate watched worlds only.
WATCHED ?=
# The number of runs that make kills kills.
KILLS ?= 40
# The seed of the single world that make simulate shows, and of make kills.
SEED  ?=

# The number of recordings for make landings and make months (LANDINGS) and make bursts (FILES).
LANDINGS ?=
FILES ?= 10000
# Benchmark sources, without symlinks into Sources.
BENCHMARKS := Benchmarks/Package.swift $(addprefix Benchmarks/Sources/,StoreBenchmark StoreRuns) \
	$(wildcard Benchmarks/Rooms/*.swift)

.PHONY: help demo test build install uninstall spaceless deb tarball simulate kills power-loss disk-errors landings \
	bursts months lint format corpus clean

help:
	@echo "make demo     build, and run over the sample recordings in corpus/"
	@echo "make test     run all tests, or FILTER=JobsTests"
	@echo "make build    build the command in release mode"
	@echo "make install  install it below PREFIX=/usr/local, with man pages, completions, systemd unit"
	@echo "make uninstall         remove all of that"
	@echo "make deb      build a Debian package of it in .build/"
	@echo "make tarball  build an archive of it in .build/, for other distributions"
	@echo "make simulate SEEDS=1000000   run through so many simulated worlds (SEED=1 shows one,"
	@echo "                              WATCHED=1 only those that are watched)"
	@echo "make kills    kill runs KILLS times, by SEED, and tell of each"
	@echo "make power-loss  replay the writes of a run, each as the last before a crash (strace)"
	@echo "make disk-errors  have each call of a run fail that touches its output"
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
	@$(TOOL) run corpus --output $(DEMO) --report || test $$? -eq 3
	@echo
	@echo "The failures are meant: corpus/troubled holds broken recordings."
	@echo "The results are in $(DEMO); corpus/README.md says what is in each recording."
	@echo "Look and listen: file://$(CURDIR)/$(DEMO)/index.html"

# The decoder helper is built too if libav's headers are installed.
build: $(STATIC:%=%/libstdc++.a)
	@.ci/install build
	$(SWIFT) build $(RELEASE) --product $(PRODUCT)
ifeq ($(PRODUCT),tapedeck)
	@.ci/install libav || true
	@if pkg-config --exists libavformat libavcodec libavutil libseccomp; then \
		$(SWIFT) build $(RELEASE) --product tapedeck-decoder; \
	else \
		rm -f $(HELPER); \
		echo "Built without tapedeck-decoder, because headers are missing:"; \
		echo "m4a, AAC, AMR, WMA and video will not open (apt install $(LIBAV))"; \
	fi
endif

.build/static/libstdc++.a:
	@mkdir -p $(@D)
	@ln -sf $(ARCHIVE) $@

# Usually run as root, without Swift in the PATH, so it builds nothing. Files of an earlier version
# are removed first.
install: spaceless
	@test -x $(TOOL) || { echo "run make build first" >&2; exit 1; }
	rm -rf $(addprefix $(TARGET)/,$(INSTALLED))
	mkdir -p $(sort $(dir $(addprefix $(TARGET)/,$(INSTALLED)))) \
		$(addprefix $(TARGET)/,$(DATA) $(DOC)/docs/images $(DOC)/examples)
	install -m 755 $(TOOL) $(TARGET)/$(COMMAND)
	strip -S $(TARGET)/$(COMMAND)
	if [ -x $(HELPER) ]; then install -s -m 755 $(HELPER) $(TARGET)/$(COMMAND)-decoder; fi
	$(TOOL) --generate-completion-script bash | sed '1{/^#!/d}' > $(TARGET)/$(BASH)
	$(TOOL) --generate-completion-script zsh > $(TARGET)/$(ZSH)
	$(TOOL) --generate-completion-script fish > $(TARGET)/$(FISH)
	packaging/man-pages $(TOOL) $(TARGET)/$(MAN) $(shell date -u -d @$(EPOCH) +%F)
	install -m 644 docs/manifest.schema.json $(TARGET)/$(DATA)
	install -m 644 README.md CHANGELOG.md LICENSE $(TARGET)/$(DOC)
	install -m 644 docs/*.md $(TARGET)/$(DOC)/docs
	ln -s ../../../tapedeck/manifest.schema.json $(TARGET)/$(DOC)/docs
	install -m 644 docs/images/* $(TARGET)/$(DOC)/docs/images
	install -m 644 examples/* $(TARGET)/$(DOC)/examples
	sed -i 's|=/usr/local/bin/|=$(PREFIX)/bin/|' $(TARGET)/$(DOC)/examples/*
	install -m 644 '$(TARGET)/$(DOC)/examples/$(notdir $(UNIT))' '$(TARGET)/$(UNIT)'
	cat .build/checkouts/*/NOTICE.txt > $(TARGET)/$(DOC)/NOTICE

# Folders are removed below these.
spaceless:
	@test $(words x$(PREFIX)$(DESTDIR)) -eq 1 || \
		{ echo "PREFIX and DESTDIR must not have spaces" >&2; exit 1; }

# Folders that this leaves empty are removed too, except bin and share/man, which systems expect.
uninstall: spaceless
	rm -rf $(addprefix $(TARGET)/,$(INSTALLED))
	@{ cd $(TARGET) && rmdir --ignore-fail-on-non-empty $(MAN) && rmdir -p \
		--ignore-fail-on-non-empty $(dir $(BASH) $(ZSH) $(FISH) $(UNIT) $(DOC)); } 2> /dev/null || true

deb tarball: build
	SOURCE_DATE_EPOCH=$(EPOCH) packaging/$@

test:
	@.ci/install build libav test
	$(checked) test $(CHECKED) $(if $(FILTER),--filter '$(FILTER)')

# The simulator's modules are test modules, so it is built with the tests.
simulate:
	@.ci/install build libav test
	$(checked) build $(CHECKED) --build-tests -Xswiftc -enable-testing
	.build/checked/release/simulate $(if $(SEED),--seed $(SEED),--seeds $(SEEDS)) \
		$(if $(WATCHED),--watched)

kills:
	@.ci/install build libav test
	KILLS=$(KILLS) SEED=$(or $(SEED),1) $(checked) test $(CHECKED) --filter KillTests

# A new output, and one whose files are replaced by others.
power-loss:
	@.ci/install build libav power-loss
	$(checked) build $(CHECKED) --product tapedeck
	python3 Tests/PowerLoss/replay.py .build/checked/release/tapedeck
	python3 Tests/PowerLoss/replay.py .build/checked/release/tapedeck --first "--activity any" \
		--then "--activity any --waveform-format json --trim off"

disk-errors:
	@.ci/install build libav power-loss
	$(checked) build $(CHECKED) --product tapedeck
	python3 Tests/PowerLoss/errors.py .build/checked/release/tapedeck
	python3 Tests/PowerLoss/errors.py .build/checked/release/tapedeck --first "--activity any" \
		--then "--activity any --waveform-format json --trim off"

# Measure the release build, as users run it.
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
