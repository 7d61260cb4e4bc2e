#!/usr/bin/env python3
"""The models of everyday questions in models/, against answers worked out here.

Each question (frequent itemsets, auctions, a vote, a game) is answered from its data by a
few lines of Python that know nothing of the model: which situations there are, how many
steps between them, where it ends. The models must have as many states, events and
deadlocks, in every order, and must answer the question that their comment asks.
--table prints what reductions save. Usage: applications.py CAIRN MODELS [--table]
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from figures import complaints as contradictions  # noqa: E402

ORDERS = ["bfs", "dfs", "bbfs:3", "alt:2,3", "random"]
LEAN = ["bfs", "dfs", "bbfs:5", "alt:2,3", "random"]


def explore(first, steps):
    """(states, events, deadlocks) of everything that can happen."""
    seen, todo, events, ends = {first}, [first], 0, []
    while todo:
        state = todo.pop()
        following = list(steps(state))
        events += len(following)
        if not following:
            ends.append(state)
        for s in following:
            if s not in seen:
                seen.add(s)
                todo.append(s)
    return seen, events, ends


def itemsets():
    always = {"bread", "milk"}
    receipts = [always | set(r.split()) for r in ("tea cake", "tea cake jam", "tea jam", "cake jam fish",
                                                  "tea cake fish", "jam fish", "tea cake jam fish")]
    goods = set().union(*receipts)

    def steps(chosen):
        for g in goods - chosen:
            if sum(chosen | {g} <= r for r in receipts) >= 3:
                yield chosen | {g}
    seen, events, ends = explore(frozenset(), steps)
    return seen, events, ends, [("1 == 1", False)]


def auctions():
    worth = {"clock": {"ann": 6, "bob": 5}, "lamp": {"ann": 4, "bob": 7}, "rug": {"bob": 3, "cleo": 4},
             "vase": {"cleo": 5, "dan": 6}, "desk": {"cleo": 6, "dan": 5}}

    def steps(state):
        budget, sold = dict(state[0]), dict(state[1])
        for thing, wanted in worth.items():
            if thing not in sold:
                bids = sorted(((-min(v, budget[who]), who) for who, v in wanted.items()))
                winner, price = bids[0][1], -bids[1][0]
                left = {**budget, winner: budget[winner] - price}
                yield frozenset(left.items()), frozenset({**sold, thing: winner}.items())
    first = frozenset({"ann": 9, "bob": 8, "cleo": 7, "dan": 9}.items()), frozenset()
    seen, events, ends = explore(first, steps)
    income = [33 - sum(dict(e[0]).values()) for e in ends]
    both = any(dict(e[1])["clock"] == dict(e[1])["lamp"] == "ann" for e in ends)
    most_left = 33 - min(income)
    some_left = " or ".join(t + ".open" for t in ("Clock", "Lamp", "Rug", "Vase", "Desk"))
    left = "ann + bob + cleo + dan"
    return seen, events, ends, [
        ("not (Clock.first and Lamp.first)", both),
        ("%s or %s <= %d" % (some_left, left, most_left), False),
        ("%s or %s < %d" % (some_left, left, most_left), True),
        ("%s or %s <= 15" % (some_left, left), True)]


def vote():
    ballots = ["abc"] * 3 + ["ba"] * 2 + ["cba"] * 2 + ["def"] * 3 + ["ed"] * 2 + ["fed"] * 2

    def steps(standing):
        if len(standing) == 2:
            return
        tops = [next((c for c in b if c in standing), None) for b in ballots]
        least = min(tops.count(c) for c in standing)
        for c in standing:
            if tops.count(c) == least:
                yield standing - {c}
    seen, events, ends = explore(frozenset("abcdef"), steps)
    return seen, events, ends, [
        ("left > seats or a + b + c == 1", any(len(e & set("abc")) != 1 for e in ends)),
        ("left > seats or a == 1", any("a" not in e for e in ends))]


def bidding():
    people = {"ann": (("pen", "ink"), 4), "bob": (("pen", "ink"), 3),
              "cleo": (("hat", "coat"), 3), "dan": (("hat", "coat"), 3)}

    def steps(state):
        price, owner, out = dict(state[0]), dict(state[1]), state[2]
        for who in people.keys() - out:
            bundle, value = people[who]
            paid = sum(price[t] for t in bundle if owner[t] == who)
            open_to = [t for t in bundle if owner[t] != who]
            bids = [t for t in open_to if paid + price[t] + 1 <= value]
            for t in bids:
                yield (frozenset({**price, t: price[t] + 1}.items()),
                       frozenset({**owner, t: who}.items()), out)
            if open_to and not bids:
                yield state[0], state[1], out | {who}
    things = ("pen", "ink", "hat", "coat")
    first = frozenset((t, 0) for t in things), frozenset((t, None) for t in things), frozenset()
    seen, events, ends = explore(first, steps)

    def halves(state):
        owner = dict(state[1])
        return {"ann", "bob"} <= state[2] and owner["pen"] != owner["ink"]
    return seen, events, ends, [
        ("not (Ann.out and Bob.out and of_pen != of_ink)", any(map(halves, seen))),
        ("pen <= 4 and ink <= 4 and hat <= 3 and coat <= 3", False)]


def life():
    rows = [".x..", ".x..", ".xx."]
    cells = [(r, c) for r in range(3) for c in range(4)]

    def steps(living):
        for r, c in cells:
            near = sum((r + dr, c + dc) in living for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc)
            if (r, c) in living:
                if not 2 <= near <= 3:
                    yield living - {(r, c)}
            elif near == 3:
                yield living | {(r, c)}
    seen, events, ends = explore(frozenset(p for p in cells if rows[p[0]][p[1]] == "x"), steps)
    total = " + ".join("x[%d]" % i for i in range(12))
    return seen, events, ends, [(total + " > 0", frozenset() in seen),
                                (total + " < %d" % max(map(len, seen)), True),
                                (total + " <= %d" % max(map(len, seen)), False)]


APPLICATIONS = {"itemsets": itemsets, "auctions": auctions, "vote": vote, "bidding": bidding, "life": life}


def ask(cairn, path, *options):
    with tempfile.TemporaryDirectory() as folder:
        p = subprocess.run([cairn, "check", path, "--json", "-", *options], text=True, cwd=folder,
                           capture_output=True, timeout=120)
    at = p.stdout.find("{")
    answer = json.JSONDecoder().raw_decode(p.stdout[at:])[0] if at >= 0 else {"verdict": p.stderr.strip()}
    wrong = contradictions(answer, p.returncode) if at >= 0 else []
    return {**answer, "verdict": "; ".join(wrong)} if wrong else answer


def check(cairn, path, work_out):
    seen, events, ends, questions = work_out()
    wanted = {"states": len(seen), "events": events, "deadlocks": len(ends)}
    wrong = []
    for order in ORDERS:
        answer = ask(cairn, path, "--order", order)
        got = {"states": answer.get("states", {}).get("stored"), "events": answer.get("events"),
               "deadlocks": answer.get("deadlocks")}
        if got != wanted or answer["verdict"] != "verified":
            wrong.append("%s %s: %s %s, not %s" % (path, order, answer["verdict"], got, wanted))
    for order in LEAN:
        answer = ask(cairn, path, "--order", order, "--reduce", "edge-lean")
        got = answer.get("states", {}).get("stored"), answer.get("deadlocks"), answer["verdict"]
        if got != (len(seen), len(ends), "verified") or answer["events"] > events:
            wrong.append("%s %s edge-lean: %s" % (path, order, got))
    for question, violated in questions:
        answer = ask(cairn, path, "--invariant", question)
        if answer["verdict"] != ("violated" if violated else "verified"):
            wrong.append("%s --invariant '%s': %s" % (path, question, answer["verdict"]))
    print("%s: %s" % (os.path.basename(path), wanted))
    return len(ORDERS) + len(LEAN) + len(questions) - len(wrong), wrong


def table(cairn, folder):
    print("| model | states | edges | edge-lean | tnf |\n| --- | ---: | ---: | ---: | ---: |")
    for name in APPLICATIONS:
        path, cells = os.path.join(folder, name + ".dve"), []
        for reduction in ("none", "edge-lean", "tnf"):
            words = [] if reduction == "none" else ["--reduce", reduction]
            answer = ask(cairn, path, "--order", "dfs", *words)
            if reduction == "none":
                cells.append("%d" % answer["states"]["stored"])
            cells.append("refused" if answer.get("events") is None else "%d" % answer["events"])
        print("| %s | %s |" % (name, " | ".join(cells)))


def main():
    cairn, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    if "--table" in sys.argv:
        return table(cairn, folder)
    passed, wrong = 0, []
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        for name, work_out in APPLICATIONS.items():
            n, w = check(cairn, os.path.join(folder, name + ".dve"), work_out)
            passed, wrong = passed + n, wrong + w
    for line in wrong:
        print("FAIL", line)
    print("%d passed, %d failed, 0 skipped" % (passed, len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
