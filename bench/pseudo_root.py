#!/usr/bin/env python3
"""Peaks of --forget pseudo-root on BEEM models, beside state caching with as much room.

    pseudo_root.py [--cairn PROGRAM] [--count N] [--least STATES] [--most STATES] [--time SECONDS] [--table FILE]

For --count (40) BEEM models, spread over all of --least (1,000) to --most (30,000) states: the most states stored at a time with
pseudo-root, breadth-first; then --forget cache of that size in the orders bfs and dfs: visits for each state,
or that it gave up. Visits are given up at ten for each state. Times are left to those who have the machine for themselves.
"""
import argparse
import math
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "soundness"))
import models as reference  # noqa: E402
from reference import ROOT, SHARED  # noqa: E402

PLAIN = ["--property", "safety", "--compiler", "tcc"]
CACHES = [("bfs", "in-degree+age"), ("dfs", "share/24+in-degree+random")]


def visits(got, states):
    """Visits for each state, or None where it gave up."""
    return got["states"]["visited"] / states if "limit" in got and got["limit"] is None else None


def measure(args, words):
    """(states, peak, kept for what is not reached, visits of each cache), or None."""
    limit = ["--time", str(args.time)]
    got = reference.ask(args, words, [*PLAIN, *limit, "--forget", "pseudo-root"])
    if "limit" not in got or got["limit"] is not None:
        return None
    s = got["states"]
    caches = []
    for order, strategy in CACHES:
        cache = "cache:%s,size=%d" % (strategy, s["peak_stored"])
        caches.append(visits(reference.ask(args, words, [*PLAIN, *limit, "--order", order, "--forget", cache, "--max-visits",
                                                         str(10 * s["visited"])]), s["visited"]))
    return s["visited"], s["peak_stored"], s["kept_unreached"], s["kept_full"], caches


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.path.join(ROOT, "build", "cairn"))
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--least", type=int, default=1000)
    parser.add_argument("--most", type=int, default=30000, dest="dve")
    parser.add_argument("--time", type=int, default=600)
    parser.add_argument("--table")
    args = parser.parse_args()
    args.cairn, args.promela = os.path.abspath(args.cairn), -1
    if not os.path.isdir(SHARED):
        print("skipped: no models at " + SHARED)
        return
    found = [f for f in reference.models(args) if f[2] >= args.least]
    n = min(args.count, len(found))
    rows, lines = [], ["model\tstates\tpeak\tunreached\tfull\t" + "\t".join(order for order, _ in CACHES)]
    for name, words, _ in [found[i * len(found) // n] for i in range(n)]:
        row = measure(args, words)
        if row is None:
            print("%-24s cut short" % name, flush=True)
            continue
        rows.append(row)
        cells = [name, *row[:4], *("gave up" if v is None else "%.2f" % v for v in row[4])]
        lines.append("\t".join(map(str, cells)))
        print("%-24s %7d states, %3.0f %% stored; %d and %d stayed; visits %s" % (name, row[0], 100 * row[1] / row[0], row[2], row[3],
                                                                                ", ".join(cells[5:])), flush=True)
    shares = [100 * r[1] / r[0] for r in rows]
    mean = math.exp(sum(map(math.log, shares)) / len(shares))
    print("%d models: %.1f %% at least, %.0f %% in the geometric mean, median %.0f %%, at most %.0f %%" %
          (len(rows), min(shares), mean, statistics.median(shares), max(shares)))
    for i, (order, strategy) in enumerate(CACHES):
        done = [r[4][i] for r in rows if r[4][i] is not None]
        print("cache:%s, %s: %d ended%s" % (strategy, order, len(done), ", with %.2f to %.2f visits for each state, median %.2f" % (
            min(done), max(done), statistics.median(done)) if done else ""))
    if args.table:
        with open(args.table, "w", encoding="utf-8") as f:
            print("\n".join(lines), file=f)


if __name__ == "__main__":
    main()
