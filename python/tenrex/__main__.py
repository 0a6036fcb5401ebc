"""python -m tenrex jsonl FILE...: documents of Parquet and Arrow files as JSON lines, for ``tenrex rank``."""

from __future__ import annotations

import argparse
import os
import sys

from tenrex import __version__
from tenrex._lines import write_lines


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tenrex", description="Tenrex, as far as the program tenrex cannot do it.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    lines = commands.add_parser("jsonl", help="documents of Parquet and Arrow files as JSON lines, for tenrex rank",
                                description="Writes the documents of Parquet and Arrow files to standard output, one a line.")
    lines.add_argument("files", nargs="+", metavar="FILE")
    lines.add_argument("--columns", metavar="NAME,NAME", help="only these columns, such as id,price")
    given = parser.parse_args(arguments)
    try:
        write_lines(given.files, given.columns.split(",") if given.columns else None)
        sys.stdout.flush()
    except BrokenPipeError:  # who read them has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, OSError) as error:  # pyarrow raises them, too
        print(f"tenrex: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
