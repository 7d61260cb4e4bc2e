#!/usr/bin/env python3
"""Small random Promela models: Spin beside Cairn.

    random_spin.py [--cairn PROGRAM] [--count N] [--first SEED] [--jobs N] [--self-check]
                   [--dump PROGRAM] [--keep FOLDER]

Each model is searched by the verifier that `spin -a -o1 -o2 -o3` makes, with all
reductions off, and by cairn; compared are stored states, transitions (events + 1) and
whether there are errors; where there are model errors after which Spin goes on, only that.
Cairn runs with --spin, for the differences that are known. --dump compares the automata instead (see automata.py). Models
that Spin refuses, and those it cannot search in a few seconds, do not count. --keep
writes what differs into a folder. Skipped, visibly, where there is no spin, or neither tcc nor gcc.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import automata  # noqa: E402
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from figures import complaints as contradictions  # noqa: E402
import random_model  # noqa: E402


# Model errors, after which Spin goes on: its further counts mean nothing. By Cairn's words.
MISUSE = {"number of fields": "too (few|many) parameters in send|missing pars in receive|too many fields in recv",
          "cannot be polled": "error to poll rendezvous|polling rv chan"}


def run(command, folder, seconds):
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=seconds, text=True, errors="replace")


def mend_priorities(folder):
    """Spin's verifier takes back a set_priority of a process that is gone, though nothing was
    saved then, and so spoils another priority: here it takes back nothing."""
    for name, old, new in (
            ("pan.c", "no such process (set_priority)\\n\", pid);\n\t#endif\n\t\treturn 1;",
             "no such process (set_priority)\\n\", pid);\n\t#endif\n\t\tif (!TstOnly) (trpt+1)->o_priority = -1;\n\t\treturn 1;"),
            ("pan.b", "((P0 *)pptr((trpt->o_priority >> 8)))->_priority",
             "if (trpt->o_priority >= 0) ((P0 *)pptr((trpt->o_priority >> 8)))->_priority")):
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8", errors="surrogateescape") as f:
            text = f.read()
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
            f.write(text.replace(old, new))


def ask_spin(folder, seconds=2):
    """(states, transitions, errors), or None with the reason."""
    p = run(["spin", "-a", "-o1", "-o2", "-o3", "m.pml"], folder, 20)
    if not os.path.exists(os.path.join(folder, "pan.c")):
        return None, "spin refuses: " + p.stdout[:300]
    mend_priorities(folder)
    # tcc takes a twentieth of gcc's time for it; the figures are the same.
    compiler = ["tcc"] if shutil.which("tcc") else ["gcc", "-O0"]
    p = run([*compiler, "-w", "-DNOREDUCE", "-DSAFETY", "-DNOFAIR", "-DVECTORSZ=8192", "-o", "pan", "pan.c"],
            folder, 120)
    if p.returncode != 0:
        return None, "the compiler refuses"
    try:
        p = run(["./pan", "-n", "-m200000", "-c0", "-w18"], folder, seconds)
    except subprocess.TimeoutExpired:
        return None, "too large"
    out = p.stdout
    m = re.search(r"(\d+) states, stored.*?(\d+) transitions", out, re.S)
    errors = re.search(r"errors: (\d+)", out)
    wrong = re.search(r"max search depth too small|VECTORSZ is too small|Uerror|aborted|too many processes|too many queues|bad queue|block in d_step|blocking sel",
                      out + p.stderr)
    if m is None or errors is None or wrong:
        return None, "pan: " + (wrong.group(0) if wrong else (out + p.stderr).strip()[:200])
    misused = sorted({kind for kind, text in MISUSE.items() if re.search(text, out)})
    return (int(m[1]), int(m[2]), int(errors[1]), misused), ""


def ask_cairn(cairn, folder, extra):
    p = run([cairn, "check", "m.pml", "--spin", "--warn", "no-spin", "--keep-going", "--trail", os.devnull, "--json", "-", *extra], folder, 300)
    if p.returncode not in (0, 1) or "{" not in p.stdout:
        return None, "cairn: exit status %d: %s" % (p.returncode, p.stderr.strip()[:400])
    j = json.loads(p.stdout[p.stdout.index("{"):])
    wrong = contradictions(j, p.returncode)
    if wrong:
        return None, "cairn: " + "; ".join(wrong)
    kind = (j.get("error") or {}).get("kind")
    return (j["states"]["stored"], j["events"] + 1, j["errors"], kind), ""


def compare(args, seed):
    """(seed, verdict, sentence)"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.pml")
        with open(path, "w", encoding="ascii") as f:
            f.write(random_model.Model(seed).text())
        if args.dump:
            verdict, lines = automata.compare(args.dump, path, [])
            answer = {"same": "same", "spin refuses": "skipped", "two 'else'": "skipped"}.get(verdict, "differs"), "\n".join(lines)
        else:
            answer = compare_counts(args, folder)
        if answer[0] == "differs" and args.keep:
            os.makedirs(args.keep, exist_ok=True)
            shutil.copy(path, os.path.join(args.keep, "%d.pml" % seed))
    return (seed, *answer)


def misuse_found(cairn, folder, want, extra):
    """Cairn finds one of the model errors that Spin does, or another error first."""
    p = run([cairn, "check", "m.pml", "--spin", "--warn", "no-spin", "--trail", os.devnull, *extra], folder, 300)
    if p.returncode == 1 and ("model error" not in p.stdout or any(k in p.stdout for k in want[3])):
        return ""
    return "spin %s, cairn: %s" % (want, p.stdout[:200])


def compare_counts(args, folder):
    try:
        want, why = ask_spin(folder)
    except subprocess.TimeoutExpired:
        want, why = None, "spin or gcc: no end"
    if want is None:
        return "skipped", why
    for order in ("bfs", "dfs"):
        extra = ["--order", order] + (["--self-check"] if args.self_check and order == "bfs" else [])
        try:
            got, why = ask_cairn(args.cairn, folder, extra)
        except subprocess.TimeoutExpired:
            got, why = None, "cairn: no end"
        if got is None:
            return "differs", why
        if want[3] and got[2] > 0:
            got = misuse_found(args.cairn, folder, want, extra)
            if got:
                return "differs", got
            continue
        if got[:2] != want[:2] or (got[2] > 0) != (want[2] > 0):
            return "differs", "%s: spin %s, cairn %s (states, transitions, errors)" % (order, want, got)
    return "same", ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--self-check", action="store_true")
    parser.add_argument("--dump")
    parser.add_argument("--keep")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    args.cairn = os.path.abspath(args.cairn)
    if not shutil.which("spin") or not (shutil.which("tcc") or shutil.which("gcc")):
        print("SKIPPED: there is no spin, or no C compiler")
        return 77
    count = {"same": 0, "differs": 0, "skipped": 0}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        seeds = range(args.first, args.first + args.count)
        for seed, verdict, sentence in pool.map(lambda s: compare(args, s), seeds):
            count[verdict] += 1
            if verdict == "differs" or args.verbose and sentence:
                print("%s: seed %d: %s" % (verdict.upper(), seed, sentence), flush=True)
    print("%(same)d passed, %(differs)d failed, %(skipped)d skipped" % count)
    return 1 if count["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
