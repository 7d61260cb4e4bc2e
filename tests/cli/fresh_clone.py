#!/usr/bin/env python3
"""What a newcomer does first, in a fresh clone: no library of the tests is there, and no models beside it.

    fresh_clone.py [--source SOURCE_ROOT]

make try, the commands of README.md, make install to a prefix, running from there (own philosophers that get stuck, a wrong
lock, a trail read from JSON, its page in a browser, completion in three shells, terminals of three widths), to another prefix
below DESTDIR, make uninstall, make deb. It builds the program anew, so it takes a minute, and is not among the tests of a
build folder: `make walk`.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# pkg-config as if libcmocka-dev were not installed.
HIDES = '#!/bin/sh\ncase " $* " in *" cmocka "*) exit 1 ;; esac\nexec "{}" "$@"\n'


class Walk:
    def __init__(self, source, folder):
        self.clone, self.folder, self.passed, self.failed = folder / "cairn", folder, 0, 0
        subprocess.run(["git", "clone", "-q", str(source), str(self.clone)], check=True)
        (folder / "bin").mkdir()
        hides = folder / "bin" / "pkg-config"
        hides.write_text(HIDES.format(shutil.which("pkg-config")))
        hides.chmod(0o755)
        self.environment = dict(os.environ, PATH=f"{folder / 'bin'}:{os.environ['PATH']}", PKG_CONFIG=str(hides), HOME=str(folder))
        for name in ("CAIRN_SHARED", "CAIRN_SOURCE", "DESTDIR", "PREFIX"):
            self.environment.pop(name, None)

    def run(self, *words, where=None):
        done = subprocess.run(words, cwd=where or self.clone, env=self.environment, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1200)
        return done.returncode, done.stdout

    def expect(self, what, holds, shown=""):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print(f"FAILED {what}\n{shown[-3000:]}", flush=True)


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() or path.is_symlink())


def walk(w):
    status, shown = w.run("make", "install", f"PREFIX={w.folder / 'first'}")
    w.expect("make install before anything was built", status == 0, shown)
    w.expect("nothing else is built", not list((w.clone / "build" / "tests").rglob("*.o")))
    status, shown = w.run("make", "try")
    w.expect("make try", status == 0 and "verified: no error in 20 states (exact)" in shown and "violated: assertion" in shown, shown)
    (w.folder / "work").mkdir()
    status, shown = w.run(str(w.folder / "first" / "bin" / "cairn"), "check", "--quiet", str(w.clone / "models" / "peterson.dve"), where=w.folder / "work")
    w.expect("the installed program runs", status == 0 and shown.startswith("verified"), shown)
    status, shown = w.run(sys.executable, "tests/docs/run.py", "--cairn", str(w.clone / "build" / "cairn"), "--source", str(w.clone), "README.md")
    w.expect("what the README says", status == 0, shown)
    for test in ("newcomer", "widths", "trails"):
        status, shown = w.run(sys.executable, f"tests/cli/{test}.py", "--cairn", str(w.folder / "first" / "bin" / "cairn"), "--source", str(w.clone))
        w.expect(f"what a newcomer does with the installed program: {test}", status == 0, shown)
        print("".join(f"{line}\n" for line in shown.splitlines() if line.startswith("SKIP")), end="")
    first = files_in(w.folder / "first")
    status, shown = w.run("make", "install", "PREFIX=/opt/cairn", f"DESTDIR={w.folder / 'root'}")
    w.expect("another prefix, below DESTDIR", status == 0 and files_in(w.folder / "root" / "opt" / "cairn") == first, shown)
    for words in (["PREFIX=/opt/cairn", f"DESTDIR={w.folder / 'root'}"], [f"PREFIX={w.folder / 'first'}"]):
        status, shown = w.run("make", "uninstall", *words)
        w.expect("make uninstall", status == 0, shown)
    w.expect("nothing is left", not files_in(w.folder / "root") and not files_in(w.folder / "first"))
    if shutil.which("dpkg-deb") is None:
        print("SKIP make deb: there is no dpkg-deb")
        return
    status, shown = w.run("make", "deb")
    packages = list((w.clone / "build").glob("cairn_*.deb"))
    w.expect("make deb", status == 0 and len(packages) == 1, shown)
    status, shown = w.run("dpkg-deb", "--contents", str(packages[0])) if packages else (1, "")
    w.expect("the package has the program", status == 0 and "./usr/bin/cairn" in shown and "./usr/share/man/man1/cairn.1.gz" in shown, shown)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--source", default=str(Path(__file__).resolve().parent.parent.parent))
    with tempfile.TemporaryDirectory() as folder:
        w = Walk(Path(options.parse_args().source), Path(folder))
        walk(w)
    print(f"{w.passed} passed, {w.failed} failed")
    return w.failed > 0


if __name__ == "__main__":
    sys.exit(main())
