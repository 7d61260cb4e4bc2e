#!/usr/bin/env python3
"""What the figures of a run mean, as assertions over the JSON of `cairn check`.

    from figures import complaints, ask
    for c in complaints(answer): …

docs/json.md says what each key is; this file says how they hang together: a share is at
most 1, every visited state was stored once, the levels add up to the states, a verdict
without a reason is none. Nothing here depends on the model or knows the right numbers, so
every test that reads the JSON can ask. A figure that contradicts another one is a failure,
whatever the verdict. Run as a program it reads objects from files or standard input.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import schema  # noqa: E402

EXIT = {"verified": 0, "violated": 1, "rejected": 2, "inconclusive": 3}
COUNTS = ("stored", "visited", "matched", "peak_stored", "peak_open")
FORGETTING = ("forgotten", "revisited", "dropped_open", "stored_share", "visited_share")
ONCE = ("in-degree", "pseudo-root")
SWEEPING = ("persistent", "widest_class", "rounds")


def decode(text):
    """The first JSON object of a text, or None."""
    at = text.find("{")
    try:
        return json.JSONDecoder().raw_decode(text[at:])[0] if at >= 0 else None
    except ValueError:
        return None


def is_answered(a):
    """Whether there were questions, and all have an answer: nothing more is to be seen then."""
    return bool(a.get("queries")) and all(q["answer"] is not None for q in a["queries"])


def verdict_complaints(a):
    verdict, guarantee, error, limit = a["verdict"], a["guarantee"], a["error"], a["limit"]
    if is_answered(a):
        limit = None
    # With questions an error (a full place) is found on the way, and only leaves some open.
    if verdict == "violated" if a.get("queries") else (error is not None) != (verdict == "violated"):
        yield "%s with the error %s" % (verdict, error)
    if (a["errors"] > 0) != (error is not None):
        yield "%d errors, and the error is %s" % (a["errors"], error)
    if verdict == "verified" and (guarantee != "exact" or limit or a["reason"]):
        yield "verified, but %s, limit %s, reason %s" % (guarantee, limit, a["reason"])
    if verdict == "inconclusive" and a["limit"] is None and a["reason"] is None and not a["unchecked"]:
        yield "inconclusive without a limit or a reason"
    if limit is not None and guarantee != "partial":
        yield "a limit was reached, and the guarantee is %s" % guarantee
    if guarantee == "exact" and not is_answered(a) and (a["expected_wrong_matches"] != 0 or a["estimate"] is not None):
        yield "exact, and %s wrong matches are expected" % a["expected_wrong_matches"]
    if guarantee == "probable" and a["estimate"] is None:
        yield "probable without an estimate"
    if a["trail"] is not None and error is None:
        yield "a trail without an error"


def query_complaints(a):
    queries = a.get("queries")
    if queries is None:
        return
    if not queries or (a["verdict"] == "verified") != is_answered(a):
        yield "%s, and the answers are %s" % (a["verdict"], queries)
    for q in queries:
        if (q["answer"] is None) != (q["reason"] is not None):
            yield "the answer %s of %s has the reason %s" % (q["answer"], q["id"], q["reason"])


def estimate_complaints(a):
    e = a["estimate"]
    if e is None:
        return
    for key in ("coverage", "chance_of_none", "chance_at_end", "union_coverage"):
        if e.get(key) is not None and not 0 <= e[key] <= 1:
            yield "%s is %s" % (key, e[key])
    runs = e.get("runs") or []
    if any(r["seed"] != runs[0]["seed"] + i for i, r in enumerate(runs)):
        yield "the seeds of the runs do not follow each other"


def store_estimate_complaints(a):
    found = a["store_estimates"]
    for e in found:
        if not 0 < e["least"] <= e["bytes_per_state"] <= e["most"]:
            yield "%s takes %s, from %s to %s" % (e["store"], e["bytes_per_state"], e["least"], e["most"])
    if [e["bytes_per_state"] for e in found] != sorted(e["bytes_per_state"] for e in found):
        yield "estimates of stores are not sorted"


def is_complete(a):
    """Whether the search surely ended because nothing was left to do (one that found an
    error may have ended there: the object does not say whether it was to go on)."""
    return a["limit"] is None and a["guarantee"] != "partial" and a["error"] is None


def state_complaints(a):
    s, complete = a["states"], is_complete(a)
    for key in COUNTS:
        if s[key] is None or s[key] < 0:
            yield "%s is %s" % (key, s[key])
            return
    stored_ever = s["stored"] + (s["forgotten"] or 0)  # each time
    dropped = s["dropped_open"] or 0  # those were not visited that time
    if s["peak_stored"] < s["stored"]:
        yield "%d stored, at most %d" % (s["stored"], s["peak_stored"])
    if s["matched"] > a["events"]:
        yield "%d matched of %d events" % (s["matched"], a["events"])
    if s["visited"] > stored_ever - dropped:
        yield "%d visited, but only %d stored" % (s["visited"], stored_ever)
    if complete and s["visited"] != stored_ever - dropped:
        yield "complete, but %d visited of %d stored" % (s["visited"], stored_ever)
    # Each event leads to a known state or to a new one (or has no successor, which is an
    # error); and something was there before the first event.
    new = stored_ever + s["matched"] - a["events"]
    if complete and new < 1:
        yield "%d stored and %d matched by %d events" % (stored_ever, s["matched"], a["events"])
    if a["deadlocks"] > s["visited"]:
        yield "%d deadlocks in %d visited states" % (a["deadlocks"], s["visited"])
    if a["depth"] >= max(stored_ever, 1):
        yield "depth %d, but %d states" % (a["depth"], stored_ever)
    chain = s["peak_tree"] or 0  # nodes whose states were let go are in the tree only
    once = (a["forget"] or "").startswith(ONCE)  # open states may be gone, which are on the stack
    if s["peak_open"] > max(s["peak_stored"], chain) and not once:
        yield "%d open, %d stored" % (s["peak_open"], s["peak_stored"])
    if s["peak_tree"] is not None and s["peak_tree"] < s["peak_open"]:
        yield "a tree of %d with %d open states" % (s["peak_tree"], s["peak_open"])


def forgetting_complaints(a):
    s, forgets = a["states"], a["forget"] not in (None, "none")
    for key in FORGETTING:
        if (s[key] is not None) != forgets:
            yield "%s is %s, and --forget %s" % (key, s[key], a["forget"])
            return
    sweeps = forgets and a["forget"].startswith("sweep-line")
    for key in SWEEPING:
        if (s[key] is not None) != sweeps:
            yield "%s is %s, and --forget %s" % (key, s[key], a["forget"])
            return
    if not forgets:
        return
    if s["revisited"] > s["visited"] or s["revisited"] > s["forgotten"]:
        yield "%d revisited, %d visited, %d forgotten" % (s["revisited"], s["visited"], s["forgotten"])
    size = a["forget"].partition(",size=")[2]
    if size.isdigit() and s["peak_stored"] > int(size):
        yield "%d stored with --forget %s" % (s["peak_stored"], a["forget"])
    if not 0 <= s["stored_share"] <= 1:
        yield "%s of the states were stored" % s["stored_share"]
    if is_complete(a) and s["visited_share"] < 1:
        yield "complete, and %s of the states were visited" % s["visited_share"]
    if sweeps and not (s["rounds"] >= (s["visited"] > 0) and s["persistent"] <= s["peak_stored"]
                       and s["widest_class"] <= s["peak_stored"]):
        yield "%d rounds, %d persistent, %d in a class, %d stored" % (
            s["rounds"], s["persistent"], s["widest_class"], s["peak_stored"])


def level_complaints(a):
    widths = a["level_widths"]
    if a["levels"] is None:
        if widths is not None or a["widest_level"] is not None:
            yield "no levels, but widths %s" % widths
        return
    if len(widths) != a["levels"] or max(widths) != a["widest_level"]:
        yield "%d levels, the widest %d, but %s" % (a["levels"], a["widest_level"], widths)
    found = a["states"]["stored"] + (a["states"]["forgotten"] or 0)
    if is_complete(a) and sum(widths) != found:
        yield "the levels have %d states of %d" % (sum(widths), found)
    if a["depth"] != a["levels"] - 1:
        yield "%d levels and depth %d" % (a["levels"], a["depth"])
    if a["back_level_edges"] is not None:
        if a["back_level_edges"] > a["states"]["matched"]:
            yield "%d back-level edges, %d matched" % (a["back_level_edges"], a["states"]["matched"])
        if a["longest_back_level_edge"] > a["depth"]:
            yield "a back-level edge over %d of %d levels" % (a["longest_back_level_edge"], a["levels"])


def memory_complaints(a):
    m, stored = a["memory"], a["states"]["stored"]
    for key, value in m.items():
        if value is not None and value < 0:
            yield "memory.%s is %s" % (key, value)
    if m["bytes_per_state"] is None:
        if stored and (a["limit"] is None or a["store"] != "auto"):
            yield "%d states, and nothing is known of their size" % stored
    elif stored and abs(m["bytes_per_state"] - m["store"] / stored) > 0.01 * m["store"] / stored:
        yield "%s bytes a state, but %d for %d" % (m["bytes_per_state"], m["store"], stored)
    for key, value in a["seconds"].items():
        if value is not None and value < 0:
            yield "seconds.%s is %s" % (key, value)


def move_complaints(a):
    moves = a["moves"] or []
    if moves and a["store"] != "auto":
        yield "states moved from the store %s" % a["store"]
    if moves and moves[-1]["to"] != a["store_in_use"]:
        yield "moved to %s, but %s is in use" % (moves[-1]["to"], a["store_in_use"])
    if any(p["states"] > q["states"] or p["seconds"] > q["seconds"] for p, q in zip(moves, moves[1:])):
        yield "moves go back: %s" % moves
    if a["store"] not in (None, "auto") and a["store_in_use"] not in (None, a["store"].split(":")[0].split(",")[0]):
        yield "asked for %s, %s in use" % (a["store"], a["store_in_use"])


def error_complaints(a):
    e = a["error"]
    if e is None or e["length"] is None:
        return
    cycle = e["cycle_start"]
    if cycle is not None and not 0 <= cycle < e["length"]:
        yield "a cycle that begins after %d of %d events" % (cycle, e["length"])
    if cycle is not None and e["kind"] not in ("acceptance-cycle", "nonprogress-cycle"):
        yield "%s with a cycle" % e["kind"]
    if cycle is None and e["kind"] in ("acceptance-cycle", "nonprogress-cycle"):
        yield "%s without a cycle" % e["kind"]
    if cycle is None and e["length"] > a["depth"] + 1:  # cycles are searched for again
        yield "an error after %d events, depth %d" % (e["length"], a["depth"])


def claim_complaints(a):
    """Each claim for itself, and the whole as the first of the worst of them. A search that ended at another error than one of its
    claim leaves that claim undecided."""
    claims = a["claims"]
    for c in claims:
        verdict, error = c["verdict"], c["error"]
        undecided = verdict == "inconclusive" and c["name"] is not None and not str(error).endswith("-cycle")
        if (verdict == "violated") != (error is not None) and not (undecided and error is not None):
            yield "%s is %s with the error %s" % (c["what"], verdict, error)
        if verdict == "verified" and c["guarantee"] != "exact":
            yield "%s is verified, but %s" % (c["what"], c["guarantee"])
        if c["cycle_start"] is not None and not 0 <= c["cycle_start"] < c["length"]:
            yield "%s has a cycle that begins after %d of %d events" % (c["what"], c["cycle_start"], c["length"])
    for verdict in ("violated", "inconclusive", "verified"):
        if any(c["verdict"] == verdict or (verdict == "violated" and c["error"] is not None) for c in claims):
            if a["verdict"] != verdict:
                yield "%s, and a claim is %s" % (a["verdict"], verdict)
            break


def reduction_complaints(a):
    r = a["reduced"]
    if r is not None and not 0 <= sum(r[k] for k in ("alone", "chosen", "stubborn", "refused", "untried")) <= a["states"]["visited"]:
        yield "%s of %d visited states" % (r, a["states"]["visited"])
    if a["nested"] is not None and not 0 < a["nested"] <= a["states"]["stored"]:
        yield "%d of %d states visited by the second search" % (a["nested"], a["states"]["stored"])


CHECKS = (claim_complaints, reduction_complaints, verdict_complaints, query_complaints, estimate_complaints, store_estimate_complaints, state_complaints, forgetting_complaints,
          level_complaints, memory_complaints, move_complaints, error_complaints)


def complaints(a, status=None):
    """What in the object `a` contradicts itself, as sentences; `status`: that of the process."""
    if a is None:
        return ["no JSON"]
    wrong = schema.complaints(a)
    if status is not None and status != EXIT.get(a["verdict"]):
        wrong.append("exit status %d, and %s" % (status, a["verdict"]))
    if a["verdict"] == "rejected":
        if a["guarantee"] is not None or a["events"] is not None:
            wrong.append("rejected, and there are figures")
        if not a["reason"] and a["model"] is not None:
            wrong.append("rejected without a reason")
        return wrong
    if a["events"] is None:  # there was no search
        if a["verdict"] != "inconclusive" or not (a["limit"] or a["reason"]):
            wrong.append("%s without a search or a reason" % a["verdict"])
        return wrong
    for check in CHECKS:
        wrong += check(a)
    return wrong


def is_sanitized(cairn):
    """Whether the program was built with AddressSanitizer, which takes memory of its own."""
    with open(cairn, "rb") as f:
        return b"__asan_init" in f.read()


def ask(cairn, words, timeout=120):
    """`cairn check` with these words, in a folder of its own: (process, object or None)."""
    with tempfile.TemporaryDirectory() as folder:
        p = subprocess.run([cairn, "check", "--json", "-", *words], capture_output=True, text=True,
                           errors="replace", cwd=folder, timeout=timeout)
    return p, decode(p.stdout)


def main():
    failed = 0
    for path in sys.argv[1:] or ["-"]:
        with (sys.stdin if path == "-" else open(path, encoding="utf-8")) as f:
            for c in complaints(decode(f.read())):
                failed += 1
                print("%s: %s" % (os.path.basename(path), c))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
