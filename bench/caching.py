#!/usr/bin/env python3
"""Table 2 of "Search-order independent state caching": the smallest caches that suffice.

For each model, order and chain setting, caches of 5, 10, 15 … % of the states are tried
with a few strategies each, until a search ends within 5 visits for each state. Of the
strategies that succeed with that size the one with the fewest visits counts. Printed is
stored % / visited %, beside what the paper has. It took the best of 60 strategies, and
edge-lean search besides (--reduce edge-lean, where it is allowed).

    caching.py [--cairn PROGRAM] [--jobs N] [--reduce LIST] [--table FILE] [MODEL...]

Without the reference tables (CAIRN_SHARED, default ../shared) it says so and ends.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = os.environ.get("CAIRN_SHARED", os.path.join(ROOT, "..", "shared"))
SMALL = ["at.2", "bopdp.2", "gear.2", "iprotocol.2", "lamport_nonatomic.3", "plc.2"]
STRATEGIES = ["random", "far", "near", "in-degree+random", "out-degree+random", "stratified/2+random",
              "stratified/3+random", "stratified/5+random", "-age", "-entry"]
ORDERS = {"DFS": ["dfs"], "BFS": ["bfs"], "BBFS": ["bbfs:4", "bbfs:16", "bbfs:256"],
          "Alt": ["alt:1,1", "alt:1,8", "alt:4,4", "alt:8,1", "alt:8,4", "alt:8,8"]}
VISITS = 5  # for each state


def read_paper():
    path = os.path.join(SHARED, "reference", "seed-tables", "002-caching-table2.tsv")
    with open(path, encoding="utf-8") as f:
        rows = csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t")
        return {(r["model"], r["CR"]): r for r in rows}


def visits(args, model, states, order, strategy, reduce, percent):
    """How many expansions, or None: it gave up."""
    words = ["--order", order, "--forget", "cache:%s,size=%d" % (strategy, states * percent // 100),
             "--store", "full", "--compiler", "tcc", "--property", "safety", "--keep-going", "--no-deadlock",
             "--max-visits", str(VISITS * states), "--trail", os.devnull, "--json", "-"]
    words += ["--reduce", reduce] if reduce else []
    done = subprocess.run([args.cairn, "check", os.path.join(SHARED, "models", "dve", model + ".dve")] + words,
                          capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        sys.exit("%s %s: %s" % (model, " ".join(words), done.stderr.strip()[:300]))
    got = json.loads(done.stdout)
    return got["states"]["visited"] if got["guarantee"] == "exact" else None


def best(args, pool, model, states, column, chain):
    """Percent stored, percent visited, order, strategy."""
    reduce = ",".join(([args.reduce] if args.reduce else []) + (["chain"] if chain else []))
    tries = [(o, s) for o in ORDERS[column] for s in STRATEGIES]
    for percent in range(5, 101, 5):
        found = list(pool.map(lambda t, p=percent: visits(args, model, states, *t, reduce, p), tries))
        good = [(v, t) for v, t in zip(found, tries) if v is not None]
        if good:
            least, (order, strategy) = min(good)
            return percent, round(100 * least / states), order, strategy
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.environ.get("CAIRN", "build/cairn"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--reduce", default="", help="reductions that go with all runs")
    parser.add_argument("--columns", default=",".join(ORDERS))
    parser.add_argument("--table", help="write the results as TSV")
    parser.add_argument("models", nargs="*")
    args = parser.parse_args()
    if not os.path.isdir(os.path.join(SHARED, "reference")):
        print("SKIP: no reference tables in %s (set CAIRN_SHARED)" % SHARED)
        return
    paper, lines = read_paper(), ["model\tchains\torder\tstored\tvisited\tbest\tpaper_stored\tpaper_visited"]
    print("stored %% / visited %%, and (the paper's)\n%-22s" % "model" +
          "".join("%-26s" % c for c in args.columns.split(",")))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for model in args.models or SMALL:
            for chain in ["no", "yes"]:
                row = paper[model, chain]
                print("%-22s" % ("%s %s" % (model, "chains" if chain == "yes" else "")), end="", flush=True)
                for column in args.columns.split(","):
                    cell = best(args, pool, model, int(row["states"]), column, chain == "yes")
                    theirs = row[column + "_S"], row[column + "_V"]
                    text = "%d/%d" % cell[:2] if cell else "none"
                    print("%-26s" % ("%s (%s/%s)" % (text, *theirs)), end="", flush=True)
                    lines.append("\t".join(map(str, [model, chain, column, *(cell[:2] if cell else ("", "")),
                                                     "%s %s" % cell[2:] if cell else "", *theirs])))
                print(flush=True)
    if args.table:
        with open(args.table, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
