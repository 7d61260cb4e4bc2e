#!/usr/bin/env python3
"""The command line, end to end: C text in Promela models.

    embedded.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import json
import re
import shutil
import subprocess
import sys
import time

from harness import main

COMPILERS = ["tcc"] + (["cc"] if shutil.which("cc") else [])

# Three steps of Promela, then one of C that crashes.
CRASHES = """c_decl { \\#include <stdlib.h>
\\#include <string.h>
\\#include <unistd.h>
\\#include <sys/mman.h>
static volatile int zero; static int *volatile nowhere; static char *volatile block; }
c_code {
  static int deep(volatile char *before) { volatile char here[4096]; here[0] = before ? before[0] : 0; return deep(here) + here[1]; }
  static void beyond(void) {
    char name[] = "/tmp/cairn-XXXXXX"; int file = mkstemp(name); unlink(name);
    volatile char *at = mmap(0, 4096, PROT_READ, MAP_SHARED, file, 0); close(file); zero = at[0];
  }
}
byte x;
active proctype P() { do :: x < 3 -> x++ :: else -> break od; c_code %s }
"""
# What the step is, and the signal that is in the sentence.
WAYS = {
    "null": ("{ *nowhere = 1; }", "SIGSEGV"),
    "wild": ("{ *(int *volatile)0xDEAD0000DEAD0000u = 1; }", "SIGSEGV"),
    "stack": ("{ zero = deep(0) * 0; }", "SIGSEGV"),
    "divide": ("{ now.x = 7 / zero; }", "SIGFPE"),
    "abort": ("{ abort(); }", "SIGABRT"),
    "assert": ("{ assert(now.x == 4); }", "SIGABRT"),
    "file": ("{ beyond(); }", "SIGBUS"),
    "free": ("{ block = malloc(24); free(block); free(block); }", "SIGABRT"),
    "free-large": ("{ block = malloc(4000); free(block); free(block); }", "SIGABRT"),
    "free-other": ("{ block = calloc(1, 64); free(block + 16); }", "SIGABRT"),
    "exit": ("{ exit(0); }", "SIGABRT"),
    "at-once": ("{ _exit(0); }", "SIGABRT"),
    "print": ('{ printf("%s", (char *)1); }', "SIGSEGV"),
    "bounds": ("{ block = malloc(40); memset(block, 1, 48); free(block); }", "SIGABRT"),
    "precondition": ("[now.x == 4] { now.x = 0; }", "the precondition of c_code is false: now.x == 4"),
}


def check_each_crash_is_an_error_with_a_way(t):
    t.environment["ASAN_OPTIONS"] = "detect_leaks=0"  # a text that crashed gives nothing back
    t.environment.pop("MALLOC_PERTURB_", None)  # the C library then writes over the mark of memory that is free
    for name, (step, says) in WAYS.items():
        if name == "free-other" and t.is_sanitized():
            continue  # the sanitizer sees it first, and ends the program
        t.file(name + ".pml", CRASHES % step)
        for compiler in COMPILERS:
            how = ["--allow-c", "--compiler", compiler]
            answer = t.check(name + ".pml", *how, "--keep-going", status=1)
            assert answer["error"]["kind"] == "model-error" and answer["error"]["length"] == 8, (name, compiler, answer["error"])
            assert answer["errors"] == 1 and answer["states"]["stored"] == 8, (name, compiler, answer)
            done = t.run("trail", name + ".pml", name + ".trail", *how)
            assert says in done.stdout and "x: 2 -> 3" in done.stdout, (name, compiler, done.stdout)
            # What is given back twice does not get to the C library, which would say so itself.
            assert name == "free-other" or not re.search("free\\(\\)|invalid pointer", done.stderr), (name, compiler, done.stderr)
            done = t.run("check", name + ".pml", "--allow-c", "--order", "dfs" if compiler == "tcc" else "bfs", status=1)
            assert says in done.stdout, (name, compiler, done.stdout)


def check_memory_of_c(t):
    """What is no mistake: memory that the library gave, none, and the four functions through pointers."""
    t.file("m.pml", """c_decl { \\#include <string.h>
struct functions { void *(*malloc)(size_t); void (*free)(void *); }; }
byte x;
active proctype P() {
  c_code {
    struct functions by = { malloc, free };
    char *a = strdup("seven"), *b = by.malloc(8), *c = calloc(2, 4), *d = realloc(0, 3);
    memcpy(d, "abc", 3); memcpy(b, a, 6);
    d = realloc(d, 100000); a = realloc(a, 10);
    now.x = strcmp(a, "seven") == 0 && strcmp(b, "seven") == 0 && memcmp(d, "abc", 3) == 0 && c[7] == 0 && calloc((size_t)-1, 8) == 0 && malloc((size_t)-1) == 0;
    by.free(a); by.free(b); free(c); free(d); free(0);
  };
  assert(x == 1)
}
""")
    for compiler in COMPILERS:
        assert t.check("m.pml", "--allow-c", "--compiler", compiler)["states"]["stored"] == 4


def check_what_runs_beside_is_refused(t):
    for call in "fork()", "system(now.s)", "signal(2, 0)", "kill(1, 9)", "execv(0, 0)":
        t.file("m.pml", "byte s;\nactive proctype P() { c_code { %s; } }" % call)
        t.error("check", "m.pml", "--allow-c", says="embedded C may not call " + call[:call.index("(")])


def check_an_endless_loop_meets_the_limit(t):
    for text in "c_code { for (;;) ; }", "c_expr { endless() }", "d_step { x = 1; c_code { for (;;) ; } }":
        t.file("m.pml", "c_code { static int endless(void) { for (;;) ; return 1; } }\nbyte x;\nactive proctype P() { do :: x < 3 -> x++ :: else -> break od; %s }" % text)
        for compiler in COMPILERS:
            begin = time.monotonic()
            answer = t.check("m.pml", "--allow-c", "--compiler", compiler, "--time", "1", status=3)
            assert answer["verdict"] == "inconclusive" and time.monotonic() - begin < 20, (text, answer)


def check_prints_go_to_standard_error(t):
    t.file("m.pml", """active proctype P() { c_code { printf("one %d\\n", 1); puts("two"); Printf("three\\n"); } }""")
    for compiler in COMPILERS:
        done = t.run("check", "m.pml", "--allow-c", "--compiler", compiler, "--json", "-")
        assert json.loads(done.stdout)["states"]["stored"] == 3 and "one 1\ntwo\nthree\n" in done.stderr, done.stderr


def check_memory_that_is_not_tracked_is_found(t):
    """One text with a counter of C that steps read: it depends on the order, unless it is tracked."""
    text = """c_decl { static int calls; }
%s
byte x;
active [2] proctype P() { c_code { calls = (calls + 1) %% 5; now.x = calls; } }
"""
    t.file("wrong.pml", text % "")
    t.file("right.pml", text % 'c_track "&calls" "sizeof(int)"')
    for compiler in COMPILERS:
        done = t.run("check", "wrong.pml", "--allow-c", "--compiler", compiler, "--self-check", status=3)
        assert "two calls give different successors" in done.stderr, done.stderr
        assert t.check("right.pml", "--allow-c", "--compiler", compiler, "--self-check")["states"]["stored"] == 7


UNMATCHED = """c_decl { int log[4]; int n; }
c_track "log" "sizeof(log)" "UnMatched"
c_track "&n" "sizeof(int)" "UnMatched"
byte x, y;
active proctype A() { do :: x < 3 -> atomic { x++; c_code { log[now.x] = now.x + 10*now.y; n++; } } :: else -> break od; assert(y %s) }
active proctype B() { byte t; do :: y < 3 -> y++ :: c_expr { n > 1 } -> c_code { n--; PB->t = log[2] %% 7; } :: y == 3 -> break od }
"""


def check_unmatched_memory_belongs_to_the_first_visit(t):
    """Figures of dfs are those of Spin's verifier, whatever the store; each state is expanded with the bytes of one visit."""
    t.file("m.pml", UNMATCHED % "< 4")
    for order, events in ("dfs", 441), ("bfs", 461):
        how = ["m.pml", "--allow-c", "--order", order]
        ways = [["--store", s] for s in ("full", "tree", "collapse", "automaton", "comback", "compact")]
        for way in [*ways, ["--forget", "cache"], *(["--compiler", c] for c in COMPILERS)] + ([["--forget", "in-degree"]] if order == "bfs" else []):
            answer = t.check(*how, *way, status=3 if "compact" in way else 0)
            assert (answer["states"]["visited"], answer["events"]) == (232, events), (way, answer["states"], answer["events"])
    t.error("check", "m.pml", "--allow-c", "--checkpoint", "x.save", says='models with "UnMatched" memory')


def check_unmatched_memory_stays_when_a_state_is_expanded(t):
    """The first event leads to the same state with other bytes, with which the second one could not be."""
    t.file("m.pml", """c_decl { int n; }
c_track "&n" "sizeof(int)" "UnMatched"
byte x;
active proctype P() { do :: c_code { n = 7; } :: c_expr { n == 0 } -> x = 2; break od }
""")
    for order in "dfs", "bfs":
        t.check("m.pml", "--allow-c", "--order", order, "--invariant", "x < 2", status=1)


def check_trails_of_unmatched_memory_replay(t):
    """The error depends on such bytes, so that another visit would not have it."""
    for text in UNMATCHED % "!= 1 || c_expr { n < 2 }", UNMATCHED % "!= 2 || c_expr { log[2] != 12 }", UNMATCHED % "< 3":
        t.file("m.pml", text)
        for way in ["dfs"], ["bfs"], ["random"], ["dfs", "--store", "tree"], ["bfs", "--store", "comback"]:
            t.check("m.pml", "--allow-c", "--compiler", "tcc", "--order", *way, status=1)
            t.run("trail", "m.pml", "m.trail", "--allow-c", "--compiler", "tcc")
    t.file("m.pml", UNMATCHED % "< 4" + "ltl p { [] (y < 3 || c_expr { n < 3 }) }")
    assert "violated" in t.run("check", "m.pml", "--allow-c", status=1).stdout
    t.run("trail", "m.pml", "m.trail", "--allow-c")


def check_a_variable_may_have_the_name_of_a_function(t):
    t.file("m.pml", "c_decl { int log, read[9], time; }\nbyte x;\n"
                    "active proctype P() { c_code { log = 3; read[8] = 4; time = 5; now.x = log + read[8] + time; }; assert(x == 12) }")
    for compiler in COMPILERS:
        assert t.check("m.pml", "--allow-c", "--compiler", compiler)["verdict"] == "verified"


def check_channels_that_only_the_command_line_names(t):
    """They have no place in the state then, but a number."""
    t.file("m.pml", """typedef T { byte a; chan q = [1] of { byte } };
chan c = [2] of { byte }; chan e[2] = [1] of { byte }; T t[2];
byte x;
active proctype P() { c!1; e[1]!3; t[1].q!4; c?x }
""")
    right = "c_expr { now.c == 1 && now.e[0] == 2 && now.e[1] == 3 && now.t[0].q == 4 && now.t[1].q == 5 }"
    for compiler in COMPILERS:
        t.check("m.pml", "--allow-c", "--compiler", compiler, "--invariant", right)


def check_reductions_say_that_they_do_nothing(t):
    t.file("m.pml", "byte x;\nactive [2] proctype P() { byte k; k = 1; c_code { now.x = 1; } }")
    for text, says in ("por", "--reduce por has no effect"), ("merge", "--reduce merge, --reduce dead"), ("por,edge-lean", "--reduce por has no effect"):
        assert says in t.run("check", "m.pml", "--allow-c", "--reduce", text).stderr, text
    for text in "auto", "none", "edge-lean":
        assert t.run("check", "m.pml", "--allow-c", "--reduce", text).stderr == "", text


def check_included_files_are_part_of_the_model(t):
    """A header of the user's may change: then a trail and a saved search are those of another model."""
    t.file("outer.h", '#include "inner.h"\n')
    t.file("inner.h", "#define LIMIT 5\n")
    t.file("m.pml", """c_decl { \\#include "outer.h"
}
byte x;
active proctype P() { do :: c_expr { now.x < LIMIT } -> x++ od }
""")
    t.run("check", "m.pml", "--allow-c", "--invariant", "x < 4", status=1)
    t.run("trail", "m.pml", "m.trail", "--allow-c")
    for name, text, states in ("inner.h", "#define LIMIT 6\n", 13), ("outer.h", '#include "inner.h"\n#define MORE\n', 11):
        t.file("inner.h", "#define LIMIT 5\n")
        t.file(name, text)
        assert t.check("m.pml", "--allow-c", "--no-deadlock")["states"]["stored"] == states, name
        t.error("trail", "m.pml", "m.trail", "--allow-c", says="it belongs to another model")


def check_a_compiler_that_crashes_is_no_crash(t):
    """libtcc ends by a signal where a structure is compared with a number."""
    t.file("m.pml", "byte x;\nactive proctype P() { c_expr { now == 4 } -> x = 1 }")
    for compiler in COMPILERS:
        t.error("check", "m.pml", "--allow-c", "--compiler", compiler, says="m.pml")


def instructions(t, name):
    """Of a whole search, the compilers' own processes aside."""
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", t.cairn, "check", name, "--allow-c", "--compiler", "cc",
                          "--reduce", "none", "--no-deadlock"], cwd=t.folder, env=t.environment, capture_output=True, text=True, timeout=120, check=True)
    return int(re.search(r"Collected : (\d+)", run.stderr)[1])


def check_what_a_step_of_c_costs(t):
    """A model whose steps are short pieces of C beside the same in Promela: instructions, which no other process disturbs."""
    if t.is_sanitized() or "cc" not in COMPILERS or not shutil.which("valgrind"):
        return
    text = "active [3] proctype P() { byte k; do :: d_step { k < 25 -> %s } :: d_step { k == 25; %s } od }"
    t.file("plain.pml", text % ("k++", "k = 0"))
    t.file("c.pml", text % ("c_code { PP->k++; }", "c_code { PP->k = 0; }"))
    ratio = instructions(t, "c.pml") / instructions(t, "plain.pml")
    assert ratio < 1.3, ratio


if __name__ == "__main__":
    sys.exit(main(globals()))
