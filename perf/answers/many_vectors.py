#!/usr/bin/env python3
"""Measures an index of very many vectors: how long it takes to build, what it takes of memory, how fast it answers from its file.

  many_vectors.py [--vectors 1000000] [--dimensions 384] [--cells int8] [--keep-floats] [--links 16] [--construction 100]
                  [--explored 40 80 160] [--queries 500] [--threads 2]

It needs numpy and the package tenrex. The vectors are those of perf/rivals/neighbors.py, made some at a time. The index is saved
and mapped. The share of the ten nearest that are found compares with an exact search of the same cells.
Times are those of the clock, and of the processors for building; with `--threads 0` vectors are added one by one. Queries come one by one, on
one thread, and are timed when they come again. `resident_MiB` is what the process has of the file and of its own after them.
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile
import time

import numpy
import tenrex

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../rivals"))

from neighbors import make_shape, make_vectors, recall  # noqa: E402

MADE_AT_ONCE = 50000
WANTED = 10
MIB = 1 << 20


def resident():
    """Bytes of memory that the process has, by their kind."""
    with open("/proc/self/status", encoding="utf-8") as status:
        lines = dict(line.split(":", 1) for line in status)
    return {name: int(lines[name].split()[0]) * 1024 for name in ("RssAnon", "RssFile")}


def build(arguments, shape, random):
    index = tenrex.VectorIndex(arguments.dimensions, metric="angular", cells=arguments.cells, links=arguments.links,
                               keep_floats=arguments.keep_floats, explored_when_added=arguments.construction)
    seconds = processor_seconds = 0
    for first in range(0, arguments.vectors, MADE_AT_ONCE):
        vectors = make_vectors(min(MADE_AT_ONCE, arguments.vectors - first), shape, random)
        start, processor_start = time.perf_counter(), time.process_time()
        if arguments.threads == 0:
            for vector in vectors:
                index.add(vector)
        else:
            index.add(vectors, threads=arguments.threads)
        seconds += time.perf_counter() - start
        processor_seconds += time.process_time() - processor_start
        print(f"{len(index)} vectors in {seconds:.0f} s", file=sys.stderr, flush=True)
    return index, seconds, processor_seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vectors", type=int, default=1000000)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--cells", default="int8", choices=["float32", "bfloat16", "int8", "bits"])
    parser.add_argument("--keep-floats", action="store_true")
    parser.add_argument("--links", type=int, default=16)
    parser.add_argument("--construction", type=int, default=100)
    parser.add_argument("--explored", type=int, nargs="+", default=[40, 80, 160])
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    random = numpy.random.default_rng(1)
    shape = make_shape(arguments.dimensions, random)
    index, seconds, processor_seconds = build(arguments, shape, random)
    print(json.dumps({"vectors": len(index), "cells": arguments.cells, "threads": arguments.threads, "build_s": round(seconds, 1),
                      "build_processor_s": round(processor_seconds, 1), "memory_bytes": index.memory_bytes}), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "index")
        index.save(path)
        index = None
        before = resident()
        start = time.perf_counter()
        index = tenrex.VectorIndex.load(path, map=True)
        print(json.dumps({"file_bytes": path.stat().st_size, "mapped_ms": round((time.perf_counter() - start) * 1e3, 1)}), flush=True)
        queries = make_vectors(arguments.queries, shape, random)
        lines, found = [], []
        for explored in arguments.explored:
            found.append(numpy.array([index.search(query, WANTED, explored=explored)[0] for query in queries]))
            start = time.perf_counter()
            for query in queries:
                index.search(query, WANTED, explored=explored)
            seconds = time.perf_counter() - start
            grown = {name: round((value - before[name]) / MIB) for name, value in resident().items()}
            lines.append({"explored": explored, "queries_per_second": round(len(queries) / seconds), "resident_MiB": grown})
        exact = index.search(queries, WANTED, exact=True)[0]  # last, since it reads all of the file
        for line, each in zip(lines, found):
            print(json.dumps({**line, "recall": round(recall(each, exact), 4)}), flush=True)


if __name__ == "__main__":
    main()
