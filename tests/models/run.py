#!/usr/bin/env python3
"""Runs the small models of this folder and compares with what they say of themselves.

The comments at the head of a model say how to run it and what should come out:

    // options: --property deadlock          for the next `expect` lines; none at first
    // expect: verified states=12 events=20 deadlocks=0 levels=5
    // expect: violated assertion length=3   the length is checked with bfs
    // expect: rejected 4:10 some words      place and part of the message
    // expect: inconclusive unchecked=P
    // also: cc                              compile with the system's compiler, too
    // oracle: no                            what the oracle does not know

Each run is multiplied by bfs and dfs (and compilers), runs under the self-check, and
is compared with tests/oracle/dve.py: the expectation was worked out by hand, so
that three have to agree. The figures of Promela models are those of Spin (see
tests/promela) where Spin is right, else worked out by hand.

Then it is multiplied by stores, orders, reductions and forgetting (WAYS): by a few of them that are
others for each model, with --all by the whole product. What a way need not keep (the length of a
counterexample, the number of events) is not compared, and no verdict may be another one. A cache
that is too small is made larger until the search ends; how many searches give up has a ceiling.
No figure may contradict another one (tests/figures.py).

    run.py [--all] [--ways N] [CAIRN] [MODEL...]
"""
import argparse
import concurrent.futures
import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "oracle"), os.path.dirname(HERE)]
import dve  # noqa: E402
import figures  # noqa: E402

EXIT = figures.EXIT
ORDERS = ["bfs", "dfs", "bbfs:3", "alt:2,1", "random", "best:0"]
STORES = ["full", "tree", "collapse", "automaton", "comback", "comback:hash=8+shorten+cache=9", "auto --move-after 3", "auto --move-after 3 --allow-lossy",
          "compact", "bitstate:3,1M", "bitline:3,1M"]
REDUCE = ["", "chain", "edge-lean", "edge-lean --action-order reverse", "edge-lean,chain", "tnf", "tnf:force", "sleep:1",
          "sleep:1:force", "sleep:2", "sleep:2 --action-order random:3", "por", "auto", "merge", "merge,por",
          "merge,edge-lean", "dead", "dead,merge", "dead,sleep:2", "por,edge-lean", "por,sleep:1:force",
          "por,edge-lean --action-order reverse", "merge,por,edge-lean"]
FEWER = {"por", "auto", "merge", "dead"}  # of these some states are left out
FORGET = ["", "cache", "cache:in-degree", "cache:stratified/2", "sweep-line --progress auto:3", "sweep-line:near --progress auto:1"]
BACKWARD = {"pseudo-root"}  # not every model goes backward; those of random_dve.py and random_nets.py do
CYCLE = "an event led back to the stack"
GAVE_UP = {"cycle": 0.03, "cache": 0.07}  # at most this part of the searches


def read_expectations(path):
    """The model's runs as (options, words), and its flags."""
    runs, flags, options = [], set(), []
    with open(path, encoding="latin-1", newline="") as f:
        for line in f:
            key, _, rest = line.strip().removeprefix("// ").partition(": ")
            if not line.startswith("//"):
                continue
            if key == "options":
                options = shlex.split(rest)
            elif key == "expect":
                runs.append((options, rest.split()))
            elif key in ("also", "oracle"):
                flags.add(key + " " + rest)
    return runs, flags


def ask_cairn(cairn, path, options):
    with tempfile.TemporaryDirectory() as folder:  # for the trail
        p = subprocess.run([cairn, "check", path, "--json", "-", *options], text=True, cwd=folder,
                           capture_output=True, timeout=120, errors="replace")
    return p, figures.decode(p.stdout) or {}


def figures_of(answer):
    f = {"states": answer["states"]["stored"], "length": None}
    for key in ("events", "deadlocks", "levels", "back_level_edges", "errors"):
        f[key] = answer.get(key)
    if answer.get("error"):
        f["length"] = answer["error"]["length"]
        f["kind"] = answer["error"]["kind"]
    return f


def complaints(words, p, answer, order, path):
    """What differs from the expectation, as sentences."""
    verdict, rest = words[0], words[1:]
    if p.returncode != EXIT[verdict]:
        yield "exit status %d, not %d" % (p.returncode, EXIT[verdict])
    if verdict == "rejected":
        text = p.stderr
        if rest and "%s:%s:" % (os.path.basename(path), rest[0]) not in text:
            yield "no message at " + rest[0]
        if rest[1:] and " ".join(rest[1:]) not in text:
            yield "no %r in the message" % " ".join(rest[1:])
        return
    if answer.get("verdict") != verdict:
        yield "verdict %s, not %s" % (answer.get("verdict"), verdict)
        return
    got = figures_of(answer)
    for word in rest:
        key, is_figure, value = word.partition("=")
        if key == "unchecked":
            if not any(value in u for u in answer["unchecked"]):
                yield "unchecked %s" % answer["unchecked"]
        elif not is_figure:
            if got.get("kind") != key:
                yield "error %s, not %s" % (got.get("kind"), key)
        elif order == "dfs" and key in ("levels", "back_level_edges", "length"):
            continue
        elif got[key] != int(value):
            yield "%s %s, not %s" % (key, got[key], value)


def oracle_complaints(words, options, path):
    """Whether the oracle agrees with the expectation."""
    verdict, rest = words[0], words[1:]
    if verdict in ("rejected", "inconclusive"):
        return
    r = dve.explore(dve.read(path))
    first = {k: n for k, n in r["first"].items()
             if k != "deadlock" or "deadlock" in options}
    if verdict == "verified" and first:
        yield "oracle: errors %s" % first
    for word in rest:
        key, is_figure, value = word.partition("=")
        if not is_figure:
            if min(first, key=first.get, default=None) != key:
                yield "oracle: errors %s" % r["first"]
            r["length"] = r["first"].get(key)
        elif r[key] != int(value):
            yield "oracle: %s %s, not %s" % (key, r[key], value)


# ---- the product -------------------------------------------------------------------------


class Way:
    """One way to search: words, and what of an expectation it need not keep."""

    def __init__(self, order, store, reduce, forget):
        self.order, self.reduce, self.forget = order, reduce, forget
        self.words = ["--order", order, "--store", *store.split()]
        self.words += ["--reduce", *reduce.split()] if reduce else []
        self.size = 0
        self.is_shortest = order == "bfs" and "sweep" not in forget and not FEWER & set(reduce.split(","))

    def all_words(self):
        forget, *rest = self.forget.split() or [""]
        return self.words + (["--forget", "%s,size=%d" % (forget, self.size), "--max-visits", str(30 * self.size + 100),
                              *rest] if forget else [])

    def skips(self, key, words, options):
        """Whether the way need not keep the figure."""
        if words[0] == "violated" and "--keep-going" not in options and key not in ("length", "kind"):
            return True
        if key in ("states", "levels", "depth") and FEWER & set(self.reduce.split(",")):
            return True  # all deadlocks and all errors, but not all states
        if key in ("levels", "back_level_edges"):
            return self.order != "bfs" or self.forget != "" or (key == "back_level_edges" and self.reduce != "")
        if key == "length":
            return not self.is_shortest
        return (key in ("events", "errors") and (self.reduce or self.forget)) or (key == "deadlocks" and self.forget)


def refused_pairs(cairn):
    """Pairs of values that the program says do not go together, by the tables that it prints."""
    text = subprocess.run([cairn, "--combinations"], capture_output=True, text=True, check=True).stdout
    refused, columns = set(), []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and ", " in cells[0]:
            columns = cells
        elif columns and len(cells) == len(columns):
            kinds = columns[0].split(", ")
            refused |= {((kinds[0], cells[0]), (kinds[1], column)) for column, cell in zip(columns[1:], cells[1:])
                        if cell.startswith("no")}
        else:
            columns = []
    return refused


def missing(cairn):
    """Methods of the program that are in none of the lists above."""
    lists = {"ORDERS": ORDERS, "STORES": STORES, "REDUCE": REDUCE, "FORGET": FORGET}
    for title, words in lists.items():
        option = title.lower().removesuffix("s")
        text = subprocess.run([cairn, "check", "--" + option, "help"], capture_output=True, text=True, check=True).stdout
        here = {name for word in words for name in re.findall(r"[a-z-]+", word)}
        for name in re.findall(r"^  ([a-z-]+)", text, re.MULTILINE):
            if name not in here | BACKWARD and name != "none":
                yield "tests/models/run.py: %s lacks %s" % (title, name)


def all_ways(cairn):
    """The product, without what the program says it refuses: docs/combinations.md."""
    refused = refused_pairs(cairn)
    for order, store, reduce, forget in itertools.product(ORDERS, STORES, REDUCE, FORGET):
        values = {("order", order.split(":")[0]), ("store", store.split()[0].split(":")[0]),
                  ("way to forget", (forget or "none").split()[0].split(":")[0])}
        values |= {("reduction", r) for r in (reduce or "none").split()[0].split(",")}
        moves = "--move-after" not in store or (order in ("bfs", "dfs") and not forget)
        if moves and not any((a, b) in refused for a in values for b in values):
            yield order, store, reduce, forget


def way_complaints(way, options, words, p, answer):
    """What differs from the expectation; a word of GAVE_UP if the search gave up."""
    verdict = words[0]
    limit = answer.get("limit") or ""
    if CYCLE in limit and way.reduce.removeprefix("por,").startswith(("tnf", "sleep:1")) and answer["verdict"] != "verified":
        return "cycle"
    if limit and way.forget and answer["verdict"] != "verified":
        return "cache"
    if "merge" in way.reduce.split(",") and "may count steps" in (answer.get("reason") or ""):
        return []  # a claim that is no formula without X
    if answer.get("estimate") is not None and verdict == "verified":
        verdict = "inconclusive"  # a store that may miss states
    if p.returncode != EXIT[verdict] or answer.get("verdict") != verdict:
        return ["exit status %d, verdict %s, not %s" % (p.returncode, answer.get("verdict"), verdict)]
    if verdict == "rejected":
        return []
    got, wrong = figures_of(answer), figures.complaints(answer, p.returncode)
    for word in words[1:]:
        key, is_figure, value = word.partition("=")
        if key == "unchecked" or way.skips(key if is_figure else "kind", words, options):
            continue
        if not is_figure:
            wrong += [] if got.get("kind") == key else ["error %s, not %s" % (got.get("kind"), key)]
        elif key == "states" and way.forget:
            wrong += [] if answer["states"]["visited"] >= int(value) else ["%s visited, not %s" % (answer["states"], value)]
        elif key == "back_level_edges" and got[key] is None:
            continue  # a store that does not number its states
        elif got[key] != int(value):
            wrong.append("%s %s, not %s" % (key, got[key], value))
    return wrong


def run_way(cairn, path, options, words, way):
    """(what is wrong, how it gave up at first or None): with more room until it ends."""
    gave_up = None
    states = [int(w[7:]) for w in words if w.startswith("states=")]
    way.size = states[0] * 3 // 4 + 2 if states else 300
    while True:
        p, answer = ask_cairn(cairn, path, way.all_words() + options)
        wrong = way_complaints(way, options, words, p, answer)
        if wrong == "cycle":
            return [], "cycle"
        if wrong != "cache":
            return wrong, gave_up
        if way.size > 100000:
            return ["gave up with room for %d states: %s" % (way.size, answer["limit"])], "cache"
        way.size, gave_up = way.size * 3 // 2 + 1, "cache"


def run_product(cairn, job):
    """As above, with the words that repeat it."""
    path, options, words, way = job
    try:
        wrong, gave_up = run_way(cairn, path, options, words, way)
    except subprocess.TimeoutExpired:
        wrong, gave_up = ["no end after two minutes"], None
    return ["%s %s: %s" % (os.path.basename(path), " ".join(way.all_words() + options), w) for w in wrong], gave_up


def product(cairn, models, count):
    """Searches that are to be done: all ways, or `count` of them, other ones each time."""
    ways, turn = list(all_ways(cairn)), 0
    for path in models:
        for options, words in read_expectations(path)[0]:
            if words[0] == "rejected" or any(o.startswith("--max-") for o in options):
                continue
            some = ways if count is None else [ways[(turn + i) * 7919 % len(ways)] for i in range(count)]
            turn += len(some)
            for way in some:
                yield path, options, words, Way(*way)


# ---- all models --------------------------------------------------------------------------


def run_model(cairn, path):
    """(runs that passed, complaints)."""
    runs, flags = read_expectations(path)
    passed, wrong = 0, []
    name = os.path.basename(path)
    if not runs:
        wrong.append("%s: says nothing of what to expect" % name)
    compilers = ["tcc"] + (["cc"] if "also cc" in flags and shutil.which("cc") else [])
    for options, words in runs:
        if "oracle no" not in flags and path.endswith(".dve"):
            wrong += ["%s: %s" % (name, c) for c in oracle_complaints(words, options, path)]
        for order in ("bfs", "dfs"):
            for compiler in compilers:
                extra = ["--order", order, "--compiler", compiler, "--self-check", *options]
                try:
                    p, answer = ask_cairn(cairn, path, extra)
                    found = list(complaints(words, p, answer, order, path))
                except subprocess.TimeoutExpired:
                    found = ["no end after two minutes"]
                wrong += ["%s %s: %s" % (name, " ".join(extra), c) for c in found]
                passed += not found
    return passed, wrong


def give_ups(results):
    """Prints how many searches gave up; how many of the causes were too many."""
    wrong = 0
    for cause, part in GAVE_UP.items():
        n = sum(gave_up == cause for _, gave_up in results)
        print("%d of %d searches gave up: %s" % (n, len(results), cause))
        if len(results) >= 200 and n > part * len(results):
            wrong += 1
            print("FAIL: that is more than %d %%" % (100 * part))
    return wrong


def told(results, which):
    """All results as a list; complaints, one part of each, are printed as they come."""
    kept = []
    for result in results:
        kept.append(result)
        for line in result[which]:
            print("FAIL", line, flush=True)
    return kept


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--ways", type=int, default=0, help="of each model; 0: six, or three under the sanitizers")
    parser.add_argument("cairn", nargs="?", default=os.environ.get("CAIRN", "build/cairn"))
    parser.add_argument("models", nargs="*")
    args = parser.parse_args()
    cairn = os.path.abspath(args.cairn)
    ways = args.ways or (3 if figures.is_sanitized(cairn) else 6)
    lacks = list(missing(cairn))
    for line in lacks:
        print("FAIL " + line)
    models = [os.path.abspath(m if os.path.exists(m) else os.path.join(HERE, m)) for m in args.models] or sorted(os.path.join(HERE, f) for f in os.listdir(HERE)
                                                                 if f.endswith((".dve", ".pml", ".c")))
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(2) as pool:
        os.environ["XDG_CACHE_HOME"] = cache  # no test reads or leaves anything in the user's
        results = told(pool.map(lambda m: run_model(cairn, m), models), 1)
        jobs = list(product(cairn, models, None if args.all else ways))
        more = told(pool.map(lambda job: run_product(cairn, job), jobs), 0)
    failed = len(lacks) + sum(len(lines) for _, lines in results) + sum(len(lines) for lines, _ in more) + give_ups(more)
    passed = sum(n for n, _ in results) + sum(not lines for lines, _ in more)
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
