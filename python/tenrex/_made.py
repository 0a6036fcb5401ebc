"""What is pickled, and sent to other processes, by what it was made of."""

from __future__ import annotations

import os
from typing import Any, Callable

Source = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def made_again(function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """What a source makes."""
    return function(*arguments, **named)


class Made:
    """Something that does not change, made by a function: copies are itself, and pickling keeps the function's arguments.

    Where the other process reads it, the function is called again.
    """

    __slots__ = ("_source",)
    _source: Source

    def _made_by(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> None:
        self._source = function, arguments, named

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return made_again, self._source

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self


def absolute(path: str | os.PathLike[str]) -> str:
    """A path that means the same in another process on this machine."""
    return os.path.abspath(os.fspath(path))
