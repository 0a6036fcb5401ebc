"""How good a ranking is: NDCG, MAP, MRR, recall and precision.

A query is two arrays: how relevant its documents are, and what they scored. Many queries are arrays with ``groups``, the
number of the query of each document, or two dicts as the files of TREC hold them (``evaluate``).

>>> from tenrex import metrics
>>> relevance, scores = [3, 0, 2, 0], [0.9, 0.8, 0.7, 0.1]
>>> round(metrics.ndcg(relevance, scores), 4)
0.9386
>>> metrics.average_precision(relevance, scores)
0.8333333333333333
>>> metrics.reciprocal_rank(relevance, scores), metrics.recall(relevance, scores, k=2)
(1.0, 0.5)

Documents with equal scores keep their order, and a score that is no number ranks last. A document is relevant if its relevance is above 0. A query
without relevant documents has the value 0.
"""

from __future__ import annotations

import os
import re
from typing import Any, Callable, Iterable, Mapping

import numpy as np

from tenrex._error import Error

__all__ = ["average_precision", "evaluate", "ndcg", "per_group", "precision", "read_qrels", "read_run", "recall",
           "reciprocal_rank"]


def _ranked(relevance: Any, scores: Any) -> np.ndarray:
    """The relevance of the documents, best score first."""
    gains, keys = np.asarray(relevance, float), np.asarray(scores, float)
    if gains.ndim != 1 or gains.shape != keys.shape:
        raise Error(f"relevance has the shape {gains.shape}, scores have {keys.shape}", "one number for each document")
    if np.isnan(gains).any():
        raise Error("relevance has numbers that are NaN")
    keys = np.where(np.isnan(keys), -np.inf, keys)
    return gains[np.argsort(-keys, kind="stable")]


def _cut(k: int | None, count: int) -> int:
    if k is not None and (isinstance(k, bool) or k != int(k) or k < 1):
        raise Error(f"k is {k}", "k is a whole number from 1 on, or None for all documents")
    return count if k is None else min(int(k), count)


def _discounted(gains: np.ndarray, k: int | None) -> float:
    best = gains[:_cut(k, len(gains))]
    return float((best / np.log2(np.arange(2, len(best) + 2))).sum())


def _tied(gains: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """The mean gain of the documents that score the same, for each of them, best score first."""
    order = np.argsort(-keys, kind="stable")
    _, group, counts = np.unique(-keys[order], return_inverse=True, return_counts=True)
    sums = np.zeros(len(counts))
    np.add.at(sums, group, gains[order])
    return (sums / counts)[group]


def ndcg(relevance: Any, scores: Any, k: int | None = None, *, gain: str = "linear", ties: str = "order") -> float:
    """Normalized discounted cumulative gain of the best ``k`` documents, with the discount 1 / log2(1 + rank).

    gain
        "linear": the relevance; "exponential": 2 ** relevance - 1. A relevance below 0 is worth as little as 0.
    ties
        "order": documents with equal scores keep their order; "average": the mean over all their orders.
    """
    if gain not in ("linear", "exponential") or ties not in ("order", "average"):
        raise Error(f"gain is {gain!r} and ties are {ties!r}", "gain: linear or exponential; ties: order or average")
    ranked = _ranked(relevance, scores)
    as_gain: Callable[[np.ndarray], np.ndarray] = (
        lambda r: np.maximum(r, 0)) if gain == "linear" else (lambda r: np.exp2(np.maximum(r, 0)) - 1)
    best = _discounted(as_gain(np.sort(ranked)[::-1]), k)
    if best == 0:
        return 0.0
    if ties == "average":
        keys = np.asarray(scores, float)
        keys = np.where(np.isnan(keys), -np.inf, keys)
        return _discounted(_tied(as_gain(np.asarray(relevance, float)), keys), k) / best
    return _discounted(as_gain(ranked), k) / best


def average_precision(relevance: Any, scores: Any, k: int | None = None) -> float:
    """The mean, over all relevant documents, of the precision at their ranks; MAP is the mean over queries."""
    hits = _ranked(relevance, scores) > 0
    found = hits[:_cut(k, len(hits))]
    precisions = np.cumsum(found) / np.arange(1, len(found) + 1)
    return float((precisions * found).sum() / hits.sum()) if hits.any() else 0.0


def reciprocal_rank(relevance: Any, scores: Any, k: int | None = None) -> float:
    """1 / the rank of the first relevant document; MRR is the mean over queries."""
    hits = _ranked(relevance, scores) > 0
    at = np.flatnonzero(hits[:_cut(k, len(hits))])
    return 1.0 / (int(at[0]) + 1) if at.size else 0.0


def recall(relevance: Any, scores: Any, k: int | None = None) -> float:
    """The share of all relevant documents that is among the best ``k``."""
    hits = _ranked(relevance, scores) > 0
    return float(hits[:_cut(k, len(hits))].sum() / hits.sum()) if hits.any() else 0.0


def precision(relevance: Any, scores: Any, k: int | None = None) -> float:
    """The share of the best ``k`` that is relevant."""
    hits = _ranked(relevance, scores) > 0
    return float(hits[:_cut(k, len(hits))].sum() / (len(hits) if k is None else k)) if len(hits) else 0.0


def per_group(metric: Callable[..., float], relevance: Any, scores: Any, groups: Any, **options: Any) -> np.ndarray:
    """The metric of each query: ``groups`` has the number of its query for each document. In the order of the numbers.

    >>> from tenrex import metrics
    >>> metrics.per_group(metrics.reciprocal_rank, [1, 0, 0, 1], [2, 1, 2, 1], groups=[7, 7, 8, 8])
    array([1. , 0.5])
    """
    gains, keys, numbers = np.asarray(relevance, float), np.asarray(scores, float), np.asarray(groups)
    if gains.shape != numbers.shape or keys.shape != numbers.shape:
        raise Error(f"relevance, scores and groups have the shapes {gains.shape}, {keys.shape} and {numbers.shape}")
    return np.array([metric(gains[numbers == number], keys[numbers == number], **options)
                     for number in np.unique(numbers)])


_METRICS: dict[str, Callable[..., float]] = {"ndcg": ndcg, "map": average_precision, "mrr": reciprocal_rank,
                                             "recall": recall, "precision": precision}


def _parsed(name: str) -> tuple[Callable[..., float], int | None]:
    match = re.fullmatch(r"(\w+?)(?:@(\d+))?", name)
    if match is None or match.group(1) not in _METRICS:
        raise Error(f"there is no metric '{name}'", f"the metrics are {', '.join(_METRICS)}, perhaps with @10 behind")
    return _METRICS[match.group(1)], int(match.group(2)) if match.group(2) else None


def _one(metric: Callable[..., float], k: int | None, judged: Mapping[str, float], found: Mapping[str, float]) -> float:
    # Documents that were not found come last: they count as relevant ones that are missing.
    missing = [document for document, relevance in judged.items() if document not in found and relevance > 0]
    count = len(found)
    relevance = [max(judged.get(document, 0), 0) for document in found] + [judged[document] for document in missing]
    scores = [*found.values(), *([-np.inf] * len(missing))]
    if not found:
        return 0.0
    if metric is precision:
        return precision(relevance[:count], scores[:count], k)
    if metric is ndcg:
        # A document that was not found has no rank.
        best = _discounted(np.sort(np.asarray(relevance, float))[::-1], k)
        return _discounted(_ranked(relevance[:count], scores[:count]), k) / best if best else 0.0
    at = count if k is None else min(k, count)
    ranked = np.concatenate([_ranked(relevance[:count], scores[:count]), np.asarray(relevance[count:], float)])
    return metric(ranked, -np.arange(len(ranked)), at)


def evaluate(qrels: Mapping[str, Mapping[str, float]], run: Mapping[str, Mapping[str, float]],
             names: Iterable[str] = ("ndcg@10", "map", "mrr", "recall@100")) -> dict[str, float]:
    """Means over all queries of ``qrels``; a query that ``run`` lacks counts as 0.

    qrels
        For each query the relevance of documents.
    run
        For each query the scores of the documents that were found.

    >>> from tenrex import metrics
    >>> metrics.evaluate({"q1": {"a": 1, "b": 1}}, {"q1": {"x": 3.0, "a": 2.0}}, ["mrr", "recall"])
    {'mrr': 0.5, 'recall': 0.5}
    """
    parsed = {name: _parsed(name) for name in names}
    if not qrels:
        raise Error("there are no queries in qrels")
    return {name: float(np.mean([_one(metric, k, judged, run.get(query, {})) for query, judged in qrels.items()]))
            for name, (metric, k) in parsed.items()}


def _rows(path: str | os.PathLike[str], columns: int, layout: str) -> Iterable[list[str]]:
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            fields = line.split()
            if not fields:
                continue
            if len(fields) != columns:
                raise Error(f"{path}:{number}: {len(fields)} fields, {columns} are needed", layout)
            yield fields


def _number(text: str, path: str | os.PathLike[str]) -> float:
    try:
        return float(text)
    except ValueError:
        raise Error(f"{path}: '{text}' is no number") from None


def _add(found: dict[str, dict[str, float]], query: str, document: str, number: float,
         path: str | os.PathLike[str]) -> None:
    documents = found.setdefault(query, {})
    if document in documents:
        raise Error(f"{path}: document '{document}' is there twice for query '{query}'",
                    "a query has one line for each document")
    documents[document] = number


def read_qrels(path: str | os.PathLike[str]) -> dict[str, dict[str, float]]:
    """Reads judgements of TREC: lines of query, 0, document, relevance."""
    found: dict[str, dict[str, float]] = {}
    for query, _, document, relevance in _rows(path, 4, "query 0 document relevance"):
        _add(found, query, document, _number(relevance, path), path)
    return found


def read_run(path: str | os.PathLike[str]) -> dict[str, dict[str, float]]:
    """Reads a run of TREC: lines of query, Q0, document, rank, score, name. ``tenrex rank --format trec`` writes them."""
    found: dict[str, dict[str, float]] = {}
    for query, _, document, _, score, _ in _rows(path, 6, "query Q0 document rank score name"):
        _add(found, query, document, _number(score, path), path)
    return found
