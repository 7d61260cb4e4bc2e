#!/usr/bin/env python3
"""Odd corners of C text in Promela models: Spin beside Cairn.

    embedded.py [--cairn PROGRAM] [NAME...]

Each model in the folder `embedded` is searched by the verifier that `spin -a -o1 -o2 -o3` makes, with all
reductions off, and by cairn; compared are stored states, transitions (events + 1) and how many errors there are. (Steps
of a never claim are counted in another way, and after a model error Spin goes on: there only states, and whether there are errors.)
A first line "// spin order: ORDER" has cairn search in that order. Skipped, visibly, where there is no
spin, or neither tcc nor gcc.
"""
import argparse
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from random_spin import ask_cairn, ask_spin  # noqa: E402

ORDER = "// spin order: "


def compare(cairn, path, compiler):
    """A sentence, or "" where both say the same."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    first, has_claim = text.split("\n")[0], "never {" in text
    extra = ["--allow-c", "--compiler", compiler]
    extra += ["--order", first[len(ORDER):]] if first.startswith(ORDER) else []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, os.path.join(folder, "m.pml"))
        want, why = ask_spin(folder, seconds=20)
        got, wrong = ask_cairn(cairn, folder, extra)
    if want is None or got is None:
        return why or wrong
    same = [a == b for a, b in zip(want, got)]
    if same[0] and (want[2] > 0) == (got[2] > 0) and (got[3] == "model-error" or (same[2] and has_claim)):
        return ""
    return "" if all(same[:3]) else "spin: %d states, %d transitions, %d errors; cairn: %d, %d, %d" % (*want[:3], *got[:3])


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--cairn", default="build/cairn")
    options.add_argument("names", nargs="*")
    options = options.parse_args()
    if not shutil.which("spin") or not (shutil.which("tcc") or shutil.which("gcc")):
        print("skipped: spin and a C compiler are needed")
        return 77
    folder = os.path.join(HERE, "embedded")
    failed = 0
    models = sorted(name for name in os.listdir(folder) if not options.names or name[:-4] in options.names)
    for i, name in enumerate(models):
        compiler = "cc" if i % 4 == 0 and shutil.which("cc") else "tcc"
        wrong = compare(os.path.abspath(options.cairn), os.path.join(folder, name), compiler)
        if wrong:
            failed += 1
            print("FAILED %s (%s): %s" % (name, compiler, wrong))
    print("%d passed, %d failed" % (len(models) - failed, failed))
    return failed > 0 or not models


if __name__ == "__main__":
    sys.exit(main())
