"""What notebooks show: well formed, escaped, with the numbers that they are about."""

import re
import xml.etree.ElementTree as xml
from html.parser import HTMLParser

import numpy as np
import pytest
import tenrex
from tenrex._graph_svg import svg_of_dot

PLAN = tenrex.compile('sum(q * d) + if (price < 5, 1, 2)', query={"q": "tensor<float>(x[4])"},
                      document={"d": "tensor<float>(x[4])", "price": "double"})


class Reader(HTMLParser):
    """The rows of all tables, and whether tags are closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.rows = [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.rows and "tr" in self.open:
            self.rows[-1][-1] += data


def rows(text):
    return Reader(text).rows


def test_tensors():
    assert rows(tenrex.Tensor([[1, 2], [3, 4.5]], dims=["x", "y"])._repr_html_()) == [["x", "", ""], ["0", "1", "2"], ["1", "3", "4.5"]]
    assert rows(tenrex.Tensor({"<b>": [1], "c": [2]}, dims=["k", "x"])._repr_html_()) == [["k", ""], ["<b>", "1"], ["c", "2"]]
    assert rows(tenrex.Tensor({}, dims=["k"])._repr_html_()) == [["k"]]
    assert rows(tenrex.Tensor(2)._repr_html_()) == [[""], ["2"]]
    assert "<b>tensor(k{},x[1])</b>" in tenrex.Tensor({"a": [1]}, dims=["k", "x"])._repr_html_()


def test_large_tensors_are_cut():
    text = tenrex.Tensor(np.zeros((50, 50)), dims=["x", "y"])._repr_html_()
    assert len(rows(text)) == 21 and len(rows(text)[1]) == 14 and text.endswith("30 more")
    assert tenrex.Tensor({i: i for i in range(30)}, dims=["k"])._repr_html_().endswith("10 more")


def test_plans_show_their_steps():
    text = PLAN._repr_html_()
    found = [row[1] for row in rows(text) if row[0] != ""]
    assert found == [step.what + step.text for stage in ("constant", "query", "document") for step in PLAN.steps(stage)]
    assert any(step.text for step in PLAN.steps())
    widths = [float(width) for width in re.findall(r"width:([0-9.]+)%", text)]
    assert max(widths) == 100 and len(widths) == len(found)


def test_measured_steps_have_bars():
    text = PLAN.bind(q=np.ones(4)).profile(d=np.ones((9, 4), np.float32), price=1)._repr_html_()
    assert [row[1] for row in rows(text)[1:]] == [step.what + step.text for step in PLAN.steps()]
    assert "9 documents" in text and "ns per document" in text


def test_graphs_are_drawings():
    drawing = xml.fromstring(PLAN.graph()._repr_svg_())
    space = "{http://www.w3.org/2000/svg}"
    boxes = drawing.findall(f".//{space}rect")
    assert len(boxes) == PLAN.graph().dot.count("[label=") > 3
    assert len(drawing.findall(f".//{space}path")) == PLAN.graph().dot.count("->")
    places = [tuple(float(box.get(key)) for key in ("x", "y", "width", "height")) for box in boxes]
    width, height = float(drawing.get("width")), float(drawing.get("height"))
    for i, (x, y, w, h) in enumerate(places):
        assert 0 <= x and x + w <= width and 0 <= y and y + h <= height
        for a, b, c, d in places[:i]:
            assert x + w <= a or a + c <= x or y + h <= b or b + d <= y  # no two boxes overlap


def test_stages_have_colours():
    plan = tenrex.compile("sum(w * q) + sum(map(q, f(a)(a * a))) * price", query={"q": "tensor<float>(x[4])"}, document=["price"],
                          constants={"w": tenrex.Tensor(np.arange(4, dtype=np.float32), dims=["x"])})
    of_graph = set(re.findall(r"fillcolor=(\w+)", plan.graph().dot))
    of_drawing = re.findall(r'fill="(#[^"]+)" stroke', plan.graph().svg())
    assert len(of_graph) >= 2 and len(set(of_drawing)) == len(of_graph) and "#ffffff" not in of_drawing


def test_operands_stand_above():
    drawing = svg_of_dot('digraph g {\n n0 [label="a\\"<" fillcolor=red]\n n1 [label="b" fillcolor=blue]\n n0 -> n1\n}')
    boxes = xml.fromstring(drawing).findall(".//{http://www.w3.org/2000/svg}rect")
    assert float(boxes[0].get("y")) + float(boxes[0].get("height")) < float(boxes[1].get("y"))
    assert "a&quot;&lt;" in drawing


@pytest.mark.parametrize("expression", ["1 + 2", "price"])
def test_small_graphs(expression):
    xml.fromstring(tenrex.compile(expression, document=["price"]).graph().svg())
