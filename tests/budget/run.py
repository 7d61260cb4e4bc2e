#!/usr/bin/env python3
"""Is a memory budget kept, whatever it is that grows?

Searches models far larger than the budget, with every store and order, and looks at what
the process and the compilers that it starts have resident: at most 1.05 times the
budget and 32 MiB, at every moment; without the compilers, 1.05 times the budget, from the least that is accepted on; and
where states move to a store that takes less, no more than the budget: what is given back must be gone. Every run must end with the honest verdict (inconclusive,
exit status 3, partial, all figures there); where a store that may miss states has seen all that
it lets through, probable; a run without a part of its own may end by time as well. Some runs are made so
that one part is what hits the limit, and it is looked at whether it was: the store, the stack,
the queue, the parents, the compiled code, the compiler's process. The same under `ulimit -v`, and in a
control group with a limit: made by systemd-run, or below a delegated folder named by
CAIRN_CGROUP; without either that part is skipped, and says so.

    run.py --cairn PROGRAM [--quick] [NAME...]
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

MIB = 1 << 20
FIGURES = ["events", "deadlocks", "depth", "states", "memory", "seconds", "expected_wrong_matches"]


def counters(n, extra=0):
    """n bytes that count independently, and an array that only makes states longer."""
    text = "byte pad[%d];\n" % extra if extra else ""
    for i in range(n):
        text += ("process P%d { byte x; state a; init a;\n  trans a -> a { guard x < 255; effect x = x + 1%s; }; }\n"
                 % (i, ", pad[x %% %d] = x" % extra if extra else ""))
    return text + "system async;\n"


# A long and thin space: no queue worth mentioning in breadth-first order, and a deep stack. It is
# not a chain, for that would end at the first state missed.
CHAIN = "int x;\nint y;\nbyte b[6];\nprocess P { state a; init a;\n" \
        "  trans a -> a { guard x < 30000; effect x = x + 1; },\n" \
        "        a -> a { guard x == 30000 and y < 30000; effect x = 0, y = y + 1; },\n" \
        + ",\n".join("        a -> a { effect b[%d] = 1 - b[%d]; }" % (i, i) for i in range(6)) \
        + "; }\nsystem async;\n"


def large(n):
    """Much text to compile, and few states."""
    lines = ",\n".join("  a -> a { guard x == %d and y %% %d != 3; effect x = (x * %d + y) %% 251, y = y + 1; }"
                       % (i % 251, i % 17 + 2, i % 13 + 1) for i in range(n))
    return "byte x;\nbyte y;\nprocess P { state a; init a; trans\n%s; }\nsystem async;\n" % lines


MODELS = {"counters": counters(7), "long": counters(5, 200), "wide": counters(24), "chain": CHAIN, "large": large(6000)}

# name, model, MiB, options, the part that hits the limit (a key of the JSON's "memory"), or "close": 1.05 times the
# budget without anything on top, or "no more": not even that; quick
CASES = []
for store in ["auto", "full", "tree", "collapse", "automaton", "compact"]:
    for order in ["bfs", "dfs"]:
        for mib in [6, 7, 8, 12, 24, 40, 120]:
            CASES.append(("close-%s-%s-%d" % (store, order, mib), "long", mib, ["--store", store, "--order", order], "close",
                          mib < 8))
for store in ["auto", "full", "tree", "collapse", "automaton", "compact", "compact:24", "bitstate:3", "bitline:3"]:
    for order in ["bfs", "dfs"]:
        for model in ["counters", "long", "wide"]:
            CASES.append(("%s-%s-%s" % (store, order, model), model, 64, ["--store", store, "--order", order], None,
                          store == "full" and model == "long"))
for order in ["bfs", "dfs"]:
    CASES.append(("lossy-%s" % order, "counters", 48, ["--allow-lossy", "--order", order], None, False))
    CASES.append(("auto-200M-%s" % order, "counters", 200, ["--order", order], None, False))
    CASES.append(("full-200M-%s" % order, "long", 200, ["--store", "full", "--order", order], None, False))
CASES += [
    ("store-hits", "counters", 40, ["--store", "full"], "store", True),
    ("auto-small", "long", 14, [], "no more", True),
    ("auto-small-dfs", "long", 14, ["--order", "dfs"], "no more", True),
    ("stack-hits", "chain", 40, ["--store", "bitstate:3,8M", "--order", "dfs"], "open", True),
    ("queue-hits", "long", 40, ["--store", "bitstate:3,8M", "--order", "bfs"], "open", True),
    ("handles-hit", "wide", 40, ["--store", "tree", "--order", "bfs"], "open", False),
    ("parents-hit", "chain", 28, ["--store", "bitstate:2,8M", "--order", "bfs"], "parents", False),
    ("code-hits", "large", 9, ["--compiler", "tcc"], "compiler", True),
    ("compiler-hits", "large", 48, ["--compiler", "cc"], "compiler", True),
    ("compiler-beside", "counters", 96, ["--compiler", "auto"], None, False),
]


def resident(pid):
    """Bytes that a process and its descendants have resident, of their own."""
    total, todo = 0, [pid]
    while todo:
        one = todo.pop()
        try:
            with open("/proc/%d/statm" % one) as f:
                fields = f.read().split()
            total += (int(fields[1]) - (int(fields[2]) if one != pid else 0)) * resource.getpagesize()
            for task in os.listdir("/proc/%d/task" % one):
                with open("/proc/%d/task/%s/children" % (one, task)) as f:
                    todo += [int(word) for word in f.read().split()]
        except (OSError, IndexError):
            pass
    return total


def run(words, limit=None):
    """The JSON, the exit status, the peak over the whole tree, and what was said."""
    # Meson has the C library fill what is allocated and freed, which takes memory that no user's process takes.
    os.environ.pop("MALLOC_PERTURB_", None)
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        set_limit = (lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))) if limit else None
        p = subprocess.Popen(words, stdout=out, stderr=err, preexec_fn=set_limit)
        peak = 0
        while p.poll() is None:
            peak = max(peak, resident(p.pid))
            time.sleep(0.005)
        out.seek(0), err.seek(0)
        text = out.read()
        return json.loads(text) if text else None, p.returncode, peak, err.read().strip()


def complaints(answer, status, peak, said, mib, part):
    if answer is None:
        return ["no JSON; exit status %s; %s" % (status, said)]
    wrong = []
    most = mib * MIB if part == "no more" else 1.05 * mib * MIB + (0 if part == "close" else 32 * MIB)
    part = None if part in ("no more", "close") else part
    if peak > most:
        wrong.append("%.1f MiB resident, at most %.1f are allowed" % (peak / MIB, most / MIB))
    if part == "compiler":
        if status != 3 or answer["verdict"] != "inconclusive" or "budget" not in (answer["reason"] or ""):
            wrong.append("the compiler did not hit the limit: status %d, %s, %s" % (status, answer["verdict"],
                                                                                  answer["reason"]))
        return wrong
    limit = answer["limit"] or ""
    if part and "memory" not in limit:
        wrong.append("not memory, but: " + (limit or "no limit, the model is too small"))
    worth = "partial" if limit else "probable"
    if (status, answer["verdict"], answer["guarantee"]) != (3, "inconclusive", worth):
        wrong.append("status %d, %s, %s" % (status, answer["verdict"], answer["guarantee"]))
    wrong += ["no figure: " + key for key in FIGURES if answer.get(key) is None]
    shares = {key: answer["memory"][key] or 0 for key in ["store", "open", "parents"]}
    if part and max(shares, key=shares.get) != part:
        wrong.append("%s should hit the limit, but %s" % (part, shares))
    return wrong


def control_group():
    """A function that wraps a command line so that it runs in a group with a limit, or why not."""
    folder = os.environ.get("CAIRN_CGROUP")
    if folder:
        def wrap(words, mib):
            group = os.path.join(folder, "cairn-budget-%d" % os.getpid())
            os.makedirs(group, exist_ok=True)
            name = "memory.max" if os.path.exists(os.path.join(group, "memory.max")) else "memory.limit_in_bytes"
            with open(os.path.join(group, name), "w") as f:
                f.write(str(mib * MIB))
            return ["sh", "-c", 'echo $$ > "$0"/cgroup.procs && exec "$@"', group, *words]
        return wrap, None
    probe = ["systemd-run", "--user", "--scope", "--quiet", "-p", "MemoryMax=64M", "true"]
    if shutil.which("systemd-run") is None or subprocess.run(probe, capture_output=True).returncode != 0:
        return None, "no control group can be made here: systemd-run does not work, and CAIRN_CGROUP is not set"
    return lambda words, mib: ["systemd-run", "--user", "--scope", "--quiet", "-p", "MemoryMax=%dM" % mib, *words], None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    known = subprocess.run([args.cairn, "check", "--store", "no-such", "m"], capture_output=True, text=True).stderr
    known += subprocess.run([args.cairn, "check", "--help"], capture_output=True, text=True).stdout
    failed = ran = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in MODELS.items():
            with open(os.path.join(folder, name + ".dve"), "w") as f:
                f.write(text)

        def one(name, words, mib, part, limit=None):
            nonlocal failed, ran
            began = time.time()
            answer, status, peak, said = run(words, limit)
            peak = max(peak, answer["memory"]["peak_resident"]) if answer else peak
            wrong = complaints(answer, status, peak, said, mib, part)
            ran += 1
            failed += bool(wrong)
            stored = answer["states"]["stored"] if answer and answer.get("states") else None
            print("%-4s %-26s %4d MiB: peak %6.1f MiB, %s states, %.1f s%s"
                  % ("FAIL" if wrong else "ok", name, mib, peak / MIB, stored, time.time() - began,
                     "".join("\n     " + w for w in wrong)), flush=True)

        def command(model, options, mib):
            compiler = [] if "--compiler" in options else ["--compiler", "tcc"]
            return [args.cairn, "check", "--json", "-", "--trail", os.devnull, "--no-deadlock",
                    *(["--memory", "%dM" % mib] if mib else []), *compiler, *options, os.path.join(folder, model + ".dve")]

        for name, model, mib, options, part, quick in CASES:
            if (args.names and name not in args.names) or (args.quick and not quick):
                continue
            if "automaton" in options and "automaton" not in known:
                continue
            one(name, command(model, options if part else [*options, "--time", "100"], mib), mib, part)
        if not args.names or "ulimit" in args.names:
            for order in ["bfs", "dfs"]:
                store = ["--store", "full"] if args.quick else []
                one("ulimit-%s" % order, command("long", [*store, "--order", order], 0), 128, None, 128 * MIB)
        if not args.names or "cgroup" in args.names:
            wrap, why = control_group()
            if wrap is None:
                print("SKIP control group: " + why)
            else:
                one("cgroup", wrap(command("long", [], 0), 96), 96, None)
    print("%d runs, %d failed" % (ran, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
