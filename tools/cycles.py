#!/usr/bin/env python3
"""cycles.py - no two modules use each other, and what only its own module uses is static.

A module is an object file of the build. It uses another one if it has an
undefined symbol that the other defines; an entry of a constant table counts like
a call, for it is a reference all the same. Includes do not show this (a
declaration may be written anywhere), symbols do. A symbol that no other object of the build
needs should not be one; tests count, and so does a mention in the text of another file, for
debug builds need more.

    cycles.py BUILD_FOLDER     exit 1 and one line per cycle, with the symbols, or per symbol
    cycles.py --selftest       needs a C compiler (cc)
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from digraph import cycles


def objects(build):
    """{module name: object file} for everything below src/ that is compiled, and the others: sources, object files."""
    found, sources, others = {}, {}, []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = (Path(entry["directory"]) / entry["file"]).resolve()
        output = Path(entry["directory"]) / entry["output"]
        if "src" in file.parts and file.suffix == ".c":
            start = len(file.parts) - 1 - file.parts[::-1].index("src")
            name = "/".join(file.parts[start + 1:])
            sources.setdefault(name, file)
            if found.setdefault(name, output) == output:
                continue
        if output.exists():
            others.append(output)
    return found, sources, others


def lonely(files, sources, others):
    """(module, symbol) for what nobody else needs or mentions."""
    found = symbols([*files.values(), *others])
    tables = {name: found[path] for name, path in files.items()}
    needed = {symbol for _, undefined in found.values() for symbol in undefined}
    words = {name: set(re.findall(r"\w+", path.read_text())) for name, path in sources.items()}
    # The build may need one, to give it to code of others under another name.
    builds = {path.parent / "meson.build" for path in sources.values()}
    words.update((str(path), set(re.findall(r"\w+", path.read_text()))) for path in builds if path.exists())
    return [(name, symbol) for name, (defined, _) in sorted(tables.items()) for symbol in sorted(defined - needed)
            if symbol != "main" and not any(symbol in said for other, said in words.items() if other != name)]


def symbols(paths):
    """{path: (defined, undefined) global symbols} of object files."""
    found = {path: (set(), set()) for path in paths}
    names = {str(path): path for path in paths}
    out = subprocess.run(["nm", "-g", "-P", "-A", *names], check=True, capture_output=True, text=True)
    for line in out.stdout.splitlines():
        path, rest = line.split(": ", 1)
        name, kind = rest.split()[:2]
        found[names[path]][kind in "Uwv"].add(name)
    return found


def uses(files):
    found = symbols(files.values())
    tables = {name: found[path] for name, path in files.items()}
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
            return cycles(uses(files))

    a = "int b(void); int a(void); int a(void) { return b(); }"
    assert modules({"a.c": a, "b.c": "int b(void) { return 1; }"}) == []
    direct = modules({"a.c": a, "b.c": "int a(void); int b(void) { return a(); }"})
    assert direct == ["a.c (b) -> b.c (a) -> a.c"], direct
    table = "int a(void); int (*const b_table[])(void) = {a}; int b(void) { return 1; }"
    assert modules({"a.c": a, "b.c": table}) == ["a.c (b) -> b.c (a) -> a.c"]
    far = modules({"a.c": a, "b.c": "int c(void); int b(void) { return c(); }",
                   "c.c": "int a(void); int c(void) { return a(); }"})
    assert far == ["a.c (b) -> b.c (c) -> c.c (a) -> a.c"], far
    with tempfile.TemporaryDirectory() as folder:
        files, sources = {}, {}
        for name, text in {"a.c": "int b(void); int a(void) { return b(); }", "b.c": "int b(void) { return 1; }"}.items():
            sources[name] = Path(folder) / name
            sources[name].write_text(text)
            files[name] = sources[name].with_suffix(".o")
            subprocess.run(["cc", "-c", sources[name], "-o", files[name]], check=True)
        assert lonely(files, sources, []) == [("a.c", "a")]
    print("cycles.py: selftest passed")


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    files, sources, others = objects(Path(sys.argv[1]))
    if not files:
        print("cycles.py: the build has no modules")
        return 1
    found = cycles(uses(files))
    for line in found:
        print("modules use each other in a cycle: " + line)
    alone = lonely(files, sources, others)
    for name, symbol in alone:
        print(f"{name}: nobody else uses {symbol}: it should be static")
    return 1 if found or alone else 0


if __name__ == "__main__":
    sys.exit(main())
