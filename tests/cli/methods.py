#!/usr/bin/env python3
"""The command line, end to end: stores, orders, reductions and ways to forget.

    methods.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import itertools
import sys

from harness import ENDLESS, RISING, ROUND, main


def check_stores_that_may_miss(t):
    t.file("m.dve", ROUND)
    assert t.check("m.dve")["estimate"] is None
    stores = ["compact", "compact:16", "compact:64", "bitstate", "bitstate:2,4K", "bitline:64,1K", "bitstate,1M"]
    for store, order in itertools.product(stores, ["bfs", "dfs"]):
        words = ["--order", order, "--store", store, "m.dve"]
        answer = t.check(*words, status=3)
        assert answer["verdict"] == "inconclusive" and answer["guarantee"] == "probable", store
        assert 0 < answer["estimate"]["coverage"] <= 1 and 0 < answer["estimate"]["chance_of_none"] <= 1
        assert answer["states"]["stored"] <= 5 and answer["expected_wrong_matches"] < 1
        found = t.check("--invariant", "x != 1", *words, status=1)
        assert found["verdict"] == "violated" and found["error"]["length"] == 1
        assert t.run("trail", "m.dve", "m.trail").stdout.count("x") > 0
        for phrase in ["states may have been missed", "omitted ", "coverage ", "is unseen"]:
            assert phrase in t.run("check", *words, status=3).stdout, phrase
    answer = t.check("--order", "dfs", "--store", "bitstate:1,64", "--runs", "5", "m.dve", status=3)
    runs = answer["estimate"]["runs"]
    assert [r["seed"] for r in runs] == [0, 1, 2, 3, 4] and all(r["complete"] for r in runs)
    assert answer["states"]["stored"] == max(r["stored"] for r in runs)
    assert answer["estimate"]["coverage"] <= answer["estimate"]["union_coverage"] <= 1
    found = t.check("--order", "dfs", "--store", "compact", "--runs", "5", "--invariant", "x != 1", "m.dve", status=1)
    assert len(found["estimate"]["runs"]) == 1
    # What the first run found says how many bits are best for the others.
    table = ["--order", "dfs", "--store", "bitstate,1K", "--runs", "2", "m.dve"]
    assert "for which 64" not in t.run("check", *table, status=3).stdout
    first = t.check(*[word if word != "2" else "1" for word in table], status=3)["estimate"]
    both = t.check(*table, status=3)["estimate"]["runs"]
    assert both[0]["expected_wrong_matches"] > 1000 * both[1]["expected_wrong_matches"], both
    # Nothing was lossy: once is enough.
    assert t.check("--allow-lossy", "--runs", "5", "m.dve")["verdict"] == "verified"
    for words in [["--store", "full"], ["--order", "random"], ["--forget", "cache"]]:
        t.error("check", "--move-after", "3", *words, "m.dve", says="--move-after only has an effect")
    # What may be missed is told beside other doubts, and a table that is far too small, too.
    t.file("traced.pml", "byte x; active proctype P() { x = 1 } never { do :: x = x od }")
    said = t.run("check", "--store", "compact:40", "-q", "traced.pml", status=3).stdout
    assert "not checked in this version: never claim never_0" in said and "states may have been missed" in said, said
    processes = (f"process P{i} {{ byte x; state s; init s; trans s -> s {{ guard x < 9; effect x = x + 1; }}; }}"
                 for i in range(4))
    t.file("many.dve", " ".join(processes) + " system async;")
    said = t.run("check", "--store", "bitstate:3,512", "-q", "many.dve", status=3).stdout
    assert "a rough estimate, for the store is too small" in said, said
    # A limit of depth: only breadth-first search has seen all within it, if its store is exact.
    for words, claimed in [([], "no error in the 126 states within it\n"), (["--order", "dfs"], "there may be others"),
                           (["--store", "bitstate:3,512"], "states may have been missed")]:
        said = t.run("check", "--max-depth", "5", "-q", *words, "many.dve", status=3).stdout
        assert claimed in said, said
    said = t.run("check", "--max-depth", "1", "-q", "traced.pml", status=3).stdout
    assert "within it; not checked in this version: never claim never_0" in said, said


def check_orders(t):
    t.file("m.dve", ROUND)
    orders = ["bbfs:1", "bbfs:7", "alt:1,1", "alt:0,3", "alt:2,0", "alt:18446744073709551615,1", "bbfs:99999999999999999999", "best:x", "best:-x", "random"]
    for order, store in itertools.product(orders, ["full", "tree", "collapse", "auto"]):
        answer = t.check("--order", order, "--store", store, "m.dve")
        assert answer["verdict"] == "verified" and answer["states"]["stored"] == 5, order
        assert answer["order"] == order and answer["states"]["peak_tree"] > 0
        found = t.check("--order", order, "--store", store, "--invariant", "x != 3", "m.dve", status=1)
        assert found["error"]["length"] == 3, order
    for order, phrase in [("none", "there is no 'none', but bfs, dfs, bbfs, alt, best, best:pseudo-root, random"), ("bbfs", "bbfs:W"),
                          ("bbfs:0", "must not be 0"), ("bbfs:1,2", "more than bbfs takes"), ("alt:1", "alt:B,D"),
                          ("alt:0,0", "must not be 0"), ("dfs:1", "more than dfs takes"), ("best", "best:EXPR"),
                          ("best:", "best:EXPR"), ("random:1", "more than random takes")]:
        t.error("check", "--order", order, "m.dve", says=phrase)
    t.error("check", "--order", "best:y", "m.dve", says="y")


def check_forgetting(t):
    t.file("m.dve", ROUND)
    for order, forget in itertools.product(["bfs", "dfs", "bbfs:2", "alt:1,1", "best:x", "random"],
                                           ["cache", "cache:random", "cache:stratified/2+far", "cache,size=5"]):
        answer = t.check("--order", order, "--forget", forget, "--reduce", "chain", "m.dve")
        assert answer["verdict"] == "verified" and answer["guarantee"] == "exact", (order, forget)
        assert answer["forget"] == forget and answer["states"]["peak_stored"] <= 5
        found = t.check("--order", order, "--forget", forget, "--invariant", "x != 3", "m.dve", status=1)
        assert found["error"]["length"] == 3
        assert "x" in t.run("trail", "m.dve", "m.trail").stdout
    for progress in ["x", "x, 1 - x", "(x), x", "auto:0", "auto:5", "auto"]:
        answer = t.check("--forget", "sweep-line", "--progress", progress, "m.dve")
        assert answer["verdict"] == "verified" and answer["states"]["rounds"] >= 1, progress
    answer = t.check("--forget", "sweep-line", "--progress", "x", "m.dve")
    assert answer["states"]["widest_class"] == 1 and answer["states"]["forgotten"] >= 4
    t.file("rising.dve", RISING)
    answer = t.check("--forget", "sweep-line", "--progress", "auto:0", "--keep-going", "--no-deadlock", "rising.dve")
    assert answer["states"]["visited"] == 4 ** 5 and answer["states"]["widest_class"] == 1 and \
        answer["states"]["persistent"] == 0
    tight = t.check("--forget", "cache,size=1", "m.dve", status=3)
    assert tight["guarantee"] == "partial" and "tree of open states no longer fits" in tight["limit"]
    t.file("big.dve", ENDLESS)
    assert "limit on visits" in t.check("--max-visits", "1", "--memory", "1G", "big.dve", status=3)["limit"]


def check_forgetting_for_memory(t):
    """More states than the budget has room for: the search forgets what it may, and says when nothing is left."""
    if t.is_sanitized():
        return  # the sanitizer's own memory takes part of the budget
    t.file("m.dve", ENDLESS.replace("250", "50"))
    for size, order in itertools.product(["32M", "40M"], ["bfs", "bbfs:1000000"]):
        answer = t.check("--order", order, "--forget", "cache:random", "--store", "full", "--memory", size,
                         "--max-visits", "1000000", "m.dve", status=3)
        assert answer["guarantee"] == "partial" and (answer["states"]["forgotten"] > 0 or order == "bfs"), answer
        # Breadth-first the tree is made late, and nearly all states are of it: memory may run out just then.
        ends = ["visits", "tree of open states no longer fits"] + (["memory budget"] if order == "bfs" else [])
        assert any(phrase in answer["limit"] for phrase in ends), answer["limit"]


# R fails first; in the state after Q nothing is fired, for P commutes with Q, and yet it is no deadlock.
LEFT_OUT = """byte x; byte y; byte z;
process P { state a, b; init a; trans a -> b { effect x = 1; }; }
process Q { state a, b; init a; trans a -> b { effect y = 1; }; }
process R { state a, b; init a; trans a -> b { guard x == 1; effect z = 1 / z; }; }
system async;
"""


def check_reductions(t):
    """Trace normal forms end at a cycle, or go on and are partial; the others see everything."""
    t.file("m.dve", ROUND)
    t.file("line.dve", "byte x; byte y; process P { state a; init a; trans a -> a { guard x < 5; effect x = x + 1; }; }\n"
                       "process Q { state a; init a; trans a -> a { guard y < 5; effect y = y + 1; }; }\n"
                       "system async;\n")
    whole = t.check("m.dve")
    for reduce in ["edge-lean", "sleep:2"]:
        for order in ["model", "reverse", "random", "random:7"]:
            answer = t.check("--order", "dfs", "--reduce", reduce, "--action-order", order, "m.dve")
            assert answer["states"]["stored"] == whole["states"]["stored"], answer
    for order, forget, actions in itertools.product(["bfs", "dfs", "bbfs:2", "alt:1,1", "best:x", "random"],
                                                    ["none", "cache:random", "sweep-line"],
                                                    ["model", "reverse", "random:7"]):
        words = ["--progress", "x + y"] if forget == "sweep-line" else []
        answer = t.check("--order", order, "--forget", forget, "--reduce", "edge-lean", "--action-order", actions,
                         "--property", "safety", *words, "line.dve")
        s = answer["states"]
        assert s["visited"] - (s["revisited"] or 0) == 36 and answer["events"] == s["visited"] - 1, answer
        shares = [s["peak_stored"] / 36, s["visited"] / 36] if forget != "none" else [None, None]
        assert [s["stored_share"], s["visited_share"]] == shares or \
            max(abs(a - b) for a, b in zip([s["stored_share"], s["visited_share"]], shares)) < 1e-6, answer
    # An invariant that looks at both lets por choose nothing; of the two orders of a pair one is fired all the same.
    both = ["--invariant", "x + y < 99", "--property", "safety", "line.dve"]
    for order in ["bfs", "dfs", "bbfs:2", "alt:1,1", "best:x", "random"]:
        events = [t.check("--order", order, "--reduce", reduce, *both)["events"]
                  for reduce in ["none", "por", "edge-lean", "por,edge-lean", "edge-lean,por"]]
        fired = 37 if order == "alt:1,1" else 35  # it fires again what found no place, and all of it then
        assert events == [60, 60, 35, fired, fired], (order, events)
    assert t.check("--order", "dfs", "--reduce", "por,sleep:1", *both)["events"] == 35
    assert t.check("--reduce", "por,edge-lean", "--action-order", "reverse", *both)["events"] == 35
    for order in ["bfs", "dfs", "bbfs:2"]:
        found = t.check("--order", order, "--reduce", "por,edge-lean", "--invariant", "x + y < 10", "line.dve", status=1)
        assert found["error"]["length"] == 10, found
    t.file("left-out.dve", LEFT_OUT)
    found = t.check("--property", "deadlock,safety", "--reduce", "edge-lean", "left-out.dve", status=1)
    assert found["error"]["kind"] == "model-error" and found["error"]["length"] == 2, found
    for reduce in ["tnf", "tnf:force", "sleep:1", "sleep:1:force"]:
        answer = t.check("--order", "dfs", "--reduce", reduce, "m.dve", status=3)
        assert answer["guarantee"] == "partial" and "led back to the stack" in answer["limit"], answer
        for order in ["model", "reverse", "random:7"]:
            answer = t.check("--order", "dfs", "--reduce", reduce, "--action-order", order, "--property", "safety",
                             "line.dve")
            assert (answer["states"]["stored"], answer["events"]) == (36, 35), answer


def check_forgetting_refused(t):
    t.file("m.dve", ROUND)
    for words, phrase in [
            (["--forget", "fog"], "there is no 'fog', but none, cache, in-degree, pseudo-root, sweep-line"),
            (["--forget", "cache:fog"], "a strategy is a list"),
            (["--forget", "cache:near+far"], "only one of"), (["--forget", "cache:near+entry+in-degree"], "do not fit together"),
            (["--forget", "pseudo-root", "--ltl", "[] x < 9"], "cannot go backward"), (["--forget", "pseudo-root:3"], "takes no strategy"),
            (["--forget", "pseudo-root,size=x"], "number of states"), (["--forget", "pseudo-root,5"], "size=N"),
            (["--forget", "in-degree:4"], "a number from 8 to 36"), (["--forget", "in-degree:age"], "a number from 8 to 36"),
            (["--forget", "in-degree,size=5"], "takes no size"), (["--forget", "in-degree:12+"], "a number from 8 to 36"),
            (["--forget", "cache,5"], "size=N"), (["--forget", "cache,size=0"], "number of states"),
            (["--forget", "cache,size=4x"], "number of states"),
            (["--forget", "cache", "--store", "compact"], "needs an exact store"),
            (["--forget", "cache", "--store", "bitstate"], "needs an exact store"),
            (["--forget", "cache", "--store", "bitline"], "needs an exact store"),
            (["--forget", "cache", "--store", "collapse"], "cannot take states out again"),
            (["--forget", "cache", "--store", "automaton"], "cannot take states out again"),
            (["--forget", "sweep-line", "--progress", "x", "--store", "collapse"], "cannot take states out again"),
            (["--order", "dfs", "--reduce", "tnf,sleep:1"], "only one at a time"),
            (["--reduce", "por,edge-lean,tnf"], "edge-lean and tnf: only one at a time"), (["--reduce", "por,por"], "only one at a time"),
            (["--reduce", "auto,por"], "auto takes por itself"), (["--reduce", "por,auto"], "auto takes por itself"),
            (["--reduce", "auto,edge-lean"], "use --reduce por,edge-lean"), (["--reduce", "edge-lean,auto"], "use --reduce por,edge-lean"),
            (["--reduce", "por,tnf", "--order", "dfs"], "counts on all events of the states on the path, and por leaves"),
            (["--reduce", "sleep:2,por", "--order", "dfs"], "counts on all events of the states on the path, and por leaves"),
            (["--reduce", "por,sleep:1"], "goes by the stack of a depth-first search"),
            (["--reduce", "por,sleep:1", "--order", "dfs", "--forget", "cache"], "leave out --forget, or use"),
            (["--reduce", "por,edge-lean:force"], "--reduce edge-lean never loses a state"),
            (["--reduce", "sleep:1,por:force", "--order", "dfs"], "there is nothing to be said after por"),
            (["--ltl", "[] <> x < 3", "--reduce", "por,edge-lean"], "leaves out events, and a cycle may need one"),
            (["--forget", "cache", "--allow-lossy"], "without --forget"),
            (["--forget", "sweep-line", "--progress", "x", "--allow-lossy"], "without --forget"),
            (["--forget", "sweep-line", "--progress", "x", "--store", "compact"], "needs an exact store"),
            (["--forget", "sweep-line"], "how far a state is"),
            (["--forget", "cache", "--progress", "x"], "--progress only has an effect"), (["--progress", "x"], "--progress only has an effect"),
            (["--forget", "sweep-line", "--progress", "auto:6"], "level from 0 to 5"),
            (["--forget", "sweep-line", "--progress", "x * 100000000, x * 100000000, x * 100000000"], "more than 64 bits"),
            (["--reduce", "tnf", "--order", "dfs", "--forget", "cache"], "leave out --forget, or use --reduce edge-lean"),
            (["--reduce", "tnf"], "goes by the stack of a depth-first search"),
            (["--reduce", "sleep:2", "--order", "bbfs:2"], "goes by the stack of a depth-first search"),
            (["--reduce", "sleep:2", "--order", "dfs", "--forget", "cache"], "leave out --forget, or use"),
            (["--reduce", "sleep:1", "--order", "dfs", "--forget", "sweep-line", "--progress", "x"], "leave out --forget, or use"),
            (["--reduce", "sleep", "--order", "dfs"], "sleep:N, with N from 1 to 2"), (["--reduce", "tnf,edge-lean"], "only one at a time"),
            (["--action-order", "reverse", "--order", "dfs"], "only has an effect with --reduce"),
            (["--action-order", "reverse", "--reduce", "tnf"], "goes by the stack of a depth-first search"),
            (["--action-order", "fog", "--reduce", "edge-lean", "--order", "dfs"], "model, reverse or random:SEED"),
            (["--action-order", "random:x", "--reduce", "edge-lean", "--order", "dfs"], "model, reverse or random:SEED"),
            (["--reduce", "chain"], "only has an effect with --forget")]:
        t.error("check", *words, "m.dve", says=phrase)


def check_stores_refused(t):
    t.file("m.dve", ROUND)
    for store in ["compact:15", "compact:65", "bitstate:65", "bitstate:1000", "bitstate:0", "bitstate:", "bitstate:x",
                  "bitstate:3,", "bitstate,0", "bitstate:3,4X", "bitstate:3,999T", "compact,1M", "full:3", "full,1M",
                  "nothing", ":3", "compact:99999999999999999999"]:
        t.error("check", "--order", "dfs", "--store", store, "m.dve", says="--store")
    # Before the model is looked at, and with what may be given instead.
    t.file("bad.dve", "process {")
    for store, phrase in [("compact:15", "compact: bits kept per state must be from 16 to 64"),
                          ("bitline:65", "bitline: bits set per state must be from 1 to 64"),
                          ("auto:3", "auto takes no number"), ("tree,1M", "tree grows"),
                          ("autos", "there is no 'autos', but auto, full"), ("bitstate,1T", "larger than the memory")]:
        t.error("check", "--store", store, "bad.dve", says=phrase)
    t.error("check", "--runs", "2", "bad.dve", says="misses none")


def check_words_of_a_store_that_rebuilds(t):
    t.file("m.dve", ROUND)
    some = "there must be some of cache=N, anchors=N, shorten, numbers, forward, backward, actions and hash=N"
    for words, says in (("", "ends in a colon: leave it out"), ("cache", some), ("cache=", some), ("cache=x", some),
                        ("anchors=-1", some), ("hash=0", some), ("hash=65", some), ("shorten+", some), ("shorten=1", some),
                        ("all", some), ("cache=5+cache=6", "cache is there twice"), ("numbers+numbers", "numbers is there twice"),
                        ("forward+backward", "undone, or fired forward"), ("backward+actions", "undone, or fired as actions"),
                        ("5", "takes no number")):
        t.error("check", "--store", "comback:" + words, "m.dve", says=says)
    t.run("check", "--store", "comback:cache=5+anchors=0+shorten+numbers+backward+hash=9", "m.dve")
    t.run("check", "--store", "comback:actions+forward", "m.dve")


if __name__ == "__main__":
    sys.exit(main(globals()))
