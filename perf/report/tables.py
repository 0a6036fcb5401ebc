#!/usr/bin/env python3
"""Puts the figures of the latest record into README.md and docs/measuring.md, with those of text encoders, and those of answers into the
pages about them.

    perf/report/tables.py              writes them: make perf-docs
    perf/report/tables.py --check      fails if they are not what the record says
    perf/report/tables.py --history /tmp/history --print   prints the tables

Tables stand between <!-- NAME: begin --> and <!-- NAME: end -->; single figures, which name their case, are written as
<!-- figure ns CASE BLOCK -->12<!-- end -->, or with `steps CASE`, `gigaflops CASE` or `consumer`.
"""

import argparse
import pathlib
import re
import sys

import answers
import distances
import encoders
import history
import page

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = ("README.md", "docs/measuring.md")
ANSWER_PAGES = ("docs/text_vectors.md", "examples/question_answering/README.md")


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


def components_table(record):
    lines = [f"Commit {record['commit']}, {record['machine']['cpu']}.", "", "| component | time | target | bytes/s |", "|---|--:|--:|--:|"]
    for name, (nanoseconds, speed) in record["components"].items():
        target = page.COMPONENT_TARGETS.get(name)
        lines.append(f"| {name} | {page.duration(nanoseconds)} | {page.duration(target) if target else ''} | "
                     f"{page.svg.short(speed) if speed else ''} |")
    return "\n".join(lines) + "\n"


def ranking_table(record):
    ranking = record["ranking"]
    lines = ["```", f"{ranking[0]['documents']} documents, commit {record['commit']}, {record['machine']['cores']} processors",
             f"{'threads':>7}{'loaded docs/s':>16}{'MB/s':>10}{'bytes/doc':>13}{'memory MB':>13}{'ns/doc':>11}{'queries/s':>11}"]
    for each in ranking:
        lines.append(f"{each['threads']:>7}{each['load_documents_per_second']:>16}{each['load_megabytes_per_second']:>10}"
                     f"{each['bytes_per_document']:>13}{each['most_memory_bytes'] / 1e6:>13.0f}"
                     f"{each['nanoseconds_per_document']:>11.1f}{each['queries_per_second']:>11.1f}")
    return "\n".join(lines) + "\n```\n"


# What the cases with rivals compute, for those who do not know their names.
RIVAL_CASES = {
    "euclidean.768": "distance of two vectors of 768 floats", "dot.f32.128": "dot product of 128 floats",
    "dot.f32.768": "dot product of 768 floats", "trees.1x4": "one tree of depth 4", "trees.10x3": "10 trees of depth 3",
    "maxsim.f32": "MaxSim of 32 × 128 tokens of 128 floats", "matmul.f32": "128 × 768 floats times 768 × 768",
    "xw.100x64": "layer of 100 to 64 cells", "net.100-64-1": "network of 100, 64 and 1 cells",
    "net.768-256-1": "network of 768, 256 and 1 cells",
}


def rivals_table(record):
    """Medians of blocks of 64; a rival that has no such operation, or was not there, has no figure."""
    names = list(dict.fromkeys(name for measured in record["cases"].values() for name in measured.get("rivals", {})))
    lines = ["| nanoseconds of a document | Tenrex | " + " | ".join(names) + " |", "|---" + "|--:" * (1 + len(names)) + "|"]
    for case, measured in record["cases"].items():
        if measured.get("rivals"):
            numbers = [measured["rivals"].get(name) for name in names]
            cells = [RIVAL_CASES.get(case, case), digits(measured["ns"]["64"][0])]
            lines.append("| " + " | ".join(cells + [digits(n) if isinstance(n, float) else "" for n in numbers]) + " |")
    return "\n".join([*lines, "", f"Commit {record['commit']}, {record['machine']['cpu']}."]) + "\n"


def replaced(text, marker, content):
    """The text with the content between <!-- marker: begin --> and <!-- marker: end -->."""
    begin, end = f"<!-- {marker}: begin -->\n", f"<!-- {marker}: end -->"
    if begin not in text or end not in text:
        sys.exit(f"there is no '{begin.strip()}' with its end")
    before, rest = text.split(begin, 1)
    return before + begin + content + end + rest.split(end, 1)[1]


def figure(record, words):
    """A single figure, by the words of its comment."""
    what, *rest = words.split()
    if what == "consumer":
        return f"{record['consumer_bytes'] / 1e6:.1f} MB"
    measured = record["cases"].get(rest[0] if rest else "")
    if measured is None:
        sys.exit(f"'{words}': the record has no such case")
    if what == "ns":
        return digits(measured["ns"][rest[1]][1])
    if what == "steps":
        return str(measured["document_steps"])
    if what == "gigaflops":
        return digits(measured["flops_per_document"] / measured["ns"]["64"][1])
    sys.exit(f"'{words}': there is no such figure")


def with_figures(text, record):
    return re.sub(r"(<!-- figure ([^>]*?) -->)[^<]*(<!-- end -->)", lambda m: m[1] + figure(record, m[2]) + m[3], text)


def with_tables(text, tables):
    for marker, content in tables.items():
        if f"<!-- {marker}: begin -->" in text:
            text = replaced(text, marker, content)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--history", default=str(ROOT / "perf/history"))
    parser.add_argument("--answers", default=str(ROOT / "perf/answers"))
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    records = history.latest(arguments.history)
    if not records:
        sys.exit("there is no record; perf/report/record.py makes one")
    record, cases = records[-1], page.read_cases(ROOT / "perf/expressions")
    tables = {"results": results_table(record, cases), "components": components_table(record), "rivals": rivals_table(record),
              "ladder": ladder_table(record, cases[page.SEED]["documents"])}
    if distances.distances(record):
        tables["distances"] = distances.markdown(record) + "\n"
    if record.get("ranking"):
        tables["ranking"] = ranking_table(record)
    for comparison in answers.COMPARISONS:
        if points := comparison.points(arguments.answers):
            tables[comparison.name] = answers.markdown(comparison, points)
    tables.update(encoders.documents())
    if arguments.print:
        print(*tables.values(), sep="\n")
        return
    stale = []
    for name in (*PAGES, *ANSWER_PAGES):
        path = ROOT / name
        before = path.read_text(encoding="utf-8")
        after = with_figures(with_tables(before, tables), record)
        if after != before:
            stale.append(name)
            if not arguments.check:
                path.write_text(after, encoding="utf-8")
    if arguments.check and stale:
        sys.exit(f"figures are not those of record {record['commit']}: {', '.join(stale)}; make perf-docs writes them")


if __name__ == "__main__":
    main()
