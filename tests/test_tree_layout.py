"""Laws of the layout: numbers alone, no figure."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdtree_nb.plots.tree_layout import (
    AIR,
    beside,
    curve,
    folding_order,
    lane_widths,
    place,
    ports,
    preorder,
    tidy,
)


@st.composite
def trees(draw, most=40):
    """Children by node; every node but the root hangs on an earlier one, 2 to 5 at a time."""
    children, open_nodes = {0: ()}, [0]
    while (
        open_nodes
        and len(children) < most
        and draw(st.booleans() if len(children) > 1 else st.just(True))
    ):
        v = open_nodes.pop(draw(st.integers(0, len(open_nodes) - 1)))
        first = len(children)
        kids = tuple(range(first, first + draw(st.integers(2, 5))))
        children[v] = kids
        children.update(dict.fromkeys(kids, ()))
        open_nodes.extend(kids)
    return children


def sizes(draw, nodes, low, high):
    numbers = st.floats(low, high, allow_nan=False)
    return {v: (draw(numbers), draw(numbers)) for v in nodes}


@st.composite
def drawings(draw):
    children = draw(trees())
    right = draw(st.booleans())
    cards = sizes(draw, children, 1.0, 12.0)
    labels = sizes(draw, [v for v in children if v], 0.5, 9.0)
    aside = {v: 1.5 for v in children if children[v] and draw(st.booleans())}
    placed = place(children, cards, labels, right=right, bend=draw(st.floats(0.5, 4)), aside=aside)
    return children, cards, labels, aside, placed


def overlap(a, b):
    return (
        min(a.x + a.w, b.x + b.w) - max(a.x, b.x) > 1e-9
        and min(a.y + a.h, b.y + b.h) - max(a.y, b.y) > 1e-9
    )


@settings(deadline=None, max_examples=150)
@given(drawings())
def test_nothing_overlaps_and_everything_is_on_the_page(drawing):
    children, cards, labels, aside, placed = drawing
    boxes = [*placed.cards.values(), *placed.labels.values()]
    for i, a in enumerate(boxes):
        assert a.x >= -1e-9
        assert a.y >= -1e-9
        assert a.x + a.w <= placed.width + 1e-9
        assert a.y + a.h <= placed.height + 1e-9
        assert not any(overlap(a, b) for b in boxes[:i])
    for v, box in placed.cards.items():
        assert (box.w, box.h) == pytest.approx(cards[v])
    for v, box in placed.labels.items():
        assert (box.w, box.h) == pytest.approx(labels[v])


def middle(box, right):
    return box.y + box.h / 2 if right else box.x + box.w / 2


@settings(deadline=None, max_examples=100)
@given(drawings())
def test_parents_stand_in_the_middle_and_children_in_order(drawing):
    children, _, _, aside, placed = drawing
    for v, kids in children.items():
        if not kids:
            continue
        at = [middle(placed.cards[k], placed.right) for k in kids]
        assert at == sorted(at)
        mean = (at[0] + at[-1]) / 2
        assert middle(placed.cards[v], placed.right) == pytest.approx(mean, abs=1e-6)
        ahead = placed.labels[kids[0]]
        start = ahead.x if placed.right else ahead.y
        assert start >= placed.leave[v] + placed.bend - 1e-9, "no room to bend"
        for k in kids:
            card, label = placed.cards[k], placed.labels[k]
            assert middle(label, placed.right) == pytest.approx(middle(card, placed.right))
            if placed.right:
                assert label.x + label.w + AIR == pytest.approx(card.x)
            else:
                assert label.y + label.h == pytest.approx(card.y)


@settings(deadline=None, max_examples=50)
@given(drawings())
def test_stubs_have_room_aside(drawing):
    children, cards, _, aside, placed = drawing
    level = {0: 0}
    for v in preorder(children):
        level.update(dict.fromkeys(children[v], level[v] + 1))
    for v, room in aside.items():
        for u in children:
            if u == v or level[u] != level[v]:
                continue
            a, b = placed.cards[v], placed.cards[u]
            low, high = (
                (a.y - room, a.y + a.h + room) if placed.right else (a.x - room, a.x + a.w + room)
            )
            start, end = (b.y, b.y + b.h) if placed.right else (b.x, b.x + b.w)
            assert end <= low + 1e-9 or start >= high - 1e-9


def test_a_chain_a_single_node_and_many_children():
    single, breadth = tidy({0: ()}, {0: 3.0}, 1.0)
    assert (single, breadth) == ({0: 1.5}, 3.0)
    chain = {0: (1, 2)} | {2 * i: (2 * i + 1, 2 * i + 2) for i in range(1, 300)}
    chain |= {v: () for kids in list(chain.values()) for v in kids if v not in chain}
    centre, breadth = tidy(chain, dict.fromkeys(chain, 1.0), 1.0)
    assert breadth == pytest.approx(1 + max(centre.values()) - min(centre.values()))
    many = {0: tuple(range(1, 101))} | {v: () for v in range(1, 101)}
    centre, breadth = tidy(many, dict.fromkeys(many, 2.0), 0.5)
    assert breadth == pytest.approx(100 * 2 + 99 * 0.5)
    assert np.diff([centre[v] for v in range(1, 101)]) == pytest.approx(2.5)


def test_small_subtrees_are_spread_evenly_between_large_ones():
    """A leaf between two wide subtrees stands halfway, not at one of them."""
    children = {0: (1, 2, 3), 1: (4, 5, 6), 2: (), 3: (7, 8, 9)}
    children |= {v: () for v in range(4, 10)}
    centre, _ = tidy(children, dict.fromkeys(children, 2.0), 1.0)
    assert centre[2] == pytest.approx((centre[1] + centre[3]) / 2)


@settings(deadline=None, max_examples=100)
@given(trees(), st.integers(0, 2**32 - 1))
def test_folding_starts_below_and_with_the_lightest(children, seed):
    rng = np.random.default_rng(seed)
    weight = dict.fromkeys(children, 0.0)
    for v in reversed(preorder(children)):
        weight[v] = sum(weight[k] for k in children[v]) or float(rng.integers(1, 50))
    order = folding_order(children, weight)
    inner = [v for v, kids in children.items() if kids]
    assert sorted(order) == sorted(inner)
    assert not order or order[-1] == 0
    folded = set()
    for v in order:
        ready = [
            u
            for u in inner
            if u not in folded and all(k in folded or not children[k] for k in children[u])
        ]
        assert weight[v] == min(weight[u] for u in ready)
        folded.add(v)


def test_lanes_are_linear_but_never_invisible():
    assert lane_widths(60, 40, 0.1, (0.9, 1.3)) == pytest.approx((6.0, 4.0))
    assert lane_widths(1, 1, 0.01, (0.9, 1.3)) == (0.9, 1.3)
    assert lane_widths(0, 5, 1.0, (0.9, 1.3)) == (0.0, 5.0)
    assert lane_widths(5, 0, 1.0, (0.9, 1.3)) == (5.0, 0.0)


@given(st.lists(st.floats(0.5, 10), min_size=1, max_size=30), st.floats(20, 60))
def test_ports_keep_order_and_stay_on_the_card(widths, room):
    centres = ports(widths, room, 8.0)
    assert centres == sorted(centres)
    if sum(widths) <= room:
        edges = [(c - w / 2, c + w / 2) for c, w in zip(centres, widths, strict=True)]
        assert all(b[0] >= a[1] - 1e-9 for a, b in zip(edges, edges[1:]))
        assert edges[0][0] >= -room / 2 - 1e-9
        assert edges[-1][1] <= room / 2 + 1e-9
    assert all(abs(c) <= room / 2 for c in centres)


@pytest.mark.parametrize("right", [False, True])
def test_edges_start_and_end_where_they_should_and_run_straight_there(right):
    path = curve((3.0, 4.0), 10.0, (30.0, 25.0), right)
    assert path[0] == pytest.approx((3, 4))
    assert path[-1] == pytest.approx((30, 25))
    along = 0 if right else 1
    assert (np.diff(path[:, along]) > 0).all(), "never backwards"
    ends = np.abs(np.diff(path, axis=0)[[0, -1]])
    assert (ends[:, 1 - along] < 0.2 * ends[:, along]).all()
    assert len(curve((3.0, 10.0), 10.0, (30.0, 25.0), False)) == 25


def test_lanes_lie_side_by_side():
    """Known and missing rows together are as wide as both: edge to edge, no overlap."""
    path = np.column_stack([np.zeros(5), np.arange(5.0)])  # straight down
    known, missing = 6.0, 4.0
    whole = known + missing
    inner = beside(path, -(whole - known) / 2)
    outer = beside(path, (whole - missing) / 2)
    assert inner[:, 0] == pytest.approx(-2.0)
    assert outer[:, 0] == pytest.approx(3.0), "to the left of one who walks down the page"
    assert (outer[0, 0] - missing / 2) - (inner[0, 0] + known / 2) == pytest.approx(0)
