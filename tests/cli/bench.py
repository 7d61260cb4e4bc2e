#!/usr/bin/env python3
"""`cairn bench`, end to end: suites that run, are interrupted, fail, and are wrong.

    bench.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import json
import os
import pty
import random
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

from harness import ENDLESS, LOCKS, ROUND, main

SUITE = "set\trepeat\t2\nmodel\tround\tm.dve\nrun\tfull\t--store full\nrun\ttree\t--store tree\n"


def rows_of(t, *words, **how):
    return t.run("bench", "s.tsv", "--table", "json", *words, **how)


def check_defines_with_quotes_reach_the_model(t):
    """As the shell gave them, also where they have quotes of both kinds and blanks."""
    t.file("m.pml", "byte x;\nactive proctype p() { x = FIRST; printf(TEXT); assert(x == 98) }\n")
    words = ["-D", "FIRST='b'", "-D", "TEXT=\"it's \\\"so\\\"\""]
    assert t.check("m.pml", *words)["verdict"] == "verified"
    listed = t.run("bench", "--list", "m.pml", *words).stdout
    assert t.run("bench", "m.pml", *words, "--table", "tsv").returncode == 0, listed


def check_bench_measures_and_resumes(t):
    t.file("m.dve", ROUND)
    t.file("s.tsv", SUITE)
    done = t.run("bench", "s.tsv", "--table", "json", "--baseline", "full")
    table = json.loads(done.stdout)[0]["rows"]
    assert [row["run"] for row in table] == ["full", "tree"], table
    assert all(row["states"] == 5 and row["end"] == "verified" for row in table), table
    assert table[0]["time, %"] == 100 and table[1]["memory, %"] > 0, table
    lines = [json.loads(line) for line in (t.folder / "s.jsonl").read_text().splitlines()]
    assert len(lines) == 4 and all(line["good"] for line in lines)
    assert lines[0]["figures"]["level_widths"] and lines[0]["peak"] > 0 and lines[0]["cpu"] > 0
    # Nothing is done twice; a line that was cut off is, and so is what has changed.
    before = (t.folder / "s.jsonl").read_text()
    t.run("bench", "s.tsv")
    assert (t.folder / "s.jsonl").read_text() == before
    (t.folder / "s.jsonl").write_text(before[:-40])
    done = t.run("bench", "s.tsv")
    assert "1 damaged line left out" in done.stderr
    assert len((t.folder / "s.jsonl").read_text().splitlines()) == 5
    t.file("m.dve", ROUND.replace("% 5", "% 6"))
    t.run("bench", "s.tsv")
    assert len((t.folder / "s.jsonl").read_text().splitlines()) == 9
    t.run("bench", "s.tsv", "--fresh")
    assert len((t.folder / "s.jsonl").read_text().splitlines()) == 4


def check_bench_without_a_suite(t):
    t.file("m.dve", ROUND)
    t.file("n.pml", "byte x; active proctype P() { x = N }\n")
    done = t.run("bench", "m.dve", "--store", "full,tree", "--order", "bfs,alt:2,3", "--table", "json", "--repeat", "2")
    rows = json.loads(done.stdout)[0]["rows"]
    assert [row["run"] for row in rows] == ["full bfs", "full alt:2,3", "tree bfs", "tree alt:2,3"], rows
    assert all(row["states"] == 5 and row["model"] == "m.dve" for row in rows)
    assert len((t.folder / "m.jsonl").read_text().splitlines()) == 8
    listed = t.run("bench", "n.pml", "-D", "N=2", "--reduce", "none", "--reduce", "por,merge", "--time", "5", "--list").stdout
    assert listed.splitlines()[1].endswith(f"cairn check -D N=2 --time 5 --reduce por,merge {t.folder}/n.pml"), listed
    assert "verified" in t.run("bench", "n.pml", "-D", "N=2").stdout
    both = json.loads(t.run("bench", "m.dve", "n.pml", "--store", "tree", "-D", "N=2", "--table", "json", status=1).stdout)[0]["rows"]
    assert [row["model"] for row in both] == ["m.dve", "n.pml"] and both[0]["end"].startswith("FAILED"), "DVE has no -D"
    t.file("s.tsv", SUITE)
    t.error("bench", "s.tsv", "--store", "full", says="--store is for models")
    t.error("bench", "s.tsv", "m.dve", says="a suite is measured alone")
    t.error("bench", "m.dve", "s.tsv", says="s.tsv is no model by its name")
    t.error("bench", "m.dve", "--store", "a$b", says="which a suite cannot have")
    for words, says in [(["--store", "full,tre"], "--store: there is no 'tre'"), (["--order", "bfs", "--reduce", "nun"], "--reduce: there is no 'nun'")]:
        before = t.files()
        t.error("bench", "m.dve", *words, says=says)
        assert t.files() == before, "refused before anything is run"
    assert "tree" in t.run("bench", "--store", "help").stdout


def check_bench_interrupted(t):
    t.file("m.dve", ENDLESS)
    t.file("n.dve", ROUND)
    t.file("s.tsv", "model\tround\tn.dve\nmodel\tendless\tm.dve\nrun\tdfs\t--order dfs\n")
    for stop in (signal.SIGINT, signal.SIGTERM):
        bench = t.start("bench", "s.tsv", text=True)
        while not (t.folder / "s.jsonl").exists() or not (t.folder / "s.jsonl").read_text():
            time.sleep(0.02)
        time.sleep(0.3)
        runs = subprocess.run(["ps", "-o", "pid=", "--ppid", str(bench.pid)], capture_output=True,
                              text=True, check=True).stdout.split()
        bench.send_signal(stop)
        _, err = bench.communicate(timeout=10)
        assert bench.returncode == 3 and "goes on where it ended" in err, (bench.returncode, err)
        assert runs and not any(os.path.exists("/proc/" + pid) for pid in runs), runs
        keys = [json.loads(line)["key"] for line in (t.folder / "s.jsonl").read_text().splitlines()]
        assert keys == ["round/dfs"], keys


def check_bench_failing_rows(t):
    t.file("m.dve", ROUND)
    t.file("s.tsv", "set\tseconds\t1\nmodel\tround\tm.dve\nmodel\tgone\tgone.dve\n"
           "run\tgood\t-\nrun\twrong\t--store nothing\nmodel\tendless\te.dve\n"
           "tool\tcrash\t-\tkill -SEGV $$\n"
           "tool\tstatus\t-\techo no luck >&2; exit 7\ntool\tunbuilt\techo bad >&2; false\ttrue\n"
           "tool\tsleeps\t-\tsleep 50 & wait\ntool\tworks\techo 'n 1.5e+06 x' > f\tcat f\n"
           "figure\tstates.stored\tn ([0-9.e+]+)\tvalue - 1\n")
    t.file("e.dve", ENDLESS)
    done = t.run("bench", "s.tsv", "--table", "json", "--only", "round/*", "--only", "gone/good",
                 "--only", "endless/good", status=1)
    end = {row["model"] + "/" + row["run"]: row for row in json.loads(done.stdout)[0]["rows"]}
    assert end["round/good"]["end"] == "verified", end
    assert end["round/wrong"]["end"] == "FAILED: exited 2", end
    assert end["round/crash"]["end"] == "FAILED: signal 11", end
    assert end["round/status"]["end"] == "FAILED: exited 7", end
    assert end["round/unbuilt"]["end"] == "missing" and end["gone/good"]["end"] == "missing", end
    assert end["round/sleeps"]["end"] == "time limit" and end["endless/good"]["end"] == "time limit"
    assert end["round/works"]["states"] == 1499999, end
    for text in ("failed: gone/good: its model cannot be read", "exit status 7: no luck",
                 "its build line failed: bad", "round/crash: ended by signal 11",
                 "round/sleeps: more than 1 seconds"):
        assert text in done.stderr, (text, done.stderr)
    assert not subprocess.run(["pgrep", "-fx", "sleep 50"], capture_output=True, check=False).stdout
    timed = [json.loads(line) for line in (t.folder / "s.jsonl").read_text().splitlines()
             if "endless" in line]
    assert timed[0]["figures"]["verdict"] == "inconclusive", timed


def check_bench_refuses_what_does_not_go_together(t):
    t.file("m.dve", ROUND)
    t.file("s.tsv", "model\tround\tm.dve\nset\trepeat\t3\nrun\tbad\t--reduce tnf --order bfs\nrun\tgood\t--order dfs\n")
    done = t.run("bench", "s.tsv", status=1)
    refused = t.run("check", "--reduce", "tnf", "m.dve", status=2).stderr.removeprefix("error: ")
    assert done.stderr.startswith(f"failed: round/bad: refused: {refused}"), done.stderr
    rows = [json.loads(line)["key"] for line in (t.folder / "s.jsonl").read_text().splitlines()]
    assert set(rows) == {"round/good"}, rows


def check_bench_mistakes_in_suites(t):
    t.file("m.dve", ROUND)
    base = "model\tround\tm.dve\nrun\tfull\t-\n"
    for text, place, message in [
            ("modle\tx\ty\n", "1:1", "unknown kind of line 'modle'"),
            ("model round m.dve\n", "1:1", "cells are parted by tabs"),
            ("model\tround\n", "1:12", "a cell is missing: model NAME FILE"),
            ("set\trepeat\t0\n", "1:12", "no number from 1 to 1000"),
            ("set\tmemory\t3X\n", "1:12", "no size such as 512M"),
            ("set\trepeats\t3\n", "1:5", "did you mean 'repeat'?"),
            ("figure\tn\t([0-9\n", "1:10", "the pattern is wrong"),
            ("figure\tn\tx\n", "1:10", "the pattern needs a group"),
            ("expect\t(events == 3\n", "1:20", "a closing parenthesis is missing"),
            ("table\tT\tshow=n:=1 +\n", "1:20", "something is missing at the end"),
            ("table\tT\tshwo=n\n", "1:9", "unknown key 'shwo'"),
            ("chart\tT\tx=events\n", "1:1", "a chart needs x= and y="),
            ("expect\tmin(min(cpu))\n", "1:16", "cannot be nested"),
            ("expect\t" + "(" * 500 + "\n", "1:108", "nested too deeply"),
            ("run\tr\t--store ${nothing}\n", "1:7", "unknown variable 'nothing'"),
            ("let\ta\t${b}\nlet\tb\t${a}\nrun\tr\t--store ${a}\n", "3:7", "refers to itself"),
            ("run\tfull\t--order dfs\n", "3:5", "two rows 'round/full'"),
            ("run\tr\t--invariant 'x\n", "1:7", "a closing quote is missing"),
            ("expect\tevents @\n", "1:15", "an operator is expected")]:
        t.file("s.tsv", text + base)
        done = t.run("bench", "s.tsv", status=2)
        assert f"s.tsv:{place}: error:" in done.stderr and message in done.stderr, (text, done.stderr)
        assert not done.stdout and not (t.folder / "s.jsonl").exists()
    t.file("s.tsv", base)
    assert "did you mean 'full'?" in t.run("bench", "s.tsv", "--baseline", "ful", status=2).stderr
    assert "no row fits" in t.run("bench", "s.tsv", "--only", "x", status=2).stderr
    assert "SUITE|MODEL is missing" in t.run("bench", status=2).stderr
    assert "cannot be read" in t.run("bench", "none.tsv", status=2).stderr
    chance = random.Random(5)
    for _ in range(150):
        broken = bytearray((SUITE + "each\tz\t1\t2\nexpect\tmax(cpu) > 0\ntable\tT\tshow=a:=b\n").encode())
        for _ in range(chance.randint(1, 5)):
            broken[chance.randrange(len(broken))] = chance.choice(b"\t\n${}()'\":=-#\0\xff mrst0")
        t.file("s.tsv", bytes(broken))
        assert t.run("bench", "s.tsv", "--list", status=None).returncode in (0, 2), broken


def check_bench_grids(t):
    t.file("m.dve", ROUND)
    t.file("s.tsv", "each\torder\tbfs\tdfs\neach\tpart\thalf:=50\tall:=100\nlet\twhole\t10\n"
           "model\tround\tm.dve\t-\ttotal=5\n"
           "run\t${order}-${part}\t--order ${order} --max-states ${total*part*whole/1000}\n"
           "table\tT\trows=model\tcolumns=order\tbest=0-states.stored\tshow=n:=states.stored\tshow=p:=part\tmean=yes\n"
           "table\tU\trows=model\tcolumns=order\tif=part==\"half\"\tshow=n:=total-states.stored\n"
           "expect\tstates.stored <= total\n")
    done = t.run("bench", "s.tsv", "--table", "tsv")
    assert done.stdout == ("model\tbfs n\tbfs p\tdfs n\tdfs p\nround\t5\tall\t5\tall\nmean\t5\t\t5\t\n\n"
                           "model\tbfs n\tdfs n\nround\t3\t3\n"), done.stdout
    assert "round/dfs-half\tcairn check --order dfs --max-states 2" in t.run("bench", "s.tsv", "--list").stdout
    t.file("s.tsv", SUITE + "expect\tstates.stored == 4\n")
    assert "differs: round/tree: states.stored == 4 does not hold" in \
        t.run("bench", "s.tsv", status=1).stderr
    assert "| run " in t.run("bench", "s.tsv", "--show", "--table", "md", status=1).stdout


def check_bench_charts(t):
    t.file("m.dve", ROUND)
    t.file("it's <&.dve", LOCKS)
    t.file("s.tsv", SUITE + "model\tit's <&\tit's <&.dve\nrun\t<'&\"$\\\t-\n")
    empty = t.folder / "empty"
    empty.mkdir()
    path, t.environment["PATH"] = t.environment["PATH"], str(empty)
    done = t.run("bench", "s.tsv", "--chart", "c.svg", status=3)
    t.environment["PATH"] = path
    assert "gnuplot is not installed" in done.stderr and "verified" in done.stdout
    assert not (t.folder / "c.svg").exists()
    if shutil.which("gnuplot") is None:
        print("SKIP: gnuplot is not installed")
        return
    t.run("bench", "s.tsv", "--chart", "c.svg", "--baseline", "full")
    root = xml.etree.ElementTree.parse(t.folder / "c.svg").getroot()
    assert root.tag.endswith("svg"), root.tag
    text = "".join(root.itertext())
    assert "tree" in text and "memory, % of the baseline" in text and "<'&\"$\\" in text, text
    t.file("s.tsv", SUITE + "chart\tOne\tx=a:=events\ty=b:=cpu\nchart\tTwo\tx=a:=nothing\ty=b:=cpu\n")
    t.run("bench", "s.tsv", "--chart", "c.svg")
    text = "".join(xml.etree.ElementTree.parse(t.folder / "c.svg").getroot().itertext())
    assert "One" in text and "Two" in text and "no points" in text, text
    # Values that are near each other fill the picture; far ones have figures between powers of ten.
    t.file("s.tsv", SUITE + 'chart\tThree\tx=a:=150\ty=b:=(run=="full")*290+1\n')
    t.run("bench", "s.tsv", "--chart", "c.svg")
    text = "".join(xml.etree.ElementTree.parse(t.folder / "c.svg").getroot().itertext()).split()
    assert {"150", "20", "50", "200"} <= set(text) and "1000" not in text, text


def check_bench_progress_on_a_terminal_only(t):
    t.file("m.dve", ROUND)
    t.file("s.tsv", SUITE)
    assert t.run("bench", "s.tsv").stderr == ""
    reader, writer = pty.openpty()
    subprocess.run([t.cairn, "bench", "s.tsv", "--fresh"], cwd=t.folder, stdout=subprocess.PIPE,
                   stderr=writer, check=True)
    os.close(writer)
    assert b"[1/4] round/full, run 1 of 2" in os.read(reader, 100000)
    os.close(reader)


if __name__ == "__main__":
    sys.exit(main(globals()))
