#!/usr/bin/env python3
"""Writes the history as one HTML page that needs nothing else: no network, no scripts.

    perf/report/page.py --out build/perf/report.html

The page is about the machine that was measured last; --machine FILE chooses another one of perf/history.
"""

import argparse
import html
import json
import os
import pathlib
import sys

import answers
import distances
import encoder_section
import history
import svg

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SEED = "seed.nn"
STYLE = """
body { font: 14px/1.45 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.2rem; border-bottom: 1px solid #ccc; } h3 { margin: 1.6rem 0 .3rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .85rem; }
th, td { padding: .12rem .6rem; text-align: right; border-bottom: 1px solid #e4e4e4; } th { vertical-align: bottom; }
td { white-space: nowrap; } .wide { overflow-x: auto; }
th:first-child, td:first-child { text-align: left; }
code { background: #f4f4f4; padding: 0 .2rem; overflow-wrap: anywhere; } .soft { color: #777; }
a { color: #1f5fa8; text-decoration: none; } svg { max-width: 100%; height: auto; display: block; margin: .3rem 0; }
.columns { display: flex; flex-wrap: wrap; gap: 0 1.5rem; align-items: flex-start; }
.good { color: #1b6e20; } .bad { color: #b00020; }
@media print { body { max-width: none; margin: 0; font-size: 10pt; } table { font-size: 6.5pt; } th, td { padding: .05rem .3rem; }
  .wide { overflow: visible; } section svg { max-width: 72%; } .columns { gap: 0 .5rem; } p { margin: .3rem 0; } h3 { margin: .8rem 0 .2rem; }
  thead { display: table-header-group; } tr { break-inside: avoid; } section { break-inside: avoid; } a { color: inherit; } }
"""


def escape(value):
    return html.escape(str(value))


def number(value):
    return "" if value is None else f"{value:.2f}" if value < 1 else f"{value:.1f}" if value < 10 else f"{value:,.0f}"


def table(titles, rows):
    """Cells are HTML."""
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in rows)
    return f"<div class=\"wide\"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>\n"


def duration(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def columns(titles, rows, count=3):
    """A long table as several beside each other."""
    height = -(-len(rows) // count)
    parts = [table(titles, rows[i:i + height]) for i in range(0, len(rows), height)]
    return '<div class="columns">' + "".join(parts) + "</div>\n"


def ratio(value):
    return "" if value is None else f'<span class="{"good" if value <= 1 else "bad"}">{value:.2f}</span>'


def link(name):
    return f'<a href="#{escape(name)}">{escape(name)}</a>'


def header(record):
    arithmetic = ", ".join(f"{svg.short(speed)}op/s with {escape(cells)} ({escape(instruction)})"
                           for cells, instruction, speed in record["peaks"].get("arithmetic", []))
    arithmetic = arithmetic or f"{svg.short(record['peaks']['flops_per_second'])}flop/s"
    levels = ", ".join(f"{svg.short(level[2])}B/s from {escape(level[0])}" for level in record["peaks"]["levels"])
    stores = ", ".join(f"{svg.short(level[3])}B/s to {escape(level[0])}" for level in record["peaks"]["levels"] if len(level) > 3)
    levels += f"; stores {stores}" if stores else ""  # earlier records have none
    lookup = record["peaks"].get("lookup_seconds")
    levels += f"; a lookup of a label {1e9 * lookup:.2g} ns" if lookup else ""
    return (f"<p>Commit <b>{escape(record['commit'])}</b> of {escape(record['date'][:10])}: {escape(record['subject'])}.<br>"
            f"{escape(record['machine']['cpu'])}, {record['machine']['cores']} cores, measured {escape(record['measured'])}, "
            f"one thread.<br>{escape(record['compiler'])}, {escape(record['build'])}: <code>{escape(record['flags'])}</code><br>"
            f"Peaks of a core: {arithmetic}; loads {levels}.</p>\n"
            "<p>Times are nanoseconds for each document, the median of all runs, in blocks of 64 documents if nothing else "
            "is said, with the documents in the second-level cache where they fit. <code>docs/measuring.md</code> tells how "
            "they come about.</p>\n")


def named_ladder(record, case):
    return [(record["rungs"][rung], nanoseconds) for rung, nanoseconds in case["ladder"]]


def story(record):
    case = record["cases"].get(SEED)
    if not case or "ladder" not in case:
        return ""
    ladder = named_ladder(record, case)
    first, last = ladder[0], ladder[-1]
    return ("<section><h2>A small neural network, step by step</h2>\n"
            f"<p>Seven attributes become a vector, two layers with <code>elu</code> between them a score, for 10,000 documents: "
            f"from {first[1] / 100:,.1f} ms by {escape(first[0].split(', ')[-1])} to {last[1] / 100:,.2f} ms, "
            f"{first[1] / last[1]:,.0f} times as fast.</p>\n" + svg.bars(ladder, width=760) + "</section>\n")


def summary(record, cases):
    rows = []
    for name, measured in record["cases"].items():
        described = cases.get(name, {})
        median, least = measured["ns"]["64"]
        target = described.get("target_ns")
        peer = described.get("peer_ns")
        rows.append([link(name), number(measured["ns"]["1"][0]), number(median), number(least), number(target),
                     ratio(least / target if target else None), f"{svg.short(peer[0])}–{svg.short(peer[1])}" if peer else "",
                     f"{100 * measured['peak_share']:.0f} %", number(measured["compile_us"]),
                     str(measured["document_steps"])])
    titles = ["case", "block 1", "block 64", "least", "target", "÷ target", "peer", "of peak", "compile µs", "steps"]
    return f"<h2>All cases</h2>\n{table(titles, rows)}"


def rivals(record):
    names = []
    for measured in record["cases"].values():
        names += [name for name in measured.get("rivals", {}) if name not in names]
    rows = []
    for case, measured in record["cases"].items():
        if not measured.get("rivals"):
            continue
        own = measured["ns"]["64"][0]
        row = [link(case), number(own)]
        for name in names:
            outcome = measured["rivals"].get(name)
            row.append("" if outcome is None else f'<span class="soft">{escape(outcome)}</span>' if isinstance(outcome, str)
                       else f"{number(outcome)} ({outcome / own:.2f}×)")
        rows.append(row)
    if not rows:
        return ""
    return ("<h2>Rivals</h2>\n<p>The same data and the same results, nanoseconds for each document in blocks of 64; in "
            "parentheses how many times as long as Tenrex.</p>\n" + table(["case", "Tenrex", *names], rows))


# What some components should need at most, in nanoseconds.
COMPONENT_TARGETS = {
    "parse/hybrid": 1e4, "parse/lambdas": 1e4, "parse/net": 1e4, "parse/maxsim": 1e4, "parse/1000_trees": 5e7,
    "compile/hybrid": 3e4, "compile/lambdas": 3e4, "compile/net": 3e4, "compile/maxsim": 3e4, "compile/1000_trees": 2e7,
}


def components(record):
    rows = []
    for name, (nanoseconds, _) in record.get("components", {}).items():
        target = COMPONENT_TARGETS.get(name)
        rows.append([escape(name), duration(nanoseconds), duration(target) if target else "",
                     ratio(nanoseconds / target if target else None)])
    if not rows:
        return ""
    return ("<h2>What surrounds evaluating</h2>\n<p>From text to plan, values in the exchange formats, and ranking 10,000 "
            "documents from end to end, there for each document.</p>\n"
            + columns(["", "time", "target", "÷ target"], rows, 2))


def kernels(record):
    rows = [[escape(name.split("/")[0]), number(nanoseconds), f"{100 * least / nanoseconds:.0f} %"]
            for name, (nanoseconds, least) in record.get("kernels", {}).items()]
    if not rows:
        return ""
    return ("<h2>Kernels</h2>\n<p>Nanoseconds for a row of 768 cells, or of 96 bytes of bits, in blocks of 64 rows from the "
            "second-level cache, and the share of its roofline: what the peak for its cells, or the loads, allow.</p>\n"
            + columns(["kernel", "ns", "of peak"], rows))


def roofline(record):
    points = []
    for name, measured in record["cases"].items():
        moved = measured["document_bytes"]
        if "bytes_read_per_document" in measured:  # earlier records do not tell
            moved = measured["bytes_read_per_document"] + measured["bytes_written_per_document"]
        if measured["flops_per_document"] and moved:
            points.append((name, measured["flops_per_document"] / moved,
                           measured["flops_per_document"] * 1e9 / measured["ns"]["64"][0]))
    levels = [(name, speed) for name, _, speed, *_ in record["peaks"]["levels"]]
    roofs = {}
    for cells, _, speed in record["peaks"].get("arithmetic", [["float", "", record["peaks"]["flops_per_second"]]]):
        roofs[cells] = max(speed, roofs.get(cells, 0))
    return ("<section><h2>Roofline</h2>\n<p>Each point is a case. Lines are what one core can do at most with documents in that "
            "level of memory.</p>\n" + svg.roofline(points, roofs, levels)
            + table(distances.TITLES, distances.means(record)) + "</section>\n")


def comparisons(folder):
    """How good answers are, and what they cost: points that others beat are grey, the table has those that nothing beats."""
    parts = []
    for comparison in answers.COMPARISONS:
        points = comparison.points(folder)
        if points:
            titles, rows = answers.rows(comparison, points)
            parts.append(f"<section><h2>{escape(comparison.title)}</h2>\n<p>{escape(comparison.text)} Grey points cost more than another "
                         "one that is as good.</p>\n" + answers.picture(comparison, points) + "\n"
                         + table(titles, [[escape(cell) for cell in row] for row in rows]) + "</section>\n")
    return "".join(parts)


def inputs_text(described):
    words = []
    if forest := described.get("forest"):
        words.append(f"a forest of {forest['trees']} trees with {forest['leaves']} leaves over {forest['features']} doubles")
    for each in described.get("inputs", []):
        labels = "".join(f", {count} labels of {dimension}" for dimension, (count, _) in each.get("labels", {}).items())
        words.append(f"{each['stage']} <code>{escape(each['name'])}</code> {escape(each['type'])}{escape(labels)}")
    return "; ".join(words) if len(words) <= 8 else f"{len(words)} inputs"


def case_section(name, records, described):
    latest = records[-1]["cases"][name]
    shown = [r for r in records if name in r["cases"]]
    labels = [r["commit"] for r in shown]
    series = {f"block {size}": [r["cases"][name]["ns"].get(size, [None])[0] for r in shown] for size in ("1", "64")}
    parts = [f'<section id="{escape(name)}"><h3>{escape(name)}</h3>\n']
    if described:
        expression = described["expression"]
        parts.append(f"<p><code>{escape(expression if len(expression) < 400 else expression[:400] + '…')}</code><br>"
                     f'<span class="soft">{inputs_text(described)}</span></p>\n')
    parts.append(f"<p>{number(latest['ns']['64'][0])} ns in blocks of 64, {number(latest['ns']['1'][0])} alone; compiling "
                 f"{number(latest['compile_us'])} µs, binding {number(latest['bind_us'])} µs; {latest['document_steps']} "
                 f"steps, {latest['memory_bytes']:,} bytes of memory; {latest['document_bytes']:,} bytes of a document, from "
                 f"{escape(latest['cache_level'])}; {100 * latest['peak_share']:.0f} % of what the peaks allow.</p>\n")
    parts.append(svg.history(labels, series))
    if "ladder" in latest:
        parts.append(svg.bars(named_ladder(records[-1], latest)))
    return "".join(parts) + "</section>\n"


def page(records, cases, folder=ROOT / "perf/answers", encoders=ROOT / "perf/encoders/points"):
    """The page about the last of these records of one machine. cases: name -> what perf/expressions says of it. folder: has what answers
    cost. encoders: has what text encoders cost."""
    latest = records[-1]
    parts = ["<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tenrex: performance</title>\n"
             f"<meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head><body>\n"
             "<h1>Tenrex: performance</h1>\n", header(latest), story(latest), summary(latest, cases), rivals(latest),
             roofline(latest), components(latest), kernels(latest), comparisons(folder),
             encoder_section.section("{cpu}, {cores} cores".format(**latest["machine"]), table, encoders), "<h2>Case by case</h2>\n<p>Its history over commits, and what each part of the compiler adds: "
             "dark bars are faster than the one above them.</p>\n"]
    parts += [case_section(name, records, cases.get(name, {})) for name in latest["cases"]]
    return "".join(parts) + "</body></html>\n"


def read_cases(directory):
    cases = {}
    for path in sorted(pathlib.Path(directory).glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            cases[case["name"]] = case
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--history", default=str(ROOT / "perf/history"))
    parser.add_argument("--machine", help="a file of the history")
    parser.add_argument("--out", default=str(ROOT / "build/perf/report.html"))
    arguments = parser.parse_args()
    records = history.latest(arguments.history, arguments.machine)
    if not records:
        sys.exit("there is no record; perf/report/record.py makes one")
    os.makedirs(os.path.dirname(os.path.abspath(arguments.out)), exist_ok=True)
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write(page(records, read_cases(ROOT / "perf/expressions")))
    print(arguments.out)


if __name__ == "__main__":
    main()
