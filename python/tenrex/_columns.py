"""Python values as columns of documents."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np

from tenrex import _arrow, _core
from tenrex._cells import to_cells
from tenrex._error import Error
from tenrex._type import TensorType
from tenrex._values import is_missing, mapped_blocks, number_labels


class Ragged:
    """Rows of documents that have different numbers of them, for an input with one mapped dimension.

    Document ``d`` has the rows ``values[offsets[d]:offsets[d + 1]]``. Their labels are those of ``labels``, or 0, 1, ...
    within each document.

    >>> import numpy as np, tenrex
    >>> plan = tenrex.compile("reduce(d, max)", document={"d": "tensor<float>(token{})"})
    >>> plan.bind()(d=tenrex.Ragged(np.array([1, 5, 2, 4], np.float32), [0, 2, 4]))
    array([5., 4.])
    """

    __slots__ = ("values", "offsets", "labels")

    def __init__(self, values: Any, offsets: Any, labels: Any = None) -> None:
        self.values = np.asarray(values)
        self.offsets = np.asarray(offsets)
        self.labels = labels
        last = self.offsets[-1] if self.offsets.ndim == 1 and self.offsets.size else -1
        if self.offsets.dtype.kind not in "iu" or last < 0 or self.offsets[0] != 0 or (np.diff(self.offsets) < 0).any():
            raise Error("offsets must be whole numbers that begin with 0 and ascend")
        if len(self.values) != last:
            raise Error(f"the offsets end with {last}, there are {len(self.values)} rows")
        if labels is not None and len(labels) != last:
            raise Error(f"there are {len(labels)} labels for {last} rows")


def _sparse(tensor_type: TensorType, holder: _core.LabelHolder, offsets: Any, labels: np.ndarray, cells: np.ndarray,
            single: bool = False) -> _core.SparseCells:
    return _core.SparseCells(tensor_type._core, holder, np.ascontiguousarray(offsets, np.uint64), labels, cells, single)


def _held(holder: _core.LabelHolder, labels: Sequence[Any]) -> np.ndarray:
    ids = np.empty(len(labels), np.uint64)
    holder.hold(labels, ids)
    return ids


def _ragged(value: Ragged, tensor_type: TensorType, holder: _core.LabelHolder, what: str) -> _core.SparseCells:
    if len(tensor_type.mapped) != 1:
        raise Error(f"{what} is ragged, {tensor_type} has {len(tensor_type.mapped)} mapped dimensions")
    cells = to_cells(value.values, tensor_type.cell_type, what)
    if cells.shape[1:] != tensor_type.shape:
        raise Error(f"the rows of {what} have the shape {cells.shape[1:]}, {tensor_type} needs {tensor_type.shape}")
    if value.labels is None:
        labels = _arrow.counted(value.offsets)
    else:
        numbers = np.asarray(value.labels)
        if numbers.dtype.kind in "iu":
            labels = number_labels(numbers, what)
        else:
            labels = _held(holder, list(value.labels))
    return _sparse(tensor_type, holder, value.offsets, labels, cells)


def _each(value: Any, tensor_type: TensorType, holder: _core.LabelHolder, what: str, single: bool) -> _core.SparseCells:
    """From a value for each document: a dict, a Tensor, rows, or None."""
    offsets, labels, cells = [0], list[str](), list[np.ndarray]()
    for number, entry in enumerate(value):
        core = getattr(entry, "_core", None)
        if is_missing(entry):
            addresses, block = list[Any](), np.empty(0)
        elif isinstance(core, _core.Tensor):
            if not core.type.same(tensor_type._core):
                raise Error(f"{what} has the type {core.type} for document {number}, not {tensor_type}")
            addresses, block = core.addresses, np.asarray(core)
        else:
            addresses, block = mapped_blocks(entry, tensor_type, what if single else f"document {number} of {what}")
        labels.extend(label for address in addresses for label in address)
        if addresses:
            cells.append(block)
        offsets.append(offsets[-1] + len(addresses))
    together = np.concatenate(cells) if cells else np.empty((0, *tensor_type.shape), np.uint8)
    return _sparse(tensor_type, holder, offsets, _held(holder, labels), together, single)


def _mapped(value: Any, tensor_type: TensorType, labels: _core.LabelTable, what: str) -> _core.SparseCells:
    holder = _core.LabelHolder(labels)
    if isinstance(value, Ragged):
        return _ragged(value, tensor_type, holder, what)
    if isinstance(value, Mapping) or isinstance(getattr(value, "_core", None), _core.Tensor):
        return _each([value], tensor_type, holder, what, True)
    try:
        entries = list(value)
    except TypeError:
        raise Error(f"{what} is a {type(value).__name__}, {tensor_type} needs a dict for each document",
                    "a list of dicts or Tensors, a Ragged, or an Arrow list") from None
    return _each(entries, tensor_type, holder, what, False)


def _dense(value: Any, tensor_type: TensorType, what: str) -> np.ndarray:
    core = getattr(value, "_core", None)
    if isinstance(core, _core.Tensor):
        if not core.type.same(tensor_type._core):
            raise Error(f"{what} has the type {core.type}, not {tensor_type}")
        return np.asarray(core)
    if isinstance(value, (list, tuple)) and value and all(hasattr(entry, "_core") for entry in value):
        value = [_dense(entry, tensor_type, what) for entry in value]
        return np.stack(value)
    if tensor_type.dims and isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise Error(f"{what} has masked cells, which {tensor_type} has no value for", "fill them: values.filled(0)")
    if getattr(value, "dtype", None) == object and getattr(value, "ndim", 0) == 1:
        value = list(value)  # a Series, or an array, of rows
    if tensor_type.dims and isinstance(value, (list, tuple)) and any(is_missing(row) for row in value):
        value = [np.zeros(tensor_type.shape) if is_missing(row) else row for row in value]  # missing
    cells = to_cells(value, tensor_type.cell_type, what)
    own = len(tensor_type.shape)
    if cells.shape == (0,):
        cells = cells.reshape((0, *tensor_type.shape))
    if cells.shape[cells.ndim - own:] != tensor_type.shape or cells.ndim not in (own, own + 1):
        needed = "".join(f", {size}" for size in tensor_type.shape)
        raise Error(f"{what} has the shape {cells.shape}, {tensor_type} needs (documents{needed or ','})",
                    "the axes are the documents, then the dimensions in the order of their names" if own > 1 else "")
    return cells


def strings(values: Any, what: str) -> np.ndarray:
    """The numbers that stand for texts; NaN where one is missing."""
    if isinstance(values, str):
        return np.array(_core.string_number(values))
    is_single = values is None or isinstance(values, (int, float, np.number))
    words = [values] if is_single else _arrow.texts(values, what) if _arrow.is_arrow(values) else list(values)
    if wrong := [word for word in words if word is not None and word == word and not isinstance(word, str)]:
        raise Error(f"{what} has {wrong[0]!r}, which is no text")
    numbers = np.array([_core.string_number(word) if isinstance(word, str) else np.nan for word in words], float)
    return numbers[0] if is_single else numbers


def prepare(name: str, core_type: _core.TensorType, labels: _core.LabelTable, value: Any, is_string: bool) -> Any:
    """What the core takes as a column: an array of cells, marked if they are bfloat16; SparseCells; or a number."""
    tensor_type = TensorType._of(core_type)
    what = f"the value for '{name}'"
    if is_string:
        value = strings(value, what)
    elif hasattr(value, "to_numpy") and hasattr(value, "columns") and tensor_type.dims:
        value = value.to_numpy()  # a DataFrame: a column for each cell
    if _arrow.is_arrow(value):
        prepared = _arrow.column(value, tensor_type, labels, what)
        if isinstance(prepared, _core.SparseCells):
            return prepared
    elif tensor_type.mapped:
        return _mapped(value, tensor_type, labels, what)
    else:
        prepared = _dense(value, tensor_type, what)
    if not tensor_type.dims and prepared.ndim == 0:
        return float(prepared)
    return _core.RawCells(prepared) if tensor_type.cell_type == "bfloat16" else prepared


def as_mapping(values: Any) -> dict[str, Any]:
    """A table of any kind as a dict of its columns."""
    if isinstance(values, Mapping):
        return dict(values)
    names = getattr(getattr(values, "dtype", None), "names", None)
    if names is None and hasattr(values, "iloc"):
        names = list(getattr(values, "columns", values.index))  # a Series is one row of a frame
    if names is not None:
        if len(set(names)) != len(names):
            twice = next(name for at, name in enumerate(names) if name in names[:at])
            raise Error(f"the table has the column {twice!r} twice", "give columns by their names: query(price=column)")
        return {name: values[name] for name in names}
    if _arrow.is_arrow(values):
        return _arrow.table(values)
    hint = "give a dict, a DataFrame, a structured array or an Arrow table"
    if hasattr(values, "collect"):
        hint = "it is not computed yet: give values.collect()"
    elif isinstance(values, list) and values and isinstance(values[0], Mapping):
        hint = "of records make columns: pandas.DataFrame(records)"
    raise Error(f"{type(values).__name__} has no columns", hint)
