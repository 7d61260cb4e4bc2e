#!/usr/bin/env python3
"""The command line, end to end: `cairn automaton`.

    automaton.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import shutil
import subprocess
import sys

from harness import main

RESPONSE = "[] (p -> <> x == 1)"


def check_text(t):
    text = t.run("automaton", RESPONSE).stdout
    assert text.splitlines()[:3] == [
        "formula: [] (p -> <> x == 1)", "automaton: 2 states, 4 edges, 1 mark of acceptance on edges",
        "kind: deterministic, complete, stutter-invariant"], text
    assert "state 0 (initial)\n  -> 0 {0}  !p || (x == 1)\n" in text


def check_negation(t):
    text = t.run("automaton", "--negate", RESPONSE).stdout
    assert "formula: !([] (p -> <> x == 1))\nautomaton: 2 states, 3 edges" in text
    assert "kind: weak, stutter-invariant" in text


def check_degeneralised(t):
    many = t.run("automaton", "[] <> p && [] <> q").stdout
    one = t.run("automaton", "[] <> p && [] <> q", "--degeneralise").stdout
    assert "1 state, 4 edges, 2 marks" in many and "1 mark of acceptance on edges" in one


def check_stutter_invariance(t):
    assert "stutter-invariant" in t.run("automaton", "<> (p && X !p)").stdout
    assert "stutter-invariant" not in t.run("automaton", "<> (p && X p)").stdout


def check_files_are_read_again(t):
    for words in [[], ["--degeneralise"], ["--negate"]]:
        written = t.run("automaton", "--format", "hoa", RESPONSE + " && [] <> q", *words).stdout
        t.file("a.hoa", written)
        again = t.run("automaton", "--format", "hoa", "a.hoa").stdout
        assert again == written, again


def check_files_say_whether_they_are_stutter_invariant(t):
    """Of a deterministic automaton this is found out, so that a file cannot say what is wrong; of others it is believed."""
    def read(formula, said, **how):
        text = t.run("automaton", "--format", "hoa", formula).stdout.replace(" stutter-invariant", "")
        t.file("a.hoa", text.replace(" explicit-labels", " explicit-labels" + (" stutter-invariant" if said else "")))
        return t.run("automaton", "a.hoa", **how)
    for said in [False, True]:
        assert "stutter-invariant" in read("[] p && [] <> q", said).stdout
        assert "stutter-invariant" in read("p U q", said).stdout
    for formula in ["X p", "p && X q", "[] <> p && X q"]:
        assert "stutter-invariant" not in read(formula, False).stdout
        assert "the automaton is not stutter-invariant: leave this word out" in read(formula, True, status=2).stderr
    for said in [False, True]:
        assert ("stutter-invariant" in read("<> (p && X p)", said).stdout) == said


def check_never_claim_is_promela(t):
    claim = t.run("automaton", "--format", "never", "--negate", RESPONSE).stdout
    t.file("m.pml", "bool p; int x;\nactive proctype P() { do :: p = 1; x = 0 :: x = 1; p = 0 od }\n" + claim)
    assert ", a cycle of " in t.run("check", "m.pml", status=1).stdout
    if shutil.which("spin"):
        done = subprocess.run(["spin", "-a", "m.pml"], cwd=t.folder, capture_output=True, text=True)
        assert done.returncode == 0 and "rror" not in done.stdout + done.stderr, done.stdout


def check_dot(t):
    text = t.run("automaton", "--format", "dot", 'c == "U" U q').stdout
    assert text.startswith("digraph") and '[label="(c == \\"U\\") && !q"]' in text, text


def check_messages(t):
    t.error("automaton", "p R q", says="formula:1:3: error: unexpected 'R': an operator is expected here")
    for formula in ["G p", "[] (p -> F q)"]:
        assert t.error("automaton", formula).stderr.endswith("hint: here G, always, is written [], and F, eventually, <>\n"), formula
    assert "hint" not in t.error("automaton", "p R q").stderr
    t.error("automaton", "", says="the formula is empty: write one such as '[] p'")
    t.error("automaton", says="FORMULA is missing: cairn automaton FORMULA")
    t.error("automaton", "p", "--format", "aut", says="--format aut is for cairn graph")
    t.error("graph", "p.dve", "--format", "hoa", says="--format hoa is for cairn automaton")
    t.error("automaton", "gone.hoa", says="gone.hoa")
    t.file("a.hoa", "HOA: v1\nAcceptance: 1 Fin(1)\n")
    t.error("automaton", "a.hoa", says="a.hoa:2:19: error: the number of a set is expected here")
    pairs = " & ".join(f"(Fin({2 * i}) | Inf({2 * i + 1}))" for i in range(9))
    t.file("a.hoa", f"HOA: v1\nAcceptance: 18 {pairs}\n")
    t.error("automaton", "a.hoa", says="this condition has more than 256 alternatives when it is multiplied out")
    t.error("automaton", "a.hoa", "--negate", says="--negate needs a formula")
    t.error("automaton", " && ".join(f"<> (a{i} && X b{i})" for i in range(20)), says="too large: ")


if __name__ == "__main__":
    sys.exit(main(globals()))
