#!/usr/bin/env python3
"""Small random Promela models with random formulas and never claims: Spin beside Cairn.

    random_claims.py [--cairn PROGRAM] [--count N] [--first SEED] [--jobs N] [--fair] [--timeout] [--keep FOLDER]

Each model gets a formula, a never claim, or a never claim with variables of its own, all made at random over its global variables. Compared are whether there is an error
of the claim's search (a cycle, a claim that ends, an assertion), for each engine of cycles, and, for never claims without errors,
the stored states: where a run ends and its claim goes on, Spin stores every second state only, so it may have fewer. With --fair only runs count
that are weakly fair: `pan -a -f` beside --fairness weak, for models without what Spin's fairness does not see as it is (FAIR_NOT).
It finds no cycle in the last state of a run that ends either: where only Cairn has an error both are asked again, with a process
beside the others that moves permanently. An assertion of the model that Spin comes to first does not count as an error of the claim, if
Cairn has it as a property of states: a claim that nothing breaks has no search.
With --timeout claims are never claims that ask for timeout. Each of their states can always be left, in a single statement, without an assertion
or an end, and a process asks for timeout as well: else Spin does not mean what it says (docs/promela.md).
Models that ask for _nr_pr are left out, as Spin counts the claim; an error of Spin's without a cycle in its trail does not count
(it may take a state for one of its stack's that has left it, where a run has ended), nor does a search of it that went as deep as it may
(it does not end where the claim goes round in an atomic sequence and the run has ended).
Models with model errors, those that Spin refuses, and those it cannot search in a few seconds do not
count. Skipped, visibly, where there is no spin, or neither tcc nor gcc.
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import random_model  # noqa: E402
import random_spin  # noqa: E402
from random_spin import MISUSE, mend_priorities, run  # noqa: E402

ENGINES = ["ndfs", "scc", "owcty"]
DEEPEST = 200000
# Handshakes (Spin takes a sender that waits for one that is enabled), and what is enabled by others only.
FAIR_NOT = r"\[0\] of|timeout|provided|priority"
# One step would be refused, as a loop without end.
IDLE = "active proctype Idle() { bit i; do :: i = 1; i = 0 od }\n"


def atom(r):
    return r.choice(["(g0 == %d)" % r.randrange(3), "(g1 > %d)" % r.randrange(2), "(g0 > g1)", "(arr[%d] == %d)" % (
        r.randrange(3), r.randrange(2)), "(g0 != g1 && arr[0] == 0)"])


def formula(r, depth):
    if depth == 0 or r.random() < 0.2:
        return r.choice(["", "!"]) + atom(r)
    op = r.choice(["[]", "<>", "[] <>", "<> []", "U", "W", "V", "&&", "||", "->", "!"])
    if op in ("U", "W", "V", "&&", "||", "->"):
        return "(%s %s %s)" % (formula(r, depth - 1), op, formula(r, depth - 1))
    return "(%s (%s))" % (op, formula(r, depth - 1))


def never(r):
    """Some states; each has a choice of ways on, and some accept."""
    n = r.randrange(2, 5)
    names = [("accept_%d" if r.random() < 0.4 else "S%d") % i for i in range(n)]
    out = ["never {"]
    for name in names:
        out.append("%s:" % name)
        out.append("  if")
        for _ in range(r.randrange(1, 4)):
            guard = r.choice([atom(r), atom(r), "true", "!" + atom(r)])
            step = "goto " + r.choice(names)
            out.append(r.choice(["  :: %s -> %s", "  :: %s -> %s", "  :: atomic { %s -> assert(%s); %s }"]).replace(
                "assert(%s)", "assert(%s)" % (atom(r) + " || " + atom(r))) % (guard, step))
        if r.random() < 0.4:
            out.append("  :: else -> goto " + r.choice(names))
        if r.random() < 0.1:
            out.append("  :: %s -> goto out" % atom(r))
        out.append("  fi;")
    return "\n".join(out) + "\nout: skip\n}\n"


def never_timeout(r):
    """States that ask for timeout, and can always be left; a process that waits for it."""
    n = r.randrange(2, 5)
    names = [("accept_%d" if r.random() < 0.4 else "S%d") % i for i in range(n)]
    out = ["active proctype Waits() { end: do :: timeout -> %s od }" % r.choice(["g0 = 1 - g0", "g1 = 0", "skip", "break"]), "never {"]
    for name in names:
        out.append("%s:" % name)
        out.append("  if")
        for _ in range(r.randrange(1, 4)):
            guard = r.choice(["timeout", "!timeout", "timeout && " + atom(r), "!timeout && " + atom(r), "(timeout || %s)" % atom(r), atom(r)])
            out.append("  :: %s -> goto %s" % (guard, r.choice(names)))
        out.append("  :: %s -> goto %s" % (r.choice(["true", "else"]), r.choice(names)))
        out.append("  fi;")
    return "\n".join(out) + "\n}\n"


def own_statement(r):
    """What a claim does to its variables, which stay small."""
    return r.choice(["k = (k + 1) % 3", "k++; if :: k > 2 -> k = 0 :: else fi", "m[k % 2] = g1 & 1", "m[0] = !m[1]", "b = !b",
                     "for (j : 0 .. 1) { m[j] = j }", "d_step { k = k + 2; k = k % 3 }", "skip"])


def own_atom(r):
    return r.choice([atom(r), "(k == %d)" % r.randrange(3), "(m[%d] == g0)" % r.randrange(2), "(b && k > 0)", "(b)", "(k < g1)"])


def own_step(r, names):
    to = "goto " + r.choice(names)
    guard = r.choice([own_atom(r), own_atom(r), "true", "!" + own_atom(r)])
    form = r.randrange(6)
    if form == 0:
        return "%s -> %s" % (guard, to)
    if form == 1:
        return "%s -> %s; %s" % (guard, own_statement(r), to)
    if form == 2:
        return "d_step { %s -> k = (k + 1) %% 3; b = (k == g0) }; %s" % (guard, to)
    if form == 3:
        return "atomic { %s -> if :: b -> k = 0 :: %s -> k = 1 :: else -> b = 1 fi; %s }" % (guard, own_atom(r), to)
    if form == 4:
        return "atomic { %s -> assert(%s || %s); %s; %s }" % (guard, own_atom(r), own_atom(r), own_statement(r), to)
    return "atomic { %s -> %s; %s; %s }" % (guard, own_statement(r), own_statement(r), to)


def never_own(r):
    """The same with variables: a counter, an array, a bit."""
    n = r.randrange(2, 4)
    names = [("accept_%d" if r.random() < 0.4 else "S%d") % i for i in range(n)]
    out = ["never {", "  byte k = %d, j; bit m[2]; bool b = %d;" % (r.randrange(3), r.randrange(2))]
    for name in names:
        out.append("%s:" % name)
        out.append("  if")
        for _ in range(r.randrange(1, 4)):
            out.append("  :: " + own_step(r, names))
        if r.random() < 0.5:
            out.append("  :: else -> goto " + r.choice(names))
        if r.random() < 0.1:
            out.append("  :: %s -> goto out" % own_atom(r))
        out.append("  fi;")
    return "\n".join(out) + "\nout: skip\n}\n"


def ask_spin(folder, everything, fair):
    """(stored states, errors), or None with the reason."""
    p = run(["spin", "-a", "-o1", "-o2", "-o3", "m.pml"], folder, 20)
    if not os.path.exists(os.path.join(folder, "pan.c")):
        return None, "spin refuses: " + p.stdout[:300]
    mend_priorities(folder)
    compiler = ["tcc"] if shutil.which("tcc") else ["gcc", "-O0"]
    p = run([*compiler, "-w", "-DNOREDUCE", *([] if fair else ["-DNOFAIR"]), "-DVECTORSZ=8192", "-o", "pan", "pan.c"], folder, 120)
    if p.returncode != 0:
        return None, "the compiler refuses"
    p = run(["./pan", "-a", *(["-f"] if fair else []), "-n", "-m%d" % DEEPEST, "-w18", *(["-c0"] if everything else [])], folder, 2)
    out = p.stdout
    with open(os.path.join(folder, "said"), "w", encoding="ascii", errors="replace") as f:
        f.write(out)
    depth = re.search(r"depth reached (\d+)", out)
    if depth and int(depth[1]) >= DEEPEST - 1:
        return None, "pan: as deep as it may go"
    m = re.search(r"(\d+) states, stored", out)
    errors = re.search(r"errors: (\d+)", out)
    wrong = re.search(r"max search depth too small|VECTORSZ is too small|Uerror|aborted|too many processes|too many queues|bad queue|"
                      "block in d_step|blocking sel", out + p.stderr)
    if m is None or errors is None or wrong:
        return None, "pan: " + (wrong.group(0) if wrong else (out + p.stderr).strip()[:200])
    if any(re.search(text, out) for text in MISUSE.values()):
        return None, "a model error"
    return (int(m[1]), int(errors[1])), ""


def has_cycle(folder):
    """Whether what Spin found is a cycle that it can show; what is no cycle (an assertion, a claim's end) counts as well."""
    with open(os.path.join(folder, "said"), encoding="ascii", errors="replace") as f:
        if "acceptance cycle" not in f.read():
            return True
    with open(os.path.join(folder, "m.pml.trail"), encoding="ascii") as f:
        return any(line.startswith("-1:") for line in f)


def ask_cairn(cairn, folder, engine, claim, fair):
    p = run([cairn, "check", "m.pml", "--spin", "--warn", "no-spin", *(["--claim", claim] if claim else []), "--cycles", engine,
             "--trail", os.devnull,
             *(["--fairness", "weak"] if fair else []), "--json", "-"], folder, 300)
    if p.returncode not in (0, 1) or "{" not in p.stdout:
        return None, "cairn: exit status %d: %s%s" % (p.returncode, p.stderr.strip()[:400], p.stdout[:200])
    j = json.loads(p.stdout[p.stdout.index("{"):])
    wrong = random_spin.contradictions(j, p.returncode)
    if wrong:
        return None, "cairn: " + "; ".join(wrong)
    return (j["states"]["stored"], j["errors"], (j.get("error") or {}).get("kind")), ""


def failed_assertion(folder):
    with open(os.path.join(folder, "said"), encoding="ascii", errors="replace") as f:
        return "assertion violated" in f.read()


def with_idle(text):
    """The model with one more process, which moves permanently: no run ends."""
    first = re.search(r"^(active|init)\b", text, re.MULTILINE).start()
    return text[:first] + IDLE + text[first:]


def compare_idle(args, folder, claim):
    path = os.path.join(folder, "m.pml")
    with open(path, encoding="ascii") as f:
        text = f.read()
    with open(path, "w", encoding="ascii") as f:
        f.write(with_idle(text))
    for name in ("pan", "pan.c"):
        os.remove(os.path.join(folder, name))
    return compare_all(args, folder, claim, idle=True)


def compare_all(args, folder, claim, idle=False):
    want, why = ask_spin(folder, False, args.fair)
    if want is None:
        return "skipped", why
    for engine in ["scc"] if args.fair else ENGINES:
        got, why = ask_cairn(args.cairn, folder, engine, claim, args.fair)
        if got is None:
            return "differs", why
        if got[2] == "model-error":
            return "skipped", "a model error"
        if args.fair and got[1] > 0 and want[1] == 0 and not idle:
            return compare_idle(args, folder, claim)
        if got[1] == 0 and want[1] > 0 and not has_cycle(folder):
            return "skipped", "no cycle in Spin's trail"
        if got[1] == 0 and want[1] > 0 and failed_assertion(folder):
            states, why = ask_cairn(args.cairn, folder, engine, None, args.fair)
            if states is not None and states[2] == "assertion":
                return "skipped", "an assertion of the model"
        if (got[1] > 0) != (want[1] > 0):
            return "differs", "%s: %s, but Spin %s" % (engine, got, want)
        if claim == "never_0" and not args.fair and want[1] == 0 and got[0] < want[0]:
            return "differs", "%s: %d states, not %d" % (engine, got[0], want[0])
    return "same", ""


def compare(args, seed):
    """(seed, verdict, sentence)"""
    r = random.Random(seed)
    claim = "never_0" if args.timeout else r.choice(["f", "never_0"])
    text = random_model.Model(seed).text()
    make = never_timeout if args.timeout else r.choice([never, never_own])
    text += "\n" + (make(r) if claim == "never_0" else "ltl f { %s }\n" % formula(r, 3))
    if "_nr_pr" in text:
        return seed, "skipped", "the number of processes"
    if args.fair and re.search(FAIR_NOT, text):
        return seed, "skipped", "fairness"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.pml")
        with open(path, "w", encoding="ascii") as f:
            f.write(text)
        try:
            answer = compare_all(args, folder, claim)
        except random_spin.subprocess.TimeoutExpired:
            answer = "skipped", "no end"
        if answer[0] == "differs" and args.keep:
            os.makedirs(args.keep, exist_ok=True)
            shutil.copy(path, os.path.join(args.keep, "%d.pml" % seed))
    return (seed, *answer)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--fair", action="store_true")
    parser.add_argument("--timeout", action="store_true")
    parser.add_argument("--keep")
    args = parser.parse_args()
    if not shutil.which("spin") or not (shutil.which("tcc") or shutil.which("gcc")):
        print("SKIPPED: there is no spin, or no C compiler for what it makes")
        return 77
    args.cairn = os.path.abspath(args.cairn)
    count = {"same": 0, "differs": 0, "skipped": 0}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for seed, verdict, sentence in pool.map(lambda s: compare(args, s), range(args.first, args.first + args.count)):
            count[verdict] += 1
            if verdict == "differs":
                print("FAIL seed %d: %s" % (seed, sentence))
    print("%(same)d same, %(differs)d differ, %(skipped)d not comparable" % count)
    return 1 if count["differs"] or not count["same"] else 0


if __name__ == "__main__":
    sys.exit(main())
