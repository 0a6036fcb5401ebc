"""Calling queries with arrays of all kinds."""

import pickle

import numpy as np
import pytest
import tenrex

TYPES = {"query": {"q": "tensor<float>(x[3])"}, "document": {"d": "tensor<float>(x[3])", "price": "double"}}
EXPRESSION = "sum(q * d) + price"


@pytest.fixture(scope="module")
def query():
    return tenrex.compile(EXPRESSION, **TYPES).bind(q=[1, 10, 100])


D = np.arange(12, dtype=np.float32).reshape(4, 3)
PRICE = np.array([0.5, 1.5, 2.5, 3.5])
EXPECTED = D.astype(float) @ [1, 10, 100] + PRICE


def check(query, d=D, price=PRICE, expected=EXPECTED):
    result = query(d=d, price=price)
    assert type(result) is np.ndarray and result.dtype == np.float64
    assert result.tolist() == list(expected)


def test_plain_arrays(query):
    check(query)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">f4", ">f8", ">i4", "<f8",
                                   np.longdouble])
def test_all_dtypes(query, dtype):
    check(query, d=D.astype(dtype))
    check(query, price=(PRICE * 2).astype(dtype), expected=EXPECTED + PRICE)


def test_bool(query):
    check(query, price=np.array([True, False, True, True]), expected=EXPECTED - PRICE + [1, 0, 1, 1])


@pytest.mark.parametrize("make", [
    lambda a: np.asfortranarray(a),
    lambda a: np.repeat(a, 2, axis=0)[::2],
    lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    lambda a: a[::-1].copy()[::-1],
    lambda a: a[:, ::-1].copy()[:, ::-1],
    lambda a: a.T.copy().T,
    lambda a: np.concatenate([a, a], axis=1)[:, :a.shape[1]],
    lambda a: np.lib.stride_tricks.as_strided(a, a.shape, a.strides),
    lambda a: np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].view(a.dtype).reshape(a.shape),
    lambda a: a.tolist(),
    lambda a: tuple(map(tuple, a)),
    lambda a: list(a),
    lambda a: np.array([*a, None], dtype=object)[:-1],
    lambda a: memoryview(a),
    lambda a: a.view(np.recarray) if a.dtype.names else a.view(type("Sub", (np.ndarray,), {})),
    lambda a: np.ma.masked_array(a),
])
def test_all_layouts(query, make):
    check(query, d=make(D))


def test_read_only(query):
    locked = D.copy()
    locked.flags.writeable = False
    check(query, d=locked)


def test_fields_of_records(query):
    records = np.zeros(4, [("flag", "i1"), ("d", "f4", (3,)), ("price", "f8")])
    records["d"], records["price"] = D, PRICE
    check(query, d=records["d"], price=records["price"])
    assert query(records).tolist() == list(EXPECTED)


@pytest.mark.parametrize("seed", range(40))
def test_random_strides(query, seed):
    """Slices of larger arrays, with any steps and orders of axes."""
    random = np.random.default_rng(seed)
    base = random.integers(-8, 8, (9, 8, 5)).astype(random.choice(["f4", "f8", "i2"]))
    array = base.transpose(random.permutation(3))
    steps = [slice(None, None, int(random.choice([-2, -1, 1, 2]))) for _ in range(3)]
    array = array[tuple(steps)][:, :3, 0] if array.shape[1] >= 6 else array[:, :3, 0]
    price = random.integers(-8, 8, 40)[:: int(random.choice([-3, -1, 1, 2]))][:len(array)].astype(">f8")
    expected = array.astype(float) @ [1, 10, 100] + price
    assert query(d=array, price=price).tolist() == expected.tolist()


def test_all_documents_or_one(query):
    assert query(d=D, price=1).tolist() == (EXPECTED - PRICE + 1).tolist()
    assert query(d=D[0], price=PRICE).tolist() == (EXPECTED[0] - PRICE[0] + PRICE).tolist()
    one = query(d=D[1], price=1.5)
    assert type(one) is float and one == EXPECTED[1]
    assert query(d=D[1:2], price=np.float64(1.5)).tolist() == [EXPECTED[1]]
    assert query(d=np.broadcast_to(D[1], (4, 3)), price=np.broadcast_to(1.5, 4)).tolist() == [EXPECTED[1]] * 4


@pytest.mark.parametrize("number", [2, -1, 2**60, True, np.float64(2.5), np.float32(2.5), np.float16(2.5), np.int8(-1),
                                    np.uint64(2**60), np.bool_(True), np.longdouble(2.5), np.array(2.5), float("inf")])
def test_numbers_of_all_kinds(query, number):
    assert query(d=D[0], price=number) == EXPECTED[0] - PRICE[0] + float(number)
    assert query(d=D[:1], price=[number]).tolist() == [EXPECTED[0] - PRICE[0] + float(number)]


def test_numbers_that_are_none(query):
    for number in (10**400, 1j, np.complex64(1)):
        with pytest.raises(tenrex.Error, match="'price'"):
            query(d=D[0], price=number)


def test_arrays_that_are_not_as_numpy_makes_them(query):
    """Arrays with another object for their dtype, and with memory that is not aligned, are read as others are."""
    check(query, d=pickle.loads(pickle.dumps(D)), price=pickle.loads(pickle.dumps(PRICE)))
    renamed = D.astype(np.dtype("f4", metadata={"unit": "m"}))
    assert renamed.dtype is not D.dtype
    check(query, d=renamed)
    room = bytearray(1 + 8 * 4)
    unaligned = np.frombuffer(room, np.float64, offset=1)
    with pytest.raises(tenrex.Error, match="contiguous, writable array"):
        query(d=D, price=PRICE, out=unaligned)


def test_no_documents(query):
    for d in (np.empty((0, 3), np.float32), np.empty((0, 3)), []):
        result = query(d=d, price=[])
        assert result.shape == (0,) and result.dtype == np.float64


def test_positional_columns(query):
    assert query({"d": D, "price": PRICE}).tolist() == list(EXPECTED)
    assert query({"d": D, "other": 1}, price=PRICE).tolist() == list(EXPECTED)


def test_names_in_parentheses():
    plan = tenrex.compile("query(q) * attribute(price) + bm25(title)", query=["query(q)"],
                          document=["attribute(price)", "bm25(title)"])
    query = plan.bind(q=2)
    assert query({"bm25(title)": [1, 2]}, price=[3, 4]).tolist() == [7, 10]
    assert plan.bind({"query(q)": 2})({"bm25(title)": 1, "attribute(price)": 3}) == 7.0


def test_a_short_name_that_two_inputs_have():
    plan = tenrex.compile("attribute(q) + q", document=["attribute(q)", "q"])
    assert plan.bind()({"attribute(q)": 1}, q=2) == 3.0


def test_inputs_that_are_not_used_may_be_given():
    plan = tenrex.compile("price", query=["query(w)"], document=["price", "attribute(other)"])
    assert plan.bind(w=1)(price=1, other=2) == 1.0


@pytest.mark.parametrize("columns, message", [
    ({"d": D}, "no value for 'price', a double(.|\n)*hint: query\\(price=...\\)"),
    ({"d": D, "price": PRICE, "prise": 1}, "no input 'prise'(.|\n)*did you mean 'price'"),
    ({"d": D[:, :2], "price": PRICE}, r"shape \(4, 2\), tensor<float>\(x\[3\]\) needs \(documents, 3\)"),
    ({"d": D[None], "price": PRICE}, r"shape \(1, 4, 3\)"),
    ({"d": D, "price": PRICE[:3]}, "'price' has 3 documents, 'd' has 4"),
    ({"d": D, "price": D}, r"shape \(4, 3\), double needs \(documents,\)"),
    ({"d": D, "price": None}, "None|no array|documents"),
    ({"d": D, "price": "abc"}, "dtype|numbers"),
    ({"d": D * 1j, "price": PRICE}, "dtype complex64"),
    ({"d": np.ma.masked_array(D, D > 4), "price": PRICE}, "masked cells"),
    ({"d": {"a": 1}, "price": PRICE}, "no array of numbers"),
    ({"d": tenrex.Tensor([1, 2], dims=["x"]), "price": 1}, r"type tensor\(x\[2\]\)"),
])
def test_columns_that_do_not_fit(query, columns, message):
    if columns.get("price", 0) is None:
        assert np.isnan(query(**columns)).all()  # missing
        return
    with pytest.raises(tenrex.Error, match=message):
        query(**columns)


def test_masked_numbers_are_missing(query):
    price = np.ma.masked_array(PRICE, [False, True, False, False])
    assert np.isnan(query(d=D, price=price)).tolist() == [False, True, False, False]


def test_a_table_of_no_kind(query):
    with pytest.raises(tenrex.Error, match="int has no columns"):
        query(5)


def test_values_that_bind_refuses():
    plan = tenrex.compile(EXPRESSION, **TYPES)
    with pytest.raises(tenrex.Error, match=r"no value for 'q', a tensor<float>\(x\[3\]\)(.|\n)*bind\(q=...\)"):
        plan.bind()
    with pytest.raises(tenrex.Error, match="no input 'p'"):
        plan.bind(p=1)
    with pytest.raises(tenrex.Error, match=r"'q' has the shape \(2,\)"):
        plan.bind(q=[1, 2])
    assert plan.bind(q="[1,2,3]")(d=[1, 1, 1], price=0) == 6.0
    assert plan.bind(q=tenrex.Tensor(np.ones(3, np.float32), dims=["x"]))(d=[1, 1, 1], price=0) == 3.0


def test_out(query):
    out = np.full(6, -1.0)
    assert query(d=D, price=PRICE, out=out[1:5]).base is out
    assert out.tolist() == [-1, *EXPECTED, -1]


def test_out_is_no_column(query):
    with pytest.raises(tenrex.Error, match="there is no input 'prize'; there are: d, price") as caught:
        query(d=D, price=PRICE, prize=1, out=np.empty(4))
    assert "out" not in str(caught.value).split("there are")[1].split(";")[0].split()
    assert query(query.plan.documents(d=D, price=PRICE), out=None).tolist() == list(EXPECTED)


def test_calls_are_checked(query):
    for call in (lambda: query(D, PRICE), lambda: query(1), lambda: query.plan.bind(q=[1, 0, 0])()):
        with pytest.raises((TypeError, tenrex.Error)):
            call()
    for made in (lambda: tenrex.Query(), lambda: tenrex.Query(query.plan, 1), lambda: tenrex.Query.__new__(tenrex.Query)(d=D)):
        with pytest.raises((TypeError, RuntimeError)):
            made()
    assert query.plan is query._plan and isinstance(query.plan.bind(q=[1, 0, 0]), tenrex.Query)


def test_out_is_read_only_or_empty(query):
    locked = np.empty(4)
    locked.flags.writeable = False
    with pytest.raises(tenrex.Error, match="contiguous, writable array of 4 doubles"):
        query(d=D, price=PRICE, out=locked)
    none = np.empty(0)
    assert query(d=D[:0], price=PRICE[:0], out=none) is none
    one = np.empty(2)[::2]
    assert query(d=D[:1], price=PRICE[:1], out=one) is one and one.tolist() == [EXPECTED[0]]


def test_out_that_is_also_a_column(query):
    price = np.repeat(PRICE, 1)
    assert query(d=D, price=price, out=price) is price
    assert price.tolist() == list(EXPECTED)
    backwards = PRICE.copy()
    query(d=D, price=backwards[::-1], out=backwards)
    assert backwards.tolist() == (EXPECTED - PRICE + PRICE[::-1]).tolist()


@pytest.mark.parametrize("out", [np.empty(3), np.empty((4, 1)), np.empty(4, np.float32), np.empty(8)[::2], [0.0] * 4,
                                 np.empty(4, ">f8"), np.broadcast_to(0.0, 4)])
def test_out_that_does_not_fit(query, out):
    with pytest.raises(tenrex.Error, match="contiguous, writable array of 4 doubles"):
        query(d=D, price=PRICE, out=out)


def test_prepared_documents(query):
    plan = query.plan
    price = PRICE.copy()
    documents = plan.documents(d=D, price=price)
    assert len(documents) == 4 and query(documents).tolist() == list(EXPECTED)
    assert plan.bind(q=[0, 0, 0])(documents).tolist() == list(PRICE)
    price[0] = 9  # read where it is
    assert query(documents)[0] == EXPECTED[0] + 8.5
    with pytest.raises(tenrex.Error, match="made for another plan"):
        tenrex.compile(EXPRESSION, **TYPES).bind(q=[1, 2, 3])(documents)
    with pytest.raises(tenrex.Error, match="cannot be added"):
        query(documents, price=1)


def test_several_outputs():
    plan = tenrex.compile({"a": "x + 1", "b": "x * y"}, document=["x", "y"])
    result = plan.bind()(x=[1, 2], y=3)
    assert list(result) == ["a", "b"] and result["a"].tolist() == [2, 3] and result["b"].tolist() == [3, 6]
    assert plan.bind()(x=1, y=3) == {"a": 2.0, "b": 3.0}
    for out in (np.empty(2), {"c": np.empty(2)}):
        with pytest.raises(tenrex.Error, match="dict of arrays for the outputs a, b"):
            plan.bind()(x=[1, 2], y=3, out=out)
    out = {"b": np.empty(2)}
    assert plan.bind()(x=[1, 2], y=3, out=out)["b"] is out["b"] and out["b"].tolist() == [3, 6]


def test_tensors_as_outputs():
    plan = tenrex.compile({"dense": "d * 2", "sparse": "d * w", "sum": "sum(d)"}, query={"w": "tensor<float>(k{})"},
                          document={"d": "tensor<float>(x[3])"})
    query = plan.bind(w={"a": 1, "b": -1})
    result = query(d=D)
    assert result["dense"].dtype == np.float32 and (result["dense"] == D * 2).all()
    assert [t["b"].tolist() for t in result["sparse"]] == (-D).tolist()
    assert result["sum"].tolist() == D.sum(axis=1).tolist()
    one = query(d=D[0])
    assert one["dense"].tolist() == [0, 2, 4] and one["sparse"]["a"].tolist() == [0, 1, 2] and one["sum"].shape == ()
    with pytest.raises(tenrex.Error, match="only scores"):
        query(d=D, out={})


def test_bfloat16_columns():
    plan = tenrex.compile("sum(d)", document={"d": "tensor<bfloat16>(x[2])"})
    assert plan.bind()(d=np.array([[1.00390625, 2], [3, 4]])).tolist() == [3, 7]
    assert plan.bind()(d=np.array([[1, 2], [3, 4]], np.uint16)).tolist() == [3, 7]


def test_int8_columns():
    plan = tenrex.compile("sum(d)", document={"d": "tensor<int8>(x[2])"})
    assert plan.bind()(d=np.array([[1, 2], [-3, 4]])).tolist() == [3, 1]
    with pytest.raises(tenrex.Error, match="beyond int8"):
        plan.bind()(d=np.array([[1, 200]]))


def test_constants():
    plan = tenrex.compile("sum(w * d) + c", document={"d": "tensor<float>(x[2])"},
                          constants={"w": tenrex.Tensor([1, 2], dims=["x"]), "c": 5})
    assert plan.bind()(d=[[1, 1], [2, 2]]).tolist() == [8, 11]
    assert tenrex.compile("1 + 2").bind()() == 3.0


def test_strings():
    plan = tenrex.compile('(genre == wanted) + 10 * (genre == "jazz")', query={"wanted": "string"}, document={"genre": "string"})
    query = plan.bind(wanted="rock")
    assert query(genre=["rock", "jazz", None, "pop"]).tolist() == [1, 10, 0, 0]
    assert query(genre=np.array(["rock", "jazz"])).tolist() == [1, 10] and query(genre="jazz") == 10.0
    with pytest.raises(tenrex.Error, match="has 5, which is no text"):
        query(genre=["rock", 5])
    for number in (5, 5.5, np.float64(5.5), np.int8(5)):
        with pytest.raises(tenrex.Error, match="which is no text"):
            query(genre=number)
    assert query(genre=None) == query(genre=float("nan")) == 0.0
    with pytest.raises(tenrex.Error, match="no value for 'wanted', a string"):
        plan.bind()


def test_options():
    assert tenrex.compile("2 ^ 3 ^ 2", dialect="core").bind()() == 512.0
    assert tenrex.compile("price", document=["price"], disable=tenrex.optimizations(), max_isa="baseline").bind()(price=2) == 2.0
    with pytest.raises(tenrex.Error, match="no dialect"):
        tenrex.compile("1", dialect="c")
    with pytest.raises(tenrex.Error, match="no_such"):
        tenrex.compile("1", disable=["no_such"])
    with pytest.raises(tenrex.Error, match="dict from names"):
        tenrex.compile("1", document="price")
    with pytest.raises(tenrex.Error, match="no expression"):
        tenrex.compile({})


def test_errors_show_the_place():
    with pytest.raises(tenrex.Error) as caught:
        tenrex.compile("sum(q * dd) + (", **TYPES)
    issue = caught.value.issues[0]
    assert issue.severity == "error" and issue.line == 1 and str(caught.value).count("^") >= 1
    assert isinstance(caught.value, ValueError)
    with pytest.raises(tenrex.Error) as caught:
        tenrex.compile("sum(query(q) * attribute(embeding))",
                       query={"query(q)": "tensor(x[2])"}, document={"attribute(embedding)": "tensor(x[2])"})
    assert caught.value.hint == "did you mean 'attribute(embedding)'?"


def test_what_a_plan_tells():
    plan = tenrex.compile({"s": EXPRESSION}, **TYPES)
    assert plan.outputs == {"s": tenrex.TensorType("double")}
    assert list(plan.query_inputs) == ["q"] and set(plan.document_inputs) == {"d", "price"}
    assert "document: " in plan.explain() and "chosen" in plan.explain(why=True)
    assert plan.steps()[0].kernel and plan.steps("query") == [] or plan.steps("query")
    assert "input \"d\"" in plan.graph().text.replace("'", '"') or "d" in str(plan.graph())
    assert repr(plan) == "<Plan of q, d, price to s: double>" or repr(plan).startswith("<Plan of q, ")
    with pytest.raises(tenrex.Error, match="no stage"):
        plan.steps("documents")


def test_measured_steps(query):
    profile = query.profile(d=D, price=PRICE)
    assert len(profile.seconds) == len(query.plan.steps()) and min(profile.seconds) >= 0 and profile.documents == 4
    assert query.plan.steps()[0].what in repr(profile)
