#!/usr/bin/env python3
"""The command line, end to end: no file of the user's is lost, and every trail replays.

    files.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import itertools
import json
import os
import subprocess
import sys

from harness import ENDLESS, LOCKS, ROUND, main

INCLUDES = '#include "part.inc"\nactive proctype P() { x = 1; assert(x == 0) }\n'
PART = "byte x;\n"


def check_what_was_read_is_never_written(t):
    t.file("model.trail", ROUND)
    t.file("m.pml", INCLUDES)
    t.file("part.inc", PART)
    os.symlink("part.inc", t.folder / "link.json")
    os.link(t.folder / "part.inc", t.folder / "hard")
    done = t.run("check", "model.trail", "--invariant", "x != 3", "--force", status=1)
    assert "warning: the counterexample is not written: model.trail was read" in done.stderr, done.stderr
    for name in ["part.inc", "./part.inc", "link.json", "hard"]:
        for words in [["check", "--trail", name], ["check", "--json", name], ["check", "--checkpoint", name], ["info", "--json", name], ["graph", "-o", name]]:
            for force in [[], ["--force"]]:
                t.error(*words, *force, "m.pml", says=f"{name} ")
    # Nor by a command with a mistake, or with a model that has mistakes before or after the included text.
    t.run("check", "--json", "part.inc", "--force", "--order", "fog", "m.pml", status=2)
    t.run("check", "--json", "part.inc", "--force", "--no-such", "m.pml", status=2)
    for text in ["nonsense\n" + INCLUDES, INCLUDES + "nonsense\n"]:
        t.file("bad.pml", text)
        t.run("check", "--json", "part.inc", "--force", "bad.pml", status=2)
    t.file("s.tsv", "model\tround\tmodel.trail\nrun\tone\t-\n")
    t.file("s.jsonl", "model\tround\tmodel.trail\nrun\tone\t-\n")
    for words, says in [(["-o", "model.trail"], "model of the suite"), (["--chart", "model.trail"], "model.trail"),
                        (["--results", "model.trail"], "model of the suite"), (["--results", "m.pml"], "has no results"),
                        (["--fresh", "--results", "m.pml"], "has no results"), (["-o", "s.tsv"], "suite itself")]:
        t.error("bench", *words, "s.tsv", says=says)
    t.error("bench", "s.jsonl", says="s.jsonl was read")
    assert (t.folder / "model.trail").read_text() == ROUND and (t.folder / "part.inc").read_text() == PART
    assert (t.folder / "m.pml").read_text() == INCLUDES and (t.folder / "s.jsonl").read_text().startswith("model")


def check_files_of_others_are_kept(t):
    t.file("m.dve", ROUND)
    bad = ["check", "--invariant", "x != 3", "m.dve"]
    t.file("m.trail", "notes on a walk\n")
    done = t.run(*bad, status=1)
    assert "warning: the counterexample is not written: m.trail is there and is not a trail" in done.stderr
    assert (t.folder / "m.trail").read_text() == "notes on a walk\n"
    for name, words in itertools.product(["notes", "m.trail"], [["check", "--trail"], ["check", "--json"], ["info", "--json"],
                                                                ["graph", "-o"]]):
        t.file("notes", '{\n  "format": 2\n}\n')
        t.error(*words, name, "m.dve", says=f"{name} is there and is not ")
        assert (t.folder / "notes").read_text() == '{\n  "format": 2\n}\n'
    t.file("s.tsv", "model\tround\tm.dve\nrun\tone\t-\n")
    t.error("bench", "--chart", "notes", "s.tsv", says="notes is there and is not a chart")
    # By force, and of the program's own kind.
    assert t.run(*bad, "--force", status=1).stderr == ""
    assert (t.folder / "m.trail").read_text().startswith("cairn trail ")
    for _ in range(2):
        t.run(*bad, "--trail", "m.trail", "--json", "m.json", status=1)
        t.run("info", "--json", "m.json", "m.dve")
        t.run("graph", "-o", "m.dot", "m.dve")
        t.run("graph", "--format", "aut", "-o", "m.dot", "m.dve")
    t.file("empty", "")
    t.run(*bad, "--trail", "empty", status=1)
    t.run("check", "--json", "m.trail", "--force", "m.dve")
    assert (t.folder / "m.trail").read_text().startswith("{")


def check_one_file_for_two(t):
    t.file("m.dve", ROUND)
    for trail, json in [("x", "x"), ("./x", "x"), ("x", "../" + t.folder.name + "/x")]:
        t.error("check", "--trail", trail, "--json", json, "m.dve", says="name the same file")
    t.error("check", "--trail", "x", "--checkpoint", "./x", "m.dve", says="--trail and --checkpoint name the same file")
    t.file("e.dve", ENDLESS)
    saved = t.check("e.dve", "--checkpoint", "c", "--time", "0.3", status=3)["checkpoints"]
    assert saved["written"] == 1, saved  # at the limit, and then the search ends
    saved = (t.folder / "c").read_bytes()
    for option in ["--trail", "--json"]:
        t.error("check", "--resume", "c", option, "./c", "--force", "e.dve", says=f"{option} and --resume name the same file")
    assert (t.folder / "c").read_bytes() == saved
    done = t.run("check", "--invariant", "x != 3", "--json", "./m.trail", "m.dve", status=1)
    assert "m.trail is for the JSON" in done.stderr, done.stderr
    assert (t.folder / "m.trail").read_text().startswith("{")


# ---- trails -------------------------------------------------------------------------------

DEFINED = """#ifndef N
#define N 9
#endif
chan c = [1] of { byte };
byte x;
active proctype P() {
  byte i;
L: for (i : 1 .. N) { x++ }
  c!1; c!2;
  assert(x > N)
}
ltl p0 { [] (x < 2) }
"""

OLD = """cairn trail 1
model 4816f8c8e6f886df m.dve
invariant x != 3
initial 0
events 3
0 0
0 0
0 0
error invariant 0 after
end
"""


def replay(t, done):
    """Runs the command that was printed, as it stands."""
    lines = done.stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if line.endswith("this shows it again:"))
    shown = subprocess.run(lines[at + 1], shell=True, cwd=t.folder, capture_output=True, text=True, timeout=60,
                           env=t.environment)
    assert shown.returncode == 0, (lines[at + 1], shown.stderr)
    assert shown.stdout.splitlines()[0] == lines[0], (shown.stdout, lines[0])
    return shown


def check_every_trail_replays(t):
    t.file("m.pml", DEFINED)
    n = 0
    for define, full, end, claim, spin, more in itertools.product(
            [[], ["-D", "N=3"], ["--define=N=2", "-D", "UNUSED"], ["-D", "N=2 + 1"]], [[], ["--send-full", "lose"]],
            [[], ["--end-queues", "empty"]], [[], ["--claim", "none"], ["--claim", "p0", "--property", "safety"]], [[], ["--spin"]],
            [[], ["--order", "dfs", "--invariant", "x != 1 + 1"], ["--self-check", "--warn", "truncation"]]):
        words = [*define, *full, *end, *claim, *spin, *more]
        done = t.run("check", *words, "m.pml", status=1)
        replay(t, done)
        n += 1
    assert n == 288


def check_a_trail_into_nothing_is_none(t):
    """No command is printed that could not work."""
    t.file("m.dve", ROUND)
    done = t.run("check", "--invariant", "x != 3", "--trail", "/dev/null", "--json", "a.json", "m.dve", status=1)
    assert "shows it again" not in done.stdout and "warning" not in done.stderr, done
    assert json.loads((t.folder / "a.json").read_text())["trail"] is None


def check_odd_names_replay(t):
    for model in ["a b.dve", "it's.dve", "-x.dve", "$HOME.dve", "é.dve", "a;b&c.dve", "*.dve"]:
        t.file(model, ROUND)
        words = ["check", "--invariant", "x != 3", "--", model]
        replay(t, t.run(*words, status=1))
        replay(t, t.run(*words[:3], "--trail", "my trail's.txt", *words[3:], status=1))


def check_options_of_trails(t):
    t.file("m.pml", DEFINED)
    t.run("check", "-D", "N=3", "m.pml", status=1)
    text = (t.folder / "m.trail").read_text()
    assert text.startswith("cairn trail 3\nmodel ") and "\noption define=N=3\n" in text, text
    t.run("trail", "m.pml", "m.trail")
    t.run("trail", "-D", "N=3", "m.pml", "m.trail")
    t.error("trail", "-D", "N=4", "m.pml", "m.trail", says="no trail of m.pml")
    t.file("m.trail", text.replace("option define=N=3", "option output=x"))
    t.error("trail", "m.pml", "m.trail", says="no option 'output=x' for a model")
    t.file("m.trail", text.replace("option define=N=3", "option send-full=fog"))
    t.error("trail", "m.pml", "m.trail", says="no option 'send-full=fog' for a model")
    t.file("m.trail", text.replace("cairn trail 3", "cairn trail 4"))
    t.error("trail", "m.pml", "m.trail", says="formats 1, 2 and 3 only")
    t.file("m.trail", text.replace("cairn trail 3", "cairn trail 2"))
    t.run("trail", "m.pml", "m.trail")
    t.file("m.trail", text.replace("cairn trail 3", "cairn trail 1"))
    t.error("trail", "m.pml", "m.trail", says="expected")


def check_trails_of_merged_statements(t):
    t.file("m.pml", "active proctype P() { byte c; c = 1; c = c + 1; assert(c == 3) }\n")
    done = t.run("check", "--reduce", "merge", "m.pml", status=1)
    text = (t.folder / "m.trail").read_text()
    assert "\nmerge\n" in text and "\nevents 1\n" in text, text
    shown = t.run("trail", "m.pml", "m.trail").stdout
    at = next(i for i, line in enumerate(shown.splitlines()) if line.startswith("   1  P[0]  m.pml:1  c = 1"))
    steps = shown.splitlines()[at:at + 3]
    assert [line[21:] for line in steps] == ["c = 1", "c = c + 1", "assert(c == 3)"] and "P[0]:c: 0 -> 2" in shown, shown
    assert all(line in done.stdout for line in steps), done.stdout
    t.file("m.trail", text.replace("merge\n", ""))
    t.error("trail", "m.pml", "m.trail", says="does not end in the error that it names")
    t.file("m.trail", text.replace("merge\n", "merge 1\n"))
    t.error("trail", "m.pml", "m.trail", says="expected the end of the line")


def check_trails_show_dead_values(t):
    t.file("m.pml", "byte g;\nactive proctype P() { byte x, y; x = 7; y = x; x = 3; g = y; assert(g != 7) }\n")
    for reduce in ("dead", "dead,merge"):
        done = t.run("check", "--reduce", reduce, "m.pml", status=1)
        assert "P[0]:y: 0 -> 7" in done.stdout and "3 -> 0" not in done.stdout, done.stdout
        shown = t.run("trail", "m.pml", "m.trail").stdout
        assert shown.split("\n\n")[1] in done.stdout, shown
    t.file("m.pml", "byte g;\nactive proctype P() { byte k; do :: k = 2; g == 0; k = 5 :: g == 1 -> break od }\n")
    done = t.run("check", "--reduce", "dead", "--ltl", "<> (g == 1)", "m.pml", status=1)
    assert "back to step 3" in done.stdout and "P[0]:k: 5 -> 2" in done.stdout, done.stdout
    t.run("trail", "m.pml", "m.trail")
    # A step is merged or not whether or not dead variables are cleared: f is cleared by two processes, and read by none.
    t.file("m.pml", "bit f[2]; chan c = [2] of { byte };\nproctype P(byte p) { false }\n"
                    "active proctype Q() { byte x, y; c!1; f[y % 2] = x }\n"
                    "proctype R(byte p) { byte q; d_step { q = 0; q < 2; f[1] = 1 } }\ninit { run P(1); run R(1) }\n")
    t.run("check", "--reduce", "merge,dead", "m.pml", status=1)
    # Scc has a claim with several marks: so has the run that shows the true values.
    t.file("m.pml", "".join("byte g%d;\nactive proctype P%d() { byte k; do :: k = 1; g%d = k; k = 0; g%d = k od }\n" % ((i,) * 4)
                            for i in range(2)))
    for words in (["--cycles", "scc"], ["--fairness", "weak"]):
        t.run("check", "--reduce", "dead", "--ltl", "!([]<> (g0 == 1) && []<> (g1 == 1))", *words, "--force", "m.pml", status=1)
        t.run("trail", "m.pml", "m.trail")


def check_dead_variables(t):
    # What is given to a process, and what it gives itself, is dead where it begins: no edge leads there that clears it.
    t.file("m.pml", "proctype P(byte p) { byte q = p; do :: p = 2; q = 3 :: true od }\ninit { run P(1) }\n")
    stored = [t.check("--reduce", reduce, "m.pml")["states"]["stored"] for reduce in ("none", "dead")]
    assert stored == [5, 3], stored
    t.file("m.pml", "byte g;\nproctype P(byte p) { byte q = p; g = q; p = 2; g = p; assert(g != 2) }\ninit { run P(1) }\n")
    shown = t.run("check", "--reduce", "dead", "m.pml", status=1).stdout
    assert "P[1]:p = 1" in shown or "P[1]:p: 0 -> 1" in shown, shown
    # What the sender of a handshake does not need any more is zero at once, also where the channel is only known when it sends.
    t.file("h.pml", "chan c = [0] of { byte }, d = [1] of { byte };\nbyte g;\n"
                    "active [2] proctype S() { byte x, a[2]; chan to = (_pid == 0 -> c : d);\n"
                    "  if :: x = 1 :: x = 2 fi; a[1] = x; to!a[1]; to!9; x = 7 }\n"
                    "active proctype G() { do :: g = 1; c!g :: g = 2; c!g od }\n"
                    "active proctype R() { do :: c?_ :: d?_ od }\n")
    stored = [t.check("--reduce", reduce, "--order", order, "h.pml")["states"]["stored"]
              for reduce in ("none", "dead") for order in ("bfs", "dfs")]
    assert stored == [935, 935, 288, 288], stored
    # A send to a buffered channel of DVE comes after the effects, and so what it sends is cleared later.
    t.file("late.dve", "channel {byte} c[1];\nprocess P { byte x; state a, b; init a; trans a -> b { sync c!x; effect x = 5; }; }\n"
                       "process Q { byte y; state a, b; init a; assert b: y == 5; trans a -> b { sync c?y; }; }\nsystem async;\n")
    for reduce in ("none", "dead"):
        t.run("check", "--reduce", reduce, "--property", "safety", "late.dve")


def check_included_texts_belong_to_the_model(t):
    t.file("m.pml", INCLUDES)
    t.file("part.inc", PART)
    t.run("check", "m.pml", status=1)
    t.run("trail", "m.pml", "m.trail")
    t.file("part.inc", "byte x = 2;\n")
    t.error("trail", "m.pml", "m.trail", says="no trail of m.pml")


def check_trails_of_every_method_replay(t):
    t.file("m.dve", "".join(f"byte n{i};\nprocess P{i} {{ state a; init a; trans a -> a {{ effect n{i} = (n{i} + 1) % 7; }}; }}\n"
                            for i in range(3)) + "system async;\n")
    n = 0
    for order, store, reduce, forget in itertools.product(
            ["bfs", "dfs", "bbfs:3", "alt:2,2", "best:n0", "random"],
            ["auto", "full", "tree", "collapse", "automaton", "comback", "compact", "bitstate", "bitline"],
            [[], ["--reduce", "edge-lean"], ["--reduce", "tnf:force"], ["--reduce", "sleep:2", "--action-order", "reverse"]],
            [[], ["--forget", "cache,size=250"], ["--forget", "sweep-line", "--progress", "n0"]]):
        words = ["--order", order, "--store", store, *reduce, *forget, "--invariant", "n0 + n1 + n2 != 9", "m.dve"]
        done = t.run("check", *words, status=None)
        assert done.returncode in (1, 2), (words, done)
        if done.returncode == 1:
            replay(t, done)
            n += 1
    assert n > 100, n


def check_old_trails_are_read(t):
    t.file("m.dve", ROUND)
    t.file("m.trail", OLD)
    done = t.run("trail", "m.dve", "m.trail")
    assert done.stdout.startswith("violated: invariant 'x != 3' fails after 3 steps\n"), done.stdout


def check_many_invariants_replay(t):
    t.file("m.dve", LOCKS)
    words = [word for i in range(1100) for word in ("--invariant", f"x < {300 + i}")]
    replay(t, t.run("check", *words, "--invariant", "x < 2", "m.dve", status=1))


def check_labels_that_invariants_ask_about(t):
    """A label in front of a goto is a place only where something asks about it."""
    t.file("m.pml", "byte x; active proctype P() { do :: x < 2 -> x++; M: goto N; x = 9; N: skip :: x == 2 -> break od }")
    replay(t, t.run("check", "--invariant", "!(P[0]@M && x == 2)", "m.pml", status=1))
    t.run("check", "m.pml")


def check_spin_in_trails(t):
    t.file("m.pml", "byte x_; active proctype P() { select(x_ : 0 .. 2); assert(x_ < 2) }")
    replay(t, t.run("check", "--spin", "m.pml", status=1))
    done = t.run("check", "m.pml", status=1)
    assert "note: this select is one step" in done.stderr, done.stderr
    replay(t, done)
    assert "note" not in t.run("check", "--warn", "no-spin", "m.pml", status=1).stderr


if __name__ == "__main__":
    sys.exit(main(globals()))
