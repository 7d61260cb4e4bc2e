#!/usr/bin/env python3
"""Compares counts of real Promela models with those of Spin.

    counts.py [--cairn PROGRAM] [--least STATES] [--most STATES] [--seconds N] [--orders bfs,dfs]
              [--stores full,tree] [--compilers tcc,cc] [--memory SIZE] [--jobs N] [--verbose] [MODEL…]

Every row of reference/promela-unreduced.tsv: stored states, and transitions (events + 1,
for Spin counts reaching the initial state), for every order, store and compiler, all
errors passed over. Where the table of Spin's own runs knows only one kind of error, it must be
the first one of a depth-first search. Skipped, and named: models
rows whose run of Spin ended early (kind "runtime: …"), and those of KNOWN below. The largest come last; --seconds
is a bound on the whole, and says how many it left out. The tables and models are in the
folder CAIRN_SHARED (default ../shared beside the sources); without it everything is
skipped, and says so.
"""
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from figures import complaints as contradictions  # noqa: E402
from reference import SHARED, arguments, is_over, read_table  # noqa: E402

# Where Cairn is right to differ; docs/promela.md says more.
INDEX = "an index out of range ends the branch; Spin goes on with element 0, and its search ends early"
KNOWN = {"case-studies/fluke/src/test/syntax/ipcFunc.pr": INDEX, "case-studies/fluke/src/test/big/big.pr": INDEX}
KINDS = {"assertion": "assertion", "invalid end state": "invalid-end-state"}


def run(args, row, order, store, compiler):
    """(verdict, sentence): same, differs or skipped."""
    path = os.path.join(SHARED, "models", "promela", row["file"])
    if row["first_error_kind"].startswith("runtime:"):
        return "skipped", row["first_error_kind"]
    if row["file"] in KNOWN:
        return "skipped", "known to differ: " + KNOWN[row["file"]]
    if is_over(args):
        return "left out", ""
    command = [args.cairn, "check", path, *row["defines"].split(), "--allow-c", "--property", "safety", "--keep-going", "--order", order, "--store", store,
               *(["--memory", args.memory] if args.memory else []), "--compiler", compiler, "--trail", os.devnull, "--json", "-"]
    p = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=3600)
    if p.returncode not in (0, 1, 3) or "{" not in p.stdout:
        return "differs", "exit status %d: %s" % (p.returncode, (p.stderr or p.stdout).strip()[:400])
    answer = json.loads(p.stdout[p.stdout.index("{"):])
    wrong = contradictions(answer, p.returncode)
    if wrong:
        return "differs", "; ".join(wrong)
    got = answer["states"]["stored"], answer["events"] + 1
    want = int(row["states"]), int(row["transitions"])
    if got != want:
        return "differs", "%s states and %s transitions, not %s and %s" % (*got, *want)
    kind = (answer["error"] or {}).get("kind")
    if order == "dfs" and row["only_kind"] and kind != KINDS.get(row["only_kind"], kind):
        return "differs", "first error %s, not %s" % (kind, row["only_kind"])
    return "same", ""


def plan(args):
    """(row, order, store, compiler), the smallest first."""
    kinds = {}
    for row in read_table("promela-spin.tsv"):
        kinds.setdefault((row["file"], row["defs"]), set()).add(row.get("first_error_kind") or "")
    rows = read_table("promela-unreduced.tsv")
    for row in sorted(rows, key=lambda r: int(r["transitions"])):
        found = kinds.get((row["file"], row["defines"]), set()) - {""}
        row["only_kind"] = row["first_error_kind"] if len(found) <= 1 else ""
        if args.models and not any(m in row["file"] for m in args.models):
            continue
        if (args.most is None or int(row["states"]) <= args.most) and int(row["states"]) >= args.least:
            for order, store, compiler in itertools.product(args.orders.split(","), args.stores.split(","),
                                                            args.compilers.split(",")):
                yield row, order, store, compiler


def main():
    args = arguments("models", least=0, most=None, orders="bfs,dfs", stores="auto", compilers="tcc", memory=None, jobs=2)
    count, named = {"same": 0, "differs": 0, "skipped": 0, "left out": 0}, set()
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        os.environ["XDG_CACHE_HOME"] = cache
        runs = list(plan(args))
        for given, (verdict, why) in zip(runs, pool.map(lambda r: run(args, *r), runs)):
            row, order, store, compiler = given
            name = (row["file"] + " " + row["defines"]).strip()
            count[verdict] += 1
            if verdict == "differs":
                print("FAIL %s %s %s %s: %s" % (name, order, store, compiler, why), flush=True)
            elif verdict == "skipped" and name not in named:
                named.add(name)
                print("SKIP %s: %s" % (name, why), flush=True)
            elif args.verbose:
                print("%s %s %s %s %s" % (verdict, name, order, store, compiler), flush=True)
    print("%(same)d passed, %(differs)d failed, %(skipped)d skipped, %(left out)d left out" % count)
    return 1 if count["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
