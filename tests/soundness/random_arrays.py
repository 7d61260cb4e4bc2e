#!/usr/bin/env python3
"""Random DVE models with arrays and guards of single values: reduced, they have the same deadlocks and errors.

    random_arrays.py [--cairn PROGRAM] [--count N] [--first SEED] [--show SEED]

The systems of soundness.c have no arrays; here processes go through arrays with indices of their own, of others and
of two variables, test and set values that are constants, and invariants look at some of them. Each model is searched
plainly and with partial order reduction depth-first and breadth-first. A model on which the two differ is left in
the current folder as arrays-SEED.dve.
"""
import argparse
import json
import os
import random
import subprocess
import sys

WAYS = [["--order", "dfs"], ["--order", "bfs"]]


class Maker:
    """One random model, and an invariant."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.n = self.r.choice([2, 2, 3, 3, 4])
        self.size = self.r.randint(2, 3)
        self.top = self.r.randint(1, 3)
        self.sparse = seed % 4 != 0
        if self.sparse:
            self.size = self.r.randint(3, 5)
            self.top = self.r.randint(1, 2)

    def index(self, p):
        r = self.r
        if self.sparse:
            return r.choice(["j", "j", "k", str(r.randrange(self.size))])
        if r.random() < 0.1:  # it may be out of range
            return r.choice(["j-1", "j+1"])
        return r.choice(["j", "j", "j", "k", "g", str(r.randrange(self.size)), str(p % self.size)])

    def place(self, p):
        r = self.r
        element = "%s[%s]" % (r.choice("ab"), self.index(p))
        if self.sparse:  # else nearly everything depends on everything
            return r.choice([element, element, element, element, element, "j", "k"])
        return r.choice([element, element, "x", "g", "j", "k"])

    def condition(self, p):
        r = self.r
        one = "%s %s %d" % (self.place(p), r.choice(["==", "==", "!=", "<", ">"]), r.randint(0, self.top))
        kind = r.random()
        if kind < 0.1:
            return "%s < %s" % (self.place(p), self.place(p))
        if kind < 0.25:
            return "(%s or %s == %d)" % (one, self.place(p), r.randint(0, self.top))
        return one

    def effect(self, p):
        r = self.r
        target = self.place(p)
        kind = r.random()
        if target in ("j", "k", "g") and kind < 0.6:
            return "%s = (%s + 1) %% %d" % (target, target, self.size)
        if kind < 0.75:
            return "%s = %d" % (target, r.randint(0, self.top))
        if kind < 0.9:
            return "%s = (%s + 1) %% %d" % (target, self.place(p), self.top + 1)
        return "%s = %s" % (target, self.place(p))

    def step(self, p, at, places):
        r = self.r
        guard = " and ".join(self.condition(p) for _ in range(r.choice([0, 1, 1, 1, 2])))
        effect = ", ".join(self.effect(p) for _ in range(r.choice([0, 1, 1, 2])))
        sync = "sync %s;" % r.choice(["c!", "c?"]) if self.channel and r.random() < 0.25 else ""
        return "s%d -> s%d { %s %s %s }" % (at, r.choice([(at + 1) % places, r.randrange(places)]), "guard %s;" % guard if guard else "",
                                            sync, "effect %s;" % effect if effect else "")

    def text(self):
        r = self.r
        self.channel = r.random() < 0.3
        lines = ["byte a[%d], b[%d];" % (self.size, self.size), "byte x = %d, g = 0;" % r.randint(0, self.top)]
        lines += ["channel c;"] if self.channel else []
        for p in range(self.n):
            places = r.randint(2, 4)
            steps = ",\n ".join(self.step(p, i % places, places) for i in range(places + r.randint(0, 3)))
            lines += ["process P%d {" % p, "byte j = %d, k = 0;" % r.randrange(self.size),
                      "state %s;" % ", ".join("s%d" % i for i in range(places)), "init s0;", "trans " + steps + ";", "}"]
        return "\n".join(lines + ["system async;", ""])

    def invariant(self):
        r = self.r
        return r.choice([None, None, "x != %d or a[0] != %d" % (r.randint(0, self.top), r.randint(0, self.top)),
                         "b[%d] < 3" % r.randrange(self.size)])


def ask(cairn, path, words):
    done = subprocess.run([cairn, "check", path, "--keep-going", "--max-states", "20000", "--compiler", "tcc", "--trail", os.devnull,
                           "--json", "-", *words], capture_output=True, text=True, timeout=120, check=False)
    if "internal error" in done.stderr or done.returncode not in (0, 1, 3):
        return done.stderr.strip()[:300] or "exit status %d" % done.returncode
    answer = json.loads(done.stdout)
    return None if answer.get("limit") else answer


def facts(answer):
    return answer["verdict"], answer["deadlocks"], answer["errors"] > 0  # deadlocks are no errors here


def try_one(cairn, seed):
    """What differs, or None; states, plain and reduced."""
    maker = Maker(seed)
    text, invariant = maker.text(), maker.invariant()
    path = "arrays-%d.dve" % seed
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    asked = ["--invariant", invariant] if invariant else []
    plain, states = ask(cairn, path, asked), [0, 0]
    wrong = plain if isinstance(plain, str) else None
    for way in WAYS if plain and not wrong else []:
        reduced = ask(cairn, path, asked + ["--reduce", "por", *way])
        if isinstance(reduced, str) or facts(reduced) != facts(plain):
            wrong = "%s: %s instead of %s" % (" ".join(way), reduced if isinstance(reduced, str) else facts(reduced), facts(plain))
            break
        states = [states[0] + plain["states"]["reached"], states[1] + reduced["states"]["reached"]]
    if wrong is None:
        os.unlink(path)
    return wrong, states


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--show", type=int)
    args = parser.parse_args()
    if args.show is not None:
        maker = Maker(args.show)
        print(maker.text(), maker.invariant(), sep="\n")
        return 0
    failed, all_states = 0, [0, 0]
    for seed in range(args.first, args.first + args.count):
        wrong, states = try_one(args.cairn, seed)
        if wrong:
            failed += 1
            print("seed %d: %s" % (seed, wrong))
        all_states = [a + b for a, b in zip(all_states, states)]
    print("%d models, %d failed; %d states, %d with reduction" % (args.count, failed, *all_states))
    return failed > 0 or (args.count >= 50 and all_states[1] >= all_states[0])


sys.exit(main())
