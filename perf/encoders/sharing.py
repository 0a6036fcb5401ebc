#!/usr/bin/env python3
"""Threads that share the steps of one text, beside one thread.

    build/rivals/bin/python perf/encoders/sharing.py --benchmark build/release/perf/encoders/encoders_benchmark [--lengths 32 128] [--threads 2]

In each round a text is embedded by one thread, by threads that share it, and by as many threads that embed it each, all in one process; the
vectors must have the same bits. Times are by the clock on the wall, and all figures are medians of the rounds. The third time is the mean of
the threads, divided by their number: it shows what the processors can do at that time. The points go to perf/encoders/points/sharing.jsonl.
"""

import argparse
import pathlib
import sys
import tempfile

import onnx

import points
import shapes
from encoder_model import encoder
from engines import Tenrex, tokens_of

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "report"))
from record import machine  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmark", type=pathlib.Path, required=True, help="the program encoders_benchmark")
    parser.add_argument("--shapes", choices=shapes.SHAPES, nargs="+", default=["MiniLM-L6"])
    parser.add_argument("--precisions", choices=shapes.PRECISIONS, nargs="+", default=["f32", "int8"])
    parser.add_argument("--lengths", type=int, nargs="+", default=[8, 32, 128, 512], help="numbers of tokens")
    parser.add_argument("--threads", type=int, nargs="+", default=[2])
    parser.add_argument("--seconds", type=float, default=20, help="of each length")
    parser.add_argument("--points", default=points.FOLDER, help="the folder of the points")
    arguments = parser.parse_args()
    for name in arguments.shapes:
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "encoder.onnx"
            onnx.save(encoder(*shapes.SHAPES[name]), model)
            for precision in arguments.precisions:
                with Tenrex(arguments.benchmark, model, precision) as engine:
                    found = []
                    for length in arguments.lengths:
                        for threads in arguments.threads:
                            said = engine(tokens_of([length]), sharing=threads, seconds=arguments.seconds)
                            found.append({"model": name, "precision": precision, "tokens": length,
                                          **{key: value if key == "threads" else round(value, 3) for key, value in said.items()},
                                          "machine": points.machine_of(machine())})
                print(*found, sep="\n", flush=True)
                points.write("sharing", found, arguments.points)


if __name__ == "__main__":
    main()
