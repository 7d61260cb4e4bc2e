#!/usr/bin/env python3
"""Does a store get slower as it fills?

    bench/rate.py [--bench PROGRAM] [--millions N] [STORE...]

Feeds each store states made for it, in process (bench/store_bench.c: vectors of 14 bytes, counters of
three bits as models have them), until it holds 50 million, and prints a curve: millions of new
states per second since the line before, of old ones found in random order, and bytes per
state. No store may fall below half of its own rate of the first million: the last column is that
share, and the run fails if one is below 0.5. (The higher of the rates of the first and of the second million
counts as the first rate, as a table of fixed size is cleared page by page during the first.) Processor time, at most 3 GiB. A rate is a
matter of the machine's caches too, so nothing else should run beside.
"""
import argparse
import os
import subprocess
import sys

STORES = ["full", "tree", "collapse", "compact:32", "bitstate:3,512", "bitline:3,512", "automaton"]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def curve(args, store):
    """The lowest share of the first rate; None if there is no such store; 0 if it ended early."""
    command = [args.bench, str(args.millions), "64", "clustered", "14", store]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as p:
        first, lowest, held = None, None, 0.0
        for line in p.stdout:
            words = line.split()
            if len(words) != 6 or words[0] == "M":
                continue
            if first is None:
                first = 0.0
                print("\n%s\n%9s %9s %9s %9s %9s" % (store, "million", "new M/s", "old M/s", "B/state",
                                                   "of first"))
            rate, held = float(words[1]), float(words[0])
            first = max(first, rate) if held <= 2.1 else first
            share = rate / first
            lowest = share if lowest is None else min(lowest, share)
            print("%9s %9s %9s %9s %9.2f  %s" % (words[0], words[1], words[3], words[4], share,
                                                 "#" * min(round(share * 40), 60)), flush=True)
        said = p.stderr.read().strip()
    if p.returncode == 2:
        return None
    if p.returncode != 0:
        print("%s ended at %g million: %s" % (store, held, said or "exit status %d" % p.returncode))
        return 0
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
        elif lowest < 0.5:
            slow.append("%s: %.2f of its first rate" % (store, lowest))
    print("\n" + ("; ".join(slow) if slow else "no store fell below half of its first rate"))
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
