"""Calling queries: columns by their names, for all documents or for one."""

import numpy as np
import pytest
import tenrex
from four_documents import D, EXPECTED, EXPRESSION, PRICE, TYPES


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


def test_a_table_of_no_kind(query):
    with pytest.raises(tenrex.Error, match="int has no columns"):
        query(5)
    with pytest.raises(tenrex.Error, match="list has no columns(.|\n)*pandas.DataFrame[(]records[)]"):
        query([{"d": [1, 2, 3], "price": 1}])


def test_prepared_documents_tell_how_many_they_are(query):
    assert repr(query.plan.documents(d=D, price=PRICE)) == "<Documents: 4>"


def test_calls_are_checked(query):
    for call in (lambda: query(D, PRICE), lambda: query(1), lambda: query.plan.bind(q=[1, 0, 0])()):
        with pytest.raises((TypeError, tenrex.Error)):
            call()
    for made in (lambda: tenrex.Query(), lambda: tenrex.Query(query.plan, 1), lambda: tenrex.Query.__new__(tenrex.Query)(d=D)):
        with pytest.raises((TypeError, RuntimeError)):
            made()
    assert query.plan is query._plan and isinstance(query.plan.bind(q=[1, 0, 0]), tenrex.Query)


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
