"""Nearest neighbours: what numpy finds, filters, removal, files, arrays of all kinds, threads."""

import gc
import threading

import numpy as np
import pytest
import tenrex

RANDOM = np.random.default_rng(5)
VECTORS = RANDOM.normal(size=(500, 12)).astype(np.float32)
QUERIES = RANDOM.normal(size=(7, 12)).astype(np.float32)


def index_of(vectors=VECTORS, **options):
    index = tenrex.VectorIndex(vectors.shape[1], **options)
    assert index.add(vectors).tolist() == list(range(len(vectors)))
    return index


def distances_of(metric, queries, vectors):
    q, v = queries.astype(float), vectors.astype(float)
    products = q @ v.T
    if metric == "euclidean":
        return np.sqrt(((q[:, None] - v[None]) ** 2).sum(-1))
    if metric == "dotproduct":
        return -products
    cosines = products / np.linalg.norm(q, axis=1)[:, None] / np.linalg.norm(v, axis=1)
    return np.arccos(cosines) if metric == "angular" else 1 - cosines


@pytest.mark.parametrize("metric", ["euclidean", "angular", "prenormalized-angular", "dotproduct"])
def test_as_numpy_finds(metric):
    vectors, queries = VECTORS, QUERIES
    if metric == "prenormalized-angular":
        vectors, queries = (each / np.linalg.norm(each, axis=1)[:, None] for each in (vectors, queries))
    index = index_of(vectors, metric=metric)
    expected = distances_of(metric, queries, vectors)
    best = np.argsort(expected, axis=1)[:, :10]
    ids, distances = index.search(queries, exact=True)
    assert (ids == best).all() and ids.dtype == np.int64
    assert np.allclose(distances, np.take_along_axis(expected, best, 1), rtol=1e-5, atol=1e-6)
    assert len(index) == index.end_id == 500 and 499 in index and 500 not in index and -1 not in index
    near, _ = index.search(queries, explored=200)
    assert (near == best).mean() > 0.95
    for i, query in enumerate(queries):
        one, far = index.search(query, exact=True)
        assert one.tolist() == ids[i].tolist() and np.allclose(far, distances[i], rtol=1e-6)


@pytest.mark.parametrize("cells", ["float32", "bfloat16", "int8", "bits"])
def test_cells(cells):
    index = index_of(cells=cells)
    assert index.options["cells"] == cells and cells in repr(index)
    found, _ = index.search(QUERIES, explored=500, exact=True)
    best = np.argsort(distances_of("euclidean", QUERIES, VECTORS), axis=1)[:, :10]
    assert (found == best).mean() > (0.95 if cells != "bits" else 0.5)


def test_hamming():
    bits = RANDOM.integers(0, 2, (100, 32))
    index = index_of(np.packbits(bits, axis=1), metric="hamming")
    for query in (np.packbits(bits[3]), np.packbits(bits[3]).view(np.int8), np.packbits(bits[3]).astype(int)):
        ids, distances = index.search(query, 100, exact=True)
        assert ids[0] == 3 and distances.tolist() == sorted((bits != bits[3]).sum(1).tolist())
    with pytest.raises(tenrex.Error, match="compares bytes"):
        index.add(np.full((1, 4), 0.5))
    with pytest.raises(tenrex.Error, match="compares bytes"):
        index.add([[256, 0, 0, 0]])


def test_fewer_than_asked_for():
    index = index_of(VECTORS[:3])
    ids, distances = index.search(QUERIES[:2], 5)
    assert (ids[:, 3:] == -1).all() and np.isinf(distances[:, 3:]).all() and (ids[:, :3] >= 0).all()
    ids, distances = index.search(QUERIES[0], 5)
    assert len(ids) == len(distances) == 3
    empty = tenrex.VectorIndex(4)
    assert [each.tolist() for each in empty.search([1, 2, 3, 4])] == [[], []]
    assert empty.search(np.empty((0, 4)), 3)[0].shape == (0, 3) and len(empty) == 0
    assert empty.add(np.empty((0, 4))).tolist() == [] and empty.add([]).tolist() == []


def test_filters():
    index = index_of()
    expected = distances_of("euclidean", QUERIES, VECTORS)
    for allowed in ([3, 5, 70, 499], [499], [], [600], range(0, 500, 7)):
        mask = np.zeros(500, bool)
        mask[[id for id in allowed if id < 500]] = True
        best = [[int(id) for id in np.argsort(row) if mask[id]][:4] for row in expected]
        for given in (np.array(list(allowed), int), mask, list(allowed), np.concatenate([mask, [True] * 200])):
            for exact in (True, False):
                ids, _ = index.search(QUERIES, 4, allowed=given, exact=exact, explored=100)
                assert [[id for id in row if id >= 0] for row in ids.tolist()] == best
    for wrong in (np.array([0.5]), np.array([-1]), np.array([[1]])):
        with pytest.raises(tenrex.Error, match="allowed"):
            index.search(QUERIES, allowed=wrong)


def test_removing():
    index = index_of()
    index.remove(3)
    index.remove(np.arange(10, 20))
    assert len(index) == 489 and 3 not in index and 15 not in index and index.end_id == 500
    ids, _ = index.search(VECTORS[[3, 15]], 489, explored=489)
    assert not {3, *range(10, 20)} & set(ids.ravel().tolist()) and (ids >= 0).all()
    with pytest.raises(tenrex.Error):
        index.remove(3)
    with pytest.raises(tenrex.Error):
        index.remove(1 << 40)
    assert index.add(VECTORS[3]) in (3, *range(10, 20), 500)


def test_files(tmp_path):
    index, path = index_of(cells="int8", seed=4), tmp_path / "vectors.index"
    index.remove(7)
    index.save(path)
    expected = index.search(QUERIES)
    for read in (tenrex.VectorIndex.load(path), tenrex.VectorIndex.load(str(path), map=True),
                 tenrex.VectorIndex.read(path.read_bytes()), tenrex.VectorIndex.read(memoryview(path.read_bytes()))):
        assert read.options == index.options and len(read) == 499
        assert all((a == b).all() for a, b in zip(read.search(QUERIES), expected))
    mapped = tenrex.VectorIndex.load(path, map=True)
    assert mapped.memory_bytes < index.memory_bytes / 4
    with pytest.raises(tenrex.Error):
        mapped.add(VECTORS[0])
    tenrex.VectorIndex.read(path.read_bytes()).add(VECTORS[0])
    other = tmp_path / "again.index"
    again = index_of(cells="int8", seed=4)
    again.remove(7)
    again.save(other)
    assert other.read_bytes() == path.read_bytes()
    for call in (lambda: tenrex.VectorIndex.load(tmp_path / "none"), lambda: tenrex.VectorIndex.read(b"no index"),
                 lambda: tenrex.VectorIndex.read(path.read_bytes()[:-100]), lambda: index.save(tmp_path / "no" / "folder")):
        with pytest.raises(tenrex.Error):
            call()


def test_arrays_of_all_kinds():
    wide = np.zeros((20, 24), np.float32)
    wide[:, ::2] = VECTORS[:20]
    read_only = VECTORS[:20].copy()
    read_only.flags.writeable = False
    record = np.zeros(20, [("id", "i4"), ("v", "f4", 12)])
    record["v"] = VECTORS[:20]
    expected, _ = index_of(VECTORS[:20]).search(QUERIES)
    for given in (wide[:, ::2], np.asfortranarray(VECTORS[:20]), VECTORS[:20].astype(">f4"), VECTORS[:20].astype(float),
                  VECTORS[:20].tolist(), read_only, record["v"], VECTORS[:20][::-1][::-1], np.ma.masked_array(VECTORS[:20])):
        index = tenrex.VectorIndex(12)
        index.add(given)
        assert (index.search(QUERIES)[0] == expected).all()
    index = tenrex.VectorIndex(2, metric="dotproduct")
    index.add(np.array([[100, -100]], np.int8))
    index.add(np.array([[1e3, 2]], np.float16))
    assert index.search(np.array([1, 0], np.int8))[1].tolist() == [-1000, -100]


@pytest.mark.parametrize("wrong", [[1, 2, 3], [[[1, 2]]], 5, [["a", "b"]], [[1, None]], [[1, np.inf]], [1 + 1j, 2],
                                   np.ma.masked_array([[1, 2]], [[True, False]]), np.array([[True, False]])])
def test_what_is_no_vector(wrong):
    index = tenrex.VectorIndex(2)
    with pytest.raises(tenrex.Error):
        index.add(wrong)
    with pytest.raises(tenrex.Error):
        index.search(wrong)
    assert len(index) == 0


def test_mistakes():
    with pytest.raises(tenrex.Error, match="there is no metric 'cosine'\n  hint: there are euclidean, angular"):
        tenrex.VectorIndex(3, metric="cosine")
    for options in ({"dimensions": 0}, {"dimensions": -1}, {"dimensions": 1.5}, {"dimensions": 3, "links": 1},
                    {"dimensions": 3, "cells": "float16"}):
        with pytest.raises(tenrex.Error):
            tenrex.VectorIndex(**options)
    index = tenrex.VectorIndex(2)
    with pytest.raises(tenrex.Error, match="vector 1"):
        index.add([[1, 2], [np.nan, 1], [3, 4]])
    assert len(index) == 1  # what stood in front
    with pytest.raises(tenrex.Error, match="count"):
        index.search([1, 2], -1)


def test_a_wrong_vector_far_behind():
    vectors = np.ones((5000, 2), np.float32)
    vectors[4500] = np.nan
    index = tenrex.VectorIndex(2, links=0)
    with pytest.raises(tenrex.Error, match="vector 4500"):
        index.add(vectors, threads=2)
    assert len(index) == 4500


@pytest.mark.parametrize("cells", ["float32", "int8", "bits"])
def test_threads_build_the_same_index(cells, tmp_path):
    def content(**options):
        index = tenrex.VectorIndex(8, metric="angular", cells=cells, links=8, explored_when_added=40)
        assert (index.add(vectors, **options) == np.arange(len(vectors))).all()
        index.save(tmp_path / "index")
        return (tmp_path / "index").read_bytes()

    vectors = np.random.default_rng(4).standard_normal((4500, 8), np.float32)
    first = content()
    for options in ({"threads": 2}, {"threads": 5, "progress": True}, {"threads": 1, "progress": True}):
        assert content(**options) == first
    for threads in (0, -1, 1.5):
        with pytest.raises(tenrex.Error, match="threads must be"):
            content(threads=threads)


def test_results_outlive_the_index():
    index = index_of()
    ids, distances = index.search(QUERIES)
    copy = ids.copy(), distances.copy()
    del index
    gc.collect()
    assert (ids == copy[0]).all() and (distances == copy[1]).all() and ids.flags.owndata and ids.flags.writeable


def test_threads_search_and_add():
    index = index_of(VECTORS[:100])
    wrong = []

    def search():
        for _ in range(30):
            ids, distances = index.search(QUERIES, 5)
            if (ids < 0).any() or (np.diff(distances) < 0).any():
                wrong.append(ids)

    threads = [threading.Thread(target=search) for _ in range(4)]
    threads += [threading.Thread(target=lambda: [index.add(vector) for vector in VECTORS[100:]])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(index) == 500


def test_progress(capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)  # as if tqdm were not installed
    index = tenrex.VectorIndex(12)
    many = np.tile(VECTORS, (5, 1)) + np.arange(2500, dtype=np.float32)[:, None]
    assert index.add(many, progress=True).tolist() == list(range(2500))
    captured = capsys.readouterr()
    assert captured.err == "\r1024 of 2500 vectors\r2048 of 2500 vectors\r2500 of 2500 vectors\n" and captured.out == ""
