"""Rank profiles: compiling them, and ranking documents phase by phase."""

from __future__ import annotations

import os
import re
import time
from typing import Any, Iterable, Mapping, NamedTuple, Sequence

import numpy as np

from tenrex import _arrow, _core
from tenrex._columns import as_mapping, prepare
from tenrex._error import Error
from tenrex._plan import Plan
from tenrex._progress import Progress
from tenrex._tensor import Tensor
from tenrex._type import TensorType
from tenrex._values import core_tensor_for

_Source = _core.ColumnSource
_OF_DOCUMENTS = (_Source.attribute, _Source.labels, _Source.structs, _Source.host)
_Kind = _core.AttributeKind


class Hit(NamedTuple):
    """A document, by its number among those that were given, and its score."""

    document: int
    score: float


def _attribute(name: str, spec: str | TensorType) -> tuple[str, Any, bool, Any]:
    text = str(spec).replace(" ", "")
    if text.startswith("tensor"):
        return name, _Kind.tensor, False, TensorType(spec)._core
    match = re.fullmatch(r"(array|weightedset)<(\w+)>", text)
    if match:
        return name, _Kind.array if match.group(1) == "array" else _Kind.weighted_set, match.group(2) == "string", None
    if text == "string":
        return name, _Kind.string, True, None
    if text in ("number", "double", "float", "int", "long", "byte", "bool"):
        return name, _Kind.number, False, None
    raise Error(f"there is no kind of attribute '{spec}'", "number, string, tensor<...>(...), array<T> or weightedset<T>")


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


def _address(struct: Any, keys: list[str]) -> Any:
    """The label of a struct, or its labels in the order of the dimensions."""
    return struct[keys[0]] if len(keys) == 1 else tuple(struct[key] for key in sorted(keys))


def _members(values: Any, member: str) -> list[Any]:
    """A member of structs, or of lists of them."""
    return [None if row is None else row.get(member) if isinstance(row, Mapping) else [struct.get(member) for struct in row]
            for row in values]


class _Columns:
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
        if source not in _OF_DOCUMENTS:
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
            kind, of_strings = self._profile._kinds.get(argument, (_Kind.number, False))
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


class RankProfile:
    """A compiled rank profile. ``rank`` gives the best documents, ``features`` what it computes of them."""

    __slots__ = ("_core", "_kinds", "__weakref__")

    def __init__(self, core: _core.RankProfile) -> None:
        self._core = core
        self._kinds = {name: (kind, of_strings) for name, kind, of_strings, _ in core.attributes}

    @property
    def name(self) -> str:
        """Its name in the text."""
        return self._core.name

    @property
    def inputs(self) -> dict[str, TensorType]:
        """What comes with a query."""
        return {name: TensorType._of(of_type) for name, of_type, _, _ in self._core.inputs}

    @property
    def columns(self) -> dict[str, TensorType]:
        """What it needs of documents: attributes, and features that the engine computes."""
        return {name: TensorType._of(of_type) for name, of_type, source, _, _ in self._core.columns
                if source in _OF_DOCUMENTS}

    @property
    def warnings(self) -> list[str]:
        """What looks wrong in its expressions."""
        return self._core.warnings

    def _bound(self, query: Mapping[str, Any] | None, now: float | None) -> dict[str, Any]:
        types = {name: (of_type, is_string) for name, of_type, _, is_string in self._core.inputs}
        given = {}
        for name, value in (query or {}).items():
            full = name if name in types else f"query({name})"
            if full not in types:
                raise Error(f"there is no input '{name}'", f"the inputs are {', '.join(types) or 'none'}")
            given[full] = core_tensor_for(full, types[full][0], value, types[full][1])
        return self._core.query_values(given, time.time() if now is None else now)

    def _outputs(self, phase: dict[str, Any], values: dict[str, Any], columns: _Columns,
                 chosen: np.ndarray | None) -> dict[str, Any]:
        """The outputs of a phase for some documents, or for all."""
        query = Plan(phase["plan"]).bind({name: Tensor._of(value) for name, value in values.items()})
        count = (columns.count or 0) if chosen is None else len(chosen)
        given = columns.of(phase["columns"], chosen)
        outputs = query(given)
        # Without a column there is one value for all documents.
        return outputs if given else {name: np.array([value] * count) for name, value in outputs.items()}

    def _scores(self, phase: dict[str, Any], values: dict[str, Any], columns: _Columns, chosen: np.ndarray | None) -> np.ndarray:
        score = next(iter(self._outputs(phase, values, columns, chosen).values()))
        return np.ascontiguousarray(score, float)

    def rank(self, documents: Any, query: Mapping[str, Any] | None = None, *, hits: int = 10, now: float | None = None,
             seed: int = 0) -> list[Hit]:
        """The best documents, phase by phase.

        documents
            A dict, a DataFrame or an Arrow table with a column for each attribute (``price`` or ``attribute(price)``) and
            each feature of the engine (``bm25(title)``).
        query
            Values of the inputs by their names, ``q`` or ``query(q)``; what is missing has its default.
        now
            Seconds since 1970, for features of time; the present if None.
        seed
            Of random features.
        """
        columns = _Columns(self, documents, seed)
        if columns.count is None:
            raise Error("no column tells how many documents there are", "the profile reads nothing of documents")
        values = self._bound(query, now)
        first, second = self._core.first_phase(), self._core.second_phase()
        last = self._core.global_phase()
        most = max([hits] + [phase["rerank_count"] for phase in (second, last) if phase])
        scores = self._scores(first, values, columns, None)
        columns.know("first_phase", scores)
        found = _core.best(scores, most, first["drop_limit"])
        columns.know("second_phase", scores.copy())
        if second:
            found = self._reranked(second, values, columns, found)
            after = scores.copy()
            for document, score in found:
                after[document] = score
            columns.know("second_phase", after)
        if last:
            self._normalize(values, columns, found[:last["rerank_count"]])
            found = self._reranked(last, values, columns, found)
        return [Hit(*pair) for pair in found[:hits]]

    def _reranked(self, phase: dict[str, Any], values: dict[str, Any], columns: _Columns, found: list[Any]) -> list[Any]:
        best = np.array([document for document, _ in found[:phase["rerank_count"]]], np.int64)
        scores = self._scores(phase, values, columns, best)
        limit = phase["drop_limit"]
        return [pair for pair in _core.rerank(found, scores) if limit is None or pair[1] > limit]

    def _normalize(self, values: dict[str, Any], columns: _Columns, found: list[Any]) -> None:
        phase = self._core.normalized()
        if phase is None:
            return
        chosen = np.array([document for document, _ in found], np.int64)
        results = list(self._outputs(phase, values, columns, chosen).values())
        for name, is_linear, k, output in self._core.normalizers():
            of_hits = np.ascontiguousarray(results[output], float)
            made = _core.normalize_linear(of_hits) if is_linear else _core.reciprocal_rank(of_hits, k)
            everywhere = np.full(columns.count or 0, np.nan)
            everywhere[chosen] = made
            columns.know(name, everywhere)

    def scores(self, documents: Any, query: Mapping[str, Any] | None = None, *, now: float | None = None,
               seed: int = 0) -> np.ndarray:
        """The scores of all documents after the first phase."""
        columns = _Columns(self, documents, seed)
        return self._scores(self._core.first_phase(), self._bound(query, now), columns, None)

    def features(self, documents: Any, queries: Mapping[str, Any] | Sequence[Mapping[str, Any] | None] | None = None, *,
                 now: float | None = None, seed: int = 0, progress: bool = False) -> dict[str, np.ndarray]:
        """The match-features and summary-features of all documents, for training.

        With a list of queries, one query for each document: a document that is judged for two queries is given twice.
        ``progress`` shows a bar over the queries: that of tqdm if it is installed.
        """
        phase = self._core.features()
        if phase is None:
            raise Error(f"the profile '{self.name}' has no features", "match-features { ... } in the profile names them")
        columns = _Columns(self, documents, seed)
        everything = np.arange(columns.count or 0)
        columns.know("first_phase", np.array([]))
        if queries is None or isinstance(queries, Mapping):
            return self._features_of(phase, queries, columns, everything, now)
        if len(queries) != len(everything):
            raise Error(f"there are {len(queries)} queries and {len(everything)} documents", "one query for each document")
        rows: dict[int, list[int]] = {}
        for number, query in enumerate(queries):
            rows.setdefault(id(query), []).append(number)
        found: dict[str, np.ndarray] = {}
        with Progress(len(rows), "queries", progress) as bar:
            for numbers in rows.values():
                chosen = np.array(numbers)
                for name, values in self._features_of(phase, queries[numbers[0]], columns, chosen, now).items():
                    found.setdefault(name, np.empty((len(everything), *values.shape[1:]), values.dtype))[chosen] = values
                bar.advance(1)
        return found

    def _features_of(self, phase: dict[str, Any], query: Mapping[str, Any] | None, columns: _Columns, chosen: np.ndarray,
                     now: float | None) -> dict[str, np.ndarray]:
        values = self._bound(query, now)
        scores = self._scores(self._core.first_phase(), values, columns, None)
        columns.know("first_phase", scores)
        columns.know("second_phase", scores)
        return self._outputs(phase, values, columns, chosen)

    def __repr__(self) -> str:
        return f"<RankProfile {self.name}>"


class Profiles:
    """The rank profiles of a text, or of a file with ``Profiles.read(path)``.

    >>> import tenrex
    >>> profiles = tenrex.Profiles('''
    ... rank-profile fresh {
    ...     inputs { query(weight) double: 2 }
    ...     first-phase { expression: query(weight) * attribute(rating) - attribute(age) }
    ... }''')
    >>> profile = profiles.compile("fresh", attributes={"rating": "double", "age": "int"})
    >>> profile.rank({"rating": [1, 5, 3], "age": [0, 1, 0]}, {"weight": 1}, hits=2)
    [Hit(document=1, score=4.0), Hit(document=2, score=3.0)]
    """

    __slots__ = ("_core",)

    def __init__(self, text: str, file_name: str = "", folder: str | os.PathLike[str] | None = None) -> None:
        """``folder`` has the files that the profiles name; without it they are refused."""
        def read(path: str) -> bytes:
            with open(os.path.join(folder, path), "rb") as file:  # type: ignore[arg-type]
                return file.read()

        self._core = _core.ProfileSet(text, file_name, None if folder is None else read)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Profiles:
        """Reads a file; files that it names are read from its folder."""
        with open(path, encoding="utf-8") as file:
            return cls(file.read(), os.fspath(path), os.path.dirname(os.path.abspath(path)))

    @property
    def names(self) -> list[str]:
        """The names of the profiles, in the order of the text."""
        return self._core.names

    @property
    def warnings(self) -> list[str]:
        """Settings that are not known and were skipped."""
        return self._core.warnings

    def compile(self, name: str | None = None, *, attributes: Mapping[str, str | TensorType] | None = None,
                features: Mapping[str, str | TensorType] | Sequence[str] = (),
                undeclared_attributes: bool = False) -> RankProfile:
        """Compiles a profile: that of the name, or the only one.

        attributes
            Besides those of the schema in the text: "number", "string", "tensor<float>(x[3])", "array<string>",
            "weightedset<string>".
        features
            What the engine computes for each document, such as ``bm25(title)``, with types.
        undeclared_attributes
            Attributes that nobody declares are numbers; otherwise they are errors.
        """
        if name is None:
            if len(self.names) != 1:
                raise Error(f"there are {len(self.names)} profiles: {', '.join(self.names)}", "name one of them")
            name = self.names[0]
        given = features.items() if isinstance(features, Mapping) else [(feature, "double") for feature in features]
        return RankProfile(self._core.compile(
            name, [_attribute(attribute, spec) for attribute, spec in (attributes or {}).items()],
            [(feature, TensorType(of_type)._core) for feature, of_type in given], undeclared_attributes))

    def check(self, **options: Any) -> list[str]:
        """Compiles all profiles and gives the warnings; raises the first mistake."""
        found = self.warnings
        for name in self.names:
            found = found + self.compile(name, **options).warnings
        return found

    def __repr__(self) -> str:
        return f"<Profiles {', '.join(self.names)}>"
