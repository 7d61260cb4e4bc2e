#!/usr/bin/env python3
"""The command line, end to end: what processes in DVE accept, of every kind, beside a direct evaluation.

    acceptance.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]

A small system is combined with a random process, and its kind of acceptance is taken by its definition: a run is accepted if the
condition is true of the set of states of the process that it is in again and again. All sets are tried: a component of the states
of the product that are within the set has a run of just this set if it has all of it.
"""

import itertools
import random
import sys

from harness import main

ENGINES = ["ndfs", "scc", "owcty"]
STATES = "qrst"

# Values of x: round about or back to 0, and up to where it ends.
SYSTEMS = [("byte x;\nprocess A { state a; init a; trans a -> a { effect x = (x + 1) % 4; }, a -> a { effect x = 0; }; }\n",
            lambda x: [(x + 1) % 4, 0]),
           ("byte x;\nprocess A { state a; init a; trans a -> a { guard x < 3; effect x = x + 1; }, a -> a { guard x == 1; effect x = 0; }; }\n",
            lambda x: ([x + 1] if x < 3 else []) + ([0] if x == 1 else []) or [x])]


def some(r, n):
    return [s for s in STATES[:n] if r.random() < 0.4]


def section(r, kind, n):
    """The text of a section, and when it is true of a set of states."""
    if kind == "buchi":
        names = some(r, n) or [STATES[0]]
        return f"accept {r.choice(['', 'buchi '])}{', '.join(names)};", lambda v: any(s in v for s in names)
    if kind in ("genbuchi", "muller"):
        sets = [some(r, n) for _ in range(r.randrange(1, 4))]
        text = ", ".join(f"({', '.join(s)})" for s in sets)
        if kind == "muller":
            return f"accept muller {text};", lambda v: any(set(s) == v for s in sets)
        return f"accept genbuchi {text};", lambda v: all(any(q in v for q in s) for s in sets)
    pairs = [(some(r, n), some(r, n)) for _ in range(r.randrange(1, 4))]
    text = ", ".join(f"({', '.join(a)}; {', '.join(b)})" for a, b in pairs)

    def again(v, s):
        return any(q in v for q in s)

    if kind == "rabin":
        return f"accept rabin {text};", lambda v: any(again(v, a) and not again(v, b) for a, b in pairs)
    return f"accept streett {text};", lambda v: all(again(v, b) or not again(v, a) for a, b in pairs)


def reached(start, edges):
    seen = set(start)
    todo = list(start)
    while todo:
        for t in edges.get(todo.pop(), []):
            if t not in seen:
                seen.add(t)
                todo.append(t)
    return seen


def accepts(start, edges, place, is_true, names):
    """Whether a run of the graph is accepted; place: of a node, a state of the process."""
    nodes = reached(start, edges)
    for k in range(1, len(names) + 1):
        for chosen in itertools.combinations(names, k):
            within = {n: [t for t in edges.get(n, []) if place(t) in chosen] for n in nodes if place(n) in chosen}
            for n in within:
                after = reached(within[n], within)
                if n in after and is_true(set(chosen)) and {place(m) for m in after if n in reached(within[m], within)} == set(chosen):
                    return True
    return False


def random_edges(r, n, varies):
    """(from, to, value of x or None, value of the process's variable or None, whether it changes the variable)"""
    return [(r.choice(STATES[:n]), r.choice(STATES[:n]), r.choice([None, None, 0, 1, 2, 3]), r.choice([None, None, 0, 1]) if varies else None,
             varies and r.random() < 0.5) for _ in range(r.randrange(3, 9))]


def process(name, n, variable, edges, accept):
    """With x given at an edge it is asked in the state before the step."""
    lines = []
    for a, b, x, y, changes in edges:
        guards = [f"x == {x}"] * (x is not None) + [f"n == {y}"] * (y is not None)
        guard = f" guard {' and '.join(guards)};" if guards else ""
        lines.append(f"{a} -> {b} {{{guard}{' effect n = 1 - n;' if changes else ''} }}")
    return f"process {name} {{\n  {variable}state {', '.join(STATES[:n])};\n  init q;\n  {accept}\n  trans {', '.join(lines)};\n}}\n"


def random_property(r, kind):
    """The text of a system with a property, and whether it accepts a run."""
    system, steps = SYSTEMS[r.randrange(2)]
    n, varies = r.randrange(2, 5), r.random() < 0.5
    accept, is_true = section(r, kind, n)
    moves = random_edges(r, n, varies)
    edges = {}
    for x, y, (a, b, wanted, with_y, changes) in itertools.product(range(4), range(2), moves):
        if wanted in (None, x) and with_y in (None, y):
            edges.setdefault((x, a, y), []).extend((z, b, 1 - y if changes else y) for z in steps(x))
    if not varies and r.random() < 0.3:
        accept += f" assert {STATES[n - 1]}: x < 9;"
    text = system + process("P", n, "byte n; " if varies else "", moves, accept) + "system async property P;\n"
    return text, accepts([(0, "q", 0)], edges, lambda node: node[1], is_true, STATES[:n])


def check_kinds_of_property_processes(t):
    """Simplified, and with a variable or an assertion as they are written; of each kind as many that accept as that do not."""
    r = random.Random(7)
    for kind, many in [("rabin", 20), ("streett", 20), ("muller", 20), ("genbuchi", 12), ("buchi", 4)]:
        left = [many, many]
        while left != [0, 0]:
            text, violated = random_property(r, kind)
            if left[violated] == 0:
                continue
            left[violated] -= 1
            t.file("m.dve", text)
            for engine in ENGINES:
                answer = t.check("--claim", "P", "--cycles", engine, "--self-check", "m.dve", status=int(violated))
                assert (answer["verdict"] == "violated") == violated, (engine, text)
                assert not violated or answer["error"]["kind"] in ("acceptance-cycle", "claim-violated"), answer


def check_property_that_asks_where_it_is(t):
    """Before a step, after it in effects, and at the state of an assertion."""
    system = SYSTEMS[0][0]
    own = ("process P { %sstate q, r; init q; accept r; %s\n"
           "  trans q -> q {}, q -> r { guard P.q and x == 2;%s }, r -> r { guard %s; }; }\nsystem async property P;\n")
    for kind, words, violated in [
            ("guards", ("", "", "", "P.r"), True), ("guards", ("", "", "", "P.q"), False), ("guards", ("", "", "", "not P.r or x > 9"), False),
            ("effects", ("byte n; ", "", " effect n = P.r;", "n == 1"), True), ("effects", ("byte n; ", "", " effect n = P.q;", "n == 1"), False),
            ("assertions", ("", "assert q: P.q;", "", "P.q"), False), ("assertions", ("", "assert q: P.r;", "", "P.q"), True)]:
        t.file("m.dve", system + own % words)
        for engine in ENGINES:
            answer = t.check("--claim", "P", "--cycles", engine, "--self-check", "m.dve", status=int(violated))
            assert (answer["verdict"] == "violated") == violated, (kind, words, engine, answer)


def check_kinds_of_other_processes(t):
    """What processes of the system accept is asked by --property acceptance: one of them is enough."""
    r = random.Random(11)
    verdicts = []
    for i in range(60):
        kinds = [["rabin", "streett", "muller", "genbuchi"][i % 4]] + ["buchi", "streett", "muller", ""][r.randrange(4):][:1]
        kinds = [kind for kind in kinds if kind]
        text, conditions, moves = "", [], []
        for k, kind in enumerate(kinds):
            accept, is_true = section(r, kind, 3)
            conditions.append(is_true)
            moves.append([(a, b) for a, b, _, _, _ in random_edges(r, 3, False)])
            text += process(f"P{k}", 3, "", [(a, b, None, None, False) for a, b in moves[-1]], accept)
        nodes = list(itertools.product(STATES[:3], repeat=len(kinds)))
        edges = {node: [node[:k] + (b,) + node[k + 1:] for k in range(len(kinds)) for a, b in moves[k] if a == node[k]] or [node]
                 for node in nodes}
        t.file("m.dve", text + "system async;\n")
        want = int(any(accepts([("q",) * len(kinds)], edges, lambda node, k=k: node[k], conditions[k], STATES[:3]) for k in range(len(kinds))))
        verdicts.append(want)
        for engine in ENGINES:
            answer = t.check("--property", "acceptance", "--cycles", engine, "--self-check", "m.dve", status=want)
            assert (answer["verdict"] == "violated") == bool(want), (engine, text)
        if want:
            assert "back to step" in t.run("trail", "m.dve", "m.trail").stdout
        plain = t.check("m.dve", status=0)
        assert plain["claims"] == [] and plain["unchecked"] == []
        assert "labels 'accept' (--property acceptance)" in t.run("check", "m.dve").stdout
    assert 10 < sum(verdicts) < 50, verdicts


def check_what_is_said_of_pairs(t):
    system = SYSTEMS[0][0] + process("P", 2, "", [("q", "r", None, None, False), ("r", "q", 0, None, False)], "accept PAIRS;") + "SYSTEM;\n"
    t.file("m.dve", system.replace("PAIRS", "rabin (q; r)").replace("SYSTEM", "system async property P"))
    done = t.run("check", "m.dve")
    assert "m.dve:6:10: warning: a pair (a; b) is read as: states of a come again and again, of b at last no more" in done.stderr, done.stderr
    t.file("m.dve", system.replace("PAIRS", "streett (q; r)").replace("SYSTEM", "system async property P"))
    assert "warning: a pair (a; b) is read as: if states of a come again and again, so do states of b" in t.run("check", "m.dve", status=1).stderr
    t.file("m.dve", system.replace("PAIRS", "muller (q, r)").replace("SYSTEM", "system async property P"))
    assert t.run("check", "m.dve", status=1).stderr == ""


def check_what_is_too_much(t):
    states = [f"s{i}" for i in range(18)]
    many = ", ".join(f"({states[2 * i]}; {states[2 * i + 1]})" for i in range(9))
    text = ("process A { state a; init a; trans a -> a {}; }\nprocess P { state %s; init s0; accept streett %s; trans s0 -> s0 {}; }\n"
            % (", ".join(states), many))
    t.file("m.dve", text + "system async property P;\n")
    assert t.check("m.dve", status=3)["unchecked"] == ["property P (streett acceptance of more than eight pairs)"]
    t.file("m.dve", text + "system async;\n")
    assert t.check("--property", "acceptance", "m.dve", status=3)["unchecked"] == [
        "what processes accept (streett acceptance of more than eight pairs)"]
    sets = ", ".join(["(q)"] * 65)
    t.file("m.dve", "process P { state q; init q; accept genbuchi %s; trans q -> q {}; }\n" % sets + "process A { state a; init a; }\nsystem async property P;\n")
    assert t.check("m.dve", status=3)["unchecked"] == ["property P (more than 64 sets of states)"]
    t.file("m.dve", "process P { state q; init q; accept q; accept rabin (q;); }\nsystem async;\n")
    assert "m.dve:1:47: error: a process has one kind of acceptance" in t.run("check", "m.dve", status=2).stderr


if __name__ == "__main__":
    sys.exit(main(globals()))
