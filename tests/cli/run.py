#!/usr/bin/env python3
"""The command line, end to end: what people and scripts rely on.

    run.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]

Each function below whose name begins with "check_" is one test and gets a folder of
its own. The last line is "N passed, N failed".
"""

import argparse
import itertools
import json
import os
import pty
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LOCKS = """byte x;
process P { byte y = 5; state a, b; init a; trans a -> b { effect x = x + 1; }; }
process Q { state a, b; init a; trans a -> b { effect x = x + 1; }; }
system async;
"""

ROUND = """byte x;
process P { state a; init a; trans a -> a { effect x = (x + 1) % 5; }; }
system async;
"""

DIVIDES = """byte x = 2, y;
process P { state a; init a; trans a -> a { guard x > 0; effect x = x - 1, y = 6 / x; }; }
system async;
"""

CHATTER = """channel c;
process P { byte v; state a, b; init a; trans a -> b { sync c!7; effect v = 1; }; }
process Q { byte w; state a, b; init a; trans a -> b { sync c?w; }; }
system async;
"""

# 250 ** 4 states: no machine finishes it within a test.
ENDLESS = "".join(f"process P{i} {{ byte n; state a; init a; trans a -> a "
                  "{ effect n = (n + 1) % 250; }; }\n" for i in range(4)) + "system async;\n"

# Five ints that only rise: more bits than a measure has, if each took all of its own.
RISING = "".join(f"int v{i};\nprocess P{i} {{ state a; init a; trans a -> a "
                 f"{{ guard v{i} < 3; effect v{i} = v{i} + 1; }}; }}\n" for i in range(5)) + "system async;\n"

LTL = """byte x;
process P { state a; init a; trans a -> a { effect x = 1 - x; }; }
process never { state q; init q; accept q; trans q -> q { guard x == 1; }; }
system async property never;
"""

KEYS = {
    "format", "cairn", "model", "verdict", "guarantee", "expected_wrong_matches", "error", "errors",
    "unchecked", "states", "events", "deadlocks", "levels", "back_level_edges", "depth", "seconds",
    "memory"}

COMMANDS = ["check", "sim", "trail", "info", "graph", "bench"]


class Test:
    """One test's folder, and the program in it."""

    def __init__(self, cairn, source, folder):
        self.cairn, self.source, self.folder = cairn, source, folder
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"), TERM="xterm")
        self.environment.pop("NO_COLOR", None)

    def file(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def run(self, *words, status=0, give=None, **more):
        done = subprocess.run([self.cairn, *words], cwd=self.folder, env=self.environment, timeout=120,
                              input=give, capture_output=True, text=True, errors="surrogateescape", **more)
        if status is not None:
            assert done.returncode == status, \
                f"cairn {' '.join(map(str, words))}: status {done.returncode}, not {status}\n" \
                f"{done.stdout[-1500:]}{done.stderr[-1500:]}"
        return done

    def error(self, *words, status=2, says=""):
        done = self.run(*words, status=status)
        errors = [line for line in done.stderr.splitlines() if "error:" in line]
        assert len(errors) == 1, f"{words}: not one error:\n{done.stderr}"
        assert says in done.stderr, f"{words}: {says!r} is not in:\n{done.stderr}"
        return done

    def check(self, *words, status=0):
        """check --json -: the object."""
        return json.loads(self.run("check", "--json", "-", *words, status=status).stdout)

    def files(self):
        return sorted(p.name for p in self.folder.iterdir() if p.name != "cache")


# ---- help ---------------------------------------------------------------------------


def check_help_fits_a_screen(t):
    for command in [None, *COMMANDS]:
        lines = t.run(*([command] if command else []), "--help").stdout.splitlines()
        assert len(lines) <= 23, f"{command}: {len(lines)} lines"
        assert max(map(len, lines)) < 80, f"{command}: {max(lines, key=len)}"


def options_of(t, command):
    shown, _, named = t.run(command, "--help").stdout.partition("More, see cairn --man:")
    return re.findall(r"--([a-z][a-z-]*)", "\n".join(
        line[:30] for line in shown.splitlines()[1:] if line.startswith("  ")) + named)


def check_manual_and_completion_know_every_option(t):
    manual = t.run("--man").stdout.replace("\\-", "-")
    completion = t.run("--completion", "bash").stdout
    for command in COMMANDS:
        for option in options_of(t, command):
            assert f"--{option}" in manual, option
            assert f"--{option} " in completion, option
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-ww", "-z"], input=t.run("--man").stdout, text=True,
                              capture_output=True)
        assert not done.stderr, done.stderr


def check_completion_completes(t):
    script = t.run("--completion", "bash").stdout + """
        ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _cairn; echo "${COMPREPLY[*]}"; }
        ask cairn che; ask cairn check --or; ask cairn check --order b; ask cairn graph --format ''"""
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert done.stdout.split("\n")[:4] == ["check", "--order", "bfs bbfs: best:", "dot aut"], done


def check_version(t):
    assert re.fullmatch(r"cairn \d+\.\d+\.\d+\n", t.run("--version").stdout)


# ---- mistakes on the command line -----------------------------------------------------


def check_mistakes(t):
    t.file("m.dve", ROUND)
    for words, says in [
            ([], "command is missing"), (["--"], "command is missing"),
            (["chekc", "m.dve"], "did you mean 'check'"), (["m.dve"], "cairn check m.dve"),
            (["check"], "MODEL is missing"), (["trail", "m.dve"], "FILE is missing"),
            (["check", "m.dve", "n.dve"], "unexpected 'n.dve'"), (["check", ""], "empty"),
            (["check", "--ordr", "bfs", "m.dve"], "did you mean '--order'"),
            (["check", "--zzz", "m.dve"], "unknown option"), (["check", "-x", "m.dve"], "unknown option"),
            (["check", "m.dve", "--order"], "needs a value"), (["check", "--order=best", "m.dve"], "best:EXPR"),
            (["check", "--keep-going=1", "m.dve"], "takes no value"),
            (["check", "--time", "1", "--time", "2", "m.dve"], "given twice"),
            (["check", "--time", "0", "m.dve"], "above 0"), (["check", "--time", "nan", "m.dve"], "seconds"),
            (["check", "--time", "1e9", "m.dve"], "seconds"),
            (["check", "--memory", "0", "m.dve"], "too little"), (["check", "--memory", "9999T", "m.dve"], "more than"),
            (["check", "--memory", "1K", "m.dve"], "too little"),
            (["check", "--store", "tree", "--allow-lossy", "m.dve"], "--store auto"),
            (["check", "--order", "bbfs:8", "--allow-lossy", "m.dve"], "--order bfs or dfs"), (["check", "--memory", "999T", "m.dve"], "this machine has"),
            (["check", "--memory", "99999999999999999999", "m.dve"], "needs a size"),
            (["check", "--memory", "-1", "m.dve"], "needs a size"), (["check", "--memory", "1GB", "m.dve"], "size"),
            (["check", "--max-states", "0", "m.dve"], "from 1"), (["check", "--max-states", "1k", "m.dve"], "number"),
            (["check", "--property", "safety,", "m.dve"], "deadlock|safety"),
            (["check", "--property", "deadlock", "--no-deadlock", "m.dve"], "contradict"),
            (["check", "--no-parents", "--trail", "x", "m.dve"], "no effect"),
            (["check", "--trail", "-", "m.dve"], "needs a file"), (["sim", "-i", "-"], "standard input"), (["trail", "-", "-"], "standard input"),
            (["check", "--trail", "x", "--json", "x", "m.dve"], "same file"),
            (["check", "--full", "m.dve"], "no effect"), (["info", "--order", "bfs", "m.dve"], "no effect"),
            (["sim", "-i", "--seed", "3", "m.dve"], "no effect"), (["sim", "--trail", "x", "m.dve"], "no effect"),
            (["check", "--version"], "no effect"), (["info", "--code", "--json", "-", "m.dve"], "no effect"),
            (["check", "--invariant", "", "m.dve"], "empty"), (["--completion", "zsh"], "bash"),
            (["check", "gone.dve"], "gone.dve"), (["check", "."], "directory"), (["check", "m.txt"], "m.txt")]:
        t.error(*words, says=says)
    t.file("m.txt", "neither of them")
    t.error("check", "m.txt", says=".dve")
    done = t.error("check", "--\033[31m", "m.dve")
    assert "\033" not in done.stderr


def check_bad_invariants(t):
    t.file("m.dve", LOCKS)
    for text in ["y ==", "P.nothing == 1", "(((", "1 +", "\"", "x == 1; x", "x = 1", "é", "(" * 100000 + "x"]:
        done = t.run("check", "--invariant", text, "m.dve", status=2)
        assert "error:" in done.stderr and len(done.stderr) < 4000, done.stderr[:3000]


# ---- verdicts ---------------------------------------------------------------------------


def check_verdicts_and_exit_status(t):
    t.file("ok.dve", ROUND)
    t.file("end.dve", LOCKS)
    t.file("bad.dve", "process {")
    for order in ["bfs", "dfs"]:
        assert t.run("check", "--order", order, "ok.dve").stdout.startswith("verified: no error in 5 states (exact)\n")
        assert t.run("check", "--order", order, "end.dve").stdout.startswith("verified:")
        done = t.run("check", "--order", order, "--property", "deadlock", "end.dve", status=1)
        assert done.stdout.startswith("violated: deadlock after 2 steps\n"), done.stdout
        done = t.run("check", "--order", order, "--max-states", "2", "ok.dve", status=3)
        assert done.stdout.startswith("inconclusive:") and "verified" not in done.stdout
        done = t.run("check", "--order", order, "--max-depth", "2", "ok.dve", status=3)
        assert done.stdout.startswith("inconclusive:"), done.stdout
    done = t.run("check", "bad.dve", status=2)
    assert done.stdout == "" and "bad.dve:1:" in done.stderr


def check_error_in_the_initial_state(t):
    t.file("m.dve", LOCKS)
    done = t.run("check", "--invariant", "x > 0", "m.dve", status=1)
    assert done.stdout.startswith("violated: invariant 'x > 0' fails in the initial state\n")
    assert "fails in the initial state" in t.run("trail", "m.dve", "m.trail").stdout


def check_invariants(t):
    t.file("m.dve", LOCKS)
    done = t.run("check", "m.dve", "--invariant", "x < 2", status=1)
    assert done.stdout.startswith("violated: invariant 'x < 2' fails after 2 steps\n"), done.stdout
    answer = t.check("m.dve", "--invariant", "x < 5", "--invariant", "P.b + Q.b <= 1", status=1)
    assert answer["error"]["kind"] == "invariant" and "P.b + Q.b" in answer["error"]["message"]


def check_model_error(t):
    t.file("m.dve", DIVIDES)
    done = t.run("check", "m.dve", status=1)
    assert done.stdout.startswith("violated: model error: "), done.stdout
    assert "m.dve:2" in done.stdout.splitlines()[0]
    assert t.run("trail", "m.dve", "m.trail").stdout.count("model error") >= 2
    answer = t.check("--keep-going", "m.dve", status=1)
    assert answer["errors"] == 1 and answer["error"]["length"] == 2


def check_unchecked_properties(t):
    t.file("m.dve", LTL)
    done = t.run("check", "m.dve", status=3)
    assert "never" in done.stdout.splitlines()[0]
    assert t.check("m.dve", status=3)["unchecked"]
    assert t.check("--property", "safety", "m.dve")["verdict"] == "verified"
    assert t.check("--property", "safety,deadlock", "m.dve")["verdict"] == "verified"


def check_truncation_is_named(t):
    t.file("m.dve", "byte x = 254;\nprocess P { state a; init a; trans a -> a { effect x = x + 1; }; }\nsystem async;\n")
    assert "m.dve:2:" in t.run("check", "--warn", "truncation", "m.dve").stderr
    assert t.run("check", "m.dve").stderr == ""


def check_truncation_in_promela(t):
    t.file("inner.h", "byte k;\nproctype Q(byte n) { byte w = n + 250; k = w + 300 }\n")
    t.file("m.pml", '#include "inner.h"\nbyte g = 250, a[2] = {1, 300};\ntypedef T { byte q = 500 };\nT t[3];\n'
           "active proctype P() { byte x = g + 10; int y = 300; run Q(y) }\n")
    said = t.run("check", "--warn", "truncation", "m.pml").stderr
    for place, line in (("m.pml:2:26: warning: 300 is no byte: it is cut to 44", "byte g"),
                        ("m.pml:3:22: warning: 500 is no byte: it is cut to 244", "typedef"),
                        ("m.pml:5:32: warning: an assigned value", "active"),
                        ("inner.h:2:17: warning: an assigned value", "proctype Q"),
                        ("inner.h:2:31: warning: an assigned value", "proctype Q"),
                        ("inner.h:2:40: warning: an assigned value", "proctype Q")):
        at = said.index(place)
        assert line in said[at:].splitlines()[1] and "^" in said[at:].splitlines()[2], said
    assert said.count("warning") == 6, said


MACROS = """#define INC(a) (a+1)
#define ADD(a,b) a = a + b
#define ID(a) a
inline f(q) { ADD(q, 1) }
active proctype P() {
  byte x;
  x = INC(x);
  ADD(x, 1);
  x = ID(x);
  f(x);
  ID(INC(x)) == 4;
  assert(x == 0)
}
"""


def check_macros_are_shown_whole(t):
    t.file("m.pml", MACROS)
    lines = [line.rstrip() for line in t.run("check", "m.pml", status=1).stdout.splitlines()]
    for text in ("x = INC(x)", "ADD(x, 1)", "x = ID(x)", "ADD(q, 1)", "ID(INC(x)) == 4", "assert(x == 0)"):
        assert sum(line.endswith("  " + text) for line in lines) == 1, (text, lines)


CHANNELS = """mtype = { red, green };
chan c = [2] of { byte, mtype };
chan d = [3] of { byte };
chan cc = [1] of { chan };
chan z;
proctype Q(chan in) {
  chan own = [2] of { byte };
  own!1; in!own; own!3;
  own = z
}
active proctype P() {
  chan got; byte x;
  z = d;
  c!1,red; c!2,green;
  run Q(cc);
  cc?got;
  got?x;
  assert(x == 0)
}
"""


def check_channels_in_terms_of_the_model(t):
    t.file("m.pml", CHANNELS)
    t.run("check", "m.pml", status=1)
    shown = t.run("trail", "m.pml", "m.trail").stdout
    for line in ("z: 0 -> d", "c: [] -> [<1, red>]", "c: [<1, red>] -> [<1, red>, <2, green>]",
                 "Q[1]:own: [] -> [1]", "Q[1]:own ! 1", "cc ! Q[1]:own", "cc: [] -> [Q[1]:own]",
                 "cc: [Q[1]:own] -> [], P[0]:got: 0 -> Q[1]:own", "Q[1]:own ? 1"):
        assert f"        {line}\n" in shown, (line, shown)
    assert ".count" not in shown and "own: 0" not in shown, shown
    assert "all others 0 or []" in shown
    full = t.run("trail", "--full", "m.pml", "m.trail").stdout
    assert "c = [], d = [], cc = []" in full and "c = [<1, red>, <2, green>], d = [], cc = [Q[1]:own]" in full, full
    assert "own = Q" not in full, full
    t.file("nested.pml", "typedef I { byte a[2]; bit b };\ntypedef R { I in[3]; short s };\nR r[2]; R one;\n"
           "active proctype P() { R l; r[1].in[2].a[1] = 5; one.in[1].b = 1; l.in[2].a[0] = 7; r[0].s = -4; assert(false) }")
    said = t.run("check", "nested.pml", status=1).stdout
    for change in ["r[1].in[2].a[1]: 0 -> 5", "one.in[1].b: 0 -> 1", "P[0]:l.in[2].a[0]: 0 -> 7", "r[0].s: 0 -> -4",
                   "assertion: false"]:
        assert f"  {change}" in said, said
    assert "c: [<1, red>] -> [<1, red>, <2, green>]" in t.run("sim", "m.pml", status=1).stdout
    assert "cc = [Q[1]:own]" in t.run("graph", "--format", "dot", "m.pml").stdout
    t.file("d.dve", "byte x; channel {byte, byte} c[2];\n"
           "process P { state a; init a; trans a -> a { sync c!{x, 7}; effect x = x + 1; }; }\nsystem async;\n")
    assert "c: [] -> [<1, 7>]" in t.run("sim", "--steps", "2", "d.dve").stdout


def check_long_promela(t):
    """What is long is read in linear time, and gotos may lead to gotos as often as they like."""
    many = range(5000)
    body = "byte x;\nactive proctype P() {\n%s}\n"
    t.file("gotos.pml", body % ("".join(f"L{i}: goto L{i + 1};\n" for i in many) + f"L{len(many)}: x = 1\n"))
    assert t.check("gotos.pml")["states"]["stored"] == 3
    t.file("circle.pml", body % "A: goto B; B: goto C; C: goto B\n")
    assert "circle.pml:3:" in t.run("check", "circle.pml", status=2).stderr
    t.file("options.pml", body % ("if\n" + "".join(f":: x == {i % 250} -> x = 1\n" for i in many) + "fi\n"))
    assert t.check("options.pml")["states"]["stored"] == 23
    t.file("proctypes.pml", "".join(f"proctype P{i}() {{ skip }}\n" for i in many) + "init { run P7() }\n")
    said = t.run("check", "proctypes.pml", status=2).stderr
    assert said.startswith("proctypes.pml:255:10: error: there are more than 254 proctypes"), said


UNREACHED = """byte x, y;
inline f(n) {
  if
  :: y == n -> x = 1
  :: else
  fi
}
proctype Q() { x = 3 }
proctype R() { skip; x = 4 }
active proctype P() {
  f(0); f(7);
  atomic { y = 1; if :: y == 2 -> y = 3; x = 1 :: y == 1 fi };
  d_step { y = 2; if :: y == 2 -> y = 1 :: y == 3 -> y = 4 fi };
  if :: y == 9 -> run R() :: y == 1 -> run Q() fi;
  do
  :: y == 1 -> y = 0
  :: y == 0 -> y = 1
  od;
  { x = 9; y = 4 } unless { y == 7; x = 2 }
}
"""


def check_unreached(t):
    t.file("m.pml", UNREACHED)
    answer = t.check("m.pml")
    said = [(s["process"], s["line"], s["text"], s["called"]) for s in answer["unreached"]]
    assert said == [("P", 4, "x = 1", 11), ("P", 12, "y = 3", None), ("P", 12, "x = 1", None),
                    ("P", 13, "y = 4", None), ("P", 14, "run R()", None), ("P", 19, "x = 9", None),
                    ("P", 19, "y = 4", None), ("P", 19, "y == 7", None), ("P", 19, "x = 2", None),
                    ("P", 20, "-end-", None), ("R", 9, "x = 4", None), ("R", 9, "-end-", None)], said
    never = [(s["line"], s["text"], s["called"]) for s in answer["never_possible"]]
    assert never == [(4, "y == n", 11), (12, "y == 2", None), (13, "y == 3", None), (14, "y == 9", None)], never
    shown = t.run("check", "m.pml").stdout
    assert "unreached in R\n  m.pml:9  x = 4\n  m.pml:9  -end-\n" in shown
    assert "  m.pml:4  x = 1  (called at line 11)\n" in shown and "never possible in P\n" in shown


def check_quiet(t):
    t.file("m.dve", LOCKS)
    done = t.run("check", "-q", "--property", "deadlock", "m.dve", status=1)
    assert done.stdout.count("\n") == 1


def check_no_parents(t):
    t.file("m.dve", LOCKS)
    done = t.run("check", "--no-parents", "--property", "deadlock", "m.dve", status=1)
    assert "initial state" not in done.stdout and t.files() == ["m.dve"]
    answer = t.check("--no-parents", "--property", "deadlock", "m.dve", status=1)
    assert answer["error"]["length"] is None and answer["trail"] is None


def check_self_check(t):
    t.file("m.dve", CHATTER)
    assert t.check("--self-check", "m.dve")["states"]["stored"] == 2


def check_standard_input(t):
    assert t.run("check", "-", give=ROUND).stdout.startswith("verified:")
    t.run("check", "-", give="", status=2)


# ---- limits ----------------------------------------------------------------------------


def check_time_limit(t):
    t.file("m.dve", ENDLESS)
    begin = time.monotonic()
    done = t.run("check", "--time", "0.5", "m.dve", status=3)
    assert time.monotonic() - begin < 20
    assert done.stdout.startswith("inconclusive: ") and "no error so far" in done.stdout, done.stdout


# One event of very many steps, by runs of steps and within a d_step.
LONG_EVENT = """active proctype p() { int x; %s { do :: x < 2000000000 -> x++ :: else -> break od } }
"""


def check_time_limit_within_an_event(t):
    for kind in ["atomic", "d_step"]:
        t.file("m.pml", LONG_EVENT % kind)
        for order in ["bfs", "dfs"]:
            begin = time.monotonic()
            answer = t.check("--time", "0.3", "--order", order, "m.pml", status=3)
            assert time.monotonic() - begin < 10
            assert answer["verdict"] == "inconclusive" and "time limit" in answer["limit"], answer
            assert answer["states"]["visited"] == 0 and answer["deadlocks"] == 0, answer


def check_interruption_within_an_event(t):
    t.file("m.pml", LONG_EVENT % "atomic")
    process = subprocess.Popen([t.cairn, "check", "m.pml"], cwd=t.folder, env=t.environment,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out = process.communicate(timeout=20)[0]
    assert process.returncode == 3 and out.startswith("inconclusive: "), out


def check_memory_limit(t):
    t.file("m.dve", ENDLESS)
    answer = t.check("--memory", "64M", "m.dve", status=3)
    assert answer["verdict"] == "inconclusive" and answer["guarantee"] == "partial" and answer["limit"]
    for size in ["1M", "2M", "3M", "5M", "8M", "12M", "16M", "24M"]:
        done = t.run("check", "--memory", size, "m.dve", status=3)
        assert "verified" not in done.stdout
        for command in ["sim", "info", "graph"]:
            assert t.run(command, "--memory", size, "m.dve", status=None).returncode in (0, 3)


def check_stores_that_may_miss(t):
    t.file("m.dve", ROUND)
    assert t.check("m.dve")["estimate"] is None
    stores = ["compact", "compact:16", "compact:64", "bitstate", "bitstate:2,4K", "bitline:64,1K", "bitstate,1M"]
    for store, order in itertools.product(stores, ["bfs", "dfs"]):
        words = ["--order", order, "--store", store, "m.dve"]
        answer = t.check(*words, status=3)
        assert answer["verdict"] == "inconclusive" and answer["guarantee"] == "probable", store
        assert 0 < answer["estimate"]["coverage"] <= 1 and 0 < answer["estimate"]["chance_of_none"] <= 1
        assert answer["states"]["stored"] <= 5 and answer["expected_wrong_matches"] < 1
        found = t.check("--invariant", "x != 1", *words, status=1)
        assert found["verdict"] == "violated" and found["error"]["length"] == 1
        assert t.run("trail", "m.dve", "m.trail").stdout.count("x") > 0
        for phrase in ["states may have been missed", "omitted ", "coverage ", "is unseen"]:
            assert phrase in t.run("check", *words, status=3).stdout, phrase
    answer = t.check("--order", "dfs", "--store", "bitstate:1,64", "--runs", "5", "m.dve", status=3)
    runs = answer["estimate"]["runs"]
    assert [r["seed"] for r in runs] == [0, 1, 2, 3, 4] and all(r["complete"] for r in runs)
    assert answer["states"]["stored"] == max(r["stored"] for r in runs)
    assert answer["estimate"]["coverage"] <= answer["estimate"]["union_coverage"] <= 1
    found = t.check("--order", "dfs", "--store", "compact", "--runs", "5", "--invariant", "x != 1", "m.dve", status=1)
    assert len(found["estimate"]["runs"]) == 1
    # What the first run found says how many bits are best for the others.
    table = ["--order", "dfs", "--store", "bitstate,1K", "--runs", "2", "m.dve"]
    assert "for which 64" not in t.run("check", *table, status=3).stdout
    first = t.check(*[word if word != "2" else "1" for word in table], status=3)["estimate"]
    both = t.check(*table, status=3)["estimate"]["runs"]
    assert both[0]["expected_wrong_matches"] > 1000 * both[1]["expected_wrong_matches"], both
    # Nothing was lossy: once is enough.
    assert t.check("--allow-lossy", "--runs", "5", "m.dve")["verdict"] == "verified"
    for words in [["--store", "full"], ["--order", "random"], ["--forget", "cache"]]:
        t.error("check", "--move-after", "3", *words, "m.dve", says="--move-after only has an effect")
    # What may be missed is told beside other doubts, and a table that is far too small, too.
    t.file("claimed.pml", "byte x; ltl p { <> x == 1 } active proctype P() { x = 1 }")
    said = t.run("check", "--store", "compact:40", "-q", "claimed.pml", status=3).stdout
    assert "not checked in this version: ltl p" in said and "states may have been missed" in said, said
    processes = (f"process P{i} {{ byte x; state s; init s; trans s -> s {{ guard x < 9; effect x = x + 1; }}; }}"
                 for i in range(4))
    t.file("many.dve", " ".join(processes) + " system async;")
    said = t.run("check", "--store", "bitstate:3,512", "-q", "many.dve", status=3).stdout
    assert "a rough estimate, for the store is too small" in said, said
    # A limit of depth: only breadth-first search has seen all within it, if its store is exact.
    for words, claimed in [([], "no error in the 126 states within it\n"), (["--order", "dfs"], "there may be others"),
                           (["--store", "bitstate:3,512"], "states may have been missed")]:
        said = t.run("check", "--max-depth", "5", "-q", *words, "many.dve", status=3).stdout
        assert claimed in said, said
    said = t.run("check", "--max-depth", "1", "-q", "claimed.pml", status=3).stdout
    assert "within it; not checked in this version: ltl p" in said, said


def check_orders(t):
    t.file("m.dve", ROUND)
    orders = ["bbfs:1", "bbfs:7", "alt:1,1", "alt:0,3", "alt:2,0", "alt:18446744073709551615,1", "bbfs:99999999999999999999", "best:x", "best:-x", "random"]
    for order, store in itertools.product(orders, ["full", "tree", "collapse", "auto"]):
        answer = t.check("--order", order, "--store", store, "m.dve")
        assert answer["verdict"] == "verified" and answer["states"]["stored"] == 5, order
        assert answer["order"] == order and answer["states"]["peak_tree"] > 0
        found = t.check("--order", order, "--store", store, "--invariant", "x != 3", "m.dve", status=1)
        assert found["error"]["length"] == 3, order
    for order, phrase in [("none", "there is no 'none', but bfs, dfs, bbfs, alt, best, random"), ("bbfs", "bbfs:W"),
                          ("bbfs:0", "must not be 0"), ("bbfs:1,2", "more than bbfs takes"), ("alt:1", "alt:B,D"),
                          ("alt:0,0", "must not be 0"), ("dfs:1", "more than dfs takes"), ("best", "best:EXPR"),
                          ("best:", "best:EXPR"), ("random:1", "more than random takes")]:
        t.error("check", "--order", order, "m.dve", says=phrase)
    t.error("check", "--order", "best:y", "m.dve", says="y")


def check_forgetting(t):
    t.file("m.dve", ROUND)
    for order, forget in itertools.product(["bfs", "dfs", "bbfs:2", "alt:1,1", "best:x", "random"],
                                           ["cache", "cache:random", "cache:stratified/2+far", "cache,size=5"]):
        answer = t.check("--order", order, "--forget", forget, "--reduce", "chain", "m.dve")
        assert answer["verdict"] == "verified" and answer["guarantee"] == "exact", (order, forget)
        assert answer["forget"] == forget and answer["states"]["peak_stored"] <= 5
        found = t.check("--order", order, "--forget", forget, "--invariant", "x != 3", "m.dve", status=1)
        assert found["error"]["length"] == 3
        assert "x" in t.run("trail", "m.dve", "m.trail").stdout
    for progress in ["x", "x, 1 - x", "(x), x", "auto:0", "auto:5", "auto"]:
        answer = t.check("--forget", "sweep-line", "--progress", progress, "m.dve")
        assert answer["verdict"] == "verified" and answer["states"]["rounds"] >= 1, progress
    answer = t.check("--forget", "sweep-line", "--progress", "x", "m.dve")
    assert answer["states"]["widest_class"] == 1 and answer["states"]["forgotten"] >= 4
    t.file("rising.dve", RISING)
    answer = t.check("--forget", "sweep-line", "--progress", "auto:0", "--keep-going", "--no-deadlock", "rising.dve")
    assert answer["states"]["visited"] == 4 ** 5 and answer["states"]["widest_class"] == 1 and \
        answer["states"]["persistent"] == 0
    tight = t.check("--forget", "cache,size=1", "m.dve", status=3)
    assert tight["guarantee"] == "partial" and "tree of open states no longer fits" in tight["limit"]
    t.file("big.dve", ENDLESS)
    assert "limit on visits" in t.check("--max-visits", "1", "--memory", "1G", "big.dve", status=3)["limit"]


def check_forgetting_for_memory(t):
    """More states than the budget has room for: the search forgets what it may, and says when nothing is left."""
    t.file("m.dve", ENDLESS.replace("250", "50"))
    for size, order in itertools.product(["32M", "40M"], ["bfs", "bbfs:1000000"]):
        answer = t.check("--order", order, "--forget", "cache:random", "--store", "full", "--memory", size,
                         "--max-visits", "1000000", "m.dve", status=3)
        assert answer["guarantee"] == "partial" and (answer["states"]["forgotten"] > 0 or order == "bfs"), answer
        # Breadth-first the tree is made late, and nearly all states are of it: memory may run out just then.
        ends = ["visits", "tree of open states no longer fits"] + (["memory budget"] if order == "bfs" else [])
        assert any(phrase in answer["limit"] for phrase in ends), answer["limit"]


# R fails first; in the state after Q nothing is fired, for P commutes with Q, and yet it is no deadlock.
LEFT_OUT = """byte x; byte y; byte z;
process P { state a, b; init a; trans a -> b { effect x = 1; }; }
process Q { state a, b; init a; trans a -> b { effect y = 1; }; }
process R { state a, b; init a; trans a -> b { guard x == 1; effect z = 1 / z; }; }
system async;
"""


def check_reductions(t):
    """Trace normal forms end at a cycle, or go on and are partial; the others see everything."""
    t.file("m.dve", ROUND)
    t.file("line.dve", "byte x; byte y; process P { state a; init a; trans a -> a { guard x < 5; effect x = x + 1; }; }\n"
                       "process Q { state a; init a; trans a -> a { guard y < 5; effect y = y + 1; }; }\n"
                       "system async;\n")
    whole = t.check("m.dve")
    for reduce in ["edge-lean", "sleep:2"]:
        for order in ["model", "reverse", "random", "random:7"]:
            answer = t.check("--order", "dfs", "--reduce", reduce, "--action-order", order, "m.dve")
            assert answer["states"]["stored"] == whole["states"]["stored"], answer
    for order, forget, actions in itertools.product(["bfs", "dfs", "bbfs:2", "alt:1,1", "best:x", "random"],
                                                    ["none", "cache:random", "sweep-line"],
                                                    ["model", "reverse", "random:7"]):
        words = ["--progress", "x + y"] if forget == "sweep-line" else []
        answer = t.check("--order", order, "--forget", forget, "--reduce", "edge-lean", "--action-order", actions,
                         "--property", "safety", *words, "line.dve")
        s = answer["states"]
        assert s["visited"] - (s["revisited"] or 0) == 36 and answer["events"] == s["visited"] - 1, answer
        shares = [s["peak_stored"] / 36, s["visited"] / 36] if forget != "none" else [None, None]
        assert [s["stored_share"], s["visited_share"]] == shares or \
            max(abs(a - b) for a, b in zip([s["stored_share"], s["visited_share"]], shares)) < 1e-6, answer
    t.file("left-out.dve", LEFT_OUT)
    found = t.check("--property", "deadlock,safety", "--reduce", "edge-lean", "left-out.dve", status=1)
    assert found["error"]["kind"] == "model-error" and found["error"]["length"] == 2, found
    for reduce in ["tnf", "tnf:force", "sleep:1", "sleep:1:force"]:
        answer = t.check("--order", "dfs", "--reduce", reduce, "m.dve", status=3)
        assert answer["guarantee"] == "partial" and "led back to the stack" in answer["limit"], answer
        for order in ["model", "reverse", "random:7"]:
            answer = t.check("--order", "dfs", "--reduce", reduce, "--action-order", order, "--property", "safety",
                             "line.dve")
            assert (answer["states"]["stored"], answer["events"]) == (36, 35), answer


def check_forgetting_refused(t):
    t.file("m.dve", ROUND)
    for words, phrase in [
            (["--forget", "fog"], "there is no 'fog', but none, cache, sweep-line"),
            (["--forget", "cache:fog"], "a strategy is a list"),
            (["--forget", "cache:near+far"], "only one of"), (["--forget", "cache:near+entry+in-degree"], "do not fit together"),
            (["--forget", "cache,5"], "size=N"), (["--forget", "cache,size=0"], "number of states"),
            (["--forget", "cache,size=4x"], "number of states"),
            (["--forget", "cache", "--store", "compact"], "needs an exact store"),
            (["--forget", "cache", "--store", "bitstate"], "needs an exact store"),
            (["--forget", "cache", "--store", "bitline"], "needs an exact store"),
            (["--forget", "cache", "--store", "collapse"], "cannot take states out again"),
            (["--forget", "cache", "--store", "automaton"], "cannot take states out again"),
            (["--forget", "sweep-line", "--progress", "x", "--store", "collapse"], "cannot take states out again"),
            (["--order", "dfs", "--reduce", "tnf,sleep:1"], "only one at a time"),
            (["--forget", "cache", "--allow-lossy"], "without --forget"),
            (["--forget", "sweep-line", "--progress", "x", "--allow-lossy"], "without --forget"),
            (["--forget", "sweep-line", "--progress", "x", "--store", "compact"], "needs an exact store"),
            (["--forget", "sweep-line"], "how far a state is"),
            (["--forget", "cache", "--progress", "x"], "--progress only has an effect"), (["--progress", "x"], "--progress only has an effect"),
            (["--forget", "sweep-line", "--progress", "auto:6"], "level from 0 to 5"),
            (["--forget", "sweep-line", "--progress", "x * 100000000, x * 100000000, x * 100000000"], "more than 64 bits"),
            (["--reduce", "tnf", "--order", "dfs", "--forget", "cache"], "leave out --forget, or use --reduce edge-lean"),
            (["--reduce", "tnf"], "goes by the stack of a depth-first search"),
            (["--reduce", "sleep:2", "--order", "bbfs:2"], "goes by the stack of a depth-first search"),
            (["--reduce", "sleep:2", "--order", "dfs", "--forget", "cache"], "leave out --forget, or use"),
            (["--reduce", "sleep:1", "--order", "dfs", "--forget", "sweep-line", "--progress", "x"], "leave out --forget, or use"),
            (["--reduce", "sleep", "--order", "dfs"], "sleep:N, with N from 1 to 2"), (["--reduce", "tnf,edge-lean"], "only one at a time"),
            (["--action-order", "reverse", "--order", "dfs"], "only has an effect with --reduce"),
            (["--action-order", "reverse", "--reduce", "tnf"], "goes by the stack of a depth-first search"),
            (["--action-order", "fog", "--reduce", "edge-lean", "--order", "dfs"], "model, reverse or random:SEED"),
            (["--action-order", "random:x", "--reduce", "edge-lean", "--order", "dfs"], "model, reverse or random:SEED"),
            (["--reduce", "chain"], "only has an effect with --forget")]:
        t.error("check", *words, "m.dve", says=phrase)


def check_stores_refused(t):
    t.file("m.dve", ROUND)
    for store in ["compact:15", "compact:65", "bitstate:65", "bitstate:1000", "bitstate:0", "bitstate:", "bitstate:x",
                  "bitstate:3,", "bitstate,0", "bitstate:3,4X", "bitstate:3,999T", "compact,1M", "full:3", "full,1M",
                  "nothing", ":3", "compact:99999999999999999999"]:
        t.error("check", "--order", "dfs", "--store", store, "m.dve", says="--store")
    # Before the model is looked at, and with what may be given instead.
    t.file("bad.dve", "process {")
    for store, phrase in [("compact:15", "compact: bits kept per state must be from 16 to 64"),
                          ("bitline:65", "bitline: bits set per state must be from 1 to 64"),
                          ("auto:3", "auto takes no number"), ("tree,1M", "tree grows"),
                          ("autos", "there is no 'autos', but auto, full"), ("bitstate,1T", "larger than the memory")]:
        t.error("check", "--store", store, "bad.dve", says=phrase)
    t.error("check", "--runs", "2", "bad.dve", says="misses none")


def check_interrupt(t):
    t.file("m.dve", ENDLESS)
    for which in [signal.SIGINT, signal.SIGTERM]:
        process = subprocess.Popen([t.cairn, "check", "--memory", "2G", "--json", "out.json", "m.dve"],
                                   cwd=t.folder, env=t.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        process.send_signal(which)
        out, _ = process.communicate(timeout=30)
        assert process.returncode == 3, process.returncode
        assert out.startswith(b"inconclusive: ")
        answer = json.loads((t.folder / "out.json").read_text())
        assert answer["verdict"] == "inconclusive" and answer["states"]["stored"] > 100
        (t.folder / "out.json").unlink()


def check_interrupted_compiler(t):
    t.file("m.dve", ENDLESS)
    bin = t.folder / "bin"
    bin.mkdir()
    (bin / "cc").write_text("#!/bin/sh\nexec sleep 30\n")
    (bin / "cc").chmod(0o755)
    t.environment["PATH"] = f"{bin}:{t.environment['PATH']}"
    begin = time.monotonic()
    process = subprocess.Popen([t.cairn, "check", "--compiler", "cc", "m.dve"], cwd=t.folder, env=t.environment,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.7)
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=25)
    assert process.returncode == 3 and out.startswith(b"inconclusive: "), (process.returncode, out)
    assert time.monotonic() - begin < 20


def check_interrupted_reading(t):
    os.mkfifo(t.folder / "m.dve")
    for path in ["m.dve", "-"]:
        process = subprocess.Popen([t.cairn, "check", "--json", "out.json", path], cwd=t.folder, env=t.environment,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)
        assert process.returncode == 3 and b"interrupted" in process.stderr.read(), path
        assert json.loads((t.folder / "out.json").read_text())["verdict"] == "inconclusive"


def check_full_disk_for_the_compiler(t):
    t.file("m.dve", ROUND)
    (t.folder / "no").write_text("")
    t.environment["TMPDIR"] = str(t.folder / "no")
    if shutil.which("cc"):
        t.error("check", "--compiler", "cc", "m.dve", status=3, says="temporary folder")


def check_killed_leaves_no_file(t):
    t.file("m.dve", ENDLESS)
    process = subprocess.Popen([t.cairn, "check", "--memory", "1G", "--json", "out.json", "m.dve"], cwd=t.folder,
                               env=t.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.7)
    process.kill()
    out, _ = process.communicate(timeout=30)
    assert b"verified" not in out and t.files() == ["m.dve"], t.files()


# ---- JSON -------------------------------------------------------------------------------


def check_json_keys(t):
    t.file("m.dve", ROUND)
    answer = t.check("m.dve")
    assert KEYS <= set(answer), KEYS - set(answer)
    assert answer["format"] == 1 and answer["model"] == "m.dve" and answer["guarantee"] == "exact"
    assert answer["states"]["stored"] == 5 and answer["states"]["visited"] == 5 and answer["events"] == 5
    assert answer["states"]["matched"] == 1 and answer["levels"] == 5 and answer["back_level_edges"] == 1
    assert answer["level_widths"] == [1] * 5 and answer["error"] is None and answer["errors"] == 0
    assert set(answer["seconds"]) == {"parse", "compile", "search"}
    assert {"peak_resident", "store", "bytes_per_state"} <= set(answer["memory"])
    deep = t.check("--order", "dfs", "m.dve")
    assert deep["levels"] is None and deep["back_level_edges"] is None and deep["level_widths"] is None
    assert set(deep) == set(answer)


def check_json_page_names_every_key(t):
    t.file("m.dve", ROUND)
    page = (Path(t.source) / "docs" / "json.md").read_text()
    info = json.loads(t.run("info", "--json", "-", "m.dve").stdout)
    answer = t.check("m.dve")
    for key in [*answer, *answer["states"], *answer["memory"], *answer["seconds"], *info]:
        assert re.search(rf"`[^`]*\b{key}[.`]", page), f"docs/json.md does not name {key}"


def check_json_when_rejected(t):
    t.file("m.dve", "nonsense")
    answer = t.check("m.dve", status=2)
    assert answer["verdict"] == "rejected" and answer["states"]["stored"] is None and answer["reason"]
    assert KEYS <= set(answer)
    assert t.check("gone.dve", status=2)["verdict"] == "rejected"
    for words in [["--order", "best", "m.dve"], ["m.dve", "--zzz"], ["--max-states", "0", "m.dve"], []]:
        answer = t.check(*words, status=2)
        assert answer["verdict"] == "rejected" and answer["reason"] and KEYS <= set(answer), words
        assert answer["model"] == (None if words == [] else "m.dve")
    before = (t.folder / "m.dve").read_bytes()
    for option in ["--json", "--trail"]:
        t.error("check", option, "m.dve", "m.dve", says="names the model itself")
    t.error("graph", "-o", "m.dve", "m.dve", says="names the model itself")
    t.error("check", "--json", "./m.dve", "m.dve", says="names the model itself")
    assert (t.folder / "m.dve").read_bytes() == before


def check_json_file(t):
    t.file("m.dve", ROUND)
    done = t.run("check", "--json", "out.json", "m.dve")
    assert done.stdout.startswith("verified") and t.files() == ["m.dve", "out.json"]
    assert json.loads((t.folder / "out.json").read_text())["events"] == 5
    t.error("check", "--json", "no/where.json", "m.dve", says="no/where.json")
    t.error("check", "--json", ".", "m.dve", says="directory")
    t.error("check", "--json", "n" * 300, "m.dve")
    t.run("check", "--json", "/dev/null", "m.dve")
    assert Path("/dev/null").is_char_device()
    t.run("check", "--json", "/dev/full", "m.dve", status=3)


def check_json_of_odd_names(t):
    name = os.fsdecode(b'q"\\\x01\xff\xc3\xa9 \xed\xa0\x80\xf5.dve')
    t.file(name, ROUND)
    done = subprocess.run([t.cairn, "check", "--json", "-", name], cwd=t.folder, env=t.environment,
                          capture_output=True)
    answer = json.loads(done.stdout.decode("utf-8"))
    assert answer["model"].startswith('q"\\\x01\ufffdé'), answer["model"]


# ---- output ------------------------------------------------------------------------------


def check_closed_and_full_output(t):
    t.file("m.dve", LOCKS)
    with open("/dev/full", "w") as full:
        for words in [["check", "m.dve"], ["check", "--json", "-", "m.dve"], ["info", "m.dve"], ["graph", "m.dve"],
                      ["sim", "m.dve"], ["--man"]]:
            done = subprocess.run([t.cairn, *words], cwd=t.folder, env=t.environment, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60)
            assert done.returncode == 3 and "No space left" in done.stderr, (words, done)
    t.file("r.dve", ROUND)
    for words in [["sim", "--steps", "1000000000", "r.dve"], ["check", "m.dve"], ["--man"]]:
        reader, writer = os.pipe()
        process = subprocess.Popen([t.cairn, *words], cwd=t.folder, env=t.environment, stdout=writer,
                                   stderr=subprocess.PIPE)
        os.close(writer)
        os.close(reader)
        _, messages = process.communicate(timeout=60)
        assert process.returncode == 0 and not messages, (words, process.returncode, messages)
    for closed in [1, 2]:
        done = subprocess.run(f"exec '{t.cairn}' check m.dve {closed}>&-", shell=True, cwd=t.folder,
                              env=t.environment, capture_output=True, timeout=60)
        assert done.returncode in (0, 3), done
    for path in (t.folder / "m.trail", t.folder / "out.json"):
        path.unlink(missing_ok=True)
    everything = ["--invariant", "x < 2", "--json", "out.json", "m.dve"]
    t.run("check", *everything, status=1)
    trail = (t.folder / "m.trail").read_bytes()
    done = subprocess.run(["sh", "-c", "exec \"$@\" <&- >&- 2>&-", "sh", t.cairn, "check", *everything],
                          cwd=t.folder, env=t.environment, timeout=60)
    assert done.returncode == 3 and (t.folder / "m.trail").read_bytes() == trail
    json.loads((t.folder / "out.json").read_text())


def check_limit_on_address_space(t):
    t.file("m.dve", ROUND)
    for kilobytes in range(4000, 9000, 80):
        done = subprocess.run(["sh", "-c", f"ulimit -v {kilobytes}; exec \"$@\"", "sh", t.cairn, "check", "--compiler", "tcc",
                               "m.dve"], cwd=t.folder, env=t.environment, timeout=60, capture_output=True, text=True)
        if "m.dve" in done.stdout + done.stderr:  # it did start
            assert done.returncode in (0, 3), (kilobytes, done)


def check_limit_on_file_sizes(t):
    t.file("m.dve", LOCKS)
    done = subprocess.run(["sh", "-c", "ulimit -f 0; exec \"$@\"", "sh", t.cairn, "check", "--invariant", "x < 2",
                           "m.dve"], cwd=t.folder, env=t.environment, timeout=60, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout.startswith("violated") and "File too large" in done.stderr, done
    assert t.files() == ["m.dve"]


def on_terminal(t, *words, seconds=60):
    """Runs with standard error on a terminal; gives status, output, what the terminal got."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([t.cairn, *words], cwd=t.folder, env=t.environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    shown, end = b"", time.monotonic() + seconds
    while time.monotonic() < end:
        ready, _, _ = select.select([ours], [], [], 0.2)
        try:
            more = os.read(ours, 65536) if ready else b""
        except OSError:
            break
        shown += more
        if not more and process.poll() is not None:
            break
    out = process.stdout.read()
    os.close(ours)
    return process.wait(timeout=30), out, shown


def check_progress(t):
    t.file("m.dve", ENDLESS)
    words = ["check", "--time", "1.2", "m.dve"]
    status, out, shown = on_terminal(t, *words)
    assert status == 3 and b" states, " in shown and b"level" in shown, shown
    assert shown.rstrip(b"\r\n").split(b"note:")[0].endswith(b"\r\033[K"), shown[-100:]
    assert b"\r" not in out
    assert "\r" not in t.run(*words, status=3).stderr


def check_color(t):
    t.file("m.dve", ROUND)
    assert "\033" not in t.run("check", "m.dve").stdout
    assert "\033" in t.run("check", "--color", "always", "m.dve").stdout
    t.file("bad.dve", "process {")
    assert b"\033[" in on_terminal(t, "check", "bad.dve")[2]
    assert b"\033" not in on_terminal(t, "check", "--color", "never", "bad.dve")[2]
    t.environment["NO_COLOR"] = "1"
    assert b"\033" not in on_terminal(t, "check", "bad.dve")[2]


# ---- trails --------------------------------------------------------------------------------


def check_trail(t):
    t.file("m.dve", LOCKS)
    first = t.run("check", "--invariant", "x < 2", "m.dve", status=1)
    assert t.files() == ["m.dve", "m.trail"]
    again = t.run("trail", "m.dve", "m.trail").stdout
    assert again.splitlines()[0] == first.stdout.splitlines()[0]
    assert "x: 0 -> 1" in again and "x: 1 -> 2" in again and "a -> b" in again and "line 2" in again
    full = t.run("trail", "--full", "m.dve", "m.trail").stdout
    assert full.count("P.y = 5") == 3, full
    t.file("other.dve", LOCKS.replace("= 5", "= 6"))
    t.error("trail", "other.dve", "m.trail", says="another model")
    t.file("third.dve", ROUND.replace("x", "z"))
    t.error("trail", "third.dve", "m.trail", says="another model")


def check_trail_elsewhere(t):
    t.file("m.dve", LOCKS)
    (t.folder / "sub").mkdir()
    t.run("check", "--property", "deadlock", "--trail", "sub/x", "m.dve", status=1)
    assert (t.folder / "sub" / "x").exists() and t.files() == ["m.dve", "sub"]
    for target in ["/dev/full", "none/x", "sub", "n" * 300]:
        done = t.run("check", "--property", "deadlock", "--trail", target, "m.dve", status=1)
        assert "warning: the counterexample cannot be written" in done.stderr, (target, done.stderr)
    assert t.files() == ["m.dve", "sub"]


def check_damaged_trails(t):
    t.file("m.dve", LOCKS)
    t.run("check", "--invariant", "x < 2", "m.dve", status=1)
    good = (t.folder / "m.trail").read_bytes()
    bad = [good[:n] for n in range(len(good))] + [good + b"x", good.replace(b"\n", b"\r\n"), good + good, b"\0" * 99]
    lines = good.splitlines(keepends=True)
    bad += [b"".join(lines[:i] + lines[i + 1:]) for i in range(len(lines))]
    at = next(i for i, line in enumerate(lines) if line.startswith(b"events"))
    for event in [b"0 1\n", b"99 0\n", b"4294967296 0\n", b"00 0\n", b"-1 0\n", lines[at + 2]]:
        bad.append(b"".join(lines[:at + 1] + [event] + lines[at + 2:]))
    bad += [good.replace(b"events 2", b"events 1"), good.replace(b"events 2", b"events 4000000000"),
            good.replace(b"invariant 0", b"deadlock -").replace(b"x < 2", b"x < 1"),
            good.replace(b"error invariant 0", b"error assertion 7"), good.replace(b" after", b" in"),
            good.replace(b"trail 1", b"trail 2")]
    for text in bad:
        t.file("bad.trail", text)
        t.error("trail", "m.dve", "bad.trail", says="bad.trail")
    chance = random.Random(1)
    for _ in range(150):
        text = bytearray(good)
        for _ in range(chance.randint(1, 3)):
            text[chance.randrange(len(text))] = chance.randrange(256)
        t.file("bad.trail", bytes(text))
        assert t.run("trail", "m.dve", "bad.trail", status=None).returncode in (0, 2)


def check_long_counterexample(t):
    t.file("m.dve", "int x;\nprocess P { state a; init a; trans a -> a { effect x = x + 1; }; }\nsystem async;\n")
    done = t.run("check", "--invariant", "x < 5000", "m.dve", status=1)
    assert "4,850 steps left out" in done.stdout, done.stdout[:300]
    assert "x: 4999 -> 5000" in done.stdout and done.stdout.count("\n") < 400
    assert t.run("trail", "m.dve", "m.trail").stdout.count("a -> a") == 5000


# ---- sim -----------------------------------------------------------------------------------


def check_random_runs(t):
    t.file("m.dve", LOCKS)
    one, two = (t.run("sim", "--seed", "7", "m.dve").stdout for _ in range(2))
    assert one == two and "initial state" in one and "deadlock: no event is enabled after 2 steps" in one
    firsts = {t.run("sim", "--steps", "1", "--seed", str(i), "m.dve").stdout for i in range(20)}
    assert len(firsts) == 2
    assert "invariant 'x < 1' fails here" in t.run("sim", "--invariant", "x < 1", "m.dve", status=1).stdout
    t.file("d.dve", DIVIDES)
    assert "model error" in t.run("sim", "d.dve", status=1).stdout
    t.file("r.dve", ROUND)
    assert t.run("sim", "--steps", "500", "r.dve").stdout.count("a -> a") == 500
    t.file("c.dve", CHATTER)
    assert "Q.w: 0 -> 7" in t.run("sim", "c.dve").stdout


def check_interactive_runs(t):
    t.file("m.dve", LOCKS)
    out = t.run("sim", "-i", "m.dve", give="1\nu\n2\n1\nu\nu\nu\nx\n9\n-1\n\n" + "7" * 500 + "\nq\n").stdout
    assert out.count("x: 0 -> 1") == 2 and "deadlock" in out and out.count("back after step") == 3
    assert "this is the initial state" in out and out.count("none of them") == 5, out
    t.run("sim", "-i", "m.dve", give="")
    t.run("sim", "-i", "m.dve", give="1")
    t.file("d.dve", DIVIDES)
    assert "still before this event" in t.run("sim", "-i", "d.dve", give="1\n1\nq\n").stdout


# ---- info and graph ---------------------------------------------------------------------------


def check_info(t):
    t.file("m.dve", CHATTER)
    text = t.run("info", "m.dve").stdout
    for part in ["P.v", "Q.w", "location", "rendezvous", "reads", "writes", "packed"]:
        assert part in text, part
    t.run("info", "--json", "i.json", "m.dve")
    info = json.loads((t.folder / "i.json").read_text())
    assert [p["name"] for p in info["processes"]] == ["P", "Q"] and len(info["actions"]) == 1
    assert len(info["actions"][0]["movers"]) == 2 and "Q.w" in info["actions"][0]["writes"]
    assert "cairn_code" in t.run("info", "--code", "m.dve").stdout


def check_graph(t):
    t.file("m.dve", LOCKS)
    dot = t.run("graph", "m.dve").stdout
    assert dot.count(" -> s") == 5 and dot.count("color=red") == 1
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg"], input=dot, text=True, check=True, capture_output=True)
    aut = t.run("graph", "--format", "aut", "m.dve").stdout.splitlines()
    assert aut[0] == "des (0, 4, 4)" and len(aut) == 5
    assert all(re.fullmatch(r'\(\d+, "[^"]*", \d+\)', line) for line in aut[1:])
    t.file("d.dve", DIVIDES)
    assert "model error" in t.run("graph", "d.dve").stdout
    aut = t.run("graph", "--format", "aut", "d.dve").stdout.splitlines()
    answer = t.check("--keep-going", "d.dve", status=1)
    assert aut[0] == f"des (0, {len(aut) - 1}, {answer['states']['stored'] + 1})", aut


def check_graph_limits(t):
    t.file("m.dve", "int x;\nprocess P { state a; init a; trans a -> a { guard x < 1500; effect x = x + 1; }; }\n"
                    "system async;\n")
    t.error("graph", "-o", "g.dot", "m.dve", status=3, says="1,000")
    assert t.files() == ["m.dve"]
    t.run("graph", "--max-states", "2000", "-o", "g.dot", "m.dve")
    assert t.files() == ["g.dot", "m.dve"]
    assert t.run("graph", "--format=aut", "m.dve").stdout.startswith("des (0, 1500, 1501)\n")
    t.error("graph", "--max-states", "2000", "-o", "no/where", "m.dve", says="no/where")


# ---- bad input ------------------------------------------------------------------------------


def check_cut_models(t):
    for length in range(len(LOCKS) - 1):
        t.file("m.dve", LOCKS[:length])
        done = t.run("check", "m.dve", status=2)
        assert done.stderr.count("the text ends here") <= 1, done.stderr


def check_any_bytes_as_a_model(t):
    chance = random.Random(2)
    models = [bytes(chance.randrange(256) for _ in range(chance.randrange(200))) for _ in range(60)]
    for text in [LOCKS, CHATTER, LTL, DIVIDES]:
        for _ in range(60):
            broken = bytearray(text.encode())
            for _ in range(chance.randint(1, 4)):
                broken[chance.randrange(len(broken))] = chance.choice(b"{}();,=+->!?[]0aP\0\xff\n ")
            models.append(bytes(broken))
    for model in models:
        t.file("m.dve", model)
        done = t.run("check", "--max-states", "1000", "m.dve", status=None)
        assert done.returncode in (0, 1, 2, 3), (model, done)
        if done.returncode == 2:
            assert "error:" in done.stderr and "internal" not in done.stderr, (model, done.stderr)


def main(tests):
    options = argparse.ArgumentParser()
    options.add_argument("--cairn", required=True)
    options.add_argument("--source", required=True)
    options.add_argument("names", nargs="*")
    options = options.parse_args()
    passed = failed = 0
    for name, test in list(tests.items()):
        if not name.startswith("check_") or (options.names and name[6:] not in options.names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(Test(os.path.abspath(options.cairn), options.source, Path(folder)))
                passed += 1
            except Exception as problem:  # any of them is a failed test
                failed += 1
                print(f"FAILED {name[6:]}: {type(problem).__name__}: {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(globals()))
