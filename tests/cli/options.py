#!/usr/bin/env python3
"""The command line, end to end: help, manual, completion, and mistakes on the command line.

    options.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import re
import shutil
import subprocess
import sys

from harness import COMMANDS, LOCKS, ROUND, on_terminal, main


def check_help_fits_a_screen(t):
    for command in [None, *COMMANDS]:
        lines = t.run(*([command] if command else []), "--help").stdout.splitlines()
        assert len(lines) <= 23, f"{command}: {len(lines)} lines"
        assert max(map(len, lines)) < 80, f"{command}: {max(lines, key=len)}"


def check_help_of_methods_names_each_with_what_it_is(t):
    for option, name in [("order", "bbfs:W"), ("store", "compact[:N]"), ("forget", "sweep-line"),
                         ("reduce", "sleep:1"), ("action-order", "reverse")]:
        lines = t.run("check", f"--{option}", "help").stdout.splitlines()
        assert max(map(len, lines)) < 80, max(lines, key=len)
        at = [i for i, line in enumerate(lines) if line.startswith(f"  {name}")]
        assert at and len("".join(lines[at[0]:at[0] + 2])) > 40, lines
    assert "|help" in t.run("--man").stdout
    assert "auto (default)" in t.run("check", "no-such-model", "--store=help").stdout
    t.file("m.dve", LOCKS)
    for word, says in [("edge-lean:2", "there is nothing to be said after edge-lean"), ("tnf:2", "there can only be :force")]:
        assert says in t.run("check", "m.dve", "--reduce", word, status=2).stderr
    said = t.run("check", "m.dve", "--reduce", "helpless", status=2).stderr
    assert "there is no 'helpless'" in said and "--reduce help" in said, said


def check_the_long_help_has_all_options_and_the_names_that_they_take(t):
    assert "More, see cairn help check:" in t.run("check", "--help").stdout
    for command in COMMANDS:
        lines = t.run("help", command).stdout.splitlines()
        assert max(map(len, lines)) < 80, max(lines, key=len)
        for option in options_of(t, command):
            assert any(re.match(rf"  (-., )?--{option}( |$)", line) for line in lines), option
    said = t.run("help", "check").stdout
    for option, names in [("store", "bitline"), ("order", "best:pseudo-root"), ("reduce", "none"), ("forget", "sweep-line")]:
        found = re.search(rf"^--{option}: +(.*(?:\n {{16}}.*)*)", said, re.MULTILINE)
        assert found and names in re.split(r",\s+", found[1]), (option, said)
        assert "more" not in found[1]


def check_the_formats_of_a_graph(t):
    t.file("m.dve", ROUND)
    t.error("graph", "--format", "svg", "m.dve", says="--format must be dot or aut, not 'svg'; dot -Tsvg makes a picture")
    t.error("automaton", "--format", "svg", "p U q", says="--format must be dot|aut|never|hoa, not 'svg'")
    t.error("graph", "--format", "hoa", "m.dve", says="cairn graph writes dot or aut")


def options_of(t, command):
    shown, _, named = t.run(command, "--help").stdout.partition(f"More, see cairn help {command}:")
    return re.findall(r"--([a-z][a-z-]*)", "\n".join(
        line[:30] for line in shown.splitlines()[1:] if line.startswith("  ")) + named)


def check_manual_and_completion_know_every_option(t):
    manual = t.run("--man").stdout.replace("\\-", "-")
    completion = t.run("--completion", "bash").stdout
    for command in COMMANDS:
        for option in options_of(t, command):
            assert f"--{option}" in manual, option
            assert f"--{option} " in completion, option
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-ww", "-z"], input=t.run("--man").stdout, text=True,
                              capture_output=True)
        assert not done.stderr, done.stderr


def check_completion_completes(t):
    script = t.run("--completion", "bash").stdout + """
        ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _cairn; echo "${COMPREPLY[*]}"; }
        ask cairn che; ask cairn check --or; ask cairn check --order b; ask cairn graph --format ''"""
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert done.stdout.split("\n")[:4] == ["check", "--order", "bfs bbfs: best: best:pseudo-root", "dot aut never hoa"], done


def check_version(t):
    assert re.fullmatch(r"cairn \d+\.\d+\.\d+\n", t.run("--version").stdout)


def check_mistakes(t):
    t.file("m.dve", ROUND)
    for words, says in [
            ([], "command is missing"), (["--"], "command is missing"),
            (["chekc", "m.dve"], "did you mean 'check'"), (["m.dve"], "cairn check m.dve"),
            (["check"], "MODEL is missing"), (["trail", "m.dve"], "FILE is missing"),
            (["sim", "m.dve", "n.dve"], "unexpected 'n.dve'"), (["check", ""], "empty"),
            (["check", "--ordr", "bfs", "m.dve"], "did you mean '--order'"),
            (["check", "--zzz", "m.dve"], "unknown option"), (["check", "-x", "m.dve"], "unknown option"),
            (["check", "m.dve", "--order"], "needs a value"), (["check", "--order=best", "m.dve"], "best:EXPR"),
            (["check", "--keep-going=1", "m.dve"], "takes no value"),
            (["check", "--time", "1", "--time", "2", "m.dve"], "given twice"),
            (["check", "--time", "0", "m.dve"], "above 0"), (["check", "--time", "nan", "m.dve"], "seconds"),
            (["check", "--time", "1e9", "m.dve"], "seconds"),
            (["check", "--memory", "0", "m.dve"], "too little"), (["check", "--memory", "9999T", "m.dve"], "more than"),
            (["check", "--memory", "1K", "m.dve"], "too little"),
            (["check", "--store", "tree", "--allow-lossy", "m.dve"], "--store auto"),
            (["check", "--order", "bbfs:8", "--allow-lossy", "m.dve"], "--order bfs or dfs"), (["check", "--memory", "999T", "m.dve"], "this machine has"),
            (["check", "--memory", "99999999999999999999", "m.dve"], "needs a size"),
            (["check", "--memory", "-1", "m.dve"], "needs a size"), (["check", "--memory", "1GB", "m.dve"], "size"),
            (["check", "--max-states", "0", "m.dve"], "from 1"), (["check", "--max-states", "1k", "m.dve"], "number"),
            (["check", "--property", "safety,", "m.dve"], "deadlock|safety"),
            (["check", "--property", "deadlock", "--no-deadlock", "m.dve"], "contradict"),
            (["check", "--warn", "spin,no-spin", "m.dve"], "contradict"),
            (["check", "--no-parents", "--trail", "x", "m.dve"], "no effect"),
            (["check", "--trail", "-", "m.dve"], "needs a file"), (["sim", "-i", "-"], "standard input"), (["trail", "-", "-"], "standard input"),
            (["check", "--trail", "x", "--json", "x", "m.dve"], "same file"),
            (["check", "--full", "m.dve"], "no effect"), (["info", "--order", "bfs", "m.dve"], "no effect"),
            (["sim", "-i", "--seed", "3", "m.dve"], "no effect"), (["sim", "--trail", "x", "m.dve"], "no effect"),
            (["check", "-D", "A=1", "m.dve"], "no effect in models of the language dve"), (["sim", "--spin", "m.dve"], "language dve"),
            (["graph", "--send-full", "lose", "m.dve"], "language dve"), (["info", "--token-bits", "16", "m.dve"], "language dve"),
            (["check", "--end-queues", "empty", "m.dve"], "language dve"),
            (["check", "--version"], "no effect"), (["info", "--code", "--json", "-", "m.dve"], "no effect"),
            (["check", "--invariant", "", "m.dve"], "empty"), (["--completion", "tcsh"], "bash"),
            (["check", "gone.dve"], "gone.dve"), (["info", "."], "directory"), (["check", "m.txt"], "m.txt")]:
        t.error(*words, says=says)
    t.file("m.txt", "neither of them")
    t.error("check", "m.txt", says=".dve")
    done = t.error("check", "--\033[31m", "m.dve")
    assert "\033" not in done.stderr


def check_bad_invariants(t):
    t.file("m.dve", LOCKS)
    for text in ["y ==", "P.nothing == 1", "(((", "1 +", "\"", "x == 1; x", "x = 1", "é", "(" * 100000 + "x"]:
        done = t.run("check", "--invariant", text, "m.dve", status=2)
        assert "error:" in done.stderr and len(done.stderr) < 4000, done.stderr[:3000]


def check_color(t):
    t.file("m.dve", ROUND)
    assert "\033" not in t.run("check", "m.dve").stdout
    assert "\033" in t.run("check", "--color", "always", "m.dve").stdout
    t.file("bad.dve", "process {")
    assert b"\033[" in on_terminal(t, "check", "bad.dve")[2]
    assert b"\033" not in on_terminal(t, "check", "--color", "never", "bad.dve")[2]
    t.environment["NO_COLOR"] = "1"
    assert b"\033" not in on_terminal(t, "check", "bad.dve")[2]


def check_limit_on_address_space(t):
    t.file("m.dve", ROUND)
    for kilobytes in range(4000, 9000, 80):
        done = subprocess.run(["sh", "-c", f"ulimit -v {kilobytes}; exec \"$@\"", "sh", t.cairn, "check", "--compiler", "tcc",
                               "m.dve"], cwd=t.folder, env=t.environment, timeout=60, capture_output=True, text=True)
        if "m.dve" in done.stdout + done.stderr:  # it did start
            assert done.returncode in (0, 3), (kilobytes, done)


if __name__ == "__main__":
    sys.exit(main(globals()))
