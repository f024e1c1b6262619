"""States of strategies that fill in: what comes out of a file is checked before it is used."""

import copy
import json

import numpy as np
import pytest
from data import make_frame

from mdtree_nb import MDTreeClassifier, export_json, import_json
from mdtree_nb import table as tables
from mdtree_nb.strategies import EM, KNN, Iterative, Mode

STRATEGIES = {
    "knn": KNN(),
    "em": EM(2, 1),
    "iterative": Iterative(1, multiple=True, n_imputations=2),
    "mode": Mode(),
}


@pytest.fixture(scope="module")
def states():
    frame, y = make_frame(0, 50)
    table = tables.learn(frame)
    made = {k: s.prepare(table, None, None, None).state for k, s in STRATEGIES.items()}
    return made, table.schema


def of(value):
    """The value of an entry, as a change of it."""
    return lambda _: value


CHANGES = [
    ("knn", ["donors"], lambda a: a[:-1], "do not have one shape"),
    ("knn", ["donors"], lambda a: a + 0.5, "has a level that is none"),
    ("knn", ["donors"], lambda a: a.tolist(), "array of float64"),
    ("knn", ["donors"], lambda a: np.where(np.isnan(a), np.inf, a), "finite or missing"),
    ("knn", ["weight"], lambda a: a * 0, "above 0"),
    ("knn", ["factor"], lambda a: -a, "not below 0"),
    ("knn", ["fills"], lambda a: a[:-1], "one fill per column"),
    ("em", ["means"], lambda a: a[:1], "do not fit the coded columns"),
    ("em", ["covs"], lambda a: -a, "needs covariances"),
    ("em", ["covs"], lambda a: a + np.triu(np.ones(a.shape[1:])), "needs covariances"),
    ("em", ["means"], lambda a: a * np.nan, "finite"),
    ("em", ["covs"], of(None), "array of float64"),
    ("em", ["feature"], lambda a: a + 90, "has no level"),
    ("em", ["level"], lambda a: a + 90, "has no level"),
    ("em", ["scale"], lambda a: a * 0, "above 0"),
    ("em", ["centre"], lambda a: a[:-1], "one finite number per coded column"),
    ("em", ["centre"], of(3), "needs a list of float64"),
    ("iterative", ["chains"], of({}), "list of dicts"),
    ("iterative", ["chains"], lambda a: a[:1], "one per imputation"),
    ("iterative", ["chains", 1, "target"], lambda a: a + 90, "no such column"),
    ("iterative", ["chains", 1, "target"], of([1]), "list of int64"),
    ("iterative", ["chains", 0, "coef"], lambda a: a[:, 1:], "of shape"),
    ("iterative", ["chains", 0, "sd"], lambda a: a * np.inf, "finite"),
    ("iterative", ["low"], of(0.0), "of shape"),
    ("mode", ["fills"], lambda a: [*a[:4], 99.0, 0.0], "is no fill of column 'colour'"),
]


@pytest.mark.parametrize(("name", "path", "change", "says"), CHANGES)
def test_a_state_that_does_not_fit_is_refused(states, name, path, change, says):
    made, schema = states
    state = copy.deepcopy(made[name])
    strategy = STRATEGIES[name]
    strategy.check_state(state, schema)
    *way, last = path
    at = state
    for step in way:
        at = at[step]
    at[last] = change(at[last])
    with pytest.raises(ValueError, match=says), np.errstate(invalid="ignore"):
        strategy.check_state(state, schema)


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_there_and_back(name):
    frame, y = make_frame(0, 50)
    new, _ = make_frame(1, 30)
    model = MDTreeClassifier(missing=STRATEGIES[name], max_depth=3).fit(frame, y)
    text = export_json(model)
    json.loads(text)
    np.testing.assert_array_equal(import_json(text).predict_proba(new), model.predict_proba(new))


@pytest.mark.parametrize("name", ["em", "iterative"])
def test_a_table_without_anything_to_model_goes_there_and_back(name):
    model = MDTreeClassifier(missing=name).fit([[1.0], [np.nan], [1.0]], [0, 1, 1])
    again = import_json(export_json(model))
    assert again.completed([[np.nan]])[0]["x0"].tolist() == [1.0]
