"""Points of readers: how good answers are, and how long they take, in a file that an interrupted run goes on with."""

import itertools
import json
import os
import re

from question_sets import measure
from running import run_program


class Points:
    """Lines of a file, found by what was chosen."""

    KEY = ("layers", "precision", "tokens", "threads")

    def __init__(self, path):
        self.path, self.found = path, {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    point = json.loads(line)
                    self.found[self.key(point)] = point

    def key(self, point):
        return tuple(point[name] for name in self.KEY)

    def get(self, *key):
        return self.found.setdefault(key, dict(zip(self.KEY, key)))

    def save(self):
        os.makedirs(os.path.dirname(os.path.abspath(self.path)), exist_ok=True)
        with open(self.path + ".part", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(self.found[key]) + "\n" for key in sorted(self.found, key=lambda k: (-k[0], *k[1:])))
        os.replace(self.path + ".part", self.path)


def median_of(times, name):
    """Milliseconds, of what the program tells of its times."""
    return float(re.search(rf"^{name} +p50 +([\d.]+) ms", times, re.MULTILINE)[1])


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"model name\s*:\s*(.*)", file.read())
    return f"{found[1] if found else 'unknown'}, {os.cpu_count()} processors"


def measure_quality(options, points, paths, tested):
    for size, precision, tokens in itertools.product(options.sizes, options.precisions, options.tokens):
        same = [points.get(size, precision, tokens, threads) for threads in options.numbers_of_threads]
        known = next((p for p in points.found.values() if points.key(p)[:3] == (size, precision, tokens) and "exact" in p), None)
        if known is None:
            answers, _, _ = run_program(options, paths[size], tested.passages, tested.given(), "--given", "--precision", precision,
                                        "--max-length", str(tokens), "--threads", str(options.threads))
            exact, common = measure(tested.examples, answers)
            known = {"exact": round(float(exact), 4), "f1": round(float(common), 4), "questions": len(answers)}
            print(f"{size} layers, {precision}, {tokens} tokens: exact match {exact:.3f}, F1 {common:.3f}", flush=True)
        for point in same:
            point.update({name: known[name] for name in ("exact", "f1", "questions")})
        points.save()


def measure_times(options, points, paths, tested):
    chosen = list(itertools.product(options.sizes, options.precisions, options.tokens, options.numbers_of_threads))
    if options.again:
        for key in chosen:
            for name in ("ms", "processor_ms", "rounds"):
                points.get(*key).pop(name, None)
    step = max(1, len(tested.examples) // options.sample)
    questions = [e.question for e in tested.examples[::step][:options.sample]]
    for number in range(1, options.rounds + 1):
        for key in chosen:
            point = points.get(*key)
            if point.get("rounds", 0) >= number:
                continue
            size, precision, tokens, threads = key
            _, _, times = run_program(options, paths[size], tested.passages, questions, "--precision", precision,
                                      "--max-length", str(tokens), "--threads", str(threads))
            for name, what in (("ms", "answer"), ("processor_ms", "processor")):
                point[name] = round(min(median_of(times, what), point.get(name, float("inf"))), 2)
            point.update({"rounds": number, "sample": len(questions), "machine": processor()})
            points.save()
            print(f"round {number}: {size} layers, {precision}, {tokens} tokens, {threads} threads: {point['ms']} ms", flush=True)
