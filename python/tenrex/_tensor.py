"""Values with named dimensions."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np

from tenrex._cells import from_cells, is_bfloat16, numbers_of
from tenrex._core import Tensor as CoreTensor
from tenrex._core import TensorType as CoreType
from tenrex._error import Error
from tenrex._pandas import of_tensor, value_of
from tenrex._type import TensorType
from tenrex._values import blocks_of, core_tensor, label_text

_CELL_TYPES = {"f8": "double", "f4": "float", "f2": "float", "i1": "int8"}


def _cell_type(dtype: Any) -> str:
    return "bfloat16" if is_bfloat16(dtype) else _CELL_TYPES.get(dtype.str[1:], "double")


def _rearranged(value: Any, mapped: list[int], indexed: list[int]) -> dict[tuple[str, ...], np.ndarray]:
    """Blocks whose labels and axes have another order."""
    blocks = blocks_of(value, len(mapped))
    return {tuple(labels[i] for i in mapped): np.asarray(block).transpose(indexed) for labels, block in blocks}


def _named(value: Any, dims: Sequence[str]) -> tuple[Any, TensorType]:
    """The value in the order of the type that its dimensions and its dtype give."""
    if isinstance(dims, str):
        raise Error(f"dims must be a list of names, not {dims!r}", f"dims=[{dims!r}]")
    depth, inner = 0, value
    while isinstance(inner, Mapping):
        key = next(iter(inner), "")
        depth += len(key) if isinstance(key, tuple) else 1
        inner = next(iter(inner.values()), 0.0)
    array = numbers_of(inner, "the value")
    if depth + array.ndim != len(dims):
        raise Error(f"the value has {depth} levels of labels and {array.ndim} axes, there are {len(dims)} names of dimensions")
    mapped, indexed = list(dims[:depth]), list(dims[depth:])
    tensor_type = TensorType._of(CoreType.make(
        _cell_type(array.dtype) if dims else "double", [(name, None) for name in mapped] + list(zip(indexed, array.shape))))
    label_order = sorted(range(len(mapped)), key=mapped.__getitem__)
    axis_order = sorted(range(len(indexed)), key=indexed.__getitem__)
    if depth:
        return _rearranged(value, label_order, axis_order), tensor_type
    return array.transpose(axis_order), tensor_type


class Tensor:
    """A value with named dimensions. It is immutable and owns its memory.

    A dense one from an array, with a name for each axis:

    >>> import numpy as np, tenrex
    >>> t = tenrex.Tensor(np.array([[1, 2, 3], [4, 5, 6]], np.float32), dims=("y", "x"))
    >>> t.type
    TensorType('tensor<float>(x[3],y[2])')
    >>> t.numpy(("y", "x"))
    array([[1., 2., 3.],
           [4., 5., 6.]], dtype=float32)

    One with labels from a dict, whose levels are the mapped dimensions:

    >>> tenrex.Tensor({"red": 1.0, "blue": 0.5}, dims=("colour",))
    Tensor('tensor(colour{}):{red:1,blue:0.5}')
    >>> tenrex.Tensor({"a": [1, 2]}, "tensor<float>(k{},x[2])").to_dict()
    {'a': array([1., 2.], dtype=float32)}

    Literals of the language are read, too: ``Tensor("tensor(x{}):{a:1}")``. ``numpy.asarray(tensor)`` shares the cells
    without a copy and may not be written to.
    """

    __slots__ = ("_core", "__weakref__")
    _core: CoreTensor

    def __init__(self, value: Any = 0.0, type: str | TensorType | None = None, *, dims: Sequence[str] | None = None) -> None:
        if type is not None and dims is not None:
            raise Error("a tensor has a type or names of dimensions, not both")
        if type is not None:
            self._core = core_tensor(value, TensorType(type), "the value")
        elif dims is not None:
            self._core = core_tensor(*_named(value, dims), "the value")
        elif isinstance(value, Tensor):
            self._core = value._core
        elif isinstance(value, str):
            self._core = CoreTensor.from_literal(value)
        else:
            if isinstance(value, Mapping) or np.ndim(value) != 0:
                raise Error("a tensor with dimensions needs their names or its type",
                            "Tensor(value, dims=(\"x\",)) or Tensor(value, \"tensor<float>(x[3])\")")
            self._core = core_tensor(value, TensorType("double"), "the value")

    @classmethod
    def _of(cls, core: CoreTensor) -> Tensor:
        made = cls.__new__(cls)
        made._core = core
        return made

    @classmethod
    def from_json(cls, text: str) -> Tensor:
        """Reads the JSON that ``to_json`` writes, and the other forms of the language."""
        return cls._of(CoreTensor.from_json(text))

    @classmethod
    def from_pandas(cls, table: Any, dims: Sequence[str] | None = None) -> Tensor:
        """A Series or a DataFrame. Labels of the index, and of columns, are those of mapped dimensions.

        An axis that pandas numbers 0, 1, ... itself, a RangeIndex, is an indexed dimension. ``dims`` names the levels of the
        index, then those of the columns; without it their own names do. With labels in both, what is NaN is no cell.
        """
        value, names = value_of(table, dims)
        return cls(value, dims=names)

    @classmethod
    def from_bytes(cls, data: Any) -> Tensor:
        """Reads the binary form."""
        return cls._of(CoreTensor.from_binary(data))

    @property
    def type(self) -> TensorType:
        """Its type."""
        return TensorType._of(self._core.type)

    @property
    def dims(self) -> tuple[str, ...]:
        """The names of its dimensions."""
        return self.type.dims

    @property
    def labels(self) -> list[tuple[str, ...]]:
        """For each block the labels of the mapped dimensions."""
        return list(self._core.addresses)

    def cells(self) -> np.ndarray:
        """The cells, without a copy: an array for each block, or one array if there is no mapped dimension."""
        return from_cells(np.asarray(self._core), self._core.type.cell_type)

    def numpy(self, dims: Sequence[str] | None = None) -> np.ndarray:
        """The array of a dense tensor, its axes in the order of ``dims`` or of the names. Shares the memory."""
        own = self.type
        if own.mapped:
            raise Error(f"a tensor with labels is no array: {own}", "to_dict(), or labels and cells()")
        array = self.cells()
        if dims is None:
            return array
        if sorted(dims) != list(own.dims):
            raise Error(f"the dimensions are {', '.join(own.dims)}, not {', '.join(dims)}")
        return array.transpose([own.dims.index(name) for name in dims])

    def to_dict(self) -> dict[Any, Any]:
        """Blocks by their labels: by a label if there is one mapped dimension, else by a tuple of labels."""
        own = self.type
        if not own.mapped:
            raise Error(f"a tensor without mapped dimensions is no dict: {own}", "numpy()")
        blocks = self.cells()
        keys = [labels[0] if len(labels) == 1 else labels for labels in self.labels]
        return {key: block if own.shape else block.item() for key, block in zip(keys, blocks)}

    def to_pandas(self) -> Any:
        """A Series, or a DataFrame if there is an indexed dimension beside others. Their index has the labels.

        ``from_pandas`` makes the same tensor of it, unless it has no cells.
        """
        return of_tensor(self)

    def to_json(self) -> str:
        """The tensor as JSON, with its type."""
        return self._core.to_json()

    def to_literal(self, verbose: bool = False) -> str:
        """The tensor as a literal of the language."""
        return self._core.to_literal(verbose)

    def to_bytes(self) -> bytes:
        """The tensor in its binary form."""
        return self._core.to_binary()

    def astype(self, cell_type: str) -> Tensor:
        """The same dimensions and labels with other cells."""
        own = self.type
        made = TensorType._of(CoreType.make(cell_type, self._core.type.dimensions))
        if own.mapped:
            return Tensor(dict(zip(self.labels, self.cells())), made)
        return Tensor(self.cells(), made)

    def __getitem__(self, label: Any) -> Any:
        """The block under a label, or under a tuple of labels."""
        key = tuple(label_text(part) for part in (label if isinstance(label, tuple) else (label,)))
        for at, labels in enumerate(self.labels):
            if labels == key:
                block = self.cells()[at]
                return block if self.type.shape else block.item()
        raise KeyError(label)

    def __len__(self) -> int:
        return self._core.blocks

    def __float__(self) -> float:
        if self.dims:
            raise TypeError(f"a {self.type} is no number")
        return self._core.number()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError("another dtype needs a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tensor) and self._core.same(other._core)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        text = self.to_literal() if self._core.blocks * self._core.type.block_cells <= 64 else f"{self.type}:..."
        return f"Tensor({text!r})"

    def __str__(self) -> str:
        return self.to_literal()

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return Tensor.from_bytes, (self.to_bytes(),)

    def __copy__(self) -> Tensor:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        return self

    def _repr_html_(self) -> str:
        from tenrex._html import tensor_html
        return tensor_html(self)
