#!/usr/bin/env python3
"""The table of effects: every method does what it is for.

    run.py --cairn PROGRAM [--jobs N] [WORD…]

A search that leaves nothing out gives right answers, too, so a reduction that reduces
nothing, a cache that forgets nothing and an option that is ignored pass every test that
compares answers. effects.tsv has a row for each method and option value that says which
figure it must change; its head explains the columns. All runs go through the command line,
each once, and the figures of each must not contradict one another (tests/figures.py).
Every option of `check`, and every value that the program's own lists have for one, must have a
row, or be in ELSEWHERE with the test that is about it.
WORD…: only rows that contain one of the words. The last line is "N passed, N failed".
"""
import argparse
import concurrent.futures
import json
import operator
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
import figures  # noqa: E402

RELATIONS = {"<": operator.lt, ">": operator.gt, "=": operator.eq, "!=": operator.ne,
             "<=": operator.le, ">=": operator.ge}
ELSEWHERE = {
    "--trail": "tests/cli/files.py", "--force": "tests/cli/files.py", "--json": "every test",
    "--quiet": "tests/cli/figures.py", "--stats": "tests/cli/output.py", "--color": "tests/cli/options.py", "--help": "tests/cli/options.py",
    "--warn": "tests/cli/verdicts.py", "--claim": "tests/cli/files.py", "--compiler auto": "tests/unit/test_native.c",
    "--define": "it is -D", "--diagnostics": "tests/cli/trails.py",
}
THAN = re.compile(r"(?:([0-9.]+) \* )?(?:([a-z][a-z._]*) )?with(?: (.*))?$")


class Row:
    def __init__(self, line, number):
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) not in (5, 6) or cells[3] not in RELATIONS:
            raise SystemExit("effects.tsv:%d: a row has five or six columns: %s" % (number, line))
        self.number, self.options, self.model, self.figure, self.relation, self.than = number, *cells[:5]
        self.mark = cells[5] if len(cells) == 6 else ""
        with_other = THAN.match(self.than)
        self.factor, self.other_figure, self.other = 1, self.figure, None
        if with_other:
            factor, figure, options = with_other.groups()
            self.factor, self.other_figure = float(factor or 1), figure or self.figure
            self.other = self.options if options == "same" else options or ""

    def runs(self):
        return [(self.model, self.options)] + ([(self.model, self.other)] if self.other is not None else [])

    def __str__(self):
        return "effects.tsv:%d: %s %s: %s %s %s" % (self.number, self.options, self.model, self.figure,
                                                    self.relation, self.than)


def read_table(path, words):
    with open(path, encoding="utf-8") as f:
        rows = [Row(line.rstrip("\n"), number) for number, line in enumerate(f, 1)
                if line.strip() and not line.startswith("#")]
    return [r for r in rows if not words or any(w in str(r) for w in words)]


def figure_of(run, name):
    """The figure of that name; a list counts as its length. KeyError if there is none."""
    process, value = run
    if name == "exit":
        return process.returncode
    for part in name.split("."):
        value = value[part]
    return len(value) if isinstance(value, list) else value


def constant(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def judge(row, runs):
    """What is wrong with a row, or None."""
    try:
        this = figure_of(runs[row.runs()[0]], row.figure)
        if row.other is None:
            that = constant(row.than)
        else:
            that = figure_of(runs[row.runs()[1]], row.other_figure)
            that = that if row.factor == 1 else row.factor * that
        holds = RELATIONS[row.relation](this, that)
    except (KeyError, TypeError) as e:
        return "cannot be compared: %s %s" % (type(e).__name__, e)
    return None if holds else "%s, and not %s %s" % (this, row.relation, that)


def values_of_options(cairn):
    """(option, value or None) of `check`, from the completion that the program prints."""
    text = subprocess.run([cairn, "--completion", "bash"], capture_output=True, text=True, check=True).stdout
    options = re.search(r"^ *check\) words='([^']*)'", text, re.MULTILINE).group(1).split()
    for option in options:
        yield option, None
        values = re.search(r"^ *(?:-\w\|)?%s\) .*compgen -W '([^']*)'" % option, text, re.MULTILINE)
        for value in values.group(1).split() if values else []:
            yield option, value


def without_a_row(cairn, rows):
    """Options and values that no row tries."""
    tried = set()
    for row in rows:
        words = shlex.split(row.options)
        for option, value in zip(words, words[1:] + [""]):
            if option.startswith("-"):
                tried.add((option, None))
                # cache:age,size=3 is a value of cache, too; alt:3,2 of "alt:"
                ends = [m.start() for m in re.finditer("[:,]", value)] + [len(value)]
                tried |= {(option, value[:end].rstrip(":")) for end in ends}
                tried |= {(option, part) for part in value.split(",")}
    for option, value in values_of_options(cairn):
        named = (option, value if value is None else value.rstrip(":"))
        if named not in tried and option not in ELSEWHERE and "%s %s" % named not in ELSEWHERE:
            yield option if value is None else "%s %s" % named


def ask(cairn, run):
    model, options = run
    try:
        return figures.ask(cairn, [*shlex.split(options), os.path.join(ROOT, model)])
    except subprocess.TimeoutExpired as e:
        return subprocess.CompletedProcess(e.cmd, -1), None


# A sanitizer takes memory of its own: of budgets of less than that many MiB such a program can say nothing.
SANITIZED_LEAST = 32


def too_small(cairn, rows):
    """Rows with budgets that a program with a sanitizer cannot keep; none of another program."""
    if not figures.is_sanitized(cairn):
        return []
    return [r for r in rows if any(int(m) < SANITIZED_LEAST for m in re.findall(r"--memory (\d+)M", r.options))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.path.join(ROOT, "build", "cairn"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    cairn = os.path.abspath(args.cairn)
    rows = read_table(os.path.join(HERE, "effects.tsv"), args.words)
    every, failed, runs = rows, 0, {}
    left_out = too_small(cairn, rows)
    rows = [r for r in rows if r not in left_out]
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        os.environ["XDG_CACHE_HOME"] = cache  # no test reads or leaves anything in the user's
        asked = {run: None for row in rows for run in row.runs()}
        answers = {run: pool.submit(ask, cairn, run) for run in asked}
        for row in rows:
            for run in row.runs():
                if run not in runs:
                    runs[run] = answers[run].result()
                    for c in figures.complaints(runs[run][1], runs[run][0].returncode):
                        failed += 1
                        print("FAIL %s %s: %s" % (run[1], run[0], c), flush=True)
            wrong = judge(row, runs)
            if row.mark and wrong is None:
                wrong = "passes now: take off the mark '%s'" % row.mark
            elif row.mark:
                print("known: %s (%s)" % (row, row.mark))
                wrong = None
            if wrong is not None:
                failed += 1
                print("FAIL %s: %s" % (row, wrong), flush=True)
    missing = [] if args.words else list(without_a_row(cairn, every))
    for value in missing:
        print("FAIL effects.tsv has no row for " + value)
    failed += len(missing)
    total = len(rows) + len(runs) + len(missing)
    print("%d passed, %d failed, %d skipped" % (total - failed, failed, len(left_out)))
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
