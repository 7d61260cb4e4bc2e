#!/usr/bin/env python3
"""nets.py - what an event of a Petri net costs, from 20 to 20,000 transitions.

    nets.py [--cairn PROGRAM] [--states N] [--repeat N] [--instructions] [--folder DIR]

Writes nets of six families in growing sizes, searches N states of each breadth-first, and
prints nanoseconds (or instructions) per event, beside that of the same family at some 200 transitions:

    philosophers  a ring; each event touches three slots, many are enabled at a time
    ring          one token of each of n colours goes round n stations
    readers       n readers and writers share one pool of permits
    grid          some tokens move on a grid of places
    dekker        each of n processes asks all others: n * (n + 2) transitions
    memory        n processors share n memories: some 4 n * n transitions
"""
import argparse
import json
import os
import re
import subprocess
import tempfile


class Net:
    def __init__(self, name):
        self.name, self.places, self.transitions = name, [], []

    def place(self, name, tokens=0):
        self.places.append((name, tokens))
        return name

    def transition(self, name, takes, puts):
        self.transitions.append((name, takes, puts))

    def write(self, path):
        with open(path, "w", encoding="utf-8") as f:
            f.write('<?xml version="1.0"?>\n<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">\n'
                    '<net id="%s" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="p">\n' % self.name)
            for name, tokens in self.places:
                f.write('<place id="%s"><initialMarking><text>%d</text></initialMarking></place>\n' % (name, tokens))
            for name, takes, puts in self.transitions:
                f.write('<transition id="%s"/>\n' % name)
                for i, p in enumerate(takes):
                    f.write('<arc id="%s_i%d" source="%s" target="%s"/>\n' % (name, i, p, name))
                for i, p in enumerate(puts):
                    f.write('<arc id="%s_o%d" source="%s" target="%s"/>\n' % (name, i, name, p))
            f.write("</page></net></pnml>\n")


def philosophers(transitions):
    net, n = Net("philosophers"), max(2, transitions // 5)
    for i in range(n):
        net.place("fork%d" % i, 1)
        net.place("think%d" % i, 1)
        for state in ("left", "right", "eat"):
            net.place("%s%d" % (state, i))
    for i in range(n):
        f, g = "fork%d" % i, "fork%d" % ((i + 1) % n)
        net.transition("a%d" % i, ["think%d" % i, f], ["left%d" % i])
        net.transition("b%d" % i, ["think%d" % i, g], ["right%d" % i])
        net.transition("c%d" % i, ["left%d" % i, g], ["eat%d" % i])
        net.transition("d%d" % i, ["right%d" % i, f], ["eat%d" % i])
        net.transition("e%d" % i, ["eat%d" % i], ["think%d" % i, f, g])
    return net


def ring(transitions):
    net, n = Net("ring"), max(3, int(transitions ** 0.5))
    for s in range(n):
        for c in range(n):
            net.place("at%d_%d" % (s, c), 1 if s == c else 0)
    for s in range(n):
        for c in range(n):
            net.transition("move%d_%d" % (s, c), ["at%d_%d" % (s, c)], ["at%d_%d" % ((s + 1) % n, c)])
    return net


def readers(transitions):
    net, n = Net("readers"), max(2, transitions // 4)
    net.place("permits", min(n, 200))
    for i in range(n):
        net.place("idle%d" % i, 1)
        net.place("reads%d" % i)
        net.place("writes%d" % i)
        net.transition("r%d" % i, ["idle%d" % i, "permits"], ["reads%d" % i])
        net.transition("s%d" % i, ["reads%d" % i], ["idle%d" % i, "permits"])
        net.transition("w%d" % i, ["reads%d" % i], ["writes%d" % i])
        net.transition("x%d" % i, ["writes%d" % i], ["idle%d" % i, "permits"])
    return net


def grid(transitions):
    net, n = Net("grid"), max(2, int((transitions / 4) ** 0.5))
    for x in range(n):
        for y in range(n):
            net.place("p%d_%d" % (x, y), 2 if x == y else 0)
    for x in range(n):
        for y in range(n):
            for k, (dx, dy) in enumerate(((1, 0), (0, 1), (n - 1, 0), (0, n - 1))):
                net.transition("t%d_%d_%d" % (x, y, k), ["p%d_%d" % (x, y)],
                               ["p%d_%d" % ((x + dx) % n, (y + dy) % n)])
    return net


def dekker(transitions):
    net, n = Net("dekker"), max(2, int(transitions ** 0.5))
    for i in range(n):
        for name, tokens in (("idle", 1), ("down", 1), ("wait", 0), ("up", 0), ("in", 0)):
            net.place("%s%d" % (name, i), tokens)
    for i in range(n):
        net.transition("try%d" % i, ["idle%d" % i, "down%d" % i], ["wait%d" % i, "up%d" % i])
        for j in range(n):
            if i != j:
                net.transition("no%d_%d" % (i, j), ["wait%d" % i, "up%d" % i, "up%d" % j], ["idle%d" % i, "down%d" % i, "up%d" % j])
        net.transition("yes%d" % i, ["wait%d" % i] + ["down%d" % j for j in range(n) if j != i],
                       ["in%d" % i] + ["down%d" % j for j in range(n) if j != i])
        net.transition("out%d" % i, ["in%d" % i, "up%d" % i], ["idle%d" % i, "down%d" % i])
    return net


def memory(transitions):
    net, n = Net("memory"), max(2, int((transitions / 4) ** 0.5))
    net.place("bus", 1)
    for i in range(n):
        net.place("works%d" % i, 1)
        net.place("waits%d" % i)
        net.place("free%d" % i, 1)
        for j in range(n):
            net.place("uses%d_%d" % (i, j))
    for i in range(n):
        net.transition("ask%d" % i, ["works%d" % i], ["waits%d" % i])
        for j in range(n):
            net.transition("get%d_%d" % (i, j), ["waits%d" % i, "free%d" % j, "bus"], ["uses%d_%d" % (i, j)])
            net.transition("end%d_%d" % (i, j), ["uses%d_%d" % (i, j)], ["works%d" % i, "free%d" % j, "bus"])
            net.transition("ask%d_%d" % (i, j), ["uses%d_%d" % (i, j)], ["waits%d" % i, "free%d" % j, "bus"])
            net.transition("own%d_%d" % (i, j), ["works%d" % i, "free%d" % j], ["works%d" % i, "free%d" % j])
    return net


FAMILIES = (philosophers, ring, readers, grid, dekker, memory)


def count(args, path):
    """Events, and instructions of the search, which do not depend on what else the machine does."""
    runs = []
    for states in (args.states, 1):
        p = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", args.cairn, "check", path, "--property",
                            "safety", "--max-states", str(states), "--no-parents", "--store", args.store, "--quiet", "--json", "-"],
                           capture_output=True, text=True, check=False)
        answer = json.loads(p.stdout)
        runs.append((answer["events"], int(re.search(r"Collected : (\d+)", p.stderr).group(1)), answer["seconds"]["parse"]))
    (events, many, begin), (few, idle, _) = runs
    return events - few, many - idle, begin


def measure(args, path):
    """Events, and the seconds of the search; the fastest of some runs, for other work on the machine only slows."""
    best = None
    for _ in range(args.repeat):
        p = subprocess.run([args.cairn, "check", path, "--property", "safety", "--max-states", str(args.states), "--no-parents",
                            "--store", args.store, "--quiet", "--json", "-"], capture_output=True, text=True, check=False)
        answer = json.loads(p.stdout)
        seconds = answer["seconds"]["search"]
        if best is None or seconds < best[1]:
            best = answer["events"], seconds, answer["seconds"]["parse"]
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--states", type=int, default=100000)
    parser.add_argument("--store", default="full")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--instructions", action="store_true", help="count them by valgrind, in place of time")
    parser.add_argument("--folder")
    args = parser.parse_args()
    args.cairn = os.path.abspath(args.cairn)
    with tempfile.TemporaryDirectory() as folder:
        folder = args.folder or folder
        print("%-13s %11s %6s %10s %9s %6s %8s" % ("family", "transitions", "bytes", "events", "per event", "ratio", "to begin"))
        for family in FAMILIES:
            base = None
            for transitions in (20, 200, 2000, 6000, 20000):
                net = family(transitions)
                path = os.path.join(folder, "%s-%d.pnml" % (net.name, transitions))
                net.write(path)
                p = subprocess.run([args.cairn, "info", path, "--json", "-"], capture_output=True, text=True, check=False)
                events, spent, begin = (count if args.instructions else measure)(args, path)
                cost = spent / max(events, 1) * (1 if args.instructions else 1e9)
                base = cost if transitions == 200 else base
                print("%-13s %11d %6d %10d %9.0f %6s %7.2fs" % (net.name, len(net.transitions), json.loads(p.stdout)["state_bytes"], events,
                                                             cost, "" if base is None else "%.1f" % (cost / base), begin), flush=True)


if __name__ == "__main__":
    main()
