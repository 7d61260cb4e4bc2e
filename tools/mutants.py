#!/usr/bin/env python3
"""mutants.py - applies small wrong changes to the program, and reports those that no test catches.

    mutants.py [--folder FOLDER] [--parts] [--list] [--check] [WORD…]

tests/mutants/*.mutants hold the changes. Each names a function and the text of a line in
it, so that it survives that code moves:

    == sleep:2 drops nothing          a name, unique
    in: sleep.c drop_fired            a function, and the base name of its file, but for functions
                                      that are nowhere else; *: anywhere in the file
    - state->asleep &= ~fired;        one line, or several that follow each other
    + (void)fired;                    what is there instead; none: the lines are left out
    tests: reduce effects             optional: the tests that should know, before the usual ones
    same: why                         optional: it changes nothing that can be seen; not run

The tree is copied to FOLDER (build/mutants), built there, and all tests run once (their times are
kept in FOLDER for the next time): those that fail are left out, and the time of the others is
the measure for hanging; a test that catches its first mutant is run once more without it. Then each mutant is built and tested, first by the tests named, then by
those of its part (PARTS), the quickest first, then by all others; the first failure ends it. A test that takes ten times as long as before has caught it, too.
--parts: not by all others, which is enough while tests are written. A mutant whose text is not found, or that does not compile, is an error. --check: only look
whether each text is found. WORD…: only mutants whose name or place contains one of them.
Exit status 1 if a mutant lives. It takes hours: this is run by hand (`make mutants`).
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = {  # folder under src: tests that are about it
    "base": ["base"],
    "ts": ["ts", "hash", "pack", "independence", "reductions", "search", "compiled models", "models"],
    "ir": ["ir", "emit", "run", "compiled models", "dve", "models", "promela cases", "promela counts"],
    "native": ["native", "emit", "run", "compiled models", "models", "promela cases"],
    "store": ["store", "cut", "cleary", "lossy", "move", "search", "effects", "stores"],
    "search": ["search", "forget", "reduce", "move", "effects", "soundness", "pressure", "models"],
}
NEVER = {"lint", "structure", "fuzz"}  # suites that look at text


class Mutant:
    def __init__(self, name, where):
        self.name, self.where = name, where
        self.file = self.function = ""
        self.old, self.new, self.tests, self.same = [], [], [], ""


def read_mutants(paths):
    """All mutants of the files, and what is wrong with these."""
    mutants, wrong = [], []
    for path in paths:
        mutant = None
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            where = "%s:%d" % (path.name, number)
            if not line.strip() or line.startswith("#"):
                continue
            if line.startswith("== "):
                mutant = Mutant(line[3:].strip(), where)
                mutants.append(mutant)
            elif line.startswith("in: ") and len(line.split()) == 3:
                mutant.file, mutant.function = line.split()[1:]
            elif line[:2] in ("- ", "+ ") or line == "+":
                (mutant.old if line[0] == "-" else mutant.new).append(line[2:].strip())
            elif line.startswith("tests: "):
                mutant.tests = [t.strip() for t in line[7:].split(",")]
            elif line.startswith("same: "):
                mutant.same = line[6:].strip()
            else:
                wrong.append("%s: not understood: %s" % (where, line))
    names = [m.name for m in mutants]
    wrong += ["%s: no old text or place: %s" % (m.where, m.name) for m in mutants if not m.old or not m.file]
    wrong += ["two mutants are called '%s'" % n for n in sorted(set(names)) if names.count(n) > 1]
    return mutants, wrong


def body_of(lines, function):
    """Range of the lines of a function's definition; all of the file for `*`."""
    if function == "*":
        return 0, len(lines)
    begins = re.compile(r"^[A-Za-z_].*\b%s\(" % re.escape(function))
    for i, line in enumerate(lines):
        if not begins.match(line):
            continue
        for end in range(i, len(lines)):
            if lines[end].rstrip().endswith(";") and not any("{" in l for l in lines[i:end + 1]):
                break  # a declaration
            if lines[end].startswith("}") or (end == i and line.rstrip().endswith("}")):
                return i, end + 1
    return None


def places(paths, mutant):
    """Where the text is: (path, lines with the change); and whether there is such a function."""
    found, seen, n = [], False, len(mutant.old)
    for path in paths:
        lines = path.read_text(encoding="utf-8").splitlines()
        body = body_of(lines, mutant.function)
        if body is None:
            continue
        seen = True
        for i in range(body[0], body[1] - n + 1):
            if [line.strip() for line in lines[i:i + n]] == mutant.old:
                found.append((path, lines[:i] + mutant.new + lines[i + n:]))
    return found, seen


def find(root, mutant):
    """(path, lines with the change), or a sentence that says why not. A function may have moved
    to another file."""
    everywhere = sorted((root / "src").rglob("*.[ch]"))
    found, seen = places([p for p in everywhere if p.name == mutant.file], mutant)
    if not seen and mutant.function != "*":
        found, seen = places(everywhere, mutant)
    if len(found) == 1:
        return found[0]
    if not seen:
        return "there is no function %s (in %s or elsewhere)" % (mutant.function, mutant.file)
    return "the text is found %d times in %s of %s" % (len(found), mutant.function, mutant.file)


class Tree:
    """A copy of the sources, its build, and its tests."""

    def __init__(self, folder, all_others):
        self.all_others, self.trusted = all_others, set()
        self.root, self.build = folder / "tree", folder / "build"
        self.copy()
        shared = Path(os.environ.get("CAIRN_SHARED", ROOT.parent / "shared")).resolve()
        self.env = {**os.environ, "CAIRN_SHARED": str(shared)}
        if not (folder / "shared").exists() and shared.is_dir():
            (folder / "shared").symlink_to(shared)  # where some tests look for it
        if not (self.build / "build.ninja").exists():
            subprocess.run(["meson", "setup", str(self.build), str(self.root), "-Dwerror=false", "-Db_ndebug=true",
                            "-Doptimization=1"], check=True, stdout=subprocess.DEVNULL)
        if not self.make([]):
            raise SystemExit("mutants.py: the tree as it is does not build")
        tests = json.loads(subprocess.run(["meson", "introspect", "--tests", str(self.build)], capture_output=True,
                                          check=True).stdout)
        self.tests = [t for t in tests if not any(s.rpartition(":")[2] in NEVER for s in t["suite"])]

    def copy(self):
        """Only what differs is written: the build goes by the times of files."""
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                                capture_output=True, check=True).stdout.decode().split("\0")
        names = {name for name in listed if name and (ROOT / name).is_file()}
        for old in [p for p in self.root.rglob("*") if p.is_file() and str(p.relative_to(self.root)) not in names]:
            old.unlink()
        for name in names:
            path, wanted = self.root / name, (ROOT / name).read_bytes()
            if not path.exists() or path.read_bytes() != wanted:
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, path)

    def make(self, targets):
        return subprocess.run(["ninja", "-C", str(self.build), *targets], capture_output=True).returncode == 0

    def programs(self, test):
        """What a test needs of the build."""
        words = [Path(os.path.normpath(word)) for word in test["cmd"]]
        return sorted({str(w.relative_to(self.build)) for w in words if w.is_relative_to(self.build) and w.is_file()})

    def run(self, test, limit):
        """'' if the test passes, else how it failed."""
        p = subprocess.Popen(test["cmd"], cwd=test["workdir"] or self.build, env={**self.env, **test["env"]},
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                             start_new_session=True)
        try:
            output = p.communicate(timeout=limit)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            p.communicate()
            return "no end after %.0f s" % limit
        failed = re.findall(r"^\d+ passed, ([1-9]\d*) failed", output, re.MULTILINE)
        return "" if p.returncode in (0, 77) and not failed else "exit status %d" % p.returncode

    def measure(self):
        """How long each test takes; those that were measured before are not run again."""
        path = self.build / "seconds.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        for test in self.tests:
            name = " ".join([test["name"], *test["suite"]])
            if name not in known:
                began = time.monotonic()
                how = self.run(test, 900)
                known[name] = None if how else time.monotonic() - began
                print("%7.1f s  %s%s" % (time.monotonic() - began, test["name"], "  FAILS, left out: " + how if how else ""),
                      flush=True)
                path.write_text(json.dumps(known))
            test["seconds"] = known[name]
        self.tests = sorted((t for t in self.tests if t["seconds"] is not None), key=lambda t: t["seconds"])

    def ordered(self, mutant, part):
        first = [n for n in mutant.tests + PARTS.get(part, [])]
        rank = {n: 0 if n in mutant.tests else 1 for n in first}
        tests = [t for t in self.tests if self.all_others or t["name"] in rank]
        return sorted(tests, key=lambda t: (rank.get(t["name"], 2), t["seconds"]))

    def fails_anyway(self, test):
        """Whether a test fails without any mutant: asked once, when it first catches one."""
        if test["name"] not in self.trusted:
            if not self.make(self.programs(test)) or self.run(test, max(20, 10 * test["seconds"])):
                print("%s fails without any mutant: left out" % test["name"], flush=True)
                self.tests.remove(test)
                return True
            self.trusted.add(test["name"])
        return False

    def catch(self, path, lines, tests):
        """(how, test) that notices these lines in the file, or (None, None); '' if they do not compile."""
        kept = path.read_bytes()
        try:
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            for test in tests:
                if not self.make(self.programs(test)):
                    return "", None
                how = self.run(test, max(20, 10 * test["seconds"]))
                if how:
                    return how, test
            return None, None
        finally:
            path.write_bytes(kept)

    def judge(self, mutant):
        """(state, words): 'caught', 'lives' or 'error'."""
        place = find(self.root, mutant)
        if isinstance(place, str):
            return "error", place
        path, lines = place
        while True:
            tests = self.ordered(mutant, path.relative_to(self.root / "src").parts[0])
            how, test = self.catch(path, lines, tests)
            if how == "":
                return "error", "it does not compile"
            if how is None:
                return "lives", "all %d tests pass" % len(tests)
            if not self.fails_anyway(test):
                return "caught", "by %s: %s" % (test["name"], how)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--parts", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    mutants, wrong = read_mutants(sorted((ROOT / "tests" / "mutants").glob("*.mutants")))
    mutants = [m for m in mutants if not args.words
               or any(w in " ".join((m.name, m.where, m.file, m.function)) for w in args.words)]
    wrong += ["%s: %s: %s" % (m.where, m.name, place) for m in mutants
              if isinstance(place := find(ROOT, m), str)]
    for line in wrong:
        print("ERROR " + line)
    if args.list or args.check:
        for m in mutants if args.list else []:
            print("%s %s: %s%s" % (m.file, m.function, m.name, " (same: %s)" % m.same if m.same else ""))
        print("%d mutants, %d errors" % (len(mutants), len(wrong)))
        return 1 if wrong else 0
    tree = Tree(args.folder.resolve(), not args.parts)
    if args.parts:
        named = {n for m in mutants for n in m.tests}.union(*PARTS.values())
        tree.tests = [t for t in tree.tests if t["name"] in named]
    tree.measure()
    count = {"caught": 0, "lives": 0, "error": 0, "same": 0}
    for m in mutants:
        began = time.monotonic()
        state, words = ("same", m.same) if m.same else tree.judge(m)
        count[state] += 1
        print("%s: %s: %s (%.0f s)" % (state if state in ("caught", "same") else state.upper(), m.name, words,
                                       time.monotonic() - began), flush=True)
    print("%d mutants: %d caught, %d live, %d change nothing, %d errors"
          % (len(mutants), count["caught"], count["lives"], count["same"], count["error"]))
    return 1 if wrong or count["lives"] or count["error"] else 0


if __name__ == "__main__":
    sys.exit(main())
