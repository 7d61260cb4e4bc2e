#!/usr/bin/env python3
"""Prints symmetric nets of any size, in PNML.

    nets.py philosophers N     dining philosophers who take both forks at once
    nets.py database N         managers of a replicated database, who update it one at a time

Both begin with one step that puts everything in place, as the models of "The ComBack Method"
(Westergaard, Kristensen, Brodal and Arge 2007) do: so there are L(N) + 1 states of the
philosophers, L the numbers of Lucas, and N * 3^(N-1) + 2 of the managers. The managers are those of
Genrich and Lautenbach, in the form of Jensen's "Coloured Petri Nets".
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
    nets = {"philosophers": philosophers, "database": database}
    if len(sys.argv) != 3 or sys.argv[1] not in nets or not sys.argv[2].isdigit() or int(sys.argv[2]) < 2:
        sys.exit(__doc__)
    write(sys.argv[1], int(sys.argv[2]), nets[sys.argv[1]](), sys.stdout.write)


if __name__ == "__main__":
    main()
