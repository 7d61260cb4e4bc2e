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

Each run is multiplied by orders (and compilers), runs under the self-check, and
is compared with tests/oracle/dve.py: the expectation was worked out by hand, so
that three have to agree. The figures of Promela models are those of Spin (see
tests/promela) where Spin is right, else worked out by hand. Usage: run.py [CAIRN] [MODEL...]
"""
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "oracle"))
import dve  # noqa: E402

EXIT = {"verified": 0, "violated": 1, "rejected": 2, "inconclusive": 3}


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
    try:
        begin = p.stdout.index("{")
        answer = json.JSONDecoder().raw_decode(p.stdout[begin:])[0]
    except ValueError:
        answer = {}
    return p, answer


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


def main():
    cairn = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("CAIRN", "build/cairn")
    cairn = os.path.abspath(cairn)
    models = [os.path.abspath(m) for m in sys.argv[2:]] or sorted(os.path.join(HERE, f) for f in os.listdir(HERE)
                                    if f.endswith((".dve", ".pml")))
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(2) as pool:
        os.environ["XDG_CACHE_HOME"] = cache  # no test reads or leaves anything in the user's
        results = list(pool.map(lambda m: run_model(cairn, m), models))
    for _, wrong in results:
        for line in wrong:
            print("FAIL", line)
    failed = sum(len(wrong) for _, wrong in results)
    print("%d passed, %d failed, 0 skipped" % (sum(n for n, _ in results), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
