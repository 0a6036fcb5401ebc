"""Decision forests that LightGBM and XGBoost have trained."""

from __future__ import annotations

import os
from typing import Any, NamedTuple, Sequence

import numpy as np

from tenrex._core import Forest as CoreForest
from tenrex._error import Error
from tenrex._made import Made, absolute
from tenrex._plan import Plan, compile


class Feature(NamedTuple):
    """A feature of a forest: how many splits test it, and what they gained as the trainer noted it."""

    name: str
    is_categorical: bool
    categories: dict[str, float]
    splits: int
    gain: float


class Forest(Made):
    """A forest for expressions: ``compile("forest(clicks)", document=[...], forests={"clicks": forest})``.

    ``forest(clicks)`` is what the trainer predicts, ``forest(clicks).raw`` the sum of the leaves. The features are inputs
    of the names that the trainer knew.
    """

    __slots__ = ("_core",)

    def __init__(self, core: CoreForest) -> None:
        self._core = core

    @classmethod
    def _of(cls, model: Any, *options: Any) -> Forest:
        """Of a path, or of bytes that do not change."""
        make = CoreForest.load if isinstance(model, str) else CoreForest.read
        forest = cls(make(model, *options))
        forest._made_by(Forest._of, absolute(model) if isinstance(model, str) else model, *options)
        return forest

    @property
    def objective(self) -> str:
        """Such as "binary sigmoid:1"."""
        return self._core.objective

    @property
    def trees(self) -> int:
        """How many trees it has."""
        return self._core.trees

    @property
    def leaves(self) -> int:
        """How many leaves they have together."""
        return self._core.leaves

    @property
    def depth(self) -> int:
        """The most splits on the way to a leaf."""
        return self._core.depth

    @property
    def outputs(self) -> int:
        """How many numbers it predicts."""
        return self._core.outputs

    @property
    def features(self) -> list[Feature]:
        """All features of the file, also those that no tree uses."""
        return [Feature(*fields) for fields in self._core.features]

    @property
    def used_features(self) -> list[str]:
        """The features that trees use: an expression with the forest needs these inputs."""
        return self._core.used_features

    def plan(self, raw: bool = False) -> Plan:
        """A plan that predicts: its inputs are the features that trees use, as numbers of documents."""
        return compile("forest(model).raw" if raw else "forest(model)", document=self.used_features,
                       forests={"model": self})

    def contributions(self, values: Sequence[float]) -> np.ndarray:
        """What each feature adds to the raw score of one document, and last the expected score.

        values
            One for each of ``used_features``. Of several outputs the result has a row for each.
        """
        found = np.array(self._core.contributions([float(value) for value in values]))
        return found if self.outputs == 1 else found.reshape((self.outputs, -1))

    def __repr__(self) -> str:
        return f"<Forest of {self.trees} trees, {self._core.format}, {self.objective}>"


def _loaded(model: Any, feature_map: str, outputs: int, base_score: float) -> Forest | None:
    if isinstance(model, (str, os.PathLike)):
        return Forest._of(os.fspath(model), feature_map, outputs, base_score)
    if isinstance(model, (bytes, bytearray, memoryview)):
        return Forest._of(bytes(model), feature_map, outputs, base_score)
    return None


def lightgbm(model: Any) -> Forest:
    """The forest of a Booster of LightGBM, of a model of its interface for scikit-learn, of a file, or of its bytes."""
    loaded = _loaded(model, "", 1, 0.0)
    if loaded is not None:
        return loaded
    booster = getattr(model, "booster_", model)
    if not hasattr(booster, "model_to_string"):
        raise Error(f"{type(model).__name__} is no model of LightGBM", "a Booster, a path or bytes")
    return Forest._of(booster.model_to_string().encode(), "", 1, 0.0)


def xgboost(model: Any, *, feature_map: str = "", outputs: int = 1, base_score: float = 0.0) -> Forest:
    """The forest of a Booster of XGBoost, of a model of its interface for scikit-learn, of a file, or of its bytes.

    ``feature_map``, ``outputs`` and ``base_score`` are what a JSON dump leaves out; saved models need none of them.
    """
    loaded = _loaded(model, feature_map, outputs, base_score)
    if loaded is not None:
        return loaded
    booster = model.get_booster() if hasattr(model, "get_booster") else model
    if not hasattr(booster, "save_raw"):
        raise Error(f"{type(model).__name__} is no model of XGBoost", "a Booster, a path or bytes")
    return Forest._of(bytes(booster.save_raw("json")), feature_map, outputs, base_score)
