#!/usr/bin/env python3
"""The command line, end to end: JSON, files and terminals.

    output.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from harness import ENDLESS, KEYS, LOCKS, ROUND, on_terminal, main


def check_json_keys(t):
    t.file("m.dve", ROUND)
    answer = t.check("m.dve")
    assert KEYS <= set(answer), KEYS - set(answer)
    assert answer["format"] == 1 and answer["model"] == "m.dve" and answer["guarantee"] == "exact"
    assert answer["states"]["stored"] == 5 and answer["states"]["visited"] == 5 and answer["events"] == 5
    assert answer["states"]["matched"] == 1 and answer["levels"] == 5 and answer["back_level_edges"] == 1
    assert answer["level_widths"] == [1] * 5 and answer["error"] is None and answer["errors"] == 0
    assert set(answer["seconds"]) == {"parse", "compile", "search"}
    assert {"peak_resident", "store", "bytes_per_state"} <= set(answer["memory"])
    deep = t.check("--order", "dfs", "m.dve")
    assert deep["levels"] is None and deep["back_level_edges"] is None and deep["level_widths"] is None
    assert set(deep) == set(answer)


def check_json_page_names_every_key(t):
    t.file("m.dve", ROUND)
    page = (Path(t.source) / "docs" / "json.md").read_text()
    info = json.loads(t.run("info", "--json", "-", "m.dve").stdout)
    answer = t.check("m.dve")
    for key in [*answer, *answer["states"], *answer["memory"], *answer["seconds"], *info]:
        assert re.search(rf"`[^`]*\b{key}[.`]", page), f"docs/json.md does not name {key}"


def check_json_when_rejected(t):
    t.file("m.dve", "nonsense")
    answer = t.check("m.dve", status=2)
    assert answer["verdict"] == "rejected" and answer["states"]["stored"] is None and answer["reason"]
    assert KEYS <= set(answer)
    assert t.check("gone.dve", status=2)["verdict"] == "rejected"
    for words in [["--order", "best", "m.dve"], ["m.dve", "--zzz"], ["--max-states", "0", "m.dve"], []]:
        answer = t.check(*words, status=2)
        assert answer["verdict"] == "rejected" and answer["reason"] and KEYS <= set(answer), words
        assert answer["model"] == (None if words == [] else "m.dve")
    before = (t.folder / "m.dve").read_bytes()
    for option in ["--json", "--trail"]:
        t.error("check", option, "m.dve", "m.dve", says="names the model itself")
    t.error("graph", "-o", "m.dve", "m.dve", says="names the model itself")
    t.error("check", "--json", "./m.dve", "m.dve", says="names the model itself")
    assert (t.folder / "m.dve").read_bytes() == before


def check_json_file(t):
    t.file("m.dve", ROUND)
    done = t.run("check", "--json", "out.json", "m.dve")
    assert done.stdout.startswith("verified") and t.files() == ["m.dve", "out.json"]
    assert json.loads((t.folder / "out.json").read_text())["events"] == 5
    t.error("check", "--json", "no/where.json", "m.dve", says="no/where.json")
    t.error("check", "--json", ".", "m.dve", says="directory")
    t.error("check", "--json", "n" * 300, "m.dve")
    t.run("check", "--json", "/dev/null", "m.dve")
    assert Path("/dev/null").is_char_device()
    t.run("check", "--json", "/dev/full", "m.dve", status=3)


def check_json_of_odd_names(t):
    name = os.fsdecode(b'q"\\\x01\xff\xc3\xa9 \xed\xa0\x80\xf5.dve')
    t.file(name, ROUND)
    done = subprocess.run([t.cairn, "check", "--json", "-", name], cwd=t.folder, env=t.environment,
                          capture_output=True)
    answer = json.loads(done.stdout.decode("utf-8"))
    assert answer["model"].startswith('q"\\\x01\ufffdé'), answer["model"]


def check_closed_and_full_output(t):
    t.file("m.dve", LOCKS)
    with open("/dev/full", "w") as full:
        for words in [["check", "m.dve"], ["check", "--json", "-", "m.dve"], ["info", "m.dve"], ["graph", "m.dve"],
                      ["sim", "m.dve"], ["--man"]]:
            done = subprocess.run([t.cairn, *words], cwd=t.folder, env=t.environment, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60)
            assert done.returncode == 3 and "No space left" in done.stderr, (words, done)
    t.file("r.dve", ROUND)
    for words in [["sim", "--steps", "1000000000", "r.dve"], ["check", "m.dve"], ["--man"]]:
        reader, writer = os.pipe()
        process = t.start(*words, stdout=writer)
        os.close(writer)
        os.close(reader)
        _, messages = process.communicate(timeout=60)
        assert process.returncode == 0 and not messages, (words, process.returncode, messages)
    for closed in [1, 2]:
        done = subprocess.run(f"exec '{t.cairn}' check m.dve {closed}>&-", shell=True, cwd=t.folder,
                              env=t.environment, capture_output=True, timeout=60)
        assert done.returncode in (0, 3), done
    for path in (t.folder / "m.trail", t.folder / "out.json"):
        path.unlink(missing_ok=True)
    everything = ["--invariant", "x < 2", "--json", "out.json", "m.dve"]
    t.run("check", *everything, status=1)
    trail = (t.folder / "m.trail").read_bytes()
    done = subprocess.run(["sh", "-c", "exec \"$@\" <&- >&- 2>&-", "sh", t.cairn, "check", *everything],
                          cwd=t.folder, env=t.environment, timeout=60)
    assert done.returncode == 1 and (t.folder / "m.trail").read_bytes() == trail
    json.loads((t.folder / "out.json").read_text())


def check_limit_on_file_sizes(t):
    t.file("m.dve", LOCKS)
    done = subprocess.run(["sh", "-c", "ulimit -f 0; exec \"$@\"", "sh", t.cairn, "check", "--invariant", "x < 2",
                           "m.dve"], cwd=t.folder, env=t.environment, timeout=60, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout.startswith("violated") and "File too large" in done.stderr, done
    assert t.files() == ["m.dve"]


def check_progress(t):
    t.file("m.dve", ENDLESS)
    words = ["check", "--time", "1.2", "m.dve"]
    status, out, shown = on_terminal(t, *words)
    assert status == 3 and b" states, " in shown and b"level" in shown, shown
    assert shown.rstrip(b"\r\n").split(b"note:")[0].endswith(b"\r\033[K"), shown[-100:]
    assert b"\r" not in out
    assert "\r" not in t.run(*words, status=3).stderr


def check_the_verdict_comes_last_too(t):
    t.file("m.dve", LOCKS)
    short = t.run("check", "m.dve").stdout.splitlines()
    assert short[0].startswith("verified") and not short[-1].startswith("verified"), short
    for words, status in [(["--stats"], 0), (["-v"], 0), (["--invariant", "x < 2"], 1)]:
        lines = t.run("check", *words, "m.dve", status=status).stdout.splitlines()
        assert lines[0] == lines[-1] and lines[0].split(":")[0] in ("verified", "violated"), lines
    t.file("u.pml", "byte x;\nactive proctype p() { if :: x == 1 -> skip :: else fi }\n")
    lines = t.run("check", "u.pml").stdout.splitlines()
    assert "never possible in p" in lines and lines[0] == lines[-1], lines
    assert len(t.run("check", "-q", "--invariant", "x < 2", "m.dve", status=1).stdout.splitlines()) == 1
    t.file("long.dve", ENDLESS)
    for seconds, last in [("1.2", True), ("0.2", False)]:
        lines = t.run("check", "--time", seconds, "long.dve", status=3).stdout.splitlines()
        assert lines[0].startswith("inconclusive: the time limit") and (lines[0] == lines[-1]) == last, lines


def check_few_figures_unless_all_are_wanted(t):
    t.file("m.dve", LOCKS)
    few, every = t.run("check", "m.dve").stdout, t.run("check", "--stats", "m.dve").stdout
    heads = [line[:12].strip() for line in few.splitlines()[2:]]
    assert heads == ["states", "events", "deadlocks", "depth", "store", "memory", "time", "checked", "not checked"], few
    for head in ["levels", "widths", "back edges", "open", "parents"]:
        assert f"\n{head} " in every and f"\n{head} " not in few, head
    assert "visited" in every and "visited" not in few and "bytes per state" not in every
    assert re.search(r"(?m)^events      \d+$", every) and re.search(r"(?m)^rate        .* events per second$", every)
    t.file("many.dve", "byte a, b;\nprocess P { state s; init s; trans s -> s { effect a = a + 1; }; }\n"
                       "process Q { state s; init s; trans s -> s { effect b = b + 1; }; }\nsystem async;\n")
    assert "bytes per state" in t.run("check", "many.dve").stdout


def lines_of(t, *words, status=0):
    shown = t.run("check", *words, status=status).stdout.splitlines()
    return [next((line[12:] for line in shown if line.startswith(head)), None) for head in ("checked ", "not checked ")]


def check_what_was_checked(t):
    t.file("m.dve", LOCKS)
    t.file("d.pml", "active D_proctype p() { skip }\n")
    assert lines_of(t, "d.pml", status=3)[1] == "that D_proctype p is deterministic"
    way = "advice      --property safety asks for no more than was checked; --claim none leaves out formulas and claims\n"
    assert way in t.run("check", "d.pml", status=3).stdout and way not in t.run("check", "--property", "safety", "d.pml").stdout
    assert lines_of(t, "m.dve") == ["model errors", "1 deadlock (--property deadlock)"]
    assert lines_of(t, "--invariant", "x < 3", "m.dve") == ["1 invariant, model errors", "1 deadlock (--property deadlock)"]
    t.file("r.dve", ROUND)
    assert lines_of(t, "--property", "deadlock", "--ltl", "[] (x < 5)", "r.dve") == \
        ["deadlocks, ltl [] (x < 5), model errors", None]
    t.file("m.pml", """inline ok() { assert(x < 9) }
byte x;
ltl p { <> (x > 0) }
ltl q { [] (x < 3) }
active proctype P() { accept: do :: x == 0 -> x = 1; ok() :: x == 1 -> progress: x = 0; ok(); assert(true) od }
""")
    labels = "labels 'accept' (--property acceptance), labels 'progress' (--property progress)"
    assert lines_of(t, "m.pml") == ["2 assertions, invalid end states, ltl p, ltl q, model errors", labels]
    assert lines_of(t, "--claim", "p", "m.pml") == ["2 assertions, ltl p, model errors",
                                                    "invalid end states (without --claim), q (--claim q), " + labels]
    assert lines_of(t, "--property", "safety", "m.pml") == [
        "2 assertions, invalid end states, model errors", "ltl p (--claim p), ltl q (--claim q), " + labels], lines_of(t, "--property", "safety", "m.pml")
    assert lines_of(t, "--property", "progress,safety", "m.pml")[1].endswith("labels 'accept' (--property acceptance)")
    t.error("check", "--claim", "nosuch", "m.pml", says="the model has no claim 'nosuch': it has p, q")
    t.error("check", "--claim", "nosuch", "r.dve", says="the model has no claim 'nosuch', nor any other")
    t.file("e.pml", "active proctype P() { false }\n")
    assert lines_of(t, "--no-deadlock", "e.pml") == ["model errors", "1 invalid end state (without --no-deadlock)"]


if __name__ == "__main__":
    sys.exit(main(globals()))
