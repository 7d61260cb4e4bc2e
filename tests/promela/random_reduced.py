#!/usr/bin/env python3
"""Random Promela models with reductions and without: the same errors.

    random_reduced.py [--cairn PROGRAM] [--count N] [--first SEED] [--jobs N] [--reduce NAMES]… [--check FACTS] [--keep FOLDER]

Each model is searched plainly, and with each --reduce in two orders; the verdict, the deadlocks (without dead
variables also how many), whether there are other errors, and the statements that are never reached must be the
same, and states at most as many; so must be the answers about a random formula and a random never claim. A search that stops at the first
error finds one that the program has replayed.
--check: the facts that this option of the program tests must hold, and without --reduce nothing else is tried.
"""
import argparse
import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import random_claims  # noqa: E402
import random_model  # noqa: E402
from figures import complaints as contradictions  # noqa: E402

REDUCE = ["merge", "dead", "merge,dead", "por", "por,merge,dead"]
DEADLOCKS = ("deadlock", "invalid-end-state")


def ask(cairn, path, *extra):
    """The answer, or a sentence."""
    command = [cairn, "check", path, "--spin", "--warn", "no-spin", "--compiler", "tcc", "--max-states", "20000", "--time", "10", "--trail", os.devnull,
               "--json", "-", *extra]
    try:
        p = subprocess.run(command, capture_output=True, text=True, timeout=40, check=False)
    except subprocess.TimeoutExpired:
        return {"verdict": "rejected"}
    if p.returncode == 2:
        return {"verdict": "rejected"}
    if p.returncode not in (0, 1, 3) or "{" not in p.stdout:
        return "exit status %d: %s" % (p.returncode, p.stderr.strip()[:400])
    answer = json.loads(p.stdout[p.stdout.index("{"):])
    wrong = contradictions(answer, p.returncode)
    if "internal error" in p.stderr or "internal error" in p.stdout:
        wrong.append((p.stderr + p.stdout).strip()[:600])
    return "; ".join(wrong) or answer


def facts(answer, exact):
    """What must not depend on the reduction."""
    kind = (answer["error"] or {}).get("kind")
    return {"verdict": answer["verdict"], "deadlocks": answer["deadlocks"] if exact else answer["deadlocks"] > 0,
            "other errors": answer["errors"] > answer["deadlocks"] or (answer["errors"] > 0 and kind not in DEADLOCKS),
            "unreached": sorted((u["line"], u["column"], u["text"]) for u in answer.get("unreached") or [])}


def differences(args, path, plain, reduce):
    """Sentences about what a reduction changed, and the states that it left."""
    found, exact = [], "dead" not in reduce
    for order in ("bfs", "dfs"):
        answer = ask(args.cairn, path, "--keep-going", "--reduce", reduce, "--order", order)
        if isinstance(answer, str) or answer.get("limit"):
            return ["%s %s: %s" % (reduce, order, answer if isinstance(answer, str) else answer["limit"])], 0
        for what, value in facts(plain, exact).items():
            if facts(answer, exact)[what] != value:
                found.append("%s %s: %s %s, not %s" % (reduce, order, what, facts(answer, exact)[what], value))
        if answer["states"]["stored"] > plain["states"]["stored"]:
            found.append("%s %s: more states" % (reduce, order))
        if plain["errors"]:
            first = ask(args.cairn, path, "--reduce", reduce, "--order", order)
            if isinstance(first, str) or first["verdict"] != plain["verdict"]:
                found.append("%s %s: %s" % (reduce, order, first if isinstance(first, str) else first["verdict"]))
    return found, answer["states"]["stored"]


def of_cycles(args, path, words, name, safety):
    """The same about a formula or a claim: all depends on its answer."""
    found = []
    plain = ask(args.cairn, path, *words)
    if isinstance(plain, str) or plain.get("limit") or plain["verdict"] == "rejected":
        return [plain] if isinstance(plain, str) else []
    for reduce in args.reduce:
        if ("por" in reduce and "--fairness" in words) or ("merge" in reduce and name == "claim"):
            continue  # refused
        answer = ask(args.cairn, path, *words, "--reduce", reduce)
        # A merged event may fail beyond the step with which its run has fulfilled the formula: an error of the model.
        if not isinstance(answer, str) and safety["errors"] and (answer["error"] or {}).get("kind") == "assertion":
            continue
        if isinstance(answer, str) or answer["verdict"] != plain["verdict"]:
            found.append("%s %s: %s, not %s" % (words, reduce, answer if isinstance(answer, str) else answer["verdict"],
                                                plain["verdict"]))
        else:
            args.cycles[reduce] = args.cycles.get(reduce, 0) + (answer["states"]["stored"] < plain["states"]["stored"])
    return found


def cycle_differences(args, path, seed, safety):
    """A random formula, and a random never claim, which may count steps."""
    r = random.Random(seed)
    engine = r.choice([[], ["--cycles", "scc"], ["--cycles", "owcty"]])
    found = of_cycles(args, path, ["--ltl", random_claims.formula(r, 3), *r.choice([[], [], ["--fairness", "weak"]]), *engine],
                      "formula", safety)
    with open(path, "a", encoding="ascii") as f:
        f.write("\n" + r.choice([random_claims.never, random_claims.never_own])(r))
    return found + of_cycles(args, path, ["--claim", "never_0", *engine], "claim", safety)


def compare(args, seed):
    """(seed, verdict, sentences, states without and with each reduction)"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.pml")
        with open(path, "w", encoding="ascii") as f:
            f.write(random_model.Model(seed).text())
        plain = ask(args.cairn, path, "--keep-going", *(["--check", args.check] if args.check else []))
        if isinstance(plain, str):
            found, states = [plain], []
        elif plain.get("limit") or plain["verdict"] == "rejected":
            return seed, "skipped", [], []
        else:
            found, states = [], [plain["states"]["stored"]]
            for reduce in args.reduce:
                sentences, stored = differences(args, path, plain, reduce)
                found += sentences
                states.append(stored)
            found += cycle_differences(args, path, seed, plain) if args.reduce else []
        if found and args.keep:
            os.makedirs(args.keep, exist_ok=True)
            shutil.copy(path, os.path.join(args.keep, "%d.pml" % seed))
    return seed, "failed" if found else "passed", found, states


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--reduce", action="append")
    parser.add_argument("--check")
    parser.add_argument("--keep")
    args = parser.parse_args()
    args.cairn = os.path.abspath(args.cairn)
    args.cycles = {}
    args.reduce = args.reduce or ([] if args.check else REDUCE)
    count, fewer = {"passed": 0, "failed": 0, "skipped": 0}, [0] * len(args.reduce)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for seed, verdict, found, states in pool.map(lambda s: compare(args, s), range(args.first, args.first + args.count)):
            count[verdict] += 1
            for i, stored in enumerate(states[1:]):
                fewer[i] += 0 < stored < states[0]
            for sentence in found:
                print("FAILED: seed %d: %s" % (seed, sentence[:600]), flush=True)
    print("%(passed)d passed, %(failed)d failed, %(skipped)d skipped" % count)
    print("fewer states: " + ", ".join("%s in %d" % pair for pair in zip(args.reduce, fewer)))
    print("fewer states of formulas and claims: " + ", ".join("%s in %d" % pair for pair in sorted(args.cycles.items())))
    if args.count >= 50 and not all(n > args.count // 10 for n in fewer):
        print("FAILED: hardly any model had fewer states")
        return 1
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
