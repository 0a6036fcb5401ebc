"""Modules that need ICU, a library of the system: they are imported when they are used."""

from __future__ import annotations

import importlib
from typing import Any

from tenrex._error import Error


def module_with_icu(name: str) -> Any:
    try:
        return importlib.import_module(f"tenrex.{name}")
    except ImportError as reason:
        raise Error(f"tokenizers need ICU, which cannot be loaded: {reason}",
                    "install the library that is named; on Debian 12 it is in the package libicu72") from reason
