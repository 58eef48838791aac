# SPDX-License-Identifier: MIT
# Two commands for people: make run, make test. The build itself is meson's.

BUILD = build
PREFIX = /usr/local
# WERROR=1: a warning fails the build
WERROR =
werror = $(if $(filter-out 0,$(WERROR)),true,false)
configured = $(BUILD)/build.ninja
# No target stores its runs in the user's database.
export ASSAY_DB =

# What is missing is got before anything else. If it cannot be, make stops with
# 1: -q says so for a target that is not made, a failed recipe would say 2.
goals := $(or $(MAKECMDGOALS),all)
need := $(if $(filter test test-long,$(goals)),test,$(if \
	$(filter all run bench drill models install static,$(goals)),run))
ifneq ($(need),)
ifneq ($(shell tools/deps install $(need) >&2 && echo there),there)
MAKEFLAGS += -q
endif
endif

all: $(configured)
	@ninja -C $(BUILD)

run: $(configured)
	@[ -e $(BUILD)/assay ] || echo 'assay: building' >&2
	@ninja --quiet -C $(BUILD) command >&2
	@$(BUILD)/assay tour

test:
	@tools/run-tests --werror=$(werror) $(BUILD) $(BUILD)-asan

test-long:
	@tools/run-tests --suite=long --werror=$(werror) $(BUILD) $(BUILD)-asan

bench: $(configured)
	@ninja --quiet -C $(BUILD)
	@meson test -C $(BUILD) --benchmark --verbose --timeout-multiplier 0

drill: $(configured)
	@ninja --quiet -C $(BUILD) bench/drill
	@$(BUILD)/bench/drill -o $(BUILD)/drill.kept
	@ninja --quiet -C $(BUILD) command
	@bench/ci-drill $(BUILD)/assay

# some twenty minutes; not part of bench
models: $(configured)
	@ninja --quiet -C $(BUILD) assay
	@tools/models $(BUILD)/assay >$(BUILD)/models.md
	@cp $(BUILD)/models.md docs/models.md
	@tools/latencies $(BUILD)/assay >$(BUILD)/latencies.md
	@cp $(BUILD)/latencies.md docs/latencies.md
	@tools/pies $(BUILD)/assay >$(BUILD)/pies.md
	@cp $(BUILD)/pies.md docs/pies.md

install: $(configured)
	@meson configure $(BUILD) --prefix=$(abspath $(PREFIX))
	@ninja --quiet -C $(BUILD)
	@DESTDIR=$(DESTDIR) meson install -C $(BUILD) --no-rebuild --quiet

static: $(configured)
	@ninja --quiet -C $(BUILD) assay-static
	@echo $(BUILD)/assay-static

static-aarch64:
	@tools/static/aarch64 $(BUILD)-aarch64
	@echo $(BUILD)-aarch64/assay-static

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-aarch64

help:
	@echo 'make run       get what is missing, build, show the main job'
	@echo 'make test      get what is missing, build and test, twice: plain'
	@echo '               and with the address and undefined sanitizers'
	@echo 'make test-long what takes an hour or installs: a new Debian, in which'
	@echo '               make run and make test run (root and debootstrap);'
	@echo '               and each fuzz target for FUZZ_SECONDS=600'
	@echo 'make bench     the benchmarks'
	@echo 'make drill     random faults, planted and found: five minutes; goes on'
	@echo '               where an interrupted one has stopped'
	@echo 'make models    docs/models.md, latencies.md and pies.md anew: the models'
	@echo 'make install   to PREFIX=$(PREFIX), under DESTDIR=$(DESTDIR)'
	@echo 'make static    $(BUILD)/assay-static, which needs no library; static-aarch64:'
	@echo '               the same for AArch64, with a cross compiler'
	@echo 'make clean     remove what was built'
	@echo 'make           get what is missing, build'
	@echo 'WERROR=1       with any of them: a warning fails a new build'

$(configured):
	@meson setup $(BUILD) -Dwerror=$(werror) -Dtests=disabled >&2

.PHONY: all run test test-long bench drill models install static \
	static-aarch64 clean help
