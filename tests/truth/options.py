#!/usr/bin/env python3
"""Random combinations of options on many models: no verdict, trail or figure may be wrong.

    options.py [--cairn PROGRAM] [-n N] [--seed S] [--models M] [--jobs J] [MODEL…]

M models (60) are those of this repository and, where they are at hand, reference models of
at most 20,000 states (folder CAIRN_SHARED, default ../shared beside the sources). What is
true of each is found by a plain breadth-first search, whose states must be those of the
reference tables. Then N times: a model, and options drawn at random over every order, store,
reduction, strategy, limit and property. Asked is:

- no crash, no endless run, and no object that contradicts itself (tests/figures.py)
- no verdict that is better than the truth: verified only what is, and with all its states;
  an error only where there is one, breadth-first a nearest one; inconclusive with a reason
- a limit is kept
- a counterexample that was written is shown again by the very command that is printed

Combinations that the program refuses are drawn again; it must say why. A failure is printed with
its command. Number K of a run is repeated by --seed S+K -n 1.
"""
import argparse
import collections
import concurrent.futures
import glob
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import figures  # noqa: E402
from reference import SHARED, read_table  # noqa: E402

CRITERIA = ["in-degree", "frequency", "out-degree", "near", "far", "entry", "age", "random", "stratified/%d", "stratified/%d/1",
            "share/%d"]
FEWER = {"auto", "por", "merge", "dead"}  # reductions that store fewer states; auto takes por
AGAIN = re.compile(r"shows? it again:\n+\S+ (trail .*)$", re.MULTILINE)
SECONDS = 120  # for one run, on a machine however busy


# ---- models ------------------------------------------------------------------------------


def shared_models(most):
    """(words, states) of reference models."""
    if not os.path.isdir(os.path.join(SHARED, "reference")):
        print("no reference models at " + SHARED)
        return
    for r in read_table("beem-own.tsv"):
        if (r["states"] or "").isdigit() and int(r["states"]) <= most and r.get("status", "ok") == "ok":
            yield [os.path.join(SHARED, "models", r.get("dve_file") or "dve/%s.dve" % r["model"])], int(r["states"])
    for r in read_table("promela-unreduced.tsv"):
        if int(r["states"]) <= most and not r["first_error_kind"].startswith("runtime:"):
            yield [os.path.join(SHARED, "models/promela", r["file"]), *r["defines"].split()], int(r["states"])


def choose_models(count):
    """Some of the repository's and some reference models, evenly over their sizes."""
    own = [([m], None) for folder in ("models", "tests/models", "tests/effects")
           for m in sorted(glob.glob(os.path.join(ROOT, folder, "*.dve")) + glob.glob(os.path.join(ROOT, folder, "*.pml")))
           if not os.path.basename(m).startswith(("reject-", "endless"))]
    shared = sorted(shared_models(20000), key=lambda m: m[1])
    half = count if not shared else count // 2
    return [m[int(i * len(m) / n)] for m, n in ((own, min(half, len(own))), (shared, min(count - half, len(shared))))
            for i in range(n)]


# ---- options -----------------------------------------------------------------------------


def draw_size(rng, states):
    return max(1, int(states * rng.choice([0.05, 0.3, 0.6, 0.8, 1.0, 3.0])) + rng.randrange(3))


def draw_order(rng):
    return rng.choice(["bfs", "bfs", "dfs", "dfs", "bbfs:%d" % rng.choice([1, 2, 7, 60]), "random", "best:0",
                       "alt:%d,%d" % rng.choice([(0, 1), (1, 0), (1, 1), (3, 2), (4, 4), (9, 1)])])


def draw_store(rng):
    return rng.choice(["full", "tree", "collapse", "automaton", "auto", "comback", "comback:cache=%d" % rng.choice([1, 40]),
                       "comback:" + "+".join(rng.sample(["shorten", "numbers", "actions", "cache=0", "anchors=9", "hash=13"], 3)),
                       "compact", "compact:%d" % rng.choice([16, 24, 40]),
                       "bitstate:%d,%s" % (rng.choice([1, 3, 8]), rng.choice(["4K", "64K", "1M"])),
                       "bitline:%d,%s" % (rng.choice([1, 3, 8]), rng.choice(["4K", "64K", "1M"]))])


def draw_strategy(rng):
    criteria = [rng.choice(["", "", "-"]) + c for c in rng.sample(CRITERIA, rng.choice([1, 1, 2, 3]))]
    return "+".join(c % rng.choice([2, 3, 16]) if "%d" in c else c for c in criteria)


def draw_forgetting(rng, states):
    kind = rng.choice(["cache", "cache", "sweep-line", "in-degree"])
    if kind == "in-degree":
        return ["--forget", rng.choice(["in-degree", "in-degree:%d" % rng.choice([8, 12])])]
    forget = kind + (":" + draw_strategy(rng) if rng.random() < 0.8 else "")
    forget += ",size=%d" % draw_size(rng, states) if rng.random() < 0.8 else ""
    words = ["--forget", forget, "--max-visits", str(rng.choice([3, 20]) * states + 50)]
    return words + (["--progress", "auto:%d" % rng.randrange(6)] if kind == "sweep-line" else [])


def draw_limits(rng, states):
    words = []
    for name, value in (("--max-states", draw_size(rng, states)), ("--max-depth", rng.randrange(1, 200)),
                        ("--max-visits", draw_size(rng, states)), ("--memory", rng.choice(["8M", "20M", "200M"])),
                        ("--time", rng.choice(["0.01", "100"]))):
        words += [name, str(value)] if rng.random() < 0.08 else []
    return words


def draw_reduction(rng):
    """Of each kind at most one, as one option or several."""
    kinds = [(0.4, ["edge-lean", "edge-lean", "tnf", "tnf:force", "sleep:1", "sleep:1:force", "sleep:2", "por", "por", "por", "auto",
                   "por,edge-lean", "edge-lean,por", "por,sleep:1:force"]),
             (0.15, ["merge"]), (0.15, ["dead"])]
    chosen = [rng.choice(names) for chance, names in kinds if rng.random() < chance]
    return ["--reduce", ",".join(chosen)] if chosen else []


def draw(rng, model, states):
    """(what changes the truth, all other words)."""
    meaning = rng.choice(["", "", "", "", "--no-deadlock", "--property deadlock", "--property safety"]).split()
    meaning += ["--keep-going"] if rng.random() < 0.5 else []
    if model[0].endswith(".pml"):
        for word in ("--send-full lose", "--end-queues empty", "--claim none"):
            meaning += word.split() if rng.random() < 0.1 else []
    order, store = draw_order(rng), draw_store(rng)
    words = ["--order", order, "--store", store]
    words += draw_reduction(rng)
    words += ["--action-order", rng.choice(["model", "reverse", "random:5"])] if rng.random() < 0.2 else []
    if rng.random() < 0.35:
        words += draw_forgetting(rng, states)
        words += ["--reduce", "chain"] if rng.random() < 0.4 else []
    words += draw_limits(rng, states)
    if store == "auto" and "--forget" not in words and rng.random() < 0.6:
        words += ["--move-after", str(draw_size(rng, states))]
        words += ["--allow-lossy"] if rng.random() < 0.5 else []
    for word, chance in (("--seed 7", 0.2), ("--no-parents", 0.05), ("--runs 3", 0.1), ("--compiler tcc", 0.5),
                         ("--self-check", 0.02), ("--check independence", 0.02)):
        words += word.split() if rng.random() < chance else []
    return meaning, words


# ---- running and judging -------------------------------------------------------------------


class Truths:
    """What a plain search says, by model and by the options that change it."""

    def __init__(self, cairn):
        self.cairn, self.known = cairn, {}

    def of(self, model, meaning):
        key = (*model, *meaning)
        if key not in self.known:
            self.known[key] = figures.ask(self.cairn, [*model, *meaning, "--order", "bfs", "--store", "full"], SECONDS)[1]
        return self.known[key]


def value_of(words, name):
    return words[words.index(name) + 1] if name in words else None


def limit_complaints(got, words):
    for name, key in (("--max-states", "peak_stored"), ("--max-visits", "visited")):
        most = value_of(words, name)
        if most is not None and got["states"][key] > int(most):
            yield "%s %s, and %s of %s" % (key, got["states"][key], name, most)
    most = value_of(words, "--max-depth")
    if most is not None and got["depth"] > int(most):
        yield "depth %d, and --max-depth of %s" % (got["depth"], most)




def verdict_complaints(got, truth, words, keep_going):
    forgets, reduces = "--forget" in words, "--reduce" in words and value_of(words, "--reduce") != "chain"
    fewer = bool(FEWER & set((value_of(words, "--reduce") or "").split(",")))
    verdict, whole = got["verdict"], figures.is_complete(got) and got["estimate"] is None
    if verdict == "rejected" or truth["verdict"] == "rejected":
        yield "%s, not %s" % (verdict, truth["verdict"])
        return
    if verdict in ("verified", "violated") and verdict != truth["verdict"]:
        yield "%s, not %s" % (verdict, truth["verdict"])
    if verdict == "inconclusive" and truth["verdict"] != "inconclusive" and whole:
        yield "inconclusive without a cause, not %s" % truth["verdict"]
    if whole or (verdict == "violated" and keep_going and got["guarantee"] == "exact" and got["limit"] is None):
        stored, true = got["states"]["stored"], truth["states"]["stored"]
        if not forgets and (stored > true if fewer else stored != true):
            yield "stored %s, not %s" % (stored, true)
        if not fewer and got["states"]["visited"] < truth["states"]["visited"]:
            yield "%s visited, not %s" % (got["states"]["visited"], truth["states"]["visited"])
        if not forgets and (got["deadlocks"] > truth["deadlocks"] if fewer else got["deadlocks"] != truth["deadlocks"]):
            yield "%s deadlocks, not %s" % (got["deadlocks"], truth["deadlocks"])
        if not forgets and (got["events"] > truth["events"] if reduces else got["events"] != truth["events"]):
            yield "%s events, not %s" % (got["events"], truth["events"])
    sweeps = "sweep-line" in (value_of(words, "--forget") or "")
    length = got["error"] and got["error"]["length"]
    if (verdict == "violated" and value_of(words, "--order") == "bfs" and not sweeps and not fewer and length is not None
            and got["estimate"] is None and got["limit"] is None and length != truth["error"]["length"]):
        yield "an error after %s events, not %s" % (length, truth["error"]["length"])


def trail_complaints(cairn, text, answer, folder):
    """Whether the command that is printed shows the counterexample again."""
    if answer["trail"] is None:
        return
    printed = AGAIN.search(text)
    if printed is None:
        yield "a trail was written, and no command is printed that shows it"
        return
    again = subprocess.run([cairn, *shlex.split(printed.group(1))], capture_output=True, text=True, errors="replace",
                           cwd=folder, timeout=SECONDS)
    if again.returncode != 0:
        yield "the trail does not replay: %s: exit status %d: %s" % (printed.group(1), again.returncode,
                                                                     again.stderr.strip()[:200])
    elif answer["error"]["message"].split(" (")[0][:40] not in again.stdout + again.stderr:
        yield "the trail shows another error than '%s'" % answer["error"]["message"]


def try_once(cairn, model, meaning, words, truth):
    """(None if the program refused, else what is wrong, the object)."""
    with tempfile.TemporaryDirectory() as folder:
        command = [cairn, "check", *model, *meaning, *words, "--json", "answer.json"]
        try:
            p = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=folder, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return ["no end after %d s" % SECONDS], None
        if p.returncode not in (0, 1, 2, 3):
            return ["exit status %d: %s" % (p.returncode, p.stderr.strip()[:300])], None
        try:
            with open(os.path.join(folder, "answer.json"), encoding="utf-8") as f:
                got = figures.decode(f.read())
        except OSError:
            return ["no JSON: exit status %d: %s" % (p.returncode, p.stderr.strip()[:300])], None
        wrong = figures.complaints(got, p.returncode)
        if got["verdict"] == "rejected" and truth["verdict"] != "rejected":
            return (wrong + ([] if got["reason"] and p.stderr else ["refused without a reason"]) or None), got
        searched = got["events"] is not None
        if searched or got["verdict"] == "rejected":
            wrong += verdict_complaints(got, truth, words, "--keep-going" in meaning)
        if searched:
            wrong += limit_complaints(got, words)
            wrong += trail_complaints(cairn, p.stdout, got, folder)
        if "internal error" in p.stderr:
            wrong.append(p.stderr.strip()[:300])
        return wrong, got


def one(args, models, truths, number):
    """(complaints with their command, what came of it)."""
    rng = random.Random(args.seed + number)
    for _ in range(50):
        model, _ = rng.choice(models)
        states = truths.of(model, ["--keep-going"])["states"]["stored"] or 10
        meaning, words = draw(rng, model, states)
        truth = truths.of(model, meaning)
        if truth is None:
            return ["cairn check %s %s: no JSON (number %d)" % (" ".join(model), " ".join(meaning), number)], "nothing"
        wrong, got = try_once(args.cairn, model, meaning, words, truth)
        if wrong is not None:
            shown = shlex.join(["cairn", "check", *model, *meaning, *words])
            verdict = "nothing" if got is None else got["limit"] or got["verdict"]
            return ["%s: %s (number %d)" % (shown, w, number) for w in wrong], verdict
    return [], "refused fifty times"


def check_reference(models, truths):
    for model, states in models:
        truth = truths.of(model, ["--keep-going"])
        if states is not None and truth["states"]["stored"] != states:
            yield "%s: %s states, not %d" % (" ".join(model), truth["states"]["stored"], states)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.path.join(ROOT, "build", "cairn"))
    parser.add_argument("-n", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("paths", nargs="*")
    args = parser.parse_args()
    args.cairn = os.path.abspath(args.cairn)
    models = [([os.path.abspath(m)], None) for m in args.paths] or choose_models(args.models)
    truths, count, failed = Truths(args.cairn), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        os.environ["XDG_CACHE_HOME"] = cache
        list(pool.map(lambda m: truths.of(m[0], ["--keep-going"]), models))
        wrong = list(check_reference(models, truths))
        models = [m for m in models if truths.of(m[0], ["--keep-going"])["verdict"] != "rejected"]
        for complaints, outcome in pool.map(lambda k: one(args, models, truths, k), range(args.n)):
            failed += bool(complaints)
            count[outcome] += 1
            for c in complaints:
                print("FAIL " + c, flush=True)
    for w in wrong:
        failed += 1
        print("FAIL " + w)
    for outcome, n in count.most_common():
        print("%6d %s" % (n, outcome))
    print("%d passed, %d failed" % (args.n - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
