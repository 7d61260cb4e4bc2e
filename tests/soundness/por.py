#!/usr/bin/env python3
"""A reduction keeps deadlocks, errors, and which statements are reached.

    por.py [--cairn PROGRAM] [--reduce NAMES] [--most STATES] [--seconds N] [--table FILE] [--turns] [MODEL|FOLDER…]

Each model is searched plainly and with --reduce NAMES (por) in all WAYS: the verdict, the number of deadlocks,
whether there are errors that are no deadlocks, and the statements that are never reached must be the
same, and states at most as many. A counterexample must be found again (the program replays it). Models
that are rejected, or too large, are passed over. --most: also all reference models of at most that many
states, and the small cases. --turns: of WAYS only the first two, and one of the others, which take turns.
--table: writes the states of each model, without and with reduction.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import figures  # noqa: E402
import models as reference  # noqa: E402

WAYS = [["--order", "dfs"], ["--order", "bfs"], ["--order", "bfs", "--store", "tree"], ["--order", "random"],
        ["--order", "bbfs:7"]]


class Faults(list):
    """What is wrong, printed as it is found: who looks for a first fault need not wait."""

    def append(self, fault):
        print("FAIL " + fault, flush=True)
        super().append(fault)


def run(faults, cairn, words, *more):
    """The figures, or None if there are none to compare."""
    command = [cairn, "check", *words, "--time", "60", "--json", "-", "--trail", "/dev/null", "--compiler", "tcc",
               *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    answer = json.loads(done.stdout) if done.stdout else {"verdict": "rejected"}
    if answer["verdict"] == "rejected" or answer.get("limit"):
        return None
    for complaint in figures.complaints(answer, done.returncode):
        faults.append(f"{words} {more}: {complaint}")
    if "internal error" in done.stderr:
        faults.append(f"{words} {more}: {done.stderr.strip()}")
    return answer


KEPT = ("--invariant", "--send-full", "--end-queues", "-D", "--define")  # of what a model says how it is run


def options_of(model):
    """The options at the head of a model that change what it means."""
    with open(model, encoding="utf-8", errors="replace") as f:
        line = next((x for x in f if x.startswith("// options:")), "// options:")
    words = shlex.split(line.partition(":")[2])
    return [w for i, w in enumerate(words) if w.startswith(KEPT) or (i > 0 and words[i - 1] in KEPT)]


def facts(answer, exact):
    """What must not depend on the reduction; of deadlocks that differ in dead variables alone one is left."""
    deadlock = ("deadlock", "invalid-end-state")
    kind = (answer["error"] or {}).get("kind")
    counted = answer["errors"] - answer["deadlocks"] if kind in deadlock else answer["errors"]
    return {"verdict": answer["verdict"], "deadlocks": answer["deadlocks"] if exact else answer["deadlocks"] > 0,
            "other errors": counted > 0 and (kind not in deadlock or answer["errors"] > answer["deadlocks"]),
            "unreached": sorted((u["line"], u["column"], u["text"]) for u in answer.get("unreached") or [])}


def chosen(args):
    models = []
    for path in args.models:
        inside = sorted(os.listdir(path)) if os.path.isdir(path) else []
        models += [[os.path.join(path, f)] for f in inside if f.endswith((".dve", ".pml"))] or [[path]]
    if args.most is not None and os.path.isdir(reference.SHARED):
        args.dve = args.promela = args.most
        models += [words for _, words, _ in reference.models(args)]
        cases = os.path.join(reference.SHARED, "cases")
        models += [[os.path.join(cases, f)] for f in sorted(os.listdir(cases)) if f.endswith(".pml")]
    return models


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--reduce", default="por")
    parser.add_argument("--most", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--table")
    parser.add_argument("--turns", action="store_true")
    parser.add_argument("models", nargs="*")
    args = parser.parse_args()
    if args.most is not None and not os.path.isdir(reference.SHARED):
        print("skipped: no reference models at", reference.SHARED)
        return 77
    faults, tested, searches, smaller, lines, began = Faults(), 0, 0, 0, [], time.time()
    exact = "dead" not in args.reduce
    for words in chosen(args):
        if args.seconds and time.time() - began > args.seconds:
            break
        words = [*words, *options_of(words[0]), "--property", "safety"]
        plain = run(faults, args.cairn, words, "--keep-going")
        if plain is None:
            continue
        tested += 1
        line = [os.path.basename(words[0]), " ".join(words[1:-2]), str(plain["states"]["stored"])]
        ways = [*WAYS[:2], WAYS[2 + tested % (len(WAYS) - 2)]] if args.turns else WAYS
        for way in ways:
            por = run(faults, args.cairn, words, "--keep-going", "--reduce", args.reduce, *way)
            if por is None:
                faults.append(f"{words} {way}: no answer with {args.reduce}")
                continue
            for what, value in facts(plain, exact).items():
                if facts(por, exact)[what] != value:
                    faults.append(f"{words} {way}: {what} {facts(por, exact)[what]}, not {value}")
            if por["states"]["stored"] > plain["states"]["stored"]:
                faults.append(f"{words} {way}: more states")
            searches += 1
            smaller += por["states"]["stored"] < plain["states"]["stored"]
            line.append(str(por["states"]["stored"]))
        if plain["errors"]:
            for way in ways:
                run(faults, args.cairn, words, "--reduce", args.reduce, *way)
        lines.append("\t".join(line))
    if args.table:
        with open(args.table, "w", encoding="utf-8") as f:
            print("\n".join(lines), file=f)
    print(f"{tested} models, {smaller} of {searches} searches with fewer states")
    if tested >= 20 and 10 * smaller < searches:
        faults.append("hardly any search had fewer states")
    return 1 if faults or not tested else 0


if __name__ == "__main__":
    sys.exit(main())
