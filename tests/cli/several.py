#!/usr/bin/env python3
"""`cairn check` of several models and of folders: a table, one exit status, one JSON object.

    several.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import json
import sys
from pathlib import Path

from harness import CHATTER, ENDLESS, ROUND, main

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from schema import complaints  # noqa: E402

WRONG = "byte x; active proctype P() { x = 1; assert(x == 2) }\n"
BROKEN = "active proctype P() { y = 1 }\n"


def rows(shown):
    """{model: verdict} of a table."""
    return {line.split()[0]: line.split()[1] for line in shown.splitlines()[1:]
            if len(line.split()) > 1 and line.split()[1] in ("verified", "violated", "inconclusive", "rejected")}


def files(t):
    (t.folder / "all" / "inner").mkdir(parents=True)
    for name, text in [("round.dve", ROUND), ("wrong.pml", WRONG), ("broken.pml", BROKEN)]:
        t.file(name, text)
    t.file("all/b.dve", ROUND)
    t.file("all/a.pml", WRONG)
    t.file("all/inner/c.dve", ROUND)
    t.file("all/program.c", "#error it is not taken from a folder\n")
    t.file("all/notes.txt", "no model\n")


def check_a_table_of_all(t):
    files(t)
    done = t.run("check", "round.dve", "wrong.pml", "broken.pml", "nosuch.pml", status=2)
    assert rows(done.stdout) == {"round.dve": "verified", "wrong.pml": "violated", "broken.pml": "rejected",
                                 "nosuch.pml": "rejected"}, done.stdout
    assert "assertion: x == 2 (wrong.pml:1)" in done.stdout and "trail wrong.pml wrong.trail" in done.stdout, done.stdout
    assert done.stdout.splitlines()[-1] == "4 models: 1 verified, 1 violated, 2 rejected"
    assert "broken.pml:1:23: error: undeclared name 'y'" in done.stderr, done.stderr
    assert "error: nosuch.pml: No such file" in done.stderr and (t.folder / "wrong.trail").exists()


def check_one_status(t):
    files(t)
    t.run("check", "round.dve", "all/b.dve", status=0)
    t.run("check", "round.dve", "wrong.pml", status=1)
    t.run("check", "round.dve", "broken.pml", "wrong.pml", status=2)
    t.run("check", "round.dve", "all/b.dve", "--max-states", "2", status=3)
    t.run("check", "wrong.pml", "round.dve", "--max-states", "2", status=1)


def check_folders(t):
    files(t)
    done = t.run("check", "all", status=1)
    assert list(rows(done.stdout)) == ["all/a.pml", "all/b.dve", "all/inner/c.dve"], done.stdout
    assert list(rows(t.run("check", "all/", "round.dve", status=1).stdout))[0] == "all/a.pml"
    (t.folder / "none").mkdir()
    t.error("check", "none", says="none: no model is in this folder")
    (t.folder / "all" / "loop").symlink_to(".")
    assert len(rows(t.run("check", "all", status=1).stdout)) == 3


def check_what_is_for_one_model(t):
    files(t)
    for option in ("--trail", "--checkpoint", "--resume", "--queries"):
        t.error("check", "round.dve", "wrong.pml", option, "file", says=f"{option} is for one model")
    t.error("check", "round.dve", "-", says="standard input cannot be one of several models")
    t.error("check", "round.dve", "wrong.pml", "--json", "wrong.pml", says="--json names the model itself")
    t.error("check", "all", "--json", "all/a.pml", says="--json names the model all/a.pml itself")
    assert (t.folder / "all" / "a.pml").read_text() == WRONG
    done = t.run("check", "round.dve", "wrong.pml", "-D", "X", status=2)
    assert "round.dve: error: --define has no effect in models of the language dve" in done.stderr, done.stderr
    assert rows(done.stdout) == {"round.dve": "rejected", "wrong.pml": "violated"}


def check_json_of_all(t):
    files(t)
    done = t.run("check", "--json", "-", "round.dve", "wrong.pml", "broken.pml", status=2)
    answer = json.loads(done.stdout)
    assert not list(complaints(answer, "several"))
    assert [(one["model"], one["verdict"]) for one in answer["models"]] == [
        ("round.dve", "verified"), ("wrong.pml", "violated"), ("broken.pml", "rejected")]
    assert answer["verdict"] == "rejected" and answer["not_checked"] == 0
    assert answer["models"][1]["counterexample"]["steps"] and answer["models"][2]["diagnostics"]
    t.run("check", "--json", "all.json", "round.dve", "wrong.pml", status=1)
    assert json.loads((t.folder / "all.json").read_text())["verdict"] == "violated"
    t.run("check", "--json", "all.json", "round.dve", "all/b.dve")
    assert json.loads((t.folder / "all.json").read_text())["verdict"] == "verified", "it is replaced"


def check_each_as_alone(t):
    """The figures are those of a run with one model, and --stats shows that run."""
    t.file("chatter.dve", CHATTER)
    t.file("round.dve", ROUND)
    alone = t.check("chatter.dve")
    both = json.loads(t.run("check", "chatter.dve", "round.dve", "--json", "-").stdout)["models"][0]
    for key in ("states", "events", "depth", "verdict"):
        assert both[key] == alone[key], key
    shown = t.run("check", "chatter.dve", "round.dve", "--stats").stdout
    assert shown.startswith("chatter.dve:\nverified: ") and "\nround.dve:\nverified: " in shown and "back edges" in shown


def check_limits_are_for_each(t):
    t.file("endless.dve", ENDLESS)
    t.file("round.dve", ROUND)
    done = t.run("check", "endless.dve", "round.dve", "--time", "0.2", status=3)
    assert rows(done.stdout) == {"endless.dve": "inconclusive", "round.dve": "verified"}, done.stdout


if __name__ == "__main__":
    sys.exit(main(globals()))
