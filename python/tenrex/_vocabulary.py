"""The vocabulary of the language."""

from __future__ import annotations

from tenrex import _core


def functions() -> dict[str, str]:
    """The functions of the language: signatures with what they do."""
    return {signature: summary for _, signature, summary, _ in _core.functions()}


def optimizations() -> list[str]:
    """The names of all optimizations, in the order in which they run."""
    return list(_core.optimizations())
