#!/usr/bin/env python3
"""Table 2 of "Search-order independent state caching": the smallest caches that suffice.

    caching.py [--cairn PROGRAM] [--folder FOLDER] [--table FILE] [--markdown FILE] [MODEL...]

Each cell (model, order, chains or not) has many possible runs: a parameter of the order,
which of two commuting events comes first, a strategy. As in the paper caches are 5, 10, 15 …
percent of the states, a run is given up at five visits for each state, and of the runs
that succeed the one with the smallest cache counts, then the one with the fewest visits.
The paper tried all of them, with 60 strategies. Here are ten for breadth-first search and
ten for the other orders, and they are not all tried either: a cell begins with the paper's
cache, and goes down as long as a run succeeds, up until one does. With each size that many
runs are made as TRIES says, fewer of large models; the likeliest first, and once one has succeeded the others are given up as soon as they
visit more. So a cell may miss a better run, and is never better than a run that was made.

Two rows of averages: by the paper's rule; and with the smallest cache with which no more is
visited than by the paper's run.

Runs are made by `cairn bench` and kept in FOLDER, so the same command goes on where it was
interrupted. Without the reference tables (CAIRN_SHARED, default ../shared) it says so and ends.
"""
import argparse
import math
import os

from trial import Trials, read_paper

SHARES = [5, 8, 12, 16, 24, 32, 64]
COUNTED = "share/24+in-degree+random"
OTHERS = ["out-degree+near+random", "stratified/20+in-degree+random"]
BREADTH = [COUNTED] + OTHERS + ["share/8+random", "in-degree+age", "share/8+age", "out-degree+near+age", "share/3+age",
                                "share/24+in-degree+age", "near+age"]
ORDERS = {"DFS": ["dfs"], "BFS": ["bfs"], "BBFS": ["bbfs:4", "bbfs:256", "bbfs:16"],
          "Alt": ["alt:8,1", "alt:1,8", "alt:8,4", "alt:4,4", "alt:1,1", "alt:8,8", "alt:4,1", "alt:4,8", "alt:1,4"]}
# Up to that many states: runs, with caches smaller than the paper's, and parameters of the order.
TRIES = [(60_000, 20, 20, 9), (200_000, 8, 8, 4), (450_000, 4, 2, 2), (10**9, 3, 2, 2)]
BREADTH_TRIES = 10  # at least: which strategy suffices differs more from model to model there
LARGE = 200_000
VISITS = 5  # for each state
GIVEN_UP = 6  # runs whose tree did not fit, with one order of states and events
OPTIONS = "--store full --compiler tcc --property safety --keep-going --no-deadlock"


class Search:
    """All cells of one model."""

    def __init__(self, args, model, states, rows):
        self.trials = Trials(args.cairn, args.folder, model, OPTIONS)
        self.states, self.rows = states, rows
        self.tries, self.below, self.parameters = next(t[1:] for t in TRIES if states < t[0])
        self.tree, self.lean, self.winner = {}, {}, {}

    def run(self, order, actions, strategy, percent, chain, most):
        size = self.states * percent // 100
        reduce = "edge-lean,chain" if chain else "edge-lean"
        got = self.trials.run(["--order", order, "--forget", "cache:%s,size=%d" % (strategy, size), "--reduce", reduce,
                               "--action-order", actions, "--max-visits", str(most)])
        if not chain:
            self.tree[order, actions] = 100 * (got["tree"] or 0) / self.states
        return got

    def look(self):
        """Which order of events saves more of them, and how large the trees are."""
        for order in ["dfs", "bfs"]:
            for actions in ["model", "reverse"]:
                self.lean[order, actions] = self.run(order, actions, "random", 100, False, self.states)["events"]
        same = all(of[order, "model"] == of[order, "reverse"] for of in (self.lean, self.tree) for order in ("dfs", "bfs"))
        self.actions = ["model"] if same else ["model", "reverse"]

    def candidates(self, column, percent, chain):
        """(order, actions, strategy), the likeliest first."""
        theirs = self.rows[chain]["%s_%s" % (column, "w" if column == "BBFS" else "b,d")] if ":" in ORDERS[column][0] else ""
        first = ORDERS[column][0].split(":")[0] + ":" + theirs.rstrip("?")
        orders = sorted(ORDERS[column], key=lambda o: o != first)[:self.parameters]
        found = []
        for rank, order in enumerate(orders):
            by = "bfs" if order == "bfs" else "dfs"
            measure = self.tree if by == "bfs" else self.lean
            for second, actions in enumerate(sorted(self.actions, key=lambda a: measure[by, a])):
                tree = self.tree.get((order, actions), self.tree["dfs", actions])
                if by == order and not chain and self.tree[by, actions] > percent:
                    continue
                want = math.log(min(max(120 / max(percent - tree, 1), 4), 64))
                shares = ["share/%d+random" % n for n in sorted(SHARES, key=lambda n: abs(math.log(n) - want))]
                strategies = (BREADTH if by == "bfs" else
                              shares[:2] + [COUNTED] + shares[2:] + OTHERS)
                found += [(1.3 * rank + 1.5 * i + 2.5 * second, order, actions, s) for i, s in enumerate(strategies)]
        found = [f[1:] for f in sorted(found)]
        if column in self.winner:
            found.insert(0, self.winner[column])
        return list(dict.fromkeys(found))

    def attempt(self, column, percent, chain, enough):
        """The fewest visits with a cache of this size, or None."""
        left = self.below if percent < int(self.rows[chain][column + "_S"]) else self.tries
        if column == "BFS" and left < BREADTH_TRIES:
            left = BREADTH_TRIES
        most, best, short = VISITS * self.states, None, {}
        for how in self.candidates(column, percent, chain):
            if short.get(how[:2], 0) >= GIVEN_UP or left == 0:
                continue
            left -= 1
            got = self.run(*how, percent, chain, most)
            if got["guarantee"] == "exact":
                best, most = (got["visited"], how), got["visited"] - 1
                if 100 * got["visited"] <= (enough + 0.5) * self.states:
                    break
            elif "tree" in (got["limit"] or ""):
                short[how[:2]] = short.get(how[:2], 0) + 1
        return best

    def cell(self, column, chain):
        """Ours by the paper's rule and beside the paper's visits: (stored, visited, how) each."""
        stored, visited = (int(self.rows[chain][column + c]) for c in ["_S", "_V"])
        found = {}
        for percent in range(stored, 101, 5):
            found[percent] = self.attempt(column, percent, chain, visited)
            if found[percent]:
                break
        while percent > 5 and found[percent]:
            percent -= 5
            found[percent] = self.attempt(column, percent, chain, visited)
        least = min(p for p in found if found[p])
        if self.states < LARGE:
            found[least] = self.attempt(column, least, chain, 0)
        self.winner[column] = found[least][1]
        fair = [p for p in sorted(found) if found[p] and round(100 * found[p][0] / self.states) <= visited]
        percent = max(found)
        while not fair and percent < 100:
            percent += 5
            found[percent] = self.attempt(column, percent, chain, visited)
            if found[percent] and round(100 * found[percent][0] / self.states) <= visited:
                fair = [percent]
        fair = fair[0] if fair else max(found)
        return [(p, round(100 * found[p][0] / self.states), " ".join(found[p][1])) for p in [least, fair]]


def averages(cells, paper, which):
    """Of both, over the models that have all cells."""
    lines = []
    for chain in ["no", "yes"]:
        models = [m for (m, c) in cells if c == chain and len(cells[m, c]) == len(ORDERS)]
        line = []
        for column in ORDERS:
            ours = [cells[m, chain][column][which] for m in models]
            theirs = [paper[m, chain] for m in models]
            means = [sum(o[i] for o in ours) / len(ours) for i in (0, 1)] if ours else [0, 0]
            means += [sum(int(t[column + i]) for t in theirs) / len(ours) for i in ("_S", "_V")] if ours else [0, 0]
            line.append("%.1f/%.0f (%.1f/%.0f)" % tuple(means))
        lines.append((chain, len(models), line))
    return lines


def markdown(cells, paper):
    lines = ["| model | chains | %s |" % " | ".join(ORDERS), "|---|---|" + "---|" * len(ORDERS)]
    for (model, chain), cell in sorted(cells.items()):
        lines.append("| %s | %s | %s |" % (model, chain, " | ".join(
            "%d/%d (%s/%s)" % (*cell[c][0][:2], paper[model, chain][c + "_S"], paper[model, chain][c + "_V"])
            for c in ORDERS if c in cell)))
    for which, title in enumerate(["mean", "mean, at most the paper's visits"]):
        for chain, n, line in averages(cells, paper, which):
            lines.append("| **%s** (%d models) | %s | %s |" % (title, n, chain, " | ".join(line)))
    return "\n".join(lines) + "\n"


def write(args, cells, paper):
    if args.table:
        with open(args.table, "w", encoding="utf-8") as f:
            f.write("model\tchains\torder\tstored\tvisited\thow\tfair_stored\tfair_visited\tfair_how\tpaper_stored\t"
                    "paper_visited\n")
            for (model, chain), cell in sorted(cells.items()):
                for c, (least, fair) in cell.items():
                    row = paper[model, chain]
                    f.write("\t".join(map(str, [model, chain, c, *least, *fair, row[c + "_S"], row[c + "_V"]])) + "\n")
    if args.markdown:
        with open(args.markdown, "w", encoding="utf-8") as f:
            f.write(markdown(cells, paper))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cairn", default=os.environ.get("CAIRN", "build/cairn"))
    parser.add_argument("--folder", default="build/table2", help="runs that were made")
    parser.add_argument("--table", help="write all cells as TSV")
    parser.add_argument("--markdown", help="write the table")
    parser.add_argument("models", nargs="*", help="all, the small ones first")
    args = parser.parse_args()
    rows = read_paper(2)
    if rows is None:
        return
    paper = {(r["model"], r["CR"]): r for r in rows if r["states"] != "-"}
    sizes = {m: int(r["states"]) for (m, _), r in paper.items()}
    cells = {}
    print("stored %% / visited %%, and (the paper's)\n%-26s%s" % ("", "".join("%-22s" % c for c in ORDERS)))
    models = sorted(args.models or sizes, key=sizes.get)
    large = [m for m in models if sizes[m] >= LARGE]
    searches = {}
    for model, chain in ([(m, c) for m in models if m not in large for c in (False, True)] +
                         [(m, c) for c in (False, True) for m in large]):
        rows = {c: paper[model, c and "yes" or "no"] for c in (False, True)}
        search = searches.setdefault(model, Search(args, model, sizes[model], rows))
        key = model, "yes" if chain else "no"
        search.look()
        cells[key] = {}
        print("%-26s" % (model + (" chains" if chain else "")), end="", flush=True)
        for column in ORDERS:
            cells[key][column] = search.cell(column, chain)
            theirs = paper[key][column + "_S"], paper[key][column + "_V"]
            print("%-22s" % ("%d/%d (%s/%s)" % (*cells[key][column][0][:2], *theirs)), end="", flush=True)
        print(flush=True)
        write(args, cells, paper)
    for which, title in enumerate(["mean", "mean, at most the paper's visits"]):
        for chain, n, line in averages(cells, paper, which):
            print("%s, %d models, chains %s: %s" % (title, n, chain, "  ".join(line)))


if __name__ == "__main__":
    main()
