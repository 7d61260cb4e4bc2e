#!/usr/bin/env python3
"""Cairn beside Spin on Promela models, in one run on one machine.

    bench/promela.py [--cairn PROGRAM] [--part search,verdict] [--seconds N] [--gib N]
                     [--repeat N] [--markdown FILE] [--json FILE] [MODEL...]

search   Thirteen models, both sides with every state stored in full and without
         reduction. Spin: `spin -a -o1 -o2 -o3`, pan built by `gcc -O3 -DSAFETY -DNOREDUCE
         -DNOFAIR`. Cairn: --store full --compiler cc, bfs and dfs. States and transitions must be
         equal, or the run fails. Time per event is that of the search alone: of the clock
         as both report it, and of the processor (user and system) less what the same
         command takes to stop at its first state. On a busy machine only the latter can be compared.
verdict  From the text of a small model to its verdict: `cairn check` (tcc, empty cache) beside
         spin -a, cc and ./pan, for some twenty reference models of under 10,000 states.

--seconds is the bound of one run (on the clock), --gib that on its memory; a model beyond them is
named and left out of the means. --json FILE is read first if it is there: models measured before are
taken from it. Models and tables are in the folder CAIRN_SHARED (default ../shared beside the sources).
"""
import argparse
import csv
import datetime
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from run import ROOT, SHARED, machine

MODELS = os.path.join(SHARED, "models", "promela")
FLAGS = ["-DSAFETY", "-DNOREDUCE", "-DNOFAIR"]
# File, pan's -m (a little more than the depth reached, as pan clears all of it first) and -w (2^w
# slots, more than there are states), further flags.
SUITE = {
    "petersonN": ("spin/LTL/petersonN.pml", 100000, 17, ["-DNOCLAIM"]),
    "pftp": ("spin/LTL/pftp.pml", 10000, 19, ["-DNOCLAIM"]),
    "telephony.3": ("beem/telephony.3.pm", 60000, 20, []),
    "peterson.4": ("beem/peterson.4.pm", 90000, 21, []),
    "szymanski.4": ("beem/szymanski.4.pm", 90000, 22, []),
    "brp.3": ("beem/brp.3.pm", 80000, 22, []),
    "iprotocol.4": ("beem/iprotocol.4.pm", 10000, 24, []),
    "firewire_link.7": ("beem/firewire_link.7.pm", 10000, 22, []),
    "leader-n7": ("spin-book/leader-n7.pml", 10000, 22, []),
    "needham.4": ("beem/needham.4.pm", 10000, 23, []),
    "at.4": ("beem/at.4.pm", 900000, 23, []),
    "bakery.6": ("beem/bakery.6.pm", 1800000, 24, []),
    "elevator2.3": ("beem/elevator2.3.pm", 900000, 23, []),
}
# Figures known beforehand; the others are compared between the two tools only.
COUNTS = {"petersonN": (45915, 128654), "leader-n7": (2801652, 15976630)}


class TooLong(Exception):
    """A run went beyond its bound of time or memory."""


def run(args, command, folder=None, env=None):
    """(standard output, seconds on the clock, seconds of the processor), children included."""
    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (args.gib << 30, args.gib << 30))
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    try:
        p = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True,
                           errors="replace", timeout=args.seconds, preexec_fn=bound)
    except subprocess.TimeoutExpired as e:
        raise TooLong("%s: more than %g s" % (os.path.basename(command[0]), args.seconds)) from e
    clock, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if p.returncode < 0 or p.returncode > 3:
        raise TooLong("%s: exit status %d %s" % (os.path.basename(command[0]), p.returncode,
                                                 p.stderr.strip()[-200:]))
    return p.stdout, clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def number(pattern, text):
    found = re.search(pattern, text)
    return float(found.group(1)) if found else None


def build_pan(args, path, folder, flags, merge=()):
    """The verifier of a model; where it stands."""
    run(args, ["spin", "-a", *merge, path], folder)
    pan = os.path.join(folder, "pan")
    run(args, ["gcc", *flags, "-o", pan, "pan.c"], folder)
    if not os.path.exists(pan):
        sys.exit("%s: no verifier" % path)
    return pan


def search_spin(args, path, folder, depth, width, flags):
    pan = build_pan(args, path, folder, ["-O3", "-w", *FLAGS, *flags], ["-o1", "-o2", "-o3"])
    command = [pan, "-n", "-c0", "-m%d" % depth, "-w%d" % width]
    runs = sorted((run(args, command, folder) for _ in range(args.repeat)), key=lambda r: r[2])
    text, clock, cpu = runs[len(runs) // 2]
    if "max search depth too small" in text or "out of memory" in text:
        raise TooLong("pan: -m too small or out of memory")
    states = number(r"(\S+) states, stored", text)
    used = [number(r"(\S+)\s+" + what, text) or 0.0
            for what in ("actual memory usage for states", "memory used for hash table")]
    if not used[0]:
        used[0] = number(r"(\S+)\s+equivalent memory usage", text) or 0.0
    return {"states": int(states), "events": int(number(r"(\S+) transitions \(=", text)) - 1,
            "seconds": number(r"elapsed time (\S+) seconds", text) or clock, "processor": cpu,
            "vector": int(number(r"State-vector (\d+) byte", text)),
            "depth": int(number(r"depth reached (\d+)", text)),
            "bytes_per_state": sum(used) * 2**20 / states}


def search_cairn(args, path, order, env):
    command = [args.cairn, "check", path, "--order", order, "--compiler", "cc", "--store", "full",
               "--keep-going", "--property", "safety", "--claim", "none", "--trail", os.devnull,
               "--json", "-"]
    run(args, [*command, "--max-states", "1"], None, env)
    start = min(run(args, [*command, "--max-states", "1"], None, env)[2] for _ in range(3))
    runs = sorted((run(args, command, None, env) for _ in range(args.repeat)), key=lambda r: r[2])
    text, _, cpu = runs[len(runs) // 2]
    if "{" not in text:
        sys.exit("%s: cairn gave no figures" % path)
    r = json.loads(text[text.index("{"):])
    if r["limit"]:
        raise TooLong("cairn: " + str(r["limit"]))
    return {"states": r["states"]["stored"], "events": r["events"], "seconds": r["seconds"]["search"],
            "processor": max(cpu - start, 1e-9), "bytes_per_state": r["memory"]["bytes_per_state"]}


def model_file(name, file, folder):
    """The file to check: the stored one, or for petersonN a copy with its N set to 3."""
    path = os.path.join(MODELS, file)
    if name != "petersonN":
        return path
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"(?m)^(#define\s+N\s+)\d+", r"\g<1>3", f.read())
    path = os.path.join(folder, "petersonN.pml")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def search(args, name):
    """All figures of one model."""
    file, depth, width, flags = SUITE[name]
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, XDG_CACHE_HOME=folder)
        path, row = model_file(name, file, folder), {"model": name, "load": os.getloadavg()[0]}
        try:
            for order in ("bfs", "dfs"):
                row[order] = search_cairn(args, path, order, env)
            row["spin"] = search_spin(args, path, folder, depth, width, flags)
        except TooLong as e:
            return dict(row, left_out=str(e))
    want = COUNTS.get(name, (row["spin"]["states"], row["spin"]["events"] + 1))
    for side in ("bfs", "dfs", "spin"):
        if (row[side]["states"], row[side]["events"] + 1) != want:
            row["differs"] = "%s: %d states and %d transitions, not %d and %d" % (
                side, row[side]["states"], row[side]["events"] + 1, *want)
    row["load"] = max(row["load"], os.getloadavg()[0])
    return row


def small_models(count):
    """Some `count` rows of the reference table, evenly spread, of under 10,000 states."""
    name = os.path.join(SHARED, "reference", "promela-unreduced.tsv")
    with open(name, encoding="utf-8") as f:
        rows = [r for r in csv.DictReader((line for line in f if not line.startswith("#")),
                                          delimiter="\t")
                if int(r["states"]) < 10000 and not r["first_error_kind"].startswith("runtime:")]
    return rows[::max(1, len(rows) // count)][:count]


def verdict(args, row):
    """Seconds of clock and processor from the text to the verdict, on both sides."""
    path, defines = os.path.join(MODELS, row["file"]), row["defines"].split()
    cairn, spin, broken = [], [], []
    for _ in range(args.repeat):
        with tempfile.TemporaryDirectory() as folder:
            env = dict(os.environ, XDG_CACHE_HOME=folder)
            text, *times = run(args, [args.cairn, "check", path, *defines, "--claim", "none",
                                      "--property", "safety", "--compiler", "tcc", "--trail", os.devnull],
                               folder, env)
            if not text:
                return None
            broken = ["violated" in text]
            cairn.append(times)
            steps = [run(args, ["spin", "-a", *defines, path], folder),
                     run(args, ["gcc", "-w", *FLAGS, "-DNOCLAIM", "-o", "pan", "pan.c"], folder)]
            steps.append(run(args, [os.path.join(folder, "pan"), "-m100000"], folder))
            broken.append(number(r"errors: (\d+)", steps[2][0]) != 0)
            spin.append([sum(s[1] for s in steps), sum(s[2] for s in steps)])
    if broken[0] != broken[1]:
        return {"model": row["file"], "differs": "the verdicts differ"}
    middle = [[statistics.median(t[i] for t in side) for i in (0, 1)] for side in (cairn, spin)]
    return {"model": row["file"], "states": int(row["states"]), "cairn": middle[0], "spin": middle[1]}


def table_search(rows):
    lines = ["| model | states | transitions | pan, µs | bfs, µs | dfs, µs | pan/bfs | pan/dfs | "
             "pan, clock µs | bfs, clock µs | dfs, clock µs | pan, B/state | cairn, B/state |",
             "|---|" + "---:|" * 12]
    ratios = {"bfs": [], "dfs": []}
    for row in rows:
        if "left_out" in row or "differs" in row:
            lines.append("| %s | %s |%s" % (row["model"], row.get("left_out") or row["differs"],
                                            " |" * 11))
            continue
        sides = [row[s] for s in ("spin", "bfs", "dfs")]
        cpu = [s["processor"] / s["events"] * 1e6 for s in sides]
        clock = [s["seconds"] / s["events"] * 1e6 for s in sides]
        for order, t in zip(("bfs", "dfs"), cpu[1:]):
            ratios[order].append(cpu[0] / t)
        cells = ["%.3f" % t for t in cpu] + ["%.1f" % (cpu[0] / t) for t in cpu[1:]]
        cells += ["%.2f" % t for t in clock]
        cells += ["%.0f" % row[s]["bytes_per_state"] for s in ("spin", "bfs")]
        lines.append("| %s | %s | %s | %s |" % (
            row["model"], format(row["spin"]["states"], ","),
            format(row["spin"]["events"] + 1, ","), " | ".join(cells)))
    if ratios["bfs"]:
        lines.append("| **geometric mean** | | | | | | **%.2f** | **%.2f** |%s" % (
            statistics.geometric_mean(ratios["bfs"]), statistics.geometric_mean(ratios["dfs"]),
            " |" * 5))
    return "\n".join(lines) + "\n"


def table_verdict(rows):
    lines = ["| model | states | cairn, ms | spin, ms | spin/cairn | spin/cairn, clock |",
             "|---|---:|---:|---:|---:|---:|"]
    for r in rows:
        if "differs" in r:
            lines.append("| %s | %s | | | | |" % (r["model"], r["differs"]))
            continue
        lines.append("| %s | %s | %.1f | %.0f | %.0f | %.0f |" % (
            r["model"], format(r["states"], ","), r["cairn"][1] * 1e3, r["spin"][1] * 1e3,
            r["spin"][1] / r["cairn"][1], r["spin"][0] / r["cairn"][0]))
    rows = [r for r in rows if "differs" not in r]
    middle = [statistics.median(r["spin"][i] / r["cairn"][i] for r in rows) for i in (1, 0)]
    lines.append("| **median** | | %.1f | %.0f | **%.0f** | **%.0f** |" % (
        statistics.median(r["cairn"][1] for r in rows) * 1e3,
        statistics.median(r["spin"][1] for r in rows) * 1e3, *middle))
    return "\n".join(lines) + "\n"


def measure(args, results):
    """Fills results, writing them after every model."""
    for part, rows in (("search", args.models), ("verdict", small_models(20))):
        if part not in args.part:
            continue
        for item in rows:
            name = item if part == "search" else item["file"]
            if any(r["model"] == name for r in results[part]):
                continue
            try:
                row = search(args, item) if part == "search" else verdict(args, item)
            except TooLong as e:
                row = None
                print("LEFT OUT %s: %s" % (name, e), file=sys.stderr)
            if row is None:
                continue
            results[part].append(row)
            print(json.dumps(row), file=sys.stderr, flush=True)
            if args.json:
                with open(args.json, "w", encoding="utf-8") as f:
                    json.dump(results, f, indent=1)


def report(args, results):
    lines = ["%s; %s; %d runs each, median; load up to %.0f" % (
        datetime.date.today(), machine(), args.repeat,
        max([r["load"] for r in results["search"]], default=os.getloadavg()[0])), ""]
    if results["search"]:
        order = {m: i for i, m in enumerate(SUITE)}
        lines.append(table_search(sorted(results["search"], key=lambda r: order[r["model"]])))
    if results["verdict"]:
        lines.append(table_verdict(results["verdict"]))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.environ.get("CAIRN", "build/cairn"))
    parser.add_argument("--part", default="search,verdict")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--gib", type=int, default=4)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--markdown")
    parser.add_argument("--json")
    parser.add_argument("models", nargs="*")
    args = parser.parse_args()
    args.cairn, args.models = os.path.abspath(args.cairn), args.models or list(SUITE)
    if not os.path.isdir(MODELS):
        print("SKIP bench: no models in %s (set CAIRN_SHARED)" % SHARED)
        return 0
    if not shutil.which("spin"):
        print("SKIP bench: spin is not installed")
        return 0
    results = {"machine": machine(), "date": str(datetime.date.today()), "search": [], "verdict": []}
    if args.json and os.path.exists(args.json):
        with open(args.json, encoding="utf-8") as f:
            results.update(json.load(f))
    measure(args, results)
    text = report(args, results)
    print(text, end="")
    if args.markdown:
        with open(args.markdown, "w", encoding="utf-8") as f:
            f.write(text)
    return 1 if any("differs" in r for r in results["search"] + results["verdict"]) else 0


if __name__ == "__main__":
    sys.exit(main())
