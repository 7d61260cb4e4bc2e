#!/usr/bin/env python3
"""The library as it is installed: what it shows, and programs of strangers that are built against it.

    installed.py --cairn BUILD/cairn --source SOURCE_ROOT [NAME...]
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from harness import main  # noqa: E402


def install(t):
    """The installed tree, and the environment in which pkg-config and the loader find it."""
    build = Path(t.cairn).parent
    root = t.folder / "root"
    subprocess.run(["meson", "install", "-C", str(build), "--no-rebuild", "--quiet", "--destdir", str(root)], check=True, capture_output=True)
    prefix = next(root.rglob("libcairn.so")).parent.parent
    return prefix, {**t.environment, "PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig"), "LD_LIBRARY_PATH": str(prefix / "lib")}


def flags(prefix, environment, *words):
    return subprocess.run(["pkg-config", f"--define-variable=prefix={prefix}", *words, "cairn"], env=environment, check=True,
                          capture_output=True, text=True).stdout.split()


def build(t, prefix, environment, source, name):
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-O1", str(source), *flags(prefix, environment, "--cflags", "--libs"), "-pthread",
                    "-o", str(t.folder / name)], check=True)
    return str(t.folder / name)


def run(t, environment, *words, status=0):
    done = subprocess.run([str(w) for w in words], cwd=t.folder, env=environment, capture_output=True, text=True)
    assert done.returncode == status, (words, done)
    return done


def promised(t):
    text = (Path(t.source) / "include/cairn/cairn.h").read_text()
    return set(re.findall(r"CAIRN_EXPORT [^;]*?\b(cairn_\w+)\(", text))


def check_names(t):
    """The libraries show the functions of cairn.h, all of them and nothing else."""
    prefix, _ = install(t)
    for words in (["-D", "--defined-only", prefix / "lib/libcairn.so"], ["-g", "--defined-only", prefix / "lib/libcairn.a"]):
        shown = subprocess.run(["nm", *words], check=True, capture_output=True, text=True).stdout
        names = {line.split()[2].split("@")[0] for line in shown.splitlines() if len(line.split()) == 3 and " A " not in line}
        assert names == promised(t), names ^ promised(t)
    dynamic = subprocess.run(["readelf", "-d", prefix / "lib/libcairn.so"], check=True, capture_output=True, text=True).stdout
    abi = re.search(r"#define CAIRN_ABI (\d+)", (Path(t.source) / "include/cairn/cairn.h").read_text()).group(1)
    assert f"[libcairn.so.{abi}]" in dynamic and "TEXTREL" not in dynamic, dynamic


def check_examples(t):
    prefix, environment = install(t)
    verdict = build(t, prefix, environment, Path(t.source) / "examples/verdict.c", "verdict")
    shown = run(t, environment, verdict, Path(t.source) / "models/mutex-wrong.dve", status=1).stdout
    assert "after 4 steps" in shown and "\n4: B: " in shown and "A=critical B=critical" in shown, shown
    refused = run(t, environment, verdict, Path(t.source) / "models/peterson.dve", "store=tre", status=2).stderr
    assert "there is no 'tre'" in refused, refused
    assert run(t, environment, verdict, Path(t.source) / "models/peterson.dve", "store=tree", "keep-going").stdout.endswith("\n20 states\n")
    functions = build(t, prefix, environment, Path(t.source) / "examples/functions.c", "functions")
    shown = run(t, environment, functions).stdout
    assert "invariant 'no 4 litres' fails after 6 steps" in shown and "verified: no error in 16 states" in shown, shown
    assert "pour into the small one: 3 4\n" in shown, shown
    if shutil.which("c++"):
        t.file("header.cc", "#include <cairn/cairn.h>\n#include <cairn/model.h>\nint main() { return cairn_abi() != CAIRN_ABI; }\n")
        run(t, environment, "c++", "-Wall", "-Wextra", "-Werror", "header.cc", *flags(prefix, environment, "--cflags", "--libs"), "-o", "header")
        run(t, environment, "./header")


def check_example_of_the_docs(t):
    """The program of docs/library.md, as it is there."""
    prefix, environment = install(t)
    page = (Path(t.source) / "docs/library.md").read_text()
    source = t.file("page.c", re.search(r"```c\n(.*?)```", page, re.S).group(1))
    shown = run(t, environment, build(t, prefix, environment, t.folder / "page.c", "page")).stdout
    assert shown == re.search(r"prints\n\n```\n(.*?)```", page, re.S).group(1), (source, shown)


def check_static(t):
    """A program with a function of a common name is linked with the archive, and needs no shared one."""
    prefix, environment = install(t)
    t.file("clash.c", "#include <cairn/cairn.h>\n#include <string.h>\nint search_run(void), options_parse(void);\n"
           "int search_run(void) { return 0; }\nint options_parse(void) { return 0; }\n"
           "static const char text[] = \"process P { state a; init a; } system async;\";\n"
           "int main(void) { struct cairn *c = cairn_open(); cairn_model_text(c, \"m\", \"dve\", text, strlen(text));\n"
           "return cairn_run(c) == CAIRN_VERIFIED ? search_run() + options_parse() : 1 + (cairn_close(c), 0); }\n")
    words = [f"-l:libcairn.a" if word == "-lcairn" else word for word in flags(prefix, environment, "--cflags", "--libs", "--static")]
    run(t, environment, "cc", "clash.c", *words, "-o", "clash")
    run(t, {**t.environment, "LD_LIBRARY_PATH": ""}, "./clash")


def check_valgrind(t):
    if shutil.which("valgrind") is None:
        print("SKIP valgrind: it is not installed")
        return
    prefix, environment = install(t)
    for name, words, status in (("verdict", [Path(t.source) / "models/mutex-wrong.dve", "compiler=tcc"], 1),
                                ("verdict", [Path(t.source) / "models/frogs.c", "compiler=tcc"], 1), ("functions", [], 0)):
        program = build(t, prefix, environment, Path(t.source) / f"examples/{name}.c", name)
        done = run(t, environment, "valgrind", "-q", "--leak-check=full", "--error-exitcode=9", program, *words, status=status)
        assert "==" not in done.stderr, done.stderr


def check_same_as_the_command(t):
    """The JSON of the library and of the command differ in times, memory and the trail's file only."""
    prefix, environment = install(t)
    t.file("ask.c", '#include <cairn/cairn.h>\n#include <stdio.h>\n#include <string.h>\nint main(int n, char **word) {\n'
           '  struct cairn *c = cairn_open();\n  cairn_model_file(c, word[1]);\n  for (int i = 2; i < n; i++) {\n'
           '    char *value = strchr(word[i], \'=\');\n    if (value != NULL)\n      *value++ = 0;\n'
           '    if (cairn_set(c, word[i], value) != 0)\n      return 9;\n  }\n'
           '  const int status = cairn_run(c);\n  fputs(cairn_json(c), stdout);\n  cairn_close(c);\n  return status;\n}\n')
    ask = build(t, prefix, environment, t.folder / "ask.c", "ask")
    for model, *words in (["peterson.dve", "store=tree"], ["mutex-wrong.dve", "order=dfs"], ["lossy.pml", "keep-going"],
                          ["stack.c", "invariant=top <= 3"], ["philosophers.pnml"], ["mutex.pml", "reduce=por"], ["peterson.dve", "max-states=7"],
                          ["peterson.dve", "define=N=3"]):
        path = Path(t.source) / "models" / model
        ours = subprocess.run([ask, path, *words], cwd=t.folder, env=environment, capture_output=True, text=True)
        theirs = subprocess.run([t.cairn, "check", "--json", "-", path, *(f"--{word}" for word in words)], cwd=t.folder, env=t.environment,
                                capture_output=True, text=True)
        assert ours.returncode == theirs.returncode and ours.stderr == "", (model, ours, theirs)
        a, b = (json.loads(done.stdout) for done in (ours, theirs))
        for result in (a, b):
            for key in ("seconds", "events_per_second", "memory", "trail", "claims"):
                result.pop(key, None)
        assert a == b, (model, [(key, a[key], b.get(key)) for key in a if a[key] != b.get(key)])


if __name__ == "__main__":
    sys.exit(main(globals()))
