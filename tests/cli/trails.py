#!/usr/bin/env python3
"""The command line, end to end: a counterexample as JSON, as a message chart and as a page in a browser.

    trails.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import browser
from harness import LOCKS, main

import schema  # harness has put it on the path

MESSAGES = """chan c = [2] of { byte }; chan r = [0] of { byte };
active proctype sender() { c!1; c!2; r!7; false }
active proctype middle() { byte x; do :: c?x -> r!x od }
active proctype receiver() { byte y; r?y; r?y; printf("got %d <b>\\n", y); r?y; r?y }
"""

# A run of a hundred steps and more.
LONG = """byte n;
active proctype up() { do :: n < 120 -> n++ od }
active proctype other() { byte local_of_other; local_of_other = 3; n == 200 }
"""


def trail_of(t, text, name="m.pml", *words):
    t.file(name, text)
    t.run("check", "-q", *words, name, status=1)
    return name, Path(name).stem + ".trail"


def json_of(t, *words):
    answer = json.loads(t.run("trail", "--json", "-", *words).stdout)
    wrong = schema.complaints(answer, "trail")
    assert not wrong, wrong
    return answer


def check_the_whole_run_is_in_the_json(t):
    names = trail_of(t, MESSAGES)
    run = t.check(names[0], status=1)["counterexample"]
    assert run["initial"]["sender[0]"] == "line 2" and run["initial"]["c"] == "[]" and run["left_out"] == 0
    state = dict(run["initial"])
    for step in run["steps"]:
        for change in step["changes"]:
            assert state.get(change["name"]) == change["from"], (step, state)
            state[change["name"]] = change["to"]
            if change["to"] is None:
                del state[change["name"]]
    assert state == run["final"], (state, run["final"])
    messages = [(m["process"], x["kind"], x["channel"], x["text"])
                for s in run["steps"] for m in s["moves"] for x in m["messages"]]
    assert [m for m in messages if m[2] == "r"] == [
        ("middle[1]", "send", "r", "1"), ("receiver[2]", "receive", "r", "1"), ("middle[1]", "send", "r", "2"),
        ("receiver[2]", "receive", "r", "2"), ("sender[0]", "send", "r", "7"), ("receiver[2]", "receive", "r", "7")], messages
    assert ("receiver[2]", "print", None, "got 2 <b>\n") in messages
    assert all(m["file"] == "m.pml" and m["line"] in (2, 3, 4) for s in run["steps"] for m in s["moves"])
    again = json_of(t, *names)
    assert again["counterexample"] == run and again["trail"] == "m.trail" and again["stuck"]


def check_json_of_other_languages(t):
    names = trail_of(t, LOCKS, "m.dve", "--invariant", "x < 2")
    answer = json_of(t, *names)
    assert [s["moves"][0]["process"] for s in answer["counterexample"]["steps"]] == ["P", "Q"]
    assert answer["error"]["values"] == "x = 2" and answer["counterexample"]["final"]["x"] == "2"
    t.file("f.dve", "byte a[2]; process P { byte i; state s; init s; trans s -> s { effect i = i + 1, a[i] = 1; }; }\n"
                    "system async;\n")
    run = t.check("f.dve", status=1)
    assert run["counterexample"]["steps"][-1]["fault"].startswith("index of 'a'") and not run["counterexample"]["steps"][-1]["changes"]
    assert t.check("--no-parents", "f.dve", status=1)["counterexample"] is None


def check_long_runs_are_cut_in_check_only(t):
    names = trail_of(t, "int n; active proctype p() { do :: n++; assert(n < 10500) od }\n", "m.pml", "--order", "dfs")
    run = t.check("--order", "dfs", names[0], status=1)["counterexample"]
    length = 10500 * 2 if run["left_out"] > 1000 else run["left_out"] + 10000
    assert len(run["steps"]) == 10000 and run["left_out"] == length - 10000 and run["steps"][-1]["step"] == length, run["left_out"]
    whole = json_of(t, *names)["counterexample"]
    assert len(whole["steps"]) == length and whole["left_out"] == 0 and whole["final"] == run["final"]


def check_diagnostics(t):
    t.file("m.pml", "byte count;\nactive proctype p() { coutn = 1; nothing }\n")
    answer = t.check("m.pml", status=2)
    said = answer["diagnostics"]
    assert [(d["severity"], d["line"], d["column"]) for d in said if d["severity"] == "error"] == \
        [("error", 2, 23), ("error", 2, 34)], said
    assert any(d["severity"] == "hint" and "count" in d["message"] for d in said), said
    assert said[0]["end_column"] == 28 and said[0]["file"] == "m.pml"
    lines = t.run("check", "--diagnostics", "gcc", "m.pml", status=2).stderr.splitlines()
    assert re.fullmatch(r"m\.pml:2:23: error: .*coutn.*", lines[0]) and len(lines) == len(said), lines
    for command in ["check", "sim", "info", "graph"]:
        objects = [json.loads(line) for line in
                   t.run(command, "--diagnostics", "json", "m.pml", status=2).stderr.splitlines()]
        assert objects == said, command
        assert not [c for o in objects for c in schema.complaints(o, "diagnostic")]
    t.file("m.pml", "active proctype p() { skip }\n")
    assert t.check("m.pml")["diagnostics"] == []


def check_message_chart(t):
    names = trail_of(t, MESSAGES)
    shown = t.run("trail", "--chart", *names).stdout
    head = next(line for line in shown.splitlines() if "sender[0]" in line)
    a, b, c = (head.index(name) for name in ["sender[0]", "middle[1]", "receiver[2]"])
    assert a < b < c and all(len(line) <= 96 for line in shown.splitlines())
    arrows = [line for line in shown.splitlines() if "->*" in line]
    assert [(line.index("*"), line.rindex("*")) for line in arrows if "r: " in line] == [(b, c), (b, c), (a, c)], shown
    assert [(line.index("*"), line.rindex("*")) for line in arrows if "c: " in line] == [(a, b), (a, b)], shown
    assert re.search(r"#2 c: 2-*>\*", shown) and re.search(r"\* c!2  #2", shown), shown
    names = trail_of(t, "channel c;\nprocess P { byte v; state a, b; init a; trans a -> b { sync c!7; effect v = 1; }; }\n"
                     "process Q { byte w; state a, b; init a; trans a -> b { sync c?w; }; }\nsystem async;\n",
                     "d.dve", "--property", "deadlock")
    assert re.search(r"\*---c!7-+>\*", t.run("trail", "--chart", *names).stdout)


def check_steps_read_like_the_model(t):
    names = trail_of(t, """proctype child(byte v) { v = v + 1 }
init { run child(3);
ready:
  _nr_pr == 1;
  assert(false) }
""")
    shown = t.run("trail", *names).stdout
    assert re.search(r"(?m)^ +1  :init:\[0\]  +m\.pml:2 +run child\(3\)\n +child\[1\] starts, ", shown), shown
    assert re.search(r"(?m)^ +3  child\[1\] +m\.pml:1 +the process ends\n +child\[1\] is gone, ", shown), shown
    assert re.search(r"(?m)^ +4  :init:\[0\]  +m\.pml:4 \(ready\)  _nr_pr == 1$", shown), shown
    assert "assertion: false (m.pml:5)" in shown and "line 1 ->" not in shown, shown


def check_long_sequences_are_shortened_in_graphs(t):
    t.file("m.pml", "byte a, b; active proctype p() { atomic { a = 1; a = 2; a = 3; a = 4; a = 5; a = 6; b = 7; b = 8 } }\n")
    shown = t.run("graph", "--format", "aut", "m.pml").stdout
    assert "p[0]: a = 1 | p[0]: a = 2 | p[0]: a = 3 | ... 3 more ... | p[0]: b = 7 | p[0]: b = 8" in shown, shown


def printed(shown):
    """The command under "this shows it again"."""
    lines = shown.splitlines()
    return lines[next(i for i, line in enumerate(lines) if "this shows it again" in line) + 1]


OPTIONAL = """#ifndef N
#define N 1
#endif
chan c = [1] of { byte }; byte x; chan d = [0] of { byte };
ltl small { [] (x < 2) }
active proctype p() { c!1; c!2; x = N; assert(x != 3); end: c?2 }
active proctype q() { byte i; lab: for (i : 1 .. N) { x = 2 }; goto lab }
"""


def check_the_printed_command_works_as_printed(t):
    (t.folder / "a b").mkdir()
    t.file("a b/it's m.pml", OPTIONAL)
    t.file("m.pml", OPTIONAL)
    t.file("two tokens.pnml", (Path(t.source) / "models" / "philosophers.pnml").read_text())
    t.file("c.c", (Path(t.source) / "models" / "stack.c").read_text())
    for words, model in [([], "m.pml"), (["-D", "N=3", "--send-full", "lose"], "m.pml"), (["--end-queues", "empty"], "m.pml"),
                         (["--spin", "-DN=2", "--ltl", "[] (x < 1)"], "m.pml"), (["--claim", "small", "-D", "N=2"], "m.pml"),
                         (["--invariant", "x != 3", "-DN=3", "--send-full=lose"], "a b/it's m.pml"), ([], "c.c"),
                         (["--property", "deadlock", "--token-bits", "16"], "two tokens.pnml")]:
        done = t.run("check", *words, model, status=None)
        if model.endswith("pnml") and "no XML" in done.stderr:
            continue
        assert done.returncode == 1, (words, done.stdout, done.stderr)
        again = subprocess.run(["sh", "-c", printed(done.stdout)], cwd=t.folder, env=t.environment, capture_output=True,
                               text=True, stdin=subprocess.DEVNULL, timeout=60)
        assert again.returncode == 0 and "error" not in again.stderr, (words, again.stdout, again.stderr)
        assert again.stdout.splitlines()[0] == done.stdout.splitlines()[0], (words, again.stdout)


def check_the_command_of_a_model_from_standard_input(t):
    t.file("my m.pml", OPTIONAL)
    with open(t.folder / "my m.pml") as given:
        done = subprocess.run([t.cairn, "check", "-DN=1", "-"], cwd=t.folder, env=t.environment, capture_output=True, text=True,
                              stdin=given, timeout=60)
    assert printed(done.stdout).endswith(" trail - model.trail < 'my m.pml'"), done.stdout
    again = subprocess.run(["sh", "-c", printed(done.stdout)], cwd=t.folder, env=t.environment, capture_output=True, text=True,
                           timeout=60)
    assert again.returncode == 0 and again.stdout.startswith(done.stdout.splitlines()[0]), again.stderr
    done = t.run("check", "-", give=OPTIONAL + "\n", status=1)  # another model: the first trail stays
    assert "written to model-2.trail; this shows it again, with the model on standard input:" in done.stdout, done.stdout
    assert t.run("trail", "-", "model-2.trail", give=OPTIONAL + "\n").stdout.startswith(done.stdout.splitlines()[0])


def check_a_trail_has_its_own_options(t):
    names = trail_of(t, OPTIONAL, "m.pml", "-DN=3")
    said = t.run("trail", *names).stdout.splitlines()[0]
    assert said.startswith("violated: "), said
    t.error("trail", "--ltl", "[] (x < 9)", *names, says="or leave out --ltl, as the file has the options of its run")
    t.error("trail", "--chart", "--full", *names, says="--full has no effect with --chart")
    t.error("trail", "--html", "a.html", "--full", *names, says="--full has no effect with --html")
    t.error("check", "-q", "-v", "m.pml", says="--stats has no effect with --quiet")
    for command in ["check", "sim", "graph"]:
        t.error(command, "--claim", "smal", "m.pml", says="the model has no claim 'smal': it has small")
        t.error(command, "--claim", "small", "c.pml" if t.file("c.pml", "init { skip }\n") else "", says="nor any other: --ltl asks")


def check_trails_of_other_models_are_kept(t):
    (t.folder / "other").mkdir()
    t.file("m.pml", OPTIONAL)
    t.file("other/m.pml", OPTIONAL)

    def trail(*words):
        return t.check(*words, status=1)["trail"]
    assert trail("m.pml") == "m.trail" and trail("-DN=2", "m.pml") == "m-2.trail" and trail("-DN=3", "m.pml") == "m-3.trail"
    first = (t.folder / "m.trail").read_text()
    assert trail("other/m.pml") == "m-4.trail" and trail("-DN=2", "./m.pml") == "m-2.trail"
    assert (t.folder / "m.trail").read_text() == first
    t.file("m.pml", OPTIONAL.replace("x = 2", "x = 1 + 1"))  # an edited model is the same one
    assert trail("m.pml") == "m.trail" and (t.folder / "m.trail").read_text() != first
    assert trail("--invariant", "x == 0", "m.pml") == "m.trail" and trail("--trail", "m-2.trail", "m.pml") == "m-2.trail"
    assert trail("-DN=2", "m.pml") == "m-5.trail"


def svg_texts(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == space + "svg"
    return root, ["".join(e.itertext()) for e in root.iter(space + "text")], \
        [(e.find(space + "title").text, e.find(space + "path") is not None) for e in root.iter(space + "g")]


def check_the_chart_as_a_picture(t):
    names = trail_of(t, MESSAGES)
    assert t.run("trail", "--svg", "a.svg", *names).stdout == ""
    text = (t.folder / "a.svg").read_text()
    assert text.count("http") == 1 and "<script" not in text and "href" not in text  # the one is the name space
    root, texts, marks = svg_texts(t.folder / "a.svg")
    assert texts[0] == "m.pml: invalid end state after 8 steps" and texts[1:4] == ["sender[0]", "middle[1]", "receiver[2]"], texts
    assert marks == [("c!1  #1", False), ("#1 c: 1", True), ("r: 1", True), ("c!2  #2", False), ("#2 c: 2", True), ("r: 2", True),
                     ('printf("got %d <b>\\n", y)', False), ("r: 7", True)], marks
    chart = t.run("trail", "--chart", *names).stdout
    assert len(marks) == len([line for line in chart.splitlines() if re.match(r" +\d+  ", line)])
    assert t.run("trail", "--svg", "-", *names).stdout == text
    t.file("mine.svg", "mine")
    t.error("trail", "--svg", "mine.svg", *names, says="is not a chart")
    odd = trail_of(t, 'active proctype p() { printf("& < > \\t \xe9 ä %d", 1); assert(false) }\n'.encode().replace(b"\xc3\xa9", b"\xff"))
    t.run("trail", "--svg", "b.svg", *odd)
    assert svg_texts(t.folder / "b.svg")[2][0][0].startswith('printf("& < > \\t \ufffd ä')


def check_charts_of_models_in_c(t):
    t.file("m.c", (Path(t.source) / "models" / "stack.c").read_text())
    t.run("check", "-q", "m.c", status=1)
    chart = t.run("trail", "--chart", "m.c", "m.trail").stdout
    assert re.search(r"(?m)^ +P0 +P1$", chart) and re.search(r"(?m)^ +1  \* begin +\|$", chart), chart


LOOPS = """typedef M { byte v }; chan c = [2] of { M }; byte a[2], n;
active proctype p() { byte i; M m; c!1;
  for (i : 1 .. n + 2) { skip }
  for (i in a) { skip }
  for (m in c) { n = m.v }
  select (i : 5 .. 5);
  assert(false) }
"""


def check_the_parts_of_a_loop_are_shown_apart(t):
    names = trail_of(t, LOOPS)
    run = json_of(t, *names)["counterexample"]
    assert [s["moves"][0]["statement"] for s in run["steps"]] == [
        "c!1", "i = 1", "i <= n + 2", "skip", "i++", "i <= n + 2", "skip", "i++", "i > n + 2",
        "i = 0", "i <= 1", "skip", "i++", "i <= 1", "skip", "i++", "i > 1",
        "for (m in c): begins", "for (m in c): another message", "c?m", "c!m", "n = m.v",
        "for (m in c): the message is done", "for (m in c): no other message",
        "select (i : 5 .. 5): i = 5", "assert(false)"], run["steps"]
    t.file("m.pml", "byte n = 1; active proctype p() { byte i; select (i : 0 .. n); i == 7 }\n")
    shown = t.run("graph", "--format", "aut", "m.pml").stdout
    assert all(f'p[0]: {text}"' in shown for text in ["i = 0", "i < n", "i++", "select (i : 0 .. n)"]), shown
    t.file("m.pml", "byte n; active proctype p() { do :: n < 3 -> n++ :: n == 3 -> for (n : 0 .. 9) { n == 0 } od }\n")
    assert "n == 0, is 1" in t.run("check", "m.pml", status=1).stdout


def check_a_place_is_shown_once_in_a_step(t):
    body = "; ".join(f"n = {i}" for i in range(1, 31))
    names = trail_of(t, f"""byte n; chan c = [1] of {{ byte }};
active proctype p() {{ atomic {{ n = 7; n = 8;
  n = 9 }}; atomic {{ {body}; assert(false) }} }}
""")
    shown = t.run("trail", *names).stdout
    assert re.search(r"(?m)^ +1  p\[0\]  m\.pml:2  n = 7\n {18,}n = 8\n {8,}m\.pml:3  n = 9\n", shown), shown
    assert "n = 8\n" + " " * 8 + "… 19 statements left out …\n" in shown and "n = 28\n" in shown, shown
    assert "n = 9\n" not in shown.split("  2  p[0]")[1] and "n = 9\n" in t.run("trail", "--full", *names).stdout
    names = trail_of(t, f"""byte n; active proctype p() {{ atomic {{ {body.replace("n = 15", 'n = 15; printf("here")')}; assert(false) }} }}
""")
    shown = t.run("trail", *names).stdout
    assert '\n' + " " * 8 + "> here\n" in shown and "… 7 statements left out" in shown, shown


# ---- the page ------------------------------------------------------------------------------

NOTE = """({
  now: [...document.getElementById("steps").children].findIndex(li => li.classList.contains("now")),
  state: Object.fromEntries([...document.querySelectorAll("#state tr")].map(
    row => [row.children[0].textContent, row.children[1].textContent])),
  changed: [...document.querySelectorAll("#state tr.changed")].map(row => row.children[0].textContent),
  lines: [...document.querySelectorAll("#source .now")].map(line => line.firstChild.textContent),
  found: document.querySelectorAll("#steps .found").length,
  stuck: !document.getElementById("stuck").hidden && document.getElementById("stuck").textContent,
  steps: document.getElementById("steps").children.length,
  in_view: [document.querySelector("#state .changed td"), document.querySelector("#source .now"),
            document.querySelector("#steps .now")].every(e => {
    const r = e && e.getBoundingClientRect();
    return e && e.contains(document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2)); }),
  wide: document.documentElement.scrollWidth > innerWidth})"""


def in_browser(t, page, word):
    """What a browser shows after keys and clicks; None without one, which is said."""
    if browser.find() is None:
        print("SKIP the page is not opened: there is no chromium")
        return None
    seen = {}
    with browser.Browser(t.folder / page) as b:
        for name, keys in [("begin", []), ("two", ["ArrowDown", "j"]), ("one", ["ArrowUp"]), ("down again", ["j"]), ("k", ["k"]),
                           ("end", ["End"]), ("beyond", ["ArrowDown"]), ("home", ["Home"])]:
            for key in keys:
                b.key(key)
            seen[name] = b.value(NOTE)
        b.click("document.getElementById('steps').children[3]")
        seen["clicked"] = b.value(NOTE)
        b.key("/")
        b.type(word)
        seen["searched"] = b.value(NOTE)
        b.key("Enter")
        seen["next"] = b.value(NOTE)
        b.type("j")
        seen["typing"] = b.value(NOTE)
        b.key("Escape")
        seen["left"] = b.value(NOTE)
        assert b.asked == [(t.folder / page).as_uri()], b.asked
    return seen


def check_the_page_is_stepped_through(t):
    names = trail_of(t, MESSAGES)
    t.run("trail", "--html", "p.html", *names)
    page = (t.folder / "p.html").read_text()
    assert "http:" not in page and "https:" not in page and page.count("</script>") == 2 and "got 2 \\u003cb>" in page
    seen = in_browser(t, "p.html", "got 2")
    if seen is None:
        return
    run = t.check(names[0], status=1)["counterexample"]
    n = len(run["steps"])
    assert seen["begin"]["steps"] == n + 1 and not seen["end"]["wide"]
    assert [seen[k]["now"] for k in ["begin", "two", "one", "down again", "k", "end", "beyond", "home", "clicked"]] == \
        [0, 2, 1, 2, 1, n, n, 0, 3]
    for name, at in [("two", 2), ("clicked", 3), ("end", n)]:
        assert set(seen[name]["changed"]) == {c["name"] for c in run["steps"][at - 1]["changes"] if c["to"] is not None}, name
        assert seen[name]["lines"] == sorted({str(m["line"]) for m in run["steps"][at - 1]["moves"]}), name
    shown = {name: value for name, value in run["final"].items() if value not in ("0", "[]")}
    assert shown.items() <= seen["end"]["state"].items(), (shown, seen["end"]["state"])
    assert "middle[1]" in seen["end"]["stuck"] and "a message in c" in seen["end"]["stuck"] and not seen["two"]["stuck"]
    printed = next(s["step"] for s in run["steps"] if any(x["kind"] == "print" for m in s["moves"] for x in m["messages"]))
    assert seen["searched"]["found"] == 1 and seen["next"]["now"] == printed, seen["next"]
    assert seen["typing"]["now"] == printed and seen["left"]["found"] == 0


def check_the_page_of_a_long_run_is_small(t):
    names = trail_of(t, "/* a head */\n" * 70 + LONG)
    t.run("trail", "--html", "p.html", *names)
    page = t.folder / "p.html"
    run = json_of(t, *names)["counterexample"]
    assert len(run["steps"]) >= 100 and page.stat().st_size < 300_000, page.stat().st_size
    seen = in_browser(t, "p.html", "local_of_other")
    if seen is not None:
        assert seen["end"]["now"] == len(run["steps"]) and seen["searched"]["found"] == 1
        assert [seen[name]["in_view"] for name in ("two", "end", "clicked", "next")] == [True] * 4


def check_pages_of_all_languages(t):
    """Each has its steps, and says at the last one what is wrong: also a cycle, a net, a model in C, a failed index."""
    t.file("f.dve", "byte a[2]; process P { byte i; state s; init s; trans s -> s { effect i = i + 1, a[i] = 1; }; }\nsystem async;\n")
    for name in "peterson.dve", "philosophers.pnml", "stack.c":
        t.file(name, (Path(t.source) / "models" / name).read_text())
    for words, said, mark in [(["f.dve"], "index of 'a'", ".fault"), (["peterson.dve", "--ltl", "<> P.critical"], "does not hold", ".fault"),
                              (["philosophers.pnml", "--property", "deadlock"], "deadlock", "#stuck tr"), (["stack.c"], "popped", "code")]:
        done = t.run("check", "-q", *words, status=None)
        if "no XML" in done.stderr:
            continue
        trail = Path(words[0]).stem + ".trail"
        t.run("trail", "--html", "p.html", "--force", words[0], trail)
        n = len(json_of(t, words[0], trail)["counterexample"]["steps"])
        if browser.find() is None:
            print("SKIP the pages are not opened: there is no chromium")
            return
        with browser.Browser(t.folder / "p.html") as b:
            b.key("End")
            seen = b.value(NOTE)
            assert seen["now"] == n and seen["steps"] == n + 1 and not seen["wide"], (words, seen)
            assert said in b.value("document.getElementById('verdict').textContent"), words
            assert b.value(f"document.querySelector('{mark}').textContent") != "", words


def check_files_of_the_user_are_kept(t):
    names = trail_of(t, MESSAGES)
    t.file("mine.html", "my own page")
    t.error("trail", "--html", "mine.html", *names, says="is not a page")
    t.error("trail", "--html", "m.pml", *names, says="--html names the model itself")
    t.run("trail", "--html", "mine.html", "--force", *names)
    t.run("trail", "--html", "mine.html", *names)
    assert t.run("trail", "--html", "-", *names).stdout == (t.folder / "mine.html").read_text()
    t.error("trail", "--json", "m.trail", *names, says="was read")


def check_prints_of_what_cannot_be_worked_out(t):
    t.file("m.pml", 'byte a[2], i = 5;\nactive proctype P() {\n  atomic { printf("%d %d.\\n", a[i], 7); printf("%d %d.\\n", 7, 1 / (i - 5)) }\n'
                    '  printf("%d %d.\\n", a[i - 4], i);\n  assert(false)\n}\n')
    for compiler in ["tcc", "cc"]:
        assert t.run("sim", "-q", "--seed", "1", "--compiler", compiler, "m.pml", status=1).stdout == "? 7.\n7 ?.\n0 5.\n"
    assert "> ? 7." in t.run("check", "m.pml", status=1).stdout


if __name__ == "__main__":
    sys.exit(main(globals()))
