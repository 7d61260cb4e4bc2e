#!/usr/bin/env python3
"""What looking for cycles costs, beside plain searches and beside Spin, in one run on one machine.

    bench/cycles.py [--cairn PROGRAM] [--bench PROGRAM] [--part speed,lasso] [--seconds N] [--repeat N]
                    [--markdown FILE] [--json FILE] [MODEL...]

speed  Ten products of one to ten million states in which no cycle is accepted, store full, models compiled by cc: each engine
       of cycles beside a search of the same product for states alone, depth- or breadth-first (bench/cycles_bench.c, in one
       process, in turn, the least processor time of N). Beside `pan -a` (gcc -O3, no reduction, no fairness), which gets the
       never claim that `cairn automaton` makes of the formula: seconds per stored state of pan's run and of the nested
       search. pan's are those of the whole process, with a stack as deep as is needed and a hash table as large as there are states.
lasso  Twenty models in which a cycle is accepted. Time: processor time of each engine until the lasso is found, less what a search
       takes that ends with its first state, and of ndfs until it was made shorter as well; beside that of ./pan -a, less what pan
       takes to look at one state. Neither has the compilers' time. Cairn reads formulas itself, and pan gets the never claim as above. Length: steps of the product, as the claim counts them (steps of a never claim in pan's trail, events in
       Cairn's), beside the least that any lasso has (bench/least.h; a bound is marked >=), and pan's shortest of -a, -a -i and -a -I (with -DREACH; Spin says that they are for safety only, and trails
       that have no cycle do not count).

--seconds is the bound of one run (on the clock). --json FILE is read first if it is there: models measured before are taken from
it. Models are in the folder CAIRN_SHARED (default ../shared beside the sources).
"""
import argparse
import datetime
import json
import math
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

from run import ROOT, SHARED, machine

MODELS = os.path.join(SHARED, "models", "promela")
ENGINES = {"ndfs": "dfs", "scc": "dfs", "owcty": "bfs"}
MOST = {"ndfs": 2.2, "scc": 1.6, "owcty": 3.0}


def comes_back(a, b):
    return "([]<>%s && []<>!%s) -> []<>%s" % (a, a, b)


CRITICAL = "[]<>((P_0@CS + P_1@CS + P_2@CS + P_3@CS) == 1)"
SPEED = {
    "szymanski.4": ("beem/szymanski.4.pm", CRITICAL),
    "peterson.4": ("beem/peterson.4.pm", "([]<>P_0@CS) -> ([]<>P_0@NCS)"),
    "lamport.5": ("beem/lamport.5.pm", "([]<>P_0@CS) -> ([]<>P_0@NCS)"),
    "leader-n7": ("spin-book/leader-n7.pml", "<>[] (nr_leaders == 1)"),
    "brp.3": ("beem/brp.3.pm", "([]<>Sender@success) -> ([]<>Sender@idle)"),
    "firewire_link.7": ("beem/firewire_link.7.pm", "([]<>Transreq_0@split_tr) -> ([]<>Transreq_0@idle)"),
    "elevator2.3": ("beem/elevator2.3.pm", "([]<>cabin@open) -> ([]<>cabin@idle)"),
    "telephony.3": ("beem/telephony.3.pm", comes_back("User_0@oconnected", "User_0@idle")),
    "at.3": ("beem/at.3.pm", comes_back("P_0@CS", "P_0@NCS")),
    "iprotocol.3": ("beem/iprotocol.3.pm", comes_back("Receiver@put_data", "Receiver@wait")),
}
# File, definitions, formula (or None: what the model claims, "np": that it makes progress).
LASSO = {
    "mobile1": ("case-studies/Tests/mobile1", [], "np"),
    "mobile2": ("case-studies/Tests/mobile2", [], "np"),
    "ricarts": ("field/distributed-algos/ricarts.pml", [], "np"),
    "p123": ("case-studies/Samples/p123.pml", [], None),
    "zune": ("case-studies/Tests/zune.pml", [], None),
    "garp_nl": ("case-studies/garp/garp-b/garp_nl", [], None),
    "alternating_bit": ("field/llafuente-db/ltl.alternating_bit.prm", [], None),
    "elevator": ("field/llafuente-db/ltl.elevator.prm", ["-DN=3"], None),
    "giop": ("field/llafuente-db/ltl.giop.prm", [], None),
    "philosophers": ("field/llafuente-db/ltl.philosophers.prm", ["-DN=4"], None),
    "aio": ("field/qemu/aio_notify_accept.promela", [], None),
    "aio, BUG1": ("field/qemu/aio_notify_accept.promela", ["-DBUG1"], None),
    "aio, BUG2": ("field/qemu/aio_notify_accept.promela", ["-DBUG2"], None),
    "szymanski.2": ("beem/szymanski.2.pm", [], "([]<>(P_0@p2)) -> ([]<>P_0@p3)"),
    "iprotocol.1": ("beem/iprotocol.1.pm", [], "([]<>Receiver@put_data) -> ([]<>Receiver@wait)"),
    "telephony.2": ("beem/telephony.2.pm", [], "([]<>User_0@oconnected) -> ([]<>User_0@oalert)"),
    "brp.1": ("beem/brp.1.pm", [], "([]<>Producer@start_send) -> ([]<>Consumer@get_msg)"),
    "at.2": ("beem/at.2.pm", [], "[] (P_0@p4 -> <> P_0@CS)"),
    "peterson.2": ("beem/peterson.2.pm", [], "[] (P_0@q2 -> <> P_0@CS)"),
    "lamport.2": ("beem/lamport.2.pm", [], "([]<>P_1@CS) -> ([]<>P_0@CS)"),
}


class LeftOut(Exception):
    """A run went beyond its bound, or said nothing."""


def run(args, command, folder=None):
    """(standard output, seconds of the processor)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        p = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=args.seconds)
    except subprocess.TimeoutExpired as e:
        raise LeftOut("%s: more than %g s" % (os.path.basename(command[0]), args.seconds)) from e
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if p.returncode < 0 or p.returncode > 3:
        raise LeftOut("%s: exit status %d %s" % (os.path.basename(command[0]), p.returncode, p.stderr.strip()[-200:]))
    return p.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def number(pattern, text):
    found = re.search(pattern, text)
    if not found:
        raise LeftOut("pan: no %s in %s" % (pattern, text[-200:]))
    return float(found.group(1))


def write_model(args, folder, file, formula):
    """The model, or a copy with a never claim for its formula."""
    if formula in (None, "np"):
        return os.path.join(MODELS, file)
    path = os.path.join(folder, "m.pml")
    with open(os.path.join(MODELS, file), encoding="utf-8", errors="surrogateescape") as f:
        text = f.read()
    text += "\n" + run(args, [args.cairn, "automaton", "!(%s)" % formula, "--format", "never"])[0]
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write(text)
    return path


def ask_cairn(args, path, words, repeat=0):
    """By engine: (seconds, states, events, nested, error, length, cycle)."""
    out = run(args, [args.bench, "-n", str(repeat or args.repeat), *words, path])[0]
    rows = [line.split() for line in out.splitlines()]
    if not rows:
        raise LeftOut("cairn: no figures")
    return {r[0]: [float(r[1])] + [int(x) for x in r[2:]] for r in rows}


def build_pan(args, folder, path, defines, flags):
    run(args, ["spin", "-a", "-o1", "-o2", "-o3", *defines, path], folder)
    run(args, ["gcc", "-O3", "-w", "-DNOREDUCE", "-DNOFAIR", "-DVECTORSZ=8192", *flags, "-o", "pan", "pan.c"], folder)
    if not os.path.exists(os.path.join(folder, "pan")):
        raise LeftOut("spin: no verifier")


def deep_enough(args, folder, words):
    """(what pan says, its stack): one that is not too small."""
    for most in (10000, 1000000, 30000000):
        text = run(args, ["./pan", *words, "-m%d" % most], folder)[0]
        if "max search depth too small" not in text:
            return text, int(number(r"depth reached (\d+)", text)) + 100
    raise LeftOut("pan: no stack is deep enough")


def speed(args, name):
    file, formula = SPEED[name]
    row = {"model": name, "load": os.getloadavg()[0]}
    with tempfile.TemporaryDirectory() as folder:
        path = write_model(args, folder, file, formula)
        row["cairn"] = ask_cairn(args, path, ["-p"])
        if any(r[4] for r in row["cairn"].values()):
            row["differs"] = "a cycle"
        width = "-w%d" % math.ceil(math.log2(row["cairn"]["ndfs"][1]))
        build_pan(args, folder, path, [], [])
        text, most = deep_enough(args, folder, ["-a", "-n", "-c0", width])
        command = ["./pan", "-a", "-n", "-c0", "-m%d" % most, width]
        row["pan"] = [min(run(args, command, folder)[1] for _ in range(args.repeat)),
                      int(number(r"(\d+) states, stored", text)), int(number(r"errors: (\d+)", text))]
    row["load"] = max(row["load"], os.getloadavg()[0])
    return row


def claim_steps(folder, model):
    """(steps of the claim in pan's trail, those of the cycle); a trail without a cycle is none: -i ends where it was before."""
    trails = [f for f in os.listdir(folder) if f.startswith(model) and f.endswith(".trail")]
    if not trails:
        raise LeftOut("pan: no trail")
    steps, stem = 0, None
    with open(os.path.join(folder, trails[0]), encoding="ascii") as f:
        for line in f:
            depth, process, _ = line.split(":")
            if depth == "-1":
                stem = steps
            steps += int(depth) >= 0 and process == "0"
    if stem is None:
        raise LeftOut("pan: no cycle in the trail")
    return steps, steps - stem


def pan_lengths(args, folder, path, defines, flags):
    """The shortest of pan's lassos: (length, cycle, by which option)."""
    best = None
    build_pan(args, folder, path, defines, [*flags, "-DREACH"])
    for words in ([], ["-i"], ["-I"]):
        for trail in [f for f in os.listdir(folder) if f.endswith(".trail")]:
            os.remove(os.path.join(folder, trail))
        try:
            run(args, ["./pan", "-l" if "-DNP" in flags else "-a", *words, "-m200000"], folder)
            length = (*claim_steps(folder, os.path.basename(path)), " ".join(words))
        except LeftOut:
            continue
        best = length if best is None or length[0] < best[0] else best
    return best


def lasso(args, name):
    file, defines, formula = LASSO[name]
    words = [w for d in defines for w in ("-D", d[2:])] 
    words += [] if formula is None else ["-q"] if formula == "np" else ["-l", formula]
    flags = ["-DNP"] if formula == "np" else []
    row = {"model": name, "load": os.getloadavg()[0]}
    with tempfile.TemporaryDirectory() as folder:
        path, model = write_model(args, folder, file, formula), os.path.join(MODELS, file)
        row["found"] = ask_cairn(args, model, ["-f", "-w", "ndfs,scc,start", *words])
        row["cairn"] = ask_cairn(args, model, ["-w", "ndfs,scc", *words])
        row["cairn"].update(ask_cairn(args, model, ["-m", "-w", "owcty", *words], 1))  # it visits all states first, which takes long
        if not all(row["cairn"][e][4] for e in ENGINES):
            row["differs"] = "no cycle"
        build_pan(args, folder, path, defines, flags)
        ask = "-l" if flags else "-a"
        text, most = deep_enough(args, folder, [ask])
        row["errors"] = int(number(r"errors: (\d+)", text))
        row["states"] = int(number(r"(\d+) states, stored", text))
        command = ["./pan", ask, "-w%d" % max(10, math.ceil(math.log2(row["states"])))]
        row["pan"] = min(run(args, [*command, "-m%d" % most], folder)[1] for _ in range(5 * args.repeat))
        row["start"] = min(run(args, [*command, "-m1"], folder)[1] for _ in range(5 * args.repeat))
        row["shortest"] = pan_lengths(args, folder, path, defines, flags)
    row["load"] = max(row["load"], os.getloadavg()[0])
    return row


def thousands(n):
    return format(n, ",")


def table_speed(rows):
    lines = ["| model | states | transitions | dfs, s | ndfs/dfs | nested | scc/dfs | bfs, s | owcty/bfs | pan: states | pan -a, s | "
             "ndfs/pan, per state |", "|---|" + "---:|" * 11]
    ratios = {"ndfs": [], "scc": [], "owcty": [], "pan": []}
    for row in rows:
        c = row["cairn"]
        for engine, order in ENGINES.items():
            ratios[engine].append(c[engine][0] / c[order][0])
        ratios["pan"].append(c["ndfs"][0] / c["ndfs"][1] / (row["pan"][0] / row["pan"][1]))
        lines.append("| %s | %s | %s | %.2f | %.2f | %.0f %% | %.2f | %.2f | %.2f | %s | %.2f | %.2f |" % (
            row["model"], thousands(c["dfs"][1]), thousands(c["dfs"][2]), c["dfs"][0], ratios["ndfs"][-1],
            100 * c["ndfs"][3] / c["ndfs"][1], ratios["scc"][-1], c["bfs"][0], ratios["owcty"][-1], thousands(row["pan"][1]),
            row["pan"][0], ratios["pan"][-1]))
    means = {k: statistics.geometric_mean(v) for k, v in ratios.items()}
    lines.append("| **geometric mean** | | | | **%.2f** | | **%.2f** | | **%.2f** | | | **%.2f** |" % (
        means["ndfs"], means["scc"], means["owcty"], means["pan"]))
    lines.append("| **most** | | | | **%.2f** | | **%.2f** | | **%.2f** | | | **%.2f** |" % (
        max(ratios["ndfs"]), max(ratios["scc"]), max(ratios["owcty"]), max(ratios["pan"])))
    return "\n".join(lines) + "\n"


def table_lasso_times(rows):
    lines = ["| model | pan: states | pan -a, ms | states | ndfs, ms | scc, ms | ndfs/pan | scc/pan | ndfs and shorter, ms | owcty, ms |",
             "|---|" + "---:|" * 9]
    shares = {"ndfs": [], "scc": []}
    for row in rows:
        start, pan = row["found"]["start"][0], max(row["pan"] - row["start"], 1e-6)
        taken = {e: max(row["found"][e][0] - start, 1e-6) for e in shares}
        for e, list_ in shares.items():
            list_.append(taken[e] / pan)
        lines.append("| %s | %s | %.2f | %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |" % (
            row["model"], thousands(row["states"]), 1e3 * pan, thousands(row["found"]["ndfs"][1]), 1e3 * taken["ndfs"],
            1e3 * taken["scc"], shares["ndfs"][-1], shares["scc"][-1], 1e3 * (row["cairn"]["ndfs"][0] - start), 1e3 * row["cairn"]["owcty"][0]))
    lines.append("| **geometric mean** | | | | | | **%.2f** | **%.2f** | | |" % tuple(
        statistics.geometric_mean(list_) for list_ in shares.values()))
    return "\n".join(lines) + "\n"


def table_lasso(rows):
    lines = ["| model | pan: shortest | cycle | by | least | owcty | cycle | owcty/pan | ndfs | cycle | ndfs/pan | scc | cycle | ndfs as found |",
             "|---|---:|---:|---|" + "---:|" * 10]
    longer = {e: [] for e in [*ENGINES, "least"]}
    for row in rows:
        c, shortest = row["cairn"], row["shortest"]
        for e in longer:
            longer[e].append(c[e][5] / shortest[0])
        lines.append("| %s | %d | %d | %s | %s%d | %d | %d | %.2f | %d | %d | %.2f | %d | %d | %d |" % (
            row["model"], *shortest[:2], shortest[2] or "-a", "" if c["least"][4] else ">= ", c["least"][5], *c["owcty"][5:7], longer["owcty"][-1], *c["ndfs"][5:7],
            longer["ndfs"][-1], *c["scc"][5:7], row["found"]["ndfs"][5]))
    for name, mean in (("median", statistics.median), ("most", max)):
        lines.append("| **%s** | | | | %.2f | | | **%.2f** | | | **%.2f** | | | |" % (
            name, mean(longer["least"]), mean(longer["owcty"]), mean(longer["ndfs"])))
    return table_lasso_times(rows) + "\n" + "\n".join(lines) + "\n"


def report(args, results):
    lines = ["%s; %s; least of %d runs; load up to %.0f" % (datetime.date.today(), machine(), args.repeat, max(
        [r["load"] for part in ("speed", "lasso") for r in results[part]], default=os.getloadavg()[0])), ""]
    for part, table, order in (("speed", table_speed, list(SPEED)), ("lasso", table_lasso, list(LASSO))):
        rows = [r for r in results[part] if "left_out" not in r and "differs" not in r]
        lines += ["%s: %s" % (r["model"], r.get("left_out") or r["differs"]) for r in results[part] if r not in rows]
        if rows:
            lines.append(table(sorted(rows, key=lambda r, order=order: order.index(r["model"]))))
    return "\n".join(lines)


def measure(args, results):
    """Fills results, writing them after every model."""
    for part, models, ask in (("speed", SPEED, speed), ("lasso", LASSO, lasso)):
        for name in models if part in args.part.split(",") else []:
            if (args.models and name not in args.models) or any(r["model"] == name and "left_out" not in r for r in results[part]):
                continue
            try:
                row = ask(args, name)
            except LeftOut as e:
                row = {"model": name, "load": 0, "left_out": str(e)}
            results[part] = [r for r in results[part] if r["model"] != name] + [row]
            print(json.dumps(row), file=sys.stderr, flush=True)
            if args.json:
                with open(args.json, "w", encoding="utf-8") as f:
                    json.dump(results, f, indent=1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.path.join(ROOT, "build", "cairn"))
    parser.add_argument("--bench", default=os.path.join(ROOT, "build", "bench", "cycles_bench"))
    parser.add_argument("--part", default="speed,lasso")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--markdown")
    parser.add_argument("--json")
    parser.add_argument("models", nargs="*")
    args = parser.parse_args()
    args.cairn, args.bench = os.path.abspath(args.cairn), os.path.abspath(args.bench)
    if not os.path.isdir(MODELS) or not shutil.which("spin"):
        print("SKIP bench: no models in %s (set CAIRN_SHARED), or no spin" % SHARED)
        return 0
    results = {"speed": [], "lasso": []}
    if args.json and os.path.exists(args.json):
        with open(args.json, encoding="utf-8") as f:
            results.update(json.load(f))
    measure(args, results)
    text = report(args, results)
    print(text, end="")
    if args.markdown:
        with open(args.markdown, "w", encoding="utf-8") as f:
            f.write(text)
    return 1 if any("differs" in r for r in results["speed"] + results["lasso"]) else 0


if __name__ == "__main__":
    sys.exit(main())
