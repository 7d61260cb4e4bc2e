#!/usr/bin/env python3
"""From a model's text to its first state: time and memory, for many models.

    bench/prepare.py [--cairn PROGRAM] [--jobs N] [--timeout SECONDS] [--worst N]
                     [--tsv FILE] [--markdown FILE] [--own] [PATH...]

PATH is a model or a folder; without any, the DVE and Promela models of the folder CAIRN_SHARED
(default ../shared beside the sources) and the models that this script writes itself: many
process types in loops, long arrays of channels, chains of processes. Each model is parsed, laid
out, compiled in memory and searched for one state only; --own takes those that this script writes, alone. Time is
that of the processor (user and system), so that a busy machine matters less; memory is the largest
resident size of the process, as it says itself, less that of the same program on the smallest model,
so that the program itself does not count. Models that are refused are left out.

The target: at most a second and 50 MiB. Exit status 1 if a model is beyond it.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import sys
import tempfile
import time

from run import ROOT, SHARED

SECONDS, MIB = 1.0, 50.0
ENDINGS = (".dve", ".pml", ".pm", ".prm", ".prom", ".pr", ".promela", ".spin")
SMALLEST = "active proctype p() { skip }\n"


# ---- models of our own ----------------------------------------------------------------

def types_in_loops(n):
    """n process types, each run over and over by a process that nothing bounds."""
    text = ["byte x; chan c = [4] of { byte, byte };"]
    for i in range(n):
        text.append("proctype t%d(byte a; chan d) { byte l[8]; byte b;" % i)
        text.append("  do :: c?a,b -> l[a %% 8] = b :: c!%d,b :: d!a,b -> break od }" % i)
    text.append("active proctype starter() { do")
    text += ["  :: x == %d -> run t%d(x, c); x = (x + 1) %% %d" % (i, i, n) for i in range(n)]
    return "\n".join(text) + "\n  od }\n"


def tree_of_types(n):
    """Each type runs the next two, again and again."""
    text = ["byte x;"]
    for i in range(n):
        text.append("proctype t%d() { do :: x < 200 -> x++; %s%s :: else -> break od }" % (
            i, "run t%d();" % (2 * i + 1) if 2 * i + 1 < n else "skip;",
            " run t%d()" % (2 * i + 2) if 2 * i + 2 < n else " skip"))
    return "\n".join(text) + "\ninit { run t0() }\n"


def channel_array(n):
    """n processes over an array of n channels, whose places are worked out."""
    return ("chan c[%d] = [2] of { byte, short };\n"
            "active [%d] proctype p() { byte b; short s;\n"
            "  do :: c[_pid]!b,s :: c[(_pid + 1) %% %d]?b,s :: c[b %% %d]?[b,s] -> b++\n"
            "  :: len(c[(b * 3) %% %d]) > 1 -> s = s + b od }\n" % (n, n, n, n, n))


def rendezvous_array(n):
    """The same without buffers: every pair of processes may shake hands."""
    return ("chan c[%d] = [0] of { byte };\n"
            "active [%d] proctype p() { byte b;\n"
            "  do :: c[b %% %d]!b :: c[_pid]?b :: atomic { b < 9 -> b++ } od }\n" % (n, n, n))


def global_arrays(n):
    """n processes that read and write large arrays at places that are worked out."""
    return ("byte a[2000]; int b[500];\n"
            "active [%d] proctype p() { short i;\n"
            "  do :: a[i] == 0 -> a[i] = _pid :: b[a[i]] > 3 -> b[a[i]] = i; i++\n"
            "  :: atomic { i > 7 -> i = 0; a[b[3]] = 1; a[b[4]] = a[b[5]] } od }\n" % n)


def foreign_looks(n):
    """n processes that look into each other."""
    return ("byte g;\n"
            "proctype q(byte k) { byte v; do :: v < k -> v++\n"
            "  :: atomic { q[(_pid %% %d) + 1]:v == 3 -> g++; v = 0 } od }\n"
            "init { byte i; do :: i < %d -> run q(i); i++ :: else -> break od }\n" % (n, n))


def types_at_rendezvous(n):
    """n process types, each with twenty sends and twenty receives on channels without buffers."""
    text = ["chan c[%d] = [0] of { byte };" % n]
    for i in range(n):
        pairs = " ".join(":: c[%d]!%d :: c[%d]?b" % ((i + k) % n, k, (i * 7 + k) % n) for k in range(20))
        text.append("active proctype p%d() { byte b; do %s od }" % (i, pairs))
    return "\n".join(text) + "\n"


def runs_of_each_other(n):
    """n process types that run each other in atomic sequences."""
    text = ["byte x;"]
    for i in range(n):
        text.append("proctype p%d() { byte b; do :: atomic { x < 250 -> x++; run p%d() }\n"
                    "  :: atomic { b < 3 -> b++; x = x + b; run p%d() } :: break od }" % (
                        i, (i * 3 + 1) % n, (i + 5) % n))
    return "\n".join(text) + "\ninit { run p0() }\n"


OWN = {"types_in_loops": (types_in_loops, (5, 20, 60)), "tree_of_types": (tree_of_types, (7, 15, 31)),
       "channel_array": (channel_array, (10, 30, 100)), "rendezvous_array": (rendezvous_array, (10, 30, 100)),
       "global_arrays": (global_arrays, (10, 50, 200)), "foreign_looks": (foreign_looks, (10, 50, 200)),
       "types_at_rendezvous": (types_at_rendezvous, (10, 40)),
       "runs_of_each_other": (runs_of_each_other, (10, 50, 150))}


def own_models(folder):
    for name, (make, sizes) in OWN.items():
        for n in sizes:
            path = os.path.join(folder, "%s.%d.pml" % (name, n))
            with open(path, "w", encoding="utf-8") as f:
                f.write(make(n))
            yield path, [], "own/" + os.path.basename(path)


# ---- what is measured -------------------------------------------------------------------

def stored_defines():
    """Values for models that need them."""
    path = os.path.join(SHARED, "reference", "promela-defines.tsv")
    with open(path, encoding="utf-8") as f:
        rows = csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t")
        return {row["file"]: row["defines"].split() for row in rows}


def models_under(folder, defines):
    for at, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(ENDINGS):
                path = os.path.join(at, name)
                short = os.path.relpath(path, folder)
                yield path, defines.get(short, []), short


def all_models(paths, own, scratch):
    if paths:
        for path in paths:
            yield from models_under(path, {}) if os.path.isdir(path) else [(path, [], path)]
        return
    yield from own_models(scratch)
    if own:
        return
    if not os.path.isdir(os.path.join(SHARED, "models")):
        print("SKIP: no models in %s (set CAIRN_SHARED)" % SHARED)
        return
    for language in ("dve", "promela"):
        yield from models_under(os.path.join(SHARED, "models", language),
                                stored_defines() if language == "promela" else {})
    case = os.path.join(SHARED, "cases", "three-levels-of-spawning.pml")
    if os.path.exists(case):
        yield case, [], "cases/three-levels-of-spawning.pml"


def prepare(args, path, defines, scratch):
    """(status, seconds of processor, what it says of itself or {}) of one run."""
    command = [args.cairn, "check", path, *defines, "--max-visits", "1", "--compiler", "tcc", "--claim", "none",
               "--property", "safety", "--trail", os.devnull, "--json", "-"]
    number, name = tempfile.mkstemp(dir=scratch)
    child = os.fork()
    if child == 0:
        os.dup2(number, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.execv(command[0], command)
    end, status, usage = time.monotonic() + args.timeout, None, None
    while status is None:
        done, code, usage = os.wait4(child, os.WNOHANG)
        if done == child:
            status = os.waitstatus_to_exitcode(code)
        elif time.monotonic() > end:
            os.kill(child, 9)
            end += 60
        else:
            time.sleep(0.002)
    with os.fdopen(number, encoding="utf-8", errors="replace") as f:
        f.seek(0)  # the child wrote through the same description
        text = f.read()
    os.unlink(name)
    # Not usage.ru_maxrss: before the program is there, its process is a copy of this one.
    figures = json.loads(text[text.index("{"):]) if status not in (2, 127) and "{" in text else {}
    return status, usage.ru_utime + usage.ru_stime, figures


def resident(figures):
    return figures["memory"]["peak_resident"] / 1024 / 1024


def measure(args, model, scratch, base):
    path, defines, short = model
    status, seconds, figures = prepare(args, path, defines, scratch)
    if status in (2, 127):
        return None
    mib = round(resident(figures) - base, 1) if figures else float("inf")
    return {"model": short, "status": status, "seconds": round(seconds, 3), "mib": mib, "limit": figures.get("limit") or ""}


def is_beyond(row):
    return row["seconds"] > SECONDS or row["mib"] > MIB


def markdown(rows, worst):
    lines = ["| model | seconds | MiB |", "| --- | --: | --: |"]
    lines += ["| %s | %.2f | %.1f |" % (r["model"], r["seconds"], r["mib"]) for r in rows[:worst]]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--worst", type=int, default=10)
    parser.add_argument("--tsv")
    parser.add_argument("--markdown")
    parser.add_argument("--own", action="store_true")
    parser.add_argument("paths", nargs="*")
    args = parser.parse_args()
    args.cairn = os.path.abspath(args.cairn)
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        os.environ["XDG_CACHE_HOME"] = scratch
        os.environ.pop("MALLOC_PERTURB_", None)  # of the test runner: it would touch all memory
        smallest = os.path.join(scratch, "smallest.pml")
        with open(smallest, "w", encoding="utf-8") as f:
            f.write(SMALLEST)
        base = min(resident(prepare(args, smallest, [], scratch)[2]) for _ in range(3))
        models = list(all_models(args.paths, args.own, scratch))
        rows = list(pool.map(lambda m: measure(args, m, scratch, base), models))
    rows = sorted(filter(None, rows), key=lambda r: -max(r["seconds"] / SECONDS, r["mib"] / MIB))
    if args.tsv:
        with open(args.tsv, "w", encoding="utf-8", newline="") as f:
            out = csv.DictWriter(f, list(rows[0]), delimiter="\t", lineterminator="\n")
            out.writeheader()
            out.writerows(rows)
    text = markdown(rows, args.worst)
    if args.markdown:
        with open(args.markdown, "w", encoding="utf-8") as f:
            f.write(text)
    beyond = [r for r in rows if is_beyond(r)]
    print("the program itself: %.1f MiB" % base)
    print(text + "%d models, %d of them beyond %g s or %g MiB" % (len(rows), len(beyond), SECONDS, MIB))
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
