#!/usr/bin/env python3
"""Puts the figures of the latest record into docs/measuring.md, between its markers: all cases, and the seed's ladder.

    perf/report/tables.py                                  writes docs/measuring.md
    perf/report/tables.py --history /tmp/history --print   prints the tables
"""

import argparse
import pathlib
import sys

import history
import page

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def digits(value):
    return f"{value:,.1f}" if value < 10 else f"{value:,.0f}".replace(",", " ")


def results_table(record, cases):
    lines = [f"Commit {record['commit']}, {record['machine']['cpu']}, {record['compiler']}.", "",
             "| case | block 1, least | median | block 64, least | median | target | peer | ÷ target | compile µs |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for name, measured in record["cases"].items():
        described = cases.get(name, {})
        target, peer = described.get("target_ns"), described.get("peer_ns")
        cells = [name]
        for size in ("1", "64"):
            median, least = measured["ns"][size]
            cells += [digits(least), digits(median)]
        cells += [digits(target) if target else "", f"{digits(peer[0])}–{digits(peer[1])}" if peer else "",
                  f"{measured['ns']['64'][1] / target:.2f}" if target else "", digits(measured["compile_us"])]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def ladder_table(record, documents):
    rungs = page.named_ladder(record, record["cases"][page.SEED])
    lines = ["```", f"Case {page.SEED} of commit {record['commit']}: 7 attributes -> 14 -> 1, for {documents} documents, one thread",
             "", f"{'':<50}{'ns/document':>12}{'ms in all':>10}{'x before':>10}{'x naive':>9}"]
    naive = before = rungs[0][1]
    for what, nanoseconds in rungs:
        lines.append(f"{what:<50}{nanoseconds:>12.1f}{nanoseconds * documents / 1e6:>10.2f}{before / nanoseconds:>10.2f}"
                     f"{naive / nanoseconds:>9.0f}")
        before = nanoseconds
    return "\n".join(lines) + "\n```\n"


def replaced(text, marker, content):
    """The text with the content between <!-- marker: begin --> and <!-- marker: end -->."""
    begin, end = f"<!-- {marker}: begin -->\n", f"<!-- {marker}: end -->"
    if begin not in text or end not in text:
        sys.exit(f"there is no '{begin.strip()}' with its end")
    before, rest = text.split(begin, 1)
    return before + begin + content + end + rest.split(end, 1)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--history", default=str(ROOT / "perf/history"))
    parser.add_argument("--print", action="store_true")
    arguments = parser.parse_args()
    records = history.latest(arguments.history)
    if not records:
        sys.exit("there is no record; perf/report/record.py makes one")
    cases = page.read_cases(ROOT / "perf/expressions")
    results = results_table(records[-1], cases)
    ladder = ladder_table(records[-1], cases[page.SEED]["documents"])
    if arguments.print:
        print(results, ladder, sep="\n")
        return
    path = ROOT / "docs/measuring.md"
    text = replaced(path.read_text(encoding="utf-8"), "results", results)
    path.write_text(replaced(text, "ladder", ladder), encoding="utf-8")


if __name__ == "__main__":
    main()
