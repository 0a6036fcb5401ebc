"""Compiling and binding, and what plans tell of themselves."""

import numpy as np
import pytest
import tenrex
from four_documents import D, EXPRESSION, PRICE, TYPES


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


def test_constants():
    plan = tenrex.compile("sum(w * d) + c", document={"d": "tensor<float>(x[2])"},
                          constants={"w": tenrex.Tensor([1, 2], dims=["x"]), "c": 5})
    assert plan.bind()(d=[[1, 1], [2, 2]]).tolist() == [8, 11]
    assert tenrex.compile("1 + 2").bind()() == 3.0


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
