#!/usr/bin/env python3
"""--forget pseudo-root on real models, against the search that forgets nothing.

    once.py [--cairn PROGRAM] [--dve STATES] [--nets N] [--promela N] [--limits] [--orders LIST] [--time SECONDS]
            [--seconds N] [--table FILE] [MODEL…]

All BEEM models of at most --dve states, the --nets smallest nets, and the --promela smallest models in Promela,
each in every order: the states visited must be exactly those of the full search, each once; events, deadlocks and
errors must be the same. --limits: then again with room for 50, 30 and 10 % of the most states that were stored;
a search that ends must have the same verdict and at least as many visits and deadlocks, exactly as many if no state came
again; one that gives up must say why. Searches that take longer than --time (60) are counted as cut short, and what
the program refuses by its words. --table adds a line for each search. Without the reference models (CAIRN_SHARED) all is
skipped.
"""
import argparse
import collections
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import models as reference  # noqa: E402
from reference import ROOT, SHARED, read_table  # noqa: E402

ORDERS = "bfs dfs bbfs:16 alt:2,2 random best:pseudo-root"
SHARES = (50, 30, 10)
COLUMNS = ("states", "visited", "revisited", "peak_stored", "kept_unreached", "kept_full", "dropped_open")
PLAIN = ["--property", "safety", "--compiler", "tcc"]


def chosen(args):
    """(name, command words), the smallest first."""
    found = reference.models(args)
    dve = [f for f in found if f[1][0].endswith(".dve")]
    promela = [f for f in found if not f[1][0].endswith(".dve")][:args.most_promela]
    rows = [r for r in read_table("pnml.tsv") if (r["own_states"] or "").isdigit()]
    rows = sorted(rows, key=lambda r: (int(r["own_states"]), r["file"]))
    rows = [r for r in rows if int(r["own_states"]) >= 100][:args.nets]
    nets = [(r["file"], [os.path.join(SHARED, "models", "pnml", r["file"])], int(r["own_states"])) for r in rows]
    return [(name, words) for name, words, _ in sorted(dve + nets + promela, key=lambda f: f[2])
            if not args.models or any(m in name for m in args.models)]


def differences(plain, got, limited):
    """What is wrong; an inconclusive answer with a limit is looked at by the caller."""
    s, n = got["states"], plain["states"]["stored"]
    exact = not limited or s["revisited"] == 0
    pairs = [("states", s["visited"], n), ("events", got["events"], plain["events"]),
             ("deadlocks", got["deadlocks"], plain["deadlocks"]), ("errors", got["errors"], plain["errors"])]
    wrong = ["%d %s, not %d" % (have, what, want) for what, have, want in pairs
             if (have != want if exact else have < want)]
    if got["verdict"] != plain["verdict"] or got["guarantee"] != plain["guarantee"]:
        wrong.append("%s (%s), not %s" % (got["verdict"], got["guarantee"], plain["verdict"]))
    if not limited and s["revisited"] != 0:
        wrong.append("%d states again" % s["revisited"])
    return wrong


class Run:
    def __init__(self, args):
        self.args, self.count, self.refused = args, collections.Counter(), collections.Counter()
        self.lines = open(args.table, "a", encoding="utf-8") if args.table else None

    def search(self, name, words, plain, order, size=None):
        """The answer, or None; counts what came of it."""
        forget = "pseudo-root" + ("" if size is None else ",size=%d" % size)
        got = reference.ask(self.args, words, [*PLAIN, "--time", str(self.args.time), "--order", order, "--forget", forget])
        key = "limited" if size else "whole"
        if "refused" in got:
            self.refused[got["refused"]] += 1
            return None
        if "broken" in got:
            wrong = [got["broken"]]
        elif got["limit"] is not None:
            cut = "time" in got["limit"]
            wrong = [] if got["verdict"] == "inconclusive" and (cut or size) else ["%s: %s" % (got["verdict"], got["limit"])]
            if plain["errors"] and got["verdict"] == "violated" and (cut or size):
                wrong = []
            key += ", cut short" if cut else ", gave up"
        else:
            wrong = differences(plain, got, size is not None)
        for w in wrong:
            print("FAIL %s --order %s --forget %s: %s" % (" ".join(words), order, forget, w), flush=True)
        self.count["failed" if wrong else key] += 1
        if self.lines and "states" in got:
            figures = [plain["states"]["stored"]] + [got["states"][c] for c in COLUMNS[1:]]
            seconds = "%.3f" % got["seconds"]["search"], "%.3f" % plain["seconds"]["search"]
            print(name, order, size or "", got["verdict"], *figures, *seconds, got["limit"] or "", sep="\t", file=self.lines,
                  flush=True)
        return got if not wrong and "limit" in got and got["limit"] is None else None

    def model(self, name, words):
        plain = reference.ask(self.args, words, PLAIN)
        if "verdict" not in plain or plain["limit"] is not None:
            self.count["models passed over"] += 1
            return
        self.count["models"] += 1
        for order in self.args.orders.split():
            got = self.search(name, words, plain, order)
            for share in SHARES if self.args.limits and got is not None else ():
                self.search(name, words, plain, order, max(got["states"]["peak_stored"] * share // 100, 2))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.path.join(ROOT, "build", "cairn"))
    parser.add_argument("--dve", type=int, default=2000)
    parser.add_argument("--nets", type=int, default=0)
    parser.add_argument("--promela", type=int, default=0, dest="most_promela")
    parser.add_argument("--orders", default=ORDERS)
    parser.add_argument("--limits", action="store_true")
    parser.add_argument("--time", type=int, default=60)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--table")
    parser.add_argument("models", nargs="*")
    args = parser.parse_args()
    args.cairn, args.promela = os.path.abspath(args.cairn), 50000 if args.most_promela else -1
    if not os.path.isdir(SHARED):
        print("skipped: no models at " + SHARED)
        return 77
    run, end = Run(args), time.monotonic() + args.seconds if args.seconds else None
    for name, words in chosen(args):
        if end is not None and time.monotonic() > end:
            run.count["models left out"] += 1
        else:
            run.model(name, words)
    for message, n in run.refused.items():
        print("refused %d times: %s" % (n, message))
    print(", ".join("%d %s" % (n, what) for what, n in sorted(run.count.items())))
    return 1 if run.count["failed"] or not run.count["whole"] else 0


if __name__ == "__main__":
    sys.exit(main())
