#!/usr/bin/env python3
"""Works out the rankings that the profiles in this folder must give, in plain Python without Tenrex.

usage: work_out.py [--check]

Writes <profile>.jsonl, the documents, and <case>.json, what is asked and what comes out of it. --check compares only.
"""

import json
import math
import pathlib
import random
import sys

FOLDER = pathlib.Path(__file__).parent
NOW = 1_700_000_000


def score_order(hit):
    document, score = hit
    return (-math.inf if math.isnan(score) else score) * -1, document


def rerank(hits, count, score):
    """Scores the first hits again and moves the others below them."""
    first, rest = hits[:count], hits[count:]
    new = [(document, score(document, old)) for document, old in first]
    old_finite = [old for _, old in first if math.isfinite(old)]
    new_finite = [value for _, value in new if math.isfinite(value)]
    if old_finite and new_finite and min(old_finite) > min(new_finite):
        scale = max(1, max(new_finite) - min(new_finite)) / max(1, max(old_finite) - min(old_finite))
        rest = [(document, (old - min(old_finite)) * scale + min(new_finite)) for document, old in rest]
    # A stable sort: of equal scores, those that are new come first, and the others keep their order.
    return sorted(sorted(new, key=score_order) + rest, key=lambda hit: score_order(hit)[0])


def reciprocal_ranks(values, k):
    order = sorted(range(len(values)), key=lambda i: -values[i])
    ranks = [0.0] * len(values)
    for place, i in enumerate(order):
        ranks[i] = 1 / (k + place + 1)
    return ranks


def linear(values):
    low, high = min(values), max(values)
    return [(value - low) / (high - low) for value in values]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


# ---- music

def music_documents():
    source = random.Random(1)
    documents = []
    for _ in range(20):
        documents.append({
            "title": "any",
            "price": source.randint(4, 160) / 4,
            "genre": source.choice(["rock", "jazz", "pop"]),
            "released": NOW - source.randint(0, 40_000_000),
            "charts": [source.randint(1, 40) for _ in range(source.randint(0, 3))],
            "tags": {tag: source.randint(1, 9) for tag in source.sample(["live", "new", "old"], source.randint(0, 3))},
        })
    return documents


def cheap(document, budget=20.0, boost=0.5):
    affordable = 1 / (1 + math.exp(-(budget - document["price"]) * 0.25))
    return affordable + (boost if document["genre"] == "rock" else 0)


def fresh(document, first):
    age = NOW - document["released"]
    most, half = 31536000, 2592000
    plain = max(0, 1 - age / most)
    s = half * half / (most - 2 * half)
    log_scale = 0 if age > most else (math.log(most + s) - math.log(age + s)) / (math.log(most + s) - math.log(s))
    live = document["tags"].get("live", 0)
    charts = document["charts"]
    return (2 * first + plain + log_scale + math.log(1 + live) - 0.1 * (charts[0] if charts else 0)
            + 0.01 * len(charts) * ("live" in document["tags"]))


def first_phase(documents, score, drop=None):
    hits = [(i, score(document)) for i, document in enumerate(documents)]
    return sorted((hit for hit in hits if drop is None or hit[1] > drop), key=score_order)


def music_cases(documents):
    hits = first_phase(documents, cheap, 0.1)
    yield "music_cheap", "cheap", {}, hits
    yield "music_fresh", "fresh", {}, rerank(hits, 8, lambda i, old: fresh(documents[i], old))
    asked = first_phase(documents, lambda d: cheap(d, 10, 0.25), 0.1)
    yield ("music_fresh_asked", "fresh", {"query(budget)": "10", "query(genre_boost)": "0.25"},
           rerank(asked, 8, lambda i, old: fresh(documents[i], old)))


# ---- hybrid

def eighths(source, count):
    """Numbers that are exact as floats."""
    return [source.randint(-16, 16) / 8 for _ in range(count)]


def hybrid_documents():
    source = random.Random(2)
    documents = []
    for _ in range(24):
        documents.append({
            "body": "any",
            "vector": eighths(source, 2) + [1.5],
            "colbert": {str(p): eighths(source, 3) for p in range(source.randint(1, 4))},
            "topics": source.sample(["art", "law", "sea", "sun"], source.randint(0, 3)),
            "features": {"bm25(body)": source.randint(0, 4000) / 256},
        })
    return documents


HYBRID_QUERY = {
    "query(q)": "[1,0.5,-0.25]",
    "query(qt)": "{a:[1,0,0.5],b:[-0.5,1,0.25]}",
    "query(topics)": "{sea:2,art:0.5}",
}


def hybrid_cases(documents):
    def text(d):
        return d["features"]["bm25(body)"]

    def closeness(d):
        q, v = [1, 0.5, -0.25], d["vector"]
        return 1 / (1 + math.acos(dot(q, v) / math.sqrt(dot(q, q) * dot(v, v))))

    def max_sim(d):
        return sum(max(dot(q, p) for p in d["colbert"].values()) for q in ([1, 0, 0.5], [-0.5, 1, 0.25]))

    def topical(d):
        return sum({"sea": 2, "art": 0.5}.get(topic, 0) for topic in d["topics"])

    hits = first_phase(documents, text)
    yield "hybrid_text", "text", HYBRID_QUERY, hits
    hits = first_phase(documents, lambda d: text(d) + closeness(d))
    best = [documents[i] for i, _ in hits[:12]]
    fused = [sum(ranks) for ranks in zip(*(reciprocal_ranks([f(d) for d in best], 60)
                                           for f in (text, max_sim, closeness)))]
    new = {hits[i][0]: fused[i] + 0.01 * topical(best[i]) for i in range(12)}
    yield "hybrid_fused", "fused", HYBRID_QUERY, rerank(hits, 12, lambda i, _: new[i])
    parts = zip(linear([text(d) for d in best]), linear([max_sim(d) for d in best]),
                reciprocal_ranks([topical(d) for d in best], 1), (score for _, score in hits))
    normalized = [t + 2 * m + r + 0.001 * first for t, m, r, first in parts]
    new = {hits[i][0]: normalized[i] for i in range(12)}
    yield "hybrid_normalized", "normalized", HYBRID_QUERY, rerank(hits, 12, lambda i, _: new[i])


# ---- network

W0 = [[0.5, -0.25, 0.125], [0.75, 0.5, -0.5], [-0.125, 0.25, 1], [0.5, 0.5, 0.5]]  # x, then h
W1 = [0.5, -1, 0.25]
B0 = [0.1, -0.2, 0.3]


def network_documents():
    source = random.Random(3)
    documents = []
    for number in range(16):
        document = {"a": source.randint(-8, 8) / 4, "b": source.randint(-8, 8) / 4}
        if number % 3:
            document["c"] = 1.0
        documents.append(document)
    return documents


def network_cases(documents):
    def features(d, user):
        return [f * u for f, u in zip([d["a"], d["b"], d["a"] * d["b"], 0 if "c" in d else 1], user)]

    def output(d, user, unit):
        x = features(d, user)
        hidden = [unit(sum(x[i] * W0[i][h] for i in range(4)) + B0[h]) for h in range(3)]
        return dot(hidden, W1) + 0.05

    for name, user in (("network", [1, 0.5, 0.25, 1]), ("network_asked", [-1, 1, 0.5, 2])):
        query = {} if name == "network" else {"query(user)": "[-1,1,0.5,2]"}
        hits = first_phase(documents, lambda d: sum(features(d, user)))
        ranked = rerank(hits, 6, lambda i, _: math.tanh(output(documents[i], user, lambda v: max(v, 0))))
        reranked = {i for i, _ in hits[:6]}
        yield name, "network", query, [hit for hit in ranked if hit[0] not in reranked or hit[1] > -0.9]
        if name == "network":
            ranked = rerank(hits, 6, lambda i, _: output(documents[i], user, lambda v: v))
            yield "network_linear", "linear", query, [hit for hit in ranked if hit[0] not in reranked or hit[1] > -0.9]


# ---- rescaled

def rescaled_documents():
    a = [5, 9, 9, None, 7, 1, 8, 7, 30, -2]
    b = [0, 2, -6, 4, 1, 3, None, 2, 2, 8]
    return [{key: value for key, value in (("a", x), ("b", y)) if value is not None} for x, y in zip(a, b)]


def rescaled_cases(documents):
    hits = first_phase(documents, lambda d: d.get("a", math.nan))
    hits = rerank(hits, 4, lambda i, _: documents[i].get("b", math.nan))
    yield "rescaled", "rescaled", {}, rerank(hits, 2, lambda _, second: second / 4)


def written():
    """Every file with its content."""
    files = {
        "network_w0.json": json.dumps({"cells": [{"address": {"x": str(x), "h": str(h)}, "value": W0[x][h]}
                                                 for x in range(4) for h in range(3)]}) + "\n",
        "network_w1.json": json.dumps({"values": W1}) + "\n",
    }
    for name, documents, cases in (("music", music_documents(), music_cases), ("hybrid", hybrid_documents(), hybrid_cases),
                                   ("network", network_documents(), network_cases),
                                   ("rescaled", rescaled_documents(), rescaled_cases)):
        files[name + ".jsonl"] = "".join(json.dumps(document) + "\n" for document in documents)
        for case, profile, query, hits in cases(documents):
            hits = [[document, "nan" if math.isnan(score) else score] for document, score in hits]
            lines = ",\n    ".join(json.dumps(hit) for hit in hits)
            files[case + ".json"] = ('{\n  "file": "%s.profile",\n  "profile": "%s",\n  "documents": "%s.jsonl",\n'
                                     '  "now": %d,\n  "query": %s,\n  "hits": [\n    %s\n  ]\n}\n'
                                     % (name, profile, name, NOW, json.dumps(query), lines))
    return files


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    different = []
    for name, content in written().items():
        path = FOLDER / name
        if arguments and (not path.exists() or path.read_text() != content):
            different.append(name)
        elif not arguments:
            path.write_text(content)
    if different:
        sys.exit("differ: " + ", ".join(different))


if __name__ == "__main__":
    main(sys.argv[1:])
