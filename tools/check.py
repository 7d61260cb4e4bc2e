#!/usr/bin/env python3
"""check.py - runs the tests of a build folder and sums them up.

    check.py BUILD_FOLDER [options of `meson test` …]
    check.py --selftest

Builds first; a build that fails counts as one failure. A folder that was configured while
cmocka or libxml2 was missing is configured again, for without them tests are left out. A
test that reports how many cases it ran (cmocka's lines, or lines "N passed, N failed[, N
skipped]", of which the last counts) counts as that many, any other as one. One that
reports a failure has failed, whatever its exit status. How long the build and the tests took is
printed, and which tests took longest. The last line printed is

    N passed, N failed[, N skipped]

and the exit status is 1 if anything failed or nothing passed.
"""

import contextlib
import io
import json
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$", re.MULTILINE)
SHOWN = 15  # tests that are named for taking longest
CMOCKA = re.compile(r"^\[\s+(PASSED|FAILED|SKIPPED)\s+\]\s+(?:\w+:\s+)?(\d+) test\(s\)", re.MULTILINE)


def cases(test):
    """Counter of passed, failed and skipped cases of one entry of Meson's log."""
    if test["result"] == "SKIP":
        return Counter(skipped=1)
    output = (test.get("stdout") or "") + "\n" + (test.get("stderr") or "")
    count = Counter()
    for kind, n in CMOCKA.findall(output):
        count[kind.lower()] += int(n)
    own = SUMMARY.findall(output)
    if own:
        passed, _, skipped = own[-1]
        failed = max(int(failed) for _, failed, _ in own)
        count = Counter(passed=int(passed), failed=failed, skipped=int(skipped or 0))
    if test["result"] == "EXPECTEDFAIL":
        return Counter(passed=1)
    if test["result"] != "OK":
        count["failed"] = max(count["failed"], 1)
    return count if sum(count.values()) else Counter(passed=1)


def find_libraries(build):
    """Configures again a folder in which a library was not found that is there by now."""
    known = subprocess.run(["meson", "introspect", "--dependencies", str(build)], capture_output=True, text=True)
    if known.returncode != 0:
        return
    found = {one["name"] for one in json.loads(known.stdout)}
    for library in ("cmocka", "libxml-2.0"):
        if library not in found and subprocess.run(["pkg-config", "--exists", library]).returncode == 0:
            subprocess.run(["meson", "setup", "--reconfigure", str(build)])
            return


def where_time_went(building, testing, tests):
    slowest = sorted(tests, key=lambda test: -test["duration"])[:SHOWN]
    return ("build %.0f s, tests %.0f s; longest: " % (building, testing)
            + ", ".join("%s %.0f s" % (test["name"], test["duration"]) for test in slowest))


def finish(count, failures):
    for name in failures:
        print(f"failed: {name}")
    skipped = f", {count['skipped']} skipped" if count["skipped"] else ""
    print(f"{count['passed']} passed, {count['failed']} failed{skipped}")
    return 0 if count["passed"] and not count["failed"] else 1


def selftest():
    def of(result, stdout="", stderr=""):
        return dict(cases({"result": result, "stdout": stdout, "stderr": stderr}))

    assert of("OK") == {"passed": 1}
    assert of("OK", "all fine\n3 passed, 0 failed\n")["passed"] == 3
    assert of("OK", "3 passed, 1 failed\n")["failed"] == 1, "whatever the exit status"
    assert of("OK", "2 passed, 1 failed\n5 passed, 0 failed\n")["failed"] == 1
    assert of("OK", "", "[  PASSED  ] 4 test(s).\n[  FAILED  ] tests: 2 test(s), listed below:\n")["failed"] == 2
    assert of("FAIL", "3 passed, 0 failed\n") == {"passed": 3, "failed": 1, "skipped": 0}
    assert of("FAIL") == of("TIMEOUT") == of("ERROR") == {"failed": 1}
    assert of("SKIP", "3 passed, 0 failed\n") == {"skipped": 1}
    assert of("OK", "0 passed, 0 failed, 2 skipped\n")["skipped"] == 2
    assert of("EXPECTEDFAIL", "0 passed, 1 failed\n") == {"passed": 1}
    took = [{"name": "a", "duration": 1.2}, {"name": "b", "duration": 7}]
    assert where_time_went(60.4, 8.6, took) == "build 60 s, tests 9 s; longest: b 7 s, a 1 s"
    with contextlib.redirect_stdout(io.StringIO()):
        assert finish(Counter(passed=1, failed=1), []) == finish(Counter(skipped=1), []) == 1
        assert finish(Counter(passed=1), []) == 0
    print("check.py: selftest passed")


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    build = Path(sys.argv[1])
    find_libraries(build)
    began = time.monotonic()
    if subprocess.run(["ninja", "-C", str(build)]).returncode != 0:
        return finish(Counter(failed=1), ["the build"])
    log = build / "meson-logs" / "testlog.json"
    log.unlink(missing_ok=True)
    built = time.monotonic()
    run = subprocess.run(["meson", "test", "-C", str(build), "--no-rebuild", "--print-errorlogs"] + sys.argv[2:])
    ended = time.monotonic()
    count, failures = Counter(), []
    tests = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    for test in tests:
        one = cases(test)
        count += one
        if one["failed"]:
            failures.append(test["name"])
    print(where_time_went(built - began, ended - built, tests))
    if run.returncode != 0 and not count["failed"]:
        count["failed"] += 1
        failures.append("meson test")
    return finish(count, failures)


if __name__ == "__main__":
    sys.exit(main())
