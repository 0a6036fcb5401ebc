#!/usr/bin/env python3
"""Measures the cases, their ladders, the rivals, components and kernels with a build, and appends the record to perf/history.

    perf/report/record.py --build build/release
    perf/report/record.py --build build/release --filter '^dot' --history /tmp/history   tries it out
"""

import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import history

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DIGITS = 4
# One length of each kernel, 768 cells or 96 bytes of bits, in blocks of 64 rows; not those of the target "baseline".
KERNELS = "^[^b].*/(768|96)/64/cache$"


def rounded(value):
    """Four digits are more than repeat; the history stays small."""
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def lines_of(command):
    """The JSON objects that a program prints, one a line. A program that finds a wrong result fails."""
    print(" ".join(str(word) for word in command), file=sys.stderr)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    objects = [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
    for each in objects:
        if "error" in each:
            sys.exit(f"{each.get('name')}: {each['error']}")
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed with status {done.returncode}")
    return objects


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def machine():
    """The processor's name with its family and model: in virtual machines the name alone stands for several generations."""
    first = {}
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            name, separator, value = line.partition(":")
            if not separator:
                break
            first[name.strip()] = value.strip()
    model = first.get("model name", "unknown processor")
    if "cpu family" in first and "model" in first:
        model += f", family {first['cpu family']} model {first['model']}"
    return {"cpu": model, "cores": os.cpu_count()}


def cmake_cache(build):
    cache = {}
    with open(build / "CMakeCache.txt", encoding="utf-8") as file:
        for line in file:
            name, separator, value = line.rstrip("\n").partition("=")
            if separator:
                cache[name.split(":")[0]] = value
    return cache


def build_settings(build):
    """Compiler and flags."""
    cache = cmake_cache(build)
    kind = cache.get("CMAKE_BUILD_TYPE", "")
    version = subprocess.run([cache["CMAKE_CXX_COMPILER"], "--version"], stdout=subprocess.PIPE, text=True, check=True)
    flags = f"{cache.get('CMAKE_CXX_FLAGS', '')} {cache.get('CMAKE_CXX_FLAGS_' + kind.upper(), '')}"
    return {"compiler": version.stdout.splitlines()[0], "build": kind, "flags": flags.strip()}


def in_rounds(measure_once, rounds):
    """The figures of all cases, measured in turns: a phase in which a machine is slow does not meet all runs of a case."""
    together = {}
    for number in range(rounds):
        for figures in measure_once(number):
            known = together.setdefault(figures["name"], figures)
            if known is figures:
                continue
            for size, samples in figures["samples"].items():
                known["samples"][size] += samples
            for member in ("compile_us", "bind_us"):
                known[member] = min(known[member], figures[member])
            known["peak_share"] = max(known["peak_share"], figures["peak_share"])
    for figures in together.values():
        for size, samples in figures["samples"].items():
            figures["ns_per_document"][size] = sorted(samples)[len(samples) // 2]
            figures["least_ns_per_document"][size] = min(samples)
    return list(together.values())


def case_record(figures):
    """What is kept of a case."""
    blocks = {size: [rounded(figures["ns_per_document"][size]), rounded(figures["least_ns_per_document"][size])]
              for size in figures["ns_per_document"]}
    kept = {"ns": blocks}
    for member in ("compile_us", "bind_us", "document_bytes", "cache_level", "flops_per_document", "bytes_read_per_document",
                   "bytes_written_per_document", "lookups_per_document", "roofline_ns", "peak_share",
                   "memory_bytes", "document_steps", "compile_allocations", "compile_allocated_bytes",
                   "evaluate_allocations"):
        kept[member] = rounded(figures[member])
    return kept


def google_benchmark(program, pattern):
    """What a program with Google Benchmark measures: {name: the figures of its fastest repetition}."""
    command = [program, f"--benchmark_filter={pattern}", "--benchmark_repetitions=3", "--benchmark_min_time=0.02",
               "--benchmark_format=json"]
    print(" ".join(str(word) for word in command), file=sys.stderr)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    fastest = {}
    for each in json.loads(done.stdout)["benchmarks"] if done.stdout.strip() else []:  # nothing if no name matches
        if each.get("error_occurred"):
            sys.exit(f"{each['name']}: {each['error_message']}")
        if each["run_type"] == "iteration":
            known = fastest.setdefault(each["run_name"], each)
            fastest[each["run_name"]] = min(known, each, key=lambda figures: figures["cpu_time"])
    return fastest


def component_record(figures):
    """Nanoseconds, where documents are counted of each, and bytes a second, where there are any: {name: [time, speed]}."""
    return {name: [rounded(1e9 * each["document"] if "document" in each else each["cpu_time"]),
                   rounded(each.get("bytes_per_second"))] for name, each in figures.items()}


def kernel_record(figures):
    """Nanoseconds of a row, and the least that the peaks allow: {kernel/cells: [time, least]}."""
    return {name.removesuffix("/64/cache"): [rounded(1e9 * each["row"]), rounded(1e9 * each["roofline"])]
            for name, each in figures.items()}


def consumer_bytes(build):
    """The size of the package test's consumer, linked with the library of the build and stripped."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "consumer")
        subprocess.run([cmake_cache(build)["CMAKE_CXX_COMPILER"], "-std=c++20", "-O2", "-I", ROOT / "include",
                        ROOT / "tests/package/consumer/main.cpp", build / "libtenrex.a", "-Wl,--gc-sections", "-s", "-o", program],
                       check=True)
        subprocess.run([program], stdout=subprocess.DEVNULL, check=True)
        return os.path.getsize(program)


def ranking_record(build, documents):
    """What perf/ranking measures of a collection: an object for each number of threads."""
    if documents == 0:
        return []
    return lines_of([sys.executable, "-B", ROOT / "perf/ranking/measure.py", build / "tools/tenrex", "--documents",
                     str(documents), "--json"])


def measure(build, arguments):
    benchmark = build / "perf/expressions/expressions_benchmark"
    chosen = ["--filter", arguments.filter]
    effort = ["--runs", str(arguments.runs), "--run-ms", str(arguments.run_ms)]
    command = [benchmark, "--json", "--blocks", "1,64", *chosen, *effort]
    (peaks,) = lines_of([benchmark, "--json", "--peaks", "--filter", "^$"])
    figures = in_rounds(lambda number: lines_of(command), arguments.rounds)
    cases = {each["name"]: case_record(each) for each in figures}
    rungs = {}
    for each in lines_of([benchmark, "--ladder", *chosen]):
        ladder = cases[each["name"]]["ladder"] = []
        for what, nanoseconds in each["ladder"]:
            ladder.append([rungs.setdefault(what, len(rungs)), rounded(nanoseconds)])
    rivals = build / "perf/rivals/rivals_benchmark"
    python = arguments.rivals_python if arguments.rivals_python.exists() else sys.executable
    script = ROOT / "perf/rivals/python_rivals.py"
    for each in lines_of([rivals, *chosen]) + lines_of([python, script, "--benchmark", rivals, *chosen]):
        outcome = rounded(each["ns"]) if "ns" in each else each["missing"]
        cases[each["name"]].setdefault("rivals", {})[each["rival"]] = outcome
    return {"rungs": list(rungs),
            "peaks": {"flops_per_second": rounded(peaks["flops_per_second"]),
                      "arithmetic": [[peak["cells"], peak["instruction"], rounded(peak["operations_per_second"])]
                                     for peak in peaks["arithmetic"]],
                      "levels": [[level["name"], level["bytes"], rounded(level["load_bytes_per_second"]),
                            rounded(level["store_bytes_per_second"])]
                                 for level in peaks["levels"]],
                      "lookup_seconds": rounded(peaks["lookup_seconds"])},
            "components": component_record(
                google_benchmark(build / "perf/components/components_benchmark", arguments.filter or ".")),
            "kernels": kernel_record(
                google_benchmark(build / "perf/kernels/kernels_benchmark", arguments.filter or KERNELS)),
            "consumer_bytes": consumer_bytes(build),
            "ranking": ranking_record(build, arguments.ranking_documents),
            "cases": cases}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--history", default=str(ROOT / "perf/history"))
    parser.add_argument("--rivals-python", type=pathlib.Path, default=ROOT / "build/rivals/bin/python",
                        help="a Python that has the rivals from PyPI")
    parser.add_argument("--filter", default="", help="a regular expression for the names of cases")
    parser.add_argument("--rounds", type=int, default=3, help="over all cases")
    parser.add_argument("--runs", type=int, default=3, help="of each case in a round")
    parser.add_argument("--run-ms", type=float, default=10)
    parser.add_argument("--ranking-documents", type=int, default=1000000, help="of the collection that is ranked; 0: none")
    arguments = parser.parse_args()
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!perf/history")
    record = {"commit": git("rev-parse", "--short=10", "HEAD") + ("+" if changed else ""),
              "subject": git("log", "-1", "--format=%s"), "date": git("log", "-1", "--format=%cI"),
              "measured": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
              "machine": machine(), **build_settings(arguments.build)}
    record.update(measure(arguments.build, arguments))
    print(history.append(arguments.history, record))


if __name__ == "__main__":
    main()
