#!/usr/bin/env python3
"""syntax.py - random formulas without parentheses, grouped as Spin groups them.

    syntax.py --cairn BUILD/cairn [--count 300] [--seed 1]

Spin prints the formulas of a model with all parentheses. Read without and with them, a formula
must give the same automaton. And a formula inside of a Promela model, which is read by the grammar of that language, must give the
same answer as one of the command line, with the same number of states. Exit status 77 (skipped) where Spin is not installed.
"""

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BINARY = ["&&", "||", "->", "<->", "U", "V", "until", "stronguntil", "release", "implies", "equivalent"]
UNARY = ["!", "[]", "<>", "always", "eventually"]
ATOMS = ["a", "b", "x == 1", "x < y", "!b", "(a)"]

# One for each word and place that the random ones leave out; X stops some versions of Spin later on.
MORE = ["X a U b", "next a && b", "[] X a", "a W b", "a weakuntil b", "a W b U a", "X X a -> b"]


def random_formula(rng):
    words = []
    for i in range(rng.randint(2, 4)):
        words += [rng.choice(BINARY)] if i > 0 else []
        words += rng.choices(UNARY, k=rng.choice([0, 0, 1, 2]))
        words.append(rng.choice(ATOMS))
    text = " ".join(words)
    return text if "! !" not in text and "! a ==" not in text else random_formula(rng)


def as_spin_prints(folder, formula):
    model = folder / "m.pml"
    model.write_text(f"bool a, b; int x, y;\nactive proctype P() {{ skip }}\nltl f {{ {formula} }}\n")
    try:  # it makes the automaton as well, which can take it minutes
        run = subprocess.run(["spin", "-a", model.name], cwd=folder, capture_output=True, text=True, timeout=10)
    except subprocess.TimeoutExpired:
        return None
    found = re.search(r"^ltl f: (.*)$", run.stdout, re.MULTILINE)
    assert found, f"Spin does not take {formula}: {run.stdout}"
    return found.group(1)


def automaton(cairn, formula):
    done = subprocess.run([cairn, "automaton", "--format", "hoa", formula], capture_output=True, text=True)
    assert done.returncode == 0, (formula, done.stderr)
    # Spin drops blanks, so names of propositions differ by them.
    return re.sub(r"^AP:.*$", lambda m: m.group().replace(" ", ""), done.stdout.split("\n", 2)[2], flags=re.MULTILINE)


MODEL = """bit a, b, c;
byte x, y;
active proctype P() { do :: a = 1 - a :: b = 1 - b :: c = 1 - c :: x = 1 - x :: y = 2 - y od }
"""


def figures(cairn, folder, text, *words):
    (folder / "m.pml").write_text(MODEL + text)
    done = subprocess.run([cairn, "check", "m.pml", "--claim", "f" if text else "none", "--keep-going", "--compiler", "tcc", "--json",
                           "-", *words], cwd=folder, capture_output=True, text=True)
    answer = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    return answer.get("verdict", done.stderr), answer.get("states", {}).get("stored"), answer.get("events")


def differs_inside(cairn, folder, formula):
    """What differs between the formula in a model and on the command line; None: nothing."""
    inside = figures(cairn, folder, "ltl f { %s }" % formula)
    outside = figures(cairn, folder, "", "--ltl", formula)
    return None if inside == outside and inside[1] else "%s inside of a model, and %s outside" % (inside, outside)


def is_odd(formula):
    """Operators of states on formulas, which Spin misprints: what follows [] or X must be a name."""
    return re.search(r"(\[\]|<>|!|X|always|eventually|next) (x|!b)", formula) is not None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.cairn = str(Path(options.cairn).resolve())
    if shutil.which("spin") is None:
        print("spin is not installed: skipped")
        return 77
    rng = random.Random(options.seed)
    formulas = [f for f in (random_formula(rng) for _ in range(options.count)) if not is_odd(f)] + MORE
    failed = slow = 0
    with tempfile.TemporaryDirectory() as name:
        for formula in formulas:
            grouped = as_spin_prints(Path(name), formula)
            slow += grouped is None
            if grouped is not None and automaton(options.cairn, formula) != automaton(options.cairn, grouped):
                print(f"{formula}\n  is {grouped}\n  for Spin, and something else here")
                failed += 1
            differs = differs_inside(options.cairn, Path(name), formula)
            if differs is not None:
                print(f"{formula}\n  {differs}")
                failed += 1
    print(f"{len(formulas)} formulas, {failed} failed, {slow} left out")
    return 1 if failed or slow > len(formulas) // 10 else 0


if __name__ == "__main__":
    sys.exit(main())
