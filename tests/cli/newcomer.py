#!/usr/bin/env python3
"""A newcomer's walk: own philosophers, a wrong lock, a script that reads the answer, completion, installation.

    newcomer.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from harness import COMMANDS, is_sanitized, main

PHILOSOPHERS = """/* Each takes the fork on the left, then the one on the right. */
#define N 3
bool fork[N];

active [N] proctype philosopher() {
  byte right = (_pid + 1) % N;
think:
  do
  :: atomic { !fork[_pid] -> fork[_pid] = true };
hungry:
     atomic { !fork[right] -> fork[right] = true };
     fork[right] = false;
     fork[_pid] = false
  od
}
"""

LOCK = """bool busy;
byte inside;
active [2] proctype user() {
  !busy;
  busy = true;
  inside++;
  assert(inside == 1);
  inside--;
  busy = false
}
"""


def check_own_philosophers(t):
    t.file("dinner.pml", PHILOSOPHERS)
    shown = t.run("check", "dinner.pml", status=1).stdout
    for i in range(3):
        assert re.search(rf"philosopher\[{i}\] +dinner\.pml:11 \(hungry\) +needs !fork\[right\], with fork\[right\] = 1", shown), shown
    assert shown.splitlines()[0] == shown.splitlines()[-1] == "violated: invalid end state after 3 steps", shown
    command = next(line for line in shown.splitlines() if " trail " in line)
    again = subprocess.run(command, shell=True, cwd=t.folder, env=t.environment, capture_output=True, text=True)
    assert again.returncode == 0 and "nobody can move" in again.stdout, again


def check_a_wrong_lock(t):
    t.file("lock.pml", LOCK)
    shown = t.run("check", "lock.pml", status=1).stdout
    assert "violated: assertion: inside == 1 (lock.pml:7)" in shown and "where inside = 2" in shown, shown


def check_a_script_reads_the_answer(t):
    t.file("lock.pml", LOCK)
    t.run("check", "--quiet", "--json", "answer.json", "lock.pml", status=1)
    answer = json.loads((t.folder / "answer.json").read_text())
    who = [move["process"] for step in answer["counterexample"]["steps"] for move in step["moves"]]
    lines = [move["line"] for step in answer["counterexample"]["steps"] for move in step["moves"]]
    assert set(who) == {"user[0]", "user[1]"} and set(lines) <= {4, 5, 6, 7}, (who, lines)
    assert answer["error"]["values"] == "inside = 2"


def check_help(t):
    assert t.run("help").stdout == t.run("--help").stdout
    for command in COMMANDS:
        short, _, _ = t.run(command, "--help").stdout.partition("More, see ")
        told = t.run("help", command).stdout.splitlines()
        assert set(short.splitlines()) <= set(told) and told[0] == short.splitlines()[0], command
    t.error("help", "nosuch", says="unknown command 'nosuch'")
    assert "-D, --define" in t.run("help", "check").stdout
    assert t.run("--man").stdout.startswith(".TH CAIRN")
    shown = subprocess.run(["script", "-qc", f"'{t.cairn}' --man", "/dev/null"], capture_output=True, text=True,
                           cwd=t.folder, stdin=subprocess.DEVNULL).stdout.replace("\r", "") if shutil.which("script") else None
    if shown is None:
        print("SKIP the manual on a terminal: there is no script(1)")
        return
    assert "\n.SH" not in shown and "\\f" not in shown and "\\-" not in shown and "SYNOPSIS" in shown, shown[:300]
    assert max(map(len, shown.splitlines())) <= 100 and "--invariant EXPR" in shown


def check_a_name_that_is_never_used(t):
    """-D: a warning, with a name that looks like it; none where the model asks about it, or gives it another value."""
    t.file("n.pml", "#ifdef FORGET\n#endif\n#ifndef N\n#define N 3\n#endif\n#define M 3\n#undef K\nbyte x; active proctype P() { x = N }\n")
    said = t.run("check", "-D", "FORGT", "n.pml").stderr
    assert "warning: -D FORGT has no effect: the model never uses the name\nhint: did you mean 'FORGET'?" in said, said
    assert t.run("check", "-D", "FORGET", "-D", "N=2", "-D", "M=4", "-D", "K", "n.pml").stderr == ""
    said = t.run("sim", "-q", "-D", "NN=4", "n.pml").stderr
    assert "-D NN has no effect" in said, said


# ---- completion ---------------------------------------------------------------------------


def script_of(t, shell, name):
    t.file(name, t.run("--completion", shell).stdout)
    if shutil.which(shell) is None:
        print(f"SKIP the completion of {shell}: it is not installed")
        return False
    return True


def check_completion_in_bash(t):
    if not script_of(t, "bash", "c.bash"):
        return
    for words, wanted in [("cairn ch", {"check"}), ("cairn check --store t", {"tree"}), ("cairn check --order d", {"dfs"}),
                          ("cairn trail --ht", {"--html"}), ("cairn check --forget sw", {"sweep-line"})]:
        n = len(words.split()) - 1
        done = subprocess.run(["bash", "-c", f"source c.bash; COMP_WORDS=({words}); COMP_CWORD={n}; _cairn; echo ${{COMPREPLY[@]}}"],
                              cwd=t.folder, capture_output=True, text=True)
        assert set(done.stdout.split()) == wanted, (words, done.stdout, done.stderr)


def check_completion_in_fish(t):
    if not script_of(t, "fish", "c.fish"):
        return
    environment = dict(os.environ, HOME=str(t.folder))
    for words, wanted in [("cairn ch", "check"), ("cairn check --store t", "tree"), ("cairn check --order d", "dfs"),
                          ("cairn trail --ht", "--html"), ("cairn check --reduce p", "por")]:
        done = subprocess.run(["fish", "-c", f"source c.fish; complete -C '{words}'"], cwd=t.folder, env=environment,
                              capture_output=True, text=True)
        assert wanted in re.split(r"[\s=]+", done.stdout), (words, done.stdout, done.stderr)


def check_completion_in_zsh(t):
    if not script_of(t, "zsh", "_cairn"):
        return
    done = subprocess.run(["zsh", "-f", "-c", "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; "
                           "_describe() { print -l ${(P)2}; }; _arguments() { print -l -- $@; }; "
                           "autoload +X _cairn; _cairn 2>/dev/null; CURRENT=2; words=(cairn ch); _cairn; "
                           "CURRENT=4; words=(cairn check --store t); _cairn"],
                          cwd=t.folder, capture_output=True, text=True, env=dict(os.environ, HOME=str(t.folder)))
    assert re.search(r"^check:verify models", done.stdout, re.MULTILINE), done
    assert re.search(r"^\*--store=\[.*\]:value:\(auto full tree ", done.stdout, re.MULTILINE), done


# ---- installation -------------------------------------------------------------------------


def check_installed_files(t):
    """What Meson installs is what `make uninstall` takes away, and the program runs from where it is."""
    build = Path(t.cairn).parent
    if not (build / "meson-private").is_dir() or shutil.which("meson") is None:
        print("SKIP the installation: this is no build folder of Meson")
        return
    subprocess.run(["meson", "install", "-C", str(build), "--no-rebuild", "--quiet", "--destdir", str(t.folder / "root")], check=True,
                   capture_output=True)
    there = sorted(str(path.relative_to(t.folder / "root")) for path in (t.folder / "root").rglob("*") if path.is_file())
    prefix = next(str(path)[:-len("/bin/cairn")] for path in map(Path, there) if str(path).endswith("/bin/cairn"))
    away = subprocess.run(["make", "-n", "uninstall", f"DESTDIR={t.folder}/root", f"PREFIX=/{prefix}"], cwd=t.source,
                          capture_output=True, text=True, check=True).stdout
    named = sorted(os.path.relpath(path, t.folder / "root") for path in re.findall(r'"([^"]+)"', away))
    if is_sanitized(t.cairn):  # there is no library then
        named = [path for path in named if "/lib/" not in path]
    assert named == there, (named, there)
    t.file("dinner.pml", PHILOSOPHERS)
    done = subprocess.run([t.folder / "root" / prefix / "bin" / "cairn", "check", "-q", "dinner.pml"], cwd=t.folder,
                          env=t.environment, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout.startswith("violated"), done
    orders = subprocess.run(["make", "-n", "install", f"DESTDIR={t.folder}/other", "PREFIX=/opt/cairn"], cwd=t.source,
                            capture_output=True, text=True, check=True).stdout
    assert '-Dprefix="/opt/cairn"' in orders and "ninja -C build cairn cairn.1" in orders, orders


def check_install_builds_what_there_is(t):
    """`make install` names targets that the build folder has, and no others than those of what is installed."""
    build = Path(t.cairn).parent
    if not (build / "build.ninja").exists() or shutil.which("ninja") is None:
        print("SKIP the targets of make install: this is no build folder of Meson")
        return
    if is_sanitized(t.cairn):
        print("SKIP the targets of make install: builds with sanitizers have no library, and are not installed")
        return
    shown = subprocess.run(["make", "-n", "install", f"PREFIX={t.folder}"], cwd=t.source, capture_output=True, text=True, check=True).stdout
    targets = re.search(r"^ninja -C build (.*)$", shown, re.MULTILINE).group(1).split()
    done = subprocess.run(["ninja", "-C", str(build), "-n", *targets], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    installed = json.loads((build / "meson-info" / "intro-installed.json").read_text())
    made = {os.path.relpath(path, build) for path in installed if path.startswith(str(build)) and not path.endswith(".pc")}
    assert made == set(targets), (made, targets)


def check_setup_configures_again(t):
    """What scripts/setup brings is found by folders that were configured before."""
    (t.folder / "scripts").mkdir()
    shutil.copy(Path(t.source) / "scripts" / "setup", t.folder / "scripts")
    (t.folder / "build").mkdir()
    (t.folder / "build" / "build.ninja").touch()
    (t.folder / "bin").mkdir()
    for name, text in [("pkg-config", 'test -e "$HOME/brought" || ! echo "$*" | grep -q libxml'), ("apt-get", 'test "$1" != install || touch "$HOME/brought"'),
                       ("sudo", 'exec "$@"'), ("meson", 'echo "$@" >> "$HOME/said"')] + [
                           (name, "exit 0") for name in ("ninja", "cc")]:
        (t.folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (t.folder / "bin" / name).chmod(0o755)
    environment = dict(os.environ, PATH=f"{t.folder}/bin:{os.environ['PATH']}", HOME=str(t.folder), CI="true")
    for _ in range(2):
        subprocess.run(["scripts/setup", "build"], cwd=t.folder, env=environment, check=True, capture_output=True)
    assert (t.folder / "said").read_text() == "setup --reconfigure build\n", "once: the second time nothing was brought"


if __name__ == "__main__":
    sys.exit(main(globals()))
