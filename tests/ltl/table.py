#!/usr/bin/env python3
"""table.py - the table of docs/ltl.md: automata of published formulas, ours beside Spin's.

    table.py --sizes build/tests/ltl/sizes [--spin spin] [--seconds 60] [FORMULAS]

Prints Markdown. Of Spin's never claims, a state is a place with options or a skip, an edge an
option. Formulas with X need a Spin that was built with it (make CFLAGS=-DNXT); those that it
refuses, or does not finish in time, are left out of the sums of both.
"""

import argparse
import datetime
import re
import subprocess
import sys
from pathlib import Path


def of_spin(spin, formula, seconds):
    """(states, edges) of Spin's never claim, or why there is none."""
    try:
        run = subprocess.run([spin, "-f", formula], capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return "time"
    if run.returncode != 0 or "never" not in run.stdout or "expected predicate" in run.stdout + run.stderr:
        return "refused"
    body = run.stdout.split("*/", 1)[1]
    states = len(re.findall(r"^\s*(?:do|if|skip|false;?)\s*$", body, re.MULTILINE))
    edges = len(re.findall(r"::", body)) + len(re.findall(r"^\s*(?:skip|false;?)\s*$", body, re.MULTILINE))
    return states, edges


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", required=True)
    parser.add_argument("--spin", default="spin")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("formulas", nargs="?", default=Path(__file__).parent / "formulas.tsv")
    options = parser.parse_args()
    written = dict(line.rstrip("\n").split("\t") for line in open(options.formulas) if not line.startswith("#"))
    run = subprocess.run([options.sizes, str(options.formulas)], check=True, capture_output=True, text=True)
    print(f"<!-- printed by tests/ltl/table.py on {datetime.date.today()} -->")
    print("| | formula | states | edges | generalised | | ms | Spin: states | edges |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    sums = [0] * 6
    compared = left_out = 0
    for line in run.stdout.splitlines():
        name, states, edges, general, general_edges, _, ms, formula = line.split("\t")
        if name == "sum":
            continue
        spins = of_spin(options.spin, formula, options.seconds)
        cells = [spins, ""] if isinstance(spins, str) else list(spins)
        text = written[name].replace("|", "\\|")
        print(f"| {name} | `{text}` | {states} | {edges} | {general} | {general_edges} | {ms} "
              f"| {cells[0]} | {cells[1]} |")
        if isinstance(spins, str):
            left_out += 1
            continue
        compared += 1
        row = [int(states), int(edges), int(general), int(general_edges), *spins]
        sums = [a + b for a, b in zip(sums, row)]
    print(f"| sum of {compared} | | {sums[0]} | {sums[1]} | {sums[2]} | {sums[3]} | | {sums[4]} | {sums[5]} |")
    if compared > 0:
        print(f"\nOf Spin's: {100 * sums[0] / sums[4]:.0f} % of the states, {100 * sums[1] / sums[5]:.0f} % of the "
              f"edges; {left_out} left out.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
