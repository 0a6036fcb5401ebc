"""Four documents and a plan for them, which the tests of calls share."""

import numpy as np

TYPES = {"query": {"q": "tensor<float>(x[3])"}, "document": {"d": "tensor<float>(x[3])", "price": "double"}}
EXPRESSION = "sum(q * d) + price"
D = np.arange(12, dtype=np.float32).reshape(4, 3)
PRICE = np.array([0.5, 1.5, 2.5, 3.5])
EXPECTED = D.astype(float) @ [1, 10, 100] + PRICE


def check(query, d=D, price=PRICE, expected=EXPECTED):
    result = query(d=d, price=price)
    assert type(result) is np.ndarray and result.dtype == np.float64
    assert result.tolist() == list(expected)
