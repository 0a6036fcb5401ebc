"""Series and data frames of pandas as tensors, and back. What is given is only looked at: pandas is not imported for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from tenrex._error import Error
from tenrex._values import label_text, labelled

if TYPE_CHECKING:
    from tenrex._tensor import Tensor


def _is_counted(axis: Any) -> bool:
    """Whether it has no labels of its own: 0, 1, ..., as pandas numbers what has none."""
    return type(axis).__name__ == "RangeIndex" and axis.start == 0 and axis.step == 1


def _names(axes: Sequence[Any], dims: Sequence[str] | None) -> list[str]:
    if isinstance(dims, str):
        raise Error(f"dims must be a list of names, not {dims!r}", f"dims=[{dims!r}]")
    names = [name for axis in axes for name in axis.names] if dims is None else list(dims)
    if not all(isinstance(name, str) for name in names):
        raise Error("the index has no name, which is that of a dimension", 'dims=["colour"], or frame.rename_axis("colour")')
    if len(names) != sum(axis.nlevels for axis in axes):
        raise Error(f"there are {len(names)} names of dimensions for {sum(axis.nlevels for axis in axes)} levels of labels")
    return names


def value_of(table: Any, dims: Sequence[str] | None) -> tuple[Any, list[str]]:
    """What the constructor of Tensor takes, with the names of its dimensions: mapped ones first."""
    axes = list(getattr(table, "axes", ()))
    if not hasattr(table, "iloc") or len(axes) not in (1, 2):
        raise Error(f"{type(table).__name__} is no Series and no DataFrame", "Tensor(value, dims=...) takes arrays and dicts")
    names = _names(axes, dims)
    of_rows = names[:axes[0].nlevels]
    if len(axes) == 1 or _is_counted(axes[1]):
        return table.to_numpy() if _is_counted(axes[0]) else labelled(table), names
    if not axes[1].is_unique:
        raise Error("a column is there twice", "labels of a dimension differ")
    if _is_counted(axes[0]):  # the labels are those of the columns
        columns = labelled(table.T)
        return columns, names[len(of_rows):] + of_rows
    # Labels in both directions: what is missing is no cell.
    cells = {}
    for (row, values) in labelled(table).items():
        for column, cell in zip(axes[1].tolist(), values):
            if cell == cell:
                key = (*(row if isinstance(row, tuple) else (row,)), *(column if isinstance(column, tuple) else (column,)))
                cells[tuple(label_text(label) for label in key)] = cell
    return cells, names


def of_tensor(tensor: Tensor) -> Any:
    """A Series or a DataFrame whose index is the labels."""
    import pandas
    own = tensor.type
    if len(own.indexed) > (1 if own.mapped else 2) or not own.dims:
        raise Error(f"a {own} is no table", "numpy(), or labels and cells()")
    cells = np.asarray(tensor.cells())
    if own.mapped:
        labels = tensor.labels
        index = (pandas.Index([label for label, in labels], name=own.mapped[0], dtype=object) if len(own.mapped) == 1 else
                 pandas.MultiIndex.from_tuples(labels, names=own.mapped) if labels else
                 pandas.MultiIndex.from_arrays([[] for _ in own.mapped], names=own.mapped))
    else:
        index = pandas.RangeIndex(len(cells), name=own.indexed[0])
    if cells.ndim == 1:
        return pandas.Series(cells, index=index)
    return pandas.DataFrame(cells, index=index, columns=pandas.RangeIndex(cells.shape[1], name=own.indexed[-1]))
