#!/usr/bin/env python3
"""Table 3 of "Search-order independent state caching": the sweep-line, alone and with caching.

    sweep.py [--cairn PROGRAM] [--folder FOLDER] [--levels LIST] [--markdown FILE] [MODEL...]

For each model and level of derived progress: the most states stored (S), visits (V),
persistent states (P) and the largest class (L) of the sweep-line alone; then the smallest
cache with which it still visits no state five times on average. That is found by bisection
in steps of a twentieth of what the sweep-line alone stores, with the STRATEGIES in turn, so a
smaller one may exist. All in percent of the states, beside the paper's best levels.

The paper derives progress from the whole state space, here a pilot run estimates it. So
the levels are not the same measures, and what compares is the best level of each model.

Runs are made by `cairn bench` and kept in FOLDER, so the same command goes on where it was
interrupted. Without the reference tables (CAIRN_SHARED, default ../shared) it says so and ends.
"""
import argparse
import os

from trial import Trials, read_paper

STRATEGIES = ["share/16+random", "share/48+random"]
STEPS = 20
VISITS = 5  # for each state
OPTIONS = "--store full --compiler tcc --property safety --keep-going --no-deadlock --order dfs --reduce edge-lean"
STATES = {"pgm_protocol.3": 200453}  # of the model as it was published


class Search:
    def __init__(self, args, model, states):
        self.trials, self.states = Trials(args.cairn, args.folder, model, OPTIONS), states
        self.known = []

    def run(self, level, strategy, size, most):
        forget = "sweep-line" + (":%s,size=%d" % (strategy, size) if size else "")
        got = self.trials.run(["--forget", forget, "--progress", "auto:%d" % level, "--max-visits", str(most)])
        return got if got["guarantee"] == "exact" else None

    def smallest(self, level, alone):
        """With caching: the figures of the run with the smallest cache."""
        best, high = alone, STEPS  # succeeds; low fails
        low = STEPS * alone["persistent"] // alone["stored"]
        while high - low > 1:
            middle = (low + high) // 2
            for strategy in STRATEGIES:
                got = self.run(level, strategy, alone["stored"] * middle // STEPS, VISITS * self.states)
                if got:
                    break
            if got:
                best, high = got, middle
            else:
                low = middle
        return best

    def line(self, level):
        """Percentages S, V, P, L alone, S and V with caching; None: more than five visits for each
        state, or as another level."""
        alone = self.run(level, None, None, VISITS * self.states)
        if alone is None:
            return None
        told = [alone[c] for c in ("stored", "visited", "persistent", "widest", "events")]
        if told in self.known:  # several levels may give the same measure
            return None
        self.known.append(told)
        best = self.smallest(level, alone)
        return [100 * x / self.states for x in (alone["stored"], alone["visited"], alone["persistent"], alone["widest"],
                                                best["stored"], best["visited"])]


def show(line):
    return "%.1f | %.0f | %.1f | %.1f | %.1f | %.0f" % tuple(line)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.environ.get("CAIRN", "build/cairn"))
    parser.add_argument("--folder", default="build/table3", help="runs that were made")
    parser.add_argument("--levels", default="0,1,2,3,4,5")
    parser.add_argument("--markdown", help="write the table")
    parser.add_argument("models", nargs="*", help="all, the small ones first")
    args = parser.parse_args()
    paper = read_paper(3)
    if paper is None:
        return
    sizes = {r["model"]: STATES.get(r["model"], int(r["states"])) for r in paper}
    lines = ["| model | level | S | V | P | L | S with caching | V |", "|---|---|---:|---:|---:|---:|---:|---:|"]
    print(lines[0], flush=True)
    for model in sorted(args.models or sizes, key=sizes.get):
        search = Search(args, model, sizes[model])
        for level in map(int, args.levels.split(",")):
            line = search.line(level)
            if line:
                lines.append("| %s | %d | %s |" % (model, level, show(line)))
                print(lines[-1], flush=True)
        theirs = [r for r in paper if r["model"] == model]
        for r in sorted(theirs, key=lambda r: float(r["SLSC_S"]))[:1]:
            lines.append("| %s, the paper | %s | %s | %s | %s | %s | %s | %s |" % (model, *(r[c] for c in [
                "PM", "SL_S", "SL_V", "SL_P", "SL_L", "SLSC_S", "SLSC_V"])))
            print(lines[-1], flush=True)
        if args.markdown:
            with open(args.markdown, "w", encoding="utf-8") as f:
                f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
