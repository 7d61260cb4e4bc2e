#!/usr/bin/env python3
"""The command line, end to end: models written in C.

    foreign.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from harness import main

MODEL = """#include <cairn/model.h>
%(before)s
struct state { uint32_t x; uint8_t y[4]; };
static void initial(uint32_t which, void *state) { ((struct state *)state)->x = which; }
static void successors(const void *state, struct cairn_out *out) {
  struct state s = *(const struct state *)state;
  (void)out;
  %(step)s
}
static const struct cairn_variable variables[] = { %(variables)s };
const struct cairn_model cairn_model = {
  .abi = CAIRN_MODEL_ABI, .state_bytes = sizeof(struct state), .initial = initial, .successors = successors,
  .variable = variables, .n_variables = sizeof variables / sizeof *variables, %(more)s
};
"""
COUNT = "if (s.x < 9) { s.x++; cairn_next(out, 0, &s); }"


def model(step=COUNT, variables="CAIRN_VARIABLE(struct state, x)", before="", more=""):
    return MODEL % {"step": step, "variables": variables, "before": before, "more": more}


def check_both_compilers(t):
    """A file beside the model is found, and its lines are those of the compiler's messages."""
    t.file("step.h", "#define LAST 20\n")
    t.file("m.c", model("if (s.x < LAST) { s.x++; cairn_next(out, 0, &s); }", before='#include "step.h"'))
    for compiler in ["tcc"] + (["cc"] if shutil.which("cc") else []):
        assert t.check("m.c", "--compiler", compiler)["states"]["stored"] == 21
        t.file("wrong.c", model("s.z = 1;"))
        done = t.run("check", "wrong.c", "--compiler", compiler, status=2)
        assert "wrong.c:8:3: error:" in done.stderr and "s.z = 1" in done.stderr, done.stderr


def check_definitions(t):
    t.file("m.c", model("if (s.x < LAST) { s.x++; cairn_next(out, 0, &s); }", before="""#ifndef WIDE
#define WIDE 0
#endif""").replace("s.x < LAST", "s.x < LAST + WIDE"))
    assert t.check("m.c", "--compiler", "tcc", "-D", "LAST=3")["states"]["stored"] == 4
    assert t.check("m.c", "--compiler", "tcc", "-D", "LAST=3", "-D", "WIDE")["states"]["stored"] == 5
    said = t.run("check", "m.c", "--compiler", "tcc", "-D", "LAST=3", "-D", "WID=1").stderr
    assert said == "warning: -D WID has no effect: the model never uses the name\nhint: did you mean 'WIDE'?\n", said
    t.file("own.h", "")
    t.file("m.c", '#include "own.h"\n' + (t.folder / "m.c").read_text())
    assert not t.run("check", "m.c", "--compiler", "tcc", "-D", "LAST=3", "-D", "WID").stderr, "the header may use it"


def check_shared_object(t):
    if shutil.which("cc") is None:
        return
    t.file("m.c", model())
    subprocess.run(["cc", "-shared", "-fPIC", "-I", os.path.join(os.path.abspath(t.source), "include"), "-o", "m.so", "m.c"], cwd=t.folder,
                   check=True)
    assert t.check("m.so")["states"]["stored"] == 10
    assert t.check("m.so", "--invariant", "x < 5", status=1)["error"]["length"] == 5
    t.file("empty.c", "int nothing;\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "empty.so", "empty.c"], cwd=t.folder, check=True)
    t.error("check", "empty.so", says="does not define cairn_model")
    t.file("cut.so", b"\177ELF and no more")
    t.error("check", "cut.so", says="cannot be loaded")


def check_what_a_model_says_wrong(t):
    for variables, says in {
            '{.name = "x", .offset = 2, .bytes = 4}': "which is no multiple of its 4 bytes",
            '{.name = "x", .offset = 8, .bytes = 1}': "ends after the 8 bytes of a state",
            '{.name = "x", .bytes = 4, .n = 1u << 30}': "ends after the 8 bytes of a state",
            '{.name = "x y", .bytes = 4}': "no name of C",
            '{.name = "x", .bytes = 3}': "1, 2 or 4 are possible",
            '{.name = "x", .bytes = 4}, {.name = "y", .offset = 3, .bytes = 1}': "'y' and 'x' share byte 3",
    }.items():
        t.file("m.c", model(variables=variables))
        t.error("check", "m.c", "--compiler", "tcc", says=says)
    t.file("m.c", model().replace(".initial = initial", ".initial = 0"))
    t.error("check", "m.c", "--compiler", "tcc", says="needs the functions initial and successors")
    t.file("m.c", model().replace("sizeof(struct state), .initial", "0, .initial"))
    t.error("check", "m.c", "--compiler", "tcc", says="a state has 0 bytes")
    for more, says in {".abi = 99": "of another version", ".state_bytes = 1 << 20": "1 to 65536 are possible",
                       ".n_labels = 1, .label = (const struct cairn_condition[]){{0}}": "label 0 has no function",
                       ".n_actions = 1, .action = (const struct cairn_action[]){{0}}": "action 0 has no name"}.items():
        t.file("m.c", model(more=more))
        t.error("check", "m.c", "--compiler", "tcc", says=says)


def check_what_a_model_does_wrong(t):
    for step, says in {"cairn_next(out, 1, &s); cairn_next(out, 0, &s);": "ascending order", "cairn_next(out, 2, &s);": "n_actions",
                       "cairn_fail(out, 0, 0);": "n_errors"}.items():
        t.file("m.c", model(step, more=".n_actions = 2"))
        answer = t.check("m.c", "--compiler", "tcc", status=1)
        assert answer["error"]["kind"] == "model-error" and answer["error"]["length"] == 1, answer
        assert says in t.run("check", "m.c", "--compiler", "tcc", status=1).stdout, says


def check_crash_at_the_beginning(t):
    t.file("m.c", model(before="static int zero;").replace("->x = which;", "->x = 7 / (int)zero;"))
    t.error("check", "m.c", "--compiler", "tcc", says="the function initial: the model's C code divides by zero")


def check_a_crash_in_a_later_initial_state(t):
    """Where there are several, none is taken that was not written to its end."""
    for wrong in ("which == 2 ? 7 / (int)zero : 1", "(which == 2 ? abort() : (void)0, 1)"):
        t.file("m.c", model(before="#include <stdlib.h>\nstatic int zero;", more=".n_initial = 3").replace("->x = which;", "->x = " + wrong + ";"))
        t.error("check", "m.c", "--compiler", "tcc", says="the function initial: of state 2: the model's C code")


def check_words_have_their_limit_and_their_room(t):
    """Before and after the search, too: a way is shown with what there is without the model's words."""
    before = """#include <string.h>
static int hold(const void *state) { return *(const uint32_t *)state != 3; }
static const struct cairn_condition good[] = {{"good", hold}};
static void fill(char *text, size_t size) { for (; WORDS ;) ; memset(text, 'w', size); text[size - 1] = 'Z'; }
static void print_state(const void *s, char *text, size_t size) { (void)s; fill(text, size); }
static void print_value(const void *s, uint32_t v, uint32_t i, char *text, size_t size) { (void)s; (void)v; (void)i; fill(text, size); }
"""
    more = ".invariant = good, .n_invariants = 1, .%s = %s"
    for word in ("print_state", "print_value", "print_event"):
        t.file("m.c", model(before=before + before.splitlines()[-1].replace("print_value", "print_event"), more=more % (word, word)))
        begin = time.monotonic()
        done = t.run("check", "m.c", "--compiler", "tcc", "--time", "0.2", "-D", "WORDS=1", status=1)
        assert "fails after 3 steps" in done.stdout and time.monotonic() - begin < 30, done.stdout
        assert word == "print_state" or "x: 2 -> 3" in done.stdout, done.stdout
        done = t.run("check", "m.c", "--compiler", "tcc", "-D", "WORDS=0", status=1)
        assert "www" in done.stdout and "wZ" not in done.stdout, done.stdout
    t.file("m.c", model().replace("->x = which;", "->x = which; for (;;) ;"))
    done = t.run("check", "m.c", "--compiler", "tcc", "--time", "0.2", status=3)
    assert "the time limit was reached after 0 states" in done.stdout, done.stdout


def check_an_endless_loop_meets_the_limit(t):
    t.file("m.c", model("if (s.x == 3) for (;;) ; " + COUNT))
    begin = time.monotonic()
    answer = t.check("m.c", "--compiler", "tcc", "--time", "1", status=3)
    assert answer["verdict"] == "inconclusive" and time.monotonic() - begin < 30, answer


def check_no_error_comes_of_a_call_that_was_ended(t):
    """A condition that never returns, neither holds nor fails: the search ends without an answer."""
    before = """static int hold(const void *state) { if (*(const uint32_t *)state == 3) for (;;) ; return 1; }
static const struct cairn_condition good[] = {{"good", hold}};"""
    for more, *options in ((".invariant = good, .n_invariants = 1",), (".ends = hold, .deadlock_is_error = 1",),
                           (".label = good, .n_labels = 1", "--invariant", "good"), (".label = good, .n_labels = 1", "--ltl", "[] good"),
                           (".label = good, .n_labels = 1", "--ltl", "[] good", "--order", "dfs"),
                           (".label = good, .n_labels = 1", "--ltl", "<> !good"), (".label = good, .n_labels = 1", "--ltl", "[] <> !good")):
        # The last state there is, so that nothing follows in which the search could look at the clock.
        t.file("m.c", model(COUNT.replace("9", "3"), before=before, more=more))
        answer = t.check("m.c", "--compiler", "tcc", "--time", "0.2", *options, status=3)
        assert answer["verdict"] == "inconclusive" and answer["limit"] == "the time limit was reached" and answer["error"] is None, (options, answer)


def check_prints_go_to_standard_error(t):
    t.file("m.c", model('printf("at %u\\n", s.x); puts("so"); ' + COUNT, before="#include <stdio.h>"))
    done = t.run("check", "m.c", "--compiler", "tcc", "--json", "-")
    assert json.loads(done.stdout)["states"]["stored"] == 10 and "at 4\nso\n" in done.stderr


def check_hidden_state_is_found(t):
    """A model that remembers something beside its state."""
    t.file("m.c", model("s.x = (s.x + ++calls) % 5; cairn_next(out, 0, &s);", before="static uint32_t calls;"))
    done = t.run("check", "m.c", "--compiler", "tcc", "--self-check", status=3)
    assert "two calls give different successors" in done.stderr, done.stderr


def check_declared_accesses_are_tested(t):
    """An action that writes more than it says."""
    actions = (".n_actions = 1, .action = (const struct cairn_action[]){{.name = \"up\", .knows = 1, .n_reads = 1, "
               ".n_writes = %d, .reads = (const uint32_t[]){0}, .writes = (const uint32_t[]){0}}}")
    t.file("right.c", model(more=actions % 1))
    t.check("right.c", "--compiler", "tcc", "--self-check")
    t.file("wrong.c", model(more=actions % 0))
    done = t.run("check", "wrong.c", "--compiler", "tcc", "--self-check", status=3)
    assert "x changes, but is not in the write set" in done.stderr, done.stderr


def check_names_of_values_and_events(t):
    t.file("m.c", model(before="""#include <stdio.h>
static void event(const void *state, uint32_t action, uint32_t choice, char *text, size_t size) {
  (void)action; snprintf(text, size, "from %u, way %u", ((const struct state *)state)->x, choice); }
static void value(const void *state, uint32_t variable, uint32_t element, char *text, size_t size) {
  (void)variable; snprintf(text, size, "<%u:%u>", element, ((const struct state *)state)->x); }
""".replace("struct state", "struct state_").replace("#include <stdio.h>", "#include <stdio.h>\nstruct state_ { uint32_t x; };"),
                        step="cairn_next(out, 0, &s); if (s.x++ < 2) cairn_next(out, 0, &s);",
                        more=".print_event = event, .print_value = value"))
    for claim in [], ["--ltl", "[] (x < 2)"]:
        done = t.run("check", "m.c", "--compiler", "tcc", *(claim or ["--invariant", "x < 2"]), status=1)
        assert "from 1, way 1" in done.stdout and "x: <0:1> -> <0:2>" in done.stdout, done.stdout


FROGS = "models/frogs.c"


def check_states_in_the_words_of_the_model(t):
    """print_state: at the beginning, after steps, at the end, in sim, pictures and JSON; bytes of no variable are not shown."""
    frogs = os.path.join(os.path.abspath(t.source), FROGS)
    done = t.run("check", "--compiler", "tcc", frogs, status=1)
    for text in ("   0  initial state\n        >>>_<<<\n", "   3  the frog on stone 1 steps\n        _>>><<<\n",
                 "nobody can move in this state:\n        _>>><<<\n"):
        assert text in done.stdout, done.stdout
    assert "byte" not in done.stdout, done.stdout
    assert "\n        >>>_<<<\n" in t.run("sim", "--compiler", "tcc", frogs, "--seed", "1", status=None).stdout
    assert '[label="0\\n>>>_<<<"' in t.run("graph", "--compiler", "tcc", frogs).stdout
    answer = t.check("--compiler", "tcc", frogs, "--no-deadlock", "--invariant", "!crossed", status=1)
    run = answer["counterexample"]
    assert answer["error"]["length"] == 15 and run["initial_state"] == ">>>_<<<\n" and run["final_state"] == "<<<_>>>\n", run
    assert run["steps"][0]["state"] == ">>_><<<\n" and run["final"] == {}, run
    # What does not change is said once; declared variables are shown as well.
    t.file("m.c", model(before="""#include <stdio.h>
static void show(const void *state, char *text, size_t size) {
  snprintf(text, size, "about %u\\n\\tof 9", *(const uint32_t *)state / 4); }""", more=".print_state = show"))
    done = t.run("check", "m.c", "--compiler", "tcc", "--invariant", "x < 6", status=1).stdout
    assert done.count("about 0\n        ?of 9\n") == 1 and done.count("about 1\n") == 1 and "x: 3 -> 4" in done and "byte" not in done, done


def check_who_is_stuck(t):
    """explain: what it tells is shown; a crash in it ends what it tells, and nothing else."""
    frogs = os.path.join(os.path.abspath(t.source), FROGS)
    stuck = t.check("--compiler", "tcc", frogs, status=1)["stuck"]
    assert [w["process"] for w in stuck] == [f"frog on stone {i}" for i in range(2, 8)], stuck
    assert [n["needs"] for n in stuck[0]["waits"]] == ["stone 3 to be free", "stone 4 to be free, and a frog of the other kind on 3"], stuck
    before = """static void explain(const void *state, struct cairn_stuck *stuck) {
  volatile int *nowhere = 0; (void)state;
  cairn_waits(stuck, "P", 7, "take", "it\\n"); cairn_is_done(stuck, "Q", 0);
  %s
  cairn_waits(stuck, "R", 0, "x", NULL); }"""
    for crash, processes in ("", ["P", "Q", "R"]), ("*nowhere = 1;", ["P", "Q"]):
        t.file("m.c", model(before=before % crash, more=".deadlock_is_error = 1, .explain = explain"))
        done = t.run("check", "m.c", "--compiler", "tcc", status=1).stdout
        assert "x = 9" in done and "P  m.c:7  take needs it\n" in done and "at a valid end" in done, done
        stuck = t.check("m.c", "--compiler", "tcc", status=1)["stuck"]
        assert [w["process"] for w in stuck] == processes and [w["valid_end"] for w in stuck] == [False, True, False][:len(stuck)], stuck
    t.file("m.c", model(before=before % "for (int i = 0; i < 99; i++) cairn_waits(stuck, \"P\", 1, \"again\", \"more\");",
                        more=".deadlock_is_error = 1, .explain = explain"))
    assert t.check("m.c", "--compiler", "tcc", status=1)["stuck"][-1]["left_out"] == 38


def check_values_of_a_failed_condition(t):
    names = ".n_labels = 1, .label = (const struct cairn_condition[]){{\"top\", top}}"
    before = "static int top(const void *s) { return *(const uint32_t *)s > 4; }"
    t.file("m.c", model(before=before, more=names, variables="CAIRN_VARIABLE(struct state, x), CAIRN_ARRAY(struct state, y)"))
    for condition, says in {"x < 5 && x != 7": "where x = 5\n", "!top || y[2] > 0": "where top = 1, y[2] = 0\n",
                            "y[0] + y[x % 4] < 1 && !top": "where y[0] = 0, y = {0, 0, 0, 0}, x = 5, top = 1\n"}.items():
        done = t.run("check", "m.c", "--compiler", "tcc", "--invariant", condition, status=1)
        assert says in done.stdout, done.stdout


def check_models_of_the_first_header(t):
    """A shared object whose structure ends where it did in number 1 is read, one of a later number is not."""
    if shutil.which("cc") is None:
        return
    text = (Path(t.source) / "include/cairn/model.h").read_text().replace("CAIRN_MODEL_ABI 2u", "CAIRN_MODEL_ABI 1u")
    (t.folder / "cairn").mkdir()
    cut = text.index("  /* ---- since number 2 ---- */")
    t.file("cairn/model.h", text[:cut] + text[text.index("};", cut):])
    t.file("m.c", model(more=".print_value = 0};\nconst unsigned char after[64] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255"))
    for number, fine in ("1u", True), ("2u + 1", False), ("0", False):
        t.file("n.c", (t.folder / "m.c").read_text().replace("CAIRN_MODEL_ABI", number))
        subprocess.run(["cc", "-shared", "-fPIC", "-I", ".", "-o", "n.so", "n.c"], cwd=t.folder, check=True)
        if fine:
            assert t.check("n.so", "--invariant", "x < 5", status=1)["counterexample"]["final_state"] is None
        else:
            t.error("check", "n.so", says="of another version")


def check_formulas_and_labels(t):
    label = ".n_labels = 1, .label = (const struct cairn_condition[]){{\"top\", top}}"
    before = "static int top(const void *s) { return *(const uint32_t *)s == 9; }"
    t.file("m.c", model(before=before, more=label))
    assert t.check("m.c", "--compiler", "tcc", "--ltl", "<> top")["verdict"] == "verified"
    assert t.check("m.c", "--compiler", "tcc", "--ltl", "[] !top", status=1)["error"]["kind"]
    t.error("check", "m.c", "--compiler", "tcc", "--ltl", "<> topp", says="topp")
    t.error("check", "m.c", "--compiler", "tcc", "--invariant", "x < 3", "--invariant", "x <", says="x <")


def check_trails(t):
    t.file("m.c", model())
    t.run("check", "m.c", "--compiler", "tcc", "--invariant", "x != 7", status=1)
    done = t.run("trail", "m.c", "m.trail", "--compiler", "tcc", status=None)
    assert "x: 6 -> 7" in done.stdout, done.stdout + done.stderr


def check_deadlocks_and_ends(t):
    t.file("m.c", model(more=".deadlock_is_error = 1"))
    assert t.check("m.c", "--compiler", "tcc", status=1)["error"]["kind"] == "deadlock"
    t.file("m.c", model(before="static int ends(const void *s) { return *(const uint32_t *)s == 9; }",
                        more=".deadlock_is_error = 1, .ends = ends"))
    assert t.check("m.c", "--compiler", "tcc")["verdict"] == "verified"


def check_many_initial_states(t):
    t.file("m.c", model(more=".n_initial = 12"))
    assert t.check("m.c", "--compiler", "tcc")["states"]["stored"] == 12


if __name__ == "__main__":
    sys.exit(main(globals()))
