#!/usr/bin/env python3
"""Runs the models of differences/, where Spin departs from its language reference.

    differences.py [--cairn PROGRAM] [--no-spin] [MODEL…]

The lines at the head of a model say what comes out:

    // rule: what the language asks for
    // cairn: verified 4 3        the verdict (with the kind of a violation), states, events
    // cairn --spin: verified 9 8 the same with --spin; without this line the same as above
    // asks: --claim never_0      what is asked for; without this line --property safety --keep-going
    // note: some words           of the note that --warn spin gives, and --warn no-spin does not
    // spin: 4 4 1                states, transitions and errors of Spin's verifier, which is run where
                                  there is one, with no reduction; refused; no end (not run)

docs/promela.md has to name each model in its table, and no other ones.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import random_spin  # noqa: E402

FOLDER = os.path.join(HERE, "differences")
TABLE = os.path.join(HERE, "..", "..", "docs", "promela.md")


def read_head(path):
    head = {}
    with open(path, encoding="ascii") as f:
        for line in f:
            if line.startswith("// "):
                key, _, value = line[3:].strip().partition(": ")
                head[key] = value
    return head


def ask_cairn(cairn, path, *options):
    """(what is to be compared, what was said)"""
    with tempfile.TemporaryDirectory() as folder:
        p = subprocess.run([cairn, "check", path, "--json", "-", *options], cwd=folder,
                           capture_output=True, text=True, errors="replace", timeout=60)
    if p.returncode == 2:
        return "rejected", p.stderr
    j = json.loads(p.stdout[p.stdout.index("{"):])
    kind = " " + j["error"]["kind"] if j.get("error") else ""
    return "%s%s %d %d" % (j["verdict"], kind, j["states"]["stored"], j["events"]), p.stderr


def ask_spin(path):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, os.path.join(folder, "m.pml"))
        p = random_spin.run(["spin", "-a", "-o1", "-o2", "-o3", "m.pml"], folder, 60)
        if re.search(r"Error: |placed incorrectly", p.stdout):
            return "refused"
        random_spin.run(["gcc", "-O0", "-w", "-DNOREDUCE", "-DSAFETY", "-DNOFAIR", "-o", "pan", "pan.c"], folder, 120)
        out = random_spin.run(["./pan", "-n", "-c0", "-m10000"], folder, 60).stdout
    m = re.search(r"errors: (\d+).*?(\d+) states, stored.*?(\d+) transitions", out, re.S)
    return "%s %s %s" % (m[2], m[3], m[1]) if m else out[:200]


def complaints(args, name):
    path = os.path.join(FOLDER, name)
    head = read_head(path)
    asks = head.get("asks", "--property safety --keep-going").split()
    usual, said = ask_cairn(args.cairn, path, *asks)
    if usual != head["cairn"]:
        yield "cairn: %s, not %s" % (usual, head["cairn"])
    got, _ = ask_cairn(args.cairn, path, *asks, "--spin")
    if got != head.get("cairn --spin", head["cairn"]):
        yield "cairn --spin: " + got
    if "note" in head and head["note"] not in said:
        yield "there is no note: " + said[:200]
    if "note" not in head and ": note: " in re.sub(r"warning:.*?note:", "", said, flags=re.S):
        yield "a note that was not expected: " + said[:200]
    if ": note: " in re.sub(r"warning:.*?note:", "", ask_cairn(args.cairn, path, *asks, "--warn", "no-spin")[1], flags=re.S):
        yield "a note with --warn no-spin"
    if args.spin and head["spin"] != "no end":
        got = ask_spin(path)
        if got != head["spin"]:
            yield "spin: %s, not %s" % (got, head["spin"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--no-spin", dest="spin", action="store_false")
    parser.add_argument("models", nargs="*")
    args = parser.parse_args()
    args.cairn = os.path.abspath(args.cairn)
    if args.spin and not (shutil.which("spin") and shutil.which("gcc")):
        print("SKIPPED: what Spin says, for there is no spin or no gcc")
        args.spin = False
    names = sorted(n for n in os.listdir(FOLDER) if not args.models or any(m in n for m in args.models))
    failed = 0
    for name in names:
        found = list(complaints(args, name))
        failed += bool(found)
        for line in found:
            print("FAIL %s: %s" % (name, line))
    if not args.models:
        with open(TABLE, encoding="utf-8") as f:
            told = set(re.findall(r"promela/differences/([\w-]+)\.pml\)", f.read()))
        for name in sorted(told ^ {n.removesuffix(".pml") for n in names}):
            failed += 1
            print("FAIL %s is not both in differences/ and in docs/promela.md" % name)
    print("%d passed, %d failed" % (len(names) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
