"""How far the cases of a record are from what the peaks of its machine allow."""

import math

FAR = 4  # times what the peaks allow
ADDED = ("shape.", "forest.")  # cases that were added for shapes that nobody had listed, and for forests
GROUPS = {"formulas, nets, vectors and labels": False, "shapes and forests": True}


def distances(record):
    """The least time of a case in blocks of 64, divided by what the peaks allow: {name: ratio}. Earlier records do not tell."""
    return {name: measured["ns"]["64"][1] / measured["roofline_ns"] for name, measured in record["cases"].items()
            if measured.get("roofline_ns")}


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def means(record):
    """A row for each group of cases: its name, how many there are, their geometric mean, how many take less than twice what the peaks
    allow, and how many are far from it."""
    rows = []
    for title, added in GROUPS.items():
        ratios = [ratio for name, ratio in distances(record).items() if name.startswith(ADDED) == added]
        if ratios:
            rows.append([title, str(len(ratios)), f"{geometric_mean(ratios):.2f}", str(sum(ratio < 2 for ratio in ratios)),
                         str(sum(ratio > FAR for ratio in ratios))])
    return rows


TITLES = ["cases", "how many", "time ÷ peaks, geometric mean", "below 2", f"above {FAR}"]


def far_cases(record):
    """Those above FAR, the farthest first: [(name, ratio)]."""
    return sorted(((name, ratio) for name, ratio in distances(record).items() if ratio > FAR), key=lambda each: -each[1])


def markdown(record):
    lines = ["| " + " | ".join(TITLES) + " |", "|---|--:|--:|--:|--:|"]
    lines += ["| " + " | ".join(row) + " |" for row in means(record)]
    far = ", ".join(f"{name} {ratio:.0f}" for name, ratio in far_cases(record))
    return "\n".join([*lines, "", f"Above {FAR}: {far}."])
