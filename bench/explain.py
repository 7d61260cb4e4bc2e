#!/usr/bin/env python3
"""explain.py - counterexamples of five faulty models beside those of Spin and Rumur; writes docs/counterexamples.md.

    explain.py --cairn BUILD/cairn [--page docs/counterexamples.md]

Each model of bench/explain is there twice: as Promela, for Cairn and Spin, and in Murphi's language, for Rumur. Of what
each tool prints the first ten lines that are not empty are shown, and what is in all of it is counted. A tool that is
not installed is named, and the page is not written.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODELS = [
    ("lock", "A wrong lock", "Both processes look at a flag before either sets it."),
    ("philosophers", "Philosophers", "Each takes the left fork first, and all are stuck."),
    ("buffer", "A buffer", "The writer's index is never taken modulo the size."),
    ("counter", "A lost update", "Two processes add one, each by way of a copy."),
    ("handshake", "A handshake", "Both ask at once, and each waits for an answer that the other cannot give."),
]


def run(folder, *command):
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=120)
    return done.stdout


def cairn(program, name, folder):
    """From the project's root, as the page shows the command."""
    path = f"bench/explain/{name}.pml"
    return run(ROOT, program, "check", path, "--trail", str(folder / f"{name}.trail"))


def spin(name, folder):
    """What the verifier says of the error, and the shortest run that it finds, as its simulator shows it."""
    shutil.copy(ROOT / "bench" / "explain" / f"{name}.pml", folder)
    said = run(folder, "spin", "-run", "-i", f"{name}.pml")
    os.utime(folder / f"{name}.pml", (0, 0))  # else the trail counts as older
    error = "".join(line + "\n" for line in said.splitlines() if re.match(r"pan:\d+: (?!wrote)", line))
    return error[:error.index("\n") + 1] + run(folder, "spin", "-t", "-p", "-g", "-l", f"{name}.pml")


def rumur(name, folder):
    shutil.copy(ROOT / "bench" / "explain" / f"{name}.m", folder)
    run(folder, "rumur", "--color", "off", "--counterexample-trace", "diff", "--output", f"{name}.c", f"{name}.m")
    run(folder, "cc", "-std=c11", "-O1", "-mcx16", "-o", name, f"{name}.c", "-lpthread", "-latomic")
    said = run(folder, f"./{name}")
    return said[said.index("The following is the error trace"):]


def first_lines(text, n=10):
    return [line.rstrip() for line in text.splitlines() if line.strip()][:n]


def steps(tool, text):
    if tool == "Cairn":
        return int(re.search(r"after (\d+) steps", text).group(1))
    numbers = re.findall(r"^\s*(\d+):\s+proc", text, re.MULTILINE) if tool == "Spin" else re.findall(r"^Rule .* fired", text, re.MULTILINE)
    return max(map(int, numbers)) if tool == "Spin" else len(numbers)


def line_of(text, pattern):
    """The first line that has it, counted without empty ones; or a dash."""
    for i, line in enumerate(first_lines(text, 10000), 1):
        if re.search(pattern, line):
            return str(i)
    return "-"


# Of each model what names the failure, and for Cairn, Spin and Rumur what explains it (None: nothing does).
WHAT = {
    "lock": (r"inside ?== ?1|one is inside", (r"where inside = 2", r"inside = 2$", r"at.1.:critical")),
    "philosophers": (r"invalid end state|deadlock", (r"needs !fork", None, None)),
    "buffer": (r"index of 'ring'|array index|index out of range", (r"the index head is 3", r"indexing ring.3.", r"head:3")),
    "counter": (r"n ?== ?2|both were added", (r"where n = 1", r"^\s+n = 1$", r"^n:1$")),
    "handshake": (r"invalid end state|deadlock", (r"needs such a message", None, None)),
}

# Lines of Cairn's output that come after the first ten, and what they are.
ENDS = {
    "lock": [(r"^ +where ", "At the end Cairn shows the values with which the assertion fails:")],
    "philosophers": [(r" needs ", "At the end Cairn shows where each process is, and what it waits for:")],
    "buffer": [(r"^ +where ", "At the end Cairn shows the index:")],
    "handshake": [(r" needs |first in to_|which was started later", "At the end Cairn shows where each process is, and what it waits for:")],
}


def section(name, title, summary, texts):
    page = [f"## {title}", "", f"{summary} [{name}.pml](../bench/explain/{name}.pml), [{name}.m](../bench/explain/{name}.m)", "", "Cairn:", ""]
    page += [f"    $ build/cairn check bench/explain/{name}.pml | grep . | head -10"]
    page += ["    " + line for line in first_lines(texts["Cairn"])]
    for tool in ("Spin", "Rumur"):
        page += ["", f"{tool}:", "", "```text"] + [line.replace("\t", "  ") for line in first_lines(texts[tool])] + ["```"]
    failed, causes = WHAT[name]
    page += ["", "| | steps | lines | what failed, in line | what explains it, in line |", "|---|---|---|---|---|"]
    for (tool, text), cause in zip(texts.items(), causes):
        found = "-" if cause is None else line_of(text, cause)
        page.append(f"| {tool} | {steps(tool, text)} | {len(first_lines(text, 10000))} | {line_of(text, failed)} | {found} |")
    for pattern, text in ENDS.get(name, []):
        shown = [line for line in texts["Cairn"].splitlines() if re.search(pattern, line)]
        page += ["", text, "", "```text"] + shown + ["```"]
    return page + [""]


HEAD = """# Counterexamples beside other tools

Five small models with a mistake each, and what three model checkers print of it: the first ten lines that are not
empty, and in which line of the whole there is what one looks for. Made by `bench/explain.py`; the outputs are those of the
programs, Spin {spin} and Rumur {rumur}, unchanged but for empty lines and tabs.

- Cairn: `cairn check MODEL`.
- Spin: `spin -run -i MODEL`, of which the line with the error is shown, and `spin -t -p -g -l MODEL`, which shows the run.
- Rumur: the model in the language of Murphi, with traces that show what changes, from the error on.

TLC was not run: the system on which this page was made has no package of it, and the registries that it reaches do not serve one.
Nothing is said of it here.

"What explains it" is of the lock and the counter the value with which the condition fails, of the buffer the index that is out of
range, of the philosophers and the handshake what a process waits for. A dash: it is not said, and has to be found out from the state and
the model; Spin's last lines have the line of the model at which each process is. A number of lines says nothing by itself: a state
that is shown whole takes many, and may show what one would not have looked for. The models of Rumur have fewer steps, as a rule may
do what several statements do.

"""


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--cairn", required=True)
    options.add_argument("--page", default=str(ROOT / "docs" / "counterexamples.md"))
    options = options.parse_args()
    for tool in ("spin", "rumur", "cc"):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is not installed: the page is left as it is")
    versions = {"spin": run(".", "spin", "-V").split()[2], "rumur": re.search(r"[\d.]+\d", run(".", "rumur", "--version")).group()}
    page = HEAD.format(**versions)
    with tempfile.TemporaryDirectory() as folder:
        for name, title, summary in MODELS:
            texts = {"Cairn": cairn(os.path.abspath(options.cairn), name, Path(folder)), "Spin": spin(name, Path(folder)),
                     "Rumur": rumur(name, Path(folder))}
            page += "\n".join(section(name, title, summary, texts)) + "\n"
    Path(options.page).write_text(page.rstrip() + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
