"""Boosters as LightGBM and XGBoost hold them in memory: what they predict is what an expression gives."""

import numpy as np
import pytest
import tenrex


def data():
    random = np.random.default_rng(3)
    x = random.normal(size=(500, 6)).astype(np.float32)
    x[random.random(x.shape) < 0.1] = np.nan
    return x, (np.nan_to_num(x[:, 0]) + np.nan_to_num(x[:, 1]) * x[:, 2].clip(-1, 1) > 0).astype(int) * 1


def columns(forest, x):
    return {name: x[:, int("".join(filter(str.isdigit, name)))].astype(float) for name in forest.used_features}


def test_lightgbm():
    lightgbm = pytest.importorskip("lightgbm")
    x, y = data()
    model = lightgbm.LGBMClassifier(n_estimators=20, num_leaves=9, verbose=-1).fit(x, np.nan_to_num(y))
    for forest in (tenrex.lightgbm(model), tenrex.lightgbm(model.booster_)):
        assert np.allclose(forest.plan().bind()(columns(forest, x)), model.predict_proba(x)[:, 1], rtol=1e-12)


def test_xgboost():
    xgboost = pytest.importorskip("xgboost")
    x, y = data()
    model = xgboost.XGBClassifier(n_estimators=20, max_depth=4).fit(x, np.nan_to_num(y))
    for forest in (tenrex.xgboost(model), tenrex.xgboost(model.get_booster())):
        assert np.allclose(forest.plan().bind()(columns(forest, x)), model.predict_proba(x)[:, 1], rtol=1e-5)
