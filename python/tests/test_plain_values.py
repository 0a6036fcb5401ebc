"""Lists, dicts, numbers and texts of Python: read without code of Python, as that would read them."""

import numpy as np
import pytest
import tenrex
from tenrex import _columns


class AnyList(list):
    """A list that only the package's Python takes."""


class AnyDict(dict):
    """A dict that only the package's Python takes."""


QUERIES = {of_type: tenrex.compile("d", document={"d": of_type}).bind()
           for of_type in ("double", "string", "tensor(x[2])", "tensor<float>(x[2])", "tensor<bfloat16>(x[2])", "tensor<int8>(x[2])",
                           "tensor<float>(x[2],y[3])", "tensor(k{})", "tensor<float>(k{},x[2])", "tensor<int8>(k{})",
                           "tensor(a{},b{})", "tensor<bfloat16>(k{})")}
ROW = np.array([1.5, 2], np.float32)
PLAIN = [
    ("double", [1.5, 2, True, None, -(2**60), np.float64(0.5), np.float32(0.5), np.int8(-1)]), ("double", (1.0, 2.0)),
    ("string", ["a", "", "\u00e9\u4e16", None]), ("string", ("a",)),
    ("tensor(x[2])", [1, 2.5]), ("tensor(x[2])", [[1, 2], (3, None)]), ("tensor(x[2])", [None, [1, 2]]),
    ("tensor<float>(x[2])", [[0.1, 1e300], [2**53, -0.0]]), ("tensor<float>(x[2])", [ROW, [1, 2]]), ("tensor<float>(x[2])", (ROW,)),
    ("tensor<bfloat16>(x[2])", [[1.00390625, 0.1], [float("nan"), float("inf")]]), ("tensor<int8>(x[2])", [[1, -128], [127.0, 0]]),
    ("tensor<float>(x[2],y[3])", [[1, 2, 3], [4, 5, 6]]), ("tensor<float>(x[2],y[3])", [[[1, 2, 3], [4, 5, 6]], None]),
    ("tensor(k{})", {"a": 1, 7: 2.5, "\u00e9": None, "0": np.float32(2)}), ("tensor(k{})", [{"b": 1, "a": 2}, None, {}]),
    ("tensor(k{})", [[1, 2, 3], (4,), None]), ("tensor(k{})", {}),
    ("tensor<float>(k{},x[2])", [{"a": [1, 2], "b": ROW}, {2**62: (3, 4)}]), ("tensor<float>(k{},x[2])", [[[1, 2], [3, 4]]]),
    ("tensor<int8>(k{})", {"a": 127}), ("tensor(a{},b{})", {"p": {"u": 1, "v": 2}, "q": {1: 3}}), ("tensor<bfloat16>(k{})", {"a": 0.1}),
]


def for_python(value):
    """The same, so that the package's Python has to take it."""
    if isinstance(value, dict):
        return AnyDict((key, for_python(inner)) for key, inner in value.items())
    return AnyList(map(for_python, value)) if isinstance(value, (list, tuple)) else value


def shown(result):
    if isinstance(result, list):
        return [shown(tensor) for tensor in result]
    if isinstance(result, tenrex.Tensor):
        return str(result.type), sorted((label, np.asarray(block).tobytes()) for label, block in result.to_dict().items())
    return np.shape(result), np.asarray(result).tobytes()


@pytest.mark.parametrize("of_type, value", PLAIN)
def test_as_the_package_reads_them(of_type, value, monkeypatch):
    expected = shown(QUERIES[of_type](d=for_python(value)))
    monkeypatch.setattr(_columns, "prepare", None)
    assert shown(QUERIES[of_type](d=value)) == expected


@pytest.mark.parametrize("of_type, value, message", [
    ("double", [10**400], "too large|no array of numbers"), ("double", [1, [2]], "no array of numbers"), ("double", ["1"], "dtype"),
    ("double", [b"1"], "dtype"), ("double", [1j], "dtype complex128"), ("string", [5], "5, which is no text"),
    ("tensor(x[2])", [1, 2, 3], r"shape \(3,\)"), ("tensor(x[2])", [[1, 2], [3]], "no array of numbers"),
    ("tensor(x[2])", [1, None], "no array of numbers"), ("tensor<int8>(x[2])", [1, 128], "beyond int8"),
    ("tensor<int8>(x[2])", [1, 0.5], "are whole"), ("tensor(k{})", [{"a": 1}, 5], "dict from labels to blocks, not int"),
    ("tensor(k{})", {"": 1}, "label is empty"), ("tensor(k{})", {"1": 1, 1: 2}, "label 1 twice"),
    ("tensor(k{})", {0.5: 1}, "0.5 is no label"), ("tensor(a{},b{})", {"p": 1}, "below 'p' there must be a dict"),
])
def test_mistakes(of_type, value, message):
    with pytest.raises(tenrex.Error, match=message):
        QUERIES[of_type](d=value)


def test_what_is_left_to_the_package():
    """Values for which numpy rounds otherwise, labels that are no plain texts, and keys that are tuples."""
    large = 2**53 + 2**29 + 1  # rounded to double first, it would become another float
    assert QUERIES["tensor<float>(x[2])"](d=[large, 0])[0] == np.array([large]).astype(np.float32)[0]
    assert QUERIES["tensor(k{})"](d={-1: 2, 2**63: 3}).to_dict() == {"-1": 2, str(2**63): 3}
    assert QUERIES["tensor(k{})"](d={"\udcff": 2}).to_dict() == {"\udcff": 2}
    assert QUERIES["tensor(a{},b{})"](d={("p", "u"): 1}).to_dict() == {("p", "u"): 1}
    assert QUERIES["double"](d=[]).shape == (0,) and QUERIES["tensor(x[2])"](d=[]).shape == (0, 2) and QUERIES["tensor(k{})"](d=[]) == []


def test_a_list_that_changes_while_it_is_read():
    values = [1.0] * 1000

    class Clears(np.float32):
        def __float__(self):
            values.clear()
            return 1.0

    values[10] = Clears(1)
    assert 0 < len(QUERIES["double"](d=values)) <= 1000


def test_numbers_of_documents():
    query = tenrex.compile("d + sum(t)", document={"d": "double", "t": "tensor(k{})"}).bind()
    assert query(d=[1, 2], t=[{"a": 1}, None]).tolist() == [2, 2]
    with pytest.raises(tenrex.Error, match="'t' has 1 documents, 'd' has 2"):
        query(d=[1, 2], t=[{"a": 1}])
    with pytest.raises(tenrex.Error, match="one value for all documents"):
        query(d=[1, 2], t={"a": 1})
    documents = query.plan.documents(d=[1, 2], t=[{"a": 1}, None])
    assert query(documents).tolist() == query(documents).tolist() == [2, 2]


def test_names_of_columns():
    """Names come as they are written, in any order, and made at run time."""
    query = tenrex.compile(" + ".join(f"{i} * attribute(x{i})" for i in range(50)), document=[f"attribute(x{i})" for i in range(50)]).bind()
    made = {"".join(["x", str(i)]): float(i) for i in reversed(range(50))}
    assert query(**made) == sum(i * i for i in range(50))
    with pytest.raises(tenrex.Error, match="no input 'y'"):
        query(**made, y=1)
    with pytest.raises(tenrex.Error, match="no value for 'attribute[(]x0[)]'"):
        query(**{name: value for name, value in made.items() if name != "x0"})
    assert query.__call__(**made) == query(made) == query({}, **made)
