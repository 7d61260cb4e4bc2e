#!/usr/bin/env python3
"""map.py - docs/architecture.md names every source file, once, and no others.

A file is on the map if a line of the page starts (after a list mark, a table
bar or nothing) with its path between backquotes:

    - `src/base/budget.c`: counted memory

One line may name several files of a folder: `src/base/{arena,text}.c`, `tests/a/{x.c,y.py}`.
The line of a .c file stands for its header too (src/base/budget.h), if there is one and the
page does not name it by itself.

    map.py [SOURCE_ROOT]       exit 1 and one line per difference
    map.py --selftest
"""

import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

FOLDERS = ("src", "include", "tools", "tests", "bench", "scripts")
KINDS = {".c", ".h", ".def", ".py", ".sh"}
ENTRY = re.compile(r"^\s*(?:[-*|]\s*)?`([^`\s]+)`", re.MULTILINE)


def expand(name):
    """The files that a name with braces stands for."""
    before, brace, rest = name.partition("{")
    inside, _, after = rest.partition("}")
    return [before + part + after for part in inside.split(",")] if brace else [name]


def differences(root):
    page = root / "docs" / "architecture.md"
    if not page.exists():
        return ["docs/architecture.md is not there"]
    files = {str(path.relative_to(root)) for folder in FOLDERS for path in (root / folder).rglob("*")
             if path.is_file() and path.suffix in KINDS}
    named = Counter(name.removeprefix("./") for entry in ENTRY.findall(page.read_text()) for name in expand(entry)
                    if name.split("/")[0] in FOLDERS and not name.endswith("/"))
    told = set(named) | {name[:-2] + ".h" for name in named if name.endswith(".c")}
    found = [f"docs/architecture.md lacks {name}" for name in sorted(files - told)]
    found += [f"docs/architecture.md names {name}, which is not there" for name in sorted(named)
              if not (root / name).exists()]
    found += [f"docs/architecture.md names {name} {n} times" for name, n in sorted(named.items()) if n > 1]
    return found


def selftest():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("src/a/x.c", "src/a/x.h", "src/a/y.c", "src/a/w.h", "docs/architecture.md"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("")
        page = root / "docs" / "architecture.md"
        page.write_text("text about `src/a/z.c`\n- `src/a/x.c`: one\n- `src/a/y.c`: two\n"
                        "- `src/a/w.h`: three\n")
        assert differences(root) == []
        page.write_text("- `src/a/{x,y}.c`: two\n- `src/a/{w.h}`: one\n")
        assert differences(root) == []
        page.write_text("- `src/a/x.c`: one\n| `src/a/x.c` | again |\n- `src/a/z.c`: three\n")
        found = differences(root)
        assert found == ["docs/architecture.md lacks src/a/w.h", "docs/architecture.md lacks src/a/y.c",
                         "docs/architecture.md names src/a/z.c, which is not there",
                         "docs/architecture.md names src/a/x.c 2 times"], found
    print("map.py: selftest passed")


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    found = differences(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
