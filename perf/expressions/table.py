#!/usr/bin/env python3
"""Writes the results of expressions_benchmark as a Markdown table.

    expressions_benchmark --json > results.jsonl
    perf/expressions/table.py results.jsonl                            prints the table
    perf/expressions/table.py results.jsonl --into docs/measuring.md   puts it between the markers of that page

Several files, or a file with a case several times, give for each figure the median of the medians and the least of all.
"""

import argparse
import json
import statistics
import sys

BEGIN = "<!-- results: begin -->"
END = "<!-- results: end -->"


def read(paths):
    """The cases in their order, each with all its records."""
    cases = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.strip():
                    record = json.loads(line)
                    cases.setdefault(record["name"], []).append(record)
    return cases


def digits(value):
    return f"{value:,.1f}" if value < 10 else f"{value:,.0f}".replace(",", " ")


def row(name, records):
    errors = [r["error"] for r in records if "error" in r]
    if errors:
        return [name, "fails: " + errors[0].splitlines()[0].replace("|", "\\|")] + [""] * 7
    cells = [name]
    least = {}
    for block in ("1", "64"):
        least[block] = min(r["least_ns_per_document"][block] for r in records)
        cells += [digits(least[block]), digits(statistics.median(r["ns_per_document"][block] for r in records))]
    target = records[0].get("target_ns")
    peer = records[0].get("peer_ns")
    cells.append(digits(target) if target else "")
    cells.append(f"{digits(peer[0])}–{digits(peer[1])}" if peer else "")
    cells.append(f"{least['64'] / target:.2f}" if target else "")
    cells.append(digits(statistics.median(r["compile_us"] for r in records)))
    return cells


def table(cases):
    lines = ["| case | block 1, least | median | block 64, least | median | target | peer | ÷ target | compile µs |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for name, records in cases.items():
        lines.append("| " + " | ".join(row(name, records)) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+")
    parser.add_argument("--into", metavar="PAGE")
    arguments = parser.parse_args()
    text = table(read(arguments.results))
    if arguments.into is None:
        print(text, end="")
        return 0
    with open(arguments.into, encoding="utf-8") as file:
        page = file.read()
    if BEGIN not in page or END not in page:
        print(f"{arguments.into} has no '{BEGIN}' and '{END}'", file=sys.stderr)
        return 1
    before, rest = page.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    with open(arguments.into, "w", encoding="utf-8") as file:
        file.write(f"{before}{BEGIN}\n{text}{END}{after}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
