#!/usr/bin/env python3
"""lint.py - formatting and the static checkers, over all C files of the project.

    lint.py format   [SOURCE_ROOT [BUILD_FOLDER]]     . and SOURCE_ROOT/build where not given
    lint.py tidy     [SOURCE_ROOT [BUILD_FOLDER]]
    lint.py cppcheck [SOURCE_ROOT [BUILD_FOLDER]]

Exit 77 (skipped, in Meson's words) where the tool is not installed. clang-tidy is
slow, so a file found clean is remembered in the user's cache folder by the hash of everything
that its result depends on: the tool, its command, and the files that it includes.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

JOBS = os.cpu_count() or 1


def c_files(root, kinds=(".c", ".h")):
    return sorted(path for folder in ("src", "include", "tests", "bench") for path in (root / folder).rglob("*")
                  if path.suffix in kinds)


def check_format(root, _build):
    command = ["clang-format", "--dry-run", "--Werror"] + [str(path) for path in c_files(root)]
    return subprocess.run(command, cwd=root).returncode


# What others do better: the analyzer of clang-tidy follows pointers to what is not
# yet written, and -Wformat knows the types after an argument. And a string's NUL
# is a limit, which arrayIndexThenCheck does not see.
CPPCHECK_LEAVES = ["arrayIndexThenCheck", "missingIncludeSystem", "uninitvar", "ctuuninitvar",
                   "invalidPrintfArgType_uint", "invalidPrintfArgType_sint"]


def check_cppcheck(root, build):
    cache = build / "cppcheck"
    cache.mkdir(exist_ok=True)
    command = ["cppcheck", "--quiet", "--std=c11", "--language=c", "--inline-suppr", "--error-exitcode=1",
               "--enable=warning,performance,portability", f"--cppcheck-build-dir={cache}",
               f"-j{JOBS}", "-D_GNU_SOURCE", "-I", "src"]
    command += [f"--suppress={name}" for name in CPPCHECK_LEAVES] + ["src"]
    return subprocess.run(command, cwd=root).returncode


INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


class Included:
    """Which files of the project a file includes, directly or not; those that the build makes stand for all headers."""

    def __init__(self, root):
        self.root, self.texts, self.direct = root, {}, {}
        self.headers = c_files(root, (".h", ".def"))

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = path.read_bytes()
        return self.texts[path]

    def found(self, path):
        """The files that it includes itself."""
        if path not in self.direct:
            self.direct[path] = []
            for name in INCLUDE.findall(self.text(path)):
                there = [folder / name.decode() for folder in (path.parent, self.root / "src", self.root / "include", self.root)]
                there = [one.resolve() for one in there if one.is_file()]
                self.direct[path] += there[:1] or self.headers
        return self.direct[path]

    def all(self, path):
        seen, left = {path}, [path]
        while left:
            new = [one for one in self.found(left.pop()) if one not in seen]
            seen.update(new)
            left += new
        return sorted(seen)


def clean_marks():
    """Where it is remembered what was found clean: for all folders of this user, as a compiler's cache is."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cairn-tidy"
    cache.mkdir(parents=True, exist_ok=True)
    return cache


def check_tidy(root, build):
    root, build = root.resolve(), build.resolve()
    shared = hashlib.sha256((root / ".clang-tidy").read_bytes())
    shared.update(subprocess.run(["clang-tidy", "--version"], capture_output=True).stdout)
    clean = clean_marks()
    commands = json.loads((build / "compile_commands.json").read_text())
    compiled = {(Path(c["directory"]) / c["file"]).resolve(): c["command"] for c in commands}
    included = Included(root)

    def check(file):
        key = shared.copy()
        key.update(compiled[file].replace(str(root), "").encode())
        for path in included.all(file):
            key.update(str(path.relative_to(root)).encode() + b"\0" + included.text(path) + b"\0")
        mark = clean / key.hexdigest()
        if mark.exists():
            return True
        run = subprocess.run(["clang-tidy", "-p", str(build), "--quiet", "--warnings-as-errors=*",
                              "--extra-arg=-Wno-unknown-warning-option", str(file)],
                             cwd=root, capture_output=True, text=True)
        if run.returncode == 0:
            mark.touch()
            return True
        print(run.stdout + ("" if run.stdout else run.stderr), end="", flush=True)
        return False

    inside = sorted(file for file in compiled if root / "src" in file.parents)
    with ThreadPoolExecutor(JOBS) as pool:
        return 0 if all(list(pool.map(check, inside))) else 1


CHECKS = {"format": ("clang-format", check_format), "tidy": ("clang-tidy", check_tidy),
          "cppcheck": ("cppcheck", check_cppcheck)}


def main():
    if not 2 <= len(sys.argv) <= 4 or sys.argv[1] not in CHECKS:
        print(__doc__)
        return 2
    tool, check = CHECKS[sys.argv[1]]
    if shutil.which(tool) is None:
        print(f"{tool} is not installed (scripts/setup installs it)")
        return 77
    root = Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve()
    return check(root, Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else root / "build")


if __name__ == "__main__":
    sys.exit(main())
