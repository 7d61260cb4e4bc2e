#!/usr/bin/env python3
"""Every way to search, on real models, against the plain search.

    models.py [--cairn PROGRAM] [--dve STATES] [--promela STATES] [--ways N] [--seconds N] [MODEL…]

All BEEM models of at most --dve states and all Promela models of at most --promela, each
searched breadth-first with the full store, and then in every way that orders, stores,
reductions and forgetting allow: the number of different states (within 5 % where states are
forgotten: then it is an estimate), deadlocks, and verdict must be the same, and of errors
the first kind if there is only one. Ways that the program refuses are
counted, by its words. A search whose cache is too small is repeated with a larger one, until it
ends; how many give up at first has a ceiling. No figure may contradict another one.
--ways N: only N of the ways for each model, other ones for the next model. The models
are in the folder CAIRN_SHARED (default ../shared beside the sources); without it
everything is skipped, and says so.
"""
import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from figures import complaints as contradictions  # noqa: E402
from reference import ROOT, SHARED, read_table  # noqa: E402

ORDERS = ["bfs", "dfs", "bbfs:40", "alt:3,5", "random"]
STORES = ["full", "tree", "collapse", "auto"]
FORGET = ["none", "cache:age", "cache:stratified/3", "sweep-line:-in-degree"]
REDUCE = ["none", "chain", "edge-lean", "edge-lean random:3", "chain,edge-lean reverse", "tnf:force", "sleep:1", "sleep:2"]


def models(args):
    """(name, command words, states), the smallest first."""
    found = {}
    for table in ("beem-own.tsv", "beem-dve.tsv"):
        for r in read_table(table):
            states = int(r["states"]) if (r["states"] or "").isdigit() else args.dve + 1
            if states <= args.dve:
                file = r.get("dve_file") or "dve/%s.dve" % r["model"]
                found[r["model"]] = ([os.path.join(SHARED, "models", file)], states)
    for r in read_table("promela-unreduced.tsv"):
        if int(r["states"]) <= args.promela and not r["first_error_kind"].startswith("runtime:"):
            path = os.path.join(SHARED, "models", "promela", r["file"])
            found[r["file"] + " " + r["defines"]] = ([path, *r["defines"].split()], int(r["states"]))
    rows = [(name, *of) for name, of in found.items()]
    return sorted(rows, key=lambda r: (r[2], r[0]))


GAVE_UP = {"cache": 0.05, "cycle": 0.03}  # at most this part of the searches, at first


def ways(states):
    for order, store, forget, reduction in itertools.product(ORDERS, STORES, FORGET, REDUCE):
        words = ["--order", order, "--store", store]
        reduction, _, actions = reduction.partition(" ")
        words += [] if reduction == "none" else ["--reduce", reduction]
        words += ["--action-order", actions] if actions else []
        if store == "auto" and forget == "none" and order in ("bfs", "dfs"):
            words += ["--move-after", str(states // 2 + 1)]
        if forget.startswith("cache"):
            words += ["--forget", "%s,size=%d" % (forget, states * 2 // 3 + 20)]
        elif forget != "none":
            words += ["--forget", forget, "--progress", "auto:3"]
        if forget != "none":
            words += ["--max-visits", str(30 * states + 100)]
        yield words


def ask(args, model, words):
    p = subprocess.run([args.cairn, "check", *model, "--keep-going", "--trail", os.devnull, "--json", "-", *words],
                       capture_output=True, text=True, errors="replace", timeout=600)
    at = p.stdout.find("{")
    if p.returncode == 2:
        return {"refused": " ".join(p.stderr.split()).rpartition("error: ")[2][:200]}
    if p.returncode not in (0, 1, 3) or at < 0:
        return {"broken": "exit status %d: %s" % (p.returncode, p.stderr.strip()[:300])}
    got = json.JSONDecoder().raw_decode(p.stdout[at:])[0]
    wrong = contradictions(got, p.returncode)
    return {"broken": "; ".join(wrong)} if wrong else got


def enlarge(words, states):
    """The same way, with room for more states, or None where there is room for all."""
    words = list(words)
    for i, word in enumerate(words):
        if word == "--forget" and ",size=" in words[i + 1]:
            name, size = words[i + 1].split(",size=")
            if int(size) > 2 * states + 20:
                return None
            words[i + 1] = "%s,size=%d" % (name, int(size) * 3 // 2)
        elif word == "--max-visits":
            words[i + 1] = str(int(words[i + 1]) * 4)
    return words


def complaints(plain, got, forgets):
    """What differs; or, if it gave up, why."""
    if "broken" in got:
        return [got["broken"]]
    if got["limit"] is not None:
        if "back to the stack" in got["limit"] and got["verdict"] != "verified":
            return "cycle"
        if forgets and got["verdict"] != "verified":
            return "cache"
        return ["a limit: %s" % got["limit"]]
    wrong, s, states = [], got["states"], plain["states"]["stored"]
    if got["verdict"] != plain["verdict"]:
        wrong.append("%s, not %s" % (got["verdict"], plain["verdict"]))
    distinct = s["visited"] - (s["revisited"] or 0)
    if not forgets and s["stored"] != states:
        wrong.append("%d states, not %d" % (s["stored"], states))
    if forgets and not (s["visited"] >= states and abs(distinct - states) <= 0.05 * states + 3):
        wrong.append("about %d states, %d visited, not %d" % (distinct, s["visited"], states))
    if got["deadlocks"] < plain["deadlocks"] or (not forgets and got["deadlocks"] > plain["deadlocks"]):
        wrong.append("%d deadlocks, not %d" % (got["deadlocks"], plain["deadlocks"]))
    if (got["errors"] > 0) != (plain["errors"] > 0):
        wrong.append("%d errors, not %d" % (got["errors"], plain["errors"]))
    return wrong


def try_way(args, model, words, plain):
    """(what is wrong, how it gave up at first); with a larger cache until it ends. A string instead
    of what is wrong: it was refused."""
    gave_up = None
    while True:
        got = ask(args, model, words)
        if "refused" in got:
            return got["refused"], gave_up
        wrong = complaints(plain, got, "--forget" in words)
        if isinstance(wrong, list) or wrong == "cycle":
            return (wrong if isinstance(wrong, list) else []), gave_up or ("cycle" if wrong == "cycle" else None)
        gave_up, larger = "cache", enlarge(words, plain["states"]["stored"])
        if larger is None or "size=" not in " ".join(words):
            return ["gave up with room for all states: %s" % got["limit"]], gave_up
        words = larger


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.path.join(ROOT, "build", "cairn"))
    parser.add_argument("--dve", type=int, default=50000)
    parser.add_argument("--promela", type=int, default=20000)
    parser.add_argument("--ways", type=int, default=0)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("models", nargs="*")
    args = parser.parse_args()
    args.cairn = os.path.abspath(args.cairn)
    if not os.path.isdir(SHARED):
        print("0 passed, 0 failed, all skipped: no models at " + SHARED)
        return 77
    end = time.monotonic() + args.seconds if args.seconds else None
    passed = failed = skipped = turn = 0
    refused, gave_up = {}, dict.fromkeys(GAVE_UP, 0)
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        for name, model, states in models(args):
            if args.models and not any(m in name for m in args.models):
                continue
            if end is not None and time.monotonic() > end:
                skipped += 1
                continue
            plain = ask(args, model, ["--order", "bfs", "--store", "full"])
            if "verdict" not in plain or plain["limit"] is not None:
                skipped += 1
                continue
            all_ways = list(ways(plain["states"]["stored"]))
            count = args.ways or len(all_ways)
            for i in range(count):
                words = all_ways[(turn + i * 7919) % len(all_ways)] if args.ways else all_ways[i]
                wrong, how = try_way(args, model, words, plain)
                if isinstance(wrong, str):
                    refused[wrong] = refused.get(wrong, 0) + 1
                    continue
                if how is not None:
                    gave_up[how] += 1
                passed += not wrong
                failed += bool(wrong)
                for w in wrong:
                    print("FAIL %s %s: %s" % (" ".join(model), " ".join(words), w), flush=True)
            turn += count
    for message, count in refused.items():
        print("refused %d times: %s" % (count, message))
    for how, count in gave_up.items():
        print("%d of %d searches gave up at first: %s" % (count, passed + failed, how))
        if passed + failed >= 200 and count > GAVE_UP[how] * (passed + failed):
            failed += 1
            print("FAIL: that is more than %d %%" % (100 * GAVE_UP[how]))
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
