"""The columns of documents as the plans of a rank profile need them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping

import numpy as np

from tenrex import _arrow, _core
from tenrex._columns import as_mapping, prepare
from tenrex._error import Error

if TYPE_CHECKING:
    from tenrex._profile import RankProfile

_Source = _core.ColumnSource
OF_DOCUMENTS = (_Source.attribute, _Source.labels, _Source.structs, _Source.host)
_Kind = _core.AttributeKind


def _counts(values: Any) -> list[dict[str, int]]:
    """How often each element of an array occurs."""
    rows = []
    for row in values:
        counts: dict[str, int] = {}
        for element in [] if row is None else [row] if isinstance(row, str) else row:
            key = element if isinstance(element, str) else str(int(element))
            counts[key] = counts.get(key, 0) + 1
        rows.append(counts)
    return rows


def _string_arrays(values: Any) -> list[list[float] | None]:
    return [None if row is None else [_core.string_number(word) for word in row] for row in values]


def _with_missing(column: Any, value: float) -> Any:
    missing = np.isnan(column)
    return np.where(missing, value, column) if missing.any() else column


def _address(struct: Any, keys: list[str]) -> Any:
    """The label of a struct, or its labels in the order of the dimensions."""
    return struct[keys[0]] if len(keys) == 1 else tuple(struct[key] for key in sorted(keys))


def _members(values: Any, member: str) -> list[Any]:
    """A member of structs, or of lists of them."""
    return [None if row is None else row.get(member) if isinstance(row, Mapping) else [struct.get(member) for struct in row]
            for row in values]


class ProfileColumns:
    """The columns of documents for the plans of a profile, each read once."""

    def __init__(self, profile: RankProfile, documents: Any, seed: int) -> None:
        self._profile, self._given, self._seed = profile, as_mapping(documents), seed
        self._ready: dict[str, Any] = {}
        self._known: dict[str, np.ndarray] = {}  # scores and normalizers, for all documents
        self.count: int | None = None
        for need in profile._core.columns:
            self.count = self._length(need, self.count)

    def _length(self, need: tuple[Any, ...], count: int | None) -> int | None:
        name, _, source, _, _ = need
        if source not in OF_DOCUMENTS:
            return count
        column = self._column(need)
        own = None if isinstance(column, float) else len(column.array if isinstance(column, _core.RawCells) else column)
        if own is None:
            raise Error(f"'{name}' is one number for all documents", "give a value for each document")
        if count is not None and own != count:
            raise Error(f"'{name}' has {own} documents, others have {count}", "all columns have one length")
        return own

    def know(self, name: str, values: np.ndarray) -> None:
        self._known[name] = values

    def _value(self, name: str, argument: str) -> Any:
        for key in (name, argument):
            if key in self._given:
                return self._given[key]
        field, dot, member = argument.partition(".")
        if dot and field in self._given:
            return _members(self._given[field], member)
        raise Error(f"there is no column for '{name}'", f"documents need '{argument or name}'")

    def _column(self, need: tuple[Any, ...]) -> Any:
        name, of_type, source, argument, members = need
        if name not in self._ready:
            value = self._value(name, argument)
            kind, of_strings, is_bool = self._profile._kinds.get(argument, (_Kind.number, False, False))
            by_element = source in (_Source.labels, _Source.structs) or (source == _Source.attribute and kind == _Kind.array and of_strings)
            if by_element and _arrow.is_arrow(value):
                raise Error(f"'{name}' is read element by element, which an Arrow column does not allow",
                            "give a list of lists: column.to_pylist()")
            if source == _Source.labels:
                value = _counts(value)
            elif source == _Source.structs:
                value = [{_address(struct, members[:-1]): struct[members[-1]] for struct in row or []} for row in value]
            elif source == _Source.attribute:
                if kind == _Kind.array and of_strings:
                    value = _string_arrays(value)
            is_string = source == _Source.attribute and kind == _Kind.string
            column = prepare(name, of_type, self._profile._core.labels, value, is_string)
            if is_string or (is_bool and source == _Source.attribute):
                column = _with_missing(column, _core.string_number("") if is_string else 0)
            if not of_type.dimensions and isinstance(column, np.ndarray) and column.ndim == 0:
                column = float(column)
            self._ready[name] = column
        return self._ready[name]

    def of(self, needs: Iterable[tuple[Any, ...]], chosen: np.ndarray | None) -> dict[str, Any]:
        """Columns for a plan; of some documents, or of all."""
        columns = {}
        for need in needs:
            name, _, source, _, _ = need
            if source in (_Source.first_phase, _Source.second_phase, _Source.normalizer):
                columns[name] = self._known[name if source == _Source.normalizer else source.name][chosen]
            elif source == _Source.random:
                numbers = range(self.count or 0) if chosen is None else chosen
                columns[name] = np.array([_core.random_number(self._seed, int(d), name) for d in numbers], float)
            else:
                columns[name] = _taken(self._column(need), chosen)
        return columns


def _taken(column: Any, chosen: np.ndarray | None) -> Any:
    if chosen is None:
        return column
    if isinstance(column, _core.SparseCells):
        return column.take(np.ascontiguousarray(chosen, np.uint64))
    if isinstance(column, _core.RawCells):
        return _core.RawCells(column.array[chosen])
    return column[chosen]
