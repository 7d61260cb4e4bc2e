#!/usr/bin/env python3
"""Does a store get slower as it fills?

    bench/rate.py [--bench PROGRAM] [--millions N] [STORE...]

Feeds each store states made for it, in process (bench/store_bench.c: vectors of 14 bytes, counters of
three bits as models have them), until it holds 50 million, and prints a curve: millions of new
states per second since the line before, of old ones found in random order, of events as a search asks for
them, and bytes per state. A search meets each state several times: of the twelve models of bench/run.py the median
has 3.75 events per state, so an event is a new state once for 2.75 old ones. No store may fall below half of
its own rate of the first million: the last columns are that share, of events and of new states alone,
and the run fails if the first of them is below 0.5. (The higher of the rates of the first and of the second
million counts as the first rate, as a table of fixed size is cleared page by page during the first.) Processor
time, at most 3 GiB. A rate is a matter of the machine's caches too, so nothing else should run beside.
"""
import argparse
import os
import subprocess
import sys

STORES = ["full", "tree", "collapse", "compact:32", "bitstate:3,512", "bitline:3,512", "automaton"]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


OLD = 2.75  # old states for each new one


def curve(args, store):
    """The lowest shares of the first rates, of events and of new states; None if there is no such store; 0, 0 if
    it ended early."""
    command = [args.bench, str(args.millions), "64", "clustered", "14", store]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as p:
        first, lowest, held = [0.0, 0.0], [9.0, 9.0], 0.0
        for line in p.stdout:
            words = line.split()
            if len(words) != 6 or words[0] == "M":
                continue
            if held == 0:
                print("\n%s\n%9s %9s %9s %9s %9s %9s %9s" % (
                    store, "million", "new M/s", "old M/s", "events", "B/state", "share", "of new"))
            held, new, old = float(words[0]), float(words[1]), float(words[3])
            rates = [(1 + OLD) / (1 / new + OLD / old), new]
            first = [max(f, r) for f, r in zip(first, rates)] if held <= 2.1 else first
            share = [r / f for r, f in zip(rates, first)]
            lowest = [min(pair) for pair in zip(lowest, share)]
            print("%9s %9s %9s %9.1f %9s %9.2f %9.2f  %s" % (
                words[0], words[1], words[3], rates[0], words[4], *share,
                "#" * min(round(share[0] * 40), 60)), flush=True)
        said = p.stderr.read().strip()
    if p.returncode == 2:
        return None
    if p.returncode != 0:
        print("%s ended at %g million: %s" % (store, held, said or "exit status %d" % p.returncode))
        return 0, 0
    return lowest


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", default=os.path.join(ROOT, "build", "bench", "store_bench"))
    parser.add_argument("--millions", type=int, default=50)
    parser.add_argument("stores", nargs="*", default=STORES)
    args = parser.parse_args()
    slow = []
    print("load %.1f" % os.getloadavg()[0])
    for store in args.stores or STORES:
        lowest = curve(args, store)
        if lowest is None:
            print("\nSKIP %s: there is no such store" % store)
            continue
        print("least share: %.2f of events, %.2f of new states" % tuple(lowest))
        if lowest[0] < 0.5:
            slow.append("%s: %.2f of its first rate" % (store, lowest[0]))
    print("\n" + ("; ".join(slow) if slow else "no store fell below half of its first rate"))
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
