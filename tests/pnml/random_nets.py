#!/usr/bin/env python3
"""Random small nets, counted by the program and by an explorer that only knows the definition.

    random_nets.py [--cairn PROGRAM] [--count N] [--seed N] [--keep DIR]

Each net has places of random sorts (dot, enumerations, ranges, products), transitions with
variables, tuples, successors, `all`, differences, partitions and conditions, on several
pages and through references. The explorer tries every binding in every marking. Compared
are markings, events, deadlocks, the largest marking, the bound and the fireability of a
place and a transition; in turn with every store, order and the self-check. With --reduce por deadlocks, invariants
and a random formula must be the same.
"""
import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter

MOST = 3000
WAYS = (["--order", "bfs"], ["--order", "dfs"], ["--store", "tree"], ["--store", "collapse", "--self-check"],
        ["--self-check"], ["--forget", "pseudo-root", "--self-check"], ["--forget", "pseudo-root", "--order", "dfs"],
        ["--forget", "pseudo-root", "--order", "best:pseudo-root"],
        ["--forget", "pseudo-root"], ["--forget", "in-degree:12"], ["--reduce", "edge-lean"], ["--store", "automaton"],
        ["--store", "comback:hash=2+numbers+cache=0"],
        ["--store", "comback:hash=3+numbers+cache=0+anchors=0", "--order", "dfs"])


class Sort:
    def __init__(self, name, kind, values=None, low=0, parts=()):
        self.name, self.kind, self.low, self.parts = name, kind, low, parts
        self.values = values if values is not None else list(itertools.product(*(p.values for p in parts)))

    def xml(self):
        if self.kind == "enum":
            inner = "".join('<feconstant id="%s%d" name="%d"/>' % (self.name, v, v) for v in self.values)
            return '<namedsort id="%s" name="%s"><cyclicenumeration>%s</cyclicenumeration></namedsort>' % (self.name, self.name, inner)
        if self.kind == "range":
            return '<namedsort id="%s" name="%s">%s</namedsort>' % (self.name, self.name, self.range())
        inner = "".join('<usersort declaration="%s"/>' % p.name for p in self.parts)
        return '<namedsort id="%s" name="%s"><productsort>%s</productsort></namedsort>' % (self.name, self.name, inner)

    def range(self):
        return '<finiteintrange start="%d" end="%d"/>' % (self.low, self.low + len(self.values) - 1)

    def use(self):
        return "<dot/>" if self.kind == "dot" else '<usersort declaration="%s"/>' % self.name


DOT = Sort("dot", "dot", [()])


class Term:
    """A value of a basic sort under a binding: text, and a function."""

    def __init__(self, sort, xml, of):
        self.sort, self.xml, self.of = sort, xml, of


def term(rng, sort, variables):
    mine = [v for v in variables if v[1] is sort]
    n = len(sort.values)
    if not mine or rng.random() < 0.25:
        k = rng.randrange(n)
        xml = '<useroperator declaration="%s%d"/>' % (sort.name, sort.values[k]) if sort.kind == "enum" else \
            '<finiteintrangeconstant value="%d">%s</finiteintrangeconstant>' % (sort.values[k], sort.range())
        return Term(sort, xml, lambda b, k=k: k)
    name = rng.choice(mine)[0]
    xml, shift = '<variable refvariable="%s"/>' % name, 0
    while rng.random() < 0.3:
        up = rng.random() < 0.5
        xml = "<%s><subterm>%s</subterm></%s>" % (("successor", xml, "successor") if up else ("predecessor", xml, "predecessor"))
        shift += 1 if up else -1
    return Term(sort, xml, lambda b, name=name, shift=shift: (b[name] + shift) % n)


def row(rng, sort, variables):
    """(xml, function binding -> list of colours): colours are tuples of indices."""
    if sort.kind == "dot":
        return "<dotconstant/>", lambda b: [()]
    if rng.random() < 0.12:
        n = [len(p.values) for p in (sort.parts or (sort,))]
        return "<all>%s</all>" % sort.use(), lambda b: list(itertools.product(*map(range, n)))
    if not sort.parts:
        t = term(rng, sort, variables)
        return t.xml, lambda b: [(t.of(b),)]
    parts, xml = [], ""
    for p in sort.parts:
        if rng.random() < 0.1:
            parts.append(lambda b, n=len(p.values): range(n))
            xml += "<subterm><all>%s</all></subterm>" % p.use()
        else:
            t = term(rng, p, variables)
            parts.append(lambda b, t=t: [t.of(b)])
            xml += "<subterm>%s</subterm>" % t.xml
    return "<tuple>%s</tuple>" % xml, lambda b: list(itertools.product(*(f(b) for f in parts)))


def inscription(rng, sort, variables, closed=False):
    """(xml, function binding -> Counter)."""
    rows = [(rng.choice((1, 1, 1, 2)), 1) + row(rng, sort, variables) for _ in range(rng.choice((1, 1, 2)))]
    if rng.random() < 0.15:
        rows.append((1, -1) + row(rng, sort, variables))
    xml = None
    for count, sign, text, _ in rows:
        one = '<numberof><subterm><numberconstant value="%d"><positive/></numberconstant></subterm><subterm>%s</subterm></numberof>' % (count, text)
        xml = one if xml is None else "<{0}><subterm>{1}</subterm><subterm>{2}</subterm></{0}>".format("add" if sign > 0 else "subtract", xml, one)

    def of(binding):
        total = Counter()
        for count, sign, _, f in rows:
            for colour in f(binding):
                total[colour] += sign * count
        return Counter({c: n for c, n in total.items() if n > 0})
    return xml, of


def condition(rng, variables, sorts, partition, depth=0):
    if depth < 2 and rng.random() < 0.35:
        kind = rng.choice(("and", "or", "not", "imply"))
        parts = [condition(rng, variables, sorts, partition, depth + 1) for _ in range(1 if kind == "not" else 2)]
        xml = "<%s>%s</%s>" % (kind, "".join("<subterm>%s</subterm>" % p[0] for p in parts), kind)
        f = [p[1] for p in parts]
        return xml, {"and": lambda b: f[0](b) and f[1](b), "or": lambda b: f[0](b) or f[1](b),
                     "not": lambda b: not f[0](b), "imply": lambda b: not f[0](b) or f[1](b)}[kind]
    kind = rng.choice(("equality", "inequality", "lessthan", "lessthanorequal", "greaterthan", "greaterthanorequal"))
    sort = rng.choice(sorts)
    a, b = term(rng, sort, variables), term(rng, sort, variables)
    compare = {"equality": lambda x, y: x == y, "inequality": lambda x, y: x != y, "lessthan": lambda x, y: x < y,
               "lessthanorequal": lambda x, y: x <= y, "greaterthan": lambda x, y: x > y,
               "greaterthanorequal": lambda x, y: x >= y}[kind]
    left, right, of = a.xml, b.xml, lambda i: i
    if partition and sort is partition[0] and rng.random() < 0.4:
        wrap = '<partitionelementof refpartition="parts"><subterm>%s</subterm></partitionelementof>'
        left, right, of = wrap % left, wrap % right, lambda i: partition[1][i]
    return "<%s><subterm>%s</subterm><subterm>%s</subterm></%s>" % (kind, left, right, kind), \
        lambda m: compare(of(a.of(m)), of(b.of(m)))


class Net:
    def __init__(self, rng):
        enum = Sort("E", "enum", list(range(rng.randint(1, 3))))
        span = Sort("R", "range", None or [rng.randint(-1, 2) + i for i in range(rng.randint(1, 3))][:], 0)
        first = rng.randint(-1, 2)
        span = Sort("R", "range", [first + i for i in range(rng.randint(1, 3))], first)
        pair = Sort("P", "product", parts=(enum, span))
        self.basic, self.sorts = [enum, span], [enum, span, pair]
        self.partition = (enum, [0 if i == 0 else 1 for i in range(len(enum.values))]) if len(enum.values) > 1 and rng.random() < 0.5 else None
        self.variables = [("x", enum), ("y", enum), ("i", span), ("j", span)]
        plain = rng.random() < 0.3
        kinds = [DOT] if plain else [DOT, enum, span, pair]
        self.places = []
        for k in range(rng.randint(2, 5)):
            sort = rng.choice(kinds)
            xml, of = inscription(rng, sort, []) if rng.random() < 0.7 else ("", lambda b: Counter())
            self.places.append(("p%d" % k, sort, xml, of({})))
        self.transitions = []
        for k in range(rng.randint(1, 4)):
            mine = [] if plain else rng.sample(self.variables, rng.randint(0, 3))
            arcs = []
            used = rng.sample(range(len(self.places)), rng.randint(1, min(3, len(self.places))))
            for p in used:
                arcs.append((p, True) + inscription(rng, self.places[p][1], mine))
            # Mostly as many out as in, so that more nets are finite.
            for p in used if rng.random() < 0.7 else rng.sample(range(len(self.places)), rng.randint(0, 2)):
                q = rng.choice([n for n, place in enumerate(self.places) if place[1] is self.places[p][1]])
                arcs.append((q, False) + inscription(rng, self.places[q][1], mine))
            guard = condition(rng, mine, self.basic, self.partition) if not plain and rng.random() < 0.5 else None
            text = "".join(a[2] for a in arcs) + (guard[0] if guard else "")
            bound = [v for v in mine if 'refvariable="%s"' % v[0] in text]
            self.transitions.append(("t%d" % k, arcs, guard, bound))
        self.references = rng.random() < 0.4

    def xml(self):
        out = ['<?xml version="1.0"?><pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">'
               '<net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><declaration><structure><declarations>']
        out += [s.xml() for s in reversed(self.sorts)]
        if self.partition:
            groups = {}
            for v, g in zip(self.partition[0].values, self.partition[1]):
                groups.setdefault(g, []).append('<useroperator declaration="E%d"/>' % v)
            out.append('<partition id="parts" name="parts"><usersort declaration="E"/>%s</partition>' % "".join(
                '<partitionelement id="part%d" name="part%d">%s</partitionelement>' % (g, g, "".join(c)) for g, c in groups.items()))
        out += ['<variabledecl id="%s" name="%s">%s</variabledecl>' % (n, n, s.use()) for n, s in self.variables]
        out.append('</declarations></structure></declaration><page id="one">')
        for name, sort, xml, _ in self.places:
            marking = "<hlinitialMarking><structure>%s</structure></hlinitialMarking>" % xml if xml else ""
            out.append('<place id="%s"><name><text>%s</text></name><type><structure>%s</structure></type>%s</place>' % (name, name, sort.use(), marking))
        out.append('</page><page id="two"><page id="three">')
        if self.references:
            out += ['<referencePlace id="r%d" ref="s%d"/><referencePlace id="s%d" ref="p%d"/>' % (k, k, k, k) for k in range(len(self.places))]
        out.append("</page>")
        for name, arcs, guard, _ in self.transitions:
            text = "<condition><structure>%s</structure></condition>" % guard[0] if guard else ""
            out.append('<transition id="%s">%s</transition>' % (name, text))
            for n, (p, enters, xml, _) in enumerate(arcs):
                place = "%s%d" % ("r" if self.references and n % 2 == 0 else "p", p)
                ends = (place, name) if enters else (name, place)
                out.append('<arc id="%s_%d" source="%s" target="%s"><hlinscription><structure>%s</structure></hlinscription></arc>' % ((name, n) + ends + (xml,)))
        out.append("</page></net></pnml>\n")
        return "\n".join(out)

    def successors(self, marking):
        for name, arcs, guard, bound in self.transitions:
            for values in itertools.product(*(range(len(s.values)) for _, s in bound)):
                binding = {v[0]: value for v, value in zip(bound, values)}
                for other, _ in self.variables:
                    binding.setdefault(other, 0)
                if guard and not guard[1](binding):
                    continue
                takes, puts = Counter(), Counter()
                for p, enters, _, of in arcs:
                    side = takes if enters else puts
                    for colour, n in of(binding).items():
                        side[(p, colour)] += n
                if all(marking.get(k, 0) >= n for k, n in takes.items()):
                    after = Counter(marking)
                    after.subtract(takes)
                    after.update(puts)
                    yield name, frozenset((k, n) for k, n in after.items() if n > 0)

    def explore(self):
        first = frozenset(((p, c), n) for p, (_, _, _, initial) in enumerate(self.places) for c, n in initial.items())
        seen, wait, events, deadlocks, fired = {first}, [first], 0, 0, set()
        while wait:
            state = wait.pop()
            n = 0
            for name, after in self.successors(dict(state)):
                n += 1
                fired.add(name)
                if after not in seen:
                    seen.add(after)
                    wait.append(after)
            events += n
            deadlocks += n == 0
            if len(seen) > MOST or any(n > 250 for _, n in state):
                return None
        total = [sum(n for _, n in s) for s in seen]
        in_place = [max((n for _, n in s), default=0) for s in seen]
        of_first = [sum(n for (p, _), n in s if p == 0) for s in seen]
        return {"states": len(seen), "visited": len(seen), "events": events, "deadlocks": deadlocks, "most": max(total),
                "in place": max(in_place), "p0": max(of_first), "t0": "t0" in fired}


def check(args, path, *more):
    p = subprocess.run([args.cairn, "check", path, "--keep-going", "--trail", os.devnull, "--json", "-", *more],
                       capture_output=True, text=True, timeout=120, check=False)
    if "{" not in p.stdout or p.returncode not in (0, 1):
        raise AssertionError("exit status %d: %s" % (p.returncode, p.stderr.strip()[:500]))
    return json.loads(p.stdout)


def atom(rng, net):
    if rng.random() < 0.3:
        return "fireable(t%d)" % rng.randrange(len(net.transitions))
    return "p%d %s %d" % (rng.randrange(len(net.places)), rng.choice(("<=", "==", ">")), rng.randrange(3))


def formula(rng, net, depth):
    """Without X."""
    if depth == 0 or rng.random() < 0.2:
        return "%s(%s)" % (rng.choice(("", "!")), atom(rng, net))
    op = rng.choice(("[]", "<>", "[] <>", "<> []", "U", "W", "V", "&&", "||", "!"))
    if op in ("U", "W", "V", "&&", "||"):
        return "((%s) %s (%s))" % (formula(rng, net, depth - 1), op, formula(rng, net, depth - 1))
    return "(%s (%s))" % (op, formula(rng, net, depth - 1))


def compare_formula(args, net, path, rng):
    words = ["--ltl", formula(rng, net, 3), "--cycles", rng.choice(("ndfs", "scc", "owcty"))]
    plain, reduced = (check(args, path, *words, *more)["verdict"] for more in ([], ["--reduce", "por"]))
    if plain != reduced:
        raise AssertionError("%s: %s, and with por %s" % (" ".join(words), plain, reduced))


def compare(args, want, path, way):
    answer = check(args, path, "--property", "safety", *way)
    got = {"states": answer["states"]["reached"], "visited": answer["states"]["visited"], "deadlocks": answer["deadlocks"], "events": answer["events"],
           "most": answer["marking"]["most"], "in place": answer["marking"]["most_in_place"]}
    for key, value in got.items():
        if key == "events" and "edge-lean" in way:
            assert value <= want[key], "more events than there are"
        elif value != want[key]:
            raise AssertionError("%s: %s, not %s (%s)" % (key, value, want[key], " ".join(way)))
    por = ["--reduce", "por", *(way if "--order" in way or "--store" in way else [])]
    reduced = check(args, path, "--property", "deadlock", *por)
    if reduced["deadlocks"] != want["deadlocks"] or reduced["states"]["stored"] > want["states"]:
        raise AssertionError("%d deadlocks of %d states with %s" %
                             (reduced["deadlocks"], reduced["states"]["stored"], " ".join(por)))
    for text, holds in (("p0 <= %d" % want["p0"], True), ("p0 < %d" % want["p0"], False), ("!fireable(t0)", not want["t0"]),
                        ("bounded(%d)" % want["in place"], True)):
        for more in ([], por):
            verdict = check(args, path, "--property", "safety", "--invariant", text, *more)["verdict"]
            if verdict != ("verified" if holds else "violated"):
                raise AssertionError("%s: %s with %s" % (text, verdict, " ".join(more)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default="build/cairn")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    args = parser.parse_args()
    args.cairn = os.path.abspath(args.cairn)
    compared = large = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = args.keep or folder
        seed = args.seed
        while compared < args.count:
            net = Net(random.Random(seed))
            want = net.explore()
            seed += 1
            if want is None:
                large += 1
                continue
            if want["states"] < 4 and seed % 10:
                continue # little can go wrong
            path = os.path.join(folder, "%d.pnml" % (seed - 1))
            with open(path, "w", encoding="utf-8") as f:
                f.write(net.xml())
            try:
                compare(args, want, path, WAYS[compared % len(WAYS)])
                compare_formula(args, net, path, random.Random(seed))
            except AssertionError as e:
                failed += 1
                print("FAIL seed %d: %s" % (seed - 1, e), flush=True)
            compared += 1
    print("%d nets compared, %d failed; %d others were too large" % (compared, failed, large))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
