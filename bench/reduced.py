#!/usr/bin/env python3
"""What reductions bring: states and processor time of `--reduce por` and `auto` beside a search without.

    bench/reduced.py [--cairn PROGRAM] [--suite spin|beem] [--most STATES] [--seconds N] [--json FILE] [--pan N]
                     [--markdown FILE]

spin   the Promela models of Spin's own (those that are no translations of BEEM) with at least 1,000 states in the
       complete rows `full-o123` of promela-spin.tsv, which also have Spin's states with reduction;
beem   the BEEM models (DVE) of at most --most states.

Each model is searched depth-first with all errors, once without reduction, with por, and with auto: states, and the
processor time of the whole program and of the search, that is less what the same command takes to stop at its first
state. Means are geometric. --json FILE is read first if it is there, and written after each model, so that a run
goes on where it was interrupted. --pan N: beside that the verifier of Spin with its defaults (spin -a, gcc -O2, por
and merging), for the N models for which it takes longest of those with at least 0.3 seconds. Models and tables are in
the folder CAIRN_SHARED (default ../shared beside the sources).
"""
import argparse
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from reference import SHARED, read_table  # noqa: E402

WAYS = ["none", "por", "auto"]


def timed(command, **more):
    """The processor time of a command and of what it waits for, and what it says; None: it took too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **more)
    except subprocess.TimeoutExpired:
        return None, None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def spin_models():
    rows = read_table("promela-spin.tsv")
    por = {(r["file"], r["defs"]): r for r in rows
           if r["variant"] == "por" and r["search"] == "all" and r["mode"] == "safety" and r["status"] == "complete"}
    models = []
    for r in rows:
        if r["variant"] != "full-o123" or r["status"] != "complete" or r["mode"] != "safety" or \
                r["search"] != "all" or int(r["states_stored"]) < 1000 or r["file"].startswith("beem") or \
                (r["file"], r["defs"]) not in por:
            continue
        name = (r["file"] + " " + r["defs"]).strip()
        words = [os.path.join(SHARED, "models", "promela", r["file"]), *r["defs"].split()]
        spin = por[(r["file"], r["defs"])]
        models.append((name, words, int(r["states_stored"]), int(spin["states_stored"]), float(spin["seconds"] or 0)))
    return sorted(models, key=lambda m: m[2])


def beem_models(most):
    found = {}
    for table in ("beem-own.tsv", "beem-dve.tsv"):
        for r in read_table(table):
            if (r["states"] or "").isdigit() and int(r["states"]) <= most:
                file = r.get("dve_file") or "dve/%s.dve" % r["model"]
                found[r["model"]] = (r["model"], [os.path.join(SHARED, "models", file)], int(r["states"]), None, 0)
    return sorted(found.values(), key=lambda m: m[2])


def measure(cairn, words, way):
    """States, seconds in all, seconds of the search; None: it does not end."""
    command = [cairn, "check", *words, "--order", "dfs", "--property", "safety", "--reduce", way, "--compiler", "tcc",
               "--keep-going", "--trail", os.devnull, "--json", "-", "--time", "120", "--warn", "no-spin"]
    if not words[0].endswith((".pml", ".pm", ".pr", ".prom", ".promela")) and words[0].endswith(".dve"):
        command = command[:-2]
    seconds, done = timed(command)
    if done is None or done.returncode not in (0, 1, 3):
        return None
    answer = json.loads(done.stdout)
    if answer["verdict"] == "rejected" or answer.get("limit"):
        return None
    start, _ = timed([*command, "--max-states", "1"])
    return [answer["states"]["stored"], seconds, max(seconds - start, 0.0001)]


def pan(words):
    """Seconds of processor time of Spin's verifier with its defaults, and its states."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.dirname(words[0]), os.path.join(folder, "m"))
        folder = os.path.join(folder, "m")
        defines = [w for w in words[1:] if w.startswith("-D")]
        if subprocess.run(["spin", "-a", *defines, os.path.basename(words[0])], cwd=folder, capture_output=True,
                          check=False).returncode != 0:
            return None
        if subprocess.run(["gcc", "-O2", "-w", "-DSAFETY", "-DMEMLIM=4000", "-o", "pan", "pan.c"], cwd=folder, capture_output=True,
                          check=False).returncode != 0:
            return None
        seconds, done = timed(["./pan", "-c0", "-e", "-m2000000", "-w22"], cwd=folder)
        if done is None:
            return None
        states = [line.split()[0] for line in done.stdout.splitlines() if line.endswith("states, stored")]
        return [int(float(states[0])) if states else None, seconds]


def mean(numbers):
    numbers = [n for n in numbers if n and n > 0]
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else float("nan")


def summary(rows):
    done = [r for r in rows if all(r.get(w) for w in WAYS)]
    lines = ["%d models; kept of the states, and of the processor time, of a search without reduction (geometric means):" % len(done)]
    for way in WAYS[1:]:
        lines.append("%s: states %.3f, search %.3f, whole program %.3f; fewer states on %d, more search time on %d, 1.05 times on %d" % (
            way, *(mean([r[way][k] / r["none"][k] for r in done]) for k in (0, 2, 1)),
            sum(r[way][0] < r["none"][0] for r in done), sum(r[way][2] > r["none"][2] for r in done),
            sum(r[way][2] > 1.05 * r["none"][2] for r in done)))
    spin = [r for r in done if r.get("spin")]
    if spin:
        lines.append("Spin with its defaults keeps %.3f of its full-o123 states; auto more than 1.1 times its part on %s" % (
            mean([r["spin"] / r["full"] for r in spin]),
            ", ".join(r["name"] for r in spin if r["auto"][0] > 1.1 * r["spin"]) or "none"))
    timed_rows = [r for r in done if r.get("pan")]
    if timed_rows:
        lines.append("beside pan (%d models of at least 0.3 seconds): time of auto %.3f of pan's as a mean, more than a third on %s" % (
            len(timed_rows), mean([r["auto"][1] / r["pan"][1] for r in timed_rows]),
            ", ".join("%s %.2f" % (r["name"], r["auto"][1] / r["pan"][1]) for r in timed_rows
                      if 3 * r["auto"][1] > r["pan"][1]) or "none"))
    return lines


def table(rows):
    lines = ["| model | states | `por` | time | `auto` | time |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for r in rows:
        if all(r.get(w) for w in WAYS):
            lines.append("| %s | %s | %s | %.2f | %s | %.2f |" % (
                r["name"], format(r["none"][0], ","), format(r["por"][0], ","), r["por"][2] / r["none"][2],
                format(r["auto"][0], ","), r["auto"][2] / r["none"][2]))
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--suite", default="spin", choices=["spin", "beem"])
    parser.add_argument("--most", type=int, default=2000000)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--json")
    parser.add_argument("--markdown")
    parser.add_argument("--pan", type=int, default=0)
    args = parser.parse_args()
    if not os.path.isdir(os.path.join(SHARED, "reference")):
        print("SKIPPED: there is no %s (set CAIRN_SHARED)" % SHARED)
        return 77
    end, rows = time.monotonic() + args.seconds, {}
    if args.json and os.path.exists(args.json):
        with open(args.json, encoding="utf-8") as f:
            rows = {r["name"]: r for r in json.load(f)}
    models = spin_models() if args.suite == "spin" else beem_models(args.most)
    slow = sorted((m for m in models if m[4] >= 0.3), key=lambda m: -m[4])[:args.pan]
    for model in models:
        name, words, full, spin, _ = model
        row = rows.setdefault(name, {"name": name, "full": full, "spin": spin})
        if time.monotonic() > end:
            break
        for way in WAYS:
            if way not in row:
                row[way] = measure(args.cairn, words, way)
        if model in slow and "pan" not in row:
            row["pan"] = pan(words)
            if row["pan"] and row["pan"][1] < 0.3:
                row["pan"] = None
        if args.json:
            with open(args.json, "w", encoding="utf-8") as f:
                json.dump(list(rows.values()), f)
    listed = [rows[m[0]] for m in models if m[0] in rows]
    print("\n".join(summary(listed)))
    if args.markdown:
        with open(args.markdown, "w", encoding="utf-8") as f:
            print("\n".join(summary(listed) + [""] + table(listed)), file=f)
    return 0


sys.exit(main())
