#!/usr/bin/env python3
"""A second opinion on DVE: a naive parser and a breadth-first explorer.

Written from the description of the language, not from the C code, so that a
misreading has to be made twice to go unnoticed. Everything is done the slow,
obvious way: expressions become Python text over a list of numbers, a state is
a tuple, the set of states is a dictionary. Used by tests/models/run.py and
tests/oracle/random_dve.py, or by hand: dve.py MODEL.

Where the language leaves room, docs/dve.md decides:
  - a handshake looks at guards where both partners stand ready, the sender's
    first; it evaluates all sent values, then assigns them, then the receiver
    moves and does its effects, then the sender;
  - an operation on a buffered channel follows the effects of its edge;
  - a synchronous system takes one edge of every process, all computed in the
    old state; two that write one variable are an error.
"""
import itertools
import sys

from dve_parser import HELPERS, ModelError, Parser, Rejected, cut


def function(text):
    return eval("lambda s: " + text, HELPERS)


class Model:
    """The parsed model with expressions turned into functions of a list."""

    def __init__(self, text):
        parser = Parser(text)
        self.initial = tuple(parser.initial)
        self.synchronous = parser.synchronous
        self.channels = parser.channels
        self.system = [p for p in parser.processes.values() if p.name != parser.property]
        for p in self.system:
            p.asserts = [(where, function(e)) for where, e in p.asserts]
            for e in p.edges:
                e.guard = function(e.guard)
                e.effects = [(self.target(t), function(v)) for t, v in e.effects]
                receive = e.sync and e.sync[1] == "?"
                e.values = [self.target(v) if receive else function(v) for v in e.values]

    @staticmethod
    def target(t):
        kind, place, index = t
        return kind, place, function(index)

    @staticmethod
    def assign(s, target, value):
        kind, place, index = target
        s[place + index(s)] = cut(kind, value)

    def effects(self, s, p, e):
        s[p.place] = e.target
        for target, value in e.effects:
            self.assign(s, target, value(s))

    def enabled(self, s, p, e):
        """Whether the edge may move, its channel's partner left aside."""
        if s[p.place] != e.source:
            return False
        if not e.guard(s):
            return False
        if e.sync and not self.synchronous:
            _, capacity, place = self.channels[e.sync[0]]
            if capacity and len(s[place]) == (capacity if e.sync[1] == "!" else 0):
                return False
        return True

    def fire(self, s, p, e):
        """One edge alone: its effects, then what it does to a buffered channel."""
        t = list(s)
        self.effects(t, p, e)
        if e.sync:
            types, _, place = self.channels[e.sync[0]]
            if e.sync[1] == "!":
                values = [v(t) for v in e.values]
                if types:
                    values = [cut(k, v) for k, v in zip(types, values)]
                t[place] = t[place] + (tuple(values),)
            else:
                for target, value in zip(e.values, t[place][0]):
                    self.assign(t, target, value)
                t[place] = t[place][1:]
        return tuple(t)

    def shake(self, s, p, e, q, f):
        t = list(s)
        types = self.channels[e.sync[0]][0]
        values = [v(t) for v in e.values]
        if types:
            values = [cut(k, v) for k, v in zip(types, values)]
        for target, value in zip(f.values, values):
            self.assign(t, target, value)
        self.effects(t, q, f)
        self.effects(t, p, e)
        return tuple(t)

    def successors(self, s):
        """Yields the successor of every event, or a ModelError in its place."""
        if self.synchronous:
            yield from self.common_step(s)
            return
        urgent = any(s[p.place] in p.committed for p in self.system)
        movers = [p for p in self.system if not urgent or s[p.place] in p.committed]
        here = [(p, e) for p in movers for e in p.edges if s[p.place] == e.source]
        for p, e in here:
            rendezvous = e.sync and not self.channels[e.sync[0]][1]
            if rendezvous and e.sync[1] == "?":
                continue
            partners = [(None, None)] if not rendezvous else [
                (q, f) for q, f in here if q is not p and f.sync == (e.sync[0], "?")]
            for q, f in partners:
                try:
                    if not self.enabled(s, p, e) or q and not self.enabled(s, q, f):
                        continue
                    yield self.shake(s, p, e, q, f) if q else self.fire(s, p, e)
                except ModelError as error:
                    yield error

    def common_step(self, s):
        choices = []
        for p in self.system:
            try:
                choices.append([(p, e) for e in p.edges if self.enabled(s, p, e)])
            except ModelError as error:
                yield error
                return
        for combination in itertools.product(*choices):
            try:
                t, written = list(s), set()
                for p, e in combination:
                    alone = list(s)
                    alone[p.place] = e.target
                    mine = {p.place}
                    for target, value in e.effects:
                        v, place = value(alone), target[1] + target[2](alone)
                        alone[place] = cut(target[0], v)
                        mine.add(place)
                    if mine & written:
                        raise ModelError("conflict")
                    written |= mine
                    for place in mine:
                        t[place] = alone[place]
                yield tuple(t)
            except ModelError as error:
                yield error

    def wrong(self, s):
        """The first thing that is wrong with a state itself, or None."""
        try:
            for p in self.system:
                for where, holds in p.asserts:
                    if s[p.place] == where and not holds(s):
                        return "assertion"
        except ModelError:
            return "model-error"
        return None


def explore(model, max_states=10**6):
    """Breadth-first: everything, whatever errors there are, and the first of each kind by
    the number of events that lead to it."""
    level, queue, seen_at = 0, [model.initial], {model.initial: 0}
    r = {"states": 0, "events": 0, "deadlocks": 0, "levels": 0, "back_level_edges": 0,
         "longest_back_level_edge": 0, "first": {}}

    def note(kind, length):
        if kind and length < r["first"].get(kind, length + 1):
            r["first"][kind] = length
    note(model.wrong(model.initial), 0)
    while queue:
        following = []
        for s in queue:
            any_event = False
            for t in model.successors(s):
                any_event = True
                r["events"] += 1
                if isinstance(t, ModelError):
                    note("model-error", level + 1)
                elif t not in seen_at:
                    seen_at[t] = level + 1
                    following.append(t)
                    note(model.wrong(t), level + 1)
                elif seen_at[t] <= level:
                    r["back_level_edges"] += 1
                    r["longest_back_level_edge"] = max(r["longest_back_level_edge"],
                                                       level - seen_at[t])
            if not any_event:
                r["deadlocks"] += 1
                note("deadlock", level)
        if len(seen_at) > max_states:
            raise Rejected("more than %d states" % max_states)
        queue = following
        level += 1
    r["states"], r["levels"] = len(seen_at), level
    return r


def read(path):
    with open(path, encoding="latin-1", newline="") as f:
        return Model(f.read())


if __name__ == "__main__":
    try:
        print(explore(read(sys.argv[1])))
    except (Rejected, KeyError, ValueError) as why:
        print("rejected:", why)
        sys.exit(2)
