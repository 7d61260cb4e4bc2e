#!/usr/bin/env python3
"""fuzz.py - runs every fuzz target of a build folder for a while.

    fuzz.py BUILD_FOLDER SECONDS

There is a target for each folder of inputs, tests/fuzz/corpus/NAME of the source tree; it
starts from them, and its words, if any, are in tests/fuzz/NAME.dict. What it adds, and
inputs that break it, stay in BUILD_FOLDER/fuzz/NAME. Only the targets are built. The last
line is "N passed, N failed", one per target.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# A hang is a bug as much as a crash is; deep recursion shows as a crash.
LIMITS = ["-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"]


def run(build, target, seconds):
    name = target.name.removeprefix("fuzz_")
    grown = build / "fuzz" / name
    grown.mkdir(parents=True, exist_ok=True)
    corpus = Path(__file__).resolve().parent.parent / "tests" / "fuzz" / "corpus" / name
    seeds = [str(corpus)] if corpus.is_dir() else []
    words = corpus.parent.parent / f"{name}.dict"
    limits = LIMITS + ([f"-dict={words}"] if words.exists() else [])
    done = subprocess.run([str(target), f"-max_total_time={seconds}", f"-artifact_prefix={grown}/broken-"] + limits
                          + [str(grown)] + seeds, capture_output=True, text=True, errors="replace")
    lines = done.stderr.splitlines()
    runs = next((line.split()[-1] for line in lines if "number_of_executed_units" in line), "?")
    if done.returncode != 0:
        print("\n".join(lines[-60:]))
    print(f"fuzz {name}: {'ok' if done.returncode == 0 else 'FAILED'}, {runs} inputs", flush=True)
    return done.returncode == 0


def main():
    build, seconds = Path(sys.argv[1]).resolve(), int(sys.argv[2])
    targets = []
    corpora = Path(__file__).resolve().parent.parent / "tests" / "fuzz" / "corpus"
    wanted = sorted(f"tests/fuzz/fuzz_{corpus.name}" for corpus in corpora.iterdir())
    if subprocess.run(["ninja", "-C", str(build)] + wanted).returncode == 0:
        targets = [build / path for path in wanted]
    if not targets:
        print("no fuzz target was built\n0 passed, 1 failed")
        return 1
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        good = list(pool.map(lambda target: run(build, target, seconds), targets))
    print(f"{sum(good)} passed, {len(good) - sum(good)} failed")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
