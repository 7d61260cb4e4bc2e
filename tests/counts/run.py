#!/usr/bin/env python3
"""Compares counts of the BEEM models with reference tables that other tools made.

For every model of beem-dve.tsv, and of beem-own.tsv with status ok: states,
edges, BFS levels, back-level edges, the longest of them, and deadlocks. For
plc.4 the two tables differ, and beem-own.tsv is right.

    run.py [--cairn PROGRAM] [--most STATES] [--compilers tcc,cc] [--cc-some N]
           [--orders bfs,dfs] [--store STORE] [--move-after N,N [--move-most STATES]] [--jobs N]
           [--table FILE] [MODEL...]

--move-after: of `auto` too, with the states moved to the next store after that many;
--move-most: only of models of at most that many states.

--store: of a store that may miss states the same counts are asked for: with compact
and its 64 bits nothing is missed in practice. --cc-some N: N of the models, spread
over the sizes, are run with cc too. The
tables and models are in the folder CAIRN_SHARED (default ../shared beside the
sources); without it everything is skipped, and says so.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from figures import complaints as contradictions  # noqa: E402
from reference import SHARED, read_table  # noqa: E402

# Column of the tables, and where cairn's JSON has it. The last three need bfs.
FIGURES = [("states", lambda j: j["states"]["stored"]), ("edges", lambda j: j["events"]),
           ("deadlocks", lambda j: j["deadlocks"]), ("bfs_levels", lambda j: j["levels"]),
           ("back_level_edges", lambda j: j["back_level_edges"]),
           ("max_back_level_edge", lambda j: j["longest_back_level_edge"])]


def by_model(name):
    return {r["model"]: r for r in read_table(name)}


def read_reference():
    """model -> (file, figures), the smallest first."""
    own = {m: r for m, r in by_model("beem-own.tsv").items() if r["status"] == "ok"}
    rows = {**own, **by_model("beem-dve.tsv")}
    if "plc.4" in own:
        rows["plc.4"] = own["plc.4"]
    reference = {}
    for model, row in sorted(rows.items(), key=lambda item: int(item[1]["states"])):
        path = os.path.join(SHARED, "models", row.get("dve_file") or "dve/%s.dve" % model)
        figures = {}
        for key, _ in FIGURES:
            if row.get(key, "") not in ("", "?"):
                figures[key] = int(float(row[key]))
        if figures.get("back_level_edges") == 0:  # the tables say 0 or -1 for "none"
            figures.pop("max_back_level_edge", None)
        reference[model] = (path, figures)
    return reference


def differences(cairn, path, want, order, compiler, store, move_after):
    """What differs, as sentences, and the seconds it took."""
    begin = time.monotonic()
    p = subprocess.run([cairn, "check", path, "--order", order, "--compiler", compiler,
                        *(["--store", "auto", "--move-after", move_after] if move_after else ["--store", store]),
                        "--keep-going", "--trail", os.devnull, "--json", "-"],
                       capture_output=True, text=True, timeout=1800)
    seconds = time.monotonic() - begin
    probable = p.returncode == 3 and json.loads(p.stdout)["guarantee"] == "probable"
    if p.returncode not in (0, 1) and not probable:
        return ["exit status %d: %s" % (p.returncode, p.stderr.strip()[:300])], seconds
    got = json.loads(p.stdout)
    wrong = contradictions(got, p.returncode)
    for key, value_of in FIGURES[:3 if order == "dfs" else 6]:
        if key in want and value_of(got) is not None and value_of(got) != want[key]:
            wrong.append("%s %s, not %d" % (key, value_of(got), want[key]))
    return wrong, seconds


def plan(reference, args):
    """All (model, order, compiler) to run."""
    chosen = [m for m in reference if (not args.models or m in args.models)
              and (not args.most or reference[m][1]["states"] <= args.most)]
    some = set(chosen[::max(1, len(chosen) // args.cc_some)][:args.cc_some]) \
        if args.cc_some else set()
    for model in chosen:
        compilers = args.compilers.split(",")
        if model in some and "cc" not in compilers:
            compilers.append("cc")
        for compiler in compilers:
            for order in args.orders.split(","):
                yield model, order, compiler, ""
                is_small = not args.move_most or reference[model][1]["states"] <= args.move_most
                for states in filter(None, args.move_after.split(",") if is_small else []):
                    yield model, order, compiler, states


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.environ.get("CAIRN", "build/cairn"))
    parser.add_argument("--most", type=int, default=200000)
    parser.add_argument("--compilers", default="tcc")
    parser.add_argument("--cc-some", type=int, default=0)
    parser.add_argument("--orders", default="bfs,dfs")
    parser.add_argument("--store", default="full")
    parser.add_argument("--move-after", default="")
    parser.add_argument("--move-most", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", help="write model, order, compiler, seconds, result as TSV")
    parser.add_argument("models", nargs="*")
    return parser.parse_args()


def main():
    args = arguments()
    if not os.path.isdir(os.path.join(SHARED, "reference")):
        print("SKIP counts: no reference tables in %s (set CAIRN_SHARED)" % SHARED)
        print("0 passed, 0 failed, 1 skipped")
        return 77
    reference = read_reference()
    runs, skipped = list(plan(reference, args)), 0
    if not shutil.which("cc"):
        skipped = sum(r[2] == "cc" for r in runs)
        runs = [r for r in runs if r[2] != "cc"]
        print("SKIP %d runs with cc: no such compiler here" % skipped)

    def one(run):
        path, want = reference[run[0]]
        try:
            return differences(args.cairn, path, want, run[1], run[2], args.store, run[3])
        except (subprocess.TimeoutExpired, ValueError, KeyError) as why:
            return ["%s: %s" % (type(why).__name__, str(why)[:200])], 0.0

    failed, lines = 0, []
    with tempfile.TemporaryDirectory() as cache, \
            concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        os.environ["XDG_CACHE_HOME"] = cache  # cc compiles every model, and leaves nothing
        for run, (wrong, seconds) in zip(runs, pool.map(one, runs)):
            failed += bool(wrong)
            if wrong:
                print("FAIL %s %s %s %s: %s" % (*run, "; ".join(wrong)), flush=True)
            lines.append("%s\t%s\t%s\t%s\t%.3f\t%s" % (*run, seconds, "; ".join(wrong) or "ok"))
    if args.table:
        with open(args.table, "w", encoding="utf-8") as f:
            f.write("model\torder\tcompiler\tmoved after\tseconds\tresult\n" + "\n".join(lines) + "\n")
    print("%d models of at most %d states" % (len({r[0] for r in runs}), args.most))
    print("%d passed, %d failed, %d skipped" % (len(runs) - failed, failed, skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
