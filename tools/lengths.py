#!/usr/bin/env python3
"""lengths.py - no file of src/ has more than 500 lines, no function more than 60.

A longer one does more than one thing, or hides something that deserves a file of its own.
A function begins at a line without indentation that ends in "{" and closes a parenthesis, or
continues such a line; it ends at the next "}" without indentation.

    lengths.py [SOURCE_ROOT]     exit 1 and one line per file or function
    lengths.py --selftest
"""

import sys
import tempfile
from pathlib import Path

FILE, FUNCTION = 500, 60


def functions(lines):
    """(first line, lines) of each, numbers from 1."""
    begin = None
    for number, line in enumerate(lines, 1):
        if line and not line[0].isspace() and line[0] not in "#/*}":
            begin = number
        if line.startswith("}") and begin is not None:
            if ")" in "".join(lines[begin - 1:number]).split("{")[0]:
                yield begin, number - begin + 1
            begin = None


def differences(root):
    found = []
    for path in sorted(p for kind in ("*.c", "*.h", "*.inc") for p in (root / "src").rglob(kind)):
        name, lines = path.relative_to(root), path.read_text().splitlines()
        if len(lines) > FILE:
            found.append(f"{name} has {len(lines)} lines, more than {FILE}")
        found += [f"{name}:{at}: a function of {n} lines, more than {FUNCTION}"
                  for at, n in functions(lines) if n > FUNCTION]
    return found


def selftest():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "src").mkdir()
        body = "int f(int a,\n      int b) {\n" + "  a++;\n" * 57 + "}\n"
        table = "static const int t[] = {\n" + "  1,\n" * 80 + "};\n"
        (root / "src/a.c").write_text("/* a */\n" + body + table)
        assert differences(root) == []
        (root / "src/a.c").write_text("\n" + body.replace("{\n", "{\n  b++;\n"))
        assert differences(root) == ["src/a.c:2: a function of 61 lines, more than 60"]
        (root / "src/a.c").write_text("\n" * 501)
        assert differences(root) == ["src/a.c has 501 lines, more than 500"]
    print("lengths.py: selftest passed")


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    found = differences(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
