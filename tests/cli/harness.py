"""What the tests of the command line share: a folder and the program in it, small models, and the loop.

Each function of a test program whose name begins with "check_" is one test and gets a folder of its own.
The last line is "N passed, N failed".
"""

import argparse
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402
from figures import complaints as contradictions, is_sanitized  # noqa: E402

LOCKS = """byte x;
process P { byte y = 5; state a, b; init a; trans a -> b { effect x = x + 1; }; }
process Q { state a, b; init a; trans a -> b { effect x = x + 1; }; }
system async;
"""

ROUND = """byte x;
process P { state a; init a; trans a -> a { effect x = (x + 1) % 5; }; }
system async;
"""

DIVIDES = """byte x = 2, y;
process P { state a; init a; trans a -> a { guard x > 0; effect x = x - 1, y = 6 / x; }; }
system async;
"""

CHATTER = """channel c;
process P { byte v; state a, b; init a; trans a -> b { sync c!7; effect v = 1; }; }
process Q { byte w; state a, b; init a; trans a -> b { sync c?w; }; }
system async;
"""

# 250 ** 4 states: no machine finishes it within a test.
ENDLESS = "".join(f"process P{i} {{ byte n; state a; init a; trans a -> a "
                  "{ effect n = (n + 1) % 250; }; }\n" for i in range(4)) + "system async;\n"

# 2 ** 64 states that have nothing in common: whatever the store, memory is full at once.
MIXED = """int x = 1, y = 2;
process P { state a; init a; trans a -> a { effect x = x * 69069 + y; }; }
process Q { state a; init a; trans a -> a { effect y = y * 1664525 + x + 1; }; }
system async;
"""

# Five ints that only rise: more bits than a measure has, if each took all of its own.
RISING = "".join(f"int v{i};\nprocess P{i} {{ state a; init a; trans a -> a "
                 f"{{ guard v{i} < 3; effect v{i} = v{i} + 1; }}; }}\n" for i in range(5)) + "system async;\n"

LTL = """byte x;
process P { state a; init a; trans a -> a { effect x = 1 - x; }; }
process never { state q; init q; accept q; trans q -> q { guard x == 1; }; }
system async property never;
"""

KEYS = {
    "format", "cairn", "model", "verdict", "guarantee", "expected_wrong_matches", "error", "errors",
    "unchecked", "states", "events", "deadlocks", "levels", "back_level_edges", "depth", "seconds",
    "memory"}

WRITES_JSON = ["check", "sim", "trail", "info"]
COMMANDS = ["check", "sim", "trail", "info", "graph", "automaton", "bench"]


def json_file(words, folder):
    """What is in the file for JSON, if there is one."""
    name = str(words[words.index("--json") + 1]) if "--json" in words[:-1] else "-"
    if name == "-" or not os.path.isfile(folder / name):
        return ""
    return (folder / name).read_text(errors="surrogateescape")


def json_complaints(command, text):
    """What is wrong with JSON that a run has written, by the schema; of a run that failed there may be none."""
    if not text.startswith("{") or command not in WRITES_JSON:
        return []
    answer = json.loads(text)
    return schema.complaints(answer, "several" if "models" in answer else command)


class Test:
    """One test's folder, and the program in it."""

    def __init__(self, cairn, source, folder):
        self.cairn, self.source, self.folder = cairn, source, folder
        self.started = []
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"), TERM="xterm")
        self.environment.pop("NO_COLOR", None)

    def file(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def run(self, *words, status=0, give=None, **more):
        before = json_file(words, self.folder)
        done = subprocess.run([self.cairn, *words], cwd=self.folder, env=self.environment, timeout=120,
                              input=give, capture_output=True, text=True, errors="surrogateescape", **more)
        if status is not None:
            assert done.returncode == status, \
                f"cairn {' '.join(map(str, words))}: status {done.returncode}, not {status}\n" \
                f"{done.stdout[-1500:]}{done.stderr[-1500:]}"
        if "--json" in words[:-1]:
            after = json_file(words, self.folder)
            wrong = json_complaints(words[0], done.stdout if words[words.index("--json") + 1] == "-" else after if after != before else "")
            assert not wrong, f"cairn {' '.join(map(str, words))}: {wrong}"
        return done

    def start(self, *words, **more):
        """A process that goes on beside the test; at the latest it ends with it."""
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": self.folder, "env": self.environment, **more}
        self.started.append(subprocess.Popen([self.cairn, *words], **pipes))
        return self.started[-1]

    def end(self):
        for process in self.started:
            with process:
                process.kill()

    def error(self, *words, status=2, says=""):
        done = self.run(*words, status=status)
        errors = [line for line in done.stderr.splitlines() if "error:" in line]
        assert len(errors) == 1, f"{words}: not one error:\n{done.stderr}"
        assert says in done.stderr, f"{words}: {says!r} is not in:\n{done.stderr}"
        return done

    def is_sanitized(self):
        return is_sanitized(self.cairn)

    def check(self, *words, status=0):
        """check --json -: the object."""
        answer = json.loads(self.run("check", "--json", "-", *words, status=status).stdout)
        wrong = contradictions(answer, status)
        assert not wrong, f"{words}: {wrong}"
        return answer

    def files(self):
        return sorted(p.name for p in self.folder.iterdir() if p.name != "cache")


def on_terminal(t, *words, seconds=60):
    """Runs with standard error on a terminal; gives status, output, what the terminal got."""
    ours, theirs = pty.openpty()
    process = t.start(*words, stdin=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown, end = b"", time.monotonic() + seconds
    while time.monotonic() < end:
        ready, _, _ = select.select([ours], [], [], 0.2)
        try:
            more = os.read(ours, 65536) if ready else b""
        except OSError:
            break
        shown += more
        if not more and process.poll() is not None:
            break
    out = process.stdout.read()
    os.close(ours)
    return process.wait(timeout=30), out, shown


def on_wide_terminal(t, columns, *words):
    """What a terminal of that width shows of it, output and messages: lines without colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = t.start(*words, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:
            break
        if not more:
            break
        shown += more
    os.close(ours)
    process.wait(timeout=60)
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", shown.decode().replace("\r\n", "\n"))
    return [line.rsplit("\r", 1)[-1] for line in text.rstrip("\n").split("\n")]


def main(tests):
    options = argparse.ArgumentParser()
    options.add_argument("--cairn", required=True)
    options.add_argument("--source", required=True)
    options.add_argument("names", nargs="*")
    options = options.parse_args()
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # begun in the background by a shell: the program would ignore it, too
        signal.signal(signal.SIGINT, signal.default_int_handler)
    passed = failed = 0
    for name, test in list(tests.items()):
        if not name.startswith("check_") or (options.names and name[6:] not in options.names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            t = Test(os.path.abspath(options.cairn), options.source, Path(folder))
            try:
                test(t)
                passed += 1
            except Exception as problem:  # any of them is a failed test
                failed += 1
                print(f"FAILED {name[6:]}: {type(problem).__name__}: {problem}", flush=True)
            finally:
                t.end()
    print(f"{passed} passed, {failed} failed")
    return failed > 0
