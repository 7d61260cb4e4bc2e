#!/usr/bin/env python3
"""Which strategy of forgetting serves an order best when nothing is known of the model?

    defaults.py [--cairn PROGRAM] [--models FOLDER] [--jobs N] [--advice] [MODEL=STATES...]

Each model is searched with caches of 70, 50, 35 and 25 percent of its states, in each order with
each strategy, and given up at 20 visits for each state, as the program does by itself. The table
shows, per order and strategy, how many runs of all ended, and the geometric mean of the visits for
each state, where those that were given up count 20. The best of a row is the default of that order
`strategy` of its kind in src/search/frontier). Counts do not depend on the machine.

--advice: of the runs that gave up by themselves with the default of their order, how many end if one thing is
changed, and with how many visits per state; counters (K of them that count modulo M, K^M states) are among the
models here, for they revisit most.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MODELS = ("anderson.4=29641 at.1=39354 bakery.3=32919 bopdp.1=12642 brp.1=18928 cambridge.1=11339 collision.1=5593 "
          "driving_phils.1=14889 extinction.1=8993 firewire_link.4=24330 iprotocol.1=6814 lamport_nonatomic.2=12958 "
          "leader_filters.1=4966 peterson.1=12498 pgm_protocol.1=10175 production_cell.1=14586 rether.2=9278 "
          "szymanski.1=20264 train-gate.2=22076 lifts.3=30772").split()
ORDERS = ["bfs", "dfs", "bbfs:16", "alt:4,4", "random"]
STRATEGIES = ["age", "random", "in-degree+age", "in-degree+random", "share/4+random", "share/8+random", "share/16+random",
              "share/16+in-degree+random", "in-degree+share/8+random", "out-degree+near+random"]
PERCENT = [70, 50, 35, 25]
VISITS = 20


def run(args, job):
    model, states, order, strategy, percent = job
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [args.cairn, "check", "--json", "-", "--order", order, "--store", "full", "--compiler", "tcc", "--property", "safety",
             "--keep-going", "--forget", f"cache:{strategy},size={states * percent // 100}", "--max-visits", str(VISITS * states),
             str(Path(args.models).resolve() / f"{model}.dve")], cwd=folder, capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout)
    ended = answer["guarantee"] == "exact"
    return job, min(answer["states"]["visited"] / states, VISITS) if ended else VISITS, ended


COUNTERS = [(4, 9), (5, 6), (3, 20), (6, 4), (8, 3), (3, 30), (4, 7), (2, 60)]


def counters(k, m):
    return "".join(f"byte n{i};\nprocess P{i} {{ state a; init a; trans a -> a {{ effect n{i} = (n{i} + 1) % {m}; }}; }}\n"
                   for i in range(k)) + "system async;\n"


LEAN = ["--reduce", "edge-lean"]
CHANGES = {"edge-lean": {"more": LEAN}, "cache a quarter larger": {"factor": 1.25}, "in-degree+random": {"strategy": ":in-degree+random"},
           "share/16+in-degree+random": {"strategy": ":share/16+in-degree+random"},
           "in-degree+share/8+random": {"strategy": ":in-degree+share/8+random"}, "age": {"strategy": ":age"},
           "chain": {"more": ["--reduce", "chain"]}, "bfs": {"order": "bfs"}, "dfs": {"order": "dfs"}, "bbfs:16": {"order": "bbfs:16"}}


def attempt(args, path, states, order, percent, strategy="", more=(), factor=1.0):
    done = subprocess.run(
        [args.cairn, "check", "--json", "-", "--order", order, "--store", "full", "--compiler", "tcc", "--property", "safety", "--keep-going",
         "--forget", f"cache{strategy},size={int(states * percent * factor) // 100}", *more, str(path)],
        capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout)
    return answer["guarantee"] == "exact", answer["limit"], answer["states"]["visited"] / states


def advise(args, pairs, folder):
    models = [(Path(args.models).resolve() / f"{name}.dve", states) for name, states in pairs]
    for k, m in COUNTERS:
        path = Path(folder) / f"counters.{k}.{m}.dve"
        path.write_text(counters(k, m))
        models.append((path, m ** k))
    for base in [[], LEAN]:
        stuck = [(path, states, order, percent) for order in ORDERS for path, states in models for percent in PERCENT
                 if attempt(args, path, states, order, percent, more=base)[1] == "states were visited too often"]
        print(f"{' '.join(base)}: {len(stuck)} runs gave up\n\n| change | ended | visits per state, geometric mean of these |\n| --- | --- | --- |")
        for name, change in CHANGES.items():
            ended = []
            for path, states, order, percent in stuck:
                how = {"order": order, "percent": percent, **change, "more": base + change.get("more", [])}
                exact, _, visits = attempt(args, path, states, **how)
                ended += [visits] if exact else []
            mean = math.exp(sum(map(math.log, ended)) / len(ended)) if ended else 0
            print(f"| {name} | {len(ended)} | {mean:.1f} |", flush=True)


def main():
    shared = os.environ.get("CAIRN_SHARED", "../shared")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--models", default=f"{shared}/models/dve")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--advice", action="store_true")
    parser.add_argument("model", nargs="*", default=MODELS)
    args = parser.parse_args()
    args.cairn = str(Path(args.cairn).resolve())
    if not Path(args.models).is_dir():
        print(f"skipped: there are no models in {args.models} (CAIRN_SHARED)")
        return 0
    pairs = [(name, int(states)) for name, states in (word.split("=") for word in args.model)]
    if args.advice:
        with tempfile.TemporaryDirectory() as folder:
            advise(args, pairs, folder)
        return 0
    jobs = [(name, states, order, strategy, percent) for order in ORDERS for name, states in pairs
            for percent in PERCENT for strategy in STRATEGIES]
    with ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda job: run(args, job), jobs))
    print("| order | " + " | ".join(f"`{s}`" for s in STRATEGIES) + " |")
    print("| --- |" + " --- |" * len(STRATEGIES))
    for order in ORDERS:
        cells, best = [], None
        for strategy in STRATEGIES:
            mine = [(visits, ended) for job, visits, ended in results if job[2] == order and job[3] == strategy]
            mean = math.exp(sum(math.log(visits) for visits, _ in mine) / len(mine))
            cells.append((mean, sum(ended for _, ended in mine)))
            best = min(best or mean, mean)
        print(f"| `{order}` | " + " | ".join(("**%d, %.2f**" if mean == best else "%d, %.2f") % (ended, mean)
                                           for mean, ended in cells) + " |")
    print(f"\n{len(pairs) * len(PERCENT)} runs in each cell: how many ended, and the mean of visits per state", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
