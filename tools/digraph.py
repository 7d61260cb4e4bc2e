"""digraph.py - cycles in a small directed graph; for floors.py and cycles.py.

A graph is {node: {other node: word on the edge}}. Every strongly connected
component of more than one node (Tarjan, "Depth-first search and linear graph
algorithms", 1972) is reported once, by a shortest cycle in it.
"""

from collections import deque


def components(graph):
    index, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(start):
        work = [(start, iter(sorted(graph.get(start, ()))))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            node, others = work[-1]
            for other in others:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = set()
                    while node not in component:
                        component.add(stack.pop())
                    on_stack.difference_update(component)
                    if len(component) > 1:
                        found.append(component)

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def way_back(graph, component, start):
    """The nodes of a shortest cycle through start."""
    parent = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for other in sorted(graph.get(node, ())):
            if other == start:
                way = [node]
                while way[-1] != start:
                    way.append(parent[way[-1]])
                return way[::-1]
            if other in component and other not in parent:
                parent[other] = node
                queue.append(other)
    raise AssertionError("not strongly connected")


def cycles(graph):
    """One line per component: 'a (word) -> b (word) -> a'."""
    lines = []
    for component in components(graph):
        way = min((way_back(graph, component, node) for node in sorted(component)), key=len)
        steps = [f"{a} ({graph[a][b]}) -> " for a, b in zip(way, way[1:] + way[:1])]
        also = sorted(component - set(way))
        rest = f"; entangled with them: {', '.join(also)}" if also else ""
        lines.append("".join(steps) + way[0] + rest)
    return lines
