#!/usr/bin/env python3
"""The command line, end to end: figures are what they say, and defaults are those that are documented.

    figures.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import itertools
import re
import signal
import subprocess
import sys
import time

from harness import DIVIDES, ENDLESS, LOCKS, ROUND, main, on_terminal

# Three counters: 13 * 11 * 7 states, cycles, and many ways to each.


def counting(modulo):
    return "".join(f"byte n{i};\nprocess P{i} {{ state a; init a; trans a -> a {{ effect n{i} = (n{i} + 1) % {m}; }}; }}\n"
                   for i, m in enumerate(modulo)) + "system async;\n"


def counters(n, modulo):
    return counting([modulo] * n)


GRID = counting([13, 11, 7])
STATES = 13 * 11 * 7

# A chain of 50 states that ends in a deadlock.
CHAIN = "byte x;\nprocess P { state a; init a; trans a -> a { guard x < 50; effect x = x + 1; }; }\nsystem async;\n"


# ---- figures ------------------------------------------------------------------------------


def check_shares_are_parts(t):
    t.file("m.dve", GRID)
    for order, strategy, size in itertools.product(["bfs", "dfs", "alt:2,2", "bbfs:4", "random"],
                                                   ["age", "share/4+random", "in-degree+random"], [100, 300, 700]):
        for limit in [["--max-visits", "700"], ["--max-visits", "3000"], ["--max-depth", "9"], ["--max-states", "90"]]:
            answer = t.check("--order", order, "--forget", f"cache:{strategy},size={size}", *limit, "m.dve", status=None)
            states = answer["states"]
            assert states["stored_share"] is None or states["stored_share"] <= 1, (order, strategy, size, limit, states)
            assert max(states["stored"], states["peak_stored"]) <= states["reached"] <= states["stored"] + states["forgotten"]
            assert states["open"] <= states["stored"] and states["revisited"] <= states["visited"], states
            if answer["guarantee"] == "exact":
                assert abs(states["reached"] - STATES) < 0.05 * STATES and states["open"] == 0, states
            else:
                assert answer["reason"], answer
        said = t.run("check", "--order", order, "--forget", f"cache:{strategy},size={size}", "--max-visits", "1500", "m.dve",
                     status=None).stdout
        share = re.search(r"at most ([0-9.]+) % stored", said)
        assert float(share[1]) <= 100, said


def check_an_estimate_is_not_called_exact(t):
    t.file("m.dve", GRID)
    said = t.run("check", "-q", "--order", "alt:4,4", "--forget", "cache,size=800", "--max-visits", "0", "m.dve").stdout
    assert re.fullmatch(r"verified: no error in any state \(exact\), about [0-9,]+ states\n", said), said
    assert t.run("check", "-q", "m.dve").stdout == "verified: no error in 1,001 states (exact)\n"


def check_states_when_cut_short(t):
    """No fewer than are stored."""
    t.file("m.dve", GRID)
    for order in ["dfs", "alt:4,4", "random"]:
        answer = t.check("--order", order, "--forget", "cache,size=600", "--max-visits", "500", "m.dve", status=3)
        after = re.search(r"after (?:about )?([0-9,]+) states", answer["reason"])
        assert int(after[1].replace(",", "")) == answer["states"]["reached"] >= answer["states"]["stored"], answer


def check_visits_are_not_overrun(t):
    t.file("m.dve", GRID)
    for order, limit in itertools.product(["bfs", "dfs", "bbfs:2", "alt:1,1", "random"], [1, 7, 100, 999, 1000, 1001]):
        for forget in [[], ["--forget", "cache,size=900"]]:
            answer = t.check("--order", order, *forget, "--max-visits", str(limit), "m.dve", status=None)
            assert answer["states"]["visited"] <= limit, (order, forget, limit, answer["states"])
            assert answer["verdict"] == ("verified" if answer["limit"] is None else "inconclusive")
        answer = t.check("--order", order, "--max-visits", str(limit), "m.dve", status=3 if limit < STATES else 0)
        assert answer["states"]["visited"] == min(limit, STATES)


def check_depth_limit_only_where_something_is_left_out(t):
    t.file("m.dve", GRID)
    deepest = t.check("m.dve")["depth"]
    for store in ["full", "tree", "automaton"]:
        for depth, status in [(deepest - 1, 3), (deepest, 0), (deepest + 1, 0)]:
            answer = t.check("--store", store, "--max-depth", str(depth), "m.dve", status=status)
            assert answer["states"]["stored"] == STATES or status == 3, answer
    t.file("m.dve", CHAIN)
    for order in ["bfs", "dfs", "bbfs:3", "alt:1,1", "random"]:
        for depth, status in [(49, 3), (50, 1), (51, 1)]:
            words = ["--order", order, "--property", "deadlock", "--max-depth", str(depth), "m.dve"]
            answer = t.check(*words, status=status)
            assert answer["limit"] == (None if status == 1 else "the depth limit left states out"), answer
    t.file("m.dve", DIVIDES)
    assert t.check("--max-depth", "1", "m.dve", status=3)["errors"] == 0
    assert t.check("--max-depth", "2", "m.dve", status=1)["errors"] == 1


def check_inconclusive_has_a_reason(t):
    t.file("m.dve", GRID)
    t.file("m.pml", "byte x;\nD_proctype P() { do :: x = 1 - x od }\ninit { run P() }\n")
    for words, says in [(["--store", "compact", "m.dve"], "states may have been missed"), (["m.pml"], "not checked"),
                        (["--store", "bitstate,1M", "m.dve"], "states may have been missed"),
                        (["--max-states", "5", "m.dve"], "the limit on stored states was reached"),
                        (["--max-depth", "5", "m.dve"], "left states out"), (["--time", "0.1", "e.dve"], "time limit")]:
        t.file("e.dve", ENDLESS)
        answer = t.check(*words, status=3)
        assert answer["verdict"] == "inconclusive" and says in answer["reason"], answer
        said = t.run("check", "-q", *words, status=3).stdout
        assert says in said
    assert t.check("m.dve")["reason"] is None
    t.file("m.dve", ROUND)
    assert t.check("--invariant", "x != 3", "m.dve", status=1)["reason"] is None


def check_a_violation_is_one_whatever_can_be_written(t):
    t.file("m.dve", ROUND)
    for words, status in [(["--invariant", "x != 3"], 1), ([], 3)]:
        assert t.run("check", *words, "--json", "/dev/full", "m.dve", status=status).stderr.count("error:") == 1
        for more in [], ["-q"], ["--json", "-"]:
            with open("/dev/full", "w") as full:
                done = subprocess.run([t.cairn, "check", *words, *more, "m.dve"], cwd=t.folder, env=t.environment,
                                      stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
            assert done.returncode == status and done.stderr.count("error:") == 1, (more, done)


def check_reductions_are_all_named(t):
    t.file("m.dve", GRID)
    answer = t.check("--reduce", "chain", "--forget", "cache,size=900", "--reduce", "edge-lean", "m.dve")
    assert answer["reduce"] == "chain,edge-lean" and answer["strategy"] == "share/8+random", answer


def check_hangup_ends_in_order(t):
    t.file("m.dve", ENDLESS)
    for ignored in [False, True]:
        process = t.start("check", "--time", "2", "--memory", "2G", "m.dve",
                          preexec_fn=lambda how=ignored: signal.signal(signal.SIGHUP, signal.SIG_IGN if how
                                                                       else signal.SIG_DFL))
        time.sleep(0.7)
        process.send_signal(signal.SIGHUP)
        out, _ = process.communicate(timeout=30)
        assert process.returncode == 3, process.returncode
        assert (b"time limit" if ignored else b"interrupted") in out, out


# ---- progress -----------------------------------------------------------------------------


def last_line(shown):
    lines = [line for line in shown.split(b"\r\033[K") if b" states" in line]
    assert lines and max(map(len, lines)) < 80, shown
    return lines[-1].decode()


def check_progress_says_what_is_left(t):
    t.file("m.dve", ENDLESS)
    for order in ["bfs", "dfs", "random"]:
        _, _, shown = on_terminal(t, "check", "--order", order, "--memory", "1G", "--time", "1.2", "m.dve")
        line = last_line(shown)
        assert re.search(r"[0-9.]+ [KMG]iB \([0-9]+ %\)", line) and re.search(r"[01] s left", line), line
        opened = int(re.search(r"([0-9,]+) open", line)[1].replace(",", ""))
        assert opened > 100, line
    _, _, shown = on_terminal(t, "check", "--max-states", "4000000", "--memory", "1G", "m.dve")
    assert " states left" in last_line(shown), shown


def check_progress_of_searches_that_forget(t):
    t.file("m.dve", counters(4, 30))
    for order in ["bfs", "alt:4,4"]:
        _, _, shown = on_terminal(t, "check", "--order", order, "--forget", "cache:age,size=500000", "--max-visits", "0", "--time", "3",
                                  "m.dve")
        line = last_line(shown)
        assert re.search(r"[0-9]+\.[0-9] visits per state", line) and not re.search(r"\b0 open", line), line


def check_gives_up_by_itself(t):
    t.file("m.dve", counters(4, 9))
    words = ["--forget", "cache:age,size=4000", "m.dve"]
    answer = t.check(*words, status=3)
    assert answer["limit"] == "states were visited too often" and "times on average" in answer["reason"], answer
    assert 20 <= answer["states"]["visited"] / answer["states"]["reached"] < 30, answer["states"]
    said = t.run("check", *words, status=3).stdout
    assert "--max-visits 0 goes on" in said and "try --reduce edge-lean, a cache a quarter larger" in said, said
    assert t.check("--reduce", "edge-lean", "--forget", "cache,size=4000", "m.dve")["verdict"] == "verified"
    visits = answer["states"]["visited"]
    assert t.check("--max-visits", str(2 * visits), *words, status=3)["states"]["visited"] == 2 * visits
    t.run("check", "--max-visits", "0", "--time", "2", *words, status=3)


# ---- defaults -----------------------------------------------------------------------------


def figures(answer):
    return [answer[key] for key in ("verdict", "guarantee", "error", "states", "events", "depth", "levels")]


def check_each_default_is_the_one_documented(t):
    """Named or not, the same figures; with another value others, where they can be."""
    t.file("m.dve", GRID)
    t.file("l.dve", LOCKS)
    t.file("m.pml", "chan c = [1] of { byte };\nactive proctype P() { c!1; c!2; c!3 }\n")
    cache = ["--order", "alt:4,4", "--forget", "cache,size=800", "m.dve"]
    breadth = ["--forget", "cache,size=800", "m.dve"]
    sweep = ["--forget", "sweep-line", "--progress", "auto", "m.dve"]
    reduced = ["--order", "dfs", "--reduce", "edge-lean", "m.dve"]
    lossy = ["--order", "dfs", "m.dve"]
    for words, name, default, other in [
            (["m.dve"], "order", "bfs", "dfs"), (["m.dve"], "forget", "none", "cache,size=900"), (["m.dve"], "store", "auto", "compact:16"),
            (reduced, "action-order", "model", "reverse"), (["--order", "random", "m.dve"], "seed", "0", "7"),
            (["--store", "compact", "m.dve"], "runs", "1", None), (["m.pml"], "send-full", "block", "lose"),
            (["l.dve"], "compiler", "auto", None), (["m.pml"], "end-queues", "any", None)]:
        plain = figures(t.check(*words, status=None))
        assert plain == figures(t.check(f"--{name}", default, *words, status=None)), name
        if other is not None:
            assert plain != figures(t.check(f"--{name}", other, *words, status=None)), name
    for words, short, long, other in [
            (cache, "cache,", "cache:share/16+random,", "cache:age,"), (breadth, "cache,", "cache:share/8+random,", "cache:age,"),
            (["--order", "bbfs:4", *breadth], "cache,", "cache:share/16+random,", "cache:age,"),
            (cache, "cache,", "cache:,", None), (sweep, "auto", "auto:3", None),
            (["--store", "compact", *lossy], "compact", "compact:32", "compact:16"),
            (["--store", "bitstate,512", *lossy], "bitstate,", "bitstate:3,", "bitstate:9,"),
            (["--store", "bitline,512", *lossy], "bitline,", "bitline:3,", "bitline:9,")]:
        plain = figures(t.check(*words, status=None))
        named = [word.replace(short, long, 1) if word.startswith(short) else word for word in words]
        assert named != words and plain == figures(t.check(*named, status=None)), (words, named)
        if other is not None:
            assert plain != figures(t.check(*[word.replace(short, other, 1) if word.startswith(short) else word for word in words],
                                            status=None)), (words, other)


def check_every_fallback_is_tested(t):
    """A new default needs a line above."""
    manual = t.run("--man").stdout.replace("\\-", "-")
    defaults = dict(re.findall(r"\.B (?:-\w, )?--([a-z-]+).*?\n(?:(?!\.TP).*\n)*?(?:\.br\n)?Default: (.*)\.\n", manual))
    known = {"order": "bfs", "forget": "none", "store": "auto", "action-order": "model", "seed": "0", "runs": "1",
             "send-full": "block", "compiler": "auto", "end-queues": "any",
             # elsewhere: options.py (color), commands.py (steps, format), files.py (trail), trails.py (diagnostics), bench.py (the rest)
             "color": "auto", "steps": "100", "format": "dot", "trail": "MODEL.trail", "output": "stdout", "memory": "what is free",
             "results": "SUITE.jsonl", "repeat": "suite's", "baseline": "suite's", "table": "text", "warn": "spin", "token-bits": "8",
             "cycles": "auto", "fairness": "none", "diagnostics": "text"}
    assert set(defaults.items()) <= set(known.items()), set(defaults.items()) - set(known.items())


if __name__ == "__main__":
    sys.exit(main(globals()))
