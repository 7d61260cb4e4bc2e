#!/usr/bin/env python3
"""The command line, end to end: why a counterexample ends as it does, as text, as JSON and from a trail.

    why.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import re
import sys
from pathlib import Path

from harness import LOCKS, main

STUCK = """#define N 3
byte fork[N];
mtype = { req, ack };
chan c = [1] of { mtype, byte };
chan r = [0] of { byte };
byte turn;

active [N] proctype phil() {
  byte left = _pid; byte right = (_pid + 1) % N;
  do
  :: atomic { fork[left] == 0 -> fork[left] = 1 }
hungry:
     fork[right] == 0;
     fork[right] = 1;
     fork[left] = 0; fork[right] = 0
  od
}
active proctype sender() { c!req,1; c!req,2 }
active proctype receiver() { end: r?3 }
active proctype other() { r!4 }
active proctype third() { byte x; c?ack,x }
active proctype both() { turn == 1 && c?[req,1] }
active proctype late() { (turn == 2 || turn == 3) }
"""


def waits(answer, process):
    (one,) = [w for w in answer["stuck"] if w["process"] == process]
    return one


def check_what_the_text_says_is_not_repeated(t):
    t.file("m.pml", "byte x, y; active proctype p() { x = 300 % 0 }\n")
    assert "where" not in t.run("check", "m.pml", status=1).stdout
    t.file("m.pml", "byte x, y; active proctype p() { x = 300 % y }\n")
    assert "where 300 % y is 300 % 0" in t.run("check", "m.pml", status=1).stdout


def check_who_is_stuck(t):
    t.file("m.pml", STUCK)
    answer = t.check("m.pml", status=1)
    assert answer["error"]["kind"] == "invalid-end-state" and answer["error"]["values"] is None
    needs = {w["process"]: [n["needs"] for n in w["waits"]] for w in answer["stuck"]}
    assert needs == {
        "phil[0]": ["fork[right] == 0, is 1 (right = 1)"],
        "phil[1]": ["fork[right] == 0, is 1 (right = 2)"],
        "phil[2]": ["fork[right] == 0, is 1 (right = 0)"],
        "sender[3]": ["room in c, which is full: 1 message"],
        "receiver[4]": ["a partner that sends to r: other[5] (line 20) does not fit the message"],
        "other[5]": ["a partner that receives from r: receiver[4] (line 19) does not fit the message"],
        "third[6]": ["such a message: the first in c is req, 1"],
        "both[7]": ["turn == 1, is 0"],
        "late[8]": ["(turn == 2 || turn == 3), with turn = 0"]}, needs
    assert [w["process"] for w in answer["stuck"] if w["valid_end"]] == ["receiver[4]"]
    one = waits(answer, "phil[0]")
    assert (one["file"], one["line"], one["label"], one["left_out"]) == ("m.pml", 13, "hungry", 0)
    assert waits(answer, "sender[3]")["label"] is None
    assert waits(answer, "sender[3]")["waits"][0]["statement"] == "c!req,2"


def check_text_and_trail_say_the_same(t):
    t.file("m.pml", STUCK)
    shown = t.run("check", "m.pml", status=1).stdout
    block = shown[shown.index("nobody can move"):shown.index("written to")].rstrip()
    assert re.search(r"phil\[0\] +m\.pml:13 \(hungry\) +needs fork\[right\] == 0, is 1 \(right = 1\)", block), block
    assert re.search(r"receiver\[4\] +m\.pml:19 \(end\) +at a valid end; r\?3 needs a partner", block), block
    assert re.search(r"sender\[3\] +m\.pml:18 +c!req,2 needs room in c", block), block
    assert all(len(line) <= 96 for line in block.splitlines()), block
    again = t.run("trail", "m.pml", "m.trail").stdout
    assert block in again, again


def check_alternatives_of_a_process(t):
    t.file("m.pml", """byte i; byte a[3]; chan c = [2] of { byte, byte }; byte want = 9;
active proctype p() { c!1,2;
  if :: i == 7 -> skip :: c?eval(want),_ -> skip :: c??8,8 -> skip :: a[0] > 4 && i == 1 -> skip fi }
active proctype q() { i == 3 }
""")
    answer = t.check("m.pml", status=1)
    assert [n["needs"] for n in waits(answer, "p[0]")["waits"]] == [
        "i == 7, is 0", "such a message (want = 9): the first in c is 1, 2",
        "such a message in c, which has none among its 1", "a[0] > 4, is 0; and i == 1, is 0"]
    shown = t.run("check", "m.pml", status=1).stdout
    assert "c?eval(want),_ needs such a message" in shown, shown


def check_ends_of_processes(t):
    t.file("m.pml", """byte x;
active proctype older() { skip }
active proctype younger() { x == 1 }
""")
    answer = t.check("m.pml", status=1)
    older = waits(answer, "older[0]")
    assert older["valid_end"] and older["waits"][0]["needs"] == \
        "that younger[1], which was started later, ends first", older


def check_provided_and_locals_of_others(t):
    t.file("m.pml", """byte x; mtype = { red, green };
active proctype p() provided (x == 2) { x = 1 }
active proctype q() { mtype m = red; m == green }
""")
    answer = t.check("m.pml", status=1)
    assert waits(answer, "p[0]")["waits"][0]["needs"] == "provided x == 2, is 0"
    assert waits(answer, "q[1]")["waits"][0]["needs"] == "m == green, is red"


def check_stuck_in_dve(t):
    t.file("m.dve", """byte taken; channel c; channel {byte} d[1];
process P { byte y; state a, b; init a; trans a -> b { guard taken == 1 and y == 0; }, a -> b { sync c!; }; }
process Q { byte y; state a; init a; trans a -> a { sync d?y; }; }
process R { state a, b; init a; trans a -> b { guard taken == 2; sync c?; }; }
system async;
""")
    answer = t.check("--property", "deadlock", "m.dve", status=1)
    needs = {w["process"]: [n["needs"] for n in w["waits"]] for w in answer["stuck"]}
    assert needs == {
        "P": ["taken == 1, is 0", "a partner that receives from c: the guard of R (line 4) is false"],
        "Q": ["a message in d, which is empty"],
        "R": ["taken == 2, is 0"]}, needs
    assert waits(answer, "P")["label"] == "a" and not any(w["valid_end"] for w in answer["stuck"])
    assert t.check("m.dve")["stuck"] is None


def check_stuck_philosophers_of_the_examples(t):
    model = str(Path(t.source).resolve() / "models" / "philosophers.dve")
    shown = t.run("check", "--property", "deadlock", model, status=1).stdout
    for name, fork in [("Aristotle", 1), ("Boethius", 2), ("Chrysippus", 3), ("Diotima", 0)]:
        assert re.search(rf"{name} +\S+:\d+ \(has_left\) +needs taken\[{fork}\] == 0, is 1", shown), shown


def check_values_of_what_failed(t):
    head = "byte i = 2; byte a[3]; byte x = 3; chan c = [1] of { byte };\nactive proctype p() { "
    for body, values in [
            ("atomic { i = 4; x = 3; assert(i + x < 7); x = 0; i = 0 }", "i = 4, x = 3"),
            ("atomic { c!x; x = 0; c?x; i = x; a[i] = 1 }", "the index i is 3"),
            ("a[a[0] + 3] = 1", "the index a[0] + 3 is 3 (a[0] = 0)"),
            ("d_step { x = x - 3; i = 7 / x }", "7 / x is 7 / 0"),
            ("i = 7 % (x - 3)", "7 % (x - 3) is 7 % 0"),
            ("i = 1 << (x + 40)", "1 << (x + 40) is 1 << 43"),
            ("a[i + 1] == 0", "the index i + 1 is 3 (i = 2)"),
            ("assert(a[1] == x)", "a[1] = 0, x = 3")]:
        t.file("m.pml", head + body + " }\n")
        answer = t.check("m.pml", status=1)
        assert answer["error"]["values"] == values and answer["stuck"] is None, (body, answer["error"])
        shown = t.run("check", "m.pml", status=1).stdout
        assert f"where {values}" in shown and f"where {values}" in t.run("trail", "m.pml", "m.trail").stdout


def check_values_that_do_not_fit(t):
    """Numbers of channels and processes, priorities: the number is shown, and what it is made of."""
    for text, values in [
            ("chan c; byte x; active proctype p() { c = x + 7; c!1 }", "c is 7"),
            ("chan c; byte x; active proctype p() { x = len(c) }", "c is 0"),
            ("chan c[2] = [1] of { byte }; byte x = 3; active proctype p() { c[x]!1 }", "the index x is 3"),
            ("byte x = 3; active proctype p() priority 5 { x = 250; set_priority(_pid, x + 10) }", "x + 10 is 260 (x = 250)"),
            ("byte x = 2; proctype q() { byte y; false } active proctype p() { x = q[x]:y }", "there is no process 2 (x = 2)"),
            ("byte x; proctype q() { byte y; false } active proctype p() { x = q[x]:y }", "process 0 (x = 0) is p")]:
        t.file("m.pml", text + "\n")
        answer = t.check("m.pml", status=1)
        assert answer["error"]["kind"] == "model-error" and answer["error"]["values"] == values, (text, answer["error"])
        assert f"where {values}" in t.run("trail", "m.pml", "m.trail").stdout, text


def check_values_after_handshakes_and_new_processes(t):
    """What was passed, cut to the channel's field; a process that began is there, and its variables are not known."""
    head = "chan r = [0] of { byte, bit }; int x; bit z; int w; chan b = [1] of { byte };\nproctype s() { byte mine = 3; here: mine = 4 }\n"
    sender = "active proctype p() { r!300,3 }\n"
    for text, values in [
            (sender + "active proctype q() { atomic { r?x,z; assert(x == 4) } }", "x = 44"),
            (sender + "active proctype q() { atomic { r?x,z; assert(z == 0 && x == 44) } }", "z = 1, x = 44"),
            ("active proctype p() { atomic { r!x + 5,1; w = 7; assert(w == 0) } }\nactive proctype q() { int y; r?y,1; y == 9 }", "w = 7"),
            ("active proctype p() { int a[4]; atomic { r?x,_; a[x] = 1 } }\nactive proctype q() { r!9,0 }", "the index x is 9"),
            ("init { atomic { w = run s(); x = 5; assert(x < w) } }", "x = 5, w = 1"),
            ("init { atomic { run s(); run s(); x = _nr_pr; assert(x == 2) } }", "x = 3"),
            ("init { pid a; atomic { a = run s(); b!a; assert(x == 0 && nempty(b)); b?x; assert(_nr_pr + x == 9) } }", "_nr_pr = 2, x = 1"),
            ("init { pid a; atomic { a = run s(); w = 2; b!s[a]:mine; x = w / (w - s[a]:mine + 1) } }", None)]:
        t.file("m.pml", head + text + "\n")
        answer = t.check("m.pml", status=1)
        found = answer["error"]["values"]
        assert answer["error"]["kind"] in ("assertion", "model-error"), (text, answer["error"])
        assert found == values, (text, answer["error"])


def check_values_in_dve(t):
    for effect, values in [("z = 1, i = z + 3, a[i] = 1", "the index i is 4"),
                           ("z = z - z, i = 7 / z", "7 / z is 7 / 0")]:
        t.file("m.dve", f"byte a[3], i, z;\nprocess P {{ state s, t; init s; trans s -> t {{ effect {effect}; }}; }}\n"
                        "system async;\n")
        assert t.check("m.dve", status=1)["error"]["values"] == values
    model = str(Path(t.source).resolve() / "models" / "mutex-wrong.dve")
    assert t.check(model, status=1)["error"]["values"] == "B.critical = 1, A.critical = 1"
    t.file("m.dve", LOCKS)
    invariant = t.check("--invariant", "x + P.y < 7 or Q.a", "m.dve", status=1)
    assert invariant["error"]["values"] == "x = 2, P.y = 5, Q.a = 0", invariant["error"]


def check_values_with_reductions(t):
    t.file("m.pml", STUCK)
    plain = t.check("m.pml", status=1)["stuck"]
    for words in [["--reduce", "por"], ["--reduce", "merge"], ["--reduce", "dead"], ["--order", "dfs"],
                  ["--store", "tree"]]:
        again = t.check(*words, "m.pml", status=1)["stuck"]
        assert {w["process"] for w in again} == {w["process"] for w in plain}, words
        assert [w["waits"] for w in again if w["process"] == "late[8]"] == \
            [w["waits"] for w in plain if w["process"] == "late[8]"], words


if __name__ == "__main__":
    sys.exit(main(globals()))
