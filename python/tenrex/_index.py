"""Vectors and those that are nearest to another one."""

from __future__ import annotations

import operator
import os
import pathlib
import tempfile
from typing import Any

import numpy as np

from tenrex import _core
from tenrex._cells import numbers_of, to_cells
from tenrex._error import Error
from tenrex._progress import Progress, pieces

# So many vectors are added before the bar moves. Links depend on which ones are added together, so it does not depend on the bar.
ADDED_AT_ONCE = 1024


def _count(value: Any, what: str, least: int = 0) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise Error(f"{what} must be a whole number, not {value!r}") from None
    if number < least or number >= 1 << 63:
        raise Error(f"{what} must be {least} or more, not {number}")
    return number


class VectorIndex:
    """Vectors, and those that are nearest to another one: exactly, or by a graph (HNSW) that finds nearly all.

    >>> import numpy as np, tenrex
    >>> index = tenrex.VectorIndex(2, metric="euclidean")
    >>> index.add(np.array([[0, 0], [3, 4], [6, 8]], np.float32))
    array([0, 1, 2], dtype=uint32)
    >>> index.search([0, 1], count=2)
    (array([0, 1]), array([1.        , 4.24264069]))
    >>> ids, distances = index.search([[0, 1], [6, 7]], count=1, allowed=[1, 2])
    >>> ids.tolist()
    [[1], [2]]

    Threads may share it: any number of them search at a time, and adding waits for them. All calls let other threads of
    Python run. The same calls make the same index, byte for byte.
    """

    __slots__ = ("_core", "_options", "__weakref__")

    def __init__(self, dimensions: int, *, metric: str = "euclidean", cells: str = "float32", keep_floats: bool = True,
                 links: int = 16, explored_when_added: int = 200, seed: int = 0) -> None:
        """An empty index.

        dimensions
            How many numbers a vector has; with the metric "hamming" how many bytes.
        metric
            "euclidean", "angular", "prenormalized-angular" (1 minus the cosine), "dotproduct" (minus the product), or
            "hamming" (bits that differ).
        cells
            What the search reads: "float32", or shorter and less exact "bfloat16", "int8", "bits".
        keep_floats
            Whether shorter cells have the floats beside them, which compare the best that were found again.
        links
            Of a node of the graph (M). 0: no graph, each search compares all vectors.
        explored_when_added
            How many nodes are kept in mind when a vector is added (efConstruction).
        seed
            Decides the levels of the graph.
        """
        self._take(_core.VectorIndex.create({
            "dimensions": _count(dimensions, "dimensions"), "metric": metric, "cells": cells,
            "keep_floats": bool(keep_floats), "links": _count(links, "links"),
            "explored_when_added": _count(explored_when_added, "explored_when_added"), "seed": _count(seed, "seed")}))

    def _take(self, core: _core.VectorIndex) -> None:
        self._core, self._options = core, core.options

    @classmethod
    def _of(cls, core: _core.VectorIndex) -> VectorIndex:
        index = cls.__new__(cls)
        index._take(core)
        return index

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, map: bool = False) -> VectorIndex:
        """The index of a file that ``save`` has written.

        With ``map`` the vectors and links stay in the file, which must not change meanwhile, and nothing can be added.
        """
        return cls._of(_core.VectorIndex.load(os.fspath(path), map))

    @classmethod
    def read(cls, content: Any) -> VectorIndex:
        """The index of the bytes of such a file."""
        return cls._of(_core.VectorIndex.read(content))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file, which is there whole or not at all."""
        self._core.save(os.fspath(path))

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "index")
            self.save(path)
            return VectorIndex.read, (path.read_bytes(),)

    @property
    def options(self) -> dict[str, Any]:
        """What it was made with."""
        return dict(self._options)

    @property
    def end_id(self) -> int:
        """All ids are below."""
        return self._core.end_id

    @property
    def memory_bytes(self) -> int:
        """What it takes of memory, without what is mapped."""
        return self._core.memory_bytes

    def __len__(self) -> int:
        return self._core.size

    def __contains__(self, id: int) -> bool:
        number = operator.index(id)
        return 0 <= number < 1 << 32 and self._core.contains(number)

    def _rows(self, vectors: Any, what: str) -> tuple[np.ndarray, bool]:
        """The vectors as rows of float32 or int8, and whether it was a single one."""
        array = numbers_of(vectors, what)
        if array.dtype.kind == "b":
            raise Error(f"{what} has the dtype bool", "numpy.packbits makes bytes of it, for the metric hamming")
        if self._options["metric"] == "hamming":
            if array.dtype.itemsize != 1:
                whole = array.astype(np.int64) if np.isfinite(array).all() else np.full(array.shape, 256)
                if (whole != array).any() or ((whole < -128) | (whole > 255)).any():
                    raise Error(f"{what} has numbers that are no bytes; the metric hamming compares bytes", "uint8 or int8")
                array = whole.astype(np.uint8)
            array = np.ascontiguousarray(array).view(np.int8)
        elif array.dtype != np.int8:
            array = to_cells(array, "float", what)
        dimensions = self._options["dimensions"]
        if array.size == 0 and array.ndim != 2:
            array = array.reshape((0, dimensions))
        if array.ndim not in (1, 2) or array.shape[-1] != dimensions:
            raise Error(f"{what} has the shape {array.shape}, the index needs rows of {dimensions}")
        return np.require(np.atleast_2d(array), requirements=["C", "A"]), array.ndim == 1

    def add(self, vectors: Any, *, threads: int = 1, progress: bool = False) -> Any:
        """Adds the rows of an array and gives their ids, the least that are free; of a single vector its id.

        threads
            How many of them work. The index is the same for any number.
        progress
            Shows a bar: that of tqdm if it is installed.

        If a vector is wrong, those in front of it have been added.
        """
        workers = _count(threads, "threads", 1)
        rows, is_single = self._rows(vectors, "vectors")
        found: list[np.ndarray] = []
        with Progress(len(rows), "vectors", progress) as bar:
            for piece in pieces(len(rows), ADDED_AT_ONCE):
                found.append(self._core.add(rows[piece], workers, piece.start, len(rows)))
                bar.advance(len(found[-1]))
        ids = found[0] if len(found) == 1 else np.concatenate(found)
        return int(ids[0]) if is_single else ids

    def remove(self, ids: Any) -> None:
        """Removes a vector, or several: their ids are free for others."""
        self._core.remove([_id(id) for id in np.atleast_1d(np.asarray(ids)).tolist()])

    def _allowed(self, allowed: Any) -> np.ndarray | None:
        """The words of bits for a filter; at least one, since none stands for all ids."""
        if allowed is None:
            return None
        array = np.asarray(allowed)
        if array.size == 0:
            return np.zeros(1, np.uint64)
        if array.ndim != 1 or array.dtype.kind not in "biu":
            raise Error(f"allowed is an array of the dtype {array.dtype} with {array.ndim} axes",
                        "ids, or for each id whether it may be found")
        if array.dtype.kind != "b":
            end = self.end_id
            if int(array.min()) < 0:
                raise Error(f"allowed has the id {int(array.min())}", "ids are 0 or more")
            mask = np.zeros(end, bool)
            mask[array[array < end]] = True
            array = mask
        words = np.zeros(max(-(-array.size // 64), 1), np.uint64)
        bits = np.packbits(array, bitorder="little")
        words.view(np.uint8)[:bits.size] = bits
        return words

    def search(self, queries: Any, count: int = 10, *, explored: int = 0, rescored: int = 0, allowed: Any = None,
               exact: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """The ids and the distances of the nearest, the nearest first; of equal distances the lower id first.

        queries
            A vector, or an array of them: then the results have a row for each. Where fewer are found than asked for,
            the row of one vector is shorter, and those of several end with the id -1 and an infinite distance.
        explored
            How many the search of the graph keeps in mind (ef): more find more of the nearest, and take longer.
        rescored
            Of shorter cells: how many are compared again by the floats; 0: all that are explored.
        allowed
            A filter: an array of ids, or of truth values by id.
        exact
            Compare with every vector.
        """
        rows, is_single = self._rows(queries, "queries")
        ids, distances = self._core.search(rows, _count(count, "count"), _count(explored, "explored"),
                                           _count(rescored, "rescored"), self._allowed(allowed), bool(exact))
        if not is_single:
            return ids, distances
        found = int((ids[0] >= 0).sum())
        return ids[0, :found], distances[0, :found]

    def __repr__(self) -> str:
        options = self._options
        return f"<VectorIndex of {len(self)} vectors, {options['dimensions']} dimensions, {options['metric']}, {options['cells']}>"


def _id(value: Any) -> int:
    number = _count(value, "an id")
    if number >= 1 << 32:
        raise Error(f"there is no vector {number}")
    return number
