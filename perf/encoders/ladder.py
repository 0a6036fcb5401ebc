#!/usr/bin/env python3
"""What each step brings where texts have many lengths: from texts that are padded to one length, with a step for each operation, to int8
on two threads.

    build/rivals/bin/python perf/encoders/ladder.py --benchmark build/release/perf/encoders/encoders_benchmark [--data FOLDER]

Texts longer than 128 tokens are cut there, for all steps. They are embedded one after the other. Embeddings are compared with those of the
first step before anything is timed. The least of several turns, time of the processor; with several threads it is that of the clock. The
point goes to perf/encoders/points/ladder.jsonl, of which perf/report makes a ladder. Exit status: 1 if results differ.
"""

import argparse
import contextlib
import pathlib
import sys
import tempfile

import onnx

import points
import shapes
import text_lengths
from encoder_model import encoder
from engines import Tenrex, distance, tokens_of

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "report"))
from record import machine  # noqa: E402

PADDED = 128
THREADS = 2
# What a step is called, the precision, whether steps are fused, what the program is told, and how far embeddings may be off.
STEPS = (
    (f"padded to {PADDED} tokens, nothing fused", "f32", False, {"padded_to": PADDED, "one_by_one": True}, 0),
    ("+ no padding", "f32", False, {"one_by_one": True}, 1e-5),
    ("+ fused steps", "f32", True, {"one_by_one": True}, 1e-5),
    ("+ bfloat16", "bf16", True, {"one_by_one": True}, 1e-3),
    ("+ int8", "int8", True, {"one_by_one": True}, 0.015),
    (f"+ {THREADS} threads", "int8", True, {"workers": THREADS}, None),
)


def milliseconds(engine, texts, options, seconds):
    """Of a text, on average."""
    said = engine(texts, **options, seconds=seconds)
    return 1e3 / said["texts_per_second"] if "workers" in options else said["whole"] / len(texts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmark", type=pathlib.Path, required=True, help="the program encoders_benchmark")
    parser.add_argument("--shapes", choices=shapes.SHAPES, nargs="+", default=["MiniLM-L6"])
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1, help="of each step in a turn, at least two evaluations of all texts")
    parser.add_argument("--points", default=points.FOLDER, help="the folder of the points")
    text_lengths.add_arguments(parser, 64)
    arguments = parser.parse_args()
    lengths, words = text_lengths.chosen(arguments, PADDED)
    texts, failed = tokens_of(lengths), False
    for name in arguments.shapes:
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            model = pathlib.Path(folder) / "encoder.onnx"
            onnx.save(encoder(*shapes.SHAPES[name]), model)
            kinds = dict.fromkeys((precision, is_fused) for _, precision, is_fused, _, _ in STEPS)
            engines = {kind: stack.enter_context(Tenrex(arguments.benchmark, model, *kind)) for kind in kinds}
            expected = None
            for what, precision, is_fused, options, farthest in STEPS:
                if farthest is not None:
                    vectors = engines[precision, is_fused](texts, **options, seconds=0)["vectors"]
                    expected = vectors if expected is None else expected
                    off = distance(vectors, expected)
                    print(f"{what}: off by {off:.2g}", flush=True)
                    failed |= not off <= max(farthest, 1e-12)
            least = [float("inf")] * len(STEPS)
            for _ in range(arguments.turns):
                for i, (_, precision, is_fused, options, _) in enumerate(STEPS):
                    least[i] = min(least[i], milliseconds(engines[precision, is_fused], texts, options, arguments.seconds))
            point = {"model": name, "lengths": words, "texts": len(lengths), "sum": sum(lengths),
                     "steps": [[step[0], float(f"{ms:.4g}")] for step, ms in zip(STEPS, least)], "machine": points.machine_of(machine())}
            print(point, flush=True)
            points.write("ladder", [point], arguments.points)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
