#!/usr/bin/env python3
"""Random small models whose states are all gone backward from, against going forward (back.c).

    random_models.py [--back PROGRAM] [--count N] [--seed N] [--keep FOLDER] [--seconds N]

Each seed is a model in DVE or a net. Variables are few, because all states over their types are listed: two
of eight bits, one of sixteen, or a channel of one or two messages; nets have few places, or few tokens.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "oracle"))
from random_dve import Maker  # noqa: E402

# Globals, an array, locals of each process, channels (name, fields, capacity, typed); and their types.
SHAPES = [(["byte"], 0, [1, 0], []), (["byte"], 0, [0, 1], [("c0", 1, 0, False)]), ([], 2, [0, 0], []),
          (["int"], 0, [0, 0], [("c0", 0, 0, False)]), (["byte"], 0, [0, 0, 0], [("c0", 2, 0, True)]),
          (["byte"], 0, [0, 0], [("c0", 1, 1, True)]), ([], 0, [1, 0], [("c0", 1, 1, True)]),
          ([], 0, [0, 0], [("c0", 1, 2, True)]), (["byte", "byte"], 0, [0, 0], [])]


class Small(Maker):
    """Of these shapes, with two or three locations for each process."""

    def __init__(self, seed):
        super().__init__(seed)
        r = self.r
        types, array, local, self.channels = r.choice(SHAPES)
        self.synchronous, self.n = False, len(local)
        self.arrays = {"ga": array} if array else {}
        self.types = types
        self.globals = ["g%d" % i for i in range(len(types))]
        self.locals = [["v%d%d" % (p, i) for i in range(n)] for p, n in enumerate(local)]
        self.places = [r.randint(1, 3) for _ in range(self.n)]

    def small(self, p):
        """What a state keeps as it is, and what it loses."""
        r, names = self.r, self.globals + self.locals[p]
        if names and r.random() < 0.4:
            return "%s %s %s" % (r.choice(names), r.choice(["+", "-", "^", "*"]), self.leaf(p))
        return self.expr(p, 2) if r.random() < 0.5 else super().small(p)

    def leaf(self, p):
        """Where there is no global variable, something else."""
        if not self.globals:
            return str(self.r.randint(0, 3)) if not self.arrays else self.element(p)
        return super().leaf(p)

    def text(self):
        lines = super().text()
        for name, kind in zip(self.globals, self.types):
            lines = re.sub(r"(?m)^\w+ %s =" % name, "%s %s =" % (kind, name), lines)
        lines = re.sub(r"(?m)^(  )?int (v|ga)", r"\1byte \2", lines)
        return re.sub(r"\{int\} c", "{byte} c", lines) if self.types != ["int"] else lines


def net(seed):
    """Tokens move within groups of places, sometimes get lost; now and then places fill up to what they have room for."""
    r = random.Random(seed)
    places = [(r.choice([0, 0, 1, 1, 2, 3]), r.randint(0, 1)) for _ in range(r.randint(2, 6))]
    out = ['<?xml version="1.0"?><pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">'
           '<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">']
    out += ['<place id="p%d"><initialMarking><text>%d</text></initialMarking></place>' % (i, n) for i, (n, _) in enumerate(places)]
    for t in range(r.randint(1, 6)):
        out.append('<transition id="t%d"/>' % t)
        group = [i for i, (_, g) in enumerate(places) if g == r.randint(0, 1)] or [0]
        arcs = {}
        for _ in range(r.randint(1, 2)):
            weight = r.choice([1, 1, 1, 2])
            arcs[r.choice(group), True] = weight
            if r.random() < 0.85:
                arcs[r.choice(group), False] = weight if r.random() < 0.9 else 1
        for k, ((place, enters), weight) in enumerate(arcs.items()):
            ends = ("p%d" % place, "t%d" % t) if enters else ("t%d" % t, "p%d" % place)
            out.append('<arc id="a%d_%d" source="%s" target="%s"><inscription><text>%d</text></inscription></arc>' % (t, k, *ends, weight))
    return "".join(out) + "</page></net></pnml>\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--back", default=os.path.join(ROOT, "build", "tests", "backward", "back"))
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--keep")
    args = parser.parse_args()
    began, status = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        folder = args.keep or folder
        for first in range(args.seed, args.seed + args.count, 100):
            if args.seconds and time.monotonic() - began > args.seconds:
                break
            paths = []
            for seed in range(first, min(first + 100, args.seed + args.count)):
                paths.append(os.path.join(folder, "%d.%s" % (seed, "pnml" if seed % 3 == 0 else "dve")))
                with open(paths[-1], "w", encoding="ascii") as f:
                    f.write(net(seed) if seed % 3 == 0 else Small(seed).text())
            status |= subprocess.run([args.back, *paths], check=False).returncode
            for path in [] if args.keep else paths:
                os.unlink(path)
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main())
