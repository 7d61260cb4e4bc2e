#!/usr/bin/env python3
"""Compares claims, labels and non-progress cycles of real Promela models with Spin's own runs.

    claims.py [--cairn PROGRAM] [--most STATES] [--seconds N] [--cycles ndfs,scc,owcty] [--verbose] [MODEL…]

Every complete row of reference/promela-spin.tsv in the modes claim, np and accept without reductions: whether there is
an error, for each engine of cycles; and, where all states were visited, the claim is not made of a formula and
there is no error, the stored states. Those of formulas differ, for the automata do, and so do those of searches that
go on after a cycle. Skipped, and named: rows whose run of Spin ended early (kind "runtime: …").
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from figures import complaints as contradictions  # noqa: E402
from reference import SHARED, arguments, is_over, read_table  # noqa: E402


def words_of(row):
    mode = row["mode"]
    if mode in ("np", "accept"):
        words = ["--property", {"np": "progress", "accept": "acceptance"}[mode]]
    else:
        words = ["--claim", "never_0" if mode == "claim:never" else mode.partition(":")[2]]
    for word in row["defs"].split():
        words += [word] if word.startswith("-D") else ["-D", word]
    return words


def complaint(args, row, engine):
    """A sentence, or None."""
    path = os.path.join(SHARED, "models", "promela", row["file"])
    everything = ["--keep-going"] if row["search"] == "all" else []
    p = subprocess.run([args.cairn, "check", path, "--compiler", "tcc", "--trail", os.devnull, "--json", "-", "--cycles", engine,
                        *words_of(row), *everything], capture_output=True, text=True, errors="replace", timeout=3600)
    if p.returncode not in (0, 1) or "{" not in p.stdout:
        return "exit status %d: %s" % (p.returncode, (p.stderr or p.stdout).strip()[:400])
    answer = json.loads(p.stdout[p.stdout.index("{"):])
    wrong = contradictions(answer, p.returncode)
    if wrong:
        return "; ".join(wrong)
    if (answer["verdict"] == "violated") != (int(row["errors"]) > 0):
        return "%s, but Spin has %s errors (%s)" % (answer["verdict"], row["errors"], row["first_error_kind"])
    exact = row["search"] == "all" and row["errors"] == "0" and (row["mode"] in ("np", "accept", "claim:never"))
    if exact and answer["states"]["stored"] != int(row["states_stored"]):
        return "%d states, not %s" % (answer["states"]["stored"], row["states_stored"])
    return None


def main():
    args = arguments("models", most=600000, cycles="ndfs,scc,owcty")
    rows = [r for r in read_table("promela-spin.tsv") if r["status"] == "complete" and r["variant"] == "full-o123" and
            (r["mode"].startswith("claim:") or r["mode"] in ("np", "accept")) and int(r["states_stored"]) <= args.most and
            (not args.models or any(m in r["file"] for m in args.models))]
    passed = failed = skipped = left_out = 0
    for row in sorted(rows, key=lambda r: int(r["states_stored"])):
        for engine in args.cycles.split(","):
            if row["first_error_kind"].startswith("runtime:"):
                skipped += 1
                if args.verbose:
                    print("skipped", row["file"], row["mode"], row["first_error_kind"])
            elif is_over(args):
                left_out += 1
            else:
                wrong = complaint(args, row, engine)
                passed += wrong is None
                failed += wrong is not None
                if wrong is not None:
                    print("FAIL", row["file"], row["mode"], row["search"], engine + ":", wrong)
    print("%d passed, %d failed, %d skipped, %d left out" % (passed, failed, skipped, left_out))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
