#!/usr/bin/env python3
"""choices.py - random formulas with choices (c -> a : b), and the same without them.

    choices.py --cairn BUILD/cairn [--count 40] [--seed 1]

A choice between truths is ((c && a) || (!c && b)), and one between numbers that is compared is a choice between comparisons. Both
formulas are asked of a small random model, inside of it and on the command line: the four verdicts must be equal, and for each
formula also the figures of the two ways to ask.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

CONDITIONS = ["x == 1", "x < y", "a", "!b", "a || x == 2", "y != 0 && b", "!(a && b)", "P:l == 1", "P@here"]
NUMBERS = ["x", "y", "2", "x + 1", "3 - y"]


def pair(text):
    return text, text


def spelled_out(c, a, b):
    return f"((({c[1]}) && {a}) || (!({c[1]}) && {b}))"


def condition(rng, depth):
    """An expression that is a truth, with choices and without."""
    form = rng.randrange(4) if depth > 0 else 3
    if form == 3:
        return pair(f"({rng.choice(CONDITIONS)})")
    c = condition(rng, depth - 1)
    if form == 0:
        a, b = condition(rng, depth - 1), condition(rng, depth - 1)
        return f"({c[0]} -> {a[0]} : {b[0]})", spelled_out(c, a[1], b[1])
    if form == 1:
        a, b, compared = rng.choice(NUMBERS), rng.choice(NUMBERS), f"{rng.choice(['==', '<', '>='])} {rng.choice(NUMBERS)}"
        return f"(({c[0]} -> {a} : {b}) {compared})", spelled_out(c, f"({a} {compared})", f"({b} {compared})")
    d, op = condition(rng, depth - 1), rng.choice(["&&", "||"])
    return f"({c[0]} {op} {d[0]})", f"({c[1]} {op} {d[1]})"


def formula(rng, depth):
    if depth == 0:
        return condition(rng, 2)
    f = formula(rng, depth - 1)
    if rng.random() < 0.5:
        op = rng.choice(["[]", "<>", "!", "[] <>", "<> []"])
        return f"{op} ({f[0]})", f"{op} ({f[1]})"
    g, op = formula(rng, depth - 1), rng.choice(["U", "V", "W", "&&", "||", "->"])
    return f"(({f[0]}) {op} ({g[0]}))", f"(({f[1]}) {op} ({g[1]}))"


def model(rng):
    """A few steps, some of which go round."""
    steps = [f"d_step {{ a = {rng.randrange(2)}; b = {rng.randrange(2)}; x = {rng.randrange(3)}; y = {rng.randrange(3)}; "
             f"l = {rng.randrange(2)} }}" for _ in range(4)]
    last = rng.choice(["end: x == 7", f"do :: {steps[2]} od", f"do :: {steps[2]}; {steps[3]} od"])
    return f"bit a, b; byte x, y;\nactive proctype P() {{ byte l; {steps[0]};\nhere: if :: {steps[1]} :: skip fi; {last} }}\n"


def asked(cairn, folder, text, *words):
    path = folder / "m.pml"
    path.write_text(text)
    done = subprocess.run([cairn, "check", path, *words, "--keep-going", "--compiler", "tcc", "--json", "-"],
                          capture_output=True, text=True)
    assert done.returncode in (0, 1), (text, words, done.stderr)
    answer = json.loads(done.stdout)
    return answer["verdict"], answer["states"]["stored"], answer["events"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed, seen = 0, {"verified": 0, "violated": 0}
    with tempfile.TemporaryDirectory() as name:
        for seed in range(options.seed, options.seed + options.count):
            rng = random.Random(seed)
            text, formulas = model(rng), formula(rng, rng.randint(1, 2))
            got = []
            for f in formulas:
                got.append(asked(options.cairn, Path(name), text + f"ltl f {{ {f} }}\n", "--claim", "f"))
                got.append(asked(options.cairn, Path(name), text, "--ltl", f))
            seen[got[0][0]] += 1
            if len({verdict for verdict, _, _ in got}) > 1 or got[0] != got[1] or got[2] != got[3]:
                print(f"seed {seed}: {got}\n{text}{formulas[0]}\n{formulas[1]}")
                failed += 1
    print(f"{options.count} formulas, {seen['verified']} verified, {seen['violated']} violated, {failed} failed")
    return 1 if failed or min(seen.values()) < options.count // 8 else 0


if __name__ == "__main__":
    sys.exit(main())
