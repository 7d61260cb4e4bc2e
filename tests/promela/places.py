#!/usr/bin/env python3
"""How many places for processes a Promela model is laid out for, and that more are made on demand.

    places.py [--cairn PROGRAM]

Each model says how many processes may live at once as far as its control graph and its values tell; a
bound that is too small would be a model error or a wrong count, one that is too large costs every
state. Where no bound is found the model starts with few places: the search has to end with
the same figures as any other, and its trail has to replay.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

CHAIN = "".join("proctype p%d() { byte x; do :: x++ :: x > 3 -> break od; run p%d() }\n" % (i, i + 1) for i in range(6))
# (name, places, text)
BOUNDED = [
    ("a run on no cycle", 8, CHAIN + "proctype p6() { skip }\ninit { run p0() }\n"),
    # Too many values to follow them all: the control graph alone has to do.
    ("many values before a run", 3, "proctype q() { skip }\n"
     "init { int a, b; do :: a < 9000 -> a++ :: b < 9000 -> b = b + 3 :: else -> break od; run q();\n"
     "  do :: a > 0 -> a-- :: b > 0 -> b-- :: else -> break od; run q() }\n"),
    ("either one or the other", 2, "proctype q() { skip }\nproctype r() { skip }\n"
     "init { byte x; do :: x++ :: break od; if :: x > 7 -> run q() :: else -> run r() fi }\n"),
    ("a flag that is only ever set", 3, "bool up; chan c = [1] of { byte };\nproctype q() { skip }\n"
     "active [2] proctype p() { byte x; do :: c?x -> if :: x == 1 && !up -> up = true; run q() :: else fi\n"
     "  :: c!1 od }\n"),
    ("a counter that only one process writes", 6, "byte n; proctype q() { n < 9 -> skip }\n"
     "init { do :: n < 5 -> n++; run q() :: else -> break od }\n"),
    ("a loop that runs one more each time it goes round by a counter", 5, "proctype q() { skip }\n"
     "init { byte i; for (i : 1 .. 4) { run q() } }\n"),
]
# What has no bound begins with eight places more than there are initial processes.
BOUNDED += [
    ("a counter that two processes write", 10, "byte n; proctype q() { n < 9 -> skip }\n"
     "active proctype down() { do :: n > 0 -> n-- od }\n"
     "init { do :: n < 5 -> n++; run q() :: else -> break od }\n"),
    ("a flag that is taken back", 10, "bool up; proctype q() { up = false }\n"
     "active [2] proctype p() { do :: !up -> up = true; run q() od }\n"),
    ("a run in a cycle", 9, "byte x; proctype q() { skip }\ninit { do :: x < 3 -> x++; run q() :: x-- od }\n"),
    ("a counter that a message sets", 9, "chan c = [1] of { byte }; proctype q() { c!0 }\n"
     "init { byte n; do :: n < 3 -> n++; run q() :: c?n od }\n"),
]
# The two processes of "a flag that is only ever set" may both find it unset: one each.
BOUNDED[3] = (BOUNDED[3][0], 4, BOUNDED[3][2])
UNBOUNDED = """byte n;
proctype p(byte k) { if :: k < %d -> run p(k + 1) :: else -> assert(%s) fi }
init { run p(0) }
"""


# Some hundred states before the first process too many, and after it, so that a search can be
# interrupted on either side.
LATE = """byte a, b;
proctype p(byte k) { if :: k < 30 -> run p(k + 1) :: else -> skip fi }
active proctype c() { do :: a < 20 -> a++ od }
active proctype d() { do :: b < 20 -> b++ od }
init { (a > 15 && b > 15) -> run p(0) }
"""
LATE_WAYS = ["--order bfs", "--order dfs --forget cache", "--order best:a", "--forget sweep-line --progress auto:3"]


def call(args, folder, *words):
    return subprocess.run([args.cairn, *words], cwd=folder, capture_output=True, text=True, timeout=120)


def places(args, folder, text):
    with open(os.path.join(folder, "m.pml"), "w", encoding="utf-8") as f:
        f.write(text)
    facts = json.loads(call(args, folder, "info", "--json", "-", "m.pml").stdout)
    processes = {p["name"] for p in facts["processes"]}
    return sum(c["name"].startswith("process ") or c["name"].split("[")[0] in processes for c in facts["components"])


def check(args, folder, *words):
    done = call(args, folder, "check", "m.pml", "--trail", "m.trail", "--json", "-", *words)
    return json.loads(done.stdout[done.stdout.index("{"):])


def bounded(args, folder):
    for name, want, text in BOUNDED:
        got = places(args, folder, text)
        assert got == want, "%s: %d places, not %d" % (name, got, want)
        kind = (check(args, folder, "--keep-going", "--max-states", "20000")["error"] or {}).get("kind")
        assert kind != "model-error", "%s: a process found no place" % name


def on_demand(args, folder):
    """Chains of processes that the passes cannot bound."""
    for length in (3, 30, 100):
        got = places(args, folder, UNBOUNDED % (length, "true"))
        assert got < 20, "%d places before anything was run" % got
        for words in ([], ["--order", "dfs"], ["--store", "tree"], ["--order", "best:_nr_pr"],
                      ["--reduce", "edge-lean"], ["--self-check"], ["--runs", "2", "--store", "compact"]):
            r = check(args, folder, *words)
            # Each of the chain takes two steps on the way down; its end is a step, the youngest first.
            assert r["verdict"] in ("verified", "inconclusive") and r["limit"] is None, (length, words, r["verdict"])
            assert (r["states"]["stored"], r["events"]) == (3 * length + 6, 3 * length + 5), (length, words, r)
        with open(os.path.join(folder, "m.pml"), "w", encoding="utf-8") as f:
            f.write(UNBOUNDED % (length, "false"))
        r = check(args, folder)
        assert r["error"]["kind"] == "assertion", r["error"]
        shown = call(args, folder, "trail", "m.pml", "m.trail")
        assert shown.returncode == 0 and "assertion" in shown.stdout, shown.stderr
    places(args, folder, UNBOUNDED % (254, "true"))
    assert check(args, folder)["error"]["kind"] == "model-error", "256 processes are one too many"


def saved(args, folder):
    """A file that was written before or after the model was laid out anew leads to the same end."""
    first = places(args, folder, LATE)
    assert first < 20, "%d places before anything was run" % first
    for way in LATE_WAYS:
        words, file = ["--no-deadlock", *way.split()], os.path.join(folder, "checkpoint")
        peace = check(args, folder, *words)
        for n, seconds in (("120", 1e-6), ("2500", 3e-5)):
            part = check(args, folder, *words, "--checkpoint", "%s,%f" % (file, seconds), "--max-states", n,
                         "--max-visits", n)
            assert part["checkpoints"]["written"] > 0 and part["limit"] is not None, (way, n, part)
            end = check(args, folder, *words, "--resume", file)
            for figure in ("verdict", "guarantee", "states", "events", "deadlocks", "level_widths"):
                assert end[figure] == peace[figure], (way, n, figure, end[figure], peace[figure])
            os.remove(file)
    wide = check(args, folder, "--no-deadlock", "--forget", "sweep-line", "--progress", "a,b,a,b")
    assert wide["verdict"] == "verified", "expressions count once, however often the model is laid out: %s" % wide["reason"]
    bits = call(args, folder, "check", "m.pml", "--no-deadlock", "--store", "bitstate,1M").stdout
    assert "kept        3 bits per state" in bits, "what an attempt stored that does not count decides on bits:\n" + bits


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    args = parser.parse_args()
    args.cairn = os.path.abspath(args.cairn)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        bounded(args, folder)
        on_demand(args, folder)
        saved(args, folder)
    print("%d bounds, and places on demand: as they should be" % len(BOUNDED))
    return 0


if __name__ == "__main__":
    sys.exit(main())
