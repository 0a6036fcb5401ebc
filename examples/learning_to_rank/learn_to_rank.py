#!/usr/bin/env python3
"""From data to NDCG: trains a ranker with LightGBM, ranks with `tenrex rank`, and compares the two.

  learn_to_rank.py --tenrex build/release/tools/tenrex [--data FOLDER] [--folder FOLDER]

The data are those of FOLDER in LibSVM's form with the sizes of queries beside them: rank.train, rank.train.query, rank.test,
rank.test.query, each maybe packed as .xz and with a prefix such as "lambdarank."; without --data, data are generated. What is
made stands in the other FOLDER (by default a temporary one): the model, a rank profile, documents, queries and the run.
"""

import argparse
import glob
import json
import lzma
import math
import os
import subprocess
import sys
import tempfile

import lightgbm
import numpy

DEPTHS = (1, 5, 10)


def read_lines(folder, name):
    paths = [p for p in glob.glob(os.path.join(folder, "*")) if os.path.basename(p).removesuffix(".xz").endswith(name)]
    if len(paths) != 1:
        sys.exit(f"{folder} has {len(paths)} files named {name}, not one")
    opened = lzma.open(paths[0], "rt") if paths[0].endswith(".xz") else open(paths[0], encoding="utf-8")
    with opened as file:
        return file.read().splitlines()


def read_part(folder, part):
    """(features, labels, sizes of the queries); what a line leaves out is 0."""
    rows, labels = [], []
    for line in read_lines(folder, f"rank.{part}"):
        cells = line.split()
        labels.append(int(float(cells[0])))
        rows.append({int(k): float(v) for k, v in (cell.split(":") for cell in cells[1:])})
    width = 1 + max(max(row, default=0) for row in rows)
    x = numpy.zeros((len(rows), width))
    for i, row in enumerate(rows):
        x[i, list(row)] = list(row.values())
    return x, numpy.array(labels), [int(n) for n in read_lines(folder, f"rank.{part}.query")]


def generated_part(queries, seed):
    """Documents whose relevance follows from a few of their 20 features, with missing values."""
    random = numpy.random.default_rng(seed)
    sizes = [int(n) for n in random.integers(5, 25, queries)]
    x = numpy.round(random.random((sum(sizes), 20)), 2)
    x[random.random(x.shape) < 0.05] = numpy.nan
    hidden = numpy.nan_to_num(x[:, 0]) * 2 + numpy.nan_to_num(x[:, 1]) * numpy.nan_to_num(x[:, 2]) - numpy.nan_to_num(x[:, 3])
    hidden += random.normal(size=len(x)) * 0.3
    return x, numpy.digitize(hidden, numpy.quantile(hidden, [0.5, 0.75, 0.9])), sizes


def widened(x, width):
    return numpy.hstack([x, numpy.zeros((len(x), max(0, width - x.shape[1])))])[:, :width]


def ndcg(ranked, labels, depth):
    """Of the labels in the order of a ranking, and of all documents of the query."""
    def gain(listed):
        return sum((2 ** label - 1) / math.log2(i + 2) for i, label in enumerate(listed[:depth]))

    ideal = gain(sorted(labels, reverse=True))
    return gain(ranked) / ideal if ideal else 1.0


def write_inputs(folder, x, sizes, used, names):
    with open(os.path.join(folder, "documents.jsonl"), "w", encoding="utf-8") as file:
        number = 0
        for query, size in enumerate(sizes):
            for _ in range(size):
                fields = {names[i]: x[number, i] for i in used if not math.isnan(x[number, i])}
                file.write(json.dumps({"id": str(number), "fields": {"query": query, **fields}}) + "\n")
                number += 1
    with open(os.path.join(folder, "queries.jsonl"), "w", encoding="utf-8") as file:
        for query in range(len(sizes)):
            file.write(json.dumps({"id": str(query), "query(query)": query}) + "\n")
    with open(os.path.join(folder, "learned.profile"), "w", encoding="utf-8") as file:
        # Other queries' documents are no matches: their score falls below the limit.
        file.write("""rank-profile learned {
    inputs { query(query) double }
    first-phase {
        rank-score-drop-limit: -1e300
        expression: if(attribute(query) == query(query), lightgbm("model.txt"), -1e301)
    }
}
""")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tenrex", default="tenrex", help="the program")
    parser.add_argument("--data", help="a folder with rank.train and the others")
    parser.add_argument("--folder", help="where files are written")
    parser.add_argument("--trees", type=int, default=100)
    options = parser.parse_args()
    if options.data:
        train, test = read_part(options.data, "train"), read_part(options.data, "test")
    else:
        train, test = generated_part(200, 1), generated_part(50, 2)
    width = max(train[0].shape[1], test[0].shape[1])
    names = [f"f{i}" for i in range(width)]
    dataset = lightgbm.Dataset(widened(train[0], width), train[1], group=train[2], feature_name=names,
                               params={"verbosity": -1})
    booster = lightgbm.train({"objective": "lambdarank", "num_leaves": 31, "learning_rate": 0.05, "verbosity": -1,
                              "num_threads": 1, "deterministic": True, "seed": 1}, dataset, options.trees)
    x, labels, sizes = widened(test[0], width), test[1], test[2]

    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or temporary
        os.makedirs(folder, exist_ok=True)
        booster.save_model(os.path.join(folder, "model.txt"))
        used = [i for i, splits in enumerate(booster.feature_importance()) if splits]
        write_inputs(folder, x, sizes, used, names)
        run = subprocess.run([options.tenrex, "rank", os.path.join(folder, "learned.profile"),
                              os.path.join(folder, "documents.jsonl"), "--queries", os.path.join(folder, "queries.jsonl"),
                              "--hits", str(max(sizes)), "--format", "trec"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout

    ours = {}
    for line in run.splitlines():
        query, _, document, _, score, _ = line.split()
        ours.setdefault(int(query), []).append((int(document), float(score)))
    theirs = booster.predict(x, num_threads=1)
    first = 0
    figures = {(who, depth): [] for who in ("LightGBM", "tenrex") for depth in DEPTHS}
    for query, size in enumerate(sizes):
        documents = range(first, first + size)
        trainer = sorted(documents, key=lambda d: -theirs[d])  # ties stay in their order
        # Equal scores are in the order of the documents here, too.
        ranked = [d for d, _ in sorted(ours.get(query, []), key=lambda hit: (-hit[1], hit[0]))]
        for depth in DEPTHS:
            figures["LightGBM", depth].append(ndcg([labels[d] for d in trainer], labels[first:first + size], depth))
            figures["tenrex", depth].append(ndcg([labels[d] for d in ranked], labels[first:first + size], depth))
        first += size
    wrong = 0
    for depth in DEPTHS:
        trainer, ranker = (sum(figures[who, depth]) / len(sizes) for who in ("LightGBM", "tenrex"))
        wrong += trainer != ranker
        print(f"NDCG@{depth:<3} LightGBM {trainer:.6f}   tenrex {ranker:.6f}")
    missing = len(x) - sum(len(hits) for hits in ours.values())
    different = missing + sum(score != theirs[d] for hits in ours.values() for d, score in hits)
    print(f"{len(x)} documents of {len(sizes)} queries, {len(booster.dump_model()['tree_info'])} trees, "
          f"{different} scores differ")
    return 1 if wrong or different else 0


if __name__ == "__main__":
    sys.exit(main())
