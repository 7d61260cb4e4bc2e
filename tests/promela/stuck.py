#!/usr/bin/env python3
"""`timeout` as a condition of states: of random models in which no process waits for it, it is true in the states without an event.

    stuck.py [--cairn PROGRAM] [--count N] [--first SEED]

The states where `--invariant '!timeout'` fails are counted, and so are those of the graph from which nothing leads on. Models that are too
large, or have errors of their own, do not count.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import random_model  # noqa: E402

MOST = "20000"


def errors(cairn, folder, *words):
    p = subprocess.run([cairn, "check", "m.pml", "--claim", "none", "--no-deadlock", "--keep-going", "--max-states", MOST, "--trail", os.devnull,
                        "--json", "-", *words], cwd=folder, capture_output=True, text=True, timeout=120)
    answer = json.loads(p.stdout[p.stdout.index("{"):])
    return answer["errors"] if answer["verdict"] in ("verified", "violated") and not answer["limit"] else None


def compare(cairn, folder, seed):
    """Whether the two numbers are the same, or None; and the number."""
    text = random_model.Model(seed).text()
    if "timeout" in text:
        return None, 0
    with open(os.path.join(folder, "m.pml"), "w", encoding="ascii") as f:
        f.write(text)
    found = errors(cairn, folder, "--invariant", "!timeout")
    if found is None or errors(cairn, folder) != 0:
        return None, 0
    graph = subprocess.run([cairn, "graph", "m.pml", "--format", "aut"], cwd=folder, capture_output=True, text=True, timeout=120)
    head = re.match(r"des \(\d+, *\d+, *(\d+)\)", graph.stdout)
    if head is None:
        return None, 0
    stuck = int(head[1]) - len(set(re.findall(r"^\((\d+),", graph.stdout, re.MULTILINE)))
    if stuck != found:
        print("FAIL seed %d: timeout in %d states, %d without an event" % (seed, found, stuck))
    return stuck == found, stuck


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--first", type=int, default=1)
    args = parser.parse_args()
    same = differ = stuck = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.first, args.first + args.count):
            fine, n = compare(os.path.abspath(args.cairn), folder, seed)
            same += fine is True
            differ += fine is False
            stuck += n
    print("%d same, %d differ, %d states without an event" % (same, differ, stuck))
    return 1 if differ or not stuck else 0


if __name__ == "__main__":
    sys.exit(main())
