#!/usr/bin/env python3
"""floors.py - includes point down, never up, and never in a cycle.

The house has floors (one folder of src/ each). A file may include headers of its
own floor and of those listed for it below, nothing else; so the two wings stay
apart, and every floor can be read, tested and replaced without those above it.
Inside a floor, modules (a .c with its .h) must not include each other in a cycle.
A floor's front header (ts/ts.h) stands for itself: it is the contract that the parts
of the floor share; cycles.py sees to it that they do not call back through it.

    floors.py [SOURCE_ROOT]    exit 1 and one line per violation
    floors.py --selftest
"""

import re
import sys
import tempfile
from pathlib import Path

from digraph import cycles

MAY_INCLUDE = {
    "cli": {"report", "search", "store", "lang", "native", "ir", "net", "ts", "base"},
    "report": {"search", "ts", "base"},
    "search": {"store", "ts", "base"},
    "store": {"ts", "base"},
    "native": {"ir", "ts", "base"},
    "foreign": {"native", "ts", "base"},
    "lang": {"ir", "net", "foreign", "base"},
    "ir": {"ts", "base"},
    "net": {"ts", "base"},
    "ts": {"base"},
    "base": set(),
}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


def includes(source):
    """(file, included file) for every quoted include below source, as paths in it."""
    for file in sorted(source.rglob("*")):
        if file.suffix not in (".c", ".h", ".def"):
            continue
        for name in INCLUDE.findall(file.read_text(errors="replace")):
            beside = file.parent / name
            target = beside.resolve() if beside.exists() else source / name
            try:
                yield file.relative_to(source), target.relative_to(source)
            except ValueError:
                yield file.relative_to(source), Path(name)


def module(path):
    front = path.suffix == ".h" and path.stem == path.parts[0]
    return str(path) if front else str(path.with_suffix(""))


def violations(source):
    found = []
    graph = {}
    for file, target in includes(source):
        own, other = file.parts[0], target.parts[0]
        if own not in MAY_INCLUDE:
            found.append(f"src/{file}: the folder '{own}' is no floor of the house")
        elif other != own and other in MAY_INCLUDE and other not in MAY_INCLUDE[own]:
            found.append(f"src/{file} includes {target}: {own} must not know {other}")
        elif other not in MAY_INCLUDE and not (source / target).exists():
            found.append(f"src/{file} includes {target}, which is not there")
        if own == other and module(file) != module(target):
            graph.setdefault(module(file), {})[module(target)] = f"includes {target.name}"
    for cycle in cycles(graph):
        found.append("modules include each other in a cycle: " + cycle)
    return found


def selftest():
    def tree(files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return violations(Path(folder).resolve())

    good = {"base/a.h": "", "ts/ts.h": '#include "base/a.h"\n', "ts/ts.c": '#include "ts/ts.h"\n'}
    assert tree(good) == []
    up = tree({**good, "base/a.c": '#include "ts/ts.h"\n'})
    assert up == ["src/base/a.c includes ts/ts.h: base must not know ts"], up
    wing = tree({"ir/ir.h": "", "store/s.c": '  #  include "ir/ir.h"\n'})
    assert wing == ["src/store/s.c includes ir/ir.h: store must not know ir"], wing
    cycle = tree({"ts/a.h": "", "ts/b.h": "", "ts/a.c": '#include "ts/b.h"\n', "ts/b.c": '#include "a.h"\n'})
    assert len(cycle) == 1 and "ts/a" in cycle[0] and "ts/b" in cycle[0], cycle
    front = tree({"ts/ts.h": "", "ts/b.h": "", "ts/ts.c": '#include "ts/b.h"\n', "ts/b.c": '#include "ts.h"\n'})
    assert front == [], front
    other = tree({"misc/x.c": '#include "x.h"\n'})
    assert other and "no floor" in other[0], other
    print("floors.py: selftest passed")


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = violations(root / "src")
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
