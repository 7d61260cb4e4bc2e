#!/usr/bin/env python3
"""Compares the automata of Promela models with those that Spin's verifier prints.

    automata.py [--dump PROGRAM] [--jobs N] [MODEL [-D…]…]

Without models: all of CAIRN_SHARED (default ../shared beside the sources) that Spin
accepts. Locations are numbered as they are reached, the edges of each in order, so that
equal automata are equal texts. Compared: edges, whether the process keeps control, end
and progress labels. Skipped, visibly, where spin or a C compiler is missing.
"""
import argparse
import concurrent.futures
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.environ.get("CAIRN_SHARED", os.path.join(ROOT, "..", "shared"))
# Where Cairn is right to differ: docs/promela.md says more.
KNOWN = {"array-initialiser-after-a-statement.pml": "Spin sets element 0 only of an array declared after a statement"}
STATE = re.compile(r"\tstate +(\d+) -\(tr +\d+\)-> state +(\d+)  \[id +(\d+) tp +\d+(?:,\d+)?(?: org +(\d+))?\]"
                   r" \[(.)(.)(.)(.)(.)\] .*? => (.*)")


def canonical(start, edges, flags):
    """Text of an automaton: edges[location] = [(to or None, keeps, escape, text)]."""
    number, order, lines = {start: 0}, [start], []
    for place in order:
        lines.append("%d %s" % (number[place], flags.get(place, "")))
        groups = {}
        for to, keeps, escape, text in edges.get(place, []):
            if to is not None and to not in number:
                number[to] = len(order)
                order.append(to)
            group = groups.setdefault(escape, len(groups)) if escape else "-"
            lines.append("  -> %s %s %s   # %s" % ("end" if to is None else number[to], "A" if keeps else "-",
                                                  group, text))
    return lines


def bare(lines):
    return [line.split("   #")[0] for line in lines]


def automata_of_spin(path, defines, folder):
    subprocess.run(["spin", *defines, "-a", "-o1", "-o2", "-o3", os.path.abspath(path)], cwd=folder,
                   capture_output=True, timeout=60)
    if not os.path.exists(os.path.join(folder, "pan.c")):
        return None
    p = subprocess.run(["gcc", "-O0", "-w", "-DNOREDUCE", "-DSAFETY", "-DNOFAIR", "-DVECTORSZ=20000",
                        "-o", "pan", "pan.c"], cwd=folder, capture_output=True, timeout=300)
    if p.returncode != 0:
        return None
    text = subprocess.run(["./pan", "-d"], cwd=folder, capture_output=True, timeout=60).stdout.decode("latin-1")
    with open(os.path.join(folder, "pan.t"), encoding="latin-1") as f:
        # Not those of the process that looks for non-progress: it uses numbers of the model's own again.
        atom = {m[1]: int(m[2]) for m in re.finditer(r"^(?!.*_NP_).*settr\((\d+),(\d+),", f.read(), re.M)}
    found, name = {}, None
    for line in text.split("\n"):
        m = STATE.match(line)
        if line.startswith(("proctype ", "init", "claim", "trace", "notrace")):
            name = line.split(" ")[1] if line.startswith("proctype ") else line
            found[name] = [None, {}, {}]
        elif m and name:
            start, edges, flags = found[name]
            place = int(m[1])
            found[name][0] = place if start is None else start
            to = int(m[2]) or None
            if to is not None or m[10] not in ("IF", "DO"):  # those have no option left
                edges.setdefault(place, []).append((to, (atom[m[3]] & 2) != 0, m[4], m[10]))
            flags[place] = m[7].strip("-") + m[8].strip("-")
    return {n: canonical(*a) for n, a in found.items() if n.split(" ")[0] not in ("claim", "trace", "notrace")}


def automata_of_cairn(dump, path, defines):
    p = subprocess.run([dump, path, *defines], capture_output=True, timeout=60)
    if p.returncode != 0:
        return None, p.stderr.decode("latin-1")
    found, name = {}, None
    for line in p.stdout.decode("latin-1").split("\n"):
        word = line.split(" ")
        if word[0] == "proctype":
            name = word[1].replace(":init:", "init")
            found[name] = [int(word[2]), {}, {}]
        elif word[0] == "L":
            found[name][2][int(word[1])] = word[2]
        elif word[0] == "E":
            found[name][1].setdefault(int(word[1]), []).append(
                (None if "E" in word[3] else int(word[2]), "A" in word[3], word[4].strip("0"), " ".join(word[5:])))
    return {n: canonical(start, *without_dsteps(edges, flags)) for n, (start, edges, flags) in found.items()}, ""


def without_dsteps(edges, flags):
    """Edges into a d_step lead to where it ends; whether control is kept, the last step says."""
    def leave(edge, seen):
        to, keeps, escape, text = edge
        if to is None or "d" not in flags[to]:
            return edge
        for next in edges.get(to, []):
            if next[0] is not None and next[0] not in seen:
                end = leave(next, seen | {next[0]})
                if end is not None:
                    return (end[0], end[1], escape, text)
        return None
    outer = {}
    for place, list in edges.items():
        if "d" not in flags[place]:
            outer[place] = [leave(e, {e[0]}) or (e[0], e[1], e[2], e[3]) for e in list]
    return outer, {place: "".join(c for c in f if c in "ep") for place, f in flags.items()}


def difference(name, want, got):
    """The two texts side by side, from a little before the first difference on."""
    first = next((i for i, (a, b) in enumerate(zip(bare(want), bare(got))) if a != b), min(len(want), len(got)))
    yield "%s: spin, cairn" % name
    for i in range(max(0, first - 8), min(first + 4, max(len(want), len(got)))):
        pair = [(t[i] if i < len(t) else "")[:58] for t in (want, got)]
        yield "%s %-60s%s" % (">" if i >= first else " ", *pair)


def compare(dump, path, defines):
    """(verdict, lines to show)"""
    with tempfile.TemporaryDirectory() as folder:
        try:
            want = automata_of_spin(path, defines, folder)
        except subprocess.TimeoutExpired:
            want = None
    if want is None:
        return "spin refuses", []
    got, why = automata_of_cairn(dump, path, defines)
    if got is None:
        known = [w for w in ("embedded C", "two 'else'") if w in why]
        return known[0] if known else "rejected", [why[:600]]
    lines = []
    for name, text in want.items():
        if bare(got.get(name, [])) != bare(text):
            lines += difference(name, text, got.get(name, []))
    known = KNOWN.get(os.path.basename(path))
    return ("known" if known else "differs", [known] if known else lines) if lines else ("same", [])


def all_models():
    path = os.path.join(SHARED, "reference", "promela-unreduced.tsv")
    with open(path, encoding="utf-8") as f:
        for row in csv.DictReader(f, delimiter="\t"):
            yield os.path.join(SHARED, "models", "promela", row["file"]), (row["defines"] or "").split()
    for file in sorted(os.listdir(os.path.join(SHARED, "cases"))):
        if file.endswith(".pml"):
            yield os.path.join(SHARED, "cases", file), []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dump", default="build/tests/promela/promela_dump")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("models", nargs="*")
    args, defines = parser.parse_known_args()
    if not shutil.which("spin") or not shutil.which("gcc"):
        print("SKIPPED: there is no spin, or no gcc")
        return 77
    models = [(m, defines) for m in args.models] or list(all_models())
    count = {}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for (path, given), (verdict, lines) in zip(models, pool.map(lambda m: compare(args.dump, *m), models)):
            count[verdict] = count.get(verdict, 0) + 1
            if verdict != "same":
                print("%s: %s %s" % (verdict.upper(), path, " ".join(given)))
                for line in lines if verdict != "differs" or len(args.models) > 0 else lines[:12]:
                    print("    " + line)
    print(", ".join("%d %s" % (n, verdict) for verdict, n in sorted(count.items())))
    return 1 if count.get("differs") or count.get("rejected") else 0


if __name__ == "__main__":
    sys.exit(main())
