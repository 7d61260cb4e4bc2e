#!/usr/bin/env python3
"""mutants.py - applies small wrong changes to the program, and reports those that no test catches.

    mutants.py [--folder FOLDER] [--quick | --parts] [--trust] [--go-on] [--same] [--list] [--check] [WORD…]

tests/mutants/*.mutants hold the changes. Each names a function and the text of a line in
it, so that it survives that code moves:

    == sleep:2 drops nothing          a name, unique
    in: sleep.c drop_fired            a function, and the base name of its file, but for functions
                                      that are nowhere else; *: anywhere in the file
    - state->asleep &= ~fired;        one line, or several that follow each other
    + (void)fired;                    what is there instead; none: the lines are left out
    tests: reduce, effects sleep:2    optional: the tests that should know, before the usual ones; with
                                      the arguments that make one look at a part
    same: why                         optional: it changes nothing that can be seen; not run

The tree is copied to FOLDER (build/mutants) and built there. Each mutant is built and tested, first by the
tests named, then by those of its part (PARTS), the quickest first, then by all others; the first line
that reports a failure ends it. A test is run without any mutant when it is first needed (its time is kept in
FOLDER): one that fails is left out, and one that takes ten times as long as then has caught a
mutant, too.

--parts: not by all others, which is enough while tests are written. --quick: only by those named, if any.
--trust: tests that passed without any mutant in FOLDER before are believed to do so still. --go-on: what
was caught in FOLDER before is not run again. --same: mutants that are said to change nothing are run, and
one that is caught is an error.
--check: only look whether each text is found, as `make check` does. WORD…: only mutants whose name or
place contains one of them. A mutant whose text is not found, or that does not compile, is an error.
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
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NETS = ["cli-nets", "random nets", "net counts", "net formulas"]
PARTS = {  # folders under src, the longest that fits counts: tests that are about it
    "base": ["base"],
    "ts": ["ts", "hash", "pack", "product", "independence", "reductions", "search", "compiled models", "models"],
    "ir": ["ir", "emit", "run", "compiled models", "dve", "models", "promela cases", "promela counts"],
    "native": ["native", "emit", "run", "compiled models", "models", "promela cases"],
    "store": ["store", "cut", "cleary", "lossy", "move", "search", "effects", "stores"],
    "search": ["search", "forget", "reduce", "move", "effects", "soundness", "pressure", "models", "checkpoint"],
    "cli": ["options", "cli-options", "cli-verdicts", "cli-methods", "cli-files", "cli-commands", "checkpoint",
            "effects"],
    "net": NETS,
    "lang/pnml": NETS,
    "lang/ltl": ["ltl", "words", "sizes", "cli-automaton", "ltl verdicts", "ltl syntax beside spin"],
}
FAILURE = re.compile(r"\[  FAILED  \]|FAIL(ED)?\b|\d+ passed, [1-9]\d* failed")
NEVER = {"lint", "structure", "fuzz"}  # suites that look at text


class Mutant:
    def __init__(self, name, where):
        self.name, self.where = name, where
        self.file = self.function = ""
        self.old, self.new, self.tests, self.same = [], [], [], ""

    def text(self):
        return "\n".join([self.file, self.function, *self.old, "+", *self.new])


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
    everywhere = sorted(p for p in (root / "src").rglob("*") if p.suffix in (".c", ".h", ".inc"))
    found, seen = places([p for p in everywhere if p.name == mutant.file], mutant)
    if not seen and mutant.function != "*":
        found, seen = places(everywhere, mutant)
    if len(found) == 1:
        return found[0]
    if not seen:
        return "there is no function %s (in %s or elsewhere)" % (mutant.function, mutant.file)
    return "the text is found %d times in %s of %s" % (len(found), mutant.function, mutant.file)


def name_of(test):
    return " ".join([test["name"], *test["suite"], *test.get("words", [])])


class Tree:
    """A copy of the sources, its build, and its tests."""

    def __init__(self, folder, few):
        self.few, self.trusted = few, {}
        self.root, self.build = folder / "tree", folder / "build"
        self.known = self.build / "seconds.json"
        self.copy()
        shared = Path(os.environ.get("CAIRN_SHARED", ROOT.parent / "shared")).resolve()
        self.env = {**os.environ, "CAIRN_SHARED": str(shared), "PYTHONUNBUFFERED": "1",
                    "TMPDIR": str(folder / "tmp"), "XDG_CACHE_HOME": str(folder / "tmp" / "cache")}
        if not (folder / "shared").exists() and shared.is_dir():
            (folder / "shared").symlink_to(shared)  # where some tests look for it
        if not (self.build / "build.ninja").exists():
            subprocess.run(["meson", "setup", str(self.build), str(self.root), "-Dwerror=false", "-Db_ndebug=true",
                            "-Doptimization=1"], check=True, stdout=subprocess.DEVNULL)
        if not self.make(["cairn"]):  # of the others each is built when a test first needs it
            raise SystemExit("mutants.py: the tree as it is does not build")
        tests = self.introspect("--tests")
        self.outputs = {target["id"]: target["filename"] for target in self.introspect("--targets")}
        self.tests = [t for t in tests if not any(s.rpartition(":")[2] in NEVER for s in t["suite"])]
        self.seconds = json.loads(self.known.read_text()) if self.known.exists() else {}

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

    def introspect(self, what):
        return json.loads(subprocess.run(["meson", "introspect", what, str(self.build)], capture_output=True,
                                         check=True).stdout)

    def make(self, targets):
        return subprocess.run(["ninja", "-C", str(self.build), *targets], capture_output=True).returncode == 0

    def programs(self, test):
        """What a test needs of the build."""
        return [str(Path(path).relative_to(self.build)) for target in test["depends"] for path in self.outputs[target]]

    def run(self, test, limit):
        """'' if the test passes, else how it failed. The first line that says so ends it."""
        shutil.rmtree(self.env["TMPDIR"], ignore_errors=True)  # of a test that was killed
        os.mkdir(self.env["TMPDIR"])
        p = subprocess.Popen(test["cmd"] + test.get("words", []), cwd=test["workdir"] or self.build,
                             env={**self.env, **test["env"]}, text=True, errors="replace", stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        late = threading.Event()

        def end():
            try:
                os.killpg(p.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        timer = threading.Timer(limit, lambda: (late.set(), end()))
        timer.start()
        try:
            line = next((line for line in p.stdout if FAILURE.match(line)), None)
            if line:
                return line.strip()[:120]
            p.wait()
        finally:
            timer.cancel()
            end()
            p.stdout.close()
            p.wait()
        if late.is_set():
            return "no end after %.0f s" % limit
        return "" if p.returncode in (0, 77) else "exit status %d" % p.returncode

    def try_plain(self, test):
        """Whether a test passes without any mutant, and how long it takes, which is kept for the next time."""
        name = name_of(test)
        self.make(self.programs(test))
        began = time.monotonic()
        how = self.run(test, 900)
        self.trusted[name], self.seconds[name] = not how, time.monotonic() - began
        end = " and fails, left out: " + how if how else ""
        print("    %s takes %.1f s%s" % (name, self.seconds[name], end), flush=True)
        self.known.write_text(json.dumps({n: s for n, s in self.seconds.items() if self.trusted.get(n, True)}))

    def named(self, text):
        """Tests of that name, with the arguments that follow it."""
        fitting = [t for t in self.tests if (text + " ").startswith(t["name"] + " ")]
        longest = max((len(t["name"]) for t in fitting), default=0)
        return [{**t, "words": text[longest:].split()} for t in fitting if len(t["name"]) == longest]

    def ordered(self, mutant, path):
        """Tests in the order in which they are tried: those named, those of the part, all others."""
        place = path.relative_to(self.root / "src").as_posix()
        part = PARTS.get(max((p for p in PARTS if place.startswith(p + "/")), key=len, default=None), [])
        stages = [[t for text in mutant.tests for t in self.named(text)],
                  [t for name in part for t in self.named(name)],
                  self.tests]
        if self.few != "all":
            stages = stages[:2] if self.few == "parts" else [stages[0] or stages[1]]
        tests = {}
        for stage in stages:
            for test in sorted(stage, key=lambda t: self.seconds.get(name_of(t), 60)):
                tests.setdefault(name_of(test), test)
        return list(tests.values())

    def judge(self, mutant):
        """(state, words): 'caught', 'lives' or 'error'."""
        place = find(self.root, mutant)
        if isinstance(place, str):
            return "error", place
        path, lines = place
        kept, tried = path.read_bytes(), 0
        new = ("\n".join(lines) + "\n").encode()

        def passes_anyway(test):
            if name_of(test) not in self.trusted:
                path.write_bytes(kept)
                self.try_plain(test)
                path.write_bytes(new)
            return self.trusted[name_of(test)]

        try:
            path.write_bytes(new)
            for test in self.ordered(mutant, path):
                if name_of(test) not in self.seconds and not passes_anyway(test):
                    continue
                if not self.make(self.programs(test)):
                    return "error", "it does not compile"
                how = self.run(test, max(20, 10 * self.seconds[name_of(test)]))
                if how and passes_anyway(test):
                    return "caught", "by %s: %s" % (test["name"], how)
                tried += not how
            return "lives", "all %d tests pass" % tried
        finally:
            path.write_bytes(kept)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--parts", action="store_true")
    parser.add_argument("--trust", action="store_true")
    parser.add_argument("--go-on", action="store_true")
    parser.add_argument("--same", action="store_true")
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
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # not before the tree is as it was
    tree = Tree(args.folder.resolve(), "quick" if args.quick else "parts" if args.parts else "all")
    if args.trust:
        tree.trusted = dict.fromkeys(tree.seconds, True)
    journal = args.folder / "judged.json"
    judged = json.loads(journal.read_text()) if args.go_on and journal.exists() else {}
    count = {"caught": 0, "lives": 0, "error": 0, "same": 0}
    for m in mutants:
        began = time.monotonic()
        if m.same and not args.same:
            state, words = "same", m.same
        elif judged.get(m.name, {}).get("text") == m.text():
            state, words = "caught", judged[m.name]["words"]
        else:
            state, words = tree.judge(m)
        if m.same and state == "lives":
            state, words = "same", words + ", as they should: " + m.same
        elif m.same and state == "caught":
            state, words = "error", "said to change nothing, but caught " + words
        elif state == "caught":
            judged[m.name] = {"text": m.text(), "words": words}
            journal.write_text(json.dumps(judged, indent=1))
        count[state] += 1
        print("%s: %s: %s (%.0f s)" % (state if state in ("caught", "same") else state.upper(), m.name, words,
                                       time.monotonic() - began), flush=True)
    print("%d mutants: %d caught, %d live, %d change nothing, %d errors"
          % (len(mutants), count["caught"], count["lives"], count["same"], count["error"]))
    return 1 if wrong or count["lives"] or count["error"] else 0


if __name__ == "__main__":
    sys.exit(main())
