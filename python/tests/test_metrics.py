"""Metrics against values worked out by hand."""

import pathlib
import sys
from math import log2

import numpy as np
import pytest
import tenrex
from tenrex import metrics

sys.path.append(str(pathlib.Path(__file__).parents[2] / "tests" / "tools"))
import judged_run  # noqa: E402


def test_ndcg_by_hand():
    # Ranked: 3, 0, 2; the best order is 3, 2, 0.
    expected = (3 + 2 / log2(4)) / (3 + 2 / log2(3))
    assert metrics.ndcg([2, 3, 0], [0.1, 0.9, 0.5]) == pytest.approx(expected, rel=1e-15)
    assert metrics.ndcg([2, 3, 0], [0.1, 0.9, 0.5], 2) == pytest.approx(3 / (3 + 2 / log2(3)), rel=1e-15)
    assert metrics.ndcg([2, 3, 0], [0.1, 0.9, 0.5], gain="exponential") == pytest.approx(
        (7 + 3 / log2(4)) / (7 + 3 / log2(3)), rel=1e-15)


def test_relevance_below_0_gains_nothing():
    for options in ({}, {"gain": "exponential"}, {"ties": "average"}, {"k": 2}):
        assert metrics.ndcg([-2, 1, 0], [3, 2, 1], **options) == metrics.ndcg([0, 1, 0], [3, 2, 1], **options) == pytest.approx(1 / log2(3))
    assert metrics.ndcg([-2, 1], [5, 5], ties="average") == pytest.approx((1 + 1 / log2(3)) / 2)
    assert metrics.ndcg([-2, -1], [2, 1]) == 0


def test_ndcg_of_ties():
    # Two documents with one score: each of them is first in half of the orders.
    assert metrics.ndcg([1, 0], [5, 5]) == 1
    assert metrics.ndcg([0, 1], [5, 5]) == pytest.approx(1 / log2(3))
    for relevance in ([1, 0], [0, 1]):
        assert metrics.ndcg(relevance, [5, 5], ties="average") == pytest.approx((1 + 1 / log2(3)) / 2)


def test_others_by_hand():
    relevance, scores = [0, 1, 0, 2, 1], [5, 4, 3, 2, 1]
    assert metrics.average_precision(relevance, scores) == pytest.approx((1 / 2 + 2 / 4 + 3 / 5) / 3)
    assert metrics.average_precision(relevance, scores, 4) == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert metrics.reciprocal_rank(relevance, scores) == 0.5 and metrics.reciprocal_rank(relevance, scores, 1) == 0
    assert metrics.recall(relevance, scores, 2) == pytest.approx(1 / 3) and metrics.recall(relevance, scores) == 1
    assert metrics.precision(relevance, scores, 2) == 0.5 and metrics.precision(relevance, scores, 10) == 0.3


@pytest.mark.parametrize("metric", [metrics.ndcg, metrics.average_precision, metrics.reciprocal_rank, metrics.recall,
                                    metrics.precision])
def test_edges(metric):
    assert metric([], []) == 0 and metric([0, 0], [1, 2]) == 0
    assert metric([1], [float("nan")]) == 1
    assert metric([0, 1], [float("nan"), -np.inf], 1) in (0, 1)
    for bad in (0, -1, 1.5, True):
        with pytest.raises(tenrex.Error, match="k is"):
            metric([1], [1], bad)
    with pytest.raises(tenrex.Error, match="shape"):
        metric([1, 2], [1])
    with pytest.raises(tenrex.Error, match="NaN"):
        metric([np.nan], [1])


def test_groups():
    found = metrics.per_group(metrics.recall, [1, 0, 1, 1], [1, 2, 3, 4], [5, 5, 2, 2], k=1)
    assert found.tolist() == [0.5, 0.0]
    with pytest.raises(tenrex.Error, match="shapes"):
        metrics.per_group(metrics.recall, [1], [1], [1, 2])


def test_runs():
    qrels = {"q1": {"a": 1, "b": 2, "c": 0}, "q2": {"a": 1}, "q3": {"z": 1}}
    run = {"q1": {"x": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 1.0}, "q4": {"a": 1.0}}
    found = metrics.evaluate(qrels, run, ["ndcg@2", "map", "mrr", "recall@1", "precision@2"])
    assert found["ndcg@2"] == pytest.approx(((2 / log2(3)) / (2 + 1 / log2(3)) + 1) / 3)
    assert found["map"] == pytest.approx((0.5 / 2 + 1) / 3) and found["mrr"] == pytest.approx(1.5 / 3)
    assert found["recall@1"] == pytest.approx(1 / 3) and found["precision@2"] == pytest.approx((0.5 + 0.5) / 3)
    with pytest.raises(tenrex.Error, match="no metric 'err'"):
        metrics.evaluate(qrels, run, ["err"])
    with pytest.raises(tenrex.Error, match="no queries"):
        metrics.evaluate({}, run)


def test_files(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\n\nq1 0 b 0\nq2 0 a 2\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 2.5 t\nq1 Q0 b 2 -1e3 t\n")
    assert metrics.read_qrels(tmp_path / "qrels") == {"q1": {"a": 1, "b": 0}, "q2": {"a": 2}}
    assert metrics.read_run(tmp_path / "run") == {"q1": {"a": 2.5, "b": -1000}}
    with pytest.raises(tenrex.Error, match="run:1: 6 fields, 4 are needed"):
        metrics.read_qrels(tmp_path / "run")
    (tmp_path / "run").write_text("q1 Q0 a 1 x t\n")
    with pytest.raises(tenrex.Error, match="'x' is no number"):
        metrics.read_run(tmp_path / "run")
    (tmp_path / "run").write_text("q1 Q0 a 1 2.5 name\nq1 Q0 a 2 1 name\n")
    with pytest.raises(tenrex.Error, match="document 'a' is there twice for query 'q1'"):
        metrics.read_run(tmp_path / "run")


def test_as_the_program_measures(tmp_path):
    """The program has its own code for the same measures: one run, worked out by hand, serves the tests of both."""
    for name, text in (("a.run", judged_run.RUN), ("a.qrels", judged_run.QRELS)):
        (tmp_path / name).write_text(text)
    qrels, run = metrics.read_qrels(tmp_path / "a.qrels"), metrics.read_run(tmp_path / "a.run")
    found = metrics.evaluate(qrels, run, list(judged_run.MEASURES))
    assert {name: value * len(qrels) for name, value in found.items()} == pytest.approx(judged_run.MEASURES)
