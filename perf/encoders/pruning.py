#!/usr/bin/env python3
"""What a text costs with weights that were pruned in blocks: an object for each share of blocks of zeros.

    build/rivals/bin/python perf/encoders/pruning.py --benchmark build/release/perf/encoders/encoders_benchmark

Milliseconds of one text at each precision, one thread, time of the processor, the least of several turns over all shares. Embeddings are
compared with those of ONNX Runtime first. Exit status: 1 if they differ.
"""

import argparse
import contextlib
import json
import pathlib
import sys
import tempfile

import onnx

import shapes
from encoder_model import encoder
from engines import OnnxRuntime, Tenrex, distance, tokens_of

FARTHEST = {"f32": 1e-5, "bf16": 1e-3, "int8": 0.015}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmark", type=pathlib.Path, required=True, help="the program encoders_benchmark")
    parser.add_argument("--shape", choices=shapes.SHAPES, default="MiniLM-L6")
    parser.add_argument("--precisions", choices=shapes.PRECISIONS, nargs="+", default=list(shapes.PRECISIONS))
    parser.add_argument("--shares", type=float, nargs="+", default=[0, 0.1, 0.25, 0.5, 0.75, 0.9])
    parser.add_argument("--tokens", type=int, default=128, help="of the text")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.4, help="of each in a turn, at least two evaluations")
    arguments = parser.parse_args()
    texts, failed = tokens_of([arguments.tokens]), False
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        engines, least = {}, {}
        for share in arguments.shares:
            model = pathlib.Path(folder) / f"{share}.onnx"
            onnx.save(encoder(*shapes.SHAPES[arguments.shape], zero_blocks=share), model)
            expected = [OnnxRuntime(model)(tokens) for tokens in texts]
            for precision in arguments.precisions:
                engine = engines[share, precision] = stack.enter_context(Tenrex(arguments.benchmark, model, precision))
                off = distance(engine(texts, seconds=0)["vectors"], expected)
                if not off <= FARTHEST[precision]:
                    print(f"{share} of the blocks zeros, {precision}: off by {off:.2g}", file=sys.stderr)
                    failed = True
        for _ in range(arguments.turns):
            for kind, engine in engines.items():
                least[kind] = min(least.get(kind, float("inf")), engine(texts, seconds=arguments.seconds)["whole"])
    for share in arguments.shares:
        print(json.dumps({"zero_blocks": share, "tokens": arguments.tokens,
                          "ms": {precision: float(f"{least[share, precision]:.4g}") for precision in arguments.precisions}}))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
