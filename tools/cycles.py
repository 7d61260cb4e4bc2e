#!/usr/bin/env python3
"""cycles.py - no two modules use each other, directly or through others.

A module is an object file of the build. It uses another one if it has an
undefined symbol that the other defines; an entry of a constant table counts like
a call, for it is a reference all the same. Includes do not show this (a
declaration may be written anywhere), symbols do.

    cycles.py BUILD_FOLDER     exit 1 and one line per circle, with the symbols
    cycles.py --selftest       needs a C compiler (cc)
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from circles import circles


def objects(build):
    """{module name: object file} for everything below src/ that is compiled."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = (Path(entry["directory"]) / entry["file"]).resolve()
        if "src" in file.parts and file.suffix == ".c":
            start = len(file.parts) - 1 - file.parts[::-1].index("src")
            name = "/".join(file.parts[start + 1:])
            found.setdefault(name, Path(entry["directory"]) / entry["output"])
    return found


def symbols(path):
    """(defined, undefined) global symbols of an object file."""
    out = subprocess.run(["nm", "-g", "-P", str(path)], check=True, capture_output=True, text=True)
    defined, undefined = set(), set()
    for line in out.stdout.splitlines():
        name, kind = line.split()[:2]
        (undefined if kind in "Uwv" else defined).add(name)
    return defined, undefined


def uses(files):
    tables = {name: symbols(path) for name, path in files.items()}
    owner = {}
    for name, (defined, _) in tables.items():
        for symbol in defined:
            owner.setdefault(symbol, name)
    graph = {}
    for name, (_, undefined) in tables.items():
        for symbol in sorted(undefined):
            other = owner.get(symbol)
            if other is not None and other != name:
                graph.setdefault(name, {}).setdefault(other, []).append(symbol)
    return {a: {b: ", ".join(names[:4]) + (", …" if len(names) > 4 else "") for b, names in to.items()}
            for a, to in graph.items()}


def selftest():
    def modules(texts):
        with tempfile.TemporaryDirectory() as folder:
            files = {}
            for name, text in texts.items():
                source = Path(folder) / name
                source.write_text(text)
                files[name] = source.with_suffix(".o")
                subprocess.run(["cc", "-c", source, "-o", files[name]], check=True)
            return circles(uses(files))

    a = "int b(void); int a(void); int a(void) { return b(); }"
    assert modules({"a.c": a, "b.c": "int b(void) { return 1; }"}) == []
    direct = modules({"a.c": a, "b.c": "int a(void); int b(void) { return a(); }"})
    assert direct == ["a.c (b) -> b.c (a) -> a.c"], direct
    table = "int a(void); int (*const b_table[])(void) = {a}; int b(void) { return 1; }"
    assert modules({"a.c": a, "b.c": table}) == ["a.c (b) -> b.c (a) -> a.c"]
    far = modules({"a.c": a, "b.c": "int c(void); int b(void) { return c(); }",
                   "c.c": "int a(void); int c(void) { return a(); }"})
    assert far == ["a.c (b) -> b.c (c) -> c.c (a) -> a.c"], far
    print("cycles.py: selftest passed")


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    files = objects(Path(sys.argv[1]))
    if not files:
        print("cycles.py: the build has no modules")
        return 1
    found = circles(uses(files))
    for line in found:
        print("modules use each other in a circle: " + line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
