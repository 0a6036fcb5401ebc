"""Compiling expressions, and evaluating documents."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np

from tenrex import _core
from tenrex._cells import from_cells
from tenrex._columns import as_mapping
from tenrex._error import Error
from tenrex._made import Made, Source, made_again
from tenrex._tensor import Tensor
from tenrex._type import TensorType

Inputs = Mapping[str, "str | TensorType"] | Sequence[str]


class Labels:
    """The ids of labels, for plans whose documents have them in common: ``compile(..., labels=labels)``."""

    __slots__ = ("_core",)

    def __init__(self) -> None:
        self._core = _core.LabelTable()

    def __reduce__(self) -> tuple[type[Labels], tuple[()]]:
        return Labels, ()  # what is numbered elsewhere gets numbers there

    def __copy__(self) -> Labels:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Labels:
        return self


class Documents(_core.Documents):
    """Columns of documents, read once, for many queries of one plan. ``len`` is how many there are.

    It keeps the arrays alive and reads them where they are: what is written to them later is seen.
    """

    def __init__(self, plan: Plan, values: Any, named: dict[str, Any]) -> None:
        super().__init__(plan._core, {} if values is None else as_mapping(values), named)

    def __reduce__(self) -> Any:
        raise TypeError("documents that were read for a plan cannot be copied or pickled\n"
                        "  hint: pickle the columns, and call documents() of the plan there")

    def __len__(self) -> int:
        return 1 if self._count is None else self._count

    def __repr__(self) -> str:
        return f"<Documents: {len(self)}>"


class Profile:
    """What the steps of a plan took for some documents. Notebooks show it as bars."""

    def __init__(self, steps: list[Step], seconds: list[float], documents: int) -> None:
        self.steps, self.seconds, self.documents = steps, seconds, documents

    def __repr__(self) -> str:
        return "\n".join(f"{second * 1e6:10.1f} us  {step.what}" for step, second in zip(self.steps, self.seconds))

    def _repr_html_(self) -> str:
        from tenrex._html import profile_html
        return profile_html(self)


@_core.called_directly
class Query(_core.CalledQuery):
    """A plan with the values of one query. Threads may share it; evaluating lets other threads of Python run.

    Call it with a value for each document input. Those with one axis more than the input's dimensions have a row for
    each document, the others hold for all documents: ``query(documents, out=..., column=...)``.

    documents
        ``Documents``, a dict, a DataFrame, a structured array or an Arrow table; for names that are no words of
        Python, such as ``{"bm25(title)": scores}``.
    out
        An array of doubles that takes the scores; of several outputs a dict of them.
    columns
        Values by the names of inputs; ``d`` also means ``attribute(d)``.

    The values of the expression come back, or a dict of them if the plan has several outputs. Scalars give an array of
    doubles, dense tensors an array with an axis of documents in front, and tensors with labels a list of ``Tensor``.
    Without an axis of documents it is one number, array or Tensor.

    >>> import numpy as np, tenrex
    >>> plan = tenrex.compile("sum(q * d) - price", query={"q": "tensor<float>(x[2])"},
    ...                       document={"d": "tensor<float>(x[2])", "price": "double"})
    >>> query = plan.bind(q=[1, 2])
    >>> query(d=np.array([[1, 0], [0, 1], [1, 1]], np.float32), price=0.5)
    array([0.5, 1.5, 2.5])
    >>> query(d=[1, 1], price=1)
    2.0
    """

    __slots__ = ()

    @property
    def plan(self) -> Plan:
        """The plan that it belongs to."""
        return self._plan

    def _call(self, documents: Any = None, /, *, out: Any = None, **columns: Any) -> Any:
        """Calls that need more than dicts and arrays."""
        if documents is not None and type(documents) is not dict and not isinstance(documents, Documents):
            documents = as_mapping(documents)
        if self._plan._only_scalars:
            if out is not None and self._plan._names is not None:
                self._check_out(out, self._plan._names)
            return self._core.scores(documents, columns, out)
        if out is not None:
            raise Error("only scores can be written to an array of the caller, and an output is no scalar",
                        "reduce it to a scalar")
        return self._tensors(documents, columns)

    def _check_out(self, out: Any, names: list[str]) -> None:
        if not isinstance(out, dict) or not set(out) <= set(names):
            raise Error(f"out must be a dict of arrays for the outputs {', '.join(names)}")

    def _tensors(self, documents: Any, columns: dict[str, Any]) -> Any:
        if not isinstance(documents, _core.Documents):
            documents, columns = _core.Documents(self._plan._core, documents or {}, columns), {}
        results: dict[str, Any] = {}
        for (name, of_type), values in zip(self._plan._core.outputs, self._core.tensors(documents, columns)):
            if isinstance(values, list):
                tensors = [Tensor._of(value) for value in values]
                results[name] = tensors[0] if documents._count is None else tensors
            else:
                results[name] = from_cells(values, of_type.cell_type)
        return results[""] if list(results) == [""] else results

    def profile(self, documents: Any = None, /, **columns: Any) -> Profile:
        """Evaluates the documents and measures each step."""
        made = documents if isinstance(documents, Documents) else Documents(self._plan, documents, columns)
        return Profile(self._plan.steps("document"), self._core.profile(made, {}), len(made))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _bound, (self._plan, {name: Tensor._of(value) for name, value in self._core.values})

    def __copy__(self) -> Query:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Query:
        return self

    def __repr__(self) -> str:
        return f"<Query of {self._plan!r}>"


def _bound(plan: Plan, values: dict[str, Tensor]) -> Query:
    return plan.bind(values)


class Step:
    """A step of a plan. What it computes and moves is estimated.

    ``text`` is the part of the expression that it computes, and ``place`` its line and column, both empty if it is none.
    """

    __slots__ = ("what", "kernel", "flops", "bytes_read", "bytes_written", "per_block", "per_shared_block", "text", "place")

    def __init__(self, **fields: Any) -> None:
        for name in self.__slots__:
            setattr(self, name, fields[name])

    what: str
    kernel: str
    flops: float
    bytes_read: float
    bytes_written: float
    per_block: bool
    per_shared_block: bool
    text: str
    place: str

    def __repr__(self) -> str:
        return f"<Step: {self.what}>"


class Plan(Made):
    """A compiled expression. Threads may share it.

    ``bind`` gives it the values of a query, then the query is called with documents.
    """

    __slots__ = ("_core", "_only_scalars", "_names", "__weakref__")

    def __init__(self, core: _core.Plan) -> None:
        self._core = core
        names = [name for name, _ in core.outputs]
        self._names = None if names == [""] else names  # None: a single expression
        self._only_scalars = all(not of_type.dimensions for _, of_type in core.outputs)

    @property
    def outputs(self) -> dict[str, TensorType]:
        """The types of the outputs by their names; a single expression has the name ""."""
        return {name: TensorType._of(of_type) for name, of_type in self._core.outputs}

    @property
    def query_inputs(self) -> dict[str, TensorType]:
        """What ``bind`` needs: the inputs that the expression uses."""
        return {name: TensorType._of(of_type) for name, _, of_type, _ in self._core.query_inputs}

    @property
    def document_inputs(self) -> dict[str, TensorType]:
        """What calling a query needs: the inputs that the expression uses."""
        return {name: TensorType._of(of_type) for name, _, of_type, _ in self._core.document_inputs}

    @property
    def warnings(self) -> list[str]:
        """What looks wrong in the expression."""
        return self._core.warnings

    def bind(self, values: Any = None, /, **named: Any) -> Query:
        """Gives values to the inputs of the query, by their names; ``q`` also means ``query(q)``.

        Values are numbers, arrays, dicts from labels to blocks, literals of the language or ``Tensor``; names that are
        no words of Python come in a dict: ``bind({"query(a.b)": 1})``. What depends on the query alone is computed now.
        """
        return Query(self, self._core.bind({} if values is None else as_mapping(values), named))

    def documents(self, values: Any = None, /, **columns: Any) -> Documents:
        """Reads columns once for many queries, as calling a query would."""
        return Documents(self, values, columns)

    def explain(self, why: bool = False) -> str:
        """What is done when, by which kernels; with ``why`` also the kernels that were not taken."""
        return self._core.explain(why)

    def steps(self, stage: str = "document") -> list[Step]:
        """The steps for constants, for each query or for each document."""
        if stage not in ("constant", "query", "document"):
            raise Error(f"there is no stage '{stage}'", "the stages are constant, query and document")
        return [Step(**fields) for fields in self._core.steps(stage)]

    def graph(self) -> Graph:
        """The optimized graph from which the plan was made. Notebooks show it as a drawing."""
        return Graph(self._core.graph(), self._core.graph_dot())

    def __repr__(self) -> str:
        names = ", ".join(f"{name}: {of_type}" if name else str(of_type) for name, of_type in self._core.outputs)
        inputs = ", ".join(name for name, _, _, _ in [*self._core.query_inputs, *self._core.document_inputs])
        return f"<Plan of {inputs or 'no inputs'} to {names}>"

    def _repr_html_(self) -> str:
        from tenrex._html import plan_html
        return plan_html(self)


class Graph:
    """The operations of a plan. ``str(graph)`` is a text, ``graph.dot`` is for Graphviz, ``graph.svg()`` a drawing."""

    __slots__ = ("text", "dot")

    def __init__(self, text: str, dot: str) -> None:
        self.text, self.dot = text, dot

    def __str__(self) -> str:
        return self.text

    def svg(self) -> str:
        """A drawing."""
        from tenrex._graph_svg import svg_of_dot
        return svg_of_dot(self.dot)

    _repr_svg_ = svg


def _declared(inputs: Inputs) -> list[tuple[str, _core.TensorType | str]]:
    if isinstance(inputs, str):
        raise Error(f"inputs must be a dict from names to types, not {inputs!r}", f"{{{inputs!r}: \"double\"}}")
    if isinstance(inputs, Mapping):
        return [(name, "string" if of_type == "string" else TensorType(of_type)._core) for name, of_type in inputs.items()]
    return [(name, TensorType("double")._core) for name in inputs]


def _short(name: str) -> str:
    for prefix in ("query(", "attribute("):
        if name.startswith(prefix) and name.endswith(")"):
            return name[len(prefix):-1]
    return name


def compile(expression: str | Mapping[str, str], *, query: Inputs = (), document: Inputs = (),
            constants: Mapping[str, Any] | None = None, forests: Mapping[str, Any] | None = None,
            networks: Mapping[str, Any] | None = None, dialect: str = "core", seed: int = 0, max_isa: str = "",
            disable: Sequence[str] = (), labels: Labels | None = None) -> Plan:
    """Makes a plan of an expression, or of several by their names.

    expression
        A ranking expression; a dict of them gives one plan with several outputs, which computes once what they share.
    query, document
        The inputs that come with a query and with each document: a dict from names to types, or to "string" for texts. A
        list of names declares doubles.
    constants
        Values that are known now: numbers, literals, or ``Tensor``.
    forests
        Decision forests by the names that the expression calls: ``forest(clicks)``; see ``lightgbm`` and ``xgboost``.
    networks
        Networks by the names that the expression calls: ``onnx(ranker).score``; see ``onnx``.
    dialect
        "core" or "java": which meaning a text has where the two languages differ.
    seed
        Of the function ``random``.
    max_isa
        The widest instruction set: "baseline", "avx2", "avx512" or "native".
    disable
        Optimizations to leave out, by the names that ``optimizations()`` gives.
    labels
        A table of labels that several plans share.

    Raises ``Error`` with every mistake of the text:

    >>> import tenrex
    >>> tenrex.compile("sum(q * dd)", query={"q": "tensor<float>(x[3])"}, document={"d": "tensor<float>(x[3])"})
    Traceback (most recent call last):
    tenrex.Error: 1:9: error: unknown symbol 'dd'
      sum(q * dd)
              ^~
      hint: did you mean 'd'?
    """
    if dialect not in ("core", "java"):
        raise Error(f"there is no dialect '{dialect}'", "the dialects are core and java")
    declared = [*_declared(query), *_declared(document)]
    texts = expression if isinstance(expression, str) else list(expression.items())
    if not texts and not isinstance(texts, str):
        raise Error("there is no expression")
    disabled = list(disable)
    options = {"java": dialect == "java", "seed": seed, "max_isa": max_isa, "disabled": disabled,
               "forests": [(name, forest._core) for name, forest in (forests or {}).items()],
               "networks": [(name, network._core) for name, network in (networks or {}).items()],
               "labels": None if labels is None else labels._core,
               "declared": frozenset(part for name, _ in declared for part in (name, _short(name)))}
    tensors = {name: Tensor(value) for name, value in (constants or {}).items()}
    plan = Plan(_core.compile(texts, _declared(query), _declared(document),
                              [(name, tensor._core) for name, tensor in tensors.items()], options))
    # Models are not kept for it, but what they were made of: the plan has of them what it needs.
    plan._made_by(_compiled_again, expression if isinstance(expression, str) else dict(expression), _sources(forests),
                  _sources(networks), query=_types(query), document=_types(document), constants=tensors, dialect=dialect,
                  seed=seed, max_isa=max_isa, disable=disabled, labels=labels)
    return plan


def _types(inputs: Inputs) -> dict[str, str]:
    return {name: str(of_type) for name, of_type in _declared(inputs)}


def _sources(models: Mapping[str, Any] | None) -> dict[str, Source]:
    return {name: model._source for name, model in (models or {}).items()}


def _compiled_again(expression: str | Mapping[str, str], forests: Mapping[str, Source], networks: Mapping[str, Source],
                    **others: Any) -> Plan:
    return compile(expression, forests={name: made_again(*source) for name, source in forests.items()},
                   networks={name: made_again(*source) for name, source in networks.items()}, **others)
