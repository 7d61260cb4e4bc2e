#!/usr/bin/env python3
"""Prints systems of automata that shake hands, of any size, in DVE.

    automata.py forks N        dining philosophers who sit down and take one fork after the other
    automata.py schedulers N   a scheduler that starts N processes in turn

They are those of nets.py, as networks of automata: the forks are automata, too, and know who holds them; the cells of
the scheduler pass the token by shaking hands.
"""
import sys


def process(name, first, steps):
    places = []
    for step in steps:
        places += [place for place in step[:2] if place not in places]
    lines = ["  %s -> %s { %s }" % (source, target, "sync %s;" % sync if sync else "") for source, target, sync in steps]
    return "process %s {\n  state %s;\n  init %s;\n  trans\n  %s;\n}\n" % (name, ", ".join(places), first, ",\n  ".join(lines))


def forks(n):
    text = "".join("channel left%d, right%d, drop_left%d, drop_right%d;\n" % (i, i, i, i) for i in range(n))
    for i in range(n):
        text += process("Philosopher%d" % i, "think", [
            ("think", "seated", ""), ("seated", "one", "left%d!" % i), ("one", "both", "right%d!" % i),
            ("both", "other", "drop_left%d!" % i), ("other", "done", "drop_right%d!" % i), ("done", "think", "")])
    for i in range(n):  # at the left of philosopher i, and at the right of the one before
        k = (i - 1) % n
        text += process("Fork%d" % i, "free", [
            ("free", "at_left", "left%d?" % i), ("at_left", "free", "drop_left%d?" % i),
            ("free", "at_right", "right%d?" % k), ("at_right", "free", "drop_right%d?" % k)])
    return text


def schedulers(n):
    text = "".join("channel pass%d;\n" % i for i in range(n + 1))
    for i in range(n + 1):
        steps = [("idle", "token", "pass%d?" % i), ("token", "busy", "pass%d!" % ((i + 1) % (n + 1))), ("busy", "idle", "")]
        text += process("Cell%d" % i, "begin" if i == 0 else "idle", ([("begin", "token", "")] if i == 0 else []) + steps)
    return text


def main():
    kinds = {"forks": forks, "schedulers": schedulers}
    if len(sys.argv) != 3 or sys.argv[1] not in kinds or not sys.argv[2].isdigit() or int(sys.argv[2]) < 2:
        sys.exit(__doc__)
    sys.stdout.write(kinds[sys.argv[1]](int(sys.argv[2])) + "system async;\n")


if __name__ == "__main__":
    main()
