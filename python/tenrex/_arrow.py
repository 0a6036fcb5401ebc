"""Columns that other libraries lend through Arrow's C data interface (pyarrow, polars, DuckDB, ...).

Rows that are null are missing: a number is NaN, a dense value is all zeros, one with labels is empty.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tenrex import _core
from tenrex._cells import to_cells
from tenrex._error import Error
from tenrex._type import TensorType
from tenrex._values import number_labels

_NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "e": "f2", "f": "f4",
            "g": "f8"}
_VIEW = np.dtype([("length", "<i4"), ("prefix", "S4"), ("buffer", "<i4"), ("offset", "<i4")])


class Part(NamedTuple):
    """Rows of an array: ``length`` of them from ``start`` on."""

    node: _core.ArrowNode
    start: int
    length: int

    @property
    def first(self) -> int:
        """The place of its first row in the buffers."""
        return self.node.offset + self.start

    def raw(self, index: int, dtype: Any, more: int = 0) -> np.ndarray:
        """Its items of a buffer, and some more behind them."""
        dtype = np.dtype(dtype)
        count = self.first + self.length + more
        if count == 0 or self.node.buffers <= index:
            return np.zeros(more, dtype)
        lent = self.node.buffer(index, count * dtype.itemsize)
        return np.zeros(more, dtype) if lent is None else np.frombuffer(lent, dtype)[self.first:]

    def bits(self, index: int) -> np.ndarray | None:
        lent = self.node.buffer(index, (self.first + self.length + 7) // 8)
        if lent is None:
            return None
        return np.unpackbits(np.frombuffer(lent, np.uint8), bitorder="little")[self.first:self.first + self.length].astype(bool)

    def valid(self) -> np.ndarray | None:
        """Which rows are not null; None: all."""
        if self.node.format == "n":
            return np.zeros(self.length, bool)
        if self.node.null_count == 0 or self.length == 0:
            return None
        valid = self.bits(0)
        return None if valid is None or valid.all() else valid


class Column:
    """A column of a table: the same child of all its batches."""

    def __init__(self, parts: list[Part]) -> None:
        self.parts = parts


def is_arrow(value: Any) -> bool:
    if isinstance(value, Column):
        return True
    if isinstance(getattr(value, "dtype", None), np.dtype):
        return False  # an array, or a Series of one
    return hasattr(value, "__arrow_c_array__") or hasattr(value, "__arrow_c_stream__")


def _parts(value: Any) -> list[Part]:
    if isinstance(value, Column):
        return value.parts
    if hasattr(value, "__arrow_c_array__"):
        nodes = [_core.import_array(*value.__arrow_c_array__())]
    else:
        nodes = _core.import_stream(value.__arrow_c_stream__())
    return [Part(node, 0, node.length) for node in nodes]


def table(value: Any) -> dict[str, Column]:
    """The columns of a table or of a result."""
    parts = _parts(value)
    if parts[0].node.format != "+s":
        raise Error(f"the Arrow data is no table but a column of the format '{parts[0].node.format}'",
                    "give columns by their names: query(price=column)")
    columns: dict[str, Column] = {}
    for index in range(parts[0].node.children):
        children = [Part(part.node.child(index), part.first, part.length) for part in parts]
        columns[children[0].node.name] = Column(children)
    return columns


def counted(offsets: Any) -> np.ndarray:
    """The numbers 0, 1, ... within each list, as labels."""
    offsets = np.asarray(offsets, np.int64)
    return (np.arange(offsets[-1]) - np.repeat(offsets[:-1], np.diff(offsets))).astype(np.uint64)


def _dictionary(part: Part) -> tuple[np.ndarray, Part]:
    """The numbers of rows in the dictionary, and the dictionary."""
    indices = part.raw(1, _NUMBERS[part.node.format])
    inner = part.node.dictionary
    return indices, Part(inner, 0, inner.length)


def _numbers(part: Part, what: str) -> tuple[np.ndarray, np.ndarray | None]:
    """Numbers and which of them are not null."""
    if part.node.has_dictionary:
        indices, inner = _dictionary(part)
        values, valid = _numbers(inner, what)
        own = part.valid()
        indices = indices if own is None else np.where(own, indices, 0)
        if valid is not None:
            own = valid[indices] if own is None else own & valid[indices]
        return values[indices], own
    if part.node.format in _NUMBERS:
        return part.raw(1, _NUMBERS[part.node.format]), part.valid()
    if part.node.format == "b":
        flags = part.bits(1) if part.length else None
        return np.zeros(0, bool) if flags is None else flags, part.valid()
    if part.node.format == "n":
        return np.zeros(part.length), part.valid()
    raise Error(f"{what} has the Arrow format '{part.node.format}', which has no numbers", "cast it to numbers first")


class _Lists(NamedTuple):
    offsets: np.ndarray  # from 0 on
    children: Part
    kept: np.ndarray | None  # which children belong to rows that are not null; None: all
    valid: np.ndarray | None


def _lists(part: Part, what: str) -> _Lists:
    layout = part.node.format
    if not layout.startswith(("+w:", "+l", "+m", "+L")):
        raise Error(f"{what} has the Arrow format '{layout}', which is no list", "cast it to a list first")
    child = part.node.child(0)
    valid = part.valid()
    if layout.startswith("+w:"):
        size = int(layout[3:])
        offsets = np.arange(part.length + 1, dtype=np.int64) * size
        children = Part(child, part.first * size, part.length * size)
    else:
        places = part.raw(1, "i8" if layout == "+L" else "i4", 1).astype(np.int64)
        offsets = places - places[0]
        children = Part(child, int(places[0]), int(offsets[-1]))
    lengths = np.diff(offsets)
    if valid is None or not lengths[~valid].any():
        return _Lists(offsets, children, None, valid)
    kept = np.repeat(valid, lengths)
    return _Lists(np.concatenate([[0], np.cumsum(np.where(valid, lengths, 0))]), children, kept, valid)


def _texts(part: Part, what: str) -> tuple[np.ndarray, Any]:
    """The offsets of texts, and their bytes."""
    if part.node.format == "vu":
        views = part.raw(1, _VIEW)
        inline = part.raw(1, "V16")
        sizes = np.frombuffer(part.node.buffer(part.node.buffers - 1, 8 * (part.node.buffers - 3)), np.int64)
        data = [bytes(memoryview(part.node.buffer(2 + i, int(size)))) if size else b"" for i, size in enumerate(sizes)]
        texts = [inline[i].tobytes()[4:4 + view["length"]] if view["length"] <= 12 else
                 data[view["buffer"]][view["offset"]:view["offset"] + view["length"]] for i, view in enumerate(views)]
        return np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.uint64), b"".join(texts)
    if part.node.format not in ("u", "U"):
        raise Error(f"{what} has labels of the Arrow format '{part.node.format}'", "labels are texts or whole numbers")
    places = part.raw(1, "i8" if part.node.format == "U" else "i4", 1).astype(np.int64)
    lent = part.node.buffer(2, int(places[-1])) if places[-1] else None
    text = b"" if lent is None else memoryview(lent)[places[0]:places[-1]]
    return (places - places[0]).astype(np.uint64), text


def texts(value: Any, what: str) -> list[str | None]:
    """The texts of a column; None where they are missing."""
    found: list[str | None] = []
    for part in _parts(value):
        if part.node.has_dictionary:
            indices, inner = _dictionary(part)
            words = texts(Column([inner]), what)
            own = part.valid()
            found.extend(words[i] if own is None or own[at] else None for at, i in enumerate(indices))
            continue
        offsets, data = _texts(part, what)
        valid = part.valid()
        data = bytes(data)
        found.extend(data[offsets[i]:offsets[i + 1]].decode() if valid is None or valid[i] else None
                     for i in range(part.length))
    return found


def _labels(part: Part, holder: _core.LabelHolder, what: str) -> np.ndarray:
    if part.valid() is not None:
        raise Error(f"{what} has labels that are null")
    if part.node.has_dictionary:
        indices, inner = _dictionary(part)
        return _labels(inner, holder, what)[indices]
    if part.node.format in _NUMBERS:
        return number_labels(_numbers(part, what)[0], what)
    offsets, text = _texts(part, what)
    ids = np.empty(part.length, np.uint64)
    holder.hold_texts(offsets, text, ids)
    return ids


def _rows(part: Part, shape: tuple[int, ...], cell_type: str, what: str, null_number: float) -> np.ndarray:
    """Cells of dense rows of that shape."""
    valid = part.valid()
    if not shape:
        numbers, valid = _numbers(part, what)
        if valid is not None:
            numbers = np.where(valid, numbers.astype(np.float64), null_number)
        return to_cells(numbers, cell_type, what)
    lists = _lists(part, what)
    lengths = np.diff(lists.offsets)
    wrong = np.flatnonzero(lengths != shape[0] if valid is None else (lengths != shape[0]) & valid)
    if wrong.size:
        raise Error(f"{what} has {lengths[wrong[0]]} elements in row {wrong[0]}, {shape[0]} are needed")
    inner = _rows(lists.children, shape[1:], cell_type, what, np.nan)
    if inner.dtype.kind == "f" and lists.children.node.null_count != 0 and np.isnan(inner).any() and len(shape) == 1:
        kept = lists.children.valid()
        if kept is not None and (lists.kept is None or not kept[lists.kept].all()):
            raise Error(f"{what} has nulls within a row", "fill them first")
    if lists.kept is not None:
        inner = inner[lists.kept]
    if valid is None:
        return inner.reshape((part.length, *shape))
    cells = np.zeros((part.length, *shape), inner.dtype)
    cells[valid] = inner.reshape((-1, *shape))
    return cells


def _sparse(part: Part, tensor_type: TensorType, holder: _core.LabelHolder, what: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Offsets, labels and cells of lists, or of maps."""
    if part.node.format == "n":
        cells = to_cells(np.zeros((0, *tensor_type.shape)), tensor_type.cell_type, what)
        return np.zeros(part.length + 1, np.int64), np.zeros(0, np.uint64), cells
    lists = _lists(part, what)
    inner = lists.children
    if inner.node.format == "+s":
        if inner.node.children != 2:
            raise Error(f"{what} has structs with {inner.node.children} fields", "a label and a block")
        keys, blocks = (Part(inner.node.child(i), inner.first, inner.length) for i in range(2))
        labels = _labels(keys, holder, what)
        cells = _rows(blocks, tensor_type.shape, tensor_type.cell_type, what, np.nan)
    elif not tensor_type.shape and (inner.node.format in ("u", "U", "vu") or inner.node.has_dictionary):
        labels = _labels(inner, holder, what)
        cells = to_cells(np.ones(inner.length), tensor_type.cell_type, what)
    else:
        cells = _rows(inner, tensor_type.shape, tensor_type.cell_type, what, np.nan)
        if lists.kept is not None:
            return lists.offsets, counted(lists.offsets), cells[lists.kept]
        labels = counted(lists.offsets)
    if lists.kept is not None:
        labels, cells = labels[lists.kept], cells[lists.kept]
    return lists.offsets, labels, cells


def column(value: Any, tensor_type: TensorType, labels: _core.LabelTable, what: str) -> Any:
    """An array of cells, or SparseCells."""
    parts = [part for part in _parts(value) if part.length]
    if not tensor_type.mapped:
        if not parts:
            return to_cells(np.empty((0, *tensor_type.shape)), tensor_type.cell_type, what)
        made = [_rows(part, tensor_type.shape, tensor_type.cell_type, what, np.nan) for part in parts]
        return made[0] if len(made) == 1 else np.concatenate(made)
    if len(tensor_type.mapped) != 1:
        raise Error(f"{what} is an Arrow column, {tensor_type} has {len(tensor_type.mapped)} mapped dimensions",
                    "give a list of dicts or Tensors")
    holder = _core.LabelHolder(labels)
    pieces = [_sparse(part, tensor_type, holder, what) for part in parts]
    if not pieces:
        pieces = [(np.zeros(1, np.int64), np.zeros(0, np.uint64), np.zeros(0, np.uint8))]
    ends = np.cumsum([0] + [piece[0][-1] for piece in pieces])
    offsets = np.concatenate([[0]] + [piece[0][1:] + start for piece, start in zip(pieces, ends)]).astype(np.uint64)
    ids = np.ascontiguousarray(np.concatenate([piece[1] for piece in pieces]))
    cells = pieces[0][2] if len(pieces) == 1 else np.concatenate([piece[2] for piece in pieces])
    return _core.SparseCells(tensor_type._core, holder, offsets, ids, np.ascontiguousarray(cells), False)
