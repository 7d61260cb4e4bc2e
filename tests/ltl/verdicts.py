#!/usr/bin/env python3
"""verdicts.py - formulas of the shared Promela cases, and of models of this project, against their verdicts.

    verdicts.py --verdict BUILD/tests/ltl/verdict --source SOURCE_ROOT

The formula is cut out of the model's text, so that our parser reads it and the model's own language only its
expressions. The shared cases are left out, with a line that says so, where they are not at hand.
"""

import argparse
import csv
import os
import re
import subprocess
import sys
from pathlib import Path

# (model, formula, verdict). Peterson: nobody has to want in, but who does gets in if the processes go on.
OWN = [
    ("models/peterson.dve", "[] !(P.critical && Q.critical)", "ok"),
    ("models/peterson.dve", "[] (P.waits -> <> P.critical)", "ok"),
    ("models/peterson.dve", "<> P.critical", "acceptance-cycle"),
    ("models/peterson.dve", "!P.critical W P.waits", "ok"),
    ("models/peterson.dve", "[] <> P.critical -> [] <> Q.idle", "ok"),
]


def formula_of(text, name):
    """What is between the braces of ltl NAME { … }."""
    found = re.search(rf"^\s*ltl\s+{name}\s*\{{", text, re.MULTILINE)
    depth, end = 1, found.end()
    while depth > 0:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return text[found.end():end - 1].strip().rstrip(";")


def rows(shared):
    with open(shared / "cases" / "expected.tsv") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["mode"].startswith("ltl:") and "fairness" not in row["options"]:
                path = shared / "cases" / row["file"]
                yield path, formula_of(path.read_text(), row["mode"][4:]), row["verdict"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--verdict", required=True)
    parser.add_argument("--source", type=Path, required=True)
    options = parser.parse_args()
    shared = Path(os.environ.get("CAIRN_SHARED", options.source / ".." / "shared"))
    cases = [(options.source / path, formula, verdict) for path, formula, verdict in OWN]
    if (shared / "cases" / "expected.tsv").exists():
        cases += rows(shared)
    else:
        print("the shared cases are not here: left out")
    failed = 0
    for path, formula, verdict in cases:
        done = subprocess.run([options.verdict, str(path), formula], capture_output=True, text=True, timeout=120)
        said = done.stdout.split("\t")[0] if done.returncode == 0 else done.stderr
        if said != verdict:
            failed += 1
            print(f"{path.name}: {formula}\n  {said}, not {verdict}")
    print(f"{len(cases)} formulas, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
