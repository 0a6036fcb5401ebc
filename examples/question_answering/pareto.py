#!/usr/bin/env python3
"""Measures how good and how fast readers of several sizes are, at each precision, for several lengths, with one thread and more.

  pareto.py [--data FOLDER] [--points perf/answers/question_answering.jsonl] [--sizes 12,6,4,3,2] [--precisions f32,bf16,int8]
            [--tokens 128,256,384] [--numbers-of-threads 1,2] [--sample 20] [--rounds 3] [--again]

and the options of question_answering.py. How good: exact match and F1 in the passage that has the answer, for all questions to test
with; they are the same with any number of threads. How long: a whole answer, from the question to the best span of ten passages,
for some of the questions; the rounds go over all readers in turns, and the least median counts. Each figure is written to the file of
points when it is there, so that an interrupted run goes on; --again measures the times of all points once more. perf/report/page.py
draws the points, perf/report/tables.py writes the table of those that nothing else beats.
"""

import os
import sys

from measuring import Points, measure_quality, measure_times
from question_sets import packages, public_sets
from running import Tested, parser_of
from training import LAYERS, Readers, cross_encoder

HERE = os.path.dirname(os.path.abspath(__file__))


def numbers_of(text):
    return [int(number) for number in text.split(",")]


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--points", default=os.path.join(HERE, "../../perf/answers/question_answering.jsonl"))
    parser.add_argument("--sizes", type=numbers_of, default=sorted(LAYERS, reverse=True))
    parser.add_argument("--precisions", type=lambda text: text.split(","), default=["f32", "bf16", "int8"])
    parser.add_argument("--tokens", type=numbers_of, default=[128, 256, 384])
    parser.add_argument("--numbers-of-threads", type=numbers_of, default=[1, 2])
    parser.add_argument("--sample", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    if unknown := set(options.sizes) - set(LAYERS):
        sys.exit(f"there is no reader of {unknown.pop()} layers, but of {', '.join(map(str, sorted(LAYERS)))}")
    model = cross_encoder(options)
    examples = public_sets(options.data) if options.data else packages()
    readers = Readers(options, model, examples)
    readers.prepare({*options.sizes, max(LAYERS)})
    paths = {size: readers.write(size)[1] for size in options.sizes}
    tested, points = Tested(examples), Points(options.points)
    measure_quality(options, points, paths, tested)
    measure_times(options, points, paths, tested)


if __name__ == "__main__":
    main()
