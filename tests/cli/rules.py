#!/usr/bin/env python3
"""What goes together: the program's own page about it, and every refusal with its way out.

    rules.py CAIRN SOURCE_ROOT

`cairn --combinations` prints docs/combinations.md. Each rule there comes with options that break
it and with the nearest ones that do not: both are run. The values that it lists are those that
help, manual and completion know.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = """byte x;
process P { state a; init a; trans a -> a { effect x = (x + 1) % 5; }; }
process Q { byte y; state a; init a; trans a -> a { guard y < 3; effect y = y + 1; }; }
system async;
"""
PROMELA = "byte x; active proctype P() { do :: x = (x + 1) % 5 od }\n"

RULE = re.compile(r"^- \d+\. \*\*(.+)\*\*: (.+)\.\n  Refused: `(.*)`\. Instead: `(.*)`\.$", re.MULTILINE)


def main():
    cairn, source = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    page = run(cairn, "--combinations").stdout
    failed = []

    def check(holds, says):
        if not holds:
            failed.append(says)

    check(page == (source / "docs/combinations.md").read_text(),
          "docs/combinations.md is not up to date: cairn --combinations > docs/combinations.md")
    found = RULE.findall(page)
    table = (source / "src/search/rules.c").read_text()
    rows = re.findall(r'^    \{"([a-z, ]+)", [a-z_]+,', table, re.MULTILINE)
    internal = {name for name in rows if re.search(r'\{"' + name + r'".*?NULL,\s+NULL,\s+(?:true|false)\},', table, re.DOTALL) and
                name not in [rule[0] for rule in found]}
    check(len(rows) >= 20 and sorted(rows) == sorted([rule[0] for rule in found] + list(internal)),
          f"rules in the table and on the page differ: {rows}")
    check(internal <= {"no method", "time", "reduction, number", "checkpoint, store"},
          f"rules without an example: {internal}")
    check("although every two" not in page, "a combination is refused that no pair explains")
    check(" no |" not in page, "a pair is refused without a reason")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "m.dve").write_text(MODEL)
        (Path(folder) / "m.pml").write_text(PROMELA)
        for name, sentence, refused, instead in found:
            model = "m.pml" if "--no-deadlock" in refused else "m.dve"  # where deadlocks are errors
            done = run(cairn, "check", *refused.split(), model, cwd=folder)
            check(done.returncode == 2 and done.stderr == f"error: {sentence}\n",
                  f"{name}: {refused}: {done.stderr}not: {sentence}")
            check(sentence.count(": ") >= 1, f"{name}: no way out")
            done = run(cairn, "check", *instead.split(), model, cwd=folder)
            check(done.returncode in (0, 3) and done.stderr == "", f"{name}: {instead}: {done.stderr}")
    values = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    check(len(values) >= 20, "no values are listed")
    manual = run(cairn, "--man").stdout.replace("\\-", "-")
    completion = run(cairn, "--completion", "bash").stdout
    for value in values:
        check(f"\n\\fB{value}\\fR: " in manual, f"the manual lacks {value}")
        word = value.split("[")[0]
        word = word if word.count(":") == 0 or word.startswith(("tnf", "sleep", "por,")) else word.split(":")[0] + ":"
        check(re.search(rf"[' ]{re.escape(word)}[' ]", completion), f"the completion lacks {word}")
    for says in failed:
        print(says)
    print(f"{len(found)} rules, {len(failed)} failed")
    return 1 if failed else 0


def run(*words, cwd=None):
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=60)


if __name__ == "__main__":
    sys.exit(main())
