#!/usr/bin/env python3
"""How good the estimates are of what states would take in other stores.

    estimates.py [--cairn PROGRAM] [--models N] [--in-use STORE] [--order ORDER] [--most R] [--jobs N] [--show] [MODEL…]

N models (40) of 100,000 to 2,000,000 states are taken from the reference tables, in three languages (folder
CAIRN_SHARED, default ../shared). Each is searched with so little memory that STORE (full) ends for want of it
after a part of the states, which says what each exact store is estimated to take for these; then with each of these stores
up to that many states, which says what it does take. The tables are Markdown: of each store the geometric mean of
the ratio, how many are off by more than a quarter, and the worst ten. Figures are counts, the same on every machine.

--most R: fail if the geometric mean of a store is off by more than the factor R, or any estimate by its square, or one is missing.
--show: a line for each estimate.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from reference import SHARED, read_table  # noqa: E402

EXACT = ["full", "tree", "collapse", "automaton", "comback"]
LEAST, MOST = 100_000, 2_000_000
OPTIONS = ["--compiler", "tcc", "--property", "safety", "--keep-going", "--trail", os.devnull]


def spread(rows, count):
    rows = sorted(rows, key=lambda r: r[1])
    return [rows[int((i + 0.5) * len(rows) / count)] for i in range(count)] if len(rows) > count else rows


def within(text):
    return (text or "").isdigit() and LEAST <= int(text) <= MOST


def choose(count):
    """Words that name a model, of models evenly over their sizes: half DVE, most others Promela."""
    dve = [([os.path.join(SHARED, "models", "dve", r["model"] + ".dve")], int(r["states"])) for r in read_table("beem-own.tsv")
           if within(r["states"]) and r["status"] == "ok"]
    promela = [([*(f"-D{d.removeprefix('-D')}" for d in r["defines"].split()), os.path.join(SHARED, "models", "promela", r["file"])],
                int(r["states"])) for r in read_table("promela-unreduced.tsv")
               if within(r["states"]) and not r["first_error_kind"].startswith("runtime:") and not r["file"].startswith("beem/")]
    nets = [([os.path.join(SHARED, "models", "pnml", r["file"])], int(r["own_states"])) for r in read_table("pnml.tsv")
            if within(r["own_states"])]
    return [m[0] for m in spread(dve, count // 2) + spread(promela, count - count // 2 - count // 5) + spread(nets, count // 5)]


def ask(args, model, *words):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([args.cairn, "check", "--json", "-", *OPTIONS, "--order", args.order, *words, *model], cwd=folder, capture_output=True,
                              text=True, check=False)
    return json.loads(done.stdout) if done.stdout.startswith("{") else {"limit": done.stderr}


def measure(args, model):
    """[(store, estimated or None, measured)] in bytes per state; None: all fits, or nothing does."""
    whole = ask(args, model, "--store", args.in_use, "--memory", "3G")
    if whole["limit"] is not None:
        return None
    for share in (0.7, 0.55, 0.4):
        answer = ask(args, model, "--store", args.in_use, "--memory", str(int(share * whole["memory"]["peak_resident"])))
        if answer["limit"] and "memory" in answer["limit"]:
            break
    else:
        return None
    estimated = {e["store"]: e["bytes_per_state"] for e in answer["store_estimates"]}
    found, rows = answer["states"]["stored"], []
    for store in EXACT:
        same = ask(args, model, "--store", store, "--memory", "3G", "--max-states", str(found))
        if same["states"]["stored"] != found:
            return None
        rows.append((store, estimated.get(store), same["memory"]["store"] / same["states"]["stored"]))
    return found, rows


def name_of(model):
    return " ".join(os.path.basename(w) for w in model)


def print_tables(rows):
    print("| store | models | without an estimate | ratio, geometric mean | least | most | off by more than 25 % |")
    print("| --- | --: | --: | --: | --: | --: | --: |")
    for store in EXACT:
        all_of = [r for r in rows if r[2] == store]
        known = [e / t for *_, e, t in all_of if e is not None]
        if known:
            mean = math.exp(sum(map(math.log, known)) / len(known))
            off = sum(r > 1.25 or r < 0.8 for r in known)
            print(f"| {store} | {len(all_of)} | {len(all_of) - len(known)} | {mean:.2f} | {min(known):.2f} | {max(known):.2f} | {off} |")
    print("\nThe worst ten:\n\n| model | states | store | estimated | measured | ratio |\n| --- | --: | --- | --: | --: | --: |")
    known = [(e / t, *r) for r in rows for e, t in [r[3:]] if e is not None]
    for ratio, model, found, store, e, t in sorted(known, key=lambda r: -abs(math.log(r[0])))[:10]:
        print(f"| {model} | {found:,} | {store} | {e:.2f} | {t:.2f} | {ratio:.2f} |")


def failures(rows, most):
    for store in EXACT:
        all_of = [r for r in rows if r[2] == store]
        known = [e / t for *_, e, t in all_of if e is not None]
        if len(known) < len(all_of):
            yield f"{len(all_of) - len(known)} searches without an estimate for {store}"
        mean = math.exp(sum(map(math.log, known)) / len(known)) if known else 1
        if not 1 / most <= mean <= most or any(not 1 / most**2 <= r <= most**2 for r in known):
            yield f"estimates for {store} are off: mean {mean:.2f}, {min(known):.2f} to {max(known):.2f}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.path.join(ROOT, "build", "cairn"))
    parser.add_argument("--models", type=int, default=40)
    parser.add_argument("--in-use", default="full")
    parser.add_argument("--order", default="bfs")
    parser.add_argument("--most", type=float)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("paths", nargs="*")
    args = parser.parse_args()
    args.cairn = os.path.abspath(args.cairn)
    models = [[os.path.abspath(p)] for p in args.paths] or choose(args.models)
    with ThreadPoolExecutor(args.jobs) as pool:
        results = [(m, r) for m, r in zip(models, pool.map(lambda m: measure(args, m), models)) if r is not None]
    rows = [(name_of(m), found, store, e, t) for m, (found, by_store) in results for store, e, t in by_store]
    if args.show:
        for model, found, store, e, t in rows:
            print(f"{model} {found} {store} {e or 0:.2f} {t:.2f} {(e or 0) / t:.2f}")
    print_tables(rows)
    failed = list(failures(rows, args.most)) if args.most else []
    for f in failed:
        print("FAIL " + f)
    if args.most:
        print(f"{len(rows) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
