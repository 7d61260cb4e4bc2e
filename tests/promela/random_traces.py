#!/usr/bin/env python3
"""Small random Promela models with random traces: Spin beside Cairn.

    random_traces.py [--cairn PROGRAM] [--count N] [--first SEED] [--keep FOLDER]

Some processes send and receive on a buffered channel, one with two fields, a rendezvous channel and an array of channels; a trace or
notrace is about some of them. Compared are, over all states: stored states, transitions, and whether there is an error. Where a
message fits two events of the trace Spin ends, and so does Cairn, by a model error. Spin has a rendezvous send count for the trace
even where nobody takes the message: models in which it alone reports an error, of a trace about such sends, are counted apart.
Skipped, visibly, where there is no spin, or neither tcc nor gcc.
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from random_spin import run  # noqa: E402

HEAD = """mtype = { red, green };
chan a = [%d] of { byte };
chan b = [2] of { mtype, byte };
chan d = [0] of { byte };
chan f[2] = [1] of { byte };
byte g;
"""
CHANNELS = {"a": 1, "b": 2, "d": 1, "f[0]": 1, "f[1]": 1}


def sent(r, fields):
    return ",".join((["red", "green"] if fields - i == 2 else ["0", "1", "2", "g"]) [r.randrange(2 if fields - i == 2 else 4)]
                    for i in range(fields))


def received(r, fields):
    return ",".join(r.choice(["red", "green", "_", "m"] if fields - i == 2 else ["x", "x", "_", "1", "0", "eval(g)"])
                    for i in range(fields))


def message(r, process):
    name = r.choice(sorted(CHANNELS))
    sends = process if r.random() < 0.7 else not process
    return name + ("!" + sent(r, CHANNELS[name]) if sends else "?" + received(r, CHANNELS[name]))


def statement(r, process):
    kind = r.randrange(8)
    if kind == 0:
        return r.choice(["g = (g + 1) % 3", "g = 0", "skip", "g = x"])
    if kind == 1:
        return "atomic { %s; g = 1 }" % message(r, process)
    if kind == 2:
        return "if :: %s :: %s fi" % (message(r, process), message(r, process))
    return message(r, process)


def proctype(r, i):
    body = ";\n    ".join(statement(r, i % 2 == 0) for _ in range(r.randrange(1, 4)))
    body = "do :: %s od" % body if r.random() < 0.6 else body
    return "active proctype P%d() { byte x; mtype m;\n    %s\n}\n" % (i, body)


def event(r):
    name = r.choice(sorted(CHANNELS))
    n = CHANNELS[name]
    if r.random() < 0.6:
        return name + "!" + ",".join(r.choice(["red", "green"] if n - i == 2 else ["0", "1", "2", "g"])
                                     for i in range(1 if n == 2 and r.random() < 0.4 else n))
    return name + "?" + received(r, n).replace("x", "_").replace("m", "_")


def trace(r):
    n = r.randrange(1, 4)
    out = [r.choice(["trace {", "trace {", "notrace {"])]
    for i in range(n):
        out.append("S%d: if" % i)
        for _ in range(r.randrange(1, 6)):
            out.append("  :: %s -> %s" % (event(r), r.choice(["goto S%d" % r.randrange(n)] * 4 + ["goto out"])))
        out.append("  fi;")
    return "\n".join(out) + "\nout:\n" + r.choice(["}", "  a!1 }"]) + "\n"


def ask_spin(folder):
    p = run(["spin", "-a", "-o1", "-o2", "-o3", "m.pml"], folder, 20)
    if not os.path.exists(os.path.join(folder, "pan.c")):
        return None, "spin refuses: " + p.stdout[:300]
    compiler = ["tcc"] if shutil.which("tcc") else ["gcc", "-O0"]
    if run([*compiler, "-w", "-DNOREDUCE", "-DNOFAIR", "-o", "pan", "pan.c"], folder, 120).returncode != 0:
        return None, "the compiler refuses"
    out = run(["./pan", "-E", "-n", "-c0", "-m200000", "-w18"], folder, 5).stdout
    if "non-determinism" in out:
        return "several", ""
    stored, moves = re.search(r"(\d+) states, stored", out), re.search(r"(\d+) transitions", out)
    errors = re.search(r"errors: (\d+)", out)
    if stored is None or moves is None or errors is None:
        return None, "pan: " + out.strip()[:200]
    return (int(stored[1]), int(moves[1]) - 1, int(errors[1]) > 0), ""


def ask_cairn(cairn, folder, *words):
    p = run([cairn, "check", "m.pml", "--property", "safety", "--no-deadlock", "--warn", "no-spin", "--keep-going", "--trail", os.devnull,
             "--json", "-", *words], folder, 300)
    if p.returncode not in (0, 1) or "{" not in p.stdout:
        return None, "cairn: exit status %d: %s%s" % (p.returncode, p.stderr.strip()[:400], p.stdout[:200])
    j = json.loads(p.stdout[p.stdout.index("{"):])
    kind = (j.get("error") or {}).get("kind")
    if kind not in (None, "claim-violated", "model-error"):
        return None, "cairn: the error is %s" % kind
    return (j["states"]["stored"], j["events"], j["errors"] > 0, kind), ""


def compare(cairn, folder, text):
    want, why = ask_spin(folder)
    if want is None:
        return "skipped", why
    got, why = ask_cairn(cairn, folder, "--self-check")
    if got is None:
        return "differs", why
    offers = "d!" in text[text.index("trace {"):]
    if want == "several" and not got[2] and offers:
        return "apart", ""
    if want == "several":  # the first error that Cairn shows may be another
        return ("several", "") if got[2] else ("differs", "%s, but Spin has two events for one message" % (got,))
    reduced, why = ask_cairn(cairn, folder, "--reduce", "por")
    if reduced is None or reduced[2] != got[2]:
        return "differs", "with por: %s" % (why or str(reduced))
    if got[:3] == want:
        return "same", ""
    if want[2] and not got[2] and offers and got[:2] == want[:2]:
        return "apart", ""
    return "differs", "%s, but Spin %s" % (got, want)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep")
    args = parser.parse_args()
    if not shutil.which("spin") or not (shutil.which("tcc") or shutil.which("gcc")):
        print("SKIPPED: there is no spin, or no C compiler for what it makes")
        return 77
    count = {"same": 0, "several": 0, "apart": 0, "differs": 0, "skipped": 0}
    for seed in range(args.first, args.first + args.count):
        r = random.Random(seed)
        text = HEAD % r.choice([1, 2]) + "".join(proctype(r, i) for i in range(r.randrange(2, 4))) + trace(r)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.pml")
            with open(path, "w", encoding="ascii") as f:
                f.write(text)
            try:
                verdict, sentence = compare(os.path.abspath(args.cairn), folder, text)
            except subprocess.TimeoutExpired:
                verdict, sentence = "skipped", "no end"
            count[verdict] += 1
            if verdict == "differs":
                print("FAIL seed %d: %s" % (seed, sentence))
                if args.keep:
                    os.makedirs(args.keep, exist_ok=True)
                    shutil.copy(path, os.path.join(args.keep, "%d.pml" % seed))
    print("%(same)d same, %(several)d with two events for a message, %(apart)d apart, %(differs)d differ, %(skipped)d not comparable"
          % count)
    return 1 if count["differs"] or not count["same"] else 0


if __name__ == "__main__":
    sys.exit(main())
