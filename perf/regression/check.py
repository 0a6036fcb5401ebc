#!/usr/bin/env python3
"""Whether this tree is slower than another commit: what `make perf-check BASE=<commit>` runs.

    perf/regression/check.py --base HEAD~1
    perf/regression/check.py --base main --filter '^dot' --rounds 6

Builds both with equal settings, lets the two programs take turns, and measures cases that look slower again, with more
rounds. It fails on a significant slowdown of a case, and on growth of what can be counted: steps of plans, memory,
allocations. Both measure the cases of this tree. The base is built from its own sources, below build/regression.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import decision

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build/regression"
SETTINGS = ["-G", "Ninja", "-D", "CMAKE_BUILD_TYPE=Release", "-D", "TENREX_BUILD_TESTS=OFF",
            "-D", "TENREX_WARNINGS_AS_ERRORS=OFF"]
# What may grow by which share before it counts. What a compilation allocates stands for its time.
COUNTERS = {"document_steps": 0, "memory_bytes": 0, "evaluate_allocations": 0, "compile_allocations": 0.01,
            "compile_allocated_bytes": 0.01}
COMPILE_THRESHOLD = 0.15  # of the time by the clock, which is short and uneven


def run(command, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in command)}\n{done.stdout}")
    return done.stdout


def sources_of(commit):
    """The files of a commit, unpacked; the repository itself is left alone."""
    directory = WORK / commit / "source"
    if not directory.exists():
        unpacked = directory.with_name("unpacked")
        shutil.rmtree(unpacked, ignore_errors=True)
        unpacked.mkdir(parents=True)
        archive = subprocess.Popen(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE)
        run(["tar", "-x", "-C", unpacked], stdin=archive.stdout)
        if archive.wait() != 0:
            sys.exit(f"git archive {commit} fails")
        unpacked.rename(directory)
    return directory


def build(source, jobs):
    # In the same place below the sources for both: to ccache most of them are the same, then.
    directory = source / "build/perf-check"
    print(f"building {directory.relative_to(ROOT)}", flush=True)
    run(["cmake", "-S", source, "-B", directory, *SETTINGS])
    run(["cmake", "--build", directory, "--parallel", jobs, "--target", "expressions_benchmark"])
    return directory / "perf/expressions/expressions_benchmark"


@contextlib.contextmanager
def moved(program):
    """A copy of the program somewhere else in memory: which lines of the caches its code shares with the data depends on
    the pages that its file is kept in, stays so as long as the file does, and makes short calls up to 15 % slower."""
    with tempfile.NamedTemporaryFile(dir=WORK, prefix="moved-", delete=False) as file:
        file.write(pathlib.Path(program).read_bytes())
        file.write(bytes(4096 * random.randrange(256)))  # the next file gets other pages than this one leaves
    os.chmod(file.name, 0o755)
    try:
        yield file.name
    finally:
        os.unlink(file.name)


def measure(program, names, effort):
    """{case: its figures}. names: None for all."""
    pattern = "" if names is None else "^(" + "|".join(re.escape(name) for name in sorted(names)) + ")$"
    options = ["--json", "--cases", ROOT / "perf/expressions", "--blocks", "1,64", "--filter", pattern, *effort]
    with moved(program) as copy:
        done = subprocess.run([copy, *(str(word) for word in options)], stdout=subprocess.PIPE, text=True, check=False)
    figures = [json.loads(line) for line in done.stdout.splitlines()]
    if not figures:
        sys.exit(f"{program} measures nothing")
    return {each["name"]: each for each in figures if "error" not in each}


def times_of(figures):
    """The times that are compared, by name; in nanoseconds."""
    times = {"compile": figures["compile_us"] * 1000}
    for size, value in figures["ns_per_document"].items():
        least = figures.get("least_ns_per_document", {}).get(size)
        times[f"block {size}"] = least if least is not None else value["least"]  # as commits before did
    return times


class Series:
    """All times of the base and of the head: {(case, what): ([base...], [head...])}."""

    def __init__(self):
        self.times = {}

    def add(self, base, head):
        for name in base.keys() & head.keys():
            before, after = times_of(base[name]), times_of(head[name])
            for what in before.keys() & after.keys():
                pair = self.times.setdefault((name, what), ([], []))
                pair[0].append(before[what])
                pair[1].append(after[what])

    def chosen(self, rule):
        """Those for which rule(base, head, threshold) holds."""
        return {key for key, (base, head) in self.times.items()
                if rule(base, head, COMPILE_THRESHOLD if key[1] == "compile" else decision.THRESHOLD)}


def alternate_once(programs, names, number, effort, series):
    if number % 2 == 0:
        base, head = (measure(program, names, effort) for program in programs)
    else:
        head, base = (measure(program, names, effort) for program in reversed(programs))
    series.add(base, head)
    return base, head


def alternate(programs, names, rounds, effort, series):
    """Rounds in which each goes first in turn; returns the figures of the last round."""
    base, head = {}, {}
    for number in range(rounds):
        base, head = alternate_once(programs, names, number, effort, series)
        print(f"round {number + 1} of {rounds}", flush=True)
    return base, head


def alternate_by_case(programs, names, rounds, effort, series):
    """The same case by case: both measure one within a second, so that they see the same phase of the machine."""
    for number in range(rounds):
        for name in sorted(names):
            alternate_once(programs, {name}, number, effort, series)
        print(f"round {number + 1} of {rounds}", flush=True)


def grown_counters(base, head):
    """What grew: (case, counter, before, after)."""
    grown = []
    for name in sorted(base.keys() & head.keys()):
        for counter, share in COUNTERS.items():
            before, after = base[name].get(counter), head[name].get(counter)
            if before is not None and after is not None and after > before * (1 + share):
                grown.append((name, counter, before, after))
    return grown


def slower(programs, arguments):
    """The slower times, and the figures of both sides."""
    WORK.mkdir(parents=True, exist_ok=True)
    effort = ["--runs", str(arguments.runs), "--run-ms", str(arguments.run_ms)]
    names = {name for name in case_names() if re.search(arguments.filter, name)} if arguments.filter else None
    series = Series()
    base, head = alternate(programs, names, arguments.rounds, effort, series)
    missing = sorted(base.keys() - head.keys())
    if missing:
        sys.exit("fails now, but not in the base: " + ", ".join(missing))
    suspects = series.chosen(decision.is_suspect)
    # Each confirmation is on its own: what looked slow by chance must not count again.
    for _ in range(2):
        if not suspects:
            break
        print(f"measuring {len(suspects)} suspects again", flush=True)
        again = Series()
        alternate_by_case(programs, {name for name, _ in suspects}, arguments.confirmations, effort, again)
        suspects &= again.chosen(decision.is_slower)
        series = again
    return {key: series.times[key] for key in suspects}, base, head


def case_names():
    names = []
    for path in sorted((ROOT / "perf/expressions").glob("*.json")):
        names += [case["name"] for case in json.loads(path.read_text(encoding="utf-8"))["cases"]]
    return names


def report(slow, grown):
    for (name, what), (base, head) in sorted(slow.items()):
        print(f"slower: {name}, {what}: {min(base):.1f} -> {min(head):.1f} ns, {100 * decision.growth(base, head):+.1f} %")
    for name, counter, before, after in grown:
        print(f"grown: {name}, {counter}: {before} -> {after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", required=True, help="the commit to compare with")
    parser.add_argument("--filter", default="", help="a regular expression for the names of cases")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--confirmations", type=int, default=10, help="rounds for those that look slower")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--run-ms", type=float, default=4)
    parser.add_argument("--jobs", default=str(os.cpu_count()))
    parser.add_argument("--accept-growth", action="store_true", help="more steps, memory or allocations are meant")
    arguments = parser.parse_args()
    commit = run(["git", "rev-parse", "--verify", arguments.base + "^{commit}"], cwd=ROOT).strip()
    programs = [build(sources_of(commit), arguments.jobs),
                build(ROOT, arguments.jobs)]
    slow, base, head = slower(programs, arguments)
    grown = grown_counters(base, head)
    report(slow, grown)
    failed = bool(slow) or (bool(grown) and not arguments.accept_growth)
    print(f"{len(head)} cases against {commit[:10]}: {len(slow)} slower, {len(grown)} counters grown")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
