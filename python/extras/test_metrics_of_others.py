"""tenrex.metrics beside scikit-learn and ranx, on random rankings."""

import numpy as np
import pytest
from tenrex import metrics


@pytest.mark.parametrize("seed", range(30))
def test_scikit_learn(seed):
    sklearn = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 40))
    relevance = random.integers(0, 4, count).astype(float)
    scores = random.integers(0, 10, count).astype(float) if seed % 2 else random.permutation(count).astype(float)
    for k in (None, 1, 3, 10, 100):
        expected = sklearn.ndcg_score([relevance], [scores], k=k)
        assert metrics.ndcg(relevance, scores, k, ties="average") == pytest.approx(expected, rel=1e-12)
        if not seed % 2:
            expected = sklearn.ndcg_score([relevance], [scores], k=k, ignore_ties=True)
            assert metrics.ndcg(relevance, scores, k) == pytest.approx(expected, rel=1e-12)
    if not seed % 2 and relevance.any():
        expected = sklearn.average_precision_score(relevance > 0, scores)
        assert metrics.average_precision(relevance, scores) == pytest.approx(expected, rel=1e-12)


def test_ranx():
    ranx = pytest.importorskip("ranx")
    random = np.random.default_rng(1)
    qrels, run = {}, {}
    for query in range(30):
        documents = [f"d{i}" for i in random.permutation(60)]
        judged = {document: int(random.integers(0, 4)) for document in documents[:15]}
        judged[documents[0]] = 1
        found = random.permutation(documents)[:25]
        qrels[f"q{query}"] = judged
        run[f"q{query}"] = {document: float(score) for document, score in zip(found, random.permutation(100))}
    names = ["ndcg@10", "ndcg", "map", "map@5", "mrr", "mrr@3", "recall@10", "precision@10"]
    found = metrics.evaluate(qrels, run, names)
    expected = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), names)
    for name in names:
        assert found[name] == pytest.approx(expected[name], rel=1e-9), name
