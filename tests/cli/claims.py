#!/usr/bin/env python3
"""The command line, end to end: formulas, claims and labels.

    claims.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import json
import random
import sys

from harness import LOCKS, LTL, ROUND, main

COUNTS = """byte x;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
ltl small { [] (x <= 3) }
ltl low { [] (x < 3) }
ltl again { [] <> (x == 0) }
ltl stays { <> [] (x > 0) }
"""

CLAIM = """byte x;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
never {
T0: if :: (x == 1) -> goto T1 :: else -> goto T0 fi;
T1: if :: (x == 1) -> goto T1 :: (x == 2) -> goto accept_S :: else -> goto T0 fi;
accept_S: assert(x != %s); goto T0
}
"""

COUNTING = """byte x;
OTHER
active proctype P() { do :: x < 5 -> x++ :: x == 5 -> x = 0 od }
never {
  OWN
wait: if :: x == 5 -> atomic { n++; n = (n > 3 -> 4 : n); assert(n < 3) }; goto there :: else -> goto wait fi;
there: if :: x == 5 -> goto there :: else -> goto wait fi
}
"""

NAMED = """byte x;
active proctype P() { do :: x = 1 - x od }
active proctype Q() { do :: x == 1 -> progress: x = 0 od }
"""

COUNTED = """byte x;
process A { state a; init a; trans a -> a { effect x = (x + 1) %% 5; }; }
process P {
  byte n, h[5];
  state q, r, s;
  init q;
  %s
  trans q -> q { guard x != 4; }, q -> r { guard x == 4; effect n = (n + 1) %% 5, h[n] = 0; }, r -> q { guard n != %s; }, r -> s {};
}
system async property P;
"""

# Both marks again and again: only the way round passes them; alias, two initial states.
HOA = """HOA: v1
States: 3
Start: 0
Start: 2
AP: 2 "x == 2" "x == 4"
Alias: @two 0 & !1
Acceptance: 2 Inf(0) & Inf(1)
--BODY--
State: 0
[@two] 1 {0}
[!@two] 0
State: 1
[1] 0 {1}
[!1] 1
State: 2
[0 | 1] 2 {0}
--END--
"""

TRACED = """chan q = [1] of { byte }; chan d = [0] of { byte };
byte x, a[1]; chan v = [1] of { byte }; chan w = [1] of { byte };
active proctype P() { byte y; do :: q!1; q?x; d!3; q!2; q?y; x = 0 od }
active proctype Q() { do :: d?_ od }
active proctype R() { v = w; v = w; end: false }
"""

LABELS = """byte x;
active proctype P() {
  do
  :: x = 1 - x; %s: skip
  :: x = 1 - x
  od
}
"""


def check_what_a_later_claim_refuses_is_one_error(t):
    t.file("m.pml", "byte x; ltl p { <> x == 1 } active proctype P() { x = 1 }")
    t.file("two.pml", "byte x; ltl p { <> x == 1 } ltl q { [] x < 2 } active proctype P() { x = 1 }")
    for model in ["m.pml", "two.pml"]:
        answer = json.loads(t.run("check", "--fairness", "weak", "--store", "compact:40", "--json", "-", model, status=2).stdout)
        assert answer["verdict"] == "rejected" and answer["guarantee"] is None, answer
        assert "--store compact has no room for that" in answer["reason"], answer


def check_formulas_of_the_command_line(t):
    t.file("m.dve", "byte x;\nprocess P { state a, b; init a; trans a -> b { effect x = 1; }, b -> a { effect x = 0; }; }\n"
                    "system async;\n")
    assert t.run("check", "--ltl", "[] <> P.a", "m.dve").stdout.startswith("verified: no error in 3 states (exact)\n")
    done = t.run("check", "--ltl", "<> [] x == 0", "m.dve", status=1)
    assert done.stdout.startswith("violated: ltl <> [] x == 0 does not hold after "), done.stdout
    assert "the cycle begins here" in done.stdout and "back to step " in done.stdout
    answer = t.check("--ltl", "<> [] x == 0", "--ltl", "[] x < 2", "m.dve", status=1)
    assert [c["verdict"] for c in answer["claims"]] == ["violated", "verified"]
    assert answer["error"]["kind"] == "acceptance-cycle"
    assert 0 <= answer["error"]["cycle_start"] < answer["error"]["length"]
    t.error("check", "--ltl", "[] <> Q.a", "m.dve", says="unknown process 'Q'")
    t.error("check", "--ltl", "[] <>", "m.dve", says="the formula ends")


def check_a_lasso_is_shown_again(t):
    t.file("m.pml", COUNTS)
    done = t.run("check", "--claim", "stays", "m.pml", status=1)
    text = (t.folder / "m.trail").read_text()
    assert text.startswith("cairn trail 3\n") and "\nclaim stays\n" in text and "\ncycle " in text, text
    shown = t.run("trail", "m.pml", "m.trail").stdout
    steps = [line for line in done.stdout.splitlines() if line.startswith("   ")]
    assert steps and all(line in shown for line in steps), shown
    for old, new in [("cycle ", "cycle 9"), ("claim stays", "claim none"), ("cycle ", "cycle 0\ncycle "),
                     ("error acceptance-cycle -", "error acceptance-cycle 0"), ("claim stays\n", "")]:
        t.file("bad.trail", text.replace(old, new))
        t.error("trail", "m.pml", "bad.trail", says="bad.trail")


def check_a_beginning_that_nothing_repairs_is_no_cycle(t):
    t.file("m.pml", COUNTS)
    answer = t.check("--claim", "low", "m.pml", status=1)
    error = answer["error"]
    assert (error["kind"], error["message"], error["cycle_start"]) == ("claim-violated", "ltl low does not hold", None), error
    assert [c["error"] for c in answer["claims"]] == ["claim-violated"], answer["claims"]
    text = (t.folder / "m.trail").read_text()
    assert "\nerror claim-violated " in text and "\ncycle " not in text, text
    assert "ltl low does not hold" in t.run("trail", "m.pml", "m.trail").stdout
    for other in ["acceptance-cycle", "nonprogress-cycle", "assertion", "invariant"]:
        t.file("bad.trail", text.replace("claim-violated", other))
        t.error("trail", "m.pml", "bad.trail", says="bad.trail")


def check_all_questions_are_judged_before_the_first_search(t):
    t.file("m.pml", COUNTS)
    for words in [["--order", "bfs", "--cycles", "ndfs"], ["--order", "random"], ["--store", "automaton", "--cycles", "scc"],
                  ["--fairness", "weak", "--store", "compact"]]:
        answer = json.loads(t.run("check", *words, "--json", "-", "m.pml", status=2).stdout)
        assert answer["verdict"] == "rejected" and answer["states"]["stored"] is None and answer["claims"] == [], answer
    for words in [["--order", "bfs", "--cycles", "ndfs"], ["--order", "random", "--cycles", "scc"], ["--store", "compact", "--cycles", "owcty"]]:
        answer = t.check("--claim", "low", *words, "m.pml", status=1)  # there is no cycle to look for
        assert answer["order"] == (words[1] if words[0] == "--order" else "bfs"), answer["order"]


def check_an_error_of_states_decides_no_claim(t):
    t.file("m.pml", COUNTS + "active proctype Q() { assert(x < 2) }\n")
    said = t.run("check", "m.pml", status=1).stdout
    assert "ltl small  undecided: its search ended at this error: assertion: x < 2 (m.pml:7) after " in said, said
    assert "properties of states  violated: assertion: x < 2" in said, said
    verdicts = {c["name"]: (c["verdict"], c["error"]) for c in t.check("m.pml", status=1)["claims"]}
    assert verdicts[None] == ("violated", "assertion") and verdicts["small"] == ("inconclusive", "assertion"), verdicts


def check_only_errors_of_the_claim_itself_decide_it(t):
    """Of a never claim an assertion of its own, of a property process as well; not a model error, nor a trace."""
    steps = "byte x, y; chan q = [1] of { byte };\nactive proctype P() { do :: x < 3 -> x++%s :: else -> break od }\n"
    for step, claim, verdict, kind in [
            ("; assert(x < 3)", "never { do :: x == 9 -> break :: else od }", "inconclusive", "assertion"),
            ("", "never { do :: assert(x < 3) od }", "violated", "assertion"),
            ("; y = 3 / (2 - x)", "never { do :: x == 9 -> break :: else od }", "inconclusive", "model-error"),
            ("; q!x; q?y", "trace { q!1; q!1 }\nltl f { [] (x < 9) }", "inconclusive", "claim-violated"),
            ("", "ltl f { [] (x < 2) }", "violated", "claim-violated"), ("", "never { do :: x == 2 -> break :: else od }", "violated", "claim-violated")]:
        t.file("m.pml", steps % step + claim)
        last = t.check("--no-deadlock", "m.pml", status=1)["claims"][-1]
        assert (last["verdict"], last["error"]) == (verdict, kind), (step, claim, last)
    t.file("m.dve", "byte x;\nprocess P { state a; init a; trans a -> a { guard x < 5; effect x = x + 1; }; }\n"
                    "process Q { state a; init a; assert a: x < 3; trans a -> a {}; }\nsystem async property Q;\n")
    assert [c["verdict"] for c in t.check("--claim", "Q", "m.dve", status=1)["claims"]] == ["violated"]


def check_what_was_looked_for_before_an_error_is_said(t):
    t.file("m.pml", COUNTS + "active proctype Q() { assert(x < 2) }\n")
    looked = "\nlooked for  1 assertion, invalid end states, %smodel errors; the search ended at this error\n"
    said = t.run("check", "--claim", "none", "m.pml", status=1).stdout
    assert looked % "" in said and "\nnot checked small (--claim small), " in said, said
    said = t.run("check", "m.pml", status=1).stdout
    assert looked % "ltl small, ltl low, ltl again, ltl stays, " in said and "not checked" not in said, said
    said = t.run("check", "--claim", "none", "--keep-going", "m.pml", status=1).stdout
    assert "\nchecked     1 assertion, invalid end states, model errors\n" in said, said
    t.file("m.pml", COUNTS)
    said = t.run("check", "--claim", "low", "m.pml", status=1).stdout
    assert "\nlooked for  ltl low, model errors; the search ended at this error\nnot checked invalid end states (without --claim), small " in said
    said = t.run("check", "m.pml", status=1).stdout
    assert "\nlooked for  properties of states, ltl small, ltl low, " in said and "not checked" not in said, said


def check_values_of_choices_in_formulas(t):
    """(c -> a : b) is an expression of a formula; a ':' between names belongs to a remote reference."""
    model = "byte x; bool b;\nactive proctype P() { byte l; x = 1; l = 1; x = 2; l = 2; x == 9 }\n"
    for formula, status in [("[] (x == 0 -> 1 : x > 0)", 0), ("[] ((x == 0 -> 1 : x) == 1)", 1), ("<> (x == 2 -> 1 : 0)", 0),
                            ("[] !(x == 2 -> 0 : 1)", 1), ("[] (((x < 2) -> (x == 2 -> 0 : 1) : x == 2) || b)", 0),
                            ("[] (x == 2 -> <> (P:l == 2))", 0), ("[] (x < 2 -> x : 1)", 1)]:
        t.file("m.pml", model + "ltl f { %s }\n" % formula)
        t.check("--claim", "f", "m.pml", status=status)
        t.file("m.pml", model)
        t.check("--ltl", formula, "m.pml", status=status)
    t.file("m.pml", model + "ltl f { [] ((((x == 0) -> b) -> 1 : x > 0) || x > 0) }\n")
    t.check("--claim", "f", "m.pml", status=1)
    t.file("m.pml", model + "ltl f { [] ((x == 0 -> b) : 1) }\n")
    t.error("check", "m.pml", says="expected ')' to close the parenthesis, but found ':'")
    for condition in ["x == 0 -> b -> 1 : 0", "(x == 0 -> b -> b) : 0"]:
        t.file("m.pml", model + "ltl f { [] (%s) }\n" % condition)
        t.error("check", "m.pml", says="expected ')' to close the parenthesis, but found ':'")
    t.file("m.pml", model)
    t.error("check", "m.pml", "--ltl", "[] (b -> x : x)", says="write the values of a choice in parentheses: (c -> (a) : b)")
    t.check("--ltl", "[] (b -> (x) : x == 0)", "m.pml", status=1)
    t.file("m.pml", model + "ltl f { [] (<> b -> 1 : 0) }\n")
    t.error("check", "m.pml", says="this cannot be part of an expression here")


def check_places_in_formulas(t):
    t.file("m.pml", COUNTS)
    t.error("check", "m.pml", "--ltl", "[] (x <  3 && y == 1)", says="--ltl:1:15: error: undeclared name 'y'")
    t.error("check", "m.pml", "--ltl", "<> (y == 1)", says="--ltl:1:5: error: undeclared name 'y'")
    t.file("m.dve", LOCKS)
    t.error("check", "m.dve", "--ltl", "[] <> nosuch == 1", says="--ltl:1:7: error: ")


def check_options_that_no_search_heeds(t):
    t.file("m.pml", COUNTS)
    lossy = "notes of each state what they have no room for"
    for words, says in [(["--allow-lossy", "--cycles", "scc"], lossy), (["--allow-lossy", "--fairness", "weak"], lossy),
                        (["--no-parents"], "only has an effect with ")]:
        t.error("check", "--claim", "again", *words, "m.pml", says=says)
        t.run("check", *words, "m.pml", status=1)  # that of the properties of states does
    for words in [["--claim", "none"], ["--property", "safety"]]:
        for more in [["--cycles", "scc"], ["--fairness", "weak"]]:
            t.error("check", *words, *more, "m.pml", says="only have an effect where something is asked of runs")
        t.run("check", *words, "--cycles", "auto", "--fairness", "none", "m.pml")


def check_a_lasso_is_short(t):
    """The search reaches the cycle after 39 steps; there is a way of one, which it has not tried yet."""
    t.file("m.dve", "byte x;\nprocess P { state a; init a; trans a -> a { guard x < 40; effect x = x + 1; }, "
                    "a -> a { guard x == 0; effect x = 40; }, a -> a { guard x == 40; effect x = 39; }; }\nsystem async;\n")
    stores = [["--store", store] for store in ["tree", "collapse", "automaton", "comback", "compact", "bitstate", "bitline"]]
    for words in [["--cycles", "ndfs"], ["--cycles", "scc"], ["--cycles", "owcty"], ["--fairness", "weak"], *stores]:
        error = t.check("--ltl", "<> x == 50", *words, "m.dve", status=1)["error"]
        assert (error["length"], error["cycle_start"]) == (3, 1), (words, error)


def check_a_lasso_far_away_is_shorter(t):
    """Too many states are nearer than the cycle, so only what is around the lasso is looked at: 39 events can be spared there."""
    t.file("m.dve", "int x, y; byte z;\nprocess X { state a; init a; trans a -> a { guard x < 400; effect x = x + 1; }; }\n"
                    "process Y { state a; init a; trans a -> a { guard y < 400; effect y = y + 1; }; }\n"
                    "process Z { state a; init a; trans a -> a { guard x == 400 && y == 400 && z < 40; effect z = z + 1; }, "
                    "a -> a { guard x == 400 && y == 400 && z == 0; effect z = 40; }, a -> a { guard z == 40; effect z = 39; }; }\n"
                    "system async;\n")
    for words in [["--store", "full"], ["--store", "compact"], ["--fairness", "weak"]]:
        error = t.check("--ltl", "<> z == 50", *words, "m.dve", status=1)["error"]
        assert (error["length"], error["cycle_start"]) == (803, 801), (words, error["length"], error["cycle_start"])


def check_a_nearer_lasso_takes_its_place(t):
    """A depth-first search finds a cycle of 102 events. There is one of four among the stored states, then one that is not stored."""
    for step in [":: x == 1 -> x = 0", ":: x == 0 -> x = 60 :: x == 60 -> x = 0"]:
        t.file("m.pml", "byte x; active proctype P() { do :: x < 50 -> x++ :: x == 50 -> x = 0 %s od }" % step)
        for cycles in ["ndfs", "scc"]:
            error = t.check("--ltl", "<> (x == 100)", "--cycles", cycles, "m.pml", status=1)["error"]
            assert (error["length"], error["cycle_start"]) == (4, 0), (cycles, error["length"], error["cycle_start"])


def check_several_marks_need_fewer_states(t):
    """Searches by components take an automaton as it is, the others one with a single mark."""
    t.file("m.pml", "byte x; active proctype P() { do :: x < 20 -> x++ :: x == 20 -> x = 0 od }")
    often = "[] <> (x == 1) && [] <> (x == 5) && [] <> (x == 9)"
    stored = [t.check("--ltl", "(%s) -> [] <> (x == 3)" % often, *words, "m.pml")["states"]["stored"] for words in [
        ["--cycles", "ndfs"], ["--cycles", "scc"], ["--fairness", "weak"]]]
    assert stored[1] < stored[0] and stored[2] == stored[1], stored
    for cycles, word in [("ndfs", ""), ("scc", "general\n")]:
        done = t.run("check", "--cycles", cycles, "--ltl", "!(%s)" % often, "m.pml", status=1)
        text = (t.folder / "m.trail").read_text()
        assert ("\ngeneral\n" in text) == (word != ""), text
        shown = t.run("trail", "m.pml", "m.trail").stdout
        assert all(line in shown for line in done.stdout.splitlines() if line.startswith("   ")), shown
    t.run("check", "--ltl", "<> (x == 30)", "m.pml", status=1)
    t.file("bad.trail", (t.folder / "m.trail").read_text().replace("initial 0\n", "general\ninitial 0\n"))
    t.error("trail", "m.pml", "bad.trail", says="no claim '<> (x == 30)' with several marks")


def check_searches_for_cycles_are_resumed(t):
    """States move to another store before the file is written, or after it was read."""
    t.file("m.pml", "byte x, y; active proctype P() { do :: x < 9 -> x++ :: x == 9 -> x = 0 od }\n"
                    "active proctype Q() { do :: y < 9 -> y++ :: y == 9 -> y = 0 od }")
    for formula, status in [("[] <> (x == 1) || <> [] (x != 1)", 0), ("[] <> (x == 1)", 1)]:
        for words in [["--cycles", "ndfs"], ["--cycles", "ndfs", "--store", "compact:40"], ["--cycles", "scc"], ["--cycles", "owcty"],
                      *[["--cycles", c, "--move-after", n] for c in ("ndfs", "scc", "owcty") for n in ("20", "120")]]:
            words = [*words, "--ltl", formula, "--keep-going"]
            end = 3 if status == 0 and "compact:40" in words else status
            whole = t.check("m.pml", *words, status=end)
            t.check("m.pml", *words, "--checkpoint", "c,0.000001", "--max-visits", "80", status=1 if status == 1 and "owcty" not in words else 3)
            again = t.check("m.pml", *words, "--resume", "c", status=end)
            for figure in ("verdict", "states", "events", "errors", "error"):
                assert again[figure] == whole[figure], (words, figure, again[figure], whole[figure])
    t.error("check", "m.pml", "--ltl", formula, "--cycles", "scc", "--keep-going", "--resume", "c",
            says="was written with other options: --move-after 120 --ltl [] <> (x == 1) --cycles owcty")


def check_a_weak_never_claim_needs_one_search(t):
    model = "byte x; active proctype P() { do :: x < 9 -> x++ :: x == 9 -> x = 0 od }\nnever { do :: true :: x > 0 -> break od;\n%s }"
    for name, nested in [("accept_S: do :: x > 0 od", False), ("accept_S: x > 0; S: do :: x > 20 -> goto accept_S :: true od", True)]:
        t.file("m.pml", model % name)
        assert (t.check("--cycles", "ndfs", "--claim", "never_0", "m.pml")["nested"] is not None) == nested, name


def check_edges_towards_acceptance_come_first(t):
    """The cycle is found on the way down, not when all states of the system have been visited without the claim moving."""
    t.file("m.pml", "byte x; active proctype P() { do :: x < 100 -> x++ :: x == 100 -> x = 6 od }")
    for cycles in ["ndfs", "scc"]:
        assert t.check("--cycles", cycles, "--ltl", "[] <> (x == 5)", "m.pml", status=1)["states"]["stored"] < 300


def check_all_cycles_are_counted(t):
    t.file("m.pml", "byte x; active proctype P() { do :: x < 50 -> x++ :: x > 0 -> x-- od }")
    for cycles in ["ndfs", "scc"]:
        answer = t.check("--ltl", "<> (x == 100)", "--cycles", cycles, "--keep-going", "m.pml", status=1)
        assert answer["errors"] == 50 and answer["error"]["length"] == 4, answer


def check_fairness(t):
    t.file("m.dve", "byte x;\nprocess P { state a; init a; trans a -> a { effect x = 1 - x; }; }\n"
                    "process Q { state a, b; init a; trans a -> b {}; }\n"
                    "process R { state a, b; init a; trans a -> b { guard x == 1; }; }\nsystem async;\n")
    for formula, fairness, verdict in [("<> Q.b", "none", "violated"), ("<> Q.b", "weak", "verified"), ("<> R.b", "weak", "violated"),
                                       ("<> R.b", "strong", "verified"), ("<> Q.a && [] <> x == 1", "strong", "verified")]:
        answer = t.check("--ltl", formula, "--fairness", fairness, "m.dve", status=int(verdict == "violated"))
        assert answer["verdict"] == verdict, (formula, fairness)
    t.error("check", "--ltl", "<> Q.b", "--fairness", "weak", "--cycles", "ndfs", "m.dve", says="use --cycles scc")


def check_a_run_that_ends_is_fair(t):
    """The claim alone goes round in the last state; pan -a finds that, and with -f it does not."""
    t.file("m.pml", "byte g; active proctype P() { g = 1 } ltl f { <> [] (<> [] (g == 2) && <> (g != 2)) }")
    for fairness in ["none", "weak", "strong"]:
        answer = t.check("--fairness", fairness, "--claim", "f", "m.pml", status=1)
        assert answer["error"]["kind"] == "acceptance-cycle", answer["error"]


def check_a_formula_that_nothing_breaks_has_no_search(t):
    """Its automaton has no state, so that an assertion that fails is found where states are asked about, not beside the claim."""
    t.file("m.pml", "byte g; active proctype P() { g = 1; assert(g == 0) } ltl f { <> [] (<> [] (g == 1) -> g == 1) }")
    for words in [[], ["--fairness", "weak"]]:
        assert t.check("--claim", "f", *words, "m.pml")["states"]["stored"] == 1
        answer = t.check(*words, "m.pml", status=1)
        assert answer["error"]["kind"] == "assertion" and [c["verdict"] for c in answer["claims"]][-1] == "verified", answer


def check_a_formula_asks_about_a_handshake(t):
    """A send counts as executable without asking for a partner, as no step is made, and is none that was reached."""
    sends = "chan c = [0] of { byte }; active proctype Q() { do :: c!1 od } "
    for more in ["active proctype R() { (false) }", "active proctype R() { byte y; do :: atomic { c?y; skip } od }"]:
        for asks in ["", "active proctype A() { do :: enabled(0) od }"]:
            t.file("m.pml", sends + more + asks)
            for compiler in ["tcc", "cc"]:
                words = ["--property", "acceptance", "--compiler", compiler]
                assert t.check("--ltl", "[] <> enabled(0)", *words, "m.pml")["verdict"] == "verified"
                assert t.check("--ltl", "<> [] !enabled(0)", *words, "m.pml", status=1)["verdict"] == "violated"
    t.file("m.pml", sends + "active proctype A() { enabled(0) -> skip }")
    assert "c!1" in t.run("check", "--no-deadlock", "m.pml").stdout.partition("never possible in Q")[2]


def check_owcty_looks_for_cycles_on_the_way(t):
    """A cycle near the beginning is found before all states are visited; where there is none, and to count all errors, all are."""
    t.file("m.dve", "int x; int y; byte z;\nprocess P { state a; init a; trans a -> a { guard x < 300; effect x = x + 1; }; }\n"
                    "process Q { state a; init a; trans a -> a { guard y < 300; effect y = y + 1; }; }\n"
                    "process R { state a; init a; trans a -> a { effect z = 1 - z; }; }\nsystem async;\n")
    for words, status, stored in [(["--ltl", "[] <> x == 300"], 1, range(1, 1000)), (["--ltl", "<> x == 301 || true"], 0, range(0, 2)),
                                  (["--ltl", "[] <> (z == 0 || x + y == 600)"], 0, range(300 * 300, 10 ** 6)),
                                  (["--ltl", "[] <> x == 300", "--keep-going"], 1, range(300 * 300, 10 ** 6))]:
        answer = t.check("--cycles", "owcty", "--order", "bfs", *words, "m.dve", status=status)
        assert answer["states"]["stored"] in stored, (words, answer["states"]["stored"])


def check_colours_move_with_the_states(t):
    """What was left before the states move, and is not red, is visited by the second search that begins after it."""
    t.file("m.dve", "byte x; byte y;\nprocess P { state a, m, k, d, e; init a; accept m; trans a -> m {}, m -> k {}, "
                    "k -> d {}, d -> d { guard x < 100; effect x = x + 1; }, d -> a { guard x == 100; effect x = 0; }, "
                    "k -> e {}, e -> e { guard y < 100; effect y = y + 1; }; }\nsystem async;\n")
    for after in [60, 75, 90]:
        for words in [["--cycles", "ndfs"], ["--cycles", "ndfs", "--allow-lossy"], ["--cycles", "scc"]]:
            answer = t.check("--property", "acceptance", "--move-after", str(after), *words, "m.dve", status=1)
            stores = [move["to"] for move in answer["moves"]]
            assert stores == ["tree", "compact"] if "--allow-lossy" in words else len(stores) <= 1, (words, stores)


def check_every_claim_is_answered(t):
    t.file("m.pml", COUNTS)
    answer = t.check("m.pml", status=1)
    assert [(c["name"], c["verdict"]) for c in answer["claims"]] == [
        (None, "verified"), ("small", "verified"), ("low", "violated"), ("again", "verified"), ("stays", "violated")]
    done = t.run("check", "m.pml", status=1)
    assert done.stdout.startswith("violated: ltl low does not hold after "), done.stdout
    assert "\nltl small  verified: no error in " in done.stdout, done.stdout
    answer = t.check("--claim", "small", "m.pml")
    assert [c["name"] for c in answer["claims"]] == ["small"] and answer["verdict"] == "verified"
    answer = t.check("--claim", "small", "--claim", "stays", "m.pml", status=1)
    assert [c["verdict"] for c in answer["claims"]] == ["verified", "violated"]
    assert t.check("--claim", "none", "m.pml")["claims"] == []
    assert t.check("--property", "safety", "m.pml")["claims"] == []
    t.error("check", "--claim", "large", "m.pml", says="the model has no claim 'large'")


def check_never_claims(t):
    t.file("m.pml", CLAIM % 9)
    assert t.check("--claim", "never_0", "m.pml", status=1)["error"]["kind"] == "acceptance-cycle"
    t.file("m.pml", CLAIM % 2)
    assert t.check("--claim", "never_0", "m.pml", status=1)["error"]["kind"] == "assertion"
    t.file("m.pml", "byte x;\nactive proctype P() { x = 1; x = 2 }\nnever { do :: x == 2 -> break :: else od }\n")
    answer = t.check("m.pml", status=1)
    assert answer["error"]["kind"] == "claim-violated" and answer["error"]["cycle_start"] is None
    t.run("trail", "m.pml", "m.trail")
    for way in ["atomic", "d_step"]:  # an else looks into both
        t.file("m.pml", "byte x;\nactive proctype P() { x = 1; x = 2 }\nnever { do :: %s { x == 2 -> assert(false) } :: else od }\n" % way)
        assert t.check("--claim", "never_0", "m.pml", status=1)["error"]["kind"] == "assertion", way
    # Where assertions of both fail in one step, the claim's is the first; where the system's step leads nowhere, that is the error.
    for step, wrong in [("assert(x == 0)", "'assert(x != 1)' fails"), ("x = 5 / y", "division by zero")]:
        t.file("m.pml", "byte x, y;\nactive proctype P() { x = 1; %s }\nnever { do :: assert(x != 1) od }\n" % step)
        assert wrong in t.check("--claim", "never_0", "m.pml", status=1)["error"]["message"], step
    t.file("m.pml", "byte x;\nactive proctype P() { x = 1; x = 2 }\nnever { do :: x == 2 -> x = 3 :: else od }\n")
    assert "it changes a variable of the system" in t.check("m.pml", status=3)["unchecked"][0]


def check_never_claims_with_variables(t):
    """The claim counts how often the system is at 5, in a variable of its own or in one that no process looks at."""
    for own, other in [("byte n;", ""), ("", "byte n;")]:
        text = COUNTING.replace("OWN", own).replace("OTHER", other)
        t.file("m.pml", text)
        answer = t.check("--claim", "never_0", "--self-check", "m.pml", status=1)
        assert answer["error"]["kind"] == "assertion" and "n < 3" in answer["error"]["message"], answer["error"]
        assert "n: 2 -> 3" in t.run("trail", "m.pml", "m.trail").stdout
        t.file("m.pml", text.replace("n < 3", "n < 5"))
        answers = [t.check("--claim", "never_0", "--cycles", c, "m.pml") for c in ("ndfs", "scc", "owcty")]
        assert {a["states"]["stored"] for a in answers} == {60}, answers
    t.file("m.pml", COUNTING.replace("OWN", "byte n, a[300];").replace("OTHER", "").replace("n++;", "n++; a[n] = 1;"))
    t.error("check", "--claim", "never_0", "m.pml", says="more than 256 bytes of variables")
    t.file("m.pml", COUNTING.replace("OWN", "byte n;").replace("OTHER", "").replace("n++;", "do :: n = 1 - n od;"))
    assert "does not come to an end" in t.check("--claim", "never_0", "m.pml", status=1)["error"]["message"]
    t.file("m.pml", COUNTING.replace("OWN", "byte n;").replace("OTHER", "").replace("n++;", "do :: n < 200 -> n++ :: break od;"))
    assert "more than 128 ways" in t.check("--claim", "never_0", "m.pml", status=1)["error"]["message"]
    t.file("m.pml", COUNTING.replace("OWN", "byte n, a[4];").replace("OTHER", "").replace("n++;", "n++; a[n] = 1;"))
    assert t.check("--claim", "never_0", "m.pml", status=1)["error"]["kind"] == "assertion"
    t.file("m.pml", COUNTING.replace("OWN", "byte n, a[3];").replace("OTHER", "").replace("n++;", "n++; a[n] = 1;"))
    assert t.check("--claim", "never_0", "m.pml", status=1)["error"]["kind"] == "model-error"


def check_traces(t):
    """Every message that a trace is about has to fit it; of notrace the end must not be reached."""
    def answer(trace, status, *words):
        t.file("m.pml", TRACED + trace)
        return t.check("--self-check", *words, "m.pml", status=status)
    for trace in ["trace { do :: q!1; q?1; q!2; q?2 od }", "trace { do :: q!_; q!2 od }", "trace { S: if :: q?_ -> goto S fi }",
                  "trace { do :: d!3; d?_ od }", "notrace { q!2 }", "notrace { q!1; q!1 }"]:
        assert answer(trace, 0)["verdict"] == "verified", trace
    assert "the trace," in t.run("check", "m.pml").stdout
    assert "the trace," not in t.run("check", "--claim", "none", "m.pml").stdout
    for trace in ["trace { q!1 }", "trace { do :: q?eval(x + 2) od }", "trace { do :: d?3; d!3 od }", "trace { do :: d!2 od }",
                  "notrace { q!1; q!2 }", "notrace { do :: d!3 -> d?3; break od }"]:
        for words in [[], ["--order", "dfs"], ["--reduce", "por"], ["--store", "tree"]]:
            error = answer(trace, 1, *words)["error"]
            assert error["kind"] == "claim-violated" and error["message"].startswith("trace: "), (trace, words, error)
        assert "trace: " in t.run("trail", "m.pml", "m.trail").stdout
        assert answer(trace, 0, "--claim", "none")["verdict"] == "verified", trace
    assert answer("trace { do :: q!1 -> q!2 :: q!_ od }", 1)["error"]["kind"] == "model-error"
    assert answer("trace { do :: q?eval(a[x + 1]) od }", 1)["error"]["kind"] == "model-error"
    assert answer("trace { do :: v!1 od }", 3)["unchecked"] == ["trace (a channel in it is not known beforehand)"]
    t.file("m.pml", TRACED + "trace { q!1 }\nltl f { [] (x < 3) }\n")  # whatever else is asked
    assert t.check("--claim", "f", "m.pml", status=1)["error"]["kind"] == "claim-violated"


def check_automata_of_other_tools_with_por(t):
    """Where the file is stutter-invariant, or says so and this cannot be found out, por leaves out events and no lasso."""
    steps = "byte x;\n%sactive proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = %d od }\n"
    others = "active [2] proctype Q() { byte i; do :: i < 9 -> i++ :: else -> break od }\n"

    def stored(formula, reset, *words, status, says=False):
        text = t.run("automaton", "--negate", "--format", "hoa", formula).stdout.replace(" stutter-invariant", "")
        t.file("a.hoa", text.replace(" explicit-labels", " explicit-labels" + (" stutter-invariant" if says else "")))
        t.file("m.pml", steps % (others, reset))
        return t.check("--claim", "a.hoa", *words, "m.pml", status=status)["states"]["stored"]

    for engine in ["ndfs", "scc", "owcty"]:
        por = ["--cycles", engine, "--reduce", "por"]
        for formula, reset, status in [("[] <> x == 0", 0, 0), ("[] <> x == 0", 1, 1), ("[] (x == 3 -> <> x == 0)", 0, 0), ("<> [] x > 0", 0, 1),
                                       ("<> [] x > 0", 1, 0), ("[] x < 4", 0, 0), ("[] (x == 1 -> x == 1 W x == 3)", 0, 1)]:
            plain = stored(formula, reset, "--cycles", engine, status=status)
            less = stored(formula, reset, *por, status=status, says=True)
            assert less < plain or status == 1, (formula, engine, plain, less)
        # Of the first one it is not known, of the second one it is found out.
        for formula, fewer in [("[] <> (x == 1 && X x == 2)", False), ("[] x < 4", True)]:
            plain, less = stored(formula, 0, "--cycles", engine, status=0), stored(formula, 0, *por, status=0)
            assert (less < plain) == fewer, (formula, engine, plain, less)


def check_automata_of_other_tools(t):
    """A file in the Hanoi format is a claim; its propositions are expressions of the model's language."""
    t.file("m.dve", ROUND)
    for formula in ["[] x < 4", "[] <> x == 4", "<> [] x == 4", "[] (x == 1 -> <> x == 3)", "[] <> x == 1 && [] <> x == 2 && [] <> x == 3",
                    "<> x == 9", "x == 0 W x == 1", "[] <> (x == 2 && X x == 3)", "true", "false"]:
        for words in [[], ["--degeneralise"]]:
            t.file("a.hoa", t.run("automaton", "--negate", "--format", "hoa", *words, formula).stdout)
            for engine in ["ndfs", "scc", "owcty"]:
                want = t.run("check", "--ltl", formula, "--cycles", engine, "m.dve", status=None).returncode
                t.check("--claim", "a.hoa", "--cycles", engine, "--self-check", "m.dve", status=want)
    t.file("a.hoa", HOA)
    answer = t.check("--claim", "a.hoa", "m.dve", status=1)
    assert answer["error"]["message"] == "automaton a.hoa accepts a run" and answer["error"]["kind"] == "acceptance-cycle"
    t.run("trail", "m.dve", "m.trail")
    t.file("a.hoa", HOA.replace("x == 2", "x == 8"))
    assert t.check("--claim", "a.hoa", "m.dve")["verdict"] == "verified"
    t.error("trail", "m.dve", "m.trail", says="it belongs to another model")
    t.file("a.hoa", HOA.replace("x == 2", "y == 2"))
    t.error("check", "--claim", "a.hoa", "m.dve", says="proposition:1:1")
    t.file("a.hoa", HOA.replace("Inf(0) & Inf(1)", "Fin(0) & Inf(2)"))
    t.error("check", "--claim", "a.hoa", "m.dve", says="a.hoa:")
    t.error("check", "--claim", "b.hoa", "m.dve", says="b.hoa: No such file")
    r = random.Random(1)
    for _ in range(150):
        text = list(HOA)
        for _ in range(r.randrange(1, 4)):
            at = r.randrange(len(text))
            text[at:at + r.randrange(0, 9)] = r.choice(["", "1", "[", "]", "{0}", '"', "--END--", "&", "\x01", "State: 4", "999999999999"])
        t.file("a.hoa", "".join(text))
        assert t.run("check", "--claim", "a.hoa", "m.dve", status=None).returncode in (0, 1, 2), "".join(text)


# x goes round, or back to 0 at any time: what it is again and again is 0, 0 and 1, and so on.
AROUND = {"m.dve": "byte x;\nprocess A { state a; init a; trans a -> a { effect x = (x + 1) % 4; }, a -> a { effect x = 0; }; }\n"
                   "system async;\n",
          "n.pml": "byte x;\nactive proctype P() { do :: x = (x + 1) % 4 :: x = 0 od }\n"}

CONDITIONS = {  # of every kind that has a name; S is the set of values of x that come again and again
    "t": lambda S: True, "f": lambda S: False,
    "Fin(0)": lambda S: 0 not in S, "Fin(1)": lambda S: 1 not in S,  # co-Büchi
    "Fin(1) | Fin(2)": lambda S: not {1, 2} <= S,
    "Fin(3) & Inf(2)": lambda S: 3 not in S and 2 in S,  # Rabin
    "(Fin(2) & Inf(3)) | (Fin(1) & Inf(2))": lambda S: (2 not in S and 3 in S) or (1 not in S and 2 in S),
    "(Fin(0) & Inf(1)) | (Fin(3) & Inf(2))": lambda S: (0 not in S and 1 in S) or (3 not in S and 2 in S),
    "(Fin(0) | Inf(2)) & (Fin(1) | Inf(3))": lambda S: (0 not in S or 2 in S) and (1 not in S or 3 in S),  # Streett
    "(Fin(0) | Inf(1)) & (Fin(1) | Inf(2)) & Fin(3)": lambda S: (0 not in S or 1 in S) and (1 not in S or 2 in S) and 3 not in S,
    "(Fin(0) | Inf(1)) & (Fin(1) | Inf(2)) & Fin(2)": lambda S: (0 not in S or 1 in S) and (1 not in S or 2 in S) and 2 not in S,
    "Inf(0) | (Fin(1) & Inf(2))": lambda S: min(S) % 2 == 0,  # parity min even
    "Fin(0) & (Inf(1) | (Fin(2) & Inf(3)))": lambda S: min(S) % 2 == 1,
    "Inf(3) | (Fin(2) & Inf(1))": lambda S: max(S) % 2 == 1,
    "Fin(3) & (Inf(2) | (Fin(1) & Inf(0)))": lambda S: max(S) % 2 == 0,
    "(Inf(0) & Inf(2) & Fin(1) & Fin(3)) | (Inf(1) & Inf(3) & Fin(0) & Fin(2))": lambda S: S in ({0, 2}, {1, 3}),  # Muller
    "(Inf(0) & Inf(1) & Fin(2) & Fin(3)) | (Inf(1) & Inf(3) & Fin(0) & Fin(2))": lambda S: S in ({0, 1}, {1, 3}),
    "Inf(!0) & Fin(!3)": lambda S: S != {0} and S == {3},
    "Fin(!0) | Inf(3) & Fin(1)": lambda S: S == {0} or (3 in S and 1 not in S),
    "Inf(1) & (Fin(2) | Inf(3)) & (Fin(3) | Fin(0))": lambda S: 1 in S and (2 not in S or 3 in S) and (3 not in S or 0 not in S),
}


def around(condition, on_states):
    """An automaton that says of each value of x that it is in the set of that number."""
    edges = [[f"[{x}] {x if on_states else 0}{'' if on_states else ' {%d}' % x}" for x in range(4)]] * (4 if on_states else 1)
    states = [f"State: {s}{' {%d}' % s if on_states else ''}\n" + "\n".join(edges[s]) for s in range(len(edges))]
    atoms = " ".join(f'"x == {x}"' for x in range(4))
    return f"HOA: v1\nStart: 0\nAP: 4 {atoms}\nAcceptance: 4 {condition}\n--BODY--\n" + "\n".join(states) + "\n--END--\n"


def check_conditions_of_acceptance(t):
    """Inf and Fin in any combination: each search answers as the definition does."""
    for name, model in AROUND.items():
        t.file(name, model)
        for i, (condition, is_true) in enumerate(CONDITIONS.items()):
            want = int(any(is_true(set(range(n))) for n in range(1, 5)))
            t.file("a.hoa", around(condition, i % 2 == 0))
            for engine in ["ndfs", "scc", "owcty"]:
                answer = t.check("--claim", "a.hoa", "--cycles", engine, "--self-check", name, status=want)
                assert (answer["verdict"] == "violated") == bool(want), (name, condition, engine)
            if want:
                done = t.run("trail", name, name[0] + ".trail")
                assert "back to step" in done.stdout, condition


def check_labels(t):
    t.file("m.pml", LABELS % "accept")
    assert t.check("m.pml")["claims"] == []
    assert t.check("--property", "acceptance", "m.pml", status=1)["error"]["message"] == "a cycle through a label 'accept'"
    assert t.check("--property", "progress", "m.pml", status=1)["error"]["kind"] == "nonprogress-cycle"
    t.run("trail", "m.pml", "m.trail")
    t.file("m.pml", "active proctype P() { progress: do :: skip od }\n")
    assert t.check("--property", "progress", "m.pml")["verdict"] == "verified"
    assert t.check("--property", "acceptance", "m.pml")["verdict"] == "verified"


def check_what_no_model_says_is_not_verified(t):
    t.file("m.dve", LOCKS)
    t.error("check", "--property", "progress", "m.dve", says="only Promela has")
    t.error("check", "--property", "acceptance", "m.dve", says="no property process")
    t.run("check", "--property", "acceptance", "--ltl", "[] x < 3", "m.dve")


def check_property_processes(t):
    t.file("m.dve", LTL)
    answer = t.check("m.dve")
    assert [c["what"] for c in answer["claims"]] == ["properties of states", "property never"]
    t.file("m.dve", LTL.replace("x == 1;", "x < 2;"))
    assert t.check("m.dve", status=1)["error"]["message"] == "property never does not hold"


def check_properties_with_variables_and_assertions(t):
    """The property counts, modulo 5, how often x is 4; with sets of states instead of one it has a mark for each."""
    for accept, sums, verdict in [("accept r;", "3", "verified"), ("accept buchi r;", "7", "violated"),
                                  ("accept genbuchi (r), (q);", "7", "violated"), ("accept genbuchi (r), (s);", "7", "verified"),
                                  ("accept genbuchi (r), ();", "7", "verified"), ("accept rabin (r; q);", "7", "verified"),
                                  ("accept rabin (r; s), (s; q);", "7", "violated"), ("accept streett (q; s);", "7", "verified"),
                                  ("accept streett (q; s), (r; q);", "7", "verified"), ("accept streett (r; q);", "7", "violated"),
                                  ("accept muller (r), (r, q);", "7", "violated"), ("accept muller (r), (r, q, s);", "7", "verified")]:
        t.file("m.dve", COUNTED % (accept, sums))
        for engine in ["ndfs", "scc", "owcty"]:
            answer = t.check("--claim", "P", "--cycles", engine, "--self-check", "m.dve", status=int(verdict == "violated"))
            assert answer["verdict"] == verdict, (accept, engine)
            assert verdict == "verified" or answer["error"]["kind"] == "acceptance-cycle", answer
    t.file("m.dve", COUNTED % ("accept r; assert r: n < 4, q: n < 9;", "7"))
    answer = t.check("--claim", "P", "m.dve", status=1)
    assert answer["error"]["kind"] == "assertion" and "P.r: n < 4" in answer["error"]["message"], answer["error"]
    t.run("trail", "m.dve", "m.trail")
    once = t.check("--claim", "P", "--keep-going", "--cycles", "owcty", "m.dve", status=1)["errors"]
    t.file("m.dve", COUNTED % ("accept rabin (r; s), (s; r); assert r: n < 4, q: n < 9;", "7"))
    answer = t.check("--claim", "P", "m.dve", status=1)
    assert answer["error"]["kind"] == "assertion" and "P.r: n < 4" in answer["error"]["message"], answer["error"]
    assert once == 1 == t.check("--claim", "P", "--keep-going", "--cycles", "owcty", "m.dve", status=1)["errors"]
    t.file("m.dve", COUNTED % ("accept r; assert r: n < 5, q: h[n] == 0;", "3"))
    assert t.check("--claim", "P", "m.dve")["verdict"] == "verified"
    # Without variables: the assertion alone, and all processes at once.
    t.file("m.dve", "byte x;\nprocess A { state a, b; init a; accept b; trans a -> b { effect x = 1; }, b -> a { effect x = 0; }; }\n"
                    "process P { state q, r; init q; accept r; assert q: x == 0; trans q -> r { guard x == 1; }, q -> q {}; }\n"
                    "system sync property P;\n")
    assert t.check("--claim", "P", "m.dve", status=1)["error"]["kind"] == "assertion"
    t.file("m.dve", "process A { state a, b, c; init a; accept b; trans a -> b {}, b -> c {}, c -> c {}; }\nsystem async;\n")
    assert t.check("--property", "acceptance", "m.dve")["verdict"] == "verified"
    t.file("m.dve", "process A { state a, b; init a; accept b; trans a -> b {}, b -> a {}; }\nsystem async;\n")
    assert t.check("--property", "acceptance", "m.dve", status=1)["error"]["kind"] == "acceptance-cycle"


def check_claims_ask_for_timeout(t):
    """It is true where no process can move but for what waits for timeout itself, also where all have ended; a sender without a
    receiver cannot move, nor can a process whose `provided` is false."""
    stuck = "byte x;\nactive proctype P() { x = 1; x == 9 }\nactive proctype Q() { timeout -> x = 5 }\n"
    alone = "byte x;\nactive proctype P() { x = 1; x = 2 }\n"
    sends = "byte x; chan q = [0] of { byte };\nactive proctype P() { x = 1; q!1; x = 2 }\nactive proctype Q() { x == 2; q?_ }\n"
    held = "byte x;\nactive proctype P() provided (x == 0) { x = 1; x = 2 }\n"
    atomic = "byte x;\nactive proctype P() { atomic { x = 1; x == 7; x = 2 } }\nactive proctype Q() { x == 1; x = 7 }\n"
    asks = "byte x;\nactive proctype P() { x = 1 }\nactive proctype Q() { x == 1 && enabled(0) -> x = 3 :: timeout -> skip fi }\n".replace(
        "x == 1 && enabled", "if :: x == 1 && enabled")
    for model, claim, status in [
            (stuck, "ltl f { [] !timeout }", 1), (stuck, "ltl f { [] (timeout -> x == 1 || x == 5) }", 0),
            (stuck, "ltl f { <> (timeout && x == 1) }", 0), (stuck, "ltl f { [] (x == 1 -> timeout) }", 1),
            (stuck, "ltl f { [] (x == 5 -> <> timeout) }", 0), (stuck, "never { do :: (x == 1 && timeout) -> break :: true od }", 1),
            (stuck, "never { do :: atomic { x == 1; timeout } -> break :: else od }", 1),
            (stuck, "never { do :: timeout && x == 0 -> break :: else od }", 0),
            (stuck, "never { bool k; do :: atomic { k = timeout; if :: k && x == 1 -> break :: else fi } od }", 1),
            (stuck, "never { bool k; do :: atomic { k = timeout; if :: k && x == 0 -> break :: else fi } od }", 0),
            (alone, "ltl f { <> [] timeout }", 0), (alone, "ltl f { [] (timeout -> _nr_pr == 0) }", 0),
            (sends, "ltl f { <> timeout }", 0), (sends, "ltl f { [] (timeout -> x == 1) }", 0), (held, "ltl f { <> (timeout && x == 1) }", 0),
            (atomic, "ltl f { [] (timeout -> _nr_pr == 0) }", 0), (asks, "ltl f { [] (timeout -> x == 3 || _nr_pr < 2) }", 1)]:
        t.file("m.pml", model + claim)
        for words in [[], ["--cycles", "scc"], ["--cycles", "owcty"], ["--reduce", "por,merge,dead"], ["--compiler", "cc"]]:
            if "--reduce" not in words or not claim.startswith("never"):
                t.check("--claim", "f" if claim.startswith("ltl") else "never_0", "--self-check", *words, "m.pml", status=status)
    t.file("m.pml", stuck)
    for formula, status in [("[] !timeout", 1), ("<> (timeout && x == 1)", 0)]:
        t.check("--ltl", formula, "m.pml", status=status)
    for condition, status in [("!timeout", 1), ("!timeout || x == 1 || x == 5", 0)]:
        t.check("--no-deadlock", "--invariant", condition, "m.pml", status=status)


def check_a_claim_is_process_0(t):
    """What it asks of _pid and _priority is answered as by Spin's verifier, in which the claim is the first process; a condition of the command line has none."""
    for claim, status in [("ltl f { [] (_pid == 0) }", 0), ("ltl f { [] (_pid != 0) }", 1),
                          ("never { do :: _pid == 0 && x == 2 -> break :: else od }", 1),
                          ("never { do :: P[_pid]@L -> break :: else od }", 1), ("never { do :: _pid == 1 -> break :: else od }", 0),
                          ("ltl f { [] (_priority == 1) }", 0), ("never { do :: _priority == 1 -> break :: else od }", 1)]:
        t.file("m.pml", "byte x;\nactive proctype P() { do :: x < 4 -> x++ :: x > 2 -> L: x = 0 od }\n" + claim)
        t.check("m.pml", status=status)
    for option in ("--ltl", "--invariant"):
        for name in ("_pid", "_priority"):
            t.error("check", "m.pml", option, name + " == 0", says="'%s' is of the process that asks" % name)


def check_what_only_formulas_ask(t):
    """np_ and _last: on the command line the same as in the model."""
    for formula, verdict in [("[] <> (_last == 1)", "violated"), ("[] <> (_last == 0)", "verified"), ("[] <> !np_", "violated"),
                             ("<> [] np_", "violated"), ("[] (_last == 0)", "violated"), ("[] (np_ || x == 0)", "violated"),
                             ("[] (_last == 1 -> x < 2)", "verified")]:
        t.file("m.pml", NAMED)
        assert t.check("--ltl", formula, "m.pml", status=int(verdict == "violated"))["verdict"] == verdict, formula
        t.file("m.pml", NAMED + "ltl f { %s }\n" % formula)
        assert t.check("--claim", "f", "m.pml", status=int(verdict == "violated"))["verdict"] == verdict, formula
    t.file("m.pml", NAMED)
    assert t.check("--invariant", "_last == 0", "m.pml", status=1)["error"]["kind"] == "invariant"


def check_claims_in_sim_and_graph(t):
    """One claim runs beside the model; the graph shows in red what it accepts."""
    t.file("m.pml", COUNTS)
    out = t.run("sim", "--seed", "0", "m.pml", "--claim", "stays", "--steps", "40").stdout
    assert "(the claim accepts if this happens again and again)" in out, out
    assert "ltl low: whatever follows, this run is an error" in t.run("sim", "--seed", "0", "m.pml", "--claim", "low", "--steps", "40", status=1).stdout
    t.file("n.pml", "byte x;\nactive proctype P() { x = 1; x = 2 }\nnever { do :: x == 2 -> break :: else od }\n")
    assert "never claim never_0 has come to its end" in t.run("sim", "--seed", "0", "n.pml", "--claim", "never_0", status=1).stdout
    assert "accepts no run that goes on from here" in t.run("sim", "--seed", "0", "n.pml", "--ltl", "<> x == 1").stdout
    assert "claim" not in t.run("sim", "--seed", "0", "m.pml").stdout
    for words, red in [(["--claim", "stays"], True), (["--claim", "low"], True), (["--claim", "small"], False), (["--ltl", "<> x == 77"], True)]:
        dot = t.run("graph", "m.pml", *words).stdout
        assert ("color=red, penwidth=2];" in dot) == red, (words, dot)
    length = t.check("--claim", "none", "--ltl", "<> x == 77", "m.pml", status=1)["error"]["length"]
    assert t.run("graph", "m.pml", "--ltl", "<> x == 77").stdout.count("color=red, penwidth=2];") == length
    assert t.run("graph", "m.pml", "--claim", "stays", "--format", "aut").stdout.startswith("des (0,")
    for command in ["sim", "graph"]:
        t.error(command, "m.pml", "--claim", "small", "--claim", "low", says="one claim at a time")
        t.error(command, "m.pml", "--claim", "nothing", says="the model has no claim 'nothing': it has small, low")
        t.run(command, "m.pml", "--claim", "none")


def check_values_that_cannot_be_worked_out(t):
    t.file("m.dve", "byte x; byte a[2];\nprocess P { state q; init q; trans q -> q { guard x < 3; effect x = x + 1; }; }\n"
                    "system async;\n")
    assert t.check("--ltl", "[] <> (a[x] == 0)", "m.dve", status=1)["error"]["kind"] == "model-error"


if __name__ == "__main__":
    sys.exit(main(globals()))
