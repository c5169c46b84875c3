# PinkTower: `make run` starts it, `make test` tests everything. See README.md.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory --no-builtin-rules
.DEFAULT_GOAL := help

DATA ?= data
PORT ?= 8080
STAMPS := .build/stamps
LOGS := .build/tests
LIBRARIES := libsqlite3-dev libqrencode-dev libzbar-dev libpango1.0-dev libgd-dev zlib1g-dev libarchive-dev poppler-utils \
    libcmark-gfm-dev libcmark-gfm-extensions-dev pkg-config \
    fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji
TESTERS := chromium chromium-headless-shell node-typescript python3-venv
LOADERS := wrk
# When make began, and the seconds after which 'make test' tries no more blocks that lift out. It still tries some for
# LIFT_LEAST seconds, but none after LIFT_LATEST, so that CI's limit of 5,400 seconds holds on a slow machine as well.
STARTED := $(shell date +%s)
LIFT_END ?= 1740
LIFT_LEAST ?= 180
LIFT_LATEST ?= 4800
# The Swift tests take 5 minutes on two idle cores; a run that hangs is ended, so that the log says where.
SWIFT_TESTS_SECONDS ?= 1500
# A crash is reported by the stack of its thread. The whole report of a process with a hundred threads takes minutes, and
# reading the memory around its registers once did not end at all.
export SWIFT_BACKTRACE ?= enable=yes,color=no,threads=crashed,registers=none,images=none

.PHONY: help run demo test check bench siege lift clean swift release gate

help:
	@cat <<'TEXT'
	make run     build for release and start the server (DATA=data PORT=8080)
	make demo    fill an empty data folder with a sample school and print its sign-ins
	make test    everything: packages, build, checks, unit, browser and API tests
	make check   the quick gate: format, rules of the project, catalogs, page scripts
	make bench   the figures: speed and memory of a release build (PEOPLE=300: of the school whose capacity is measured)
	make lift    each block alone, everything without it, its own tests (BLOCKS="Quest Search"; all take 45 minutes)
	make gate    the program of a small computer at a residence's door (docs/gate.md)
	make siege   long attacks on a release build (at most 25 minutes); prints a table
	make clean   remove what was built; your data stays
	TEXT

# --- What users run

run: release
	@echo "Starting PinkTower with the data in $(DATA). Ctrl-C stops it."
	exec .build/release/pinktower serve --data "$(DATA)" --port "$(PORT)"

demo: release
	@echo "Filling $(DATA) with a sample school ..."
	if answer=$$(.build/release/pinktower demo --data "$(DATA)" 2>&1); then
	    echo "$$answer"
	    echo "Now 'make run$(if $(filter-out data,$(DATA)), DATA=$(DATA))' opens it."
	elif grep --quiet "holds the sample school already" <<<"$$answer"; then
	    echo "$(DATA) holds the sample school already: sign in as ana@demo.example with 'rose cubes on a shelf'."
	else
	    echo "$$answer" >&2
	    echo "The sample school was not made." >&2
	    exit 1
	fi

# The program at a residence's door, in one folder with its texts and Swift's libraries: the computer there needs no Swift.
gate: swift $(STAMPS)/libraries
	@echo "Building pinktower-gate for release ..."
	swift build -c release --product pinktower-gate
	rm -rf .build/gate
	mkdir -p .build/gate
	cp -r .build/release/pinktower-gate .build/release/*_Client.resources .build/release/*_GateApp.resources .build/gate/
	ldd .build/gate/pinktower-gate | awk '$$3 ~ /swift/ { print $$3 }' | xargs cp -t .build/gate
	cp Apps/Gate/pinktower-gate.service .build/gate/
	echo "The folder .build/gate is ready to be copied: docs/gate.md says where."

release: swift $(STAMPS)/libraries
	@echo "Building PinkTower for release (the first time takes 10 to 20 minutes on two cores) ..."
	swift build -c release --product pinktower
	echo "PinkTower is built."

# --- What developers run

# Every part runs, also after one that failed; the end says how each ended.
test: swift $(STAMPS)/libraries $(STAMPS)/testers $(STAMPS)/venv
	@mkdir -p $(LOGS)
	rm -f $(LOGS)/*.log $(LOGS)/browser.json
	echo "1/5 Building everything, with the tests ..."
	swift build $$(.ci/build-flags) --build-tests --explicit-target-dependency-import-check error
	failed=() times="build $$(( $$(date +%s) - $(STARTED) ))"
	part() {
	    local began=$$(date +%s)
	    echo "$$1 ..."
	    "$${@:3}" 2>&1 | tee "$(LOGS)/$$2.log" || failed+=("$$2")
	    times+=", $$2 $$(( $$(date +%s) - began ))"
	}
	part "2/5 Checking the rules of the project" check .build/debug/tower check
	part "3/5 Running the Swift tests" swift timeout --kill-after=30 $(SWIFT_TESTS_SECONDS) .build/debug/tower test
	part "4/5 Running the browser and API tests" browser \
	    .venv/bin/python -m pytest -c Tests/Browser/pytest.ini -n 2 --maxschedchunk 2 --reruns 1 Tests/Browser
	end=$$(( $(STARTED) + $(LIFT_END) )) least=$$(( $$(date +%s) + $(LIFT_LEAST) )) latest=$$(( $(STARTED) + $(LIFT_LATEST) ))
	part "5/5 Lifting out blocks that the change touches, as far as there is time" lift \
	    .venv/bin/python Tests/Lift/lift.py --since landed --until $$(( least > latest ? latest : end > least ? end : least ))
	echo
	# What failed stands beside the end: where only the end of a run is kept, it still says what it was.
	grep -hE "^✘ Test .*recorded an issue|^(FAILED|ERROR|RERUN) " $(LOGS)/{swift,browser,lift}.log || true
	echo "Seconds: $$times."
	tail -n 1 $(LOGS)/check.log
	grep -E "Test run with" $(LOGS)/swift.log | tail -n 1 || tail -n 1 $(LOGS)/swift.log
	tail -n 1 $(LOGS)/browser.log
	tail -n 1 $(LOGS)/lift.log
	if [ $${#failed[@]} -gt 0 ]; then
	    echo "Failed: $${failed[*]}. The logs are in $(LOGS)."
	    exit 1
	fi
	echo "Everything passed."

check: swift $(STAMPS)/libraries
	@echo "Building tower and checking the project ..."
	swift build $$(.ci/build-flags) --product tower
	.build/debug/tower check

bench: swift $(STAMPS)/libraries $(STAMPS)/loaders $(STAMPS)/testers $(STAMPS)/venv
	@echo "Building for release and measuring (some minutes) ..."
	swift build -c release --product pinktower
	swift build -c release --product bench
	.build/release/bench $(if $(PEOPLE),--people $(PEOPLE))
	PINKTOWER_BINARY="$(CURDIR)/.build/release/pinktower" .venv/bin/python -m pytest -c Tests/Browser/pytest.ini -q -s \
	    Tests/Browser/bench_pages.py Tests/Browser/test_quest.py -k "in_time or within_a_frame"
	echo "Those were the figures."

lift: swift $(STAMPS)/libraries $(STAMPS)/venv
	@swift build $$(.ci/build-flags) --product tower
	.venv/bin/python Tests/Lift/lift.py $(BLOCKS)

# PARTS=kill,move runs some of the attacks.
siege: release $(STAMPS)/testers $(STAMPS)/venv
	@PINKTOWER_BINARY="$(CURDIR)/.build/release/pinktower" .venv/bin/python Tests/Siege/siege.py $(if $(PARTS),--only $(PARTS))

clean:
	@echo "Removing .build, .venv and what the tests left ..."
	rm -rf .build .venv .pytest_cache .hypothesis Tests/Browser/output
	find Tests -name __pycache__ -type d -prune -exec rm -rf {} +
	echo "Clean. The data in $(DATA) is untouched."

# --- What these need

swift:
	@found=$$(swift --version 2>/dev/null | grep -Eo 'Swift version [0-9]+\.[0-9]+' | grep -Eo '[0-9]+\.[0-9]+' || true)
	if [ -z "$$found" ] || [ "$$(printf '%s\n' 6.3 "$$found" | sort --version-sort | head -n 1)" != 6.3 ]; then
	    echo "PinkTower needs Swift 6.3 or later; here is $${found:-none}." >&2
	    echo "Install it as https://www.swift.org/install says (with swiftly: swiftly install 6.3), then try again." >&2
	    exit 1
	fi

$(STAMPS)/libraries: Makefile .ci/packages
	@.ci/packages $(LIBRARIES)
	mkdir -p $(@D)
	touch $@

$(STAMPS)/testers: Makefile .ci/packages
	@.ci/packages $(TESTERS)
	mkdir -p $(@D)
	touch $@

$(STAMPS)/loaders: Makefile .ci/packages
	@.ci/packages $(LOADERS)
	mkdir -p $(@D)
	touch $@

.venv/pyvenv.cfg: | $(STAMPS)/testers
	@echo "Making a Python environment in .venv ..."
	python3 -m venv .venv

$(STAMPS)/venv: Tests/Browser/requirements.txt .venv/pyvenv.cfg
	@echo "Installing the browser tests' Python packages ..."
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement Tests/Browser/requirements.txt
	mkdir -p $(@D)
	touch $@
