"""Texts as vectors."""

from __future__ import annotations

import operator
import os
import warnings
from typing import Any, Iterable

import numpy as np

from tenrex._error import Error
from tenrex._icu import module_with_icu
from tenrex._made import Made, absolute
from tenrex._progress import Progress, pieces
from tenrex._tokenizer import texts_of

# So many texts are embedded for each thread before the bar moves.
TEXTS_AT_ONCE = 64


def _one_of(value: Any, known: tuple[str, ...], what: str) -> Any:
    if value not in known:
        raise Error(f"there is no {what} {value!r}", f"there are {', '.join(known[:-1])} and {known[-1]}")
    return value


def _count(value: Any, least: int, what: str) -> int:
    number = operator.index(value)
    if number < least:
        raise Error(f"{what} must be {least} or more, not {number}")
    return number


class Embedder(Made):
    """An encoder of texts with its tokenizer, of a folder as sentence-transformers lays it out.

    ``Embedder.load(folder)`` reads it. Threads may share it; loading and embedding let other threads of Python run. The
    vector of a text depends on the text alone: its bits are the same beside any other texts, on any number of threads.
    It needs ICU, a library of the system.
    """

    __slots__ = ("_core", "_prefix", "_max_length", "__weakref__")

    def __init__(self, core: Any, prefix: str, max_length: int | None) -> None:
        self._core, self._prefix, self._max_length = core, prefix, max_length

    @classmethod
    def load(cls, folder: str | os.PathLike[str], *, pooling: str | None = None, normalize: bool | None = None, prefix: str | None = None,
             max_length: int | None = None, dimensions: int = 0, precision: str = "f32", max_isa: str = "", cache_bytes: int = 0) -> Embedder:
        """Reads the encoder, ``model.onnx`` or ``model.safetensors``, and its tokenizer. What is None is as the folder says.

        pooling
            What becomes of the vectors of tokens: "mean", "cls" (the first one) or "max".
        normalize
            Whether vectors get the length 1.
        prefix
            What stands in front of each text, such as "query: ".
        max_length
            The most tokens of a text, with those that are added.
        dimensions
            How many cells stay, the first ones, for models that were trained for it; 0: all.
        precision
            How the encoder is multiplied with its weights: "f32", "bf16" or "int8".
        max_isa
            The widest instruction set: "baseline", "avx2", "avx512" or "native".
        cache_bytes
            Vectors of texts that come again are kept in so many bytes.
        """
        settings = {"pooling": None if pooling is None else _one_of(pooling, ("mean", "cls", "max"), "pooling"),
                    "normalize": None if normalize is None else bool(normalize), "prefix": prefix,
                    "max_length": None if max_length is None else _count(max_length, 1, "max_length"),
                    "dimensions": _count(dimensions, 0, "dimensions"),
                    "precision": _one_of(precision, ("f32", "bf16", "int8"), "precision"), "max_isa": max_isa,
                    "cache_bytes": _count(cache_bytes, 0, "cache_bytes")}
        made = cls(*module_with_icu("_embed").Embedder.load(os.fspath(folder), settings))
        made._made_by(cls.load, absolute(folder), **settings)
        return made

    def embed(self, texts: str | Iterable[str], *, cells: str = "float", threads: int = 1, progress: bool = False) -> np.ndarray:
        """The vectors of texts: an array with a row for each, or the vector of one text.

        cells
            "float" for float32; "int8" for whole numbers in the direction of the vector, the largest of them 127;
            "bits" for whether each cell is greater than 0, eight in an int8, the first one highest.
        threads
            How many of them work.
        progress
            Shows a bar: that of tqdm if it is installed.

        Texts that have more tokens than are taken are cut, with a warning.
        """
        _one_of(cells, ("float", "int8", "bits"), "kind of cells")
        workers = _count(threads, 1, "threads")
        many = [texts] if isinstance(texts, str) else texts_of(texts, "texts")
        parts, cut = [], 0
        with Progress(len(many), "texts", progress) as bar:
            for piece in pieces(len(many), TEXTS_AT_ONCE * workers if progress else max(len(many), 1)):
                vectors, cut_here = self._core.embed(many[piece], cells, workers)
                parts.append(vectors)
                cut += cut_here
                bar.advance(len(vectors))
        if cut:
            warnings.warn(f"{cut} of {len(many)} texts have more tokens than are taken; their ends were cut off", stacklevel=2)
        found = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return found[0] if isinstance(texts, str) else found

    @property
    def size(self) -> int:
        """Cells of a vector."""
        return self._core.size

    @property
    def prefix(self) -> str:
        """What stands in front of each text."""
        return self._prefix

    @property
    def max_length(self) -> int | None:
        """The most tokens of a text, or None."""
        return self._max_length

    @property
    def cache(self) -> dict[str, int] | None:
        """Of the vectors that are kept: hits, misses, vectors and bytes; None without a cache."""
        return self._core.cache_statistics

    def __repr__(self) -> str:
        return f"<Embedder of texts to {self.size} cells>"
