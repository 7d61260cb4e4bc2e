# A short way in; Meson does the work (see meson.build).
#
#   make            build/cairn, optimised
#   make try        installs what is missing, builds, and shows two models checked
#   make check      installs what is missing, builds, runs all tests and checkers
#   make lint       clang-tidy, with its analyzer, on every file that changed since it was clean, or what it includes
#   make sanitize   the tests under AddressSanitizer and UndefinedBehaviorSanitizer
#   make counts     counts of all reference models up to two million states, both compilers, every exact store
#   make promela    Promela: counts of all reference models, their automata and random models beside Spin
#   make nets       Petri nets: counts of all reference nets up to two million markings, formulas, random nets
#   make soundness  every way to search: on a million tiny random systems, then on real models (hours)
#   make ltl        a hundred thousand formulas against their meaning, and the table of sizes beside Spin's
#   make budget     is the memory budget kept: every store and order, on models far too large
#   make models     the small models in every way to search (minutes)
#   make checkpoint 320 searches in 32 ways are killed and go on, and must end as if nothing had been (minutes)
#   make mutants    do the tests notice small wrong changes of the program? (hours)
#   make estimates  what stores are estimated to take, beside what they do
#   make truth      what lossy stores print against what they omit; 5,000 random combinations of options
#   make bench      speed on twelve models
#   make bench-stores   every store beside Spin's, on the model of Spin's chapter on them
#   make bench-rate     whether a store gets slower as it fills, up to 50 million states
#   make bench-caching  the smallest caches beside the paper's, 25 models (hours); goes on where it was interrupted
#   make bench-sweep    the sweep-line beside the paper's, 11 models (an hour), likewise
#   make bench-nets     what an event of a net costs, from 20 to 20,000 transitions
#   make bench-cycles   what looking for cycles costs, and how long lassos are, beside Spin
#   make bench-promela  speed and memory beside Spin on thirteen models, and from text to verdict
#   make walk       what a newcomer does, in a fresh clone without the libraries of the tests: try, install, uninstall, deb
#   make fuzz       every fuzz target for FUZZ_SECONDS over its corpus
#   make install    to PREFIX, with DESTDIR in front; make uninstall takes it away again
#   make deb        a Debian package, build/cairn_VERSION_ARCHITECTURE.deb
#   make clean

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 30

.PHONY: all try walk check lint estimates checkpoint counts promela nets soundness models mutants budget truth bench bench-stores bench-rate bench-caching bench-sweep bench-nets bench-promela bench-cycles sanitize fuzz install uninstall deb clean setup setup-build

all: build/build.ninja
	@ninja -C build

build/build.ninja:
	@command -v meson >/dev/null || { echo "Meson is missing: run scripts/setup first." >&2; exit 1; }
	@meson setup build --prefix=$(PREFIX)

setup-build:
	@scripts/setup build

setup:
	@scripts/setup

# The second model is wrong on purpose: exit status 1 is what it must give.
try: setup-build
	@$(MAKE) --no-print-directory all
	@echo
	@echo '$$ build/cairn check models/peterson.dve'
	@build/cairn check models/peterson.dve
	@echo
	@echo '$$ build/cairn check models/mutex-wrong.dve'
	@build/cairn check models/mutex-wrong.dve; test $$? -eq 1

check: setup
	@test -f build/build.ninja || meson setup build --prefix=$(PREFIX)
	@tools/check.py build --no-suite tidy

lint: setup
	@test -f build/build.ninja || meson setup build --prefix=$(PREFIX)
	@tools/check.py build --suite tidy

checkpoint: all
	@tests/checkpoint/run.py --cairn build/cairn --kills 10 -v

counts: all
	@tests/counts/run.py --cairn build/cairn --most 2000000 --compilers tcc,cc
	@for store in tree collapse automaton; do tests/counts/run.py --cairn build/cairn --most 2000000 --store $$store || exit 1; done
	@tests/counts/orders.py --cairn build/cairn --most 50000 --lean 200000

promela: all
	@tests/promela/counts.py --cairn build/cairn --compilers tcc,cc
	@tests/promela/counts.py --cairn build/cairn --most 500000 --stores tree,collapse,automaton
	@tests/promela/cases.py --cairn build/cairn
	@tests/promela/automata.py --dump build/tests/promela/promela_dump
	@tests/promela/random_spin.py --cairn build/cairn --count 10000

nets: all
	@tests/pnml/counts.py --cairn build/cairn --most 2000000 --stores full,tree,comback,comback:numbers+cache=100+shorten
	@tests/pnml/formulas.py --cairn build/cairn --most 2000000
	@tests/pnml/random_nets.py --cairn build/cairn --count 2000

soundness: all
	@build/tests/soundness/reductions -n 1000000
	@build/tests/soundness/soundness -n 1000000
	@build/tests/soundness/soundness -n 1000000 -w 4 -c por
	@build/tests/soundness/formulas -n 1000000 -s 1000000
	@build/tests/soundness/pressure -n 100000
	@build/tests/soundness/cycles -n 1000000
	@tests/soundness/models.py --cairn build/cairn
	@tests/soundness/once.py --cairn build/cairn --dve 20000 --nets 60 --promela 100 --limits
	@tests/backward/random_models.py --count 1000
	@tests/soundness/independence.py --cairn build/cairn --most 10000

walk:
	@scripts/setup walk
	@tests/cli/fresh_clone.py

models: all
	@tests/models/run.py --all build/cairn

mutants:
	@tools/mutants.py

ltl: all
	@build/tests/ltl/words -n 100000
	@tests/ltl/table.py --sizes build/tests/ltl/sizes

budget: all
	@tests/budget/run.py --cairn build/cairn

estimates: all
	@bench/estimates.py --cairn build/cairn --show

truth: all
	@build/tests/truth/truth -t -r 20 -m 30 -n 30000 -s .
	@tests/truth/options.py --cairn build/cairn -n 5000

bench: all
	@bench/run.py --cairn build/cairn

bench-caching: all
	@bench/caching.py --cairn build/cairn --folder build/table2 --table build/table2.tsv --markdown build/table2.md

bench-sweep: all
	@bench/sweep.py --cairn build/cairn --folder build/table3 --markdown build/table3.md

bench-nets: all
	@bench/nets.py --cairn build/cairn

bench-promela: all
	@bench/promela.py --cairn build/cairn --repeat 3

bench-cycles: all
	@ninja -C build bench/cycles_bench
	@bench/cycles.py --cairn build/cairn --bench build/bench/cycles_bench

# What it measured before is not measured again: RESULTS is kept.
RESULTS ?= build/chapter.jsonl
bench-stores: all
	@build/cairn bench bench/suites/chapter.tsv --results $(RESULTS) --table md \
	  --chart build/chapter.svg

bench-rate: all
	@ninja -C build bench/store_bench
	@bench/rate.py

# clang, so that both compilers see the code every time. Fuzzing takes the same build.
build-sanitize/build.ninja:
	@CC=clang meson setup build-sanitize -Dfuzz=true --buildtype=debugoptimized -Db_sanitize=address,undefined \
	  -Db_lundef=false

sanitize: setup build-sanitize/build.ninja
	@tools/check.py build-sanitize --no-suite structure --no-suite lint --no-suite tidy --no-suite counts --timeout-multiplier 5

fuzz: setup build-sanitize/build.ninja
	@tools/fuzz.py build-sanitize $(FUZZ_SECONDS)

# What is installed, below PREFIX.
INSTALLED = bin/cairn include/cairn/cairn.h include/cairn/model.h lib/libcairn.so lib/libcairn.so.1 lib/libcairn.a \
  lib/pkgconfig/cairn.pc share/man/man1/cairn.1 share/bash-completion/completions/cairn.bash \
  share/zsh/site-functions/_cairn share/fish/vendor_completions.d/cairn.fish

# The prefix may be another one than that of the last time; nothing is built but what is installed.
install: build/build.ninja
	@meson configure build -Dprefix="$(abspath $(PREFIX))"
	@ninja -C build cairn cairn.1 cairn.bash _cairn cairn.fish src/library/libcairn.so.1 src/library/libcairn.a
	@meson install -C build --no-rebuild --quiet
	@echo "installed to $(DESTDIR)$(abspath $(PREFIX))"

uninstall:
	@rm -f $(foreach file,$(INSTALLED),"$(DESTDIR)$(abspath $(PREFIX))/$(file)")

deb: build/build.ninja
	@scripts/deb

clean:
	rm -rf build build-sanitize
