#!/usr/bin/env python3
"""The command line, end to end: `cairn trail`, `sim`, `info` and `graph`.

    commands.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

from harness import CHATTER, DIVIDES, LOCKS, ROUND, main

import schema  # harness has put it on the path


def check_trail(t):
    t.file("m.dve", LOCKS)
    first = t.run("check", "--invariant", "x < 2", "m.dve", status=1)
    assert t.files() == ["m.dve", "m.trail"]
    again = t.run("trail", "m.dve", "m.trail").stdout
    assert again.splitlines()[0] == first.stdout.splitlines()[0]
    assert "x: 0 -> 1" in again and "x: 1 -> 2" in again and "a -> b" in again and "m.dve:2" in again
    full = t.run("trail", "--full", "m.dve", "m.trail").stdout
    assert full.count("P.y = 5") == 3, full
    t.file("other.dve", LOCKS.replace("= 5", "= 6"))
    t.error("trail", "other.dve", "m.trail", says="another model")
    t.file("third.dve", ROUND.replace("x", "z"))
    t.error("trail", "third.dve", "m.trail", says="another model")


def check_trail_elsewhere(t):
    t.file("m.dve", LOCKS)
    (t.folder / "sub").mkdir()
    t.run("check", "--property", "deadlock", "--trail", "sub/x", "m.dve", status=1)
    assert (t.folder / "sub" / "x").exists() and t.files() == ["m.dve", "sub"]
    for target in ["/dev/full", "none/x", "sub", "n" * 300]:
        done = t.run("check", "--property", "deadlock", "--trail", target, "m.dve", status=1)
        assert "warning: the counterexample cannot be written" in done.stderr, (target, done.stderr)
    assert t.files() == ["m.dve", "sub"]


def check_damaged_trails(t):
    t.file("m.dve", LOCKS)
    t.run("check", "--invariant", "x < 2", "m.dve", status=1)
    good = (t.folder / "m.trail").read_bytes()
    bad = [good[:n] for n in range(len(good))] + [good + b"x", good.replace(b"\n", b"\r\n"), good + good, b"\0" * 99]
    lines = good.splitlines(keepends=True)
    bad += [b"".join(lines[:i] + lines[i + 1:]) for i in range(len(lines))]
    at = next(i for i, line in enumerate(lines) if line.startswith(b"events"))
    for event in [b"0 1\n", b"99 0\n", b"4294967296 0\n", b"00 0\n", b"-1 0\n", lines[at + 2]]:
        bad.append(b"".join(lines[:at + 1] + [event] + lines[at + 2:]))
    bad += [good.replace(b"events 2", b"events 1"), good.replace(b"events 2", b"events 4000000000"),
            good.replace(b"invariant 0", b"deadlock -").replace(b"x < 2", b"x < 1"),
            good.replace(b"error invariant 0", b"error assertion 7"), good.replace(b" after", b" in"),
            good.replace(b"trail 3", b"trail 4")]
    for text in bad:
        t.file("bad.trail", text)
        t.error("trail", "m.dve", "bad.trail", says="bad.trail")
    chance = random.Random(1)
    for _ in range(150):
        text = bytearray(good)
        for _ in range(chance.randint(1, 3)):
            text[chance.randrange(len(text))] = chance.randrange(256)
        t.file("bad.trail", bytes(text))
        assert t.run("trail", "m.dve", "bad.trail", status=None).returncode in (0, 2)


def check_random_runs(t):
    t.file("m.dve", LOCKS)
    one, two = (t.run("sim", "--seed", "7", "m.dve").stdout for _ in range(2))
    assert one == two and "initial state" in one and "deadlock: no event is enabled after 2 steps" in one
    firsts = {t.run("sim", "--steps", "1", "--seed", str(i), "m.dve").stdout for i in range(20)}
    assert len(firsts) == 2
    assert "invariant 'x < 1' fails here" in t.run("sim", "--invariant", "x < 1", "m.dve", status=1).stdout
    t.file("d.dve", DIVIDES)
    assert "model error" in t.run("sim", "d.dve", status=1).stdout
    t.file("r.dve", ROUND)
    assert t.run("sim", "--steps", "500", "r.dve").stdout.count("a -> a") == 500
    t.file("c.dve", CHATTER)
    assert "Q.w: 0 -> 7" in t.run("sim", "c.dve").stdout


PRINTS = """chan c = [0] of { byte }; byte x;
active proctype p() { do :: x < 3 -> x++; printf("x is %d\\n", x) :: else -> break od; c!x; c!x }
active proctype q() { byte y; c?y; printf("got %d\\n", y); assert(y != 3); false }
"""


def check_a_random_run_says_its_seed(t):
    t.file("m.pml", PRINTS)
    seeds = set()
    for _ in range(3):
        first = t.run("sim", "m.pml", status=1).stdout
        line, rest = first.split("\n", 1)
        seed = re.fullmatch(r"a random run; --seed (\d+) gives it again", line).group(1)
        assert t.run("sim", "--seed", seed, "m.pml", status=1).stdout == rest
        seeds.add(seed)
    assert len(seeds) > 1, seeds
    assert "nobody can move" in rest and re.search(r"q\[1\] +m\.pml:3 +false +needs", rest) or "needs false" in rest, rest


def check_a_run_that_only_prints(t):
    t.file("m.pml", PRINTS)
    done = t.run("sim", "--quiet", "m.pml", status=1)
    assert done.stdout == "x is 1\nx is 2\nx is 3\ngot 3\n", done.stdout
    assert "assertion: y != 3 (m.pml:3)" in done.stderr and "deadlock: no event" in done.stderr and "--seed" in done.stderr
    assert t.run("sim", "-q", "--seed", "3", "m.pml", status=1).stdout == done.stdout
    t.file("ends.pml", 'active proctype p() { printf("one\\n") }\n')
    done = t.run("sim", "-q", "--seed", "0", "ends.pml")
    assert (done.stdout, done.stderr) == ("one\n", ""), done


def check_a_run_as_chart_and_json(t):
    t.file("m.pml", PRINTS)
    shown = t.run("sim", "--chart", "m.pml", status=1).stdout
    assert re.search(r"(?m)^ +p\[0\] +q\[1\]$", shown) and re.search(r"\*---c: 3-+>\*", shown) and "initial" not in shown, shown
    t.run("sim", "--json", "a.json", "--seed", "5", "m.pml", status=1)
    answer = json.loads((t.folder / "a.json").read_text())
    assert not schema.complaints(answer, "sim"), schema.complaints(answer, "sim")
    assert (answer["seed"], answer["end"], answer["error"]["message"]) == (5, "deadlock", "assertion: y != 3 (m.pml:3)")
    assert answer["run"]["steps"][answer["error"]["step"] - 1]["fault"] == "y != 3" and len(answer["stuck"]) == 2
    assert answer["run"]["final"]["x"] == "3"
    ends = {"m.dve": (LOCKS, "deadlock", 0), "d.dve": (DIVIDES, "model-error", 1), "r.dve": (ROUND, "steps", 0)}
    for name, (text, end, status) in ends.items():
        t.file(name, text)
        done = t.run("sim", "--steps", "7", "--json", "-", name, status=status)
        answer = json.loads(done.stdout)
        assert not schema.complaints(answer, "sim") and answer["end"] == end, answer
        assert len(answer["run"]["steps"]) == (7 if end == "steps" else 2), answer
    t.error("sim", "--json", "m.dve", "m.pml", says="is not JSON")
    done = t.run("sim", "--svg", "a.svg", "--json", "a.json", "m.pml", status=1)
    seed = json.loads((t.folder / "a.json").read_text())["seed"]
    picture = (t.folder / "a.svg").read_text()
    assert done.stdout == "" and f"--seed {seed} gives it again" in done.stderr, done
    assert f"<title>m.pml: a run with seed {seed}: assertion: y != 3 (m.pml:3)</title>" in picture and "c: 3" in picture, picture
    assert t.run("sim", "--svg", "-", "--seed", str(seed), "m.pml", status=1).stdout == picture
    assert t.run("sim", "--chart", "m.pml", status=1).stdout.startswith("a random run; --seed ")
    t.error("sim", "--svg", "m.pml", "m.pml", says="--svg names the model itself")
    t.error("sim", "--svg", "a.svg", "--json", "./a.svg", "m.pml", says="--json and --svg name the same file")
    t.error("sim", "--svg", "-", "--json", "-", "m.pml", says="--json and --svg name the same file")
    t.error("sim", "--svg", "-", "--chart", "m.pml", says="--chart writes to standard output")
    t.error("sim", "-i", "--json", "-", "m.pml", says="--interactive writes to standard output: name a file with --json in place of -")
    t.error("sim", "-q", "--json", "-", "m.pml", says="--quiet writes to standard output")
    t.error("sim", "-i", "-q", "m.pml", says="no effect")
    t.run("sim", "-i", "--json", "b.json", "--chart", "m.dve", give="1\nu\n2\n1\nu\nq\n")
    answer = json.loads((t.folder / "b.json").read_text())
    assert answer["end"] == "quit" and answer["seed"] is None and len(answer["run"]["steps"]) == 1 and answer["stuck"] is None, answer
    t.run("sim", "-i", "--json", "b.json", "d.dve", give="1\n1\nq\n")
    assert len(json.loads((t.folder / "b.json").read_text())["run"]["steps"]) == 1


def check_interactive_runs(t):
    t.file("m.dve", LOCKS)
    out = t.run("sim", "-i", "m.dve", give="1\nu\n2\n1\nu\nu\nu\nx\n9\n-1\n\n" + "7" * 500 + "\nq\n").stdout
    assert out.count("x: 0 -> 1") == 2 and "deadlock" in out and out.count("back after step") == 3
    assert "this is the initial state" in out and out.count("none of them") == 5, out
    t.run("sim", "-i", "m.dve", give="")
    t.run("sim", "-i", "m.dve", give="1")
    t.file("d.dve", DIVIDES)
    assert "still before this event" in t.run("sim", "-i", "d.dve", give="1\n1\nq\n").stdout
    out = t.run("sim", "-i", "m.dve", give="1\ns\n?\nl\nq\n").stdout
    assert "P.y = 5, Q = a" in out and "take back one step" in out and "1 to 1" in out, out
    assert out.count("  1) ") == 3, out
    t.file("s.dve", LOCKS)
    out = t.run("sim", "-i", "s.dve", give="1\n1\nu\nq\n").stdout
    assert "nobody can move in this state" in out and re.search(r"P +s\.dve|P +\(b\)", out), out


def check_before_in_interactive_runs(t):
    """After x = 2 - x or y = 0 in s: x was 2, or y had any value; x + 1 comes from 255, too. Two events come from one state."""
    t.file("m.dve", "byte x, y; process P { state s, t; init s; trans s -> s { effect x = 2 - x; }, s -> t { effect y = 0; },"
           " s -> s { guard y == 0; effect x = 2 - x; }; } system async;")
    out = t.run("sim", "-i", "m.dve", give="b\n2\nb\nq\n").stdout
    assert "2 events lead here, from 1 state, reachable or not" in out and out.count("x = 2, P = s") == 2, out
    assert "256 events lead here, from 256 states, reachable or not" in out and "y = 9, P = s" in out and out.count("       …") == 1, out
    assert "this model does not go backward: models of this language only go forward" in \
        t.run("sim", "-i", Path(t.source).resolve() / "models/stack.c", give="b\nq\n").stdout
    assert "this model does not go backward\n" in t.run("sim", "-i", "--ltl", "[]x<9", "m.dve", give="b\nq\n").stdout
    out = t.run("sim", "-i", Path(t.source).resolve() / "models/philosophers.pnml", give="1\nb\nq\n").stdout
    assert re.search(r"\d events? leads? here, from \d states?,", out), out


def check_info(t):
    t.file("m.dve", CHATTER)
    text = t.run("info", "m.dve").stdout
    for part in ["P.v", "Q.w", "location", "rendezvous", "reads", "writes", "packed"]:
        assert part in text, part
    t.run("info", "--json", "i.json", "m.dve")
    for model in sorted((Path(t.source) / "models").iterdir()) + sorted((Path(t.source) / "tests/models").iterdir()):
        if model.suffix in (".dve", ".pml", ".pnml", ".c"):  # the harness looks at what is written
            t.run("info", "--json", "-", model.resolve(), status=None)
    info = json.loads((t.folder / "i.json").read_text())
    assert [p["name"] for p in info["processes"]] == ["P", "Q"] and len(info["actions"]) == 1
    assert len(info["actions"][0]["movers"]) == 2 and "Q.w" in info["actions"][0]["writes"]
    assert "cairn_code" in t.run("info", "--code", "m.dve").stdout


BACKWARD = """byte x, y, z, a[3]; int big;
channel c;
process P { byte w; state s; init s;
trans s -> s { guard x == 0; effect x = 2; },
      s -> s { effect y = (y + 1) % 3; },
      s -> s { effect a[y] = a[y] + 1; },
      s -> s { effect big = big + x; },
      s -> s { guard z != 2; effect z = z + 1; },
      s -> s { effect z = 0; },
      s -> s { effect y = 1, z = 1; },
      s -> s { effect big = 0; };
}
process Q { byte v; state s; init s;
trans s -> s { sync c!x; },
      s -> s { sync c?v; };
}
process R { byte v; state s; init s;
trans s -> s { sync c!y; },
      s -> s { sync c?v; };
}
system async;
"""


def check_what_goes_backward(t):
    """y and z have three values each, what Q and R receive has the values of x and y."""
    t.file("m.dve", BACKWARD)
    text = t.run("info", "--backward", "m.dve").stdout
    assert re.search("(?m)^backward +yes$", text), text
    # y is 0, 1 or 2, so is z; big has all 2 ** 16 values; R's v is 0 or 2, and Q's is 0, 1 or 2.
    words = ["exactly", "by trying up to 3 states", "exactly", "exactly", "exactly", "by trying up to 3 states",
             "by trying up to 9 states", "by trying up to 65536 states; where", "by trying up to 2 states",
             "by trying up to 3 states"]
    shown = re.findall("(?m)^ +undone (.*)$", text)
    assert len(shown) == len(words) and all(a.startswith(b) for a, b in zip(shown, words)), shown
    info = json.loads(t.run("info", "--backward", "--json", "-", "m.dve").stdout)
    assert info["backward"] == {"can": True, "only_without_claims": False, "why_not": None}
    t.file("claim.dve", BACKWARD.replace("system async;", "process N { state n; init n; accept n; trans n -> n {}; }\nsystem async property N;"))
    assert "yes, but not while a claim is checked: " in t.run("info", "--backward", "claim.dve").stdout
    assert json.loads(t.run("info", "--backward", "--json", "-", "claim.dve").stdout)["backward"]["only_without_claims"]
    t.error("check", "--forget", "pseudo-root", "claim.dve", says="but not with a claim): ")
    t.run("check", "--forget", "pseudo-root", "--property", "safety", "--max-states", "50", "claim.dve", status=3)
    undone = [a["undone"] for a in info["actions"]]
    assert undone[1] == {"how": "by-trying", "states": 3} and undone[7]["how"] == "limited", undone
    t.file("s.dve", BACKWARD.replace("async", "sync").replace("channel c;", "").replace("sync c!x;", "").replace("sync c?v;", "")
           .replace("sync c!y;", ""))
    t.file("last.pml", "active [2] proctype P() { _last != _pid }")
    for model, why in [("s.dve", "all of its processes move at once"),
                       ("last.pml", "it is asked who moved last"),
                       (Path(t.source).resolve() / "models/stack.c", "models of this language only go forward")]:
        info = json.loads(t.run("info", "--backward", "--json", "-", model).stdout)
        assert info["backward"] == {"can": False, "only_without_claims": False, "why_not": why} and "undone" not in info["actions"][0], info["backward"]
        assert f"no: {why}\n" in t.run("info", "--backward", model).stdout
        for words in (["--forget", "pseudo-root"], ["--store", "comback:backward"]):
            t.error("check", *words, model, says=f"this model cannot go backward ({why}): ")
    t.error("check", "--forget", "pseudo-root", "--ltl", "[]x<9", "m.dve", says="but not with a claim): ")
    info = json.loads(t.run("info", "--backward", "--json", "-", Path(t.source).resolve() / "models/philosophers.pnml").stdout)
    assert info["backward"]["can"] and {a["undone"]["how"] for a in info["actions"]} == {"exactly"}
    assert "backward" not in json.loads(t.run("info", "--json", "-", "m.dve").stdout)
    t.error("info", "--backward", "--code", "m.dve", says="only the C text is printed")


def check_graph(t):
    t.file("m.dve", LOCKS)
    dot = t.run("graph", "m.dve").stdout
    assert dot.count(" -> s") == 5 and dot.count("color=red") == 1
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg"], input=dot, text=True, check=True, capture_output=True)
    aut = t.run("graph", "--format", "aut", "m.dve").stdout.splitlines()
    assert aut[0] == "des (0, 4, 4)" and len(aut) == 5
    assert all(re.fullmatch(r'\(\d+, "[^"]*", \d+\)', line) for line in aut[1:])
    t.file("d.dve", DIVIDES)
    assert "model error" in t.run("graph", "d.dve").stdout
    aut = t.run("graph", "--format", "aut", "d.dve").stdout.splitlines()
    answer = t.check("--keep-going", "d.dve", status=1)
    assert aut[0] == f"des (0, {len(aut) - 1}, {answer['states']['stored'] + 1})", aut


def check_graph_limits(t):
    t.file("m.dve", "int x;\nprocess P { state a; init a; trans a -> a { guard x < 1500; effect x = x + 1; }; }\n"
                    "system async;\n")
    t.error("graph", "-o", "g.dot", "m.dve", status=3, says="more than 100 states, and a picture of them cannot be read: --depth 99 ")
    assert t.files() == ["m.dve"]
    t.run("graph", "--max-states", "2000", "-o", "g.dot", "m.dve")
    assert t.files() == ["g.dot", "m.dve"]
    assert t.run("graph", "--format=aut", "m.dve").stdout.startswith("des (0, 1500, 1501)\n")
    t.error("graph", "--max-states", "2000", "-o", "no/where", "m.dve", says="no/where")


def nodes_of(dot):
    return {int(n): "dashed" in line for n, line in re.findall(r"(?m)^  s(\d+) (\[label=.*)$", dot)}


def check_parts_of_a_graph(t):
    """What is shown is what is near: beside a breadth-first search over all edges."""
    t.file("m.dve", "byte x, y;\nprocess P { state a; init a; trans a -> a { guard x < 11; effect x = x + 1; }, "
                    "a -> a { guard x == 11 and y < 3; effect x = 0; }; }\n"
                    "process Q { state a; init a; trans a -> a { guard y < 9; effect y = y + 1; }; }\nsystem async;\n")
    edges = [(int(a), int(b)) for a, b in re.findall(r"(?m)^\((\d+), .*, (\d+)\)$", t.run("graph", "--format", "aut", "m.dve").stdout)]
    n = 1 + max(b for _, b in edges)
    assert n == 120

    def near(first, most, back):
        found, last = {first}, {first}
        for _ in range(most):
            last = {b for a, b in edges if a in last} | {a for a, b in edges if b in last and back}
            found |= last
        return found
    says = t.error("graph", "m.dve", status=3, says="--depth").stderr
    depth, count = map(int, re.search(r"--depth (\d+) shows the first (\d+)", says).groups())
    assert len(near(0, depth, False)) == count <= 100 < len(near(0, depth + 1, False)), says
    for words, shown in [(["--depth", str(depth)], near(0, depth, False)), (["--depth", "0"], {0}),
                         (["--around", "57"], near(57, 2, True)), (["--around", "57", "--depth", "5"], near(57, 5, True)),
                         (["--around", str(n - 1), "--depth", "1"], near(n - 1, 1, True))]:
        dot = t.run("graph", *words, "m.dve").stdout
        nodes = nodes_of(dot)
        assert set(nodes) == shown, (words, set(nodes) ^ shown)
        assert {a for a, dashed in nodes.items() if dashed} == {a for a, b in edges if a in shown and b not in shown}, words
        assert sorted((int(a), int(b)) for a, b in re.findall(r"(?m)^  s(\d+) -> s(\d+) ", dot)) == \
            sorted((a, b) for a, b in edges if a in shown and b in shown), words
        assert ("i0 -> s0" in dot) == (0 in shown)
    aut = t.run("graph", "--format", "aut", "--depth", "2", "m.dve").stdout.splitlines()
    assert aut[0] == f"des (0, {len(aut) - 1}, {len(near(0, 2, False))})", aut
    t.error("graph", "--around", "120", "m.dve", says="the model has 120 states, which are numbered from 0")
    t.error("graph", "--around", "5", "--depth", "99", "m.dve", status=3, says="try a smaller --depth")
    t.error("graph", "--around", "5", "--format", "aut", "m.dve", says="--around is for pictures")


def check_labels_of_a_picture_are_short(t):
    body = "; ".join(f"a = {i}" for i in range(30)) + "; a = 1000 + b + 2000 + b + 3000 + b + 4000 + b + 5000 + b + 6000 + b; b = 77"
    t.file("m.pml", "int a, b; active proctype p() { atomic { %s } }\n" % body)
    label = re.search(r's0 -> s1 \[label="([^"]*)"', t.run("graph", "m.pml").stdout).group(1)
    lines = label.split("\\n")
    assert lines[0].startswith("p[0]:") and lines[-1].endswith("77") and "…" in label and len(label) < 130, label
    assert all(len(line) < 20 for line in lines), lines
    t.file("m.dve", LOCKS)
    assert 's0 -> s1 [label="P: effect\\nx = x + 1;"]' in t.run("graph", "m.dve").stdout


if __name__ == "__main__":
    sys.exit(main(globals()))
