"""Python values as the tensors that a plan wants."""

from __future__ import annotations

import difflib
from typing import Any, Iterator, Mapping

import numpy as np

from tenrex import _core
from tenrex._cells import to_cells
from tenrex._error import Error
from tenrex._type import TensorType


def require_known(named: list[str], names: list[str], declared: frozenset[str]) -> None:
    """Refuses names that mean nothing."""
    for name in named:
        if name not in names and name not in declared:
            close = difflib.get_close_matches(name, [*names, *declared], 1)
            raise Error(f"there is no input '{name}'; there are: {', '.join(sorted({*names, *declared})) or 'none'}",
                        f"did you mean '{close[0]}'?" if close else "")


def is_missing(value: Any) -> bool:
    """Whether that stands for no value, in place of a row or a dict: None, or what pandas makes of it."""
    return value is None or (isinstance(value, float) and value != value)


def label_text(label: Any) -> str:
    if isinstance(label, str):
        return label
    if isinstance(label, (int, np.integer)) and not isinstance(label, bool):
        return str(int(label))
    raise Error(f"{label!r} is no label", "labels are texts or whole numbers")


def number_labels(numbers: np.ndarray, what: str) -> np.ndarray:
    """The ids of labels that are whole numbers: the numbers themselves, below 2 ** 63."""
    if numbers.dtype.kind not in "iu" or (numbers.size and (int(numbers.min()) < 0 or int(numbers.max()) >= 1 << 63)):
        raise Error(f"{what} has labels that are fractions, below 0 or too large", "labels are texts or whole numbers")
    return numbers.astype(np.uint64)


def labelled(value: Any) -> Any:
    """A Series or a DataFrame of pandas as a dict from the labels of its index to numbers or rows; others as they are."""
    if not (hasattr(value, "iloc") and hasattr(value, "index")):
        return value
    if not value.index.is_unique:
        twice = value.index[value.index.duplicated()][0]
        raise Error(f"the label {twice!r} is in the index twice", "labels of a dimension differ")
    return dict(zip(value.index.tolist(), value.to_numpy()))


def blocks_of(value: Mapping[Any, Any], depth: int) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The addresses and blocks of nested dicts; a key may also be a tuple of labels."""
    for key, inner in value.items():
        labels = tuple(label_text(label) for label in key) if isinstance(key, tuple) else (label_text(key),)
        if len(labels) > depth:
            raise Error(f"the key {key!r} has {len(labels)} labels, {depth} mapped dimensions are left")
        if len(labels) == depth:
            yield labels, inner
        elif isinstance(inner, Mapping):
            for more, block in blocks_of(inner, depth - len(labels)):
                yield labels + more, block
        else:
            raise Error(f"below {key!r} there must be a dict for the next mapped dimension, not {type(inner).__name__}")


def block_cells(blocks: list[Any], tensor_type: TensorType, what: str) -> np.ndarray:
    """The cells of blocks, one after the other."""
    shape = (len(blocks), *tensor_type.shape)
    if not blocks:
        return to_cells(np.empty(shape), tensor_type.cell_type, what)
    cells = to_cells(blocks, tensor_type.cell_type, what)
    if cells.shape != shape:
        raise Error(f"a block of {what} has the shape {cells.shape[1:]}, {tensor_type} needs {tensor_type.shape}")
    return cells


def mapped_blocks(value: Any, tensor_type: TensorType, what: str) -> tuple[list[tuple[str, ...]], np.ndarray]:
    """The addresses and cells of a value with mapped dimensions: a dict, texts, or rows that are labelled 0, 1, ..."""
    value = labelled(value)
    if isinstance(value, Mapping):
        pairs = list(blocks_of(value, len(tensor_type.mapped)))
        return [labels for labels, _ in pairs], block_cells([block for _, block in pairs], tensor_type, what)
    if len(tensor_type.mapped) != 1:
        raise Error(f"{what} must be a dict of dicts, or one with tuples of labels: {tensor_type} has "
                    f"{len(tensor_type.mapped)} mapped dimensions")
    try:
        rows = list(value)
    except TypeError:
        raise Error(f"{what} must be a dict from labels to blocks, not {type(value).__name__}") from None
    if not tensor_type.shape and rows and all(isinstance(row, str) for row in rows):
        return [(row,) for row in rows], block_cells([1] * len(rows), tensor_type, what)
    cells = block_cells(rows, tensor_type, what)
    return [(str(i),) for i in range(len(rows))], cells


def core_tensor(value: Any, tensor_type: TensorType, what: str) -> _core.Tensor:
    """A tensor of that type."""
    core = getattr(value, "_core", None)
    if isinstance(core, _core.Tensor):
        if not core.type.same(tensor_type._core):
            raise Error(f"{what} has the type {core.type}, not {tensor_type}", f"Tensor(..., '{tensor_type}')")
        return core
    if isinstance(value, str):
        return _core.Tensor.from_literal_of(value, tensor_type._core)
    if tensor_type.mapped:
        addresses, cells = mapped_blocks(value, tensor_type, what)
        return _core.Tensor.build(tensor_type._core, addresses, cells)
    cells = to_cells(value, tensor_type.cell_type, what)
    if cells.shape != tensor_type.shape:
        raise Error(f"{what} has the shape {cells.shape}, {tensor_type} needs {tensor_type.shape}",
                    "the axes are the dimensions in the order of their names" if len(tensor_type.shape) > 1 else "")
    return _core.Tensor.build(tensor_type._core, None, cells)


def core_tensor_for(name: str, core_type: _core.TensorType, value: Any, is_string: bool) -> _core.Tensor:
    """The value of an input."""
    if is_string and isinstance(value, str):
        return _core.Tensor.string(value)
    return core_tensor(value, TensorType._of(core_type), f"the value for '{name}'")
