#!/usr/bin/env python3
"""Random small DVE models, counted by cairn and by the oracle (dve.py).

    random_dve.py [--cairn PROGRAM] [--count N] [--seed N] [--compiler tcc|cc] [--jobs N]
    random_dve.py --show SEED

Each seed is one model. Variables are kept small, so that most spaces are; those
beyond a few hundred states are dropped before they are compared. Compared are states, events,
deadlocks, levels and back-level edges with bfs, the first three with dfs, and
the kind and length of the first error. A model on which the two differ is left
in the current folder as random-SEED.dve.
"""
import argparse
import concurrent.futures
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import dve  # noqa: E402
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from figures import complaints as contradictions  # noqa: E402

MOST_STATES = 1000
BINARY = ["+", "-", "*", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "and", "or", "&&", "||",
          "imply"]


class Maker:
    """One random model as text."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        r = self.r
        self.synchronous = r.random() < 0.08
        self.n = r.choice([2, 3, 3, 4])
        self.arrays = {"ga": r.randint(2, 3)} if r.random() < 0.6 else {}
        self.globals = ["g%d" % i for i in range(r.randint(1, 2))]
        self.locals = [["v%d%d" % (p, i) for i in range(r.randint(0, 2))] for p in range(self.n)]
        self.places = [r.randint(2, 5) for _ in range(self.n)]
        self.channels = []
        for i in range(0 if self.synchronous else r.randint(0, 3)):
            fields, capacity = r.choice([0, 1, 1, 2]), r.choice([0, 0, 1, 2])
            typed = capacity > 0 or fields > 1 or (fields == 1 and r.random() < 0.5)
            self.channels.append(("c%d" % i, max(fields, 1) if capacity else fields, capacity,
                                  typed))

    def leaf(self, p):
        r, kind = self.r, self.r.random()
        q = r.randrange(self.n)
        if kind < 0.25:
            return str(r.choice([0, 1, 1, 2, 3, 7, 255, 256, 40000]))
        if kind < 0.45 and self.locals[p]:
            return r.choice(self.locals[p])
        if kind < 0.55 and self.locals[q]:
            return "P%d->%s" % (q, r.choice(self.locals[q]))
        if kind < 0.65:
            return "P%d.s%d" % (q, r.randrange(self.places[q]))
        if kind < 0.75 and self.arrays:
            return self.element(p)
        if kind < 0.8:
            return "k"
        return r.choice(self.globals)

    def element(self, p, fixed=False):
        r = self.r
        i = r.randrange(self.arrays["ga"])
        if not fixed and r.random() < 0.5:
            return "ga[(%s) & 1]" % self.expr(p, 1)
        if not fixed and r.random() < 0.1:
            return "ga[%s]" % self.leaf(p)
        return "ga[%d]" % i

    def expr(self, p, depth):
        r = self.r
        if depth == 0 or r.random() < 0.2:
            return self.leaf(p)
        kind = r.random()
        if kind < 0.1:
            return r.choice(["-", "~", "not ", "!"]) + self.leaf(p)
        if kind < 0.2:
            op, right = r.choice(["/", "%", "<<", ">>"]), r.choice(["1", "2", "3", "k"])
            if r.random() < 0.05:
                right = self.leaf(p)
            text = "%s %s %s" % (self.expr(p, depth - 1), op, right)
        else:
            text = "%s %s %s" % (self.expr(p, depth - 1), r.choice(BINARY),
                                 self.expr(p, depth - 1))
        return "(%s)" % text if r.random() < 0.5 else text

    def small(self, p):
        """A value that keeps the state space small."""
        r = self.r
        if r.random() < 0.3:
            return str(r.randint(0, 2))
        return "(%s) %% %d" % (self.expr(p, 2), r.randint(2, 3))

    def target(self, p):
        r = self.r
        names = self.locals[p] * 2 + ([] if self.synchronous and r.random() < 0.9 else self.globals)
        if self.arrays and (r.random() < 0.2 or not names):
            return self.element(p)
        return r.choice(names) if names else None

    def edge(self, p, source):
        r = self.r
        to, parts = r.randrange(self.places[p]), []
        if r.random() < 0.3:
            parts.append("guard %s;" % self.expr(p, 2))
        if self.channels and r.random() < 0.4:
            name, fields, _, _ = r.choice(self.channels)
            way = "!" if (p + len(parts) + r.randrange(2)) % 3 else "?"
            if way == "!":
                items = [self.small(p) for _ in range(fields)]
            else:
                places = self.locals[p] + self.globals
                items = r.sample(places, fields) if fields <= len(places) else None
            if items is not None:
                text = ", ".join(items)
                parts.append("sync %s%s%s;" % (name, way, "{%s}" % text if fields > 1 else text))
        effects = []
        for _ in range(r.choice([0, 1, 1, 2])):
            target = self.target(p)
            if target:
                effects.append("%s = %s" % (target, self.small(p)))
        if effects:
            parts.append("effect %s;" % ", ".join(effects))
        return "s%d -> s%d { %s }" % (source, to, " ".join(parts))

    def process(self, p):
        r = self.r
        lines = ["process P%d {" % p]
        lines += ["  %s %s = %d;" % (r.choice(["byte", "int"]), v, r.randint(0, 2))
                  for v in self.locals[p]]
        places = ["s%d" % i for i in range(self.places[p])]
        lines += ["  state %s;" % ", ".join(places), "  init %s;" % r.choice(places)]
        if r.random() < 0.1:
            lines.append("  commit %s;" % r.choice(places))
        if r.random() < 0.15:
            lines.append("  assert %s: %s;" % (r.choice(places), self.expr(p, 2)))
        sources = [*range(self.places[p]), *r.choices(range(self.places[p]), k=r.randint(0, 3))]
        edges = [self.edge(p, source) for source in sources]
        r.shuffle(edges)
        return lines + ["  trans", "    " + ",\n    ".join(edges) + ";", "}"]

    def text(self):
        r = self.r
        lines = ["const byte k = %d;" % r.randint(1, 3)]
        lines += ["%s %s = %d;" % (r.choice(["byte", "int"]), g, r.randint(0, 2))
                  for g in self.globals]
        lines += ["%s %s[%d] = {%s};" % (r.choice(["byte", "int"]), a, n,
                                         ", ".join(str(r.randint(0, 2)) for _ in range(n)))
                  for a, n in self.arrays.items()]
        for name, fields, capacity, typed in self.channels:
            types = "{%s} " % ", ".join(r.choice(["byte", "int"]) for _ in range(fields))
            lines.append("channel %s%s%s;" % (types if typed and fields else "", name,
                                              "[%d]" % capacity if capacity else ""))
        for p in range(self.n):
            lines += self.process(p)
        return "\n".join(lines + ["system %s;" % ("sync" if self.synchronous else "async")]) + "\n"


def ask(args, path, order, *options):
    p = subprocess.run([args.cairn, "check", path, "--order", order, "--json", "-", "--compiler",
                        args.compiler, "--trail", os.devnull, *options], capture_output=True,
                       text=True, timeout=60)
    if p.returncode not in (0, 1):
        raise ValueError("exit status %d: %s" % (p.returncode, p.stderr[:500]))
    answer = json.loads(p.stdout)
    wrong = contradictions(answer, p.returncode)
    if wrong:
        raise ValueError("; ".join(wrong))
    return answer


def differences(args, path, want):
    for order in ("bfs", "dfs"):
        got = ask(args, path, order, "--keep-going", *(["--self-check"] if args.self_check else []))
        figures = [("states", got["states"]["stored"]), ("events", got["events"]),
                   ("deadlocks", got["deadlocks"])]
        if order == "bfs":
            figures += [("levels", got["levels"]), ("back_level_edges", got["back_level_edges"])]
        for key, value in figures:
            if value != want[key]:
                yield "%s: %s %s, the oracle says %d" % (order, key, value, want[key])
    yield from backward(args, path, want)
    got = ask(args, path, "bfs", "--property", "deadlock")
    first = want["first"]
    length = min(first.values(), default=None)
    error = got["error"] or {}
    if error.get("length") != length or (first and first.get(error["kind"]) != length):
        yield "first error %s, the oracle says %s" % (error, first)


def backward(args, path, want):
    """States go that are not reached again, which needs the events that lead to each; --self-check tests these."""
    with open(path, encoding="ascii") as f:
        if "system sync" in f.read():
            return
    for order in ("bfs", "dfs", "bbfs:4", "alt:2,1", "random", "best:pseudo-root"):
        got = ask(args, path, order, "--keep-going", "--forget", "pseudo-root", *(["--self-check"] if args.self_check else []))
        states = got["states"]
        figures = [("states", states["visited"]), ("events", got["events"]), ("deadlocks", got["deadlocks"])]
        for key, value in figures:
            if value != want[key]:
                yield "%s, pseudo-root: %s %s, the oracle says %d" % (order, key, value, want[key])
        if states["revisited"] != 0:
            yield "%s, pseudo-root: %s visits again" % (order, states["revisited"])
    for order, more in ("bfs", ""), ("dfs", ""), ("dfs", "+shorten"):
        got = ask(args, path, order, "--keep-going", "--store", "comback:hash=4+cache=0+anchors=0+backward" + more)
        figures = [("states", got["states"]["stored"]), ("events", got["events"]), ("deadlocks", got["deadlocks"])]
        for key, value in figures:
            if value != want[key]:
                yield "%s, comback%s: %s %s, the oracle says %d" % (order, more, key, value, want[key])


def compare(args, seed):
    """None: too large; else what differs."""
    text = Maker(seed).text()
    try:
        want = dve.explore(dve.Model(text), MOST_STATES)
    except dve.Rejected as why:
        return None if "more than" in str(why) else ["the oracle rejects: %s" % why]
    path = "random-%d.dve" % seed
    with open(path, "w", encoding="ascii") as f:
        f.write(text)
    try:
        wrong = list(differences(args, path, want))
    except (ValueError, subprocess.TimeoutExpired) as why:
        wrong = [str(why)]
    if not wrong:
        os.unlink(path)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.environ.get("CAIRN", "build/cairn"))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--compiler", default="tcc")
    parser.add_argument("--self-check", action="store_true")
    parser.add_argument("--show", type=int)
    args = parser.parse_args()
    if args.show is not None:
        print(Maker(args.show).text(), end="")
        return 0
    args.cairn = os.path.abspath(args.cairn)
    passed = failed = skipped = 0
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        seeds = range(args.seed, args.seed + args.count)
        for seed, wrong in zip(seeds, pool.map(compare, [args] * len(seeds), seeds, chunksize=4)):
            skipped += wrong is None
            passed += wrong == []
            failed += bool(wrong)
            for line in wrong or []:
                print("FAIL random-%d.dve: %s" % (seed, line), flush=True)
    print("%d too large to compare" % skipped)
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
