"""Forests of tests/forest/trained predict from Python what their trainers predicted."""

import csv
import pathlib

import numpy as np
import pytest
import tenrex

TRAINED = pathlib.Path(__file__).parents[2] / "tests" / "forest" / "trained"
NAMES = ["lightgbm_binary", "lightgbm_categorical", "lightgbm_multiclass", "lightgbm_rf", "xgboost_base_score", "xgboost_categorical"]


def trained(name):
    """The path of a model, its features by name, and what the trainer predicted."""
    with open(TRAINED / f"{name}.csv", encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    table = np.array([[float(cell) if cell else np.nan for cell in row] for row in rows])
    features = {title: table[:, i] for i, title in enumerate(head) if not title.startswith(("raw", "value"))}
    raw = table[:, [i for i, title in enumerate(head) if title.startswith("raw")]]
    values = table[:, [i for i, title in enumerate(head) if title.startswith("value")]]
    suffix = "txt" if name.startswith("lightgbm") else "json"
    return TRAINED / f"{name}.{suffix}", features, raw, values


def load(name, model):
    return tenrex.lightgbm(model) if name.startswith("lightgbm") else tenrex.xgboost(model)


@pytest.mark.parametrize("name", NAMES)
def test_predictions(name):
    path, features, raw, values = trained(name)
    for forest in (load(name, path), load(name, path.read_bytes())):
        assert forest.trees > 1 and forest.leaves > forest.trees and forest.depth > 0
        assert set(forest.used_features) <= {feature.name for feature in forest.features}
        assert set(forest.used_features) <= set(features)
        for is_raw, expected in ((False, values), (True, raw)):
            found = forest.plan(raw=is_raw).bind()(features)
            assert np.allclose(found.reshape(expected.shape), expected, rtol=2e-6, atol=2e-7)
        assert name.split("_")[0] in repr(forest).lower()


def test_forests_in_expressions():
    path, features, _, values = trained("lightgbm_binary")
    plan = tenrex.compile("2 * forest(clicks) + extra", document=[*features, "extra"], forests={"clicks": tenrex.lightgbm(path)})
    assert np.allclose(plan.bind()(features, extra=10), 2 * values[:, 0] + 10)
    with pytest.raises(tenrex.Error, match="click"):
        tenrex.compile("forest(click)", document=list(features), forests={"clicks": tenrex.lightgbm(path)})


def test_contributions_sum_up():
    path, features, raw, _ = trained("lightgbm_binary")
    forest = tenrex.lightgbm(path)
    for row in range(10):
        found = forest.contributions([features[name][row] for name in forest.used_features])
        assert found.shape == (len(forest.features) + 1,) and found.sum() == pytest.approx(raw[row, 0], rel=1e-9)
    with pytest.raises(tenrex.Error):
        forest.contributions([])


@pytest.mark.parametrize("read, model, message", [
    (tenrex.lightgbm, b"tree\nno model", "."),
    (tenrex.xgboost, b"{}", "."),
    (tenrex.lightgbm, "no_such_file.txt", "no_such_file"),
    (tenrex.lightgbm, 5, "int is no model of LightGBM"),
    (tenrex.xgboost, 5, "int is no model of XGBoost"),
])
def test_what_is_no_model(read, model, message):
    with pytest.raises(tenrex.Error, match=message):
        read(model)
