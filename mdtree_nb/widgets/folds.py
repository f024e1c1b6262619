"""Which nodes of a tree are shown: what is open, and what is folded.

Heavy nodes are opened first, so what stays folded holds the fewest rows, as in `plot_tree`.

Does not: place or draw.
"""

from __future__ import annotations

import heapq

from ..plots.tree_facts import TreeFacts
from ..tree.structure import Tree

FIRST = 31  # nodes shown when nobody asked for a depth
MOST = 90  # more are neither read nor sent


def walk(tree: Tree, way: list[int]) -> int:
    """Number of the node that is reached by these branches, from the root on.

    Parameters
    ----------
    tree : Tree
    way : list of int

    Returns
    -------
    int
    """
    v = 0
    for branch in way:
        v = int(tree.first_child[v]) + branch
    return v


class Folds:
    """Open and folded nodes of a tree.

    Parameters
    ----------
    facts : TreeFacts

    Attributes
    ----------
    open : set of int
        Inner nodes whose children are shown.
    most : int
        Number of nodes that may be shown.
    """

    def __init__(self, facts: TreeFacts):
        self.most = MOST
        self.nodes = facts.nodes
        self.parent = {kid: node.number for node in facts.nodes for kid in node.children}
        self.open: set[int] = set()
        self.reset(None, 0.0)

    def reset(self, max_depth: int | None, min_support: float) -> None:
        """Show nodes down to a depth, and divide none that holds too little.

        Parameters
        ----------
        max_depth : int or None
            None = as many as are read with ease.
        min_support : float
            Part of the training weight.
        """
        self._depth = len(self.nodes) if max_depth is None else max_depth
        self._least = min_support * self.nodes[0].weight
        self.open = set()
        self._grow([0], FIRST if max_depth is None and not min_support else self.most)

    def _wanted(self, v: int) -> bool:
        node = self.nodes[v]
        return bool(node.branches) and node.depth < self._depth and node.weight >= self._least

    def _grow(self, start: list[int], most: int) -> None:
        """Open nodes from these on, the heaviest first, while there is room."""
        n = self.n_shown
        heap = [(-self.nodes[v].weight, v) for v in start if self._wanted(v)]
        heapq.heapify(heap)
        while heap:
            _, v = heapq.heappop(heap)
            kids = self.nodes[v].children
            if n + len(kids) > most and v:
                continue
            n += len(kids)
            self.open.add(v)
            for kid in kids:
                if self._wanted(kid):
                    heapq.heappush(heap, (-self.nodes[kid].weight, kid))

    @property
    def n_shown(self) -> int:
        """Number of nodes that are shown."""
        return 1 + sum(len(self.nodes[v].branches) for v in self.open)

    @property
    def kids(self) -> dict[int, tuple[int, ...]]:
        """Children that are shown, of each node that is shown."""
        kids, waiting = {}, [0]
        while waiting:
            v = waiting.pop()
            kids[v] = self.nodes[v].children if v in self.open else ()
            waiting.extend(kids[v])
        return kids

    @property
    def folded(self) -> list[int]:
        """Shown nodes that hide what is below them."""
        return sorted(v for v, kids in self.kids.items() if not kids and self.nodes[v].branches)

    def path(self, v: int) -> list[int]:
        """Nodes from the root to this one."""
        path = [v]
        while path[-1]:
            path.append(self.parent[path[-1]])
        return path[::-1]

    def is_shown(self, v: int) -> bool:
        """Is a node shown?"""
        return all(u in self.open for u in self.path(v)[:-1])

    def fold(self, v: int) -> None:
        """Hide what is below a node."""
        waiting = [v]
        while waiting:
            u = waiting.pop()
            if u in self.open:
                self.open.remove(u)
                waiting.extend(self.nodes[u].children)

    def unfold(self, v: int) -> None:
        """Show the children of a node, and what is below them as far as there is room."""
        if v in self.open or not self.nodes[v].branches:
            return
        self.reveal(v)
        self.open.add(v)
        self.make_room(self.path(v))
        self._grow(list(self.nodes[v].children), max(FIRST, self.n_shown))

    def reveal(self, v: int) -> None:
        """Open whatever hides a node."""
        path = self.path(v)[:-1]
        self.open.update(path)
        self.make_room(path)

    def make_room(self, keep: list[int]) -> None:
        """Fold the lightest nodes, but not these, where more are open than can be shown.

        Parameters
        ----------
        keep : list of int
        """
        for v in sorted(self.open - set(keep), key=lambda v: (self.nodes[v].weight, -v)):
            if self.n_shown <= self.most:
                return
            self.fold(v)
