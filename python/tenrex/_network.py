"""Networks in ONNX files."""

from __future__ import annotations

import os
from typing import Any, Mapping, NamedTuple

from tenrex._core import Network as CoreNetwork
from tenrex._error import Error
from tenrex._forest import Forest
from tenrex._made import Made, absolute


class Operator(NamedTuple):
    """An operator of a network: how many nodes have it, and whether it can be compiled."""

    name: str
    nodes: int
    is_supported: bool


class Network(Made):
    """A network for expressions: ``compile("sum(onnx(ranker).score)", document={...}, networks={"ranker": network})``.

    The inputs of the network are inputs of the expression, of the same names; axis ``i`` is the dimension ``d<i>``.
    ``onnx(ranker)`` is its first output.
    """

    __slots__ = ("_core",)

    def __init__(self, core: CoreNetwork) -> None:
        self._core = core

    @property
    def inputs(self) -> dict[str, str]:
        """What the file says of its inputs, such as "float[n,384]"."""
        return self._core.inputs

    @property
    def outputs(self) -> dict[str, str]:
        """What the file says of its outputs."""
        return self._core.outputs

    @property
    def operators(self) -> list[Operator]:
        """The operators of its nodes, by name."""
        return [Operator(*fields) for fields in self._core.operators]

    @property
    def parameters(self) -> int:
        """How many numbers its weights have."""
        return self._core.parameters

    @property
    def precision(self) -> str:
        """How it is multiplied with its weights."""
        return self._core.precision

    def __repr__(self) -> str:
        return f"<Network of {self.parameters} parameters, {', '.join(self.inputs)} to {', '.join(self.outputs)}>"


def onnx(model: Any, *, inputs: Mapping[str, str] | None = None, precision: str = "f32",
         folder: str | os.PathLike[str] = "") -> Network | Forest:
    """The network of an ONNX file or of its bytes; a Forest if the file has nothing but trees. A packed model that
    ``tenrex model FILE --precision P -o PACKED`` has made is taken, too.

    inputs
        What the inputs are in an expression if not inputs of the same names: ``{"input_ids": "query(tokens)"}``.
    precision
        How it is multiplied with its weights: "f32", "bf16" or "int8". A packed model has its own.
    folder
        Of bytes: where the files of weights are that they name.
    """
    if isinstance(model, (str, os.PathLike)):
        content: Any = os.fspath(model)
    elif isinstance(model, (bytes, bytearray, memoryview)):
        content = bytes(model)
    elif hasattr(model, "SerializeToString"):
        content = model.SerializeToString()
    else:
        raise Error(f"{type(model).__name__} is no model of ONNX", "a path, bytes or a ModelProto")
    names, beside = dict(inputs or {}), os.fspath(folder)
    core = CoreNetwork.open(content, beside, names, precision)
    made = Forest(core.forest()) if core.is_forest else Network(core)
    made._made_by(onnx, absolute(content) if isinstance(content, str) else content, inputs=names, precision=precision,
                  folder=absolute(beside) if beside else "")
    return made
