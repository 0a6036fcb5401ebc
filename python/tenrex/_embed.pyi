# The module for encoders of texts that is compiled. Programs use the package.
from typing import Any

class Embedder:
    @staticmethod
    def load(path: str, settings: dict[str, Any]) -> tuple[Embedder, str, int | None]: ...
    size: int
    cache_statistics: dict[str, int] | None
    def embed(self, texts: list[str], cells: str, threads: int) -> tuple[Any, int]: ...
