"""update_costs.py RESULTS.json ROOT: writes measured costs into the kernel lists below ROOT/lib/kernels.

RESULTS.json comes from
    kernels_benchmark --benchmark_filter='/64/cache' --benchmark_repetitions=9 --benchmark_out=RESULTS.json
Each kernel gets the two figures of its line, nanoseconds per row and per cell, from a straight line through the fastest
repetition of each length. Kernels that this machine cannot run keep theirs.
"""

import json
import re
import sys
from collections import defaultdict
from pathlib import Path


def measurements(path):
    """Per kernel name, the least nanoseconds per row for each length."""
    times = defaultdict(dict)
    with open(path, encoding="utf-8") as file:
        for run in json.load(file)["benchmarks"]:
            if run["run_type"] != "iteration":
                continue
            kernel, length, rows, place = run["name"].split("/")[:4]
            if (rows, place) == ("64", "cache"):
                nanoseconds = run["row"] * 1e9
                known = times[kernel].get(int(length), nanoseconds)
                times[kernel][int(length)] = min(known, nanoseconds)
    return times


def line_through(points):
    """Intercept and slope with the least relative errors; neither falls below a sensible minimum."""
    weights = {x: 1 / y**2 for x, y in points.items()}
    total = sum(weights.values())
    mean_x = sum(w * x for x, w in weights.items()) / total
    mean_y = sum(weights[x] * y for x, y in points.items()) / total
    slope = sum(weights[x] * (x - mean_x) * (y - mean_y) for x, y in points.items()) / sum(
        w * (x - mean_x) ** 2 for x, w in weights.items()
    )
    slope = max(slope, 1e-4)
    return max(mean_y - slope * mean_x, 0.1), slope


def main(results, root):
    measured = measurements(results)
    missing = 0
    for path in sorted(Path(root, "lib/kernels").glob("*/*.def")):
        lines = path.read_text(encoding="utf-8").split("\n")
        for i, line in enumerate(lines):
            match = re.match(r"TENREX_KERNEL\((.*), (\w+), (\w+), [^,]+, [^,]+\)$", line)
            if not match:
                continue
            points = measured.get(f"{match[2]}::{match[3]}")
            if not points or len(points) < 2:
                missing += 1
                continue
            per_row, per_cell = line_through(points)
            lines[i] = f"TENREX_KERNEL({match[1]}, {match[2]}, {match[3]}, {per_row:.1f}, {per_cell:.4f})"
        path.write_text("\n".join(lines), encoding="utf-8")
    print(f"{missing} kernels were not measured and keep their costs")


if __name__ == "__main__":
    main(*sys.argv[1:])
