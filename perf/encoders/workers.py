#!/usr/bin/env python3
"""Threads that take texts from a queue, each with a context of its own over one plan: texts a second, how long a text takes, and memory.

    build/rivals/bin/python perf/encoders/workers.py --benchmark build/release/perf/encoders/encoders_benchmark [--workers 1 2 64]

A process for each number of threads, in turns. Texts a second are the most of the turns, with the times of a text in that turn, by the
clock on the wall; that of the processors does not have what other programs take. A time is from taking a text to its embedding, so that of a thread that waits for a processor has the waiting in it.
Private memory is what the kernel counts for pages that no other process has. The points go to perf/encoders/points/workers.jsonl.
"""

import argparse
import pathlib
import sys
import tempfile

import onnx

import points
import shapes
import text_lengths
from encoder_model import encoder
from engines import Tenrex, tokens_of

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "report"))
from record import machine  # noqa: E402


def better(known, new):
    return new if known is None or new["texts_per_second"] > known["texts_per_second"] else known


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmark", type=pathlib.Path, required=True, help="the program encoders_benchmark")
    parser.add_argument("--shapes", choices=shapes.SHAPES, nargs="+", default=["MiniLM-L6"])
    parser.add_argument("--precisions", choices=shapes.PRECISIONS, nargs="+", default=["f32", "int8"])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 64])
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3, help="of each in a turn")
    parser.add_argument("--points", default=points.FOLDER, help="the folder of the points")
    text_lengths.add_arguments(parser, 64)
    arguments = parser.parse_args()
    lengths, words = text_lengths.chosen(arguments)
    texts = tokens_of(lengths)
    for name in arguments.shapes:
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "encoder.onnx"
            onnx.save(encoder(*shapes.SHAPES[name]), model)
            for precision in arguments.precisions:
                best = {}
                for _ in range(arguments.turns):
                    for workers in arguments.workers:
                        with Tenrex(arguments.benchmark, model, precision) as engine:
                            best[workers] = better(best.get(workers), engine(texts, workers=workers, seconds=arguments.seconds))
                found = [{"model": name, "precision": precision, "lengths": words, "texts": len(lengths), "workers": workers,
                          "texts_per_second": round(said["texts_per_second"], 2), "median_ms": round(said["median_ms"], 3),
                          "late_ms": round(said["late_ms"], 3), "processor_ms": round(said["processor_ms"], 3),
                          "private_mb": round(said["private_bytes"] / 1e6, 1),
                          "context_mb": round(said["context_bytes"] / workers / 1e6, 2), "machine": points.machine_of(machine())}
                         for workers, said in best.items()]
                print(*found, sep="\n", flush=True)
                points.write("workers", found, arguments.points)


if __name__ == "__main__":
    main()
