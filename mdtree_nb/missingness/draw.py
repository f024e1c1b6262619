"""Chances and draws: the numerical core that all methods share."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit, logit

SIDES = ("right", "left", "mid", "tail")
_MOST_GROUPS = 1000
_BEND = 0.75  # where "mid" and "tail" change sign


def count_of(n: int, rate: float) -> int:
    """Round a share of n to a number, halves up: 2.5 is 3."""
    return int(np.floor(n * rate + 0.5 + 1e-9))


def draw(
    chance: NDArray[np.float64],
    rng: np.random.Generator,
    *,
    exact: bool,
    strata: NDArray[np.uint16] | None = None,
) -> NDArray[np.bool_]:
    """Draw rows by their chances.

    Parameters
    ----------
    chance : ndarray of shape (n,)
        Between 0 and 1.
    rng : Generator
    exact : bool
        False = every row by itself. True = the number drawn is the sum of the chances
        (rounded), and every row still has its own chance: rows stand in a random order and
        a tick falls at every whole number of their running sum.
    strata : ndarray of shape (n,) or None, default=None
        Number of the group to which each row belongs: rows of a group stand together, so
        that each group has its exact number.

    Returns
    -------
    ndarray of shape (n,), bool
    """
    start = rng.random() if exact else 0.0
    if not exact:
        return rng.random(len(chance)) < chance
    if not len(chance):
        return np.zeros(0, dtype=bool)
    low, high = chance.min(), chance.max()
    order = rng.permutation(len(chance))
    drawn = np.zeros(len(chance), dtype=bool)
    if low == high:
        drawn[order[: count_of(len(chance), low)]] = True
        return drawn
    if strata is not None:
        order = order[np.argsort(strata[order], kind="stable")]
    total = np.cumsum(chance[order])
    total += start
    np.floor(total, out=total)
    drawn[order[1:]] = total[1:] > total[:-1]
    drawn[order[0]] = total[0] > 0
    return drawn


def positions(
    values: NDArray[np.float64],
    rng: np.random.Generator,
    *,
    random_ties: bool,
    reference: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Say where each value stands in the order, between 0 (lowest) and 1.

    Parameters
    ----------
    values : ndarray of shape (n,)
    rng : Generator
    random_ties : bool
        Equal values stand in random order; else in the order of the rows.
    reference : ndarray or None
        Sorted values of the training rows among which to look. None = these are they.

    Returns
    -------
    ndarray of shape (n,)
        (rank + 1/2) / n on training rows, so all differ.
    """
    n = len(values)
    if reference is not None:
        low = np.searchsorted(reference, values, side="left")
        high = np.searchsorted(reference, values, side="right")
        among = low + rng.random(n) * (high - low)
        return np.clip(among, 0.5, len(reference) - 0.5) / len(reference)
    if random_ties:
        order = np.argsort(values)
        ordered = values[order]
        if (ordered[1:] == ordered[:-1]).any():
            shuffled = rng.permutation(n)
            order = shuffled[np.argsort(values[shuffled], kind="stable")]
    else:
        order = np.argsort(values, kind="stable")
    place = np.empty(n)
    place[order] = (np.arange(n) + 0.5) / n
    return place


def bend(scores: NDArray[np.float64], side: str) -> NDArray[np.float64]:
    """Log-odds without their intercept: who goes missing more often.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        Standardised.
    side : {"right", "left", "mid", "tail"}
        High scores, low ones, those in the middle, or those at both ends.

    Returns
    -------
    ndarray of shape (n,)
    """
    if side == "right":
        return scores
    if side == "left":
        return -scores
    return _BEND - np.abs(scores) if side == "mid" else np.abs(scores) - _BEND


def intercept(scores: NDArray[np.float64], share: float) -> float:
    """Find b with mean of 1 / (1 + exp(-(scores + b))) = share, on the scores themselves.

    Parameters
    ----------
    scores : ndarray of shape (n,)
    share : float

    Returns
    -------
    float
        Minus or plus infinity for a share of 0 or 1.
    """
    if share <= 0 or share >= 1 or not len(scores):
        return -np.inf if share <= 0.5 else np.inf
    b = float(logit(share) - scores.mean())
    for _ in range(20):  # Newton's steps, from a good start
        p = expit(scores + b)
        error = float(p.mean()) - share
        if abs(error) < 1e-13:
            return b
        slope = float((p * (1 - p)).mean())
        if slope < 1e-12 or abs(error / slope) > 8:
            break
        b -= error / slope
    low, high = -60 - float(scores.max()), 60 - float(scores.min())
    return float(brentq(lambda b: expit(scores + b).mean() - share, low, high, xtol=1e-13))


def check_side(side: str, sides: tuple[str, ...]) -> None:
    """Refuse a side that is not one of some words."""
    if side not in sides:
        raise ValueError(f"side={side!r} is not known; choose {' or '.join(map(repr, sides))}.")


def check_odds(odds: Sequence[float]) -> None:
    """Refuse odds that are none."""
    values = np.asarray(odds, dtype=float)
    if values.ndim != 1 or not 2 <= len(values) <= _MOST_GROUPS:
        raise ValueError(f"odds={odds!r} must be 2 to {_MOST_GROUPS} numbers, one per group.")
    if not (np.isfinite(values).all() and (values >= 0).all() and values.any()):
        raise ValueError(f"odds={odds!r} must be numbers from 0, one of them above 0.")


def group_of(places: NDArray[np.float64], groups: int) -> NDArray[np.intp]:
    """Number of the equal group in which a place between 0 and 1 lies."""
    return np.minimum((places * groups).astype(np.intp), groups - 1)


def group_chances(
    odds: Sequence[float], sizes: NDArray[np.float64], share: float
) -> NDArray[np.float64]:
    """Chance of each group, by its odds, with the share as their mean.

    Parameters
    ----------
    odds : sequence of float
    sizes : ndarray
        Share of the rows in each group.
    share : float

    Returns
    -------
    ndarray
        A group that would lose more than it has gets 1, and the others share the rest; a
        warning says so.

    Raises
    ------
    ValueError
        When groups with odds of 0 make the share unreachable.
    """
    factors = np.asarray(odds, dtype=float)
    reachable = float(sizes[factors > 0].sum())
    if share > reachable + 1e-12:
        raise ValueError(
            f"rate: odds={tuple(odds)} leave some groups whole, so at most {reachable:.4g} of "
            f"the values can go, not {share:.4g}."
        )
    chance, full = np.zeros(len(factors)), np.zeros(len(factors), dtype=bool)
    while True:  # every round fills a group, or ends
        room = max(share - float(sizes[full].sum()), 0.0)
        weight = float((sizes * factors)[~full].sum())
        chance = np.where(full, 1.0, factors * (room / weight if weight else 0.0))
        over = (chance > 1 + 1e-12) & ~full
        if not over.any():
            break
        full |= over
    if full.any():
        warnings.warn(
            f"odds={tuple(odds)} cannot hold at a share of {share:.4g}: {int(full.sum())} of "
            f"{len(factors)} groups lose all their values.",
            UserWarning,
            stacklevel=2,
        )
    return np.minimum(chance, 1.0)
