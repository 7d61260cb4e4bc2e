#!/usr/bin/env python3
"""Every option of a model with every language: it has an effect, or it is refused, or a warning says that it has none.

    languages.py --cairn PROGRAM [--verbose]

As engines.py, which goes through the engines with models of one language. Here options of `check`, and those of their
values of which one language may have a use and another not (CASES), are given with a model of each language where they should show.
What the program says and writes must then differ, times and memory apart; an option that is taken and ignored fails. So does one without
a case that is not about the search alone (SEARCHES), which knows no languages. The last cases are of other commands.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from engines import ask, options_of_check  # noqa: E402

DVE = """byte x;
channel c[1];
process P { byte old = 3; state a, b, end; init a;
  trans a -> b { guard x < 5; effect x = x + 1, old = x; }, b -> a { guard old < 9; effect old = 0; }, b -> a { effect x = x * 100; }; }
process Q { byte y, z; state a, b, c; init a;
  trans a -> b { effect y = 1; }, b -> c { guard y == 1; effect z = y; }, c -> c { guard y < 100; effect y = y + 1; }; }
system async;
"""
PROMELA = """
#ifndef MOST
#define MOST 2
#endif
byte x;
chan q = [MOST] of { byte };
active proctype P() { byte old = 3, i; if :: old = 1; x = old :: old = 2; x = old fi; old = 0; i = 1; i = 2; x = 200 + i; x = x + 100; x = 5 }
active proctype Q() { byte my_v; select(my_v : 0 .. 3); do :: my_v < 9 -> my_v++ :: my_v == 9 -> break od }
active proctype S() { byte i; for (i : 1 .. MOST + 1) { q!i } }
"""
NET = """<?xml version="1.0" encoding="UTF-8"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <net id="net" type="http://www.pnml.org/version-2009/grammar/ptnet">
    <page id="page">
      <place id="x"><initialMarking><text>2</text></initialMarking></place><place id="y"/>
      <place id="p"><initialMarking><text>1</text></initialMarking></place><place id="heap"/>
      <transition id="t"/><transition id="u"/><transition id="add"/>
      <arc id="a1" source="x" target="t"/><arc id="a2" source="t" target="y"/>
      <arc id="a3" source="y" target="u"/><arc id="a4" source="u" target="x"/>
      <arc id="a5" source="p" target="add"/><arc id="a6" source="add" target="p"/><arc id="a7" source="add" target="heap"/>
    </page>
  </net>
</pnml>
"""
STUCK = {"dve": "process P { state a, b; init a; trans a -> b { }; }\nsystem async;\n",
         "pml": "byte x; active proctype P() { x = 1; x == 2 }\n",
         "pnml": NET.replace('target="p"/>', 'target="y"/>').replace('<arc id="a3" source="y" target="u"/>',
                                                                    '<arc id="a3" source="y" target="u"><inscription><text>5</text></inscription></arc>')}
C = """#include <cairn/model.h>
#include <string.h>
#ifndef MOST
#define MOST 2
#endif
struct state { uint8_t x, y; };
static void successors(const void *state, struct cairn_out *out) {
  struct state s;
  memcpy(&s, state, sizeof s);
  s.x = s.x < MOST ? s.x + 1 : 0;
  cairn_next(out, 0, &s);
  memcpy(&s, state, sizeof s);
  if (s.y < 3) { s.y++; cairn_next(out, 1, &s); }
}
static void initial(uint32_t which, void *state) { (void)which; (void)state; }
static const struct cairn_variable variables[] = {CAIRN_VARIABLE(struct state, x), CAIRN_VARIABLE(struct state, y)};
const struct cairn_model cairn_model = {.abi = CAIRN_MODEL_ABI, .state_bytes = sizeof(struct state),
  .initial = initial, .successors = successors, .variable = variables, .n_variables = 2, .n_actions = 2};
"""
C_STUCK = C.replace("s.x < MOST ? s.x + 1 : 0;", "s.x + 1;").replace("cairn_next(out, 0", "if (s.x <= MOST) cairn_next(out, 0")
STUCK["c"] = C_STUCK.replace(".abi", ".deadlock_is_error = 1, .abi")
OTHERS_THAN_C = {"dve": DVE, "pml": PROMELA, "pnml": NET}  # which compiler made a model in C no figure says
MODELS = {**OTHERS_THAN_C, "c": C}
ENDS = {**MODELS, "pml": "chan q = [1] of { byte }; active proctype P() { q!1 }\n"}
CLAIMS = {"dve": DVE.replace("system async;", "process L { state s; init s; accept s; trans s -> s { }; }\nsystem async property L;"),
          "pml": PROMELA + "ltl p { <> (x == 9) }\n"}
SAFETY, LESS, RUNS = ["--property", "safety"], ["--max-states", "1000"], ["--ltl", "[] <> (x == 1)"]
SWEEP = ["--forget", "sweep-line", "--progress", "x"]

# An option with its value, what beside it, and the models.
CASES = [
    (["--reduce", "por"], SAFETY, MODELS), (["--reduce", "merge"], SAFETY, MODELS), (["--reduce", "dead"], SAFETY, MODELS),
    (["--reduce", "edge-lean"], SAFETY, MODELS),
    (["--invariant", "x < 2"], SAFETY, MODELS), (["--define", "MOST=3"], [], MODELS), (["--send-full", "lose"], [], MODELS),
    (["--end-queues", "empty"], [], ENDS), (["--claim", "none"], [], CLAIMS), (["--claim", "unknown"], [], MODELS),
    (["--ltl", "<> (x == 1)"], [], MODELS), (["--property", "deadlock"], [], {**CLAIMS, "pnml": STUCK["pnml"], "c": C_STUCK}),
    (["--property", "safety"], [], CLAIMS), (["--property", "one-safe"], [], MODELS), (["--property", "2-bounded"], [], MODELS), (["--property", "acceptance"], [], MODELS),
    (["--property", "progress"], [], MODELS), (["--no-deadlock"], [], STUCK), (["--spin"], [], MODELS), (["--allow-c"], [], MODELS),
    (["--compiler", "cc"], [], OTHERS_THAN_C), (["--warn", "truncation"], SAFETY, MODELS), (["--warn", "no-spin"], [], MODELS),
    (["--warn", "spin"], [], {"dve": DVE, "pnml": NET, "c": C}), (["--fairness", "weak"], RUNS, MODELS), (["--cycles", "scc"], RUNS, MODELS),
    (["--check", "merge"], SAFETY, MODELS), (["--check", "dead"], SAFETY, MODELS), (["--check", "independence"], SAFETY, MODELS),
    (["--queries", "OneSafe"], [], MODELS), (["--token-bits", "16"], LESS, MODELS), (SWEEP, SAFETY + LESS, MODELS),
    (["--order", "best:x"], SAFETY + LESS, MODELS),
]
SEARCHES = """--order --action-order --store --forget --max-visits --allow-lossy --move-after --runs --keep-going --memory --time --checkpoint --resume
--max-states --max-depth --trail --json --force --no-parents --seed --quiet --stats --diagnostics --color --help --progress --self-check""".split()
OTHERS = [(command, words) for command in ("sim", "graph", "info")
          for words in (["--define", "MOST=3"], ["--send-full", "lose"], ["--end-queues", "empty"], ["--spin"], ["--token-bits", "16"],
                        ["--compiler", "tcc"], ["--warn", "no-spin"], ["--warn", "truncation"])]
# With which of them a language can do something.
USES = {"dve": ["--compiler"], "pml": ["--define", "--send-full", "--end-queues", "--spin", "--compiler", "--warn no-spin"],
        "pnml": ["--token-bits"], "c": ["--define", "--compiler"]}


def try_one(cairn, words, beside, model, language):
    """(what it is: an effect, refused, …; whether that is right)."""
    name = "m." + language
    status, says, before = ask(cairn, beside, model, name)
    if status == 2:
        return "the case is refused: " + says.strip(), False
    status, says, after = ask(cairn, beside + words, model, name)
    if status == 2:
        return "refused: " + says.strip(), "error: " in says
    return ("an effect", True) if after != before else ("no effect", False)


def try_other(cairn, command, words, language):
    """The same of another command; what has a use is only not to be refused."""
    model = {**STUCK, "pml": PROMELA}[language]
    status, says, _ = ask(cairn, words, model, "m." + language, command)
    known = any(" ".join(words).startswith(use) for use in USES[language]) and not (command == "info" and "--compiler" in words)
    said = "no effect" in says
    return ("said to have no effect" if said else "taken", said != known and status in ((0, 1, 3) if known else (0, 1, 2, 3)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", required=True)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    cairn = os.path.abspath(args.cairn)
    tried = {words[0] for words, _, _ in CASES}
    done = [("check", option, "any language", "there is no case", False) for option in options_of_check(cairn)
            if option.startswith("--") and option not in tried and option not in SEARCHES]
    done += [("check", " ".join(words), language, *try_one(cairn, words, beside, model, language))
             for words, beside, models in CASES for language, model in models.items()]
    done += [(command, " ".join(words), language, *try_other(cairn, command, words, language))
             for command, words in OTHERS for language in USES]
    for command, words, language, what, fine in done:
        if not fine or args.verbose:
            print("%s%s %s with %s: %s" % ("" if fine else "FAIL ", command, words, language, what), flush=True)
    failed = sum(not fine for *_, fine in done)
    print("%d passed, %d failed" % (len(done) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
