#!/usr/bin/env python3
"""check.py - runs the tests of a build folder and sums them up.

    check.py BUILD_FOLDER [options of `meson test` …]

Builds first; a build that fails counts as one failure. A test that reports how
many cases it ran (cmocka's lines, or a last line "N passed, N failed[, N
skipped]") counts as that many, any other as one. The last line printed is

    N passed, N failed[, N skipped]

and the exit status is 1 if anything failed or nothing passed.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$", re.MULTILINE)
CMOCKA = re.compile(r"^\[\s+(PASSED|FAILED|SKIPPED)\s+\]\s+(?:\w+:\s+)?(\d+) test\(s\)", re.MULTILINE)
GOOD = ("OK", "EXPECTEDFAIL")


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
        passed, failed, skipped = own[-1]
        count = Counter(passed=int(passed), failed=int(failed), skipped=int(skipped or 0))
    if test["result"] in GOOD:
        return count if count["passed"] + count["skipped"] > 0 and not count["failed"] else Counter(passed=1)
    count["failed"] = max(count["failed"], 1)
    return count


def finish(count, failures):
    for name in failures:
        print(f"failed: {name}")
    skipped = f", {count['skipped']} skipped" if count["skipped"] else ""
    print(f"{count['passed']} passed, {count['failed']} failed{skipped}")
    return 0 if count["passed"] and not count["failed"] else 1


def main():
    build = Path(sys.argv[1])
    if subprocess.run(["ninja", "-C", str(build)]).returncode != 0:
        return finish(Counter(failed=1), ["the build"])
    log = build / "meson-logs" / "testlog.json"
    log.unlink(missing_ok=True)
    run = subprocess.run(["meson", "test", "-C", str(build), "--no-rebuild", "--print-errorlogs"] + sys.argv[2:])
    count, failures = Counter(), []
    if log.exists():
        for line in log.read_text().splitlines():
            test = json.loads(line)
            one = cases(test)
            count += one
            if one["failed"]:
                failures.append(test["name"])
    if run.returncode != 0 and not count["failed"]:
        count["failed"] += 1
        failures.append("meson test")
    return finish(count, failures)


if __name__ == "__main__":
    sys.exit(main())
