#!/usr/bin/env python3
"""The command line, end to end: what `cairn check` finds and says.

    verdicts.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import json
import random
import sys

from harness import CHATTER, DIVIDES, LOCKS, LTL, ROUND, main


def piece(i):
    """Statements of many kinds, the same for every i but for numbers."""
    return f"""
  x = {i}; c!{i},x; c?y,z; assert(x + y != 2);
  if :: y == {i} -> x = y + {i} :: else -> x = 0 fi;
  atomic {{ a[y % 4] = {i}; d!{i} }};
  d_step {{ y = a[{i % 4}]; if :: y > {i + 1} -> y = 0 :: else -> y = y + {i} fi; z = {3 * i} }};
  {{ do :: z > 0 -> z = z - {i + 1} :: z <= 0 -> break od }} unless {{ a[3] == {i} && z == {i} }};
  a[z + {2 * i}] = 200;
"""


def large_and_small(pieces, dead):
    """A process in which `dead` pieces are never reached."""
    return ("byte a[4], none; chan c = [1] of { byte, byte }; chan d = [0] of { byte };\n"
            "active proctype other() { byte v; none = 0; do :: d?v :: a[0] > 2 -> a[0] = 0 od }\n"
            "active proctype large() { byte x, y; short z;\n"
            "  if :: none == 1 ->" + "".join(piece(i % 7) for i in range(dead)) + "skip\n  :: else fi;"
            + "".join(piece(i) for i in range(pieces)) + "}\n")


def check_large_process_is_searched_as_a_small_one(t):
    t.file("small.pml", large_and_small(3, 1))
    t.file("large.pml", large_and_small(3, 90))
    code = t.run("info", "--code", "large.pml").stdout
    assert "rows_process_1[" in code and "rows_inner_1[" in code
    assert "rows_" not in t.run("info", "--code", "small.pml").stdout
    for options in (["--keep-going"], ["--keep-going", "--order", "dfs"], ["--order", "dfs"]):
        for compiler in ("tcc", "cc"):
            found = [t.check(*options, "--compiler", compiler, "--no-deadlock",
                             name, status=1) for name in ("small.pml", "large.pml")]
            for key in ("states", "events", "errors", "deadlocks", "depth", "levels"):
                assert found[0][key] == found[1][key], f"{options}: {key}: {found[0][key]} and {found[1][key]}"
            assert found[0]["error"]["length"] == found[1]["error"]["length"]


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
    t.file("m.dve", LTL.replace("accept q;", "accept genbuchi " + ", ".join(["(q)"] * 65) + ";"))
    done = t.run("check", "m.dve", status=3)
    assert "never" in done.stdout.splitlines()[0]
    assert t.check("m.dve", status=3)["unchecked"]
    assert t.check("--property", "safety", "m.dve")["verdict"] == "verified"
    assert t.check("--property", "safety,deadlock", "m.dve")["verdict"] == "verified"
    assert t.check("--property", "acceptance", "m.dve", status=3)["unchecked"]


def check_truncation_is_named(t):
    t.file("m.dve", "byte x = 254;\nprocess P { state a; init a; trans a -> a { effect x = x + 3; }; }\nsystem async;\n")
    said = t.run("check", "--warn", "truncation", "m.dve").stderr
    assert "m.dve:2:" in said and "range: 257, and maybe others" in said, said
    assert t.run("check", "m.dve").stderr == ""


def check_truncation_in_promela(t):
    t.file("inner.h", "byte k;\nproctype Q(byte n) { byte w = n + 250; k = w + 300 }\n")
    t.file("m.pml", '#include "inner.h"\nbyte g = 250, a[2] = {1, 300};\ntypedef T { byte q = 500 };\nT t[3];\n'
           "active proctype P() { byte x = g + 10; int y = 300; run Q(y) }\n")
    said = t.run("check", "--warn", "truncation", "m.pml").stderr
    for place, line in (("m.pml:2:26: warning: 300 is no byte: it is cut to 44", "byte g"),
                        ("m.pml:3:22: warning: 500 is no byte: it is cut to 244", "typedef"),
                        ("m.pml:5:32: warning: an assigned value was cut to the variable's range: 260,", "active"),
                        ("inner.h:2:17: warning: an assigned value was cut to the variable's range: 300,", "proctype Q"),
                        ("inner.h:2:31: warning: an assigned value was cut to the variable's range: 294,", "proctype Q"),
                        ("inner.h:2:40: warning: an assigned value", "proctype Q")):
        at = said.index(place)
        assert line in said[at:].splitlines()[1] and "^" in said[at:].splitlines()[2], said
    assert said.count("warning") == 6, said


NUMBERED = """byte x;
proctype p() { x = 1; here: x = 2 }
proctype q() { skip }
active [2] proctype r() { atomic { skip; there: run p() } }
ltl a { [] !(%s) }
"""


def check_numbers_of_other_processes(t):
    """A number that the process type never has is said to be, once; one that it may have is not."""
    never = "process %s is never one of '%s': this is always %s"
    for asks, what in (("p[0]@here", ("0", "p", "false")), ("p[255]@here", ("255", "p", "false")), ("p[0-1]@here", ("-1", "p", "false")),
                       ("q[3]:_pid == 3", ("3", "q", "0")), ("r[2]@there", ("2", "r", "false")),
                       ("p[2]@here", None), ("p[1]@here", None), ("p[254]@here", None), ("r[1]@there", None), ("p@here", None)):
        t.file("m.pml", NUMBERED % asks)
        said = t.run("info", "m.pml").stderr
        assert said.count("is never one of") == (what is not None), (asks, said)
        assert what is None or never % what in said and "m.pml:5:1" in said, (asks, said)
        assert ("number 0 is 'r'" in said) == (asks == "p[0]@here"), (asks, said)


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
    assert "c: [<1, red>] -> [<1, red>, <2, green>]" in t.run("sim", "--seed", "0", "m.pml", status=1).stdout
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
    t.file("cycle.pml", body % "A: goto B; B: goto C; C: goto B\n")
    assert "cycle.pml:3:" in t.run("check", "cycle.pml", status=2).stderr
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


def check_unreached_after_resuming(t):
    # What was reached, and truncated, before the search was saved counts when it goes on.
    t.file("m.pml", "byte x, y;\nactive proctype p() {\n  y = 255;\n  y = y + 3;\n  do\n  :: x < 250 -> x++\n  :: else -> break\n"
                    "  od;\n  if\n  :: x == 7 -> x = 0\n  :: else\n  fi\n}\n")
    words = ["--warn", "truncation"]
    whole, said = t.check("m.pml"), t.run("check", *words, "m.pml").stderr
    assert len(whole["unreached"]) == 1 and "m.pml:4:" in said, (whole["unreached"], said)
    t.check("m.pml", *words, "--checkpoint", "c,0.000001", "--max-visits", "100", status=3)
    done = t.run("check", *words, "--resume", "c", "--json", "again", "m.pml")
    assert done.stderr == said, done.stderr
    again = json.loads((t.folder / "again").read_text())
    for figure in ("states", "unreached", "never_possible"):
        assert again[figure] == whole[figure], (figure, again[figure], whole[figure])
    # What was truncated is only in the file if it was asked for.
    t.error("check", "--resume", "c", "m.pml", says="was written with other options: --warn truncation")


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


def check_long_counterexample(t):
    t.file("m.dve", "int x;\nprocess P { state a; init a; trans a -> a { effect x = x + 1; }; }\nsystem async;\n")
    done = t.run("check", "--invariant", "x < 5000", "m.dve", status=1)
    assert "4,850 steps left out" in done.stdout, done.stdout[:300]
    assert "x: 4999 -> 5000" in done.stdout and done.stdout.count("\n") < 400
    assert t.run("trail", "m.dve", "m.trail").stdout.count("a -> a") == 5000


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


if __name__ == "__main__":
    sys.exit(main(globals()))
