#!/usr/bin/env python3
"""How fast cairn searches: twelve BEEM models, million events per second.

    bench/run.py [--cairn PROGRAM] [--repeat N] [--orders bfs,dfs] [--compiler cc]
                 [--markdown FILE] [--json FILE] [MODEL...]

Each model runs N times per order, one after the other, and the median counts.
Events per second are those of the search alone, as cairn reports them; parsing
and compiling are shown apart. The first run of a model fills the cache of
compiled models, so that the others start with compiled code.
The models are in the folder CAIRN_SHARED (default ../shared beside the sources).
"""
import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = os.environ.get("CAIRN_SHARED", os.path.join(ROOT, "..", "shared"))
TWELVE = ["at.4", "bakery.6", "lamport.6", "szymanski.4", "firewire_tree.5", "phils.6",
          "telephony.3", "iprotocol.4", "brp.4", "elevator2.3", "needham.4", "fischer.6"]


def machine():
    """Processor, number of cores and memory in one line."""
    name = platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        for line in f:
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return "%s, %d cores, %.0f GiB, Linux %s" % (name, os.cpu_count(), gib,
                                                 platform.release().split("-")[0])


def run_once(args, model, order):
    path = os.path.join(SHARED, "models", "dve", model + ".dve")
    p = subprocess.run([args.cairn, "check", path, "--order", order, "--compiler", args.compiler,
                        "--store", "full", "--json", "-", "--trail", os.devnull, *args.option],
                       capture_output=True, text=True, timeout=1800)
    if p.returncode not in (0, 1):
        sys.exit("%s: exit status %d\n%s" % (model, p.returncode, p.stderr))
    return json.loads(p.stdout)


def measure(args, model, order):
    runs = [run_once(args, model, order) for _ in range(args.repeat)]
    rates = [r["events"] / max(r["seconds"]["search"], 1e-9) / 1e6 for r in runs]
    middle = runs[rates.index(statistics.median_low(rates))]
    return {"model": model, "order": order, "rate": statistics.median(rates),
            "least": min(rates), "most": max(rates), "states": middle["states"]["stored"],
            "events": middle["events"], "seconds": middle["seconds"]["search"],
            "compile": middle["seconds"]["compile"],
            "bytes_per_state": middle["memory"]["bytes_per_state"],
            "peak_resident": middle["memory"]["peak_resident"]}


def table(args, results):
    """The results as Markdown."""
    lines = ["%s; %s; %d runs each, median; options: --compiler %s %s"
             % (datetime.date.today(), machine(), args.repeat, args.compiler,
                " ".join(args.option)), "",
             "| model | states | events | " + " | ".join("%s, M events/s" % o for o in args.orders)
             + " | bytes per state |", "|---|---:|---:|" + "---:|" * (len(args.orders) + 1)]
    for model in args.models:
        of = {r["order"]: r for r in results if r["model"] == model}
        first = of[args.orders[0]]
        lines.append("| %s | %s | %s | %s | %.1f |" % (
            model, format(first["states"], ","), format(first["events"], ","),
            " | ".join("%.1f (%.1f to %.1f)" % (of[o]["rate"], of[o]["least"], of[o]["most"])
                       for o in args.orders), first["bytes_per_state"]))
    medians = [statistics.median(r["rate"] for r in results if r["order"] == o)
               for o in args.orders]
    lines.append("| **median** | | | %s | |" % " | ".join("**%.1f**" % m for m in medians))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.environ.get("CAIRN", "build/cairn"))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--orders", default="bfs,dfs")
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--option", action="append", default=[], help="handed on to cairn")
    parser.add_argument("--markdown")
    parser.add_argument("--json")
    parser.add_argument("models", nargs="*")
    args = parser.parse_args()
    args.orders, args.models = args.orders.split(","), args.models or TWELVE
    if not os.path.isdir(os.path.join(SHARED, "models")):
        print("SKIP bench: no models in %s (set CAIRN_SHARED)" % SHARED)
        return 0
    results = []
    for model in args.models:
        for order in args.orders:
            results.append(measure(args, model, order))
            r = results[-1]
            print("%-16s %s %6.1f M events/s %9.3f s %6.1f bytes/state %6.0f MB"
                  % (model, order, r["rate"], r["seconds"], r["bytes_per_state"],
                     r["peak_resident"] / 1e6), file=sys.stderr, flush=True)
    text = table(args, results)
    print(text, end="")
    if args.markdown:
        with open(args.markdown, "w", encoding="utf-8") as f:
            f.write(text)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump({"machine": machine(), "date": str(datetime.date.today()),
                       "results": results}, f, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
