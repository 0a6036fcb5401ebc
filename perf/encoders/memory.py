#!/usr/bin/env python3
"""What loading an encoder takes, and what a context has: private memory and milliseconds, for each shape and precision.

    build/rivals/bin/python perf/encoders/memory.py --build build/release

perf/loading/loading.py says how memory and times are measured; the model is an ONNX file with its weights inside and 30,522 words. A context
is that of a thread that has seen a text of 512 tokens. The points go to perf/encoders/points/loading.jsonl.
"""

import argparse
import pathlib
import sys
import tempfile

import points
import shapes
from engines import Tenrex, tokens_of

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / name) for name in ("loading", "report")]
import loading  # noqa: E402
from record import machine  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent.parent / "build/release")
    parser.add_argument("--shapes", choices=shapes.SHAPES, nargs="+", default=list(shapes.SHAPES))
    parser.add_argument("--precisions", choices=shapes.PRECISIONS, nargs="+", default=list(shapes.PRECISIONS))
    parser.add_argument("--points", default=points.FOLDER, help="the folder of the points")
    arguments = parser.parse_args()
    for name in arguments.shapes:
        with tempfile.TemporaryDirectory() as folder:
            path, expression = loading.onnx_file(pathlib.Path(folder), shapes.SHAPES[name], False)
            for precision in arguments.precisions:
                command = [arguments.build / "perf/loading/loading_benchmark", path, expression, "1", precision]
                said, peak, after = loading.run(command, looks=True)
                times = [loading.run(command, looks=False)[0] for _ in range(loading.RUNS)]
                with Tenrex(arguments.build / "perf/encoders/encoders_benchmark", path, precision) as engine:
                    context = engine(tokens_of([512]), seconds=0)["context_bytes"]
                point = {"model": name, "precision": precision, "file_mb": round(path.stat().st_size / 1e6, 1),
                         "packed_mb": round(said["packed_bytes"] / 1e6, 1), "peak_mb": round(peak / 1e6, 1),
                         "after_mb": round(after / 1e6, 1), "context_mb": round(context / 1e6, 2),
                         "load_ms": min(time["load_ms"] for time in times), "plan_ms": min(time["compile_ms"][0] for time in times),
                         "machine": points.machine_of(machine())}
                print(point, flush=True)
                points.write("loading", [point], arguments.points)


if __name__ == "__main__":
    main()
