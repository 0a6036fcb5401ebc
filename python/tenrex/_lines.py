"""Documents of Parquet and Arrow files and arrays of numpy as JSON lines, as ``tenrex rank`` reads them."""

from __future__ import annotations

import decimal
import json
import math
from typing import Any, BinaryIO, Iterable, Iterator, Sequence, TextIO

import numpy as np

from tenrex._error import Error


def _pyarrow() -> Any:
    try:
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError:
        raise Error("Parquet and Arrow files are read with pyarrow, which is not installed", "pip install pyarrow") from None
    return pyarrow


class Columns:
    """Which columns of files are taken: all, those that ``named`` are, or what the files have of ``if_there``."""

    def __init__(self, named: Sequence[str] | None = None, if_there: Sequence[str] | None = None) -> None:
        self._named, self._if_there = named, if_there

    def of(self, name: str, there: Sequence[str]) -> list[str]:
        """Those of a file that has these."""
        for column in self._named or []:
            if column not in there:
                raise Error(f"{name} has no column '{column}'", f"it has {', '.join(there)}")
        if self._if_there is not None:
            return [column for column in there if column in self._if_there]
        return list(there if self._named is None else self._named)


def _array_rows(file: BinaryIO, name: str, columns: Columns) -> Iterator[dict[str, Any]]:
    """The rows of an array of numpy whose dtype has fields."""
    array = np.load(file, allow_pickle=False)
    if array.dtype.names is None or array.ndim != 1:
        raise Error(f"the array of {array.dtype} with the shape {array.shape} has no names of fields",
                    "tenrex rank --column FIELD=FILE.npy takes it as a field")
    taken = columns.of(name, array.dtype.names)
    for row in array:
        yield {column: _plain(row[column].tolist(), column) for column in taken}


def _record_batches(file: BinaryIO, name: str, columns: Columns) -> Iterator[Any]:
    """The record batches of a Parquet or Arrow file, one in memory at a time."""
    pyarrow = _pyarrow()
    is_parquet = file.read(4) == b"PAR1"
    file.seek(0)
    if is_parquet:
        source = pyarrow.parquet.ParquetFile(file)
        yield from source.iter_batches(batch_size=4096, columns=columns.of(name, source.schema_arrow.names))
    else:
        reader = pyarrow.ipc.open_file(file)
        taken = columns.of(name, reader.schema.names)
        for number in range(reader.num_record_batches):
            yield reader.get_batch(number).select(taken)


def _rows_of_numbers(array: Any) -> list[Any] | None:
    """Of a column of lists of finite numbers, which are many in vectors; None of others."""
    types = _pyarrow().types
    is_list = types.is_list(array.type) or types.is_large_list(array.type) or types.is_fixed_size_list(array.type)
    if not is_list or not (types.is_floating(array.type.value_type) or types.is_integer(array.type.value_type)):
        return None
    flat = array.flatten()
    numbers = flat.to_numpy(zero_copy_only=False)
    if flat.null_count or not np.isfinite(numbers).all():
        return None
    cells, rows, begin = numbers.tolist(), [], 0
    for length in array.value_lengths().to_pylist():
        rows.append(None if length is None else cells[begin:begin + length])
        begin += length or 0
    return rows


def _column_values(array: Any, name: str) -> list[Any]:
    """The values of a column as JSON can say them."""
    rows = _rows_of_numbers(array)
    if rows is not None:
        return rows
    is_map = _pyarrow().types.is_map(array.type)
    return [_plain(dict(value) if is_map and value is not None else value, name) for value in array.to_pylist()]


def _table_rows(file: BinaryIO, name: str, columns: Columns) -> Iterator[dict[str, Any]]:
    for batch in _record_batches(file, name, columns):
        values = [_column_values(column, each) for column, each in zip(batch.columns, batch.schema.names)]
        for row in zip(*values) if values else [()] * batch.num_rows:
            yield {each: value for each, value in zip(batch.schema.names, row) if value is not None}


def _number(value: float) -> float | int | None:
    # JSON has no infinity, but numbers that are read as one.
    return None if math.isnan(value) else value if math.isfinite(value) else int(math.copysign(1, value)) * 10**400


def _plain(value: Any, column: str) -> Any:
    """A value of pyarrow or numpy as JSON can say it."""
    if value is None or isinstance(value, (str, int)):
        return int(value) if isinstance(value, bool) else value
    if isinstance(value, (float, decimal.Decimal)):
        return _number(float(value))
    if isinstance(value, dict):
        return {str(key): _plain(each, column) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each, column) for each in value]
    raise Error(f"the column '{column}' has values of the type {type(value).__name__}, which a document cannot have",
                "cast it to numbers, texts or lists, or leave it out: --columns with the others")


def documents_of(path: str, columns: Columns) -> Iterator[dict[str, Any]]:
    """The rows of a file, as dicts without what is null. "-" is standard input, which must be a file, too."""
    name = "standard input" if path == "-" else path
    with open(0 if path == "-" else path, "rb", closefd=path != "-") as file:
        magic = file.read(6)
        file.seek(0)
        if magic == b"\x93NUMPY":
            rows = _array_rows(file, name, columns)
        elif magic == b"ARROW1" or magic[:4] == b"PAR1":
            rows = _table_rows(file, name, columns)
        else:
            raise Error(f"{name} is neither a Parquet file, nor one of Arrow, nor an array of numpy",
                        "Arrow files are also called Feather, version 2")
        yield from rows


def write_lines(paths: Iterable[str], columns: Columns, out: TextIO) -> None:
    """Writes the documents of files as JSON lines."""
    for path in paths:
        for document in documents_of(path, columns):
            print(json.dumps(document, ensure_ascii=False, separators=(",", ":")), file=out)
