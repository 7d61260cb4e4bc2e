#!/usr/bin/env python3
"""Every option with every engine: it has an effect, or it is refused.

    engines.py --cairn PROGRAM [--verbose]

The table of effects (run.py) asks of each option that it does something somewhere. Here each option of
`check` is given to an ordinary search and to every search for cycles, each time on a model and beside
options (CASES) where it should show. What the program says and writes must then differ, times and
memory apart, or the program must refuse the option; an option that is taken and ignored fails. So does one
without a case. UNSEEN are those whose effect no figure shows.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

MODEL = """
#ifndef MOST
#define MOST 2
#endif
byte x;
bit y;
chan q = [MOST] of { byte };
active proctype P() { do :: x < 20 -> x++ :: x == 20 -> x = 0 od }
active proctype Q() { y = 1; do :: y = 1 - y od }
active proctype S() { byte i; for (i : 1 .. MOST + 2) { q!i } }
active proctype T() { byte v; q?v }
ltl p { [] <> (y == 1 || x < 20 || x == 20) }
"""
STARVES = """
bit x, y;
active proctype P() { do :: x = 1 - x od }
active proctype Q() { y = 1 }
ltl p { <> (y == 1) }
"""
MANY = """
byte a, b, c;
active proctype P() { do :: a++ :: b++ :: c++ od }
ltl p { [] <> (a == 1 || b < 200 || b >= 200) }
"""
STUCK = """
byte x;
chan q = [2] of { byte };
active proctype P() { accept: x = 255; x++; q!1; q!2; q!3 }
active proctype Q() { do :: x == 0 -> x = 2 :: x == 2 -> x = 0 :: x == 255 -> break od }
ltl p { [] <> (x == 2) }
"""
WRONG = """
byte x;
active proctype P() { accept: do :: x < 9 -> x++ :: x == 9 -> x = 0; assert(x == 1); x = 5 od }
active proctype Q() { byte n; do :: n < 50 -> n++ :: n == 50 -> n = 0 od }
"""
CUT = """
byte x;
active proctype P() { accept: x = 300; do :: x == 44 -> x = 45 :: x == 45 -> x = 44 od }
"""
SELECTS = """
active proctype P() { byte my_v; select(my_v : 0 .. 3); do :: my_v = 1 - my_v od }
ltl p { [] <> (true) }
"""
ENDS = """
byte x;
chan q = [2] of { byte };
active proctype P() { accept: x = 1; q!1 }
"""
FULL = """
byte x;
chan q = [1] of { byte };
active proctype P() { accept: x = 1; q!1; q!2; do :: x = 1 - x od }
"""

# An option: what to give, what beside it, and the model.
CASES = {
    "--order": (["--order", "random"], ["--store", "full"], MODEL),
    "--store": (["--store", "compact:16"], [], MODEL),
    "--forget": (["--forget", "cache,size=300"], [], MODEL),
    "--reduce": (["--reduce", "por"], [], MODEL),
    "--action-order": (["--action-order", "reverse"], ["--reduce", "edge-lean"], MODEL),
    "--progress": (["--progress", "auto:3"], [], MODEL),
    "--max-visits": (["--max-visits", "10"], [], MODEL),
    "--allow-lossy": (["--allow-lossy"], ["--move-after", "10"], MODEL),
    "--move-after": (["--move-after", "10"], [], MODEL),
    "--runs": (["--runs", "2"], ["--store", "compact:16"], MODEL),
    "--invariant": (["--invariant", "x < 9"], [], MODEL),
    "--define": (["-D", "MOST=3"], [], MODEL),
    "--send-full": (["--send-full", "lose"], [], FULL),
    "--end-queues": (["--end-queues", "empty"], [], ENDS),
    "--claim": (["--claim", "none"], [], MODEL),
    "--ltl": (["--ltl", "<>[](x==3)"], [], MODEL),
    "--property": (["--property", "progress"], [], MODEL),
    "--no-deadlock": (["--no-deadlock"], [], STUCK),
    "--keep-going": (["--keep-going"], [], WRONG),
    "--memory": (["--memory", "64M"], [], MODEL),
    "--time": (["--time", "0.01"], ["--max-states", "300000"], MANY),
    "--checkpoint": (["--checkpoint", "file,0.01"], ["--max-states", "80000"], MANY),
    "--resume": (["--resume", "nothing"], [], MODEL),
    "--max-states": (["--max-states", "20"], [], MODEL),
    "--max-depth": (["--max-depth", "5"], [], MODEL),
    "--compiler": (["--compiler", "cc"], [], MODEL),
    "--spin": (["--spin"], [], SELECTS),
    "--allow-c": (["--allow-c"], [], MODEL),
    "--warn": (["--warn", "truncation"], [], CUT),
    "--trail": (["--trail", "other"], [], WRONG),
    "--json": (["--json", "-"], [], MODEL),
    "--no-parents": (["--no-parents"], [], WRONG),
    "--quiet": (["--quiet"], [], MODEL),
    "--stats": (["--stats"], [], MODEL),
    "--diagnostics": (["--diagnostics", "json"], ["--warn", "truncation"], CUT),
    "--color": (["--color", "always"], [], MODEL),
    "--help": (["--help"], [], MODEL),
    "--check": (["--check", "independence"], [], MODEL),
    "--cycles": (["--cycles", "owcty"], [], MODEL),
    "--fairness": (["--fairness", "weak"], [], STARVES),
    "--queries": (["--queries", "OneSafe"], [], MODEL),
    "--token-bits": (["--token-bits", "16"], [], MODEL),
}
UNSEEN = {"--seed": "no figure of an exact store shows its hash function", "--self-check": "says something of wrong facts only",
          "--force": "tests/cli/files.py"}
ENGINES = {"explore": ["--property", "safety"]}
ENGINES.update({name: ["--property", "acceptance", "--cycles", name] for name in ("ndfs", "scc", "owcty")})
TIMES = re.compile(r"(?m)^rate .*\n|^.*(time|memory|events) .*$|, [0-9.,]+ m?s\b")


def options_of_check(cairn):
    text = subprocess.run([cairn, "--completion", "bash"], capture_output=True, text=True, check=True).stdout
    return re.search(r"^ *check\) words='([^']*)'", text, re.MULTILINE).group(1).split()


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if not re.search("second|resident|cairn|^code$", k)
                and (k != "budget" or v % 2**20 == 0)}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def shown(text):
    """Without what depends on the time: figures, and the verdict once more, which is last where a search takes over a second."""
    lines = TIMES.sub("", text).split("\n")
    return [*lines[:-3], ""] if len(lines) > 3 and lines[-3:] == ["", lines[0], ""] else lines


def ask(cairn, words, model, name="m.pml", command="check"):
    """(exit status, sentence of a refusal, all that was said and written)."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(model)
        extra = [] if "--json" in words or command != "check" else ["--json", "answer.json"]
        done = subprocess.run([cairn, command, *words, *extra, name], cwd=folder, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "XDG_CACHE_HOME": cache})
        files = sorted(os.listdir(folder))
        answer = None
        if "answer.json" in files:
            with open(os.path.join(folder, "answer.json"), encoding="utf-8") as f:
                answer = without_times(json.load(f))
    return done.returncode, done.stderr, (done.returncode, shown(done.stdout), shown(done.stderr), files, answer)


def try_one(cairn, option, engine):
    """(what it is: an effect, refused, …; whether that is right)."""
    words, beside, model = CASES[option]
    base = [w for w in ENGINES[engine]]
    if option == "--claim" and engine == "explore":
        base = []
    if option == "--property":
        base = [w for w in base if engine == "explore" or w not in ("--property", "acceptance")] + (
            [] if engine == "explore" else ["--claim", "p"])
    if option == "--cycles":
        base = [w for w in base if w not in ("--cycles", engine)]
    status, says, before = ask(cairn, base + beside, model)
    if before != ask(cairn, base + beside, model)[2]:
        return ("the case differs from itself", False)
    if status == 2 and beside:
        status, says, after = ask(cairn, base + beside + words, model)
        return ("refused beside " + " ".join(beside), status == 2)
    if status == 2:
        return ("the case is refused: " + says.strip(), False)
    status, says, after = ask(cairn, base + beside + words, model)
    if status == 2:
        return ("refused: " + says.strip(), ": " in says)
    return ("an effect", True) if after != before else ("no effect", False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", required=True)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    cairn = os.path.abspath(args.cairn)
    passed, failed = 0, 0
    for option in options_of_check(cairn):
        if not option.startswith("--") or option in UNSEEN:
            continue
        for engine in ENGINES:
            what, fine = ("there is no case", False) if option not in CASES else try_one(cairn, option, engine)
            passed += fine
            failed += not fine
            if not fine or args.verbose:
                print("%s%s with %s: %s" % ("" if fine else "FAIL ", option, engine, what), flush=True)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
