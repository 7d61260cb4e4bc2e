#!/usr/bin/env python3
"""Prints nets of any size, in PNML.

    nets.py philosophers N     dining philosophers who take both forks at once
    nets.py database N         managers of a replicated database, who update it one at a time
    nets.py forks N            dining philosophers who sit down and take one fork after the other
    nets.py schedulers N       a scheduler that starts N processes in turn
    nets.py puzzle 0           a puzzle of ten sliding pieces on a board of 4 by 5 cells

The first two begin with one step that puts everything in place, as the models of "The ComBack Method"
(Westergaard, Kristensen, Brodal and Arge 2007) do: so there are L(N) + 1 states of the
philosophers, L the numbers of Lucas, and N * 3^(N-1) + 2 of the managers. The managers are those of
Genrich and Lautenbach, in the form of Jensen's "Coloured Petri Nets".

The others are the examples of Parashkevov and Yantchev, "Space efficient reachability analysis through
use of pseudo-root states" (1997), as far as their counts of states show how these were meant: Hoare's philosophers
("Communicating Sequential Processes"); Milner's scheduler ("Communication and Concurrency") with (N+1) * 2^N + 1 states, in
which a cell passes the token on when the next one is idle, and is busy until its process is done, and a first
step puts the token into one of the N + 1 cells, one of which is that of the starter; and the
puzzle Klotski, with the large piece at big_1_0 at first, and at big_1_3 at last.
"""
import sys

VAR, SORT = '<variable refvariable="%s"/>', '<usersort declaration="%s"/>'


def pair(*of):
    return "<tuple>%s</tuple>" % "".join("<subterm>%s</subterm>" % o for o in of)


def both(name, *of):
    return "<%s>%s</%s>" % (name, "".join("<subterm>%s</subterm>" % o for o in of), name)


def everyone(sort):
    return "<all>%s</all>" % (SORT % sort)


DOT = "<dotconstant/>"
X, Y = VAR % "x", VAR % "y"


def philosophers():
    next_one = "<successor><subterm>%s</subterm></successor>" % X
    forks = both("add", X, next_one)
    places = {"start": ("Dot", DOT), "think": ("N", None), "fork": ("N", None), "eat": ("N", None)}
    arcs = [("start", "begin", DOT), ("begin", "think", everyone("N")), ("begin", "fork", everyone("N")),
            ("think", "take", X), ("fork", "take", forks), ("take", "eat", X),
            ("eat", "give", X), ("give", "think", X), ("give", "fork", forks)]
    return places, {"begin": None, "take": None, "give": None}, arcs


def database():
    others = both("subtract", pair(X, everyone("N")), pair(X, X))
    message = pair(X, Y)
    places = {"start": ("Dot", DOT), "inactive": ("N", None), "waiting": ("N", None), "performing": ("N", None),
              "passive": ("Dot", None), "active": ("Dot", None), "sent": ("NN", None), "received": ("NN", None),
              "acknowledged": ("NN", None)}
    arcs = [("start", "begin", DOT), ("begin", "inactive", everyone("N")), ("begin", "passive", DOT),
            ("inactive", "send", X), ("passive", "send", DOT), ("send", "waiting", X), ("send", "active", DOT),
            ("send", "sent", others),
            ("sent", "receive", message), ("inactive", "receive", Y), ("receive", "received", message),
            ("receive", "performing", Y),
            ("received", "reply", message), ("performing", "reply", Y), ("reply", "acknowledged", message),
            ("reply", "inactive", Y),
            ("waiting", "collect", X), ("active", "collect", DOT), ("acknowledged", "collect", others),
            ("collect", "inactive", X), ("collect", "passive", DOT)]
    return places, {"begin": None, "send": None, "receive": None, "reply": None, "collect": None}, arcs


def forks():
    next_one = "<successor><subterm>%s</subterm></successor>" % X
    step = [("think", "sit", "seated", None, None), ("seated", "left", "one", X, None), ("one", "right", "both", next_one, None),
            ("both", "drop", "other", None, X), ("other", "leave", "done", None, next_one), ("done", "rise", "think", None, None)]
    places = {source: ("N", everyone("N") if source == "think" else None) for source, *_ in step}
    places["fork"] = ("N", everyone("N"))
    arcs = []
    for source, transition, target, takes, gives in step:
        arcs += [(source, transition, X), (transition, target, X)]
        arcs += [("fork", transition, takes)] if takes else []
        arcs += [(transition, "fork", gives)] if gives else []
    return places, {transition: None for _, transition, *_ in step}, arcs


def schedulers():
    next_one = "<successor><subterm>%s</subterm></successor>" % X
    first = '<useroperator declaration="n1"/>'
    places = {"start": ("Dot", DOT), "token": ("N", None), "idle": ("N", None), "busy": ("N", None)}
    arcs = [("start", "begin", DOT), ("begin", "token", first), ("begin", "idle", both("subtract", everyone("N"), first)),
            ("token", "pass", X), ("idle", "pass", next_one), ("pass", "busy", X), ("pass", "token", next_one),
            ("busy", "end", X), ("end", "idle", X)]
    return places, {"begin": None, "pass": None, "end": None}, arcs


SHAPES = {"big": (2, 2), "tall": (1, 2), "wide": (2, 1), "small": (1, 1)}


def cells(shape, x, y):
    return {(x + i, y + k) for i in range(SHAPES[shape][0]) for k in range(SHAPES[shape][1])}


def puzzle(out):
    """An ordinary net: a place for each empty cell, and for each kind of piece at each place."""
    at = {(shape, x, y) for shape, (w, h) in SHAPES.items() for x in range(5 - w) for y in range(6 - h)}
    begin = {("big", 1, 0), ("wide", 1, 2), ("small", 1, 3), ("small", 2, 3), ("small", 0, 4), ("small", 3, 4)} | {
        ("tall", x, y) for x in (0, 3) for y in (0, 2)}
    full = set().union(*(cells(*piece) for piece in begin))
    out('<?xml version="1.0" encoding="UTF-8"?>\n<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">\n'
        '<net id="puzzle" type="http://www.pnml.org/version-2009/grammar/ptnet">\n<page id="page">\n')
    one = "<initialMarking><text>1</text></initialMarking>"
    for x, y in sorted((x, y) for x in range(4) for y in range(5)):
        out('<place id="empty_%d_%d">%s</place>\n' % (x, y, "" if (x, y) in full else one))
    for piece in sorted(at):
        out('<place id="%s_%d_%d">%s</place>\n' % (piece + (one if piece in begin else "",)))
    n = 0
    for shape, x, y in sorted(at):
        for dx, dy, name in ((1, 0, "right"), (-1, 0, "left"), (0, 1, "down"), (0, -1, "up")):
            if (shape, x + dx, y + dy) not in at:
                continue
            old, new = cells(shape, x, y), cells(shape, x + dx, y + dy)
            move = "%s_%d_%d_%s" % (shape, x, y, name)
            out('<transition id="%s"/>\n' % move)
            ends = [("%s_%d_%d" % (shape, x, y), move), (move, "%s_%d_%d" % (shape, x + dx, y + dy))]
            ends += [("empty_%d_%d" % cell, move) for cell in sorted(new - old)]
            ends += [(move, "empty_%d_%d" % cell) for cell in sorted(old - new)]
            for source, target in ends:
                out('<arc id="a%d" source="%s" target="%s"/>\n' % (n, source, target))
                n += 1
    out("</page>\n</net>\n</pnml>\n")


def write(name, n, net, out):
    places, transitions, arcs = net
    structure = "<structure>%s</structure>"
    out('<?xml version="1.0" encoding="UTF-8"?>\n<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">\n'
        '<net id="%s" type="http://www.pnml.org/version-2009/grammar/symmetricnet">\n'
        "<declaration><structure><declarations>\n"
        '<namedsort id="Dot" name="Dot"><dot/></namedsort>\n<namedsort id="N" name="N"><cyclicenumeration>' % name)
    out("".join('<feconstant id="n%d" name="%d"/>' % (i, i) for i in range(1, n + 1)))
    out("</cyclicenumeration></namedsort>\n")
    if any(sort == "NN" for sort, _ in places.values()):
        out('<namedsort id="NN" name="NN"><productsort>%s</productsort></namedsort>\n' % (2 * (SORT % "N")))
    out("".join('<variabledecl id="%s" name="%s">%s</variabledecl>' % (v, v, SORT % "N") for v in "xy"))
    out('</declarations></structure></declaration>\n<page id="page">\n')
    for place, (sort, initial) in places.items():
        marking = "" if initial is None else "<hlinitialMarking>%s</hlinitialMarking>" % (structure % initial)
        out('<place id="%s"><type>%s</type>%s</place>\n' % (place, structure % (SORT % sort), marking))
    for transition in transitions:
        out('<transition id="%s"/>\n' % transition)
    for i, (source, target, terms) in enumerate(arcs):
        out('<arc id="a%d" source="%s" target="%s"><hlinscription>%s</hlinscription></arc>\n' %
            (i, source, target, structure % terms))
    out("</page>\n</net>\n</pnml>\n")


def main():
    nets = {"philosophers": philosophers, "database": database, "forks": forks, "schedulers": schedulers}
    if sys.argv[1:] == ["puzzle", "0"]:
        puzzle(sys.stdout.write)
        return
    if len(sys.argv) != 3 or sys.argv[1] not in nets or not sys.argv[2].isdigit() or int(sys.argv[2]) < 2:
        sys.exit(__doc__)
    cells_of = int(sys.argv[2]) + (sys.argv[1] == "schedulers")
    write(sys.argv[1], cells_of, nets[sys.argv[1]](), sys.stdout.write)


if __name__ == "__main__":
    main()
