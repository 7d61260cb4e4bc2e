#!/usr/bin/env python3
"""Promela models that go backward: the same states, each once.

    backward.py [--cairn PROGRAM] [--count N] [--first SEED] [--jobs N] [--cases | --shared] [--most STATES] [--keep FOLDER]

Random models, or with --cases those below, or with --shared the smallest ones of reference/promela-unreduced.tsv. Each is searched plainly, and with states that go when all that leads to them has
come (--forget pseudo-root), in several orders: states visited, events, deadlocks and errors must be the same, and
none be visited again. --self-check lists all states before each that is found: the one that it was found from must be
among them, each must lead there, and they must be as many as are counted. With --store comback:backward states are
found again by undoing events: the figures must be the same, too. All of that also with dead variables set to zero. What the model says that it cannot do is skipped.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import random_model  # noqa: E402
from figures import complaints as contradictions  # noqa: E402
from reference import SHARED, read_table  # noqa: E402

REDUCE = ["--reduce", "dead"]
# Small models, the states of each, how many keep a counter for a state before them that is never reached, and of how
# many it cannot be told what leads to them.
CASES = {
    "ends": ("byte x; active proctype P() { byte k = 2; do :: k > 0 -> k--; x++ :: else -> break od }", 9, 1, 0),
    "ends-unknown": ("int x; active proctype P() { int k; do :: x < 9 -> k = x * 1000; x++ :: x > 5 -> break od }", 36, 0, 13),
    "runs": ("byte x; proctype P(byte a, b) { byte k = a + b; x = x + k } init { atomic { run P(1, 2); run P(3, 4) } }", 9, 3, 0),
    "runs-number": ("byte n; proctype P() { skip } init { n = run P(); (_nr_pr == 1); n = run P() }", 9, 0, 0),
    "own-channel": ("proctype P(chan c) { byte v; c?v } init { chan d = [1] of { byte }; run P(d); d!7 }", 6, 0, 2),
    "own-ends": ("proctype P() { chan d = [1] of { byte }; d!7 } init { run P() }", 5, 0, 2),
    "handshake": ("chan c = [0] of { byte, bit }; byte x; active proctype P() { do :: c!x,1 :: c!2,0 od }"
                  "active proctype Q() { byte v; do :: c?v,1 -> x = (v + 1) % 3 :: c?v,0 od }", 9, 5, 0),
    "handshake-keeps": ("chan c = [0] of { byte }; byte x; active proctype P() { do :: c!x; x = 1 od }"
                        "active proctype Q() { byte v; do :: atomic { c?v; x = 2; v = 0 } od }", 3, 2, 0),
    "sorted": ("chan c = [3] of { byte }; active proctype P() { do :: c!!1 :: c!!2 :: c!!2 :: c??1 :: c?_ od }", 10, 5, 0),
    "copies": ("chan c = [2] of { byte }; byte x; active proctype P() { do :: c!1 :: c!2 :: c?<x> :: c??<2> :: c?[1] -> c?x od }", 23, 6, 0),
    "which-channel": ("chan c[2] = [1] of { byte }; byte i; active proctype P() { do :: c[i]!i; i = 1 - i :: c[i]?_ od }", 8, 3, 0),
    "atomic": ("byte x, y; active [2] proctype P() { do :: atomic { x < 3; x++; y = x; x = (y > 2 -> 0 : x) } :: atomic { y > 0 -> y = 0 } od }",
               6, 0, 6),
    "two-ways": ("byte y; active proctype P() { do :: atomic { true; if :: y = 0 :: y = y fi } :: y = 1 od }", 2, 0, 0),
    "blocks": ("byte x; active proctype P() { do :: atomic { x = 1; x == 2; x = 0 } od } active proctype Q() { do :: x == 1 -> x = 2 od }", 4, 0, 0),
    "d-step": ("byte a[3], i; active proctype P() { do :: d_step { i = 0; do :: i < 3 -> a[i] = 1 - a[i]; i++ :: else -> break od; i = 0 } od }", 2, 0, 0),
    "last-resorts": ("byte x; active proctype P() provided (x < 3) { do :: x == 0 -> x = 1 :: else -> x++ :: timeout -> x = 0 od }"
                     "active proctype Q() { do :: timeout -> x = 0 od }", 8, 2, 2),
    "unless": ("byte x; active proctype P() { do :: { x = 1; x = 2; x = 0 } unless { x == 2; x = 3; x = 0 } od }", 5, 0, 0),
    "hidden": ("hidden byte h; byte x; active proctype P() { do :: atomic { h = x + 1; x = h % 3 } od }", 3, 0, 0),
}

WAYS = [(order, ["--forget", "pseudo-root"]) for order in ("bfs", "dfs", "best:pseudo-root")]
WAYS += [(order, ["--store", "comback:hash=4+cache=0+anchors=0+backward" + more])
         for order, more in (("bfs", ""), ("dfs", "+shorten"))]


def ask(args, path, *extra):
    """The answer, a sentence, or None: refused, or (said with --verbose) too slow."""
    command = [args.cairn, "check", *path.split("\n"), "--spin", "--warn", "no-spin", "--keep-going", "--compiler", "tcc", "--max-states", str(args.most),
               "--trail", os.devnull, "--json", "-", *extra]
    try:
        p = subprocess.run(command, capture_output=True, text=True, timeout=args.seconds, check=False)
    except subprocess.TimeoutExpired:
        if args.verbose:
            print("slow: %s" % " ".join(command), flush=True)
        return None
    if p.returncode == 2:
        return None
    if p.returncode not in (0, 1, 3) or "{" not in p.stdout:
        return "exit status %d: %s" % (p.returncode, (p.stderr + p.stdout).strip()[:600])
    answer = json.loads(p.stdout[p.stdout.index("{"):])
    wrong = contradictions(answer, p.returncode)
    if "internal error" in p.stderr or "internal error" in p.stdout:
        wrong.append((p.stderr + p.stdout).strip()[:600])
    return "; ".join(wrong) or answer


def differences(args, path, plain, reduce):
    """Sentences, and of how many states the number before them could not be told."""
    found, full = [], None
    for order, words in WAYS:
        check = ["--self-check"] if words[0] == "--forget" and order == "bfs" else []
        answer = ask(args, path, "--order", order, *words, *check, *reduce)
        if answer is None:
            continue
        if isinstance(answer, str) or answer.get("limit"):
            found.append("%s %s: %s" % (order, " ".join([*words, *reduce]), answer if isinstance(answer, str) else answer["limit"]))
            continue
        states = answer["states"]
        forgets = words[0] == "--forget"
        pairs = [("states", states["visited" if forgets else "stored"], plain["states"]["stored"]),
                 ("visited again", states.get("revisited") or 0, 0)]
        pairs += [(key, answer[key], plain[key]) for key in ("events", "deadlocks", "errors", "verdict")]
        found += ["%s %s: %s %s, not %s" % (order, " ".join([*words, *reduce]), what, got, want)
                  for what, got, want in pairs if got != want]
        if forgets:
            full = states["kept_full"] / max(1, states["visited"])
    return found, full


def compare(args, path, name):
    """(name, how it went, sentences, which part of the states had a full counter)"""
    plain = ask(args, path)
    if isinstance(plain, str):
        return name, "failed", [plain], None
    if plain is None or plain.get("limit"):
        return name, "skipped", [], None
    found, full = differences(args, path, plain, [])
    dead = ask(args, path, *REDUCE)
    if isinstance(dead, dict) and not dead.get("limit"):
        found += differences(args, path, dead, REDUCE)[0]
    if found and args.keep:
        os.makedirs(args.keep, exist_ok=True)
        shutil.copy(path.split("\n")[0], os.path.join(args.keep, "%s.pml" % name))
    return name, "failed" if found else "refused" if full is None else "passed", found, full


def compare_random(args, seed):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.pml")
        with open(path, "w", encoding="ascii") as f:
            f.write(random_model.Model(seed).text())
        return compare(args, path, str(seed))


def compare_shared(args, row):
    path = os.path.join(SHARED, "models", "promela", row["file"])
    words = [path, *row["defines"].split(), "--allow-c", "--property", "safety"]
    return compare(args, "\n".join(words), (row["file"] + " " + row["defines"]).strip().replace("/", "-"))


def compare_case(args, name):
    text, *want = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.pml")
        with open(path, "w", encoding="ascii") as f:
            f.write(text + "\n")
        name, how, found, full = compare(args, path, name)
        states = ask(args, path, "--forget", "pseudo-root")["states"]
    got = [states["visited"], states["kept_unreached"], states["kept_full"]]
    if got != want:
        how = "failed"
        found.append("%s states, %s kept for what is never reached, %s for numbers that cannot be told; not %s, %s, %s" % (*got, *want))
    return name, how, found, full


def tasks(args):
    if args.cases:
        return [(compare_case, name) for name in CASES]
    if not args.shared:
        return [(compare_random, seed) for seed in range(args.first, args.first + args.count)]
    rows = [row for row in read_table("promela-unreduced.tsv")
            if int(row["states"]) <= args.most and not row["first_error_kind"].startswith("runtime:")]
    return [(compare_shared, row) for row in sorted(rows, key=lambda row: int(row["transitions"]))[:args.count]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--cases", action="store_true")
    parser.add_argument("--shared", action="store_true")
    parser.add_argument("--most", type=int, default=5000)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--keep")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    if args.shared and not os.path.isdir(os.path.join(SHARED, "reference")):
        print("SKIPPED: there is no %s (set CAIRN_SHARED)" % SHARED)
        return 77
    count, worst = {"passed": 0, "failed": 0, "refused": 0, "skipped": 0}, 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for name, how, found, full in pool.map(lambda task: task[0](args, task[1]), tasks(args)):
            count[how] += 1
            worst += full is not None and full > 0.1
            if args.verbose:
                print("%s %s %s" % (how, name, full), flush=True)
            for sentence in found:
                print("%s: %s" % (name, sentence))
    print("%s; %d keep a tenth or more of their states for numbers that cannot be told" %
          (", ".join("%d %s" % (n, how) for how, n in count.items()), worst))
    return 1 if count["failed"] else 77 if count["passed"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
