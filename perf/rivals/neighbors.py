#!/usr/bin/env python3
"""Times nearest neighbours among vectors, with Tenrex, hnswlib and faiss; an object a line.

    make perf-rivals                          installs them in build/rivals, a virtual environment
    build/rivals/bin/python perf/rivals/neighbors.py --benchmark build/release/perf/rivals/neighbors_benchmark

The vectors are made: points spread around 1,000 centres in a space of 48 dimensions, as wide as these are apart, bent by a
random layer of tanh into one of 384, with a tenth of noise, of length 1: texts that a model has embedded have such inner
dimensions and such cosines, about 0.65 to the nearest and 0 to most. Queries are made the same way. All graphs have the same parameters; one thread, time of the processor, queries one by one; the recall is
the share of the ten exactly nearest among the ten that were found. Exit status: 1 if the exactly nearest are not those of numpy.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

try:
    import hnswlib
except ImportError:
    hnswlib = None
try:
    import faiss
except ImportError:
    faiss = None

WANTED = 10
ROUNDS = 7


def make_shape(dimensions, random, centres=1000, inner=48, bends=128):
    return (random.standard_normal((centres, inner)), random.standard_normal((inner, bends)) / (2 * inner) ** 0.5,
            random.standard_normal((bends, dimensions)))


def make_vectors(count, shape, random):
    centres, bend, spread = shape
    inner = centres[random.integers(0, len(centres), count)] + random.standard_normal((count, centres.shape[1]))
    vectors = numpy.tanh(inner @ bend) @ spread
    vectors += 0.1 * numpy.std(vectors) * random.standard_normal(vectors.shape)
    vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
    return numpy.ascontiguousarray(vectors, dtype=numpy.float32)


def exact(vectors, queries):
    found = []
    for first in range(0, len(queries), 64):
        products = queries[first:first + 64] @ vectors.T
        found.append(numpy.argpartition(-products, WANTED, axis=1)[:, :WANTED])
    return numpy.concatenate(found)


def recall(found, truth):
    return sum(len(set(a) & set(b)) for a, b in zip(found.tolist(), truth.tolist())) / truth.size


def measure(engine, build, explored, truth, queries):
    """A line for the time to build, and one for each number of nodes explored."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    set_explored, search = build()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    print(json.dumps({"engine": engine, "build_s": round(time.process_time() - start, 1), "bytes": grown}), flush=True)
    for number in explored:
        set_explored(number)
        found = search(queries)
        times = []
        for _ in range(ROUNDS):
            start = time.process_time()
            search(queries)
            times.append(time.process_time() - start)
        print(json.dumps({"engine": engine, "cells": "float32", "explored": number,
                          "queries_per_second": round(len(queries) / statistics.median(times)),
                          "recall": round(recall(found, truth), 4)}), flush=True)


def build_hnswlib(vectors, links, construction):
    def build():
        index = hnswlib.Index(space="ip", dim=vectors.shape[1])
        index.init_index(max_elements=len(vectors), M=links, ef_construction=construction, random_seed=1)
        index.set_num_threads(1)
        index.add_items(vectors, num_threads=1)
        return index.set_ef, lambda queries: index.knn_query(queries, k=WANTED, num_threads=1)[0].astype(numpy.int64)
    return build


def build_faiss(vectors, links, construction):
    def build():
        faiss.omp_set_num_threads(1)
        index = faiss.IndexHNSWFlat(vectors.shape[1], links, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = construction
        index.add(vectors)

        def set_explored(number):
            index.hnsw.efSearch = number
        return set_explored, lambda queries: index.search(queries, WANTED)[1]
    return build


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmark", type=pathlib.Path, required=True, help="the program neighbors_benchmark")
    parser.add_argument("--vectors", type=int, default=100000)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--links", type=int, default=16)
    parser.add_argument("--construction", type=int, default=200)
    parser.add_argument("--explored", type=int, nargs="+", default=[20, 40, 80, 160])
    parser.add_argument("--runs", nargs="*", default=["int8:40", "int8:80", "bits:80:40", "bits:160:60", "bits:320:80"],
                        help="more runs of Tenrex, CELLS:EXPLORED[:RESCORED]")
    arguments = parser.parse_args()
    random = numpy.random.default_rng(1)
    shape = make_shape(arguments.dimensions, random)
    vectors = make_vectors(arguments.vectors, shape, random)
    queries = make_vectors(arguments.queries, shape, random)
    truth = exact(vectors, queries)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        vectors.tofile(folder / "vectors")
        queries.tofile(folder / "queries")
        runs = [f"float32:{number}" for number in arguments.explored] + arguments.runs
        command = [arguments.benchmark, folder / "vectors", folder / "queries", arguments.dimensions, arguments.links,
                   arguments.construction, *runs]
        status = subprocess.run([str(part) for part in command], check=False).returncode
    if hnswlib is not None:
        measure("hnswlib", build_hnswlib(vectors, arguments.links, arguments.construction), arguments.explored, truth,
                queries)
    if faiss is not None:
        measure("faiss", build_faiss(vectors, arguments.links, arguments.construction), arguments.explored, truth, queries)
    sys.exit(status)


if __name__ == "__main__":
    main()
