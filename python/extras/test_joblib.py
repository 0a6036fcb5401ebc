"""Queries in the workers of joblib, which pickles functions and their arguments in its own way."""

import numpy as np
import pytest
import tenrex


def test_workers():
    joblib = pytest.importorskip("joblib")
    query = tenrex.compile("sum(q * d)", query={"q": "tensor<float>(x[2])"}, document={"d": "tensor<float>(x[2])"}).bind(q=[1, 2])
    blocks = [np.full((3, 2), number, np.float32) for number in range(4)]
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(query)(d=block) for block in blocks)
    assert [scores.tolist() for scores in found] == [[3 * number] * 3 for number in range(4)]
