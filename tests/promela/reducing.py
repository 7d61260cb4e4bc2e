#!/usr/bin/env python3
"""How many states reductions leave, beside those of Spin's.

    reducing.py [--cairn PROGRAM] [--least STATES] [--most STATES] [--seconds N] [--table FILE] [MODEL…]

Every model of reference/promela-spin.tsv that Spin searched to the end without reduction ("full-o123"),
with statement merging and dead variables ("full") and with partial order reduction as well ("por"), all
errors passed over. It is searched depth-first with --reduce merge,dead and with por,merge,dead, and once
more plainly: there are deadlocks in the one where there are in the other, and errors of other kinds, and a
search that stops at the first error finds one that the program has replayed. Last come the geometric means of
the parts of the states that are left, ours and Spin's, and the models on which more than 1.1 times as many are
left as by Spin. --table writes the states of each model.
"""
import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from figures import complaints as contradictions  # noqa: E402
from reference import SHARED, arguments, is_over, read_table  # noqa: E402

WAYS = {"merge": "merge", "dead": "dead", "full": "merge,dead", "por": "por,merge,dead"}
MOST = {"full": 0.70, "por": 0.24}  # geometric means over all of the models with at least 1,000 states


def run(args, row, reduce, *more):
    """The answer, or a sentence."""
    path = os.path.join(SHARED, "models", "promela", row["file"])
    command = [args.cairn, "check", path, *row["defs"].split(), "--property", "safety", "--order", "dfs", "--reduce", reduce,
               "--time", "100", "--memory", "1500M", "--compiler", "tcc", "--trail", os.devnull, "--json", "-", *more]
    p = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=600, check=False)
    if p.returncode not in (0, 1, 3) or "{" not in p.stdout:
        return "exit status %d: %s" % (p.returncode, (p.stderr or p.stdout).strip()[:300])
    answer = json.loads(p.stdout[p.stdout.index("{"):])
    wrong = contradictions(answer, p.returncode)
    return "; ".join(wrong) or "internal error" * ("internal error" in p.stderr) or answer


def facts(answer):
    """What must not depend on the reduction."""
    deadlock = ("deadlock", "invalid-end-state")
    kind = (answer["error"] or {}).get("kind")
    return {"verdict": answer["verdict"], "deadlocks": answer["deadlocks"] > 0,
            "other errors": answer["errors"] > answer["deadlocks"] or (answer["errors"] > 0 and kind not in deadlock),
            "unreached": sorted((u["line"], u["column"], u["text"]) for u in answer.get("unreached") or [])}


def plan(args):
    """The rows of each model, the smallest first."""
    found = {}
    for row in read_table("promela-spin.tsv"):
        if row["mode"] == "safety" and row["search"] == "all" and row["status"] == "complete":
            found.setdefault((row["file"], row["defs"]), {})[row["variant"]] = row
    whole = [v for v in found.values() if {"full", "por", "full-o123"} <= set(v)]
    for rows in sorted(whole, key=lambda v: int(v["full-o123"]["transitions"])):
        states = int(rows["full-o123"]["states_stored"])
        named = not args.models or any(m in rows["full"]["file"] for m in args.models)
        if named and states >= args.least and (args.most is None or states <= args.most):
            yield rows


def compare(args, rows, faults):
    """The states without reduction and in each way, or None if the model is not one to compare."""
    name = rows["full"]["file"]
    plain = run(args, rows["full"], "none", "--keep-going")
    if isinstance(plain, str) or plain.get("limit"):
        print("left out:", name, plain if isinstance(plain, str) else plain["limit"])
        return None
    states = {"none": plain["states"]["stored"]}
    if states["none"] != int(rows["full-o123"]["states_stored"]):
        print("left out:", name, "has %d states, with Spin %s" % (states["none"], rows["full-o123"]["states_stored"]))
        return None
    for way, reduce in WAYS.items():
        answer = run(args, rows["full"], reduce, "--keep-going")
        if isinstance(answer, str) or answer.get("limit"):
            faults.append("%s, %s: %s" % (name, reduce, answer if isinstance(answer, str) else answer["limit"]))
            return None
        for what, value in facts(plain).items():
            if facts(answer)[what] != value:
                faults.append("%s, %s: %s %s, not %s" % (name, reduce, what, facts(answer)[what], value))
        states[way] = answer["states"]["stored"]
    if plain["errors"]:
        answer = run(args, rows["full"], WAYS["por"])
        if isinstance(answer, str) or answer["verdict"] != plain["verdict"]:
            faults.append("%s: %s" % (name, answer if isinstance(answer, str) else "another verdict"))
    return states


def mean(parts):
    return math.exp(sum(map(math.log, parts)) / len(parts)) if parts else 1.0


def main():
    args = arguments("models", least=1000, most=None, table=None)
    faults, lines, ours, spins, more = [], [], {w: [] for w in WAYS}, {"full": [], "por": []}, []
    left = 0
    for rows in plan(args):
        if is_over(args):
            left += 1
            continue
        states = compare(args, rows, faults)
        if states is None:
            continue
        line = [rows["full"]["file"], rows["full"]["defs"], str(states["none"])] + [str(states[w]) for w in WAYS]
        for way in WAYS:
            ours[way].append(states[way] / states["none"])
        for way in spins:
            spin = int(rows[way]["states_stored"])
            spins[way].append(spin / states["none"])
            line.append(str(spin))
            if states[way] > 1.1 * spin:
                more.append("%s, %s: %d states, with Spin %d" % (rows["full"]["file"], WAYS[way], states[way], spin))
        lines.append("\t".join(line))
        if args.verbose:
            print(lines[-1], flush=True)
    if args.table:
        with open(args.table, "w", encoding="utf-8") as f:
            print("\t".join(["model", "options", "none", *WAYS.values(), "Spin, full", "Spin, por"]), *lines, sep="\n", file=f)
    for sentence in more:
        print("more:", sentence)
    print("%d models, %d left out; parts of the states: %s; of Spin's: %s" % (
        len(lines), left, ", ".join("%s %.3f" % (WAYS[w], mean(ours[w])) for w in WAYS),
        ", ".join("%s %.3f" % (w, mean(spins[w])) for w in spins)))
    if left == 0 and args.most is None and not args.models:
        faults += ["%s leaves %.3f of the states" % (WAYS[w], mean(ours[w])) for w in MOST if mean(ours[w]) > MOST[w]]
    print(*faults, sep="\n")
    return 1 if faults or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
