"""reference.py - the reference tables, and the command line of the programs that compare with them.

The tables and models are in the folder CAIRN_SHARED (default ../shared beside the sources).
Without it everything is skipped, and says so.
"""
import argparse
import csv
import os
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = os.environ.get("CAIRN_SHARED", os.path.join(ROOT, "..", "shared"))
TYPES = {"least": int, "most": int, "jobs": int, "seconds": float, "timeout": float}


def read_table(name):
    """Its rows, as dictionaries."""
    with open(os.path.join(SHARED, "reference", name), encoding="utf-8") as f:
        return list(csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t"))


def arguments(what, **defaults):
    """The options of the command line: --cairn, --verbose, one for each default, and names of `what`.

    args.end is when --seconds are over, or None. Ends the program if there are no tables.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.environ.get("CAIRN", "build/cairn"))
    parser.add_argument("--verbose", action="store_true")
    for name, default in {"seconds": None, **defaults}.items():
        parser.add_argument("--" + name, type=TYPES.get(name, str), default=default)
    parser.add_argument(what, nargs="*")
    args = parser.parse_args()
    if not os.path.isdir(os.path.join(SHARED, "reference")):
        print("SKIPPED: there is no %s (set CAIRN_SHARED)" % SHARED)
        sys.exit(77)
    args.cairn = os.path.abspath(args.cairn)
    args.end = None if args.seconds is None else time.monotonic() + args.seconds
    return args


def is_over(args):
    """Whether --seconds are over."""
    return args.end is not None and time.monotonic() > args.end
