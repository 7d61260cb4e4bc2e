#!/usr/bin/env python3
"""What is shown on a terminal fits it, at 60, 80 and 200 columns, and says the same as through a pipe.

    widths.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import re
import shutil
import sys
from pathlib import Path

from harness import ENDLESS, main, on_wide_terminal

WIDTHS = (60, 80, 200)
# What differs between two runs, and between an excerpt of a long line and a shorter one.
LOOSE = re.compile(r"[\d.,]+ ?(?:[kKMG]i?B|ms|s|µs|million|thousand)\b|[\d,.]+ events per second|--seed \d+")
STUCK = """#define N 3
bool fork_of[N]; byte a_name_that_is_rather_long_for_a_variable, and_another_one_that_is_no_shorter, third;
active [N] proctype philosopher() {
  byte right_hand_side_neighbour = (_pid + 1) % N;
  do
  :: atomic { !fork_of[_pid] -> fork_of[_pid] = true; a_name_that_is_rather_long_for_a_variable++ };
     atomic { !fork_of[right_hand_side_neighbour] -> fork_of[right_hand_side_neighbour] = true; third++ };
     fork_of[right_hand_side_neighbour] = false; and_another_one_that_is_no_shorter++; fork_of[_pid] = false
  od
}
"""


def wide(lines, columns):
    """Lines that do not fit, but for those to be copied (after a colon) and single words."""
    return [line for before, line in zip([""] + lines, lines)
            if len(line) > columns and not before.endswith(":") and len(line.split()) > 1]


def words_of(text):
    return LOOSE.sub("#", " ".join(text.split())).split()


def compare(t, *words, status=0, same=True):
    said = t.run(*words, status=status)
    for columns in WIDTHS:
        lines = on_wide_terminal(t, columns, *words)
        assert not wide(lines, columns), f"{words} at {columns}: {wide(lines, columns)}"
        if same:
            assert words_of("\n".join(lines)) == words_of(said.stdout + said.stderr), (words, columns, "\n".join(lines))


def models(t):
    for name in ("peterson.dve", "mutex-wrong.dve", "lossy.pml", "philosophers.pnml", "telephone.pml"):
        shutil.copy(Path(t.source) / "models" / name, t.folder)
    t.file("stuck.pml", STUCK)


def check_answers(t):
    models(t)
    compare(t, "check", "peterson.dve")
    compare(t, "check", "mutex-wrong.dve", status=1)
    compare(t, "check", "-v", "lossy.pml")
    compare(t, "check", "stuck.pml", status=1)
    compare(t, "check", "peterson.dve", "--ltl", "[] (P.wants -> <> P.critical)")
    compare(t, "check", "peterson.dve", "mutex-wrong.dve", "lossy.pml", status=1)


def check_trails_and_runs(t):
    models(t)
    t.run("check", "stuck.pml", status=1)
    for more in ([], ["--full"]):
        compare(t, "trail", "stuck.pml", "stuck.trail", *more)
    compare(t, "trail", "stuck.pml", "stuck.trail", "--chart", same=False)
    compare(t, "sim", "--seed", "1", "--steps", "20", "lossy.pml")
    compare(t, "sim", "--seed", "1", "--steps", "20", "--chart", "lossy.pml", same=False)


def check_facts(t):
    models(t)
    for model in ("lossy.pml", "peterson.dve", "philosophers.pnml"):
        compare(t, "info", model)
    compare(t, "automaton", "[] (request_of_a_client -> <> (answer_of_the_server || failure_of_the_server))")


def check_help_and_manual(t):
    for words in (["--help"], ["check", "--help"], ["trail", "--help"], ["bench", "--help"], ["check", "--store", "help"],
                  ["check", "--forget", "help"], ["check", "--reduce", "help"]):
        compare(t, *words)
    for columns in WIDTHS:
        lines = [line for line in on_wide_terminal(t, columns, "--man") if not line.startswith("       cairn check --")]
        assert not wide(lines, columns), wide(lines, columns)


def check_messages(t):
    t.file("long.pml", "byte x; active proctype P() { " + "x = x + 1; " * 30 + "y = 1; " + "x = x + 1; " * 30 + "skip }\n")
    t.file("bad.pml", "int a[2][3];\nvoid main() { a = 1 }\n")
    models(t)
    compare(t, "check", "long.pml", status=2, same=False)
    compare(t, "check", "bad.pml", status=2)
    compare(t, "check", "peterson.dve", "--allow-lossy", "--store", "tree", "--no-parents", "--trail", "x.trail", status=2)
    compare(t, "graph", "telephone.pml", "--max-states", "5", status=3)


def check_tables_of_bench(t):
    models(t)
    t.file("s.tsv", "\t".join(["model", "a", "peterson.dve", ""]) + "\nrun\tfull\t--store full\nrun\ttree\t--store tree --order dfs\n")
    t.run("bench", "s.tsv", status=None)
    compare(t, "bench", "--show", "s.tsv", same=False)
    compare(t, "bench", "--list", "s.tsv")


def check_what_programs_read_is_whole(t):
    models(t)
    for words in (["graph", "mutex-wrong.dve"], ["check", "mutex-wrong.dve", "--json", "-"], ["info", "--code", "peterson.dve"],
                  ["--completion", "bash"], ["automaton", "--format", "hoa", "[] (a_long_name -> <> (b_long_name || c_long_name))"]):
        said, shown = t.run(*words, status=None).stdout, "\n".join(on_wide_terminal(t, 60, *words))
        assert len(said.splitlines()) == len(shown.splitlines()), words


def check_columns_and_pipes(t):
    models(t)
    plain = t.run("check", "mutex-wrong.dve", status=1).stdout
    assert max(map(len, plain.splitlines())) > 60
    t.environment["COLUMNS"] = "60"
    assert not wide(on_wide_terminal(t, 200, "check", "mutex-wrong.dve"), 60)
    assert len(t.run("check", "mutex-wrong.dve", status=1).stdout.splitlines()) == len(plain.splitlines())


def check_the_progress_line(t):
    t.file("endless.dve", ENDLESS)
    lines = on_wide_terminal(t, 60, "check", "endless.dve", "--time", "0.8", "--max-states", "100000000")
    assert not wide(lines, 60) and lines[0].startswith("inconclusive: "), lines


if __name__ == "__main__":
    sys.exit(main(globals()))
