#!/usr/bin/env python3
"""lint.py - formatting and the static checkers, over all C files of the project.

    lint.py format   [SOURCE_ROOT [BUILD_FOLDER]]     . and SOURCE_ROOT/build where not given
    lint.py tidy     [SOURCE_ROOT [BUILD_FOLDER]]
    lint.py cppcheck [SOURCE_ROOT [BUILD_FOLDER]]

Exit 77 (skipped, in Meson's words) where the tool is not installed. clang-tidy is
slow, so a file found clean is remembered in the build folder by the hash of
everything that its result depends on.
"""

import hashlib
import json
import os
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


def check_tidy(root, build):
    shared = hashlib.sha256((root / ".clang-tidy").read_bytes())
    for header in c_files(root, (".h", ".def")):
        shared.update(header.read_bytes())
    clean = build / "tidy-clean"
    clean.mkdir(exist_ok=True)
    commands = json.loads((build / "compile_commands.json").read_text())
    files = sorted({(Path(c["directory"]) / c["file"]).resolve() for c in commands})

    def check(file):
        key = shared.copy()
        key.update(str(file).encode() + file.read_bytes())
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

    inside = [file for file in files if root / "src" in file.parents]
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
