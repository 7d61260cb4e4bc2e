#!/usr/bin/env python3
"""Random models whose actions change the indices that they use themselves: all ways of search agree on them.

    random_indices.py [--cairn PROGRAM] [--language dve|pml] [--count N] [--first SEED] [--show SEED]

An action sends or receives up to two values and assigns, in an order that each language has for itself; and what it
receives or assigns first says which element it reads or writes next. One process only looks at elements, so that it
matters whether it does so before or after. Buffers are of one or two values, typed or not, or it is a handshake. All
processes stop, and so each difference in what they have seen is another deadlock. Partial order reduction must keep
the deadlocks and errors, what goes backward or forgets states must reach the same states, and merged steps and dead
variables keep whether there are deadlocks and errors. A model on which two differ is left in the current folder
as indices-SEED.dve or .pml.
"""
import argparse
import json
import os
import random
import subprocess
import sys

EACH = [["--reduce", "por", "--order", "dfs"], ["--reduce", "por", "--order", "bfs"]]
TURNS = {"dve": [["--store", "comback:backward"], ["--forget", "pseudo-root"], ["--self-check"], ["--reduce", "dead"],
                 ["--reduce", "dead,por"]],
         "pml": [["--store", "comback:backward"], ["--forget", "pseudo-root"], ["--self-check"], ["--reduce", "dead"],
                 ["--reduce", "merge"], ["--reduce", "merge,dead,por"]]}


class Maker:
    """One random model, and an invariant."""

    def __init__(self, seed, language):
        self.r = random.Random("%s %d" % (language, seed))
        self.dve = language == "dve"
        self.n = self.r.choice([2, 2, 2, 2, 3])
        self.size = self.r.choice([2, 2, 2, 2, 3])
        self.handshake = self.n == 3 and self.r.random() < 0.4

    def one(self, *choices):
        return self.r.choice(choices)

    def index(self, i):
        if self.r.random() < 0.1:
            i = self.one("j", "k", "g", "0", "1")
        return i if i.isdigit() or self.r.random() < 0.9 else "(%s + 1) %% %d" % (i, self.size)

    def place(self, i):
        return self.one("g", "j", "k", "w[0]") if self.r.random() < 0.1 else "%s[%s]" % (self.one(*"aaaaab"), self.index(i))

    def value(self, i):
        return str(self.one(1, 1, 1, 1, 0, self.size - 1)) if self.r.random() < 0.85 else self.place(i)

    def itself(self, i):
        """The index, or an element that may be it, which only the other index says."""
        return "w[%s %% 2]" % self.one("j", "k", "g", "(k + %s)" % i[2]) if i[0] == "w" and self.r.random() < 0.7 else i

    def targets(self, i, n):
        targets = [self.place(i) for _ in range(n)]
        if n > 1 and self.r.random() < 0.8:
            targets[0] = self.itself(i)
        if n > 1 and targets[0] == targets[1]:
            targets[1] = "a[%s]" % i
        return targets

    def assignment(self, i):
        if self.r.random() < 0.7:
            return "%s = %d" % (self.itself(i), self.one(1, 1, 1, 0))
        return "%s = %s" % (self.place(i), self.value(i))

    def condition(self, i):
        return "%s %s %d" % (self.place(i), self.one("==", "!=", "<="), self.r.randrange(self.size))

    def step(self, own, sends):
        """Guard or None, operation, assignments."""
        i = self.one("g", "w[0]", "w[0]", "w[0]", "w[1]", "w[1]", "j", "j", "k")
        channel, n = own
        values = [self.value(i) for _ in range(n)] if sends else self.targets(i, n)
        if not sends and not self.dve and self.r.random() < 0.15:
            values[-1] = "eval(%s)" % values[-1]
        many = self.one(0, 0, 0, 1) if sends else self.one(0, 1, 1, 2) if n == 1 else self.one(0, 0, 0, 1, 2)
        way = "!" if sends else "?" if self.dve else self.one("?", "?", "?", "??")
        return (self.condition(i) if self.r.random() < 0.08 else None, channel + way + self.values(values),
                [self.assignment(i) for _ in range(many)])

    def values(self, values):
        return ("{%s}" if self.dve and len(values) > 1 else "%s") % ", ".join(values)

    def look(self):
        return None, None, ["%s = %s[%d]" % (self.one("j", "k"), self.one(*"aaaaaab"), self.one(1, 1, 1, 1, 0))]

    def alternatives(self, make):
        return [make() for _ in range(self.one(1, 1, 1, 1, 1, 2))]

    def process(self, p, own, looks):
        """Its steps in a row, each a list of alternatives."""
        if looks:
            return [self.alternatives(self.look) for _ in range(self.one(1, 1, 2))]
        if self.handshake:
            return [self.alternatives(lambda: self.step(own, p == self.sender)) for _ in range(self.one(1, 2))]
        return [self.alternatives(lambda s=s: self.step(own, s % 2 == 0)) for s in range(self.one(2, 2, 2, 3))]

    def channel(self, name, n, capacity):
        if not self.dve:
            return "chan %s = [%d] of { %s };" % (name, capacity, ", ".join(["byte"] * n))
        if capacity == 0 and self.r.random() < 0.5:
            return "channel %s;" % name
        types = "" if n == 1 and self.r.random() < 0.5 else "{%s} " % ", ".join(["byte"] * n)
        return "channel %s%s[%d];" % (types, name, capacity)

    def text(self):
        looker = self.r.randrange(self.n)
        self.sender = self.one(*[p for p in range(self.n) if p != looker])
        lines, processes = ["byte a[%d], b[%d], w[2], g;" % (self.size, self.size)], []
        if self.handshake:
            lines.append(self.channel("h", 2, 0))
        for p in range(self.n):
            own = ("h", 2) if self.handshake else ("c%d" % p, self.one(*((1, 2, 2) if self.dve else (1, 2, 2, 2, 2))))
            if p != looker and not self.handshake:
                lines.append(self.channel(*own, self.one(1, 1, 2)))
            steps = self.process(p, own, p == looker)
            processes.append(self.dve_process(p, steps) if self.dve else self.promela_process(p, steps))
        return "\n".join(lines + processes + (["system async;"] if self.dve else [])) + "\n"

    def dve_process(self, p, steps):
        edges = []
        for s, alternatives in enumerate(steps):
            for guard, operation, assigned in alternatives:
                parts = ["guard %s; " % guard if guard else "", "sync %s; " % operation if operation else "",
                         "effect %s; " % ", ".join(assigned) if assigned else ""]
                edges.append("s%d -> s%d { %s}" % (s, s + 1, "".join(parts)))
        states = ", ".join("s%d" % s for s in range(len(steps) + 1))
        return "process P%d {\nbyte j = %d, k;\nstate %s;\ninit s0;\ntrans %s;\n}" % (p, self.one(0, 0, 0, 1), states, ",\n ".join(edges))

    def promela_process(self, p, steps):
        def statement(guard, operation, assigned):
            parts = ["(%s)" % guard] * bool(guard) + [operation] * bool(operation) + assigned
            manner = self.one("%s", "%s", "atomic { %s }", "atomic { %s }" if self.handshake else "d_step { %s }")
            return manner % "; ".join(parts)
        made = [[statement(*x) for x in alternatives] for alternatives in steps]
        body = [x[0] if len(x) == 1 else "if :: %s fi" % " :: ".join(x) for x in made]
        return "active proctype P%d() {\nbyte j = %d, k;\n%s;\nfalse\n}" % (p, self.one(0, 0, 0, 1), ";\n".join(body))

    def invariant(self):
        return self.one(None, None, "a[1] != 1 %s b[0] != 1" % ("or" if self.dve else "||"), "b[1] != 1")


def ask(cairn, path, words):
    done = subprocess.run([cairn, "check", path, "--keep-going", "--compiler", "tcc", "--trail", os.devnull, "--json", "-", *words],
                          capture_output=True, text=True, timeout=120, check=False)
    if "internal error" in done.stderr or done.returncode not in (0, 1):
        return done.stderr.strip()[:300] or "exit status %d" % done.returncode
    return json.loads(done.stdout)


def facts(answer, way, language):
    """What the way of search keeps."""
    deadlocks = answer["deadlocks"]
    same = [answer["verdict"], answer["errors"] > (deadlocks if language == "pml" else 0), deadlocks > 0]  # in DVE they are no errors
    if "--reduce" not in way:
        same += [answer["states"]["stored"], answer["events"]] if "--forget" not in way else [answer["states"]["reached"]]
    if way[-1] != "dead" and "dead," not in " ".join(way) + ",":
        same.append(deadlocks)
    return same


def try_one(cairn, seed, language):
    """What differs, or None; states, plain and reduced."""
    maker = Maker(seed, language)
    text, invariant = maker.text(), maker.invariant()
    path = "indices-%d.%s" % (seed, language)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    asked = ["--invariant", invariant] if invariant else []
    plain, states = ask(cairn, path, asked), [0, 0]
    wrong = plain if isinstance(plain, str) else None
    for way in [] if wrong else EACH + [TURNS[language][seed % len(TURNS[language])]]:
        other = ask(cairn, path, asked + way)
        if isinstance(other, str) or facts(other, way, language) != facts(plain, way, language):
            kept = other if isinstance(other, str) else "%s, not %s" % (facts(other, way, language), facts(plain, way, language))
            wrong = "%s: %s" % (" ".join(way), kept)
            break
        if way in EACH:
            states = [states[0] + plain["states"]["stored"], states[1] + other["states"]["stored"]]
    if wrong is None:
        os.unlink(path)
    return wrong, states


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--language", choices=["dve", "pml"], default="dve")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--show", type=int)
    args = parser.parse_args()
    if args.show is not None:
        maker = Maker(args.show, args.language)
        print(maker.text(), maker.invariant(), sep="\n")
        return 0
    failed, all_states = 0, [0, 0]
    for seed in range(args.first, args.first + args.count):
        wrong, states = try_one(args.cairn, seed, args.language)
        if wrong:
            failed += 1
            print("seed %d: %s" % (seed, wrong), flush=True)
        all_states = [a + b for a, b in zip(all_states, states)]
    print("%d models, %d failed; %d states, %d with reduction" % (args.count, failed, *all_states))
    return failed > 0 or (args.count >= 20 and all_states[1] >= all_states[0])


sys.exit(main())
