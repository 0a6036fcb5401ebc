"""What is wrong with an expression or a value: where, why and what to do about it."""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence


class Issue(NamedTuple):
    """One finding about a text; lines and columns count from 1, ``begin`` and ``end`` are bytes from the start."""

    severity: str
    line: int
    column: int
    begin: int
    end: int
    message: str
    hint: str
    excerpt: str


class Error(ValueError):
    """A mistake in an expression, a type, a profile or a value.

    ``str(error)`` is for people: the message, the place with a caret below it, and a hint. ``error.issues`` has the
    same in parts; an error of a value has one issue without a place.
    """

    issues: tuple[Issue, ...]

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message}\n  hint: {hint}" if hint else message)
        self.issues = (Issue("error", 1, 1, 0, 0, message, hint, ""),)

    @classmethod
    def of_issues(cls, text: str, issues: Sequence[dict[str, Any]]) -> Error:
        """The error of a text, with all its issues."""
        error = cls(text.rstrip("\n"))
        error.issues = tuple(Issue(**issue) for issue in issues)
        return error

    @property
    def hint(self) -> str:
        """The hint of the first issue."""
        return self.issues[0].hint
