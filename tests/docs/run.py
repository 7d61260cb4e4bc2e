#!/usr/bin/env python3
"""What README.md and docs/ print can be typed, and gives what they show.

    run.py [--cairn BUILD/cairn] [--source SOURCE_ROOT] [-v] [PAGE...]

In blocks of code, a line that begins with "build/cairn", "cairn" or "$" is a command. It is run in a
folder with models/ and bench/ in it and must not be refused; after "$" what follows in the block is its
output, which must be the same but for times and bytes. A line with names in capitals, as MODEL, is a
synopsis. Everywhere, an option after "cairn COMMAND" is one of that command, `make` has the targets that are
named, and files that are named are there. README.md and docs/dve.md show models: the one is the file that is
named, the other is read. docs/json.md has the keys of the JSON object.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LOOSE = re.compile(r"[\d.,]+( (?:thousand|million|billion))? per second|[\d.,]+ (?:bytes|[KMG]iB)|[\d.]+ m?s\b")
SYNOPSIS = re.compile(r"\b(?:MODEL|FILE|FORMULA|SUITE|EXPR|STRATEGY|LEVEL|NAME)\b|[\[…]{1}[:,A-Z]")
# A run by hand ends at once, as nothing is typed.
REFUSED = 2


class Checked:
    def __init__(self, cairn, root, folder, verbose):
        self.root, self.folder, self.verbose = root, folder, verbose
        self.run, self.skipped, self.wrong = 0, 0, []
        (folder / "build").mkdir()
        (folder / "build" / "cairn").symlink_to(cairn)
        for name in ("models", "bench"):
            shutil.copytree(root / name, folder / name)
        self.environment = dict(os.environ, PATH=f"{folder / 'build'}:{os.environ['PATH']}", HOME=str(folder),
                                XDG_CACHE_HOME=str(folder / "cache"), NO_COLOR="1")
        self.options = {command: self.options_of(command) for command in
                        re.findall(r"^  cairn ([a-z]+) ", self.shell("cairn --help").stdout, re.MULTILINE)}
        self.targets = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(), re.MULTILINE))

    def shell(self, line):
        return subprocess.run(["bash", "-c", line], cwd=self.folder, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120)

    def options_of(self, command):
        return set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", self.shell(f"cairn {command} --help").stdout))

    def fail(self, where, line, why):
        self.wrong.append(f"{where}: {line}\n    {why}")


def blocks(text):
    """The blocks of code of a page: the number of the first line, and lines without their indent."""
    lines, number, inside = [], 0, None
    for i, line in enumerate(text.split("\n") + ["end"], 1):
        if line.startswith("```"):
            if inside == "fence":
                yield number, lines
                lines, inside = [], None
            else:
                lines, number, inside = [], i + 1, "fence"
        elif inside == "fence":
            lines.append(line)
        elif line.startswith("    ") or (inside and not line.strip()):
            if not inside:
                lines, number, inside = [], i, "indent"
            lines.append(line[4:])
        elif inside:
            yield number, lines
            lines, inside = [], None


def plain(text):
    return [LOOSE.sub("#", line.rstrip()) for line in text.rstrip().split("\n")]


def same_output(checked, where, command, shown):
    done = checked.shell(command)
    checked.run += 1
    if plain(done.stdout) != plain("\n".join(shown)):
        pairs = zip(plain(done.stdout) + ["(its end)"], plain("\n".join(shown)) + ["(its end)"])
        is_now, was = next(((a, b) for a, b in pairs if a != b), ("", ""))
        checked.fail(where, command, f"prints   {is_now}\n    not      {was}")


def one_command(checked, where, line):
    command = re.sub(r"\s{2,}#.*", "", line).rstrip()
    known(checked, where, command)
    if SYNOPSIS.search(re.sub(r"-D [A-Z]+|'[^']*'|\"[^\"]*\"", "", command)):
        return
    needs = [word for word in ("dot", "gnuplot") if ("--chart" in command if word == "gnuplot" else f"| {word} " in command)]
    if any(shutil.which(word) is None for word in needs):
        print(f"SKIP {where}: {command}: there is no {needs[0]}")
        checked.skipped += 1
        return
    began = time.monotonic()
    done = checked.shell(command)
    checked.run += 1
    if checked.verbose:
        print(f"{time.monotonic() - began:6.2f} s  exit {done.returncode}  {command}")
    if "built without libxml2" in done.stderr:
        print(f"SKIP {where}: {command}: {done.stderr.strip()}")
        checked.skipped += 1
    elif done.returncode >= REFUSED and not (done.returncode == 3 and done.stdout.startswith("inconclusive")):
        checked.fail(where, command, f"exit status {done.returncode}: {done.stderr.strip()}")


def known(checked, where, command):
    """Whether the command and its options exist."""
    words = re.search(r"\bcairn ([a-z]+)\b", command)
    if words is None or words.group(1) == "help":
        return
    if words.group(1) not in checked.options:
        checked.fail(where, command, f"there is no command '{words.group(1)}'")
        return
    rest = re.sub(r"'[^']*'|\"[^\"]*\"", "", command[words.end():]).split("|")[0]
    for option in re.findall(r"(?<=[\s\[])--[a-z][a-z-]*", rest):
        if option not in checked.options[words.group(1)] and option != "--help":
            checked.fail(where, command, f"there is no option {option} of cairn {words.group(1)}")


def check_target(checked, where, line):
    for target in re.findall(r"^make ([a-z-]+)", line):
        if target not in checked.targets:
            checked.fail(where, line, "the Makefile has no such target")


def check_block(checked, page, number, lines):
    for i, line in enumerate(lines):
        where = f"{page}:{number + i}"
        if line.startswith("$ "):
            ends = next((k for k in range(i + 1, len(lines)) if lines[k].startswith("$ ")), len(lines))
            known(checked, where, line)
            same_output(checked, where, line[2:], lines[i + 1:ends])
        elif re.match(r"(build/)?cairn ", line):
            one_command(checked, where, line)
        elif line.startswith("make "):
            check_target(checked, where, line)


def check_words(checked, page, text):
    """Of what is named in the text: commands with options, targets, files."""
    for i, line in enumerate(text.split("\n"), 1):
        where = f"{page}:{i}"
        for span in re.findall(r"`([^`]+)`", line):
            if span.startswith("cairn "):
                known(checked, where, span)
            option = re.match(r"(--[a-z][a-z-]*)(?![\w-])", span)
            if option and not any(option.group(1) in options for options in checked.options.values()):
                checked.fail(where, span, f"there is no option {option.group(1)}")
            check_target(checked, where, span)
            path = re.match(r"((?:src|tests|tools|docs|bench|models|scripts|include)/[\w./-]+\.[a-z0-9]+)(?:\s|$)", span)
            if path and "NAME" not in path.group(1) and not any(checked.root.glob(path.group(1))):
                checked.fail(where, span, "there is no such file")


def check_models(checked, page, text):
    """The models that pages show."""
    if page == "README.md":
        shown = re.search(r"\[(models/[\w.-]+)\]\([^)]*\) without its comments:\n\n```c\n(.*?)```", text, re.DOTALL)
        file = re.sub(r"//[^\n]*|/\*.*?\*/", "", (checked.root / shown.group(1)).read_text(), flags=re.DOTALL)
        if shown.group(2).split() != file.split():
            checked.fail(page, shown.group(1), "the model that is shown is not the one in the file")
    if page == "docs/dve.md":
        shown = next(lines for _, lines in blocks(text) if any(line.startswith("system") for line in lines))
        (checked.folder / "shown.dve").write_text("\n".join(shown))
        one_command(checked, page, "cairn check shown.dve")


def check_keys(checked, page, text):
    """docs/json.md has the keys of the object of a search, all of them and no others."""
    if page != "docs/json.md":
        return
    table, documented = text.split("## `cairn check`")[1].split("\n## ")[0], set()
    for cell in re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE):
        before = ""
        for key in re.findall(r"`([\w.]+)`", cell):
            before = before + key if key.startswith(".") else key
            documented.add(before)
            before = before.split(".")[0]
    checked.run += 2
    given = set()
    for model in ("models/mutex-wrong.dve", "models/philosophers.pnml --queries models/philosophers.xml"):
        for key, value in json.loads(checked.shell(f"cairn check {model} --json -").stdout or "{}").items():
            inside = isinstance(value, dict) and key not in documented or key == "error" and value
            given |= {f"{key}.{part}" for part in value} if inside else set()
            given |= {key} if not inside or key == "error" else set()
    for key in sorted(documented ^ given):
        checked.fail(page, key, "is not in the object" if key in documented else "is in the object, and not on the page")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", type=Path, default=Path("build/cairn"))
    parser.add_argument("--source", type=Path, default=Path(__file__).parents[2])
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("page", nargs="*")
    args = parser.parse_args()
    root = args.source.resolve()
    pages = args.page or ["README.md"] + sorted(str(p.relative_to(root)) for p in (root / "docs").glob("*.md"))
    with tempfile.TemporaryDirectory() as folder:
        checked = Checked(args.cairn.resolve(), root, Path(folder), args.verbose)
        for page in pages:
            text = (root / page).read_text()
            check_words(checked, page, text)
            check_models(checked, page, text)
            check_keys(checked, page, text)
            for number, lines in blocks(text):
                check_block(checked, page, number, lines)
    print("\n".join(checked.wrong) + ("\n" if checked.wrong else "") +
          f"{len(pages)} pages, {checked.run} commands run, {checked.skipped} skipped, {len(checked.wrong)} failed")
    return 1 if checked.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
