"""Single runs of `cairn check` by way of `cairn bench`, for grids that are searched, not swept.

What to run next depends on what came out before, so no suite can list it; each run is a
suite of one row. `cairn bench` notes it in a file of its model, and a driver that was
interrupted and is started again goes through what it had in a moment.
"""
import csv
import json
import os
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = os.environ.get("CAIRN_SHARED", os.path.join(ROOT, "..", "shared"))
SHOW = {"visited": "states.visited", "stored": "states.peak_stored", "tree": "states.peak_tree",
        "events": "events", "guarantee": "guarantee", "limit": "limit", "rounds": "states.rounds",
        "persistent": "states.persistent", "widest": "states.widest_class"}


def read_paper(number):
    """The rows of a table of the paper, or None where the tables are missing."""
    path = os.path.join(SHARED, "reference", "seed-tables", "002-caching-table%d.tsv" % number)
    if not os.path.exists(path):
        print("SKIP: no reference tables in %s (set CAIRN_SHARED)" % SHARED)
        return None
    with open(path, encoding="utf-8") as f:
        return list(csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t"))


class Trials:
    """Runs of one model."""

    def __init__(self, cairn, folder, model, options):
        os.makedirs(folder, exist_ok=True)
        self.cairn, self.model, self.made = cairn, model, 0
        self.suite = os.path.join(folder, model + ".tsv")
        self.results = os.path.join(folder, model + ".jsonl")
        path = os.path.join(os.path.abspath(SHARED), "models", "dve", model + ".dve")
        self.head = ["set\trepeat\t1", "set\tseconds\t3600", "\t".join(["model", model, path, options])]

    def run(self, words):
        """The figures of SHOW for these options of `cairn check`."""
        options = " ".join(shlex.quote(w) for w in words)
        name = "_".join(w for w in words if not w.startswith("--")).replace(" ", "")
        table = ["table", "T", "rows=run"] + ["show=%s:=%s" % s for s in SHOW.items()]
        with open(self.suite, "w", encoding="utf-8") as f:
            f.write("\n".join(self.head + ["run\t%s\t%s" % (name, options), "\t".join(table), ""]))
        done = subprocess.run([self.cairn, "bench", self.suite, "--results", self.results, "--table", "json"],
                              capture_output=True, text=True)
        if done.returncode == 3:
            sys.exit(3)
        if done.returncode != 0:
            sys.exit("%s %s: %s" % (self.model, options, done.stderr.strip()[:300]))
        self.made += 1
        return json.loads(done.stdout)[0]["rows"][0]
