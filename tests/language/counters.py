#!/usr/bin/env python3
"""A language whose models are no ir goes through every command.

    counters.py --cairn PROGRAM --source SOURCE_ROOT [NAME...]

PROGRAM is cairn with another list of languages (counters.c).
"""

import itertools
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
from harness import ROUND, main  # noqa: E402

MODEL = "counter a 5\ncounter b 3\ncounter c 2\n"


def check_check(t):
    t.file("m.counters", MODEL)
    for order, store, more in itertools.product(["bfs", "dfs", "alt:2,2"], ["auto", "tree", "collapse", "automaton", "compact"],
                                                [[], ["--self-check"], ["--check", "independence"], ["--reduce", "edge-lean"]]):
        answer = t.check("--order", order, "--store", store, *more, "m.counters", status=None)
        assert answer["states"]["stored"] == 30 and answer["errors"] == 0, (order, store, more, answer)
        assert answer["compiler"] is None and answer["unreached"] is None, answer
        if more[:1] != ["--reduce"]:
            assert answer["events"] == 90, answer
    t.check("--forget", "cache,size=28", "m.counters")
    t.file("plain", MODEL)
    assert t.check("plain")["states"]["stored"] == 30


def check_trails(t):
    t.file("m.counters", MODEL)
    done = t.run("check", "--invariant", "b < 2", "m.counters", status=1)
    assert done.stdout.startswith("violated: invariant 'b < 2' fails after 2 steps\n"), done.stdout
    for line in ("   1  b goes on from 0\n", "   2  b goes on from 1\n", "        b: 1 of 3 -> 2 of 3\n"):
        assert line in done.stdout, done.stdout
    shown = t.run("trail", "--full", "m.counters", "m.trail").stdout
    assert "b = 2 of 3" in shown and "   2  b goes on from 1\n" in shown, shown
    t.file("other.counters", MODEL + "counter d 2\n")
    t.error("trail", "other.counters", "m.trail", says="no trail of other.counters")


def check_sim(t):
    t.file("m.counters", MODEL)
    run = t.run("sim", "--seed", "0", "--steps", "7", "m.counters").stdout
    assert run.count(" goes on from ") == 7 and " of 5" in run, run
    assert run == t.run("sim", "--seed", "0", "--steps", "7", "m.counters").stdout
    byhand = t.run("sim", "-i", "m.counters", give="0\n0\n1\nu\nq\n").stdout
    assert "a goes on from 1" in byhand, byhand


def check_graph(t):
    t.file("m.counters", MODEL)
    aut = t.run("graph", "--format", "aut", "m.counters").stdout
    assert aut.startswith("des (0, 90, 30)") and "goes on from 4" in aut, aut[:200]
    assert "goes on from" in t.run("graph", "m.counters").stdout.replace("\\n", " ")


def check_info(t):
    t.file("m.counters", MODEL)
    said = t.run("info", "m.counters").stdout
    assert "(counters), counters in callbacks" in said and "3 variables" in said and "3 actions" in said, said
    answer = json.loads(t.run("info", "--json", "-", "m.counters").stdout)
    assert [v["name"] for v in answer["variables"]] == ["a", "b", "c"] and len(answer["actions"]) == 3, answer
    t.error("info", "--code", "m.counters", says="no code to show")


def check_mistakes(t):
    t.file("bad.counters", "counter\n")
    t.error("check", "bad.counters", says="'counter NAME MODULUS' are expected")
    t.file("m.counters", MODEL)
    for text in ["z < 3", "a == 3", ""]:
        t.error("check", "--invariant", text or " ", "m.counters", says="'NAME < NUMBER' is expected")
    t.error("check", "--order", "best:a", "m.counters", says="is expected")
    t.error("check", "--queries", "x", "m.counters", says="Petri nets")


def check_other_languages_are_there(t):
    t.file("m.dve", ROUND)
    assert t.check("m.dve")["states"]["stored"] == 5
    t.file("m.xyz", "nothing")
    t.error("check", "m.xyz", says=".counters, .dve")


if __name__ == "__main__":
    sys.exit(main(globals()))
