"""Documents of Parquet and Arrow files as JSON lines, as ``tenrex rank`` reads them."""

from __future__ import annotations

import decimal
import json
import math
import sys
from typing import Any, Iterable, Iterator, Sequence, TextIO

from tenrex._error import Error


def _pyarrow() -> Any:
    try:
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError:
        raise Error("Parquet and Arrow files are read with pyarrow, which is not installed", "pip install pyarrow") from None
    return pyarrow


def _batches(path: str, columns: Sequence[str] | None) -> Iterator[Any]:
    """The record batches of a file, one in memory at a time."""
    pyarrow = _pyarrow()
    with open(path, "rb") as file:
        magic = file.read(6)
        if magic[:4] == b"PAR1":
            source = pyarrow.parquet.ParquetFile(path)
            names, batches = source.schema_arrow.names, source.iter_batches(batch_size=4096, columns=columns)
        elif magic == b"ARROW1":
            reader = pyarrow.ipc.open_file(path)
            names = reader.schema.names
            batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
        else:
            raise Error(f"{path} is neither a Parquet file nor one of Arrow", "Arrow files are also called Feather, version 2")
        for name in columns or []:
            if name not in names:
                raise Error(f"{path} has no column '{name}'", f"it has {', '.join(names)}")
        for batch in batches:
            yield batch.select(columns) if columns is not None else batch


def _number(value: float) -> float | int | None:
    # JSON has no infinity, but numbers that are read as one.
    return None if math.isnan(value) else value if math.isfinite(value) else int(math.copysign(1, value)) * 10**400


def _plain(value: Any, column: str) -> Any:
    """A value of pyarrow as JSON can say it."""
    if value is None or isinstance(value, (str, int)):
        return int(value) if isinstance(value, bool) else value
    if isinstance(value, (float, decimal.Decimal)):
        return _number(float(value))
    if isinstance(value, dict):
        return {str(key): _plain(each, column) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each, column) for each in value]
    raise Error(f"the column '{column}' has values of the type {type(value).__name__}, which a document cannot have",
                "cast it, or leave it out: --columns with the others")


def documents_of(path: str, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet or Arrow file, as dicts without what is null."""
    for batch in _batches(path, columns):
        maps = {field.name for field in batch.schema if field.type.id == _pyarrow().lib.Type_MAP}
        for row in batch.to_pylist():
            yield {name: _plain(dict(value) if name in maps else value, name) for name, value in row.items()
                   if value is not None}


def write_lines(paths: Iterable[str], columns: Sequence[str] | None = None, out: TextIO | None = None) -> int:
    """Writes the documents of files as JSON lines and gives their number."""
    count = 0
    for path in paths:
        for document in documents_of(path, columns):
            print(json.dumps(document, ensure_ascii=False, separators=(",", ":")), file=out or sys.stdout)
            count += 1
    return count
