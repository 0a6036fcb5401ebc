"""What answers to questions cost, and how good they are: the points that examples/question_answering/pareto.py measures, and those of
perf/answers/retrieval.py."""

import json
import pathlib

import svg

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Comparison:
    """A kind of points: which file has them, what they cost and how good they are, and what a table says of them."""

    def __init__(self, name, title, text, cost, quality, label, columns):
        self.name, self.title, self.text, self.label, self.columns = name, title, text, label, columns
        self.cost_name, self.cost_title = cost
        self.quality_name, self.quality_title = quality

    def cost(self, point):
        return point[self.cost_name]

    def quality(self, point):
        return point[self.quality_name]

    def points(self, folder):
        """Those that have both; some may not be measured yet."""
        path = pathlib.Path(folder) / f"{self.name}.jsonl"
        if not path.exists():
            return []
        found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return [point for point in found if self.cost_name in point and self.quality_name in point]


COMPARISONS = (
    Comparison(
        "question_answering", "Readers of answers",
        "Readers of several sizes, at each precision, that see so many tokens of a question with a passage. F1 is that of the passage "
        "that has the answer, the time that of a whole answer, with the search and ten passages.",
        ("ms", "milliseconds of an answer, median"), ("f1", "F1"),
        lambda p: f"{p['layers']} layers, {p['precision']}, {p['tokens']} tokens, {p['threads']} thread{'s' if p['threads'] > 1 else ''}",
        (("layers", "layers", "d"), ("precision", "precision", ""), ("tokens", "tokens", "d"), ("threads", "threads", "d"),
         ("exact", "exact match", ".3f"), ("f1", "F1", ".3f"), ("ms", "ms", ",.1f"), ("processor_ms", "ms of processors", ",.1f"))),
    Comparison(
        "retrieval", "Encoders that find passages",
        "Vectors of questions and passages by several encoders, each question with all passages. The time is what an encoder needs for "
        "a question, on one thread.",
        ("ms", "milliseconds of a question"), ("mrr@10", "MRR@10"),
        lambda p: f"{p['model']}, {p['precision']}",
        (("model", "encoder", ""), ("precision", "precision", ""), ("recall@1", "first is right", ".3f"), ("mrr@10", "MRR@10", ".3f"),
         ("ndcg@10", "NDCG@10, Cranfield", ".3f"), ("ms", "ms", ".2f"))),
)


def front(points, cost, quality):
    """The points that no other beats in both, from the cheapest to the best; of equal ones the first."""
    kept = []
    for point in sorted(points, key=lambda p: (cost(p), -quality(p))):
        if not kept or quality(point) > quality(kept[-1]):
            kept.append(point)
    return kept


def rows(comparison, points):
    """The titles of a table, and for each point of the front its cells, with what the step to it brings."""
    kept = front(points, comparison.cost, comparison.quality)
    titles = ["", *(title for _, title, _ in comparison.columns), "times as long", "better by"]
    table = []
    for i, (before, point) in enumerate(zip([None, *kept], kept), 1):
        cells = [format(point[name], form) if name in point else "" for name, _, form in comparison.columns]
        step = ["", ""]
        if before is not None:
            step = [f"{comparison.cost(point) / comparison.cost(before):.2f}",
                    f"{comparison.quality(point) - comparison.quality(before):.3f}"]
        table.append([str(i), *cells, *step])
    return titles, table


def markdown(comparison, points):
    titles, table = rows(comparison, points)
    lines = ["| " + " | ".join(titles) + " |", "|--:" * len(titles) + "|"]
    lines += ["| " + " | ".join(cells) + " |" for cells in table]
    machines = sorted({point["machine"] for point in points if "machine" in point})
    told = f"{len(points)} were measured" + (f", on {'; '.join(machines)}" if machines else "")
    return "\n".join([*lines, "", told + "."]) + "\n"


def picture(comparison, points):
    def named(point):
        return comparison.label(point), comparison.cost(point), comparison.quality(point)
    kept = front(points, comparison.cost, comparison.quality)
    return svg.front([named(p) for p in points], [named(p) for p in kept], comparison.cost_title, comparison.quality_title)
