#!/usr/bin/env python3
"""Properties of the shared BEEM models against the verdicts of another tool.

    beem.py --cairn BUILD/cairn [--most STATES] [--seconds N] [--match TEXT] [--done FILE] [WORD…]

Words are options of `cairn check`, as --cycles scc. A model is left out if its product has more than STATES
states (2,000,000), as far as a search shows that: owcty visits them all, the others end with the first cycle. That a store
that may miss states found none counts as OK. With --done answers are kept in FILE, and those that it has are not asked for
again, so that a run that was stopped goes on. Not part of `meson test`: it takes minutes.
"""

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Where the other tool's verdict is not followed: why.
KNOWN = [re.compile(r"rether\.\d\.prop3"),      # there is a lasso, which replays
         re.compile(r"lifts\.[3-8]\.prop2")]     # no component of the whole product accepts
SHARED = Path(os.environ.get("CAIRN_SHARED", Path(__file__).resolve().parents[2] / ".." / "shared"))


def ask(cairn, path, options, words):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([cairn, "check", path, "--property", "acceptance", "--compiler", "tcc", "--json", "-",
                               "--max-states", str(options.most), "--time", str(options.seconds), *words],
                              cwd=folder, capture_output=True, text=True, errors="replace")
    return json.loads(done.stdout) if done.stdout.startswith("{") else {"verdict": done.stderr}


class Answers:
    """What was answered before, by model, in a file of lines."""

    def __init__(self, path):
        self.path = path
        self.known = {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.known = dict(json.loads(line) for line in file)

    def note(self, model, answer):
        self.known[model] = answer
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps([model, answer]) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", required=True)
    parser.add_argument("--most", type=int, default=2000000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--match", default="")
    parser.add_argument("--done")
    options, words = parser.parse_known_args()
    cairn = str(Path(options.cairn).resolve())
    right = wrong = 0
    answers = Answers(options.done)
    left_out, known = [], []
    with open(SHARED / "reference" / "beem-ltl-helena.tsv", encoding="utf-8") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    for row in rows:
        if row["verdict"] not in ("OK", "ERROR") or options.match not in row["model"]:
            continue
        if row["model"] not in answers.known:
            answers.note(row["model"], ask(cairn, SHARED / "models" / "dve" / (row["model"] + ".dve"), options, words))
        answer = answers.known[row["model"]]
        probably = answer["verdict"] == "inconclusive" and answer.get("guarantee") == "probable" and not answer.get("limit")
        got = "OK" if probably else {"verified": "OK", "violated": "ERROR"}.get(answer["verdict"])
        kind = (answer.get("error") or {}).get("kind", "acceptance-cycle")
        if answer["verdict"] == "inconclusive" and answer.get("limit"):
            left_out.append(row["model"])
        elif got == row["verdict"] and kind in ("acceptance-cycle", "claim-violated"):
            right += 1
        elif any(pattern.search(row["model"]) for pattern in KNOWN):
            known.append(row["model"])
        else:
            wrong += 1
            print(f"FAIL {row['model']}: {answer['verdict'].strip()[:300]} ({kind}), not {row['verdict']}")
            sys.stdout.flush()
    print(f"{right} right, {wrong} wrong, {len(left_out)} left out: {' '.join(left_out)}")
    print(f"{len(known)} known to differ: {' '.join(known)}")
    return 1 if wrong or not right else 0


if __name__ == "__main__":
    sys.exit(main())
