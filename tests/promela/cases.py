#!/usr/bin/env python3
"""Runs the tiny Promela models of cases/expected.tsv and compares verdicts and counts.

    cases.py [--cairn PROGRAM] [--cc-every N] [CASE…]

For every row: the verdict, and where they are given, states and transitions (events + 1),
with bfs and dfs, tcc and cc; of rows about runs (formulas, never claims, labels) with each engine
of cycles; --cc-every: with cc only every N-th row. Embedded C is allowed. The cases are in the folder CAIRN_SHARED (default
../shared beside the sources); without it everything is skipped, and says so.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from figures import complaints as contradictions  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.environ.get("CAIRN_SHARED", os.path.join(ROOT, "..", "shared"))
NEVER = re.compile(r"\bnever\s*(\w+\s*)?\{")
OPTIONS = {"claim=none": ["--claim", "none"], "queues=empty": ["--end-queues", "empty"],
           "sendfull=lose": ["--send-full", "lose"], "fairness=weak": ["--fairness", "weak"]}

ENGINES = [["--cycles", "ndfs"], ["--cycles", "scc"], ["--cycles", "owcty"]]


def read_cases():
    with open(os.path.join(SHARED, "cases", "expected.tsv"), encoding="utf-8") as f:
        return list(csv.DictReader(f, delimiter="\t"))


def text_of(row):
    with open(os.path.join(SHARED, "cases", row["file"]), encoding="utf-8") as f:
        return re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)


def about_runs(row):
    """Options that ask for what the row is about, if it is about runs; else None."""
    if row["mode"].startswith("ltl:"):
        return ["--claim", row["mode"][4:]]
    if row["mode"] == "safety" and NEVER.search(text_of(row)) and "claim=none" not in row["options"]:
        return ["--property", "acceptance"]
    return {"acceptance": ["--property", "acceptance"], "nonprogress": ["--property", "progress"]}.get(row["mode"])


def ask(cairn, path, options):
    with tempfile.TemporaryDirectory() as folder:
        p = subprocess.run([cairn, "check", path, "--json", "-", "--allow-c", *options], cwd=folder,
                           capture_output=True, text=True, errors="replace", timeout=120)
    answer = json.loads(p.stdout[p.stdout.index("{"):]) if "{" in p.stdout else {}
    return p, answer


def complaints(cairn, row, options):
    """What differs, as sentences."""
    path = os.path.join(SHARED, "cases", row["file"])
    p, answer = ask(cairn, path, options)
    if p.returncode not in (0, 1, 2, 3):
        yield "exit status %d %s" % (p.returncode, p.stderr[:300])
        return
    if row["verdict"] == "rejected":
        if p.returncode != 2 or "rror:" not in p.stderr:
            yield "not rejected"
        return
    yield from contradictions(answer, p.returncode)
    verdict, kind = answer.get("verdict"), (answer.get("error") or {}).get("kind")
    got = "ok" if verdict == "verified" else kind if verdict == "violated" else verdict
    if got == "claim-violated" and row["mode"].startswith("ltl:"):
        got = "acceptance-cycle"  # the table does not know formulas that a beginning violates
    if got != row["verdict"]:
        yield "%s, not %s: %s" % (got, row["verdict"], (answer.get("error") or p.stderr or answer))
    if row["states"]:
        _, answer = ask(cairn, path, [*options, "--keep-going"])
        if answer:
            got = answer["states"]["stored"], (answer["events"] or 0) + 1
            if got != (int(row["states"]), int(row["transitions"])):
                yield "%d states and %d transitions, not %s and %s" % (*got, row["states"], row["transitions"])


def run_row(cairn, row, with_cc):
    """(runs that passed, sentences)"""
    passed, wrong = 0, []
    runs = about_runs(row)
    engines = [e for e in ENGINES if "fairness" not in row["options"] or "scc" in e]
    for way in engines if runs else (["--order", "bfs"], ["--order", "dfs"]):
        for compiler in ["tcc"] + (["cc"] if with_cc and way[1] in ("bfs", "ndfs") else []):
            options = [o for word in row["options"].split() for o in OPTIONS[word]]
            options += [*(runs or ["--property", "safety"]), *way, "--compiler", compiler]
            found = list(complaints(cairn, row, options))
            wrong += ["%s %s: %s" % (row["file"], " ".join(options), c) for c in found]
            passed += not found
    return passed, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--cc-every", type=int, default=1)
    parser.add_argument("cases", nargs="*")
    args = parser.parse_args()
    if not os.path.isdir(os.path.join(SHARED, "cases")):
        print("SKIPPED: there is no %s (set CAIRN_SHARED)" % SHARED)
        return 77
    rows = [r for r in read_cases() if not args.cases or any(c in r["file"] for c in args.cases)]
    chosen = rows
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(2) as pool:
        os.environ["XDG_CACHE_HOME"] = cache
        has_cc = shutil.which("cc") is not None
        results = list(pool.map(lambda i: run_row(os.path.abspath(args.cairn), chosen[i], has_cc and i % args.cc_every == 0),
                                range(len(chosen))))
    for _, wrong in results:
        for line in wrong:
            print("FAIL", line)
    failed = sum(len(wrong) for _, wrong in results)
    print("%d passed, %d failed, %d skipped" % (sum(n for n, _ in results), failed, len(rows) - len(chosen)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
