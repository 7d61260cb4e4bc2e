#!/usr/bin/env python3
"""Independent actions commute, and edge-lean search meets every state.

    independence.py [--cairn PROGRAM] [--most STATES] [--turns] [MODEL|FOLDER…]

Each model is searched under `--check independence`, and with the reductions of
WAYS: states, deadlocks and verdict must be those of the plain search, events at most as many; or,
with trace normal forms, an event led back to the stack, and the answer is partial: this has a
ceiling. No other search may give up, and no figure contradict another one. Models that are
rejected are passed over. --most: all reference models of at most that many states (models.py), under
`--check independence` and `--self-check`, and with the first way of all. --turns: every second of WAYS, the others
for the next model.
"""
import argparse
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import figures  # noqa: E402
import models as reference  # noqa: E402


class Faults(list):
    """What is wrong, printed as it is found: who looks for a first fault need not wait."""

    def append(self, fault):
        print("FAIL " + fault, flush=True)
        super().append(fault)


def run(faults, cairn, model, *words):
    """(figures or None if rejected, standard error)"""
    command = [cairn, "check", *([model] if isinstance(model, str) else model), "--keep-going", "--time", "20", "--json", "-",
               "--trail", "/dev/null", "--compiler", "tcc", "--property", "safety", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    answer = json.loads(done.stdout) if done.stdout else {"verdict": "rejected"}
    if answer["verdict"] != "rejected":
        for complaint in figures.complaints(answer, done.returncode):
            faults.append(f"{model} {words}: {complaint}")
    return (None if answer["verdict"] == "rejected" else answer), done.stderr


# Trace normal forms may give up where there is a cycle, the others never.
WAYS = [["bfs", "--reduce", "edge-lean"], ["bfs", "--reduce", "edge-lean", "--action-order", "reverse"],
        ["bbfs:7", "--reduce", "edge-lean"], ["random", "--reduce", "edge-lean"], ["dfs", "--reduce", "edge-lean", "--action-order", "random:3"],
        ["dfs", "--reduce", "sleep:2"], ["dfs", "--reduce", "sleep:2", "--action-order", "reverse"],
        ["dfs", "--reduce", "tnf:force"]]
# A state of 1,600 events has 1.3 million pairs: over a minute in one step, for what smaller models show, too.
SLOW = "many-pairs.dve"
CYCLES = 0.5  # in at most this part of the models trace normal forms may meet one


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--most", type=int)
    parser.add_argument("--turns", action="store_true")
    parser.add_argument("models", nargs="*")
    args = parser.parse_args()
    faults, tested, pairs, saved, cycles = Faults(), 0, 0, 0, 0
    models = []
    for path in args.models:
        inside = sorted(os.listdir(path)) if os.path.isdir(path) else []
        models += [os.path.join(path, f) for f in inside if f.endswith((".dve", ".pml"))] or [path]
    if args.most is not None:
        if not os.path.isdir(reference.SHARED):
            print("skipped: no reference models at", reference.SHARED)
            return 77
        args.dve = args.promela = args.most
        models += [words for _, words, _ in reference.models(args)]
    for model in models:
        ways = WAYS if isinstance(model, str) else WAYS[:1]
        plain, _ = run(faults, args.cairn, model)
        if plain is None:
            continue
        tested += 1
        if plain["limit"] is not None:
            faults.append(f"{model}: the plain search gave up: {plain['limit']}")
        slow = isinstance(model, str) and model.endswith(SLOW)
        _, said = (None, "") if slow else run(faults, args.cairn, model, "--check", "independence")
        if "internal error" in said:
            faults.append(f"{model}: {said.strip()}")
        pairs += sum(int(line.split()[1]) for line in said.splitlines()
                     if line.startswith("note: ") and "commute" in line)
        if not isinstance(model, str):
            checked, said = run(faults, args.cairn, model, "--self-check")
            if checked is None or checked["states"]["stored"] != plain["states"]["stored"] or "internal error" in said:
                faults.append(f"{model} --self-check: {said.strip()}")
        for way in ways[tested % 2::2] if args.turns else ways:
            lean, said = run(faults, args.cairn, model, "--order", *way)
            if lean is None:
                faults.append(f"{model} {way}: rejected: {said.strip()}")
                continue
            if "back to the stack" in (lean.get("limit") or ""):
                if lean["guarantee"] != "partial" or lean["verdict"] == "verified":
                    faults.append(f"{model} {way}: {lean['verdict']}, {lean['guarantee']}")
                cycles += 1
                continue
            if lean["limit"] is not None:
                faults.append(f"{model} {way}: gave up: {lean['limit']}")
            for what in ("verdict", "deadlocks", "stored"):
                a, b = [x["states"]["stored"] if what == "stored" else x[what] for x in (plain, lean)]
                if a != b:
                    faults.append(f"{model} {way}: {what} {b}, not {a}")
            if lean["events"] > plain["events"]:
                faults.append(f"{model} {way}: more events")
            saved += plain["events"] - lean["events"]
    print(f"{tested} models, {pairs} pairs commute, {saved} events less, {cycles} cycles")
    if tested >= 50 and (cycles > CYCLES * tested or saved == 0 or pairs == 0):
        faults.append(f"cycles in more than {CYCLES} of the models, or nothing was saved")
    return 1 if faults or not tested else 0


if __name__ == "__main__":
    sys.exit(main())
