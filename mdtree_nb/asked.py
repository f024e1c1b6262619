"""Which surrogates a fitted model asks in its nodes, and the words for it.

`export_text` and the pictures of a tree read it here, so that they say the same. What a
model asks is told by its strategies' attributes, never by their names; surrogates that are
merely recorded are not listed.

Does not: ask surrogates (`tree/surrogates.py`), or find them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .strategies import Strategy, get_strategy
from .tree.structure import KIND_NAMES, Tree
from .tree_estimator import TreeEstimator

NAMED = 2  # surrogates that a sentence names; it counts the others


class StandIn(NamedTuple):
    """A surrogate of a node.

    Attributes
    ----------
    feature, test : str
        The column that it looks at, and how.
    condition : str
        What sends a row to the node's first child.
    agreement : float
    """

    feature: str
    test: str
    condition: str
    agreement: float


class Asked(NamedTuple):
    """What a node asks about a row that misses its column.

    Attributes
    ----------
    surrogates : tuple of StandIn
        At least one, the one that is asked first in front.
    in_training : bool
        Were they asked about training rows?
    later : bool
        Are they asked about later rows?
    otherwise : tuple of (child, share), or None
        Where none can tell; None where that is decided row by row.
    """

    surrogates: tuple[StandIn, ...]
    in_training: bool
    later: bool
    otherwise: tuple[tuple[int, float], ...] | None


def read_asked(model: Any, tree: Tree) -> dict[int, Asked]:
    """Find the nodes in which a model asks surrogates, in training or in prediction.

    Parameters
    ----------
    model : fitted MDTreeClassifier or MDTreeRegressor, or another object
        A tree alone asks none: it knows no strategy.
    tree : Tree
        The model's, perhaps with other names of its columns.

    Returns
    -------
    dict
        From the number of a node to what it asks.
    """
    its = tree.surrogates
    if its is None or not isinstance(model, TreeEstimator):
        return {}
    grown, later = get_strategy(model._grown_by), model._predictor.strategy
    if later.asks_surrogates:
        shares = model.missing_shares_
    elif grown.asks_surrogates:
        routes = {type(grown).train_route, type(grown).route}
        by_row = routes != {Strategy.train_route, Strategy.route}
        shares = None if by_row else np.asarray(grown.train_shares(tree))
    else:
        return {}
    asked = {}
    for v in range(tree.n_nodes):
        in_training = bool(grown.asks_surrogates and tree.missing_weight[v] > 0)
        if len(its.of(v)) and (in_training or later.asks_surrogates):
            kids = tree.children(v)
            otherwise = None if shares is None else tuple((c, float(shares[c])) for c in kids)
            stand_ins = tuple(_stand_in(tree, i) for i in its.of(v))
            asked[v] = Asked(stand_ins, in_training, bool(later.asks_surrogates), otherwise)
    return asked


def _stand_in(tree: Tree, number: int) -> StandIn:
    its: Any = tree.surrogates
    return StandIn(
        tree.schema.names[int(its.feature[number])],
        KIND_NAMES[int(its.kind[number])],
        its.condition(number, tree.schema, 0),
        float(its.agreement[number]),
    )


def in_order(
    asked: Asked, most: int, say: Callable[[StandIn], str], decimals: int = 2
) -> list[str]:
    """List what is asked: the first surrogates, how many more, and what is left to do.

    Parameters
    ----------
    asked : Asked
    most : int
        Surrogates to name.
    say : callable
        From a surrogate to its words.
    decimals : int, default=2
        Decimals of the shares of children, where rows are divided at last.

    Returns
    -------
    list of str
    """
    words = [say(its) for its in asked.surrogates[:most]]
    if len(asked.surrogates) > most:
        words.append(f"+{len(asked.surrogates) - most} more")
    last = "as the strategy decides"
    if asked.otherwise is not None:
        last = routes(dict(asked.otherwise), decimals)
    return [*words, f"if none can tell{'' if last.startswith('->') else ','} {last}"]


def by_surrogates(asked: Asked, decimals: int = 2) -> str:
    """Say by what a row goes: "by Pulse <= 64 (0.93), +3 more, if none can tell -> #5".

    Parameters
    ----------
    asked : Asked
    decimals : int, default=2
        Decimals of agreements and shares.

    Returns
    -------
    str
    """

    def say(its: StandIn) -> str:
        return f"{' '.join(its.condition.split())} ({its.agreement:.{decimals}f})"

    return f"by {', '.join(in_order(asked, NAMED, say, decimals))}"


def after_route(asked: Asked | None, decimals: int = 2) -> str:
    """Say what follows the words about where missing training rows went.

    Parameters
    ----------
    asked : Asked or None
    decimals : int, default=2

    Returns
    -------
    str
        Empty where no surrogate is asked.
    """
    if asked is None:
        return ""
    how = by_surrogates(asked, decimals)
    return f", {how}" if asked.in_training else f"; a later one goes {how}"


def routes(shares: dict[int, float], decimals: int = 2) -> str:
    """Put shares over children in words: "-> #2", "-> #1 (0.62), #2 (0.38)", "stop here".

    Parameters
    ----------
    shares : dict
        From child to share.
    decimals : int, default=2

    Returns
    -------
    str
    """
    there = {c: share for c, share in shares.items() if share > 1e-9}
    stays = 1 - sum(there.values())
    text = ", ".join(
        f"#{c}" if np.isclose(share, 1) else f"#{c} ({share:.{decimals}f})"
        for c, share in there.items()
    )
    if stays > 1e-9:
        stop = "stop here" if not there else f"stop here ({stays:.{decimals}f})"
        return f"{'-> ' + text + ', ' if there else ''}{stop}"
    return f"-> {text}"
