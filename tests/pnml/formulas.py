#!/usr/bin/env python3
"""Compares answers to formulas of the Model Checking Contest with the verdicts it agreed on.

    formulas.py [--cairn PROGRAM] [--most STATES] [--seconds N] [--timeout N] [--jobs N] [--verbose] [NET…]

Every net of reference/mcc-oracle.tsv whose number of markings is known and at most --most:
all its files of formulas and all questions that have a name, each file in one search.
Formulas whose verdict is not known ("?") are left out, and so are those that Cairn says it
does not answer (LTL, Liveness), which are counted. The folder is CAIRN_SHARED (default
../shared beside the sources); without it everything is skipped, and says so.
"""
import concurrent.futures
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from counts import wanted  # noqa: E402
from reference import SHARED, arguments, is_over, read_table  # noqa: E402

NAMED = ("ReachabilityDeadlock", "OneSafe", "QuasiLiveness", "StableMarking")


def run(args, instance, path, examination, verdicts):
    """(counts by outcome, sentences)."""
    count, said = {"same": 0, "differs": 0, "not answered": 0, "left out": 0}, []
    if is_over(args):
        count["left out"] = len(verdicts)
        return count, said
    query = examination if examination in NAMED else \
        os.path.join(SHARED, "models", "pnml", "mcc-props", instance, examination + ".xml")
    if examination not in NAMED and not os.path.exists(query):
        count["left out"] = len(verdicts)
        return count, said
    command = [args.cairn, "check", path, "--queries", query, "--quiet"]
    try:
        p = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=args.timeout)
    except subprocess.TimeoutExpired:
        count["differs"] = len(verdicts)
        return count, ["no answer after %d seconds" % args.timeout]
    got = {w[1]: w[2] for w in (line.split() for line in p.stdout.splitlines()) if w and w[0] == "FORMULA"}
    if not got:
        count["differs"] = len(verdicts)
        return count, ["exit status %d: %s" % (p.returncode, p.stderr.strip()[:300])]
    for formula, verdict in verdicts.items():
        answer = got.get(formula, "nothing")
        kind = "same" if answer == verdict else "not answered" if answer == "CANNOT_COMPUTE" else "differs"
        if kind == "not answered" and not examination.startswith("LTL"):
            kind = "differs"
        count[kind] += 1
        if kind == "differs":
            said.append("%s: %s, not %s" % (formula, answer, verdict))
    return count, said


def plan(args):
    states = {os.path.basename(r["file"])[:-len(".pnml")]: (wanted(r)["states"], r["file"])
              for r in read_table("pnml.tsv") if r["file"].startswith("mcc/")}
    runs = {}
    for row in read_table("mcc-oracle.tsv"):
        n, file = states.get(row["instance"], (None, None))
        if n is None or n > args.most or row["verdict"] == "?" or row["examination"] == "Liveness":
            continue
        if args.nets and not any(name in row["instance"] for name in args.nets):
            continue
        runs.setdefault((n, row["instance"], file, row["examination"]), {})[row["formula"]] = row["verdict"]
    for (_, instance, file, examination), verdicts in sorted(runs.items(), key=lambda r: r[0]):
        yield instance, os.path.join(SHARED, "models", "pnml", file), examination, verdicts


def main():
    args = arguments("nets", most=2000000, timeout=600, jobs=1)
    total = {"same": 0, "differs": 0, "not answered": 0, "left out": 0}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = list(plan(args))
        for given, (count, said) in zip(runs, pool.map(lambda r: run(args, *r), runs)):
            for key, n in count.items():
                total[key] += n
            for sentence in said:
                print("FAIL %s %s: %s" % (given[0], given[2], sentence), flush=True)
            if args.verbose:
                print(given[0], given[2], count, flush=True)
    print("%(same)d passed, %(differs)d failed, %(not answered)d not answered, %(left out)d left out" % total)
    return 1 if total["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
