#!/usr/bin/env python3
"""accept.py - which models the Promela front end takes, against what should be taken.

    accept.py READER [SOURCE_ROOT] [-v]

READER is the program of read.c. The models are in the shared folder (environment
variable CAIRN_SHARED, default ../shared beside the source root): all rows of
promela-unreduced.tsv are to be accepted, those of promela-not-accepted.tsv rejected (but
for the list below), and the cases as expected.tsv says. Exit 77 without the folder.
"""

import os
import subprocess
import sys
from pathlib import Path

# Rejected by Spin 6.5.2 and accepted here, with the reason.
ACCEPTED = {
    "case-studies/ltsmin-examples/zune.pml": "the file that it includes is there",
    "field/spin_paxos/optimized.pml": "the name of an array is an argument of an inline",
    "field/spin_paxos/unopt.pml": "the name of an array is an argument of an inline",
    "spin/LTL/patterns.pml": "the operator X",
}


def read(reader, folder, name, defines=()):
    """None if it was accepted, else the first message."""
    try:
        run = subprocess.run([reader, *defines, name], cwd=folder, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "timeout"
    text = run.stdout.decode(errors="replace") + run.stderr.decode(errors="replace")
    if run.returncode == 0:
        return None
    if run.returncode != 1:
        return f"status {run.returncode}: {text[-2000:]}"
    lines = [line for line in text.splitlines() if ": error:" in line or line.startswith("error:")]
    return lines[0] if lines else "rejected without a message"


def rows(path):
    for line in path.read_text(errors="replace").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


class Count:
    def __init__(self, name, verbose):
        self.name, self.verbose, self.good, self.all = name, verbose, 0, 0

    def add(self, what, good, message):
        self.all += 1
        self.good += good
        if not good or (self.verbose and message):
            print(f"  {'ok  ' if good else 'BAD '} {what}: {message or 'accepted'}")

    def close(self):
        print(f"{self.name}: {self.good} of {self.all}")
        return self.good == self.all


def main():
    arguments = [a for a in sys.argv[1:] if a != "-v"]
    verbose = "-v" in sys.argv
    reader = str(Path(arguments[0]).resolve())
    root = Path(arguments[1]) if len(arguments) > 1 else Path(__file__).resolve().parents[2]
    shared = Path(os.environ.get("CAIRN_SHARED", root / ".." / "shared"))
    if not (shared / "reference/promela-unreduced.tsv").exists():
        print(f"skipped: no shared models at {shared}")
        return 77
    models = shared / "models/promela"
    good = True

    count = Count("accepted, of those to be accepted", verbose)
    for row in list(rows(shared / "reference/promela-unreduced.tsv"))[1:]:
        message = read(reader, models, row[0], row[1].split())
        count.add(" ".join(row[:2]), message is None, message)
    good &= count.close()

    count = Count("rejected, of those to be rejected", verbose)
    for row in rows(shared / "reference/promela-not-accepted.tsv"):
        if row[0] == "file":
            continue
        message = read(reader, models, row[0])
        sane = message is None or ": error:" in message
        count.add(row[0], sane and (message is not None) != (row[0] in ACCEPTED), message)
    good &= count.close()

    count = Count("cases as expected", verbose)
    seen = set()
    for row in list(rows(shared / "cases/expected.tsv"))[1:]:
        if row[0] in seen:
            continue
        seen.add(row[0])
        message = read(reader, shared / "cases", row[0])
        sane = message is None or ": error:" in message
        count.add(row[0], sane and (message is not None) == (row[4] == "rejected"), message)
    good &= count.close()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
