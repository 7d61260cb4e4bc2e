#!/usr/bin/env python3
"""The command line, end to end: Petri nets.

    nets.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import json
import os
import resource
import subprocess
import sys

from harness import contradictions, main

SPACE = 'xmlns="http://www.pnml.org/version-2009/grammar/pnml"'
KIND = "http://www.pnml.org/version-2009/grammar/symmetricnet"


def net(inside, declarations="", kind=KIND):
    if declarations:
        declarations = f"<declaration><structure><declarations>{declarations}</declarations></structure></declaration>"
    return f'<pnml {SPACE}>\n<net id="n" type="{kind}">{declarations}<page id="g">\n{inside}\n</page></net></pnml>\n'


def place(name, tokens=0, sort="", marking=""):
    if sort:
        sort = f"<type><structure>{sort}</structure></type>"
    if marking:
        marking = f"<hlinitialMarking><structure>{marking}</structure></hlinitialMarking>"
    elif tokens:
        marking = f"<initialMarking><text>{tokens}</text></initialMarking>"
    return f'<place id="{name}">{sort}{marking}</place>\n'


def arc(source, target, weight=None, term=None):
    inside = "" if weight is None else f"<inscription><text>{weight}</text></inscription>"
    if term is not None:
        inside = f"<hlinscription><structure>{term}</structure></hlinscription>"
    return f'<arc id="{source}-{target}" source="{source}" target="{target}">{inside}</arc>\n'


def transition(name, condition=""):
    if condition:
        condition = f"<condition><structure>{condition}</structure></condition>"
    return f'<transition id="{name}">{condition}</transition>\n'


def use(name):
    return f'<usersort declaration="{name}"/>'


def var(name):
    return f'<variable refvariable="{name}"/>'


def enum(name, values, element="cyclicenumeration"):
    constants = "".join(f'<feconstant id="{v}" name="{v}"/>' for v in values)
    return f'<namedsort id="{name}" name="{name}"><{element}>{constants}</{element}></namedsort>'


def variable(name, sort):
    return f'<variabledecl id="{name}" name="{name}">{use(sort)}</variabledecl>'


def of(word, *operands, **attributes):
    text = "".join(f' {k}="{v}"' for k, v in attributes.items())
    return f"<{word}{text}>" + "".join(f"<subterm>{o}</subterm>" for o in operands) + f"</{word}>"


COUNTER = net(place("p", 1) + place("q") + transition("t") + arc("p", "t") + arc("t", "q") + transition("u") +
              arc("q", "u") + arc("u", "p"))
GROWING = net(place("p", 1) + place("q") + transition("t") + arc("p", "t") + arc("t", "p") + arc("t", "q"))
# Four seats in a ring, one walker who goes on to the next seat, or back where the seat is not the first.
RING = net(place("at", sort=use("S"), marking='<useroperator declaration="s2"/>') + transition("on") +
           arc("at", "on", term=var("x")) + arc("on", "at", term=of("successor", var("x"))) +
           transition("back", of("inequality", var("x"), '<useroperator declaration="s0"/>')) +
           arc("at", "back", term=var("x")) + arc("back", "at", term=of("predecessor", var("x"))),
           enum("S", ["s0", "s1", "s2", "s3"]) + variable("x", "S"))


def check_library_is_loaded_for_nets_only(t):
    (t.folder / "broken").mkdir()
    for name in ("libxml2.so.2", "libxml2.so.16"):
        t.file("broken/" + name, "this is no library")
    t.environment["LD_LIBRARY_PATH"] = str(t.folder / "broken")
    t.file("m.pml", "active proctype p() { skip }\n")
    t.run("check", "m.pml")
    t.file("m.pnml", COUNTER)
    t.error("check", "m.pnml", says="install libxml2")


def check_library_is_counted(t):
    t.file("m.pml", "active proctype p() { skip }\n")
    t.file("m.pnml", COUNTER)
    if t.is_sanitized():
        return
    t.run("check", "m.pml", "--memory", "6M")
    t.error("check", "m.pnml", "--memory", "6M", status=3, says="memory budget was reached")


def count(t, text, *words):
    t.file("m.pnml", text)
    answer = t.check("m.pnml", "--property", "safety", "--self-check", *words)
    return answer["states"]["stored"], answer["events"], answer["deadlocks"]


def check_place_transition_nets(t):
    assert count(t, COUNTER) == (2, 2, 0)
    # Weights; two arcs between the same nodes add up; a transition without an input.
    assert count(t, net(place("p", 7) + transition("t") + arc("p", "t", 2) + arc("p", "t", 1))) == (3, 2, 1)
    # A token that is lost on its way, and one that becomes two.
    lost = place("p", 1) + place("q") + transition("t") + arc("p", "t") + arc("t", "q") + transition("u") + arc("q", "u")
    assert count(t, net(lost)) == (3, 2, 1)
    assert count(t, net(lost + arc("u", "p") + arc("u", "q") + place("r", 1) + arc("r", "u"))) == (4, 3, 1)
    assert count(t, net(lost + transition("v") + arc("q", "v") + arc("v", "p"))) == (3, 3, 1)
    loop = net(place("p", 1) + place("q") + transition("t") + arc("p", "t") + arc("t", "p"))
    assert count(t, loop) == (1, 1, 0)
    t.file("m.pnml", net(place("q") + transition("t") + arc("t", "q")))
    assert t.check("m.pnml", "--max-depth", "3", status=3)["states"]["stored"] == 4
    # Nothing at all.
    assert count(t, net("")) == (1, 0, 1)


def check_printed_nets(t):
    """Those of models/nets.py: the counts of table 6.1 of the ComBack paper, with its first step."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for name, n, states, events in (("philosophers", 22, 39604, 481625), ("database", 9, 59051, 314947), ("database", 10, 196832, 1181001)):
        file = "%s/bench/suites/nets/%s-%d.pnml" % (root, name, n)
        printed = subprocess.run([sys.executable, root + "/models/nets.py", name, str(n)], capture_output=True, text=True, check=True)
        with open(file) as f:
            assert f.read() == printed.stdout, file
        for store in ("full", "comback"):
            found = t.check(file, "--property", "safety", "--store", store)
            assert (found["states"]["stored"], found["events"]) == (states, events), (file, store, found)


def printed(root, name, n):
    return subprocess.run([sys.executable, root + "/models/nets.py", name, str(n)], capture_output=True, text=True, check=True).stdout


def check_states_that_are_not_reached_again(t):
    """The examples of Parashkevov and Yantchev: states as in their tables 1 and 2, the most stored at a time near to theirs.
    What stays in the end comes from states that cannot be reached."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for name, n, states, most, stay in (
            ("forks", 3, 154, 80, 3), ("forks", 4, 832, 390, 4), ("forks", 5, 4474, 2000, 5), ("forks", 6, 24040, 10400, 6),
            ("schedulers", 3, 33, 11, 0), ("schedulers", 5, 193, 50, 0), ("schedulers", 7, 1025, 215, 0), ("schedulers", 9, 5121, 850, 0),
            ("schedulers", 11, 24577, 3350, 0), ("puzzle", 0, 25955, 1600, 0)):
        t.file("m.pnml", printed(root, name, n))
        plain = t.check("m.pnml", "--property", "safety")
        for order in ("bfs", "dfs", "bbfs:8", "random", "best:pseudo-root"):
            got = t.check("m.pnml", "--property", "safety", "--forget", "pseudo-root", "--order", order)
            s = got["states"]
            assert (s["visited"], s["reached"], s["revisited"], s["stored"]) == (states, states, 0, stay), (name, n, order, s)
            assert (s["kept_unreached"], s["kept_full"]) == (stay, 0), (name, n, order, s)
            assert (got["events"], got["deadlocks"]) == (plain["events"], plain["deadlocks"]), (name, n, order)
            assert s["peak_stored"] <= most or order != "bfs", (name, n, s["peak_stored"])
    solved = ["--property", "safety", "--invariant", "big_1_3 == 0"]
    far = t.check("m.pnml", *solved, status=1)
    got = t.check("m.pnml", *solved, "--forget", "pseudo-root", status=1)
    assert got["states"]["kept_unreached"] is None and got["error"]["length"] == far["error"]["length"] and got["states"]["visited"] == far["states"]["visited"]
    # With less room than that everything is visited, or it is said why not.
    t.file("m.pnml", printed(root, "schedulers", 7))
    ended = 0
    for order in ("bfs", "dfs", "bbfs:8", "alt:2,2", "random", "best:pseudo-root"):
        words = ["--property", "safety", "--order", order, "--forget"]
        most = t.check("m.pnml", *words, "pseudo-root")["states"]["peak_stored"]
        for part in (90, 50, 30, 10):
            done = t.run("check", "--json", "-", "m.pnml", *words, "pseudo-root,size=%d" % (most * part // 100), status=None)
            got = json.loads(done.stdout)
            assert not contradictions(got, done.returncode), contradictions(got, done.returncode)
            s, whole = got["states"], got["limit"] is None
            assert got["verdict"] == ("verified" if whole else "inconclusive"), (order, part, got)
            assert whole or got["limit"] in ("the tree of open states no longer fits the cache", "states were visited too often"), got["limit"]
            assert s["peak_stored"] == most * part // 100 and (not whole or s["visited"] >= 1025), (order, part, s)
            ended += whole
    assert ended >= 4, ended
    t.file("m.pnml", printed(root, "forks", 3))
    t.check("m.pnml", "--property", "safety", "--forget", "pseudo-root", "--self-check")
    # Tokens get fewer: there are never three, so what would have led here from three does not keep a marking.
    t.file("m.pnml", net(place("p", 2) + place("q") + place("r") + "".join(transition(x) for x in "tuv") + arc("p", "t") + arc("t", "q") +
                         arc("q", "u") + arc("u", "r") + arc("r", "v")))
    got = t.check("m.pnml", "--property", "safety", "--forget", "pseudo-root", "--self-check")["states"]
    assert (got["visited"], got["stored"]) == (10, 0), got


def check_automata_that_are_not_reached_again(t):
    """The same examples as automata in DVE that shake hands: the philosophers keep exactly what their net does."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for name, n, states, most, stay in (
            ("forks", 3, 154, 78, 3), ("forks", 4, 832, 388, 4), ("forks", 5, 4474, 1990, 5), ("forks", 6, 24040, 10371, 6),
            ("schedulers", 3, 33, 11, 0), ("schedulers", 5, 193, 47, 0), ("schedulers", 7, 1025, 206, 0), ("schedulers", 9, 5121, 822, 0),
            ("schedulers", 11, 24577, 3274, 0)):
        text = subprocess.run([sys.executable, root + "/models/automata.py", name, str(n)], capture_output=True, text=True, check=True).stdout
        t.file("m.dve", text)
        for order in ("bfs", "dfs", "bbfs:8", "random", "best:pseudo-root"):
            s = t.check("m.dve", "--property", "safety", "--forget", "pseudo-root", "--order", order)["states"]
            assert (s["visited"], s["revisited"], s["kept_unreached"], s["kept_full"]) == (states, 0, stay, 0), (name, n, order, s)
            assert s["peak_stored"] <= most or order != "bfs", (name, n, s["peak_stored"])


def check_an_element_that_a_location_does_not_allow(t):
    """Where it is known only from the state which element was stored: as many states are counted as are listed."""
    t.file("m.dve", "byte g = 1; byte a[2] = {2, 1};"
           "process P { byte v = 1; state s, t, u, w; init t; trans s -> u { effect a[(g * P.s) & 1] = 1; }, t -> w { effect v = 0, g = 0; }; }"
           "process Q { byte k = 2; state s, t, u; init s; trans t -> t { effect a[1] = 0; }, u -> t {},"
           " s -> u { effect a[(Q.s imply Q->k) & 1] = (a[1] > g * g | g) % 3; }; } system async;")
    assert t.check("m.dve", "--property", "safety", "--forget", "pseudo-root", "--self-check")["states"]["visited"] == 8


def check_more_tokens_than_there_is_room_for(t):
    """By one event, into an empty place."""
    t.file("m.pnml", net(place("s", 1) + place("p") + place("z") + transition("t") + transition("u") + arc("s", "t") + arc("t", "s") +
                         arc("t", "p", 300) + arc("p", "u") + arc("u", "z")))
    answer = t.check("m.pnml", "--property", "safety", status=1)
    assert answer["error"]["kind"] == "model-error" and answer["error"]["length"] == 1, answer["error"]


def check_slots_of_every_size(t):
    # A unit of more than 256 places, counters of two and four bytes, and of one byte after them.
    seats = [f"s{i}" for i in range(300)]
    text = net(place("at", sort=use("S"), marking='<useroperator declaration="s2"/>') + place("p", 100000) + place("q", 300) + place("r", 1) +
               place("u") + transition("on") + arc("at", "on", term=var("x")) + arc("on", "at", term=of("successor", var("x"))) +
               transition("t") + arc("p", "t", 40000) + transition("v") + arc("q", "v", 200) + arc("r", "v") + arc("v", "u", 3),
               enum("S", seats) + variable("x", "S"))
    assert count(t, text, "--invariant", "at == 1 and p + q + r + u <= 100301 and (q == 300 or u == 3)") == (300 * 3 * 2, 300 * (3 * 2 + 2 * 2 + 3), 0)
    slots = {v["name"]: (v["bytes"], v["bits"]) for v in json.loads(t.run("info", "m.pnml", "--json", "-").stdout)["variables"]}
    assert slots["at<s0>|..|at<s299>"] == (2, 9) and slots["p"] == (4, 17) and slots["q"] == (2, 9), slots
    assert count(t, text, "--store", "tree", "--order", "dfs")[0] == 1800
    # At the borders: units whose last place is the last that a byte tells apart, and one more; every number of
    # tokens that a byte holds, first in one place, then in the other.
    for n in (255, 256, 257):
        text = net(place("at", sort=use("S"), marking='<useroperator declaration="s2"/>') + transition("on") +
                   arc("at", "on", term=var("x")) + arc("on", "at", term=of("successor", var("x"))),
                   enum("S", seats[:n]) + variable("x", "S"))
        assert count(t, text) == (n, n, 0), n
    moves = net(place("p", 255) + place("q") + transition("t") + arc("p", "t") + arc("t", "q") + transition("u") +
                arc("q", "u", 2) + arc("u", "p", 2))
    assert count(t, moves) == (256, 255 + 254, 0)
    # Long vectors: components of several words.
    many = "".join(place(f"p{i}", 1) + place(f"q{i}") + transition(f"t{i}") + arc(f"p{i}", f"t{i}") + arc(f"t{i}", f"q{i}", 1 + i % 2)
                   for i in range(700))
    t.file("m.pnml", net(many))
    for store in ("full", "tree", "collapse"):
        answer = t.check("m.pnml", "--max-depth", "1", "--store", store, status=3)
        assert answer["states"]["stored"] == 701, answer["states"]
    t.check("m.pnml", "--max-states", "40", "--self-check", status=3)
    # A way along which one counter after the other gets tokens, and one loses them at the end: markings are packed from each other.
    steps = place("end") + place("at600") + "".join(place(f"at{i}", int(i == 0)) + place(f"c{i}") for i in range(600)) + "".join(
        transition(f"t{i}") + arc(f"at{i}", f"t{i}") + arc(f"t{i}", f"at{i + 1}") + arc(f"t{i}", f"c{i}", 1 + i % 3) +
        transition(f"u{i}") + arc("at600", f"u{i}") + arc(f"c{i}", f"u{i}", 1 + i % 3) + arc(f"u{i}", "end") for i in range(600))
    for order, store in (("bfs", "full"), ("dfs", "full"), ("bfs", "tree"), ("bfs", "comback")):
        assert count(t, net(steps), "--order", order, "--store", store) == (1201, 1200, 600), (order, store)
    marking = t.check("m.pnml", "--property", "safety")["marking"]
    assert marking == {"most": 1 + 200 * 6, "most_in_place": 3}, marking


def check_names_and_places_in_trails(t):
    t.file("m.pnml", RING)
    done = t.run("check", "m.pnml", "--invariant", "at<s0> == 0", status=1)
    assert "violated: invariant 'at<s0> == 0' fails after 2 steps" in done.stdout, done.stdout
    assert "on<x=s3>" in done.stdout or "back<x=s1>" in done.stdout, done.stdout
    shown = t.run("trail", "m.pnml", "m.trail").stdout
    assert "at<s0>|..|at<s3> = at<s2>" in shown, shown
    assert "fails" in shown and "at<s0>" in shown, shown
    t.file("other.pnml", COUNTER)
    t.error("trail", "other.pnml", "m.trail", says="is no trail of")
    info = t.run("info", "m.pnml").stdout
    assert "at<s0>|..|at<s3>" in info and "net         4 places, 7 transitions" in info, info
    assert json.loads(t.run("info", "m.pnml", "--json", "-").stdout)["language"] == "pnml"
    t.run("sim", "m.pnml", "--seed", "1")
    assert "on<x=s0>" in t.run("graph", "m.pnml").stdout


def check_symmetric_nets(t):
    assert count(t, RING) == (4, 7, 0)
    # All, a product, a tuple, a difference: every pair but those of x itself.
    pairs = '<namedsort id="P" name="P"><productsort>' + use("S") * 2 + "</productsort></namedsort>"
    every = of("tuple", var("x"), f"<all>{use('S')}</all>")
    text = net(place("free", sort=use("S"), marking=f"<all>{use('S')}</all>") + place("sent", sort=use("P")) +
               transition("send") + arc("free", "send", term=var("x")) +
               arc("send", "sent", term=of("subtract", every, of("tuple", var("x"), var("x")))),
               enum("S", ["a", "b", "c"]) + pairs + variable("x", "S"))
    assert count(t, text, "--invariant", "free<a> <= 1 and sent<a,a> == 0") == (8, 12, 1)
    answer = t.check("m.pnml")
    assert answer["marking"] == {"most": 6, "most_in_place": 1}, answer["marking"]
    # A range, whose constants are integers; numbers of tokens.
    span = '<finiteintrange start="2" end="4"/>'
    three = f'<finiteintrangeconstant value="3">{span}</finiteintrangeconstant>'
    number = '<numberconstant value="2"><positive/></numberconstant>'
    text = net(place("p", sort=use("R"), marking=of("numberof", number, three)) + place("q", sort="<dot/>") +
               transition("t", of("greaterthan", var("r"), f'<finiteintrangeconstant value="2">{span}</finiteintrangeconstant>')) +
               arc("p", "t", term=var("r")) + arc("t", "q", term=of("numberof", number, "<dotconstant/>")),
               f'<namedsort id="R" name="R">{span}</namedsort>' + variable("r", "R"))
    assert count(t, text) == (3, 2, 1)
    assert count(t, text, "--invariant", "p<3> + q >= 2", "--invariant", "p <= 2") == (3, 2, 1)


def check_partitions(t):
    parts = '<partition id="H" name="H">' + use("S") + "".join(
        f'<partitionelement id="h{i}" name="h{i}">' + "".join(f'<useroperator declaration="{v}"/>' for v in values) +
        "</partitionelement>" for i, values in enumerate((["a", "b"], ["c"]))) + "</partition>"
    low = of("equality", of("partitionelementof", var("x"), refpartition="H"), '<useroperator declaration="h0"/>')
    text = net(place("p", sort=use("S"), marking=f"<all>{use('S')}</all>") + transition("t", low) + arc("p", "t", term=var("x")),
               enum("S", ["a", "b", "c"]) + parts + variable("x", "S"))
    assert count(t, text) == (4, 4, 1)
    t.file("m.pnml", text.replace('<useroperator declaration="b"/></partitionelement>', "</partitionelement>"))
    assert "in no part" in t.run("check", "m.pnml", status=2).stderr


def check_conditions_and_parts(t):
    # "x = s0 implies x = s1" is "x is not s0".
    s0, s1 = (of("equality", var("x"), f'<useroperator declaration="{v}"/>') for v in ("s0", "s1"))
    unequal = of("inequality", var("x"), '<useroperator declaration="s0"/>')
    assert unequal in RING and count(t, RING.replace(unequal, of("imply", s0, s1))) == count(t, RING)
    # A token that is a part of a sort, taken for each of the values that are of that part.
    parts = '<partition id="H" name="H">' + use("S") + "".join(
        f'<partitionelement id="h{i}" name="h{i}">' + "".join(f'<useroperator declaration="{v}"/>' for v in values) +
        "</partitionelement>" for i, values in enumerate((["a"], ["b", "c"]))) + "</partition>"
    text = net(place("p", sort=use("H"), marking='<useroperator declaration="h1"/>') + place("q", sort=use("S")) +
               transition("t") + arc("p", "t", term=of("partitionelementof", var("x"), refpartition="H")) +
               arc("t", "q", term=var("x")), enum("S", ["a", "b", "c"]) + parts + variable("x", "S"))
    assert count(t, text, "--invariant", "q<a> == 0") == (3, 2, 2)


def check_sets_that_need_going_back(t):
    # p5 holds one token at most: the set that says so is found after others were tried in vain.
    change = [((3,), (2, 4, 1)), ((1, 0, 4), (5, 4)), ((2, 4), (5,)), ((4, 1, 3), (5,)), ((1,), (1,))]
    t.file("m.pnml", net("".join(place(f"p{i}", int(i in (2, 3))) for i in range(6)) + "".join(
        transition(f"t{i}") + "".join(arc(f"p{k}", f"t{i}") for k in take) + "".join(arc(f"t{i}", f"p{k}") for k in put)
        for i, (take, put) in enumerate(change))))
    bits = {v["name"]: v["bits"] for v in json.loads(t.run("info", "m.pnml", "--json", "-").stdout)["variables"]}
    assert bits["p5"] == 1, bits


def check_pages_and_references(t):
    text = net(place("p", 1) + '<page id="h"><referencePlace id="r" ref="s"/><referencePlace id="s" ref="p"/>' +
               transition("t") + arc("r", "t") + "</page>" + '<referenceTransition id="v" ref="t"/>' + place("q") + arc("v", "q"))
    assert count(t, text) == (2, 1, 1)
    t.file("m.pnml", text.replace('id="s" ref="p"', 'id="s" ref="r"'))
    assert "cycle" in t.run("check", "m.pnml", status=2).stderr
    t.file("m.pnml", text.replace('id="s" ref="p"', 'id="s" ref="t"'))
    assert "leads to a transition" in t.run("check", "m.pnml", status=2).stderr
    t.file("m.pnml", net('<toolspecific tool="x" version="1"><place id="p"/><net/></toolspecific>' + COUNTER[COUNTER.index("<place"):COUNTER.index("</page>")]))
    assert t.check("m.pnml")["states"]["stored"] == 2


def check_nets_that_are_refused(t):
    wrong = {
        "": "no XML",
        "<pnml>": "no XML",
        "<a/>": "this is no PNML",
        '<pnml xmlns="urn:else"><net id="n" type="ptnet"/></pnml>': "this is no PNML",
        "<pnml/>": "there is no net in it",
        net("", kind="http://www.pnml.org/version-2009/grammar/timednet"): "not supported",
        net("<inhibitor/>"): "'inhibitor' is not supported",
        net(place("p") + place("p")): "is taken by another node",
        net("<place/>"): "has no id",
        net(place("p", "x")): "'x' is no number of tokens",
        net(place("p", "-1")): "'-1' is no number of tokens",
        net(place("p", 1 << 40)): "no number of tokens",
        net(place("p") + transition("t") + arc("p", "t", -3)): "'-3' is no number of tokens",
        net(place("p") + arc("p", "x")): "there is no place or transition 'x'",
        net(place("p") + place("q") + arc("p", "q")): "from a place to another one",
        net(place("p") + transition("t") + '<arc id="a" source="p" target="t" type="inhibitor"/>'): "'inhibitor' are not supported",
        net(place("p", sort=use("S"))): "there is no sort 'S'",
        net(place("p", sort="<list/>")): "'list' is not supported",
        net("", '<namedsort id="A" name="A">' + use("A") + "</namedsort>"): "declared by itself",
        net("", enum("S", [])): "1 to 1000000 values",
        net("", enum("S", ["a", "a"])): "is taken by another value",
        net("", "<namedoperator/>"): "'namedoperator' is not supported",
        net(transition("t", "<contains/>")): "'contains' is not supported",
        net(place("p") + transition("t") + arc("p", "t", term="<append/>")): "'append' is not supported",
        net(place("p") + transition("t") + arc("p", "t", term=var("x"))): "there is no variable 'x'",
        net(place("p", marking=var("x")), enum("S", ["a"]) + variable("x", "S")): "only transitions and their arcs",
        net(place("p", sort=use("S")) + transition("t") + arc("p", "t"), enum("S", ["a"])): "has no hlinscription",
        net(place("p", sort=use("S"), marking="<dotconstant/>"), enum("S", ["a"])): "another sort",
        net('<place id="p"><type><text>S</text></type></place>'): "no structure",
    }
    for text, says in wrong.items():
        t.file("m.pnml", text)
        done = t.run("check", "m.pnml", status=2)
        assert says in done.stderr and "m.pnml:" in done.stderr, f"{text[:400]}\nsays: {done.stderr}"
    # The line of the element.
    t.file("m.pnml", net("\n\n" + place("p", "x")))
    assert "m.pnml:5:" in t.run("check", "m.pnml", status=2).stderr


def check_hostile_xml(t):
    bomb = '<?xml version="1.0"?><!DOCTYPE pnml [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(98 + i)} "{("&" + chr(97 + i) + ";") * 10}">' for i in range(9)) + "]><pnml>&j;</pnml>"
    t.file("m.pnml", bomb)
    t.error("check", "m.pnml", says="declares an entity")
    t.file("secret", "hidden text")
    t.file("m.pnml", '<!DOCTYPE pnml [<!ENTITY x SYSTEM "secret">]><pnml>&x;</pnml>')
    assert "hidden" not in t.error("check", "m.pnml", says="declares an entity").stderr
    t.file("m.pnml", '<!DOCTYPE pnml SYSTEM "http://127.0.0.1:9/x.dtd"><pnml/>')
    t.error("check", "m.pnml", says="there is no net in it")
    t.file("m.pnml", "<a>" * 100000)
    t.error("check", "m.pnml", says="nested more than 200 deep")
    t.file("m.pnml", COUNTER[:len(COUNTER) // 2])
    t.error("check", "m.pnml", says="no XML")
    t.file("m.pnml", "<!DOCTYPE pnml [<!ENa;>]><pnml/>")
    assert "internal error" not in t.error("check", "m.pnml", says="no XML").stderr


def check_large_files_take_linear_time(t):
    """Processor time, the least of three: three times that of linear reading passes, half of that of quadratic reading fails."""
    def seconds(n):
        body = "".join(place(f"p{i}", 1) for i in range(n)) + "".join(
            transition(f"t{i}") + arc(f"p{i}", f"t{i}") + arc(f"t{i}", f"p{(i + 1) % n}") for i in range(n))
        t.file("m.pnml", net("<!--" + " " * 100 * n + "-->" + body))
        taken = []
        for _ in range(3):
            began = resource.getrusage(resource.RUSAGE_CHILDREN)
            t.run("info", "m.pnml", "--json", "m.json")
            ended = resource.getrusage(resource.RUSAGE_CHILDREN)
            taken.append(ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime)
        return min(taken)
    few, many = seconds(3000), seconds(24000)
    assert many < 24 * few, f"8 times the text takes {many / few:.0f} times as long"


def check_bounds_of_places(t):
    # Two tokens of p are worth one of q: neither has a bound but by a sum with weights.
    t.file("m.pnml", net(place("p", 7) + place("q") + transition("t") + arc("p", "t", 2) + arc("t", "q") +
                         transition("u") + arc("q", "u") + arc("u", "p", 2)))
    bits = {v["name"]: v["bits"] for v in json.loads(t.run("info", "m.pnml", "--json", "-").stdout)["variables"]}
    assert bits == {"p": 3, "q": 2}, bits
    assert t.check("m.pnml", "--property", "safety")["states"]["stored"] == 4
    t.file("m.pnml", GROWING)
    done = t.run("check", "m.pnml", status=1)
    assert "where q has 255 tokens, and t puts 1 there" in done.stdout, done.stdout
    assert "place q would hold more than the 255 tokens" in done.stdout and "--token-bits 16" in done.stdout, done.stdout
    assert t.check("m.pnml", "--token-bits", "16", status=1)["error"]["length"] == 65536
    assert "65535 tokens" in t.run("trail", "m.pnml", "m-2.trail").stdout  # m.trail is of a net with other room
    t.run("check", "m.pnml", "--property", "one-safe", status=1)
    answer = t.check("m.pnml", "--invariant", "bounded(7)", status=1)
    assert answer["error"]["kind"] == "invariant" and answer["error"]["length"] == 8, answer["error"]
    answer = t.check("m.pnml", "--property", "9-bounded,7-bounded,8-bounded", status=1)
    assert answer["error"]["kind"] == "invariant" and answer["error"]["length"] == 8, answer["error"]
    assert "bounded(7)" in t.run("trail", "m.pnml", "m.trail").stdout + t.run("check", "m.pnml", "--property", "7-bounded", status=1).stdout
    for wrong in ("0-bounded", "-bounded", "x-bounded", "7-bound", "7", "2-deadlock", "99999999999999999999-bounded"):
        t.run("check", "m.pnml", "--property", wrong, status=2)
    t.file("m.pnml", COUNTER)
    t.run("check", "m.pnml", "--property", "one-safe")
    t.file("m.dve", "process P { state a; init a; } system async;")
    t.run("check", "m.dve", "--property", "one-safe", status=2)
    t.run("check", "m.dve", "--property", "2-bounded", status=2)


def check_largest_marking_of_a_resumed_search(t):
    t.file("m.pnml", net(place("p", 200) + place("q") + transition("t") + arc("p", "t", 2) + arc("t", "q")))
    assert t.check("m.pnml")["marking"] == {"most": 200, "most_in_place": 200}
    t.check("m.pnml", "--checkpoint", "c,0.000001", "--max-visits", "50", status=3)
    assert t.check("m.pnml", "--resume", "c")["marking"] == {"most": 200, "most_in_place": 200}


def check_largest_marking_that_is_reached_last(t):
    # Of the markings that follow from one the second has most tokens, all in a place that the first leaves empty.
    t.file("m.pnml", net(place("p", 1) + place("q") + place("r") + transition("t") + arc("p", "t") + arc("t", "q") +
                         transition("u") + arc("p", "u") + arc("u", "r", 3)))
    assert t.check("m.pnml")["marking"] == {"most": 3, "most_in_place": 3}


def check_reduced_invariants_over_two_places(t):
    """Two transitions commute, but an invariant sees which one was first, whichever is chosen."""
    t.file("m.pnml", net(place("a", 1) + place("b") + place("c", 1) + place("d") + transition("left") + transition("right") +
                         arc("a", "left") + arc("left", "b") + arc("c", "right") + arc("right", "d")))
    assert t.check("m.pnml", "--reduce", "por")["states"]["stored"] == 3
    for text in ("b <= d", "d <= b"):
        for words in ((), ("--order", "dfs")):
            t.run("check", "m.pnml", "--invariant", text, "--reduce", "por", *words, status=1)


def check_places_that_never_change_can_be_asked_for(t):
    t.file("m.pnml", net(place("p", 1) + place("still", 3) + place("q") + transition("t") + arc("p", "t") + arc("t", "q") + arc("still", "t", 2) +
                         arc("t", "still", 2) + transition("never") + arc("still", "never", 4) + arc("never", "still", 4) + arc("never", "p")))
    t.run("check", "m.pnml", "--invariant", "still == 3 && bounded(3) && !fireable(never)")
    t.run("check", "m.pnml", "--invariant", "bounded(2)", status=1)
    assert t.check("m.pnml")["marking"] == {"most": 4, "most_in_place": 3}
    assert "net         2 places, 1 transitions (3 and 2 in the text)" in t.run("info", "m.pnml").stdout
    done = t.run("check", "m.pnml", "--queries", "QuasiLiveness", "--queries", "StableMarking", "--queries", "OneSafe", "-q")
    assert [line.split()[2] for line in done.stdout.splitlines()] == ["FALSE", "TRUE", "FALSE"]


def check_invariants_over_markings(t):
    t.file("m.pnml", RING)
    for text in ("at == 1", "at<s0> + at<s1>+at<s2> + at<s3> = 1", "not (at<s0>>0 and at<s1> > 0)", "2 * at - 1 >= 1 || false",
                 "'at' >= \"at\" && !(at < 1)", "at<s0>==0 or fireable(on)", "fireable(on<x=s0>) == at<s0>", "bounded(1)"):
        t.run("check", "m.pnml", "--invariant", text)
    wrong = {"at <": "something is missing", "there": "there is no place 'there'", "(at": "is not closed",
             "at at": "should end here", "fireable(at)": "there is no transition 'at'", "'at": "has no end",
             "99999999999999999999": "too large", "(" * 500: "nested too deep", "at<s9> > 0": "place 'at' never has the colours <s9>",
             "at<9> == 0": "place 'at' never has the colours <9>", "ta<s1> == 0": "there is no place 'ta<s1>'",
             "fireable(on<x=s9>)": "transition 'on' never has the colours <x=s9>", "at<s1 > 0": "there is no place 's1'"}
    for text, says in wrong.items():
        t.error("check", "m.pnml", "--invariant", text, says=says)
    assert "did you mean 'at'?" in t.run("check", "m.pnml", "--invariant", "ar > 0", status=2).stderr
    assert t.check("m.pnml", "--order", "best:at<s0>")["states"]["stored"] == 4


QUERY = """<?xml version="1.0"?><property-set xmlns="http://mcc.lip6.fr/">%s</property-set>"""


def formula(name, inside):
    return f"<property><id>{name}</id><description>d</description><formula>{inside}</formula></property>"


def check_formulas(t):
    t.file("m.pnml", RING)
    tokens = "<tokens-count><place>at</place></tokens-count>"
    none, one = "<integer-constant>0</integer-constant>", "<integer-constant>1</integer-constant>"
    le = f"<integer-le>{one}{tokens}</integer-le>"
    fires = "<is-fireable><transition>back</transition></is-fireable>"
    always, some = "<all-paths><globally>%s</globally></all-paths>", "<exists-path><finally>%s</finally></exists-path>"
    t.file("f.xml", QUERY % "".join((
        formula("a", always % le), formula("b", some % f"<negation>{fires}</negation>"), formula("c", always % fires),
        formula("d", "<negation>" + some % f"<negation>{le}</negation>" + "</negation>"),
        formula("e", "<place-bound><place>at</place></place-bound>"), formula("f", some % "<deadlock/>"),
        formula("g", always % f"<disjunction>{le}{fires}</disjunction>"),
        formula("h", some % f"<conjunction>{le}<negation>{le}</negation></conjunction>"),
        formula("i", "<exists-path><next>" + fires + "</next></exists-path>"),
        formula("j", "<all-paths><finally>" + always % fires + "</finally></all-paths>"),
        formula("k", "<negation>" + some % fires + "</negation>"), formula("l", "<negation>" + always % fires + "</negation>"),
        formula("m", always % f"<integer-ge>{tokens}{none}</integer-ge>"),
        formula("n", some % f"<integer-gt>{none}{tokens}</integer-gt>"))))
    done = t.run("check", "m.pnml", "--queries", "f.xml", "--quiet", status=3)
    lines = done.stdout.splitlines()
    assert lines == [f"FORMULA {n} {v} TECHNIQUES EXPLICIT" for n, v in zip("abcdefgh", "TRUE TRUE FALSE TRUE 1 FALSE TRUE FALSE".split())] + \
        ["FORMULA i TRUE TECHNIQUES EXPLICIT", "FORMULA j CANNOT_COMPUTE"] + \
        [f"FORMULA {n} {v} TECHNIQUES EXPLICIT" for n, v in zip("klmn", "FALSE TRUE TRUE FALSE".split())], lines
    answer = json.loads(t.run("check", "m.pnml", "--queries", "f.xml", "--json", "-", status=3).stdout)
    assert answer["queries"][4] == {"id": "e", "answer": "1", "reason": None}
    assert answer["queries"][9]["reason"] == "formulas of CTL are not answered"
    t.error("check", "m.pnml", "--queries", "f.xml", "--json", "f.xml", "--force", says="was read, and is not written")
    # What one marking decides needs no more of them.
    t.file("f.xml", QUERY % (formula("b", some % f"<negation>{fires}</negation>") + formula("c", always % fires)))
    t.file("grow.pnml", GROWING)
    t.run("check", "m.pnml", "--queries", "f.xml", "--quiet")
    done = t.run("check", "grow.pnml", "--queries", "OneSafe", "--queries", "QuasiLiveness", "--quiet")
    assert done.stdout == "FORMULA OneSafe FALSE TECHNIQUES EXPLICIT\nFORMULA QuasiLiveness TRUE TECHNIQUES EXPLICIT\n"
    # A transition that never is enabled, whatever grows.
    t.file("never.pnml", GROWING.replace("</page>", place("r") + transition("never") + arc("r", "never") + "</page>"))
    done = t.run("check", "never.pnml", "--queries", "QuasiLiveness", "--quiet")
    assert done.stdout == "FORMULA QuasiLiveness FALSE TECHNIQUES EXPLICIT\n", done.stdout
    done = t.run("check", "grow.pnml", "--queries", "ReachabilityDeadlock", "--queries", "StableMarking", "--quiet", status=3)
    assert done.stdout == "FORMULA ReachabilityDeadlock CANNOT_COMPUTE\nFORMULA StableMarking TRUE TECHNIQUES EXPLICIT\n", done.stdout
    done = t.run("check", "m.pnml", "--queries", "StableMarking", "--queries", "QuasiLiveness", "--queries", "OneSafe", "-q")
    assert [line.split()[2] for line in done.stdout.splitlines()] == ["TRUE", "TRUE", "TRUE"]


def check_formulas_about_runs(t):
    """Of LTL, in files and on the command line: the same answers; a run that ends stays where it is."""
    t.file("m.pnml", RING)
    token = "<integer-le><integer-constant>1</integer-constant><tokens-count><place>at</place></tokens-count></integer-le>"
    fires = "<is-fireable><transition>%s</transition></is-fireable>"
    every, some = "<all-paths>%s</all-paths>", "<exists-path>%s</exists-path>"
    g, f, x, no = ("<%s>%%s</%s>" % (w, w) for w in ("globally", "finally", "next", "negation"))
    until = "<until><before>%s</before><reach>%s</reach></until>"
    both = "<conjunction>%s%s</conjunction>"
    step, back = fires % "on", fires % "back"
    told = [("a", every % (g % (f % step)), "[] <> fireable(on)"), ("b", every % (f % (g % token)), "<> [] at >= 1"),
            ("c", every % (until % (token, back)), "at >= 1 U fireable(back)"), ("d", every % (x % (x % step)), "X X fireable(on)"),
            ("e", every % (both % (f % back, g % token)), "<> fireable(back) && [] at >= 1"), ("f", every % step, "fireable(on)"),
            ("g", every % (no % (f % (no % token))), "! <> at < 1")]
    t.file("f.xml", QUERY % "".join(formula(name, inside) for name, inside, _ in told))
    lines = t.run("check", "m.pnml", "--queries", "f.xml", "--quiet").stdout.splitlines()
    for line, (name, _, text) in zip(lines, told):
        status = t.run("check", "m.pnml", "--ltl", text, "--trail", "r.trail", "--force", "--self-check", status=None).returncode
        assert line == f"FORMULA {name} {['TRUE', 'FALSE'][status]} TECHNIQUES EXPLICIT", (line, text)
    # E is the negation of A of the negation; and both with one about states, which has a search of its own.
    t.file("f.xml", QUERY % (formula("a", some % (g % (no % back))) + formula("b", "<negation>" + some % (g % (no % back)) + "</negation>")
                             + formula("c", every % (f % back)) + formula("d", every % (g % token))))
    lines = t.run("check", "m.pnml", "--queries", "f.xml", "--quiet").stdout.splitlines()
    first, second, third, fourth = (line.split()[2] for line in lines)
    assert first != second == third and fourth == "TRUE", lines
    # A lasso, its trail, an automaton, an end: the token is eaten, and nothing happens any more.
    t.file("end.pnml", net(place("p", 1) + place("q") + transition("go") + arc("p", "go") + arc("go", "q")))
    t.run("check", "end.pnml", "--ltl", "<> [] q == 1 && ! <> q == 2", "--cycles", "scc")
    answer = t.check("end.pnml", "--ltl", "[] <> p == 1", "--self-check", status=1)
    assert answer["error"]["kind"] == "acceptance-cycle" and answer["marking"] is not None
    t.run("trail", "end.pnml", "end.trail")
    t.file("a.hoa", t.run("automaton", "--negate", "--format", "hoa", "[] <> p == 1").stdout)
    assert t.check("end.pnml", "--claim", "a.hoa", status=1)["error"]["message"] == "automaton a.hoa accepts a run"
    t.error("check", "end.pnml", "--ltl", "<> r == 1", says="there is no place 'r'")
    t.error("check", "end.pnml", "--ltl", "<> p == 1", "--queries", "OneSafe", says="--queries is answered by itself")
    t.error("check", "end.pnml", "--claim", "none.hoa", says="none.hoa: No such file")


def check_formulas_that_are_refused(t):
    t.file("m.pnml", RING)
    some = "<exists-path><finally>%s</finally></exists-path>"
    wrong = {"<a/>": "no file of formulas", "<property-set>": "no XML", QUERY % "": "no formula in it",
             QUERY % "<property/>": "needs an id and a formula", QUERY % formula("a", "<deadlock/>"): "is no formula of the contest",
             QUERY % formula("a", some % "<maybe/>"): "'maybe' is not known",
             QUERY % formula("a", some % "<is-fireable><transition>up</transition></is-fireable>"): "no transition 'up'",
             QUERY % formula("a", "<place-bound><place>up</place></place-bound>"): "no place 'up'",
             QUERY % formula("a", some % "<negation/>"): "wrong number of operands",
             QUERY % formula("a", some % "<integer-constant>x</integer-constant>"): "is no integer",
             '<property-set xmlns="urn:else"/>': "no file of formulas: the outermost element is 'property-set' of 'urn:else'",
             # What is left over is no part of a formula, and not passed over.
             QUERY % formula("a", 2 * (some % "<deadlock/>")): "needs an id and a formula",
             QUERY % formula("a", some % "<deadlock/><true/>"): "'finally' has a wrong number of operands",
             QUERY % formula("a", some.replace("%s", "<deadlock/>").replace("</e", "<true/></e")): "'exists-path' has a wrong number",
             QUERY % formula("a", "<negation>%s</negation>" % (2 * (some % "<deadlock/>"))): "'negation' has a wrong number",
             QUERY % formula("a", "<exists-path/>"): "'exists-path' has a wrong number",
             QUERY % formula("a", "<all-paths><globally><finally><deadlock/><true/></finally></globally></all-paths>"):
             "'finally' has a wrong number",
             QUERY % formula("a", "<negation><place-bound><place>at</place></place-bound></negation>"): "cannot be negated"}
    for text, says in wrong.items():
        t.file("f.xml", text)
        t.error("check", "m.pnml", "--queries", "f.xml", says=says)
    t.error("check", "m.pnml", "--queries", "missing.xml", says="missing.xml")
    t.error("check", "m.pnml", "--queries", "OneSafe", "--reduce", "edge-lean", says="--queries needs")
    t.file("m.dve", "process P { state a; init a; } system async;")
    t.error("check", "m.dve", "--queries", "OneSafe", says="is for Petri nets")


def check_what_transitions_lack(t):
    t.file("m.pnml", net(place("p", 1) + place("q") + place("r") + transition("go") + arc("p", "go") + arc("go", "q")
                         + transition("pair") + arc("q", "pair", 2) + arc("pair", "r") + transition("both")
                         + arc("q", "both", 3) + arc("r", "both") + arc("both", "p"), kind="http://www.pnml.org/version-2009/grammar/ptnet"))
    answer = json.loads(t.run("check", "--property", "deadlock", "--json", "-", "m.pnml", status=1).stdout)
    (marking,) = answer["stuck"]
    assert marking["process"] is None and marking["left_out"] == 0
    assert [(w["statement"], w["needs"]) for w in marking["waits"]] == [
        ("go", "1 token in p, has 0"), ("pair", "2 tokens in q, has 1"),
        ("both", "3 tokens in q, has 1; 1 token in r, has 0")], marking["waits"]
    shown = t.run("check", "--property", "deadlock", "m.pnml", status=1).stdout
    assert "pair needs 2 tokens in q, has 1" in shown, shown
    answer = json.loads(t.run("check", "--invariant", "p + r >= 1", "--json", "-", "m.pnml", status=1).stdout)
    assert answer["error"]["values"] == "p = 0, r = 0", answer["error"]


if __name__ == "__main__":
    sys.exit(main(globals()))
