"""python -m tenrex jsonl FILE...: documents of Parquet, Arrow and numpy files as JSON lines, for ``tenrex rank``."""

from __future__ import annotations

import argparse
import os
import sys

from tenrex import __version__
from tenrex._lines import Columns, write_lines


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tenrex", description="Tenrex, as far as the program tenrex cannot do it.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    lines = commands.add_parser("jsonl", help="documents of Parquet, Arrow and numpy files as JSON lines, for tenrex rank",
                                description="Writes the documents of files to standard output, one a line. Files are Parquet, Arrow, "
                                            "or arrays of numpy whose dtype has fields.")
    lines.add_argument("files", nargs="+", metavar="FILE", help="- is standard input")
    which = lines.add_mutually_exclusive_group()
    which.add_argument("--columns", metavar="NAME,NAME", help="only these columns, such as id,price")
    which.add_argument("--if-there", metavar="NAME", action="append", help="only columns that are called so; may be repeated")
    given = parser.parse_args(arguments)
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # JSON, whatever the locale
    try:
        columns = Columns(given.columns.split(",") if given.columns else None, given.if_there)
        write_lines(given.files, columns, sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:  # who read them has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, OSError) as error:  # pyarrow raises them, too
        print(f"tenrex: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
