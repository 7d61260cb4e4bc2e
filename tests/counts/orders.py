#!/usr/bin/env python3
"""Counts of the BEEM models in every order, and with forgetting.

Orders: states, events and deadlocks are those of the reference tables. Edge-lean search, in
every order and with any order of actions: states and deadlocks are, and events at most as
many; breadth-first, levels too. Searches that
forget: they end and are exact, keep to their size, have a deadlock where there is one,
and the different states that they reached are, by their own estimate, those of the tables. One
that gives up honestly (the tree does not fit, too many visits) has not passed: it has a
larger cache and more visits then, until it ends; and how many give up at first has a ceiling.
No figure may contradict another one (tests/figures.py).

    orders.py [--cairn PROGRAM] [--most STATES] [--lean STATES] [--part N] [--jobs N] [MODEL...]

--part N: of the searches that forget only each N-th. --lean: edge-lean search on models of
at most that many states.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import figures  # noqa: E402
import run as counts  # noqa: E402

ORDERS = ["bbfs:1", "bbfs:16", "alt:1,1", "alt:3,2", "random", "best:0"]
LEAN = [(order, "model") for order in ["bfs", "dfs", "bbfs:16", "alt:3,2", "random", "best:0"]]
LEAN += [("bfs", "reverse"), ("dfs", "random:1"), ("bbfs:16", "random:2"), ("random", "reverse")]
FORGETTING = [(order, store, forget, reduce)
              for order in ["bfs", "dfs"] + ORDERS
              for store, forget, reduce in [
                  ("full", "cache:random", None), ("tree", "cache:far", "chain"),
                  ("full", "cache:in-degree", "chain"), ("full", "cache:stratified/3+random", None),
                  ("full", "sweep-line:random", None), ("tree", "sweep-line:entry", "chain"),
                  ("full", "cache:random", "edge-lean"), ("tree", "sweep-line:far", "chain,edge-lean")]]
GAVE_UP = 0.10  # of the searches that forget: more would mean that they do not forget


def ask(cairn, path, words):
    done = subprocess.run([cairn, "check", path, "--keep-going", "--no-deadlock", "--property", "safety",
                           "--compiler", "tcc", "--trail", os.devnull, "--json", "-"] + words,
                          capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 1, 3):
        raise ValueError("exit status %d: %s" % (done.returncode, done.stderr.strip()[:300]))
    answer = json.loads(done.stdout)
    wrong = figures.complaints(answer, done.returncode)
    if wrong:
        raise ValueError("; ".join(wrong))
    return answer


def check_order(cairn, path, want, order):
    got = ask(cairn, path, ["--order", order])
    return ["%s %s, not %d" % (key, value(got), want[key])
            for key, value in counts.FIGURES[:3] if key in want and value(got) != want[key]]


def check_lean(cairn, path, want, order, actions):
    got = ask(cairn, path, ["--order", order, "--reduce", "edge-lean", "--action-order", actions])
    keys = ["states", "deadlocks"] + (["bfs_levels"] if order == "bfs" else [])
    wrong = ["%s %s, not %d" % (key, value(got), want[key])
             for key, value in counts.FIGURES if key in keys and key in want and value(got) != want[key]]
    if "edges" in want and got["events"] > want["edges"]:
        wrong.append("%d events, more than %d" % (got["events"], want["edges"]))
    if got["guarantee"] != "exact":
        wrong.append("guarantee %s" % got["guarantee"])
    return wrong


def forget_once(cairn, path, want, how, level, size, visits):
    """What is wrong; or, if the search gave up, the limit."""
    order, store, forget, reduce = how
    words = ["--order", order, "--store", store, "--forget", "%s,size=%d" % (forget, size), "--max-visits", str(visits)]
    words += ["--reduce", reduce] if reduce else []
    words += ["--progress", "auto:%d" % level] if forget.startswith("sweep") else []
    got = ask(cairn, path, words)
    states = got["states"]
    if got["guarantee"] != "exact":
        if got["verdict"] == "verified" or got["limit"] is None:
            return ["verdict %s, guarantee %s" % (got["verdict"], got["guarantee"])]
        return got["limit"]
    wrong = []
    if states["peak_stored"] > size:
        wrong.append("%d states stored, more than %d" % (states["peak_stored"], size))
    if (got["deadlocks"] > 0) != (want.get("deadlocks", got["deadlocks"]) > 0):
        wrong.append("deadlocks %d, not %d" % (got["deadlocks"], want["deadlocks"]))
    met = states["visited"] - states["revisited"]
    if abs(met - want["states"]) > 0.04 * want["states"] + 2:
        wrong.append("about %d states met, not %d" % (met, want["states"]))
    return wrong


def check_forgetting(cairn, path, want, how, level, limits):
    """As above, until it does not give up; the first reason is counted in `limits`."""
    size, visits = max(20, want["states"] * 7 // 10), 20 * want["states"]
    for attempt in range(8):
        wrong = forget_once(cairn, path, want, how, level, size, visits)
        if isinstance(wrong, list):
            return wrong
        if attempt == 0:
            limits[wrong] += 1
        size, visits = size + want["states"] // 5 + 1, 4 * visits
    return ["gave up with room for %d states: %s" % (size, wrong)]


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.environ.get("CAIRN", "build/cairn"))
    parser.add_argument("--most", type=int, default=50000)
    parser.add_argument("--lean", type=int, default=50000)
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("models", nargs="*")
    return parser.parse_args()


def main():
    args = arguments()
    if not os.path.isdir(os.path.join(counts.SHARED, "reference")):
        print("SKIP orders: no reference tables in %s (set CAIRN_SHARED)" % counts.SHARED)
        print("0 passed, 0 failed, 1 skipped")
        return 77
    reference = counts.read_reference()
    named = [m for m in reference if not args.models or m in args.models]
    chosen = [m for m in named if reference[m][1]["states"] <= args.most]
    lean = [m for m in named if reference[m][1]["states"] <= args.lean]
    runs = [(m, check_lean, how) for m in lean for how in LEAN]
    runs += [(m, check_order, (order,)) for m in chosen for order in ORDERS]
    limits = collections.Counter()
    every = [(m, check_forgetting, (how, (i + k) % 6, limits))
             for i, m in enumerate(chosen) for k, how in enumerate(FORGETTING)]
    forgetting = every[::args.part]
    runs += forgetting

    def one(plan):
        model, check, how = plan
        path, want = reference[model]
        try:
            return check(args.cairn, path, want, *how)
        except (subprocess.TimeoutExpired, ValueError, KeyError) as why:
            return ["%s: %s" % (type(why).__name__, str(why)[:200])]

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for plan, wrong in zip(runs, pool.map(one, runs)):
            if wrong:
                failed += 1
                print("FAIL %s %s: %s" % (plan[0], plan[2][:2], "; ".join(wrong)), flush=True)
    print("%d models of at most %d states, with edge-lean search %d of at most %d; %d searches"
          % (len(chosen), args.most, len(lean), args.lean, len(runs)))
    for limit, n in sorted(limits.items()):
        print("%d of %d that forget gave up at first: %s" % (n, len(forgetting), limit))
    if len(forgetting) >= 100 and sum(limits.values()) > GAVE_UP * len(forgetting):
        failed += 1
        print("FAIL: that is more than %d %%" % (100 * GAVE_UP))
    print("%d passed, %d failed, 0 skipped" % (len(runs) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
