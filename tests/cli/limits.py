#!/usr/bin/env python3
"""The command line, end to end: time, memory, interruption.

    limits.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from harness import ENDLESS, MIXED, ROUND, main


def check_time_limit(t):
    t.file("m.dve", ENDLESS)
    begin = time.monotonic()
    done = t.run("check", "--time", "0.5", "m.dve", status=3)
    assert time.monotonic() - begin < 20
    assert done.stdout.startswith("inconclusive: ") and "no error so far" in done.stdout, done.stdout


def check_time_limit_in_the_first_of_several_searches(t):
    t.file("m.pml", """int x; bool b
active proctype p() { do :: x < 100000000 -> x++ od }
active proctype q() { do :: b = !b od }
ltl often { [] <> b }
""")
    done = t.run("check", "--time", "0.3", "m.pml", status=3)
    assert done.stdout.startswith("inconclusive: the time limit was reached"), done.stdout
    assert "ltl often  inconclusive: the time limit was reached" in done.stdout, done.stdout


# One event of very many steps, by runs of steps and within a d_step.
LONG_EVENT = """active proctype p() { int x; %s { do :: x < 2000000000 -> x++ :: else -> break od } }
"""


def check_time_limit_within_an_event(t):
    for kind in ["atomic", "d_step"]:
        t.file("m.pml", LONG_EVENT % kind)
        for order in ["bfs", "dfs"]:
            begin = time.monotonic()
            answer = t.check("--time", "0.3", "--order", order, "m.pml", status=3)
            assert time.monotonic() - begin < 10
            assert answer["verdict"] == "inconclusive" and "time limit" in answer["limit"], answer
            assert answer["states"]["visited"] == 0 and answer["deadlocks"] == 0, answer


def check_interruption_within_an_event(t):
    t.file("m.pml", LONG_EVENT % "atomic")
    process = t.start("check", "m.pml", text=True)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out = process.communicate(timeout=20)[0]
    assert process.returncode == 3 and out.startswith("inconclusive: "), out


def check_memory_limit(t):
    t.file("m.dve", MIXED)
    answer = t.check("--memory", "40M", "m.dve", status=3)
    assert answer["verdict"] == "inconclusive" and answer["guarantee"] == "partial" and "memory" in answer["limit"], answer
    for size in ["1M", "2M", "3M", "5M", "8M", "12M", "16M", "24M"]:
        done = t.run("check", "--memory", size, "m.dve", status=None)
        small = "is too little: the program itself takes" in done.stderr
        assert done.returncode == (2 if small else 3) and "verified" not in done.stdout, done
        assert small or size not in ("1M", "2M"), done
        for command in ["sim", "info", "graph"]:
            assert t.run(command, "--memory", size, "m.dve", status=None).returncode in ((2,) if small else (0, 3))


def check_a_want_of_memory_comes_with_advice(t):
    """Whatever the store in use: what each exact store would take for the states found, and what else there is to try."""
    if t.is_sanitized():
        return  # the program itself takes more than this budget there
    t.file("m.dve", ENDLESS)
    for words, others in [(["--store", "full"], "--reduce auto, --forget cache, more --memory, --store auto --allow-lossy, "),
                          (["--store", "tree", "--reduce", "edge-lean"], "--forget cache, more --memory, --store auto --allow-lossy, "),
                          (["--store", "collapse"], "--reduce auto, --forget cache --store tree, more --memory, "),
                          (["--store", "compact"], "--reduce auto, --forget cache --store tree, more --memory\n"),
                          (["--forget", "cache"], "--reduce auto, more --memory\n"),
                          (["--order", "dfs", "--store", "full"], "--reduce auto, --forget cache, more --memory, "),
                          (["--ltl", "[]<>P0.n<250", "--store", "full"], "more --memory\n"), ([], "--reduce auto, --forget cache, ")]:
        done = t.run("check", "--memory", "12M", *words, "--json", "a.json", "m.dve", status=3)
        answer = json.loads((t.folder / "a.json").read_text())
        estimates = {e["store"]: e for e in answer["store_estimates"]}
        assert set(estimates) >= {"full", "tree", "collapse", "automaton", "comback"}, (words, estimates)
        assert all(e["least"] <= e["bytes_per_state"] <= e["most"] and 512 <= e["states"] <= answer["states"]["reached"]
                   and (e["least"] == e["most"]) == (e["states"] == answer["states"]["reached"])
                   for e in estimates.values()), (words, estimates)
        found = answer["states"]["reached"]
        assert all(e["bytes"] == int(e["bytes_per_state"] * found) or abs(e["bytes"] / e["bytes_per_state"] / found - 1) < 0.001
                   for e in estimates.values()), (words, estimates, found)
        advice = done.stdout[done.stdout.index("advice  "):]
        assert advice.endswith("\n") and (" try " + others in advice or " or " + others in advice), (words, advice)
        used = answer["store_in_use"]
        smaller = [s for s, e in estimates.items() if e["bytes_per_state"] < estimates[used]["bytes_per_state"] and
                   s not in ("compact", *(["collapse", "automaton", "comback"] if "--forget" in words else []))]
        assert ("advice      try --store " in advice) == bool(smaller), (words, advice)
        at = [advice.index(s + " (") for s in smaller]
        assert at == sorted(at), (words, advice)
    for words in [["--cycles", "scc"], ["--cycles", "owcty", "--order", "bfs"]]:  # nothing that would be refused
        said = t.run("check", "--memory", "12M", "--ltl", "[]<>P0.n<250", "--store", "full", *words, "m.dve", status=3).stdout
        for store in re.findall(r"(\w+) \((?:about )?[0-9.]+", said[said.index("advice  "):]):
            t.run("check", "--ltl", "[]<>P0.n<250", "--store", store, *words, "--max-states", "10", "m.dve", status=3)
        assert "automaton" not in said[said.index("advice  "):], said
    assert "advice" not in t.run("check", "--memory", "40M", "--max-states", "100", "m.dve", status=3).stdout


def check_sizes_may_have_decimals(t):
    t.file("m.dve", "process P { state a; init a; } system async;\n")
    for size, bytes_of in [("1.5G", 3 << 29), ("0.5g", 1 << 29), ("100.25M", 401 << 18), ("64000.0K", 64000 << 10), ("1G", 1 << 30)]:
        assert t.check("--memory", size, "m.dve")["memory"]["budget"] == bytes_of, size
    for size in ["1.5", "1.G", ".5G", "1.5.5G", "1,5G", "-1G", "1.5GB"]:
        t.error("check", "--memory", size, "m.dve", says="--memory needs a size such as 512M or 1.5G")
    t.error("check", "--memory", "99999999.5T", "m.dve", says="more than any machine has")


def check_the_budget_counts_the_program_itself(t):
    """The aim is the budget, from the least on that is accepted: what comes on top is a twentieth."""
    if t.is_sanitized():
        return  # the sanitizer's own memory is no part of the promise
    t.file("m.dve", MIXED)
    t.file("e.dve", ENDLESS)
    least = int(re.search(r"at least (\d+)M is needed", t.run("check", "--memory", "1M", "m.dve", status=2).stderr)[1])
    assert least <= 6, least
    for extra in [0, 1, 4, 12]:
        for words in [["m.dve", "--order", "bfs"], ["m.dve", "--order", "dfs"], ["m.dve", "--store", "tree"],
                      ["m.dve", "--store", "automaton"], ["e.dve", "--time", "0.5"],
                      ["m.dve", "--forget", "cache", "--max-visits", "0", "--time", "0.5"]]:
            answer = t.check("--memory", f"{least + extra}M", *words, status=3)
            share = answer["memory"]["peak_resident"] / answer["memory"]["budget"]
            assert share <= 1.05, (least + extra, words, share)


def check_interrupt(t):
    t.file("m.dve", ENDLESS)
    for which in [signal.SIGINT, signal.SIGTERM]:
        process = t.start("check", "--memory", "2G", "--json", "out.json", "m.dve")
        time.sleep(1)
        process.send_signal(which)
        out, _ = process.communicate(timeout=30)
        assert process.returncode == 3, process.returncode
        assert out.startswith(b"inconclusive: ")
        answer = json.loads((t.folder / "out.json").read_text())
        assert answer["verdict"] == "inconclusive" and answer["states"]["stored"] > 100
        (t.folder / "out.json").unlink()


def check_interrupted_compiler(t):
    t.file("m.dve", ENDLESS)
    bin = t.folder / "bin"
    bin.mkdir()
    (bin / "cc").write_text("#!/bin/sh\nexec sleep 30\n")
    (bin / "cc").chmod(0o755)
    t.environment["PATH"] = f"{bin}:{t.environment['PATH']}"
    begin = time.monotonic()
    process = t.start("check", "--compiler", "cc", "m.dve")
    time.sleep(0.7)
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=25)
    assert process.returncode == 3 and out.startswith(b"inconclusive: "), (process.returncode, out)
    assert time.monotonic() - begin < 20


def check_interrupted_reading(t):
    os.mkfifo(t.folder / "m.dve")
    for path in ["m.dve", "-"]:
        process = t.start("check", "--json", "out.json", path, stdin=subprocess.PIPE)
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)
        assert process.returncode == 3 and b"interrupted" in process.stderr.read(), path
        assert json.loads((t.folder / "out.json").read_text())["verdict"] == "inconclusive"


def check_full_disk_for_the_compiler(t):
    t.file("m.dve", ROUND)
    (t.folder / "no").write_text("")
    t.environment["TMPDIR"] = str(t.folder / "no")
    if shutil.which("cc"):
        t.error("check", "--compiler", "cc", "m.dve", status=3, says="temporary folder")


def check_killed_leaves_no_file(t):
    t.file("m.dve", ENDLESS)
    process = t.start("check", "--memory", "1G", "--json", "out.json", "m.dve")
    time.sleep(0.7)
    process.kill()
    out, _ = process.communicate(timeout=30)
    assert b"verified" not in out and t.files() == ["m.dve"], t.files()


if __name__ == "__main__":
    sys.exit(main(globals()))
