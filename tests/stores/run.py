#!/usr/bin/env python3
"""Compares every store with `full` on the small models, in both orders; of the other things that can be
asked for, each model has one in each order, by turns.

Counts, levels, errors and the lengths of counterexamples must be the same, and the
verdict too, except that a store that may miss states verifies nothing. (With
64 bits of a hash, or a table of a MiB for some hundred states, it misses none: the hash
function is the same in every run.) Counterexamples are replayed by the program. No search
may give up, and no figure contradict another one (tests/figures.py).

    run.py [--cairn PROGRAM] [--jobs N] [MODEL...]
"""
import argparse
import concurrent.futures
import glob
import itertools
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import figures  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARAMETER = {"bitstate": ",1M", "bitline": ",1M"}
ASKED = [["--property", "deadlock"], ["--keep-going"]]
# Rows gather longer for `comback`, breadth-first, so it is looked less often how many states are open.
SELDOM = ["comback"]
SAME = ["states", "events", "deadlocks", "errors", "error", "levels", "level_widths"]


def stores(cairn):
    p = subprocess.run([cairn, "check", "--store", "help"], capture_output=True, text=True, check=True)
    return re.findall(r"^  ([a-z]+)", p.stdout, re.MULTILINE)


def answer(cairn, model, *words):
    """The object, and what is wrong with it alone."""
    p = subprocess.run([cairn, "check", "--json", "-", "--trail", os.devnull, *words, model],
                       capture_output=True, text=True, timeout=120)
    got = json.loads(p.stdout)
    wrong = figures.complaints(got, p.returncode)
    if got["limit"] is not None:
        wrong.append("gave up: " + got["limit"])
    return got, ["%s %s: %s" % (model, " ".join(words), w) for w in wrong]


def differences(cairn, model, names, order, asked):
    """What differs from `full`, as sentences."""
    words = ["--order", order, "--claim", "none", *asked]
    full, wrong = answer(cairn, model, *words)
    if full["verdict"] == "rejected":
        return wrong
    for name in names:
        got, alone = answer(cairn, model, "--store", name + PARAMETER.get(name, ""), *words)
        wrong += alone
        exact = got["estimate"] is None
        verdict = "inconclusive" if full["verdict"] == "verified" and not exact else full["verdict"]
        where = "%s --store %s %s" % (model, name, " ".join(words))
        if got["verdict"] != verdict:
            wrong.append("%s: %s, not %s" % (where, got["verdict"], verdict))
        if got["guarantee"] == "exact" and not exact:
            wrong.append("%s: it may miss states, and is called exact" % where)
        for key in SAME:
            if key == "states" and name in SELDOM:
                got[key]["peak_open"] = full[key]["peak_open"]
            if got[key] != full[key] and full["guarantee"] == "exact":
                wrong.append("%s: %s %s, not %s" % (where, key, got[key], full[key]))
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("models", nargs="*")
    args = parser.parse_args()
    models = args.models or sorted(glob.glob(os.path.join(ROOT, "tests/models/*.dve")) +
                                   glob.glob(os.path.join(ROOT, "models/*.dve")))
    names = [n for n in stores(args.cairn) if n != "full"]
    runs = [(model, order, asked) for i, model in enumerate(models) for j, order in enumerate(["bfs", "dfs"])
            for asked in ([], ASKED[(i + j) % len(ASKED)])]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        wrong = list(itertools.chain.from_iterable(
            pool.map(lambda run: differences(args.cairn, run[0], names, run[1], run[2]), runs)))
    for line in wrong:
        print("FAIL " + line)
    print("%d models, %s: %d runs, %d differences" % (len(models), ", ".join(names), len(runs) * len(names),
                                                      len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
