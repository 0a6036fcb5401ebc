"""Numbers of numpy as cells of tensors, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from tenrex import _core
from tenrex._error import Error

DTYPES: dict[str, np.dtype[Any]] = {"double": np.dtype("f8"), "float": np.dtype("f4"), "bfloat16": np.dtype("u2"), "int8": np.dtype("i1")}


def is_bfloat16(dtype: Any) -> bool:
    return getattr(dtype, "name", "") == "bfloat16"


def widened(bits: np.ndarray) -> np.ndarray:
    """bfloat16 cells, given as their bits, as float32."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def numbers_of(values: Any, what: str) -> np.ndarray:
    """Any values as an array of numbers, in the machine's order of bytes; None and masked values become NaN."""
    if isinstance(values, np.ma.MaskedArray):
        if np.ma.is_masked(values):
            return np.ma.filled(values.astype(np.float64), np.nan)
        return values.data
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as reason:
        raise Error(f"{what} is no array of numbers: {reason}", "all rows have one length") from None
    if array.dtype.kind == "O":
        try:
            array = array.astype(np.float64)  # None becomes NaN
        except (ValueError, TypeError, OverflowError) as reason:
            raise Error(f"{what} is no array of numbers: {reason}", "numpy.asarray(values, dtype=float) must work") from None
    if array.dtype.kind not in "biuf" and not is_bfloat16(array.dtype):
        raise Error(f"{what} has the dtype {array.dtype}, which has no numbers that can be used", "convert it with astype")
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _small_integers(array: np.ndarray, what: str) -> np.ndarray:
    if array.dtype == np.int8 or array.size == 0:
        return array.astype(np.int8, copy=False)
    low, high = array.min(), array.max()
    if array.dtype.kind == "f" and not (array == np.rint(array)).all():
        raise Error(f"{what} has numbers that are no int8 cells, which are whole",
                    "numpy.clip(numpy.rint(values), -128, 127).astype(numpy.int8)")
    if not (low >= -128 and high <= 127):
        raise Error(f"{what} has numbers from {low} to {high}, beyond int8 cells: -128 to 127",
                    "numpy.clip(values, -128, 127).astype(numpy.int8)")
    return array.astype(np.int8)


def to_cells(values: Any, cell_type: str, what: str) -> np.ndarray:
    """An array whose rows are packed cells of that type; those of bfloat16 as their bits. Copies only if it must."""
    array = numbers_of(values, what)
    if is_bfloat16(array.dtype):
        bits = array.view(np.uint16)
        if cell_type == "bfloat16":
            return np.require(bits, requirements=["C", "A"])
        array = widened(bits)
    if cell_type == "int8":
        cells = _small_integers(array, what)
    elif cell_type == "bfloat16":
        floats = np.require(array, np.float32, ["C", "A"])
        cells = np.empty(array.shape, np.uint16)
        _core.to_bfloat16(floats, cells)
    elif array.dtype == DTYPES[cell_type]:
        cells = array
    else:
        with np.errstate(over="ignore"):
            cells = array.astype(DTYPES[cell_type])
    return np.require(cells, requirements=["C", "A"])


def from_cells(array: np.ndarray, cell_type: str) -> np.ndarray:
    """The cells as numpy's numbers: bfloat16 as that of ml_dtypes if it is installed, else as float32."""
    if cell_type != "bfloat16":
        return array
    try:
        import ml_dtypes
    except ImportError:
        return widened(array)
    return array.view(ml_dtypes.bfloat16)
