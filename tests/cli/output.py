#!/usr/bin/env python3
"""The command line, end to end: JSON, files and terminals.

    output.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from harness import ENDLESS, KEYS, LOCKS, ROUND, on_terminal, main


def check_json_keys(t):
    t.file("m.dve", ROUND)
    answer = t.check("m.dve")
    assert KEYS <= set(answer), KEYS - set(answer)
    assert answer["format"] == 1 and answer["model"] == "m.dve" and answer["guarantee"] == "exact"
    assert answer["states"]["stored"] == 5 and answer["states"]["visited"] == 5 and answer["events"] == 5
    assert answer["states"]["matched"] == 1 and answer["levels"] == 5 and answer["back_level_edges"] == 1
    assert answer["level_widths"] == [1] * 5 and answer["error"] is None and answer["errors"] == 0
    assert set(answer["seconds"]) == {"parse", "compile", "search"}
    assert {"peak_resident", "store", "bytes_per_state"} <= set(answer["memory"])
    deep = t.check("--order", "dfs", "m.dve")
    assert deep["levels"] is None and deep["back_level_edges"] is None and deep["level_widths"] is None
    assert set(deep) == set(answer)


def check_json_page_names_every_key(t):
    t.file("m.dve", ROUND)
    page = (Path(t.source) / "docs" / "json.md").read_text()
    info = json.loads(t.run("info", "--json", "-", "m.dve").stdout)
    answer = t.check("m.dve")
    for key in [*answer, *answer["states"], *answer["memory"], *answer["seconds"], *info]:
        assert re.search(rf"`[^`]*\b{key}[.`]", page), f"docs/json.md does not name {key}"


def check_json_when_rejected(t):
    t.file("m.dve", "nonsense")
    answer = t.check("m.dve", status=2)
    assert answer["verdict"] == "rejected" and answer["states"]["stored"] is None and answer["reason"]
    assert KEYS <= set(answer)
    assert t.check("gone.dve", status=2)["verdict"] == "rejected"
    for words in [["--order", "best", "m.dve"], ["m.dve", "--zzz"], ["--max-states", "0", "m.dve"], []]:
        answer = t.check(*words, status=2)
        assert answer["verdict"] == "rejected" and answer["reason"] and KEYS <= set(answer), words
        assert answer["model"] == (None if words == [] else "m.dve")
    before = (t.folder / "m.dve").read_bytes()
    for option in ["--json", "--trail"]:
        t.error("check", option, "m.dve", "m.dve", says="names the model itself")
    t.error("graph", "-o", "m.dve", "m.dve", says="names the model itself")
    t.error("check", "--json", "./m.dve", "m.dve", says="names the model itself")
    assert (t.folder / "m.dve").read_bytes() == before


def check_json_file(t):
    t.file("m.dve", ROUND)
    done = t.run("check", "--json", "out.json", "m.dve")
    assert done.stdout.startswith("verified") and t.files() == ["m.dve", "out.json"]
    assert json.loads((t.folder / "out.json").read_text())["events"] == 5
    t.error("check", "--json", "no/where.json", "m.dve", says="no/where.json")
    t.error("check", "--json", ".", "m.dve", says="directory")
    t.error("check", "--json", "n" * 300, "m.dve")
    t.run("check", "--json", "/dev/null", "m.dve")
    assert Path("/dev/null").is_char_device()
    t.run("check", "--json", "/dev/full", "m.dve", status=3)


def check_json_of_odd_names(t):
    name = os.fsdecode(b'q"\\\x01\xff\xc3\xa9 \xed\xa0\x80\xf5.dve')
    t.file(name, ROUND)
    done = subprocess.run([t.cairn, "check", "--json", "-", name], cwd=t.folder, env=t.environment,
                          capture_output=True)
    answer = json.loads(done.stdout.decode("utf-8"))
    assert answer["model"].startswith('q"\\\x01\ufffdé'), answer["model"]


def check_closed_and_full_output(t):
    t.file("m.dve", LOCKS)
    with open("/dev/full", "w") as full:
        for words in [["check", "m.dve"], ["check", "--json", "-", "m.dve"], ["info", "m.dve"], ["graph", "m.dve"],
                      ["sim", "m.dve"], ["--man"]]:
            done = subprocess.run([t.cairn, *words], cwd=t.folder, env=t.environment, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60)
            assert done.returncode == 3 and "No space left" in done.stderr, (words, done)
    t.file("r.dve", ROUND)
    for words in [["sim", "--steps", "1000000000", "r.dve"], ["check", "m.dve"], ["--man"]]:
        reader, writer = os.pipe()
        process = t.start(*words, stdout=writer)
        os.close(writer)
        os.close(reader)
        _, messages = process.communicate(timeout=60)
        assert process.returncode == 0 and not messages, (words, process.returncode, messages)
    for closed in [1, 2]:
        done = subprocess.run(f"exec '{t.cairn}' check m.dve {closed}>&-", shell=True, cwd=t.folder,
                              env=t.environment, capture_output=True, timeout=60)
        assert done.returncode in (0, 3), done
    for path in (t.folder / "m.trail", t.folder / "out.json"):
        path.unlink(missing_ok=True)
    everything = ["--invariant", "x < 2", "--json", "out.json", "m.dve"]
    t.run("check", *everything, status=1)
    trail = (t.folder / "m.trail").read_bytes()
    done = subprocess.run(["sh", "-c", "exec \"$@\" <&- >&- 2>&-", "sh", t.cairn, "check", *everything],
                          cwd=t.folder, env=t.environment, timeout=60)
    assert done.returncode == 1 and (t.folder / "m.trail").read_bytes() == trail
    json.loads((t.folder / "out.json").read_text())


def check_limit_on_file_sizes(t):
    t.file("m.dve", LOCKS)
    done = subprocess.run(["sh", "-c", "ulimit -f 0; exec \"$@\"", "sh", t.cairn, "check", "--invariant", "x < 2",
                           "m.dve"], cwd=t.folder, env=t.environment, timeout=60, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout.startswith("violated") and "File too large" in done.stderr, done
    assert t.files() == ["m.dve"]


def check_progress(t):
    t.file("m.dve", ENDLESS)
    words = ["check", "--time", "1.2", "m.dve"]
    status, out, shown = on_terminal(t, *words)
    assert status == 3 and b" states, " in shown and b"level" in shown, shown
    assert shown.rstrip(b"\r\n").split(b"note:")[0].endswith(b"\r\033[K"), shown[-100:]
    assert b"\r" not in out
    assert "\r" not in t.run(*words, status=3).stderr


if __name__ == "__main__":
    sys.exit(main(globals()))
