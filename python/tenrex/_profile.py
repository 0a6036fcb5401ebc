"""Rank profiles: compiling them, and ranking documents phase by phase."""

from __future__ import annotations

import os
import re
import time
from copy import deepcopy
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np

from tenrex import _core
from tenrex._error import Error
from tenrex._made import Made, absolute
from tenrex._plan import Plan
from tenrex._profile_columns import OF_DOCUMENTS, ProfileColumns
from tenrex._progress import Progress
from tenrex._tensor import Tensor
from tenrex._type import TensorType
from tenrex._values import core_tensor_for

_Kind = _core.AttributeKind


class Hit(NamedTuple):
    """A document, by its number among those that were given, and its score."""

    document: int
    score: float


def _attribute(name: str, spec: str | TensorType) -> tuple[str, Any, bool, Any, bool]:
    text = str(spec).replace(" ", "")
    if text.startswith("tensor"):
        return name, _Kind.tensor, False, TensorType(spec)._core, False
    match = re.fullmatch(r"(array|weightedset)<(\w+)>", text)
    if match:
        return name, _Kind.array if match.group(1) == "array" else _Kind.weighted_set, match.group(2) == "string", None, False
    if text == "string":
        return name, _Kind.string, True, None, False
    if text in ("number", "double", "float", "int", "long", "byte", "bool"):
        return name, _Kind.number, False, None, text == "bool"
    raise Error(f"there is no kind of attribute '{spec}'", "number, string, tensor<...>(...), array<T> or weightedset<T>")


def _nearest(attribute: str, query: str) -> tuple[str, str, str]:
    label, _, name = attribute.rpartition(":")
    return label, name, re.sub(r"^query\((.*)\)$", r"\1", query)


class RankProfile(Made):
    """A compiled rank profile. ``rank`` gives the best documents, ``features`` what it computes of them."""

    __slots__ = ("_core", "_kinds", "__weakref__")

    def __init__(self, core: _core.RankProfile) -> None:
        self._core = core
        self._kinds = {name: (kind, of_strings, is_bool) for name, kind, of_strings, _, is_bool in core.attributes}

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
                if source in OF_DOCUMENTS}

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

    def _outputs(self, phase: dict[str, Any], values: dict[str, Any], columns: ProfileColumns,
                 chosen: np.ndarray | None) -> dict[str, Any]:
        """The outputs of a phase for some documents, or for all."""
        query = Plan(phase["plan"]).bind({name: Tensor._of(value) for name, value in values.items()})
        count = (columns.count or 0) if chosen is None else len(chosen)
        given = columns.of(phase["columns"], chosen)
        outputs = query(given)
        # Without a column there is one value for all documents.
        return outputs if given else {name: np.array([value] * count) for name, value in outputs.items()}

    def _scores(self, phase: dict[str, Any], values: dict[str, Any], columns: ProfileColumns, chosen: np.ndarray | None) -> np.ndarray:
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
        columns = ProfileColumns(self, documents, seed)
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

    def _reranked(self, phase: dict[str, Any], values: dict[str, Any], columns: ProfileColumns, found: list[Any]) -> list[Any]:
        best = np.array([document for document, _ in found[:phase["rerank_count"]]], np.int64)
        scores = self._scores(phase, values, columns, best)
        limit = phase["drop_limit"]
        return [pair for pair in _core.rerank(found, scores) if limit is None or pair[1] > limit]

    def _normalize(self, values: dict[str, Any], columns: ProfileColumns, found: list[Any]) -> None:
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
        columns = ProfileColumns(self, documents, seed)
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
        columns = ProfileColumns(self, documents, seed)
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

    def _features_of(self, phase: dict[str, Any], query: Mapping[str, Any] | None, columns: ProfileColumns, chosen: np.ndarray,
                     now: float | None) -> dict[str, np.ndarray]:
        values = self._bound(query, now)
        scores = self._scores(self._core.first_phase(), values, columns, None)
        columns.know("first_phase", scores)
        columns.know("second_phase", scores)
        return self._outputs(phase, values, columns, chosen)

    def __repr__(self) -> str:
        return f"<RankProfile {self.name}>"


def _compiled(profiles: Profiles, name: str, options: dict[str, Any]) -> RankProfile:
    return profiles.compile(name, **options)


class Profiles(Made):
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
        self._made_by(Profiles, text, file_name, None if folder is None else absolute(folder))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Profiles:
        """Reads a file. What it names is looked for beside it, and in the application package around its folder ``schemas``.

        Behind a schema ``NAME.sd`` come the profiles in ``*.profile`` in the folder ``NAME`` and in those within it. The
        package's query profile types give the types of inputs.
        """
        made = cls.__new__(cls)
        made._core = _core.ProfileSet.read(os.fspath(path))
        made._made_by(cls.read, absolute(path))
        return made

    @property
    def names(self) -> list[str]:
        """The names of the profiles, in the order of the text."""
        return self._core.names

    @property
    def warnings(self) -> list[str]:
        """Settings that are not known and were skipped."""
        return self._core.warnings

    def _options(self, attributes: Mapping[str, str | TensorType] | None = None,
                 features: str | Mapping[str, str | TensorType] | Sequence[str] = (),
                 nearest: Mapping[str, str] | None = None, undeclared_attributes: bool = False) -> dict[str, Any]:
        names = [] if features == "*" else [features] if isinstance(features, str) else features
        given = names.items() if isinstance(names, Mapping) else [(feature, "double") for feature in names]
        return {"attributes": [_attribute(attribute, spec) for attribute, spec in (attributes or {}).items()],
                "features": [(feature, TensorType(of_type)._core) for feature, of_type in given],
                "all_features": features == "*",
                "nearest": [_nearest(*pair) for pair in (nearest or {}).items()],
                "undeclared_attributes": undeclared_attributes}

    def _chosen(self, name: str | None) -> str:
        if name is None:
            if len(self.names) != 1:
                raise Error(f"there are {len(self.names)} profiles: {', '.join(self.names)}", "name one of them")
            name = self.names[0]
        return name

    def compile(self, name: str | None = None, *, attributes: Mapping[str, str | TensorType] | None = None,
                features: str | Mapping[str, str | TensorType] | Sequence[str] = (), nearest: Mapping[str, str] | None = None,
                undeclared_attributes: bool = False) -> RankProfile:
        """Compiles a profile: that of the name, or the only one.

        attributes
            Besides those of the schema in the text: "number", "string", "tensor<float>(x[3])", "array<string>",
            "weightedset<string>".
        features
            What the engine computes for each document, such as ``bm25(title)``, with types. "*": all that engines are
            known to have, of the types that they have there.
        nearest
            Which input of the query ``closeness`` and ``distance`` compare an attribute with: ``{"embedding": "q"}``;
            ``{"label:embedding": "q"}`` for ``closeness(label,label)``.
        undeclared_attributes
            Attributes that nobody declares are numbers; otherwise they are errors.
        """
        chosen, options = self._chosen(name), self._options(attributes, features, nearest, undeclared_attributes)
        try:
            made = RankProfile(self._core.compile(chosen, options))
        except Error as error:
            if needs := self._core.needs(chosen, options):
                error.add_note(f"needs: features={[feature for feature, _ in needs]}")
            raise
        made._made_by(_compiled, self, chosen, deepcopy({"attributes": attributes, "features": features, "nearest": nearest,
                                                         "undeclared_attributes": undeclared_attributes}))
        return made

    def needs(self, name: str | None = None, **options: Any) -> dict[str, TensorType]:
        """The features of an engine that a profile uses and that the options of ``compile`` do not give.

        >>> import tenrex
        >>> profiles = tenrex.Profiles("rank-profile text { first-phase { expression: bm25(title) + attribute(age) } }")
        >>> profiles.needs(undeclared_attributes=True)
        {'bm25(title)': TensorType('double')}
        """
        needs = self._core.needs(self._chosen(name), self._options(**options))
        return {feature: TensorType._of(of_type) for feature, of_type in needs}

    def check(self, **options: Any) -> list[str]:
        """Compiles all profiles and gives the warnings; raises the first mistake."""
        found = self.warnings
        for name in self.names:
            found = found + self.compile(name, **options).warnings
        return found

    def __repr__(self) -> str:
        return f"<Profiles {', '.join(self.names)}>"
