#!/usr/bin/env python3
"""Compares counts of Petri nets with the reference table.

    counts.py [--cairn PROGRAM] [--least STATES] [--most STATES] [--orders bfs,dfs]
              [--stores full,tree] [--seconds N] [--memory SIZE] [--jobs N] [--verbose] [NET…]

Every net of reference/pnml.tsv whose number of markings is known: markings, arcs (events),
markings without successors, the most tokens in a place and in a marking, and the levels of
breadth-first search, as far as the table has them. Where a place needs more bits than it
was given, the net is run again as the message says. The largest come last; --seconds is a
bound on the whole, and says how many it left out. The table and the nets are in the folder
CAIRN_SHARED (default ../shared beside the sources); without it everything is skipped, and
says so.
"""
import concurrent.futures
import itertools
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from reference import SHARED, arguments, is_over, read_table  # noqa: E402

# Where the table counts something else.
DOT = "the table took the term dot, or the tokens of old notations, for nothing"
ALL = "the table lost the initial marking of this file"
KNOWN = {"verifypn/subtraction_with_vars.pnml": DOT + ": here a transition without input puts out tokens without end",
         "verifypn/referendum_colored_subtraction.pnml": DOT + ": here a transition without input puts out tokens without end",
         "verifypn/all_place_product.pnml": ALL, "verifypn/all_place_interval.pnml": ALL,
         "verifypn/error-all-token-ring.pnml": ALL,
         "mcc-col-misc/database.pnml": "the table took the first of several terms of a numberof; "
                                       "as their sum it is DatabaseWithMutex-COL-02"}


def wanted(row):
    """What the table says: {figure: value}."""
    number = lambda *names: next((int(row[n]) for n in names if (row[n] or "").isdigit()), None)
    want = {"states": number("official_states", "own_states"), "arcs": number("official_arcs", "own_arcs"),
            "deadlocks": number("own_deadlocks"), "levels": number("own_bfs_levels"),
            "in a place": None, "in a marking": number("official_max_tokens_in_marking", "own_max_in_marking")}
    # The contest counts a place with colours as one in some rows and not in others: our own count where there is one.
    want["in a place"] = number("own_max_in_place") if row["own_max_in_place"] else \
        number("official_max_tokens_in_place") if row["kind"] == "PT" else None
    return want


def check(args, path, order, store, bits=None):
    command = [args.cairn, "check", path, "--property", "safety", "--keep-going", "--order", order, "--store", store,
               *(["--memory", args.memory] if args.memory else []), *(["--token-bits", bits] if bits else []),
               "--trail", os.devnull, "--json", "-"]
    try:
        p = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=args.timeout)
    except subprocess.TimeoutExpired:
        return None, "no answer after %d seconds" % args.timeout
    if "{" not in p.stdout:
        return None, "exit status %d: %s" % (p.returncode, (p.stderr or p.stdout).strip()[:400])
    return json.loads(p.stdout[p.stdout.index("{"):]), ""


def run(args, row, order, store):
    """(verdict, sentence, answer): same, differs or left out."""
    if is_over(args):
        return "left out", "", None
    if row["file"] in KNOWN:
        return "skipped", KNOWN[row["file"]], None
    path = os.path.join(SHARED, "models", "pnml", row["file"])
    answer, why = check(args, path, order, store)
    for _ in range(2):
        hint = answer and re.search(r"--token-bits (\d+)", (answer["error"] or {}).get("message", ""))
        if hint:
            answer, why = check(args, path, order, store, hint.group(1))
    if answer is None:
        return "differs", why, None
    want = wanted(row)
    marking = answer.get("marking", {})
    got = {"states": answer["states"]["stored"], "arcs": answer["events"], "deadlocks": answer["deadlocks"],
           "levels": answer["levels"], "in a place": marking.get("most_in_place"), "in a marking": marking.get("most")}
    wrong = ["%s: %s, not %s" % (key, got[key], want[key]) for key in want
             if want[key] is not None and got[key] != want[key] and not (key == "levels" and order != "bfs")]
    if answer["verdict"] != "verified":
        wrong.append("verdict %s: %s" % (answer["verdict"], answer["error"]))
    return ("differs" if wrong else "same"), "; ".join(wrong), answer


def plan(args):
    """(row, order, store), the smallest first."""
    rows = [r for r in read_table("pnml.tsv") if wanted(r)["states"] is not None]
    for row in sorted(rows, key=lambda r: wanted(r)["arcs"] or 0):
        states = wanted(row)["states"]
        if args.nets and not any(n in row["file"] for n in args.nets):
            continue
        if (args.most is None or states <= args.most) and states >= args.least:
            for order, store in itertools.product(args.orders.split(","), args.stores.split(",")):
                yield row, order, store


def main():
    args = arguments("nets", least=0, most=None, orders="bfs", stores="full", memory=None, timeout=600, jobs=1)
    count = {"same": 0, "differs": 0, "skipped": 0, "left out": 0}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = list(plan(args))
        for (row, order, store), (verdict, why, answer) in zip(runs, pool.map(lambda r: run(args, *r), runs)):
            count[verdict] += 1
            if verdict == "differs":
                print("FAIL %s %s %s: %s" % (row["file"], order, store, why), flush=True)
            elif verdict == "skipped":
                print("SKIP %s: %s" % (row["file"], why), flush=True)
            elif args.verbose and answer:
                seconds = answer["seconds"]
                print("%s %s %s %s: %d events, %.2f s to begin, %.1f M events/s" %
                      (verdict, row["file"], order, store, answer["events"], seconds["parse"],
                       answer["events"] / 1e6 / max(seconds["search"], 1e-6)), flush=True)
    print("%(same)d passed, %(differs)d failed, %(skipped)d skipped, %(left out)d left out" % count)
    return 1 if count["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
