#!/usr/bin/env python3
"""Kills searches at random moments, lets them go on, and compares with one that nobody disturbed.

Each way to search (order, store, reduction, forgetting, cycles) is run once in peace. Then it is begun
with --checkpoint and killed by SIGKILL, or stopped by SIGTERM or --time, after a random time; what is left
goes on with --resume, and is killed again, until it ends. All figures and the verdict must be
those of the run in peace. Searches count that were killed by SIGKILL at least once. Then files
are damaged, and asked about by other options and models: each must be one error with exit
status 2.

    run.py [--cairn PROGRAM] [--kills N] [--seed N] [--ways TEXT] [-v]
"""
import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from figures import is_sanitized  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
RISING, ROUND, PAIRS = [os.path.join(HERE, name) for name in ("grid.dve", "rings.dve", "pairs.dve")]
SUM = "a + b + c + d + e"
HOLDS = "[]<>(a==3)->[]<>(a>2)"
NET = os.path.join(HERE, "../../bench/suites/nets/database-9.pnml")

# Each order, store, reduction, way to forget and search for cycles at least once, and pairs that share memory.
# None may end at a limit: when that is looked at depends on the clock.
WAYS = [
    (ROUND, "--order bfs"),
    (ROUND, "--order dfs"),
    (ROUND, "--order bfs --store tree"),
    (ROUND, "--order dfs --store tree"),
    (ROUND, "--order bfs --store collapse"),
    (ROUND, "--order dfs --store collapse"),
    (ROUND, "--order bfs --store automaton"),
    (ROUND, "--order dfs --store automaton"),
    (ROUND, "--order bfs --store comback"),
    (ROUND, "--order dfs --store comback:shorten"),
    (RISING, "--order random --store comback"),
    (ROUND, "--order bbfs:50 --store full"),
    (RISING, "--order alt:2,3 --store tree"),
    (ROUND, "--order best:a+b --store full"),
    (RISING, "--order random --store collapse"),
    (RISING, "--order bfs --reduce edge-lean"),
    (RISING, "--order dfs --reduce tnf --store tree"),
    (ROUND, "--order dfs --reduce sleep:2 --store full"),
    (RISING, "--order bfs --forget cache,size=270000 --store full"),
    (ROUND, "--order dfs --forget cache:random,size=325000 --store tree"),
    (RISING, "--order bfs --forget cache:in-degree,size=270000 --reduce chain --store full"),
    (RISING, "--order bfs --forget sweep-line --progress %s --store full" % SUM.replace(" ", "")),
    (ROUND, "--order bfs --forget in-degree --store full"),
    (NET, "--order dfs --forget pseudo-root --store tree"),
    (NET, "--order best:pseudo-root --forget pseudo-root"),
    (ROUND, "--order bfs --store compact:40"),
    (ROUND, "--order bfs --store auto --move-after 100000"),
    (PAIRS, "--order bfs --reduce por"),
    (PAIRS, "--order dfs --reduce por --store comback"),
    (PAIRS, "--cycles ndfs --ltl %s --store tree" % HOLDS),
    (PAIRS, "--cycles scc --fairness weak --ltl %s" % HOLDS),
    (PAIRS, "--cycles owcty --ltl %s --store comback" % HOLDS),
]


def kinds(words):
    """What a way is an example of: orders, stores and so on, without their parameters."""
    words = words.split()
    return {(option, value.split(":")[0].split(",")[0]) for option, value in zip(words, words[1:])
            if option in ("--order", "--store", "--reduce", "--forget", "--cycles")}


def few_ways():
    """Ways that have each kind at least once: under the sanitizers a search takes ten times as long."""
    left, chosen = set().union(*(kinds(words) for _, words in WAYS)), []
    while left:
        chosen.append(max(WAYS, key=lambda way: len(kinds(way[1]) & left)))
        left -= kinds(chosen[-1][1])
    return chosen


SAME = ["verdict", "guarantee", "errors", "error", "states", "events", "deadlocks", "levels", "level_widths",
        "back_level_edges", "longest_back_level_edge", "widest_level", "depth", "limit", "store_in_use", "reduced", "nested"]


class Way:
    """One way to search one model, in a folder of its own."""

    def __init__(self, cairn, model, words, folder):
        self.cairn, self.model, self.words, self.folder = cairn, model, words.split(), folder
        self.file, self.json = os.path.join(folder, "search"), os.path.join(folder, "json")

    def command(self, *more):
        return [self.cairn, "check", self.model, "--keep-going", "--trail", "/dev/null", "--force", "--compiler", "tcc",
                "--json", self.json, *self.words, *more]

    def start(self, *more):
        return subprocess.Popen(self.command(*more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def end(self, *more):
        """Runs to the end; the object, or why there is none."""
        process = self.start(*more)
        said = process.communicate(timeout=300)[1]
        if process.returncode not in (0, 1, 3):
            return None, "exit status %d: %s" % (process.returncode, said.strip())
        with open(self.json, encoding="utf-8") as file:
            return json.load(file), said.strip()

    def disturb(self, random_, seconds, resume):
        """Begins or goes on, and is stopped at some moment; how, '' if it was done before."""
        more = ["--checkpoint", "%s,%g" % (self.file, seconds / 12)] + (["--resume", self.file] if resume else [])
        how = random_.choice(["kill", "kill", "kill", "term", "time"])
        moment = random_.uniform(0.05, 1.1) * seconds
        if how == "time":
            more += ["--time", "%.3f" % max(0.001, moment)]
        process = self.start(*more)
        try:
            if how != "time":
                time.sleep(moment)
                process.send_signal(signal.SIGKILL if how == "kill" else signal.SIGTERM)
            said = process.communicate(timeout=300)[1]
        finally:
            process.kill()
        if process.returncode == 2:
            raise AssertionError("%s: %s" % (" ".join(process.args), said))
        if process.returncode == -signal.SIGKILL:
            return "kill"
        return how if process.returncode == 3 and self.is_stopped() else ""

    def is_stopped(self):
        with open(self.json, encoding="utf-8") as file:
            return json.load(file)["limit"] is not None


def differences(peace, other):
    return ["%s: %s, not %s" % (key, other[key], peace[key]) for key in SAME if peace[key] != other[key]]


def disturbed(way, random_, peace, seconds):
    """One search, stopped until it has been stopped enough; what differs, how it was stopped, and whether it was done before."""
    stops, resume, how = [], False, None
    if os.path.exists(way.file):
        os.unlink(way.file)
    for _ in range(random_.randint(1, 3)):
        how = way.disturb(random_, seconds, resume)
        if not how:
            break
        stops.append(how)
        resume = os.path.exists(way.file)
    if not resume:
        return [], [], how == ""  # else it was too early: there is no file yet
    got, said = way.end("--resume", way.file)
    return ([said] if got is None else differences(peace, got)), stops, False


def refused(way, name, more, word):
    """Whether a file is refused, with a word in the sentence."""
    process = way.start(*more)
    said = process.communicate(timeout=60)[1]
    if process.returncode == 2 and word in said and said.count("error:") == 1:
        return []
    return ["%s: exit status %s, not 2, or no \"%s\": %s" % (name, process.returncode, word, said.strip())]


def other_end_of_options(cairn, folder):
    """Options that differ only after the part of them that the file holds as a text."""
    begin = "--order best:" + "100000+" * 800
    way = Way(cairn, ROUND, begin + "1", folder)
    way.end("--checkpoint", way.file + ",100", "--time", "0.05")
    return refused(Way(cairn, ROUND, begin + "2", folder), "a long expression", ["--resume", way.file], "other options")


def other_memory(cairn, folder):
    """A search goes on with more memory, also where it has taken a part of what there was."""
    words, file = "--forget in-degree --store full", os.path.join(folder, "search")
    less, more = [Way(cairn, RISING, "%s --memory %s" % (words, memory), folder) for memory in ("64M", "1G")]
    peace, _ = less.end("--checkpoint", file + ",0.02")
    got, said = more.end("--resume", file)
    return ["with more memory: " + wrong for wrong in ([said] if got is None else differences(peace, got))]


def first_search(cairn, folder):
    """A search before the search, cut short, leaves no file: its counts are not those of a search in peace."""
    way = Way(cairn, ROUND, "--forget in-degree", folder)
    way.end("--checkpoint", way.file + ".first,100", "--time", "0.02")
    return ["a first search that was cut short is written"] if os.path.exists(way.file + ".first") else []


def damage(cairn, folder, random_):
    """Damaged, foreign, older and other files."""
    way = Way(cairn, ROUND, "--order dfs --store tree", folder)
    way.end("--checkpoint", way.file + ",100", "--time", "0.05")
    with open(way.file, "rb") as file:
        whole = file.read()
    wrong = []
    other = os.path.join(folder, "other")

    def ask(name, data, word=""):
        with open(other, "wb") as out:
            out.write(data)
        return refused(way, name, ["--resume", other], word)

    for _ in range(12):
        at = random_.randrange(len(whole))
        data = bytearray(whole)
        data[at] ^= 1 << random_.randrange(8)
        wrong += ask("byte %d damaged" % at, bytes(data))
        wrong += ask("cut at %d" % at, whole[:at])
    wrong += ask("an empty file", b"", "no file that this program wrote")
    wrong += ask("a model", open(ROUND, "rb").read(), "no file that this program wrote")
    wrong += ask("a byte more", whole + b"x", "damaged")
    wrong += refused(way, "no file", ["--resume", other + ".none"], "No such file")
    wrong += refused(Way(cairn, RISING, "--order dfs --store tree", folder), "another model", ["--resume", way.file],
                     "another model")
    for words in ("--order bfs --store tree", "--order dfs --store full", "--order dfs --store tree --max-depth 1000",
                  "--order dfs --store tree --seed 5"):
        wrong += refused(Way(cairn, ROUND, words, folder), words, ["--resume", way.file], "other options")
    wrong += other_end_of_options(cairn, folder)
    wrong += refused(way, "over the model", ["--checkpoint", ROUND], "")
    wrong += refused(way, "in no folder", ["--runs", "2", "--checkpoint", way.file], "--runs")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cairn", default=os.path.join(HERE, "../../build/cairn"))
    parser.add_argument("--kills", type=int, default=1, help="searches that were killed, of each way")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ways", default="", help="only ways with this text")
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    cairn = os.path.abspath(options.cairn)
    random_ = random.Random(options.seed)
    failed = stopped = killed = searches = 0
    for model, words in few_ways() if is_sanitized(cairn) and not options.ways else WAYS:
        if options.ways not in words:
            continue
        folder = tempfile.mkdtemp(prefix="checkpoint.")
        try:
            way = Way(cairn, model, words, folder)
            began = time.monotonic()
            peace, said = way.end()
            seconds = time.monotonic() - began
            if peace is None:
                print("FAIL %s: %s" % (words, said))
                failed += 1
                continue
            if peace["limit"] is not None:
                print("FAIL %s: it ends at a limit: %s" % (words, peace["limit"]))
                failed += 1
                continue
            done = tries = 0
            while done < options.kills and tries < 10 * options.kills + 10:
                tries += 1
                wrong, stops, done_before = disturbed(way, random_, peace, seconds)
                stopped += len(stops)
                killed += stops.count("kill")
                searches += len(stops) > 0
                done += "kill" in stops
                if done_before:
                    seconds *= 0.8  # it was done before: the machine was busier when it ran in peace
                if wrong:
                    failed += 1
                    print("FAIL %s, stopped by %s: %s" % (words, ", ".join(stops), "; ".join(wrong)[:1000]), flush=True)
            if done < options.kills:
                failed += 1
                print("FAIL %s: only %d searches could be killed" % (words, done))
            if options.v:
                print("%-70s %5.2f s, %d searches were killed and went on" % (words, seconds, done), flush=True)
        finally:
            shutil.rmtree(folder)
    folder = tempfile.mkdtemp(prefix="checkpoint.")
    for sentence in damage(cairn, folder, random_) + other_memory(cairn, folder) + first_search(cairn, folder):
        failed += 1
        print("FAIL " + sentence)
    shutil.rmtree(folder)
    print("%d searches stopped %d times, %d of these by SIGKILL, and gone on, %d failed"
          % (searches, stopped, killed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
