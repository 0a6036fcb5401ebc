"""Types of tensors."""

from __future__ import annotations

from tenrex._core import TensorType as CoreType
from tenrex._error import Error


class TensorType:
    """The type of a tensor: its cell type and its named dimensions, which are sorted by name.

    >>> import tenrex
    >>> t = tenrex.TensorType("tensor<float>(y[2], x{})")
    >>> t
    TensorType('tensor<float>(x{},y[2])')
    >>> t.cell_type, t.dims, t.mapped, t.shape
    ('float', ('x', 'y'), ('x',), (2,))
    """

    __slots__ = ("_core",)
    _core: CoreType

    def __init__(self, text: str | TensorType) -> None:
        if isinstance(text, TensorType):
            self._core = text._core
        elif isinstance(text, str):
            self._core = CoreType(text)
        else:
            raise Error(f"{text!r} is no type", "a type is a text such as 'tensor<float>(x[3])'")

    @classmethod
    def _of(cls, core: CoreType) -> TensorType:
        made = cls.__new__(cls)
        made._core = core
        return made

    @property
    def cell_type(self) -> str:
        """"double", "float", "bfloat16" or "int8"."""
        return self._core.cell_type

    @property
    def dims(self) -> tuple[str, ...]:
        """The names of the dimensions."""
        return tuple(name for name, _ in self._core.dimensions)

    @property
    def mapped(self) -> tuple[str, ...]:
        """The names of the mapped dimensions, which have labels."""
        return tuple(name for name, size in self._core.dimensions if size is None)

    @property
    def indexed(self) -> tuple[str, ...]:
        """The names of the indexed dimensions."""
        return tuple(name for name, size in self._core.dimensions if size is not None)

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the indexed dimensions: the shape of a block."""
        return tuple(size for _, size in self._core.dimensions if size is not None)

    def __str__(self) -> str:
        return str(self._core)

    def __repr__(self) -> str:
        return f"TensorType({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorType) and self._core.same(other._core)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[type[TensorType], tuple[str]]:
        return TensorType, (str(self),)
