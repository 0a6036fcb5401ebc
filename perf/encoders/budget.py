#!/usr/bin/env python3
"""Where the milliseconds of a text encoder go: the least that they could be, what Tenrex takes, and what its rivals take.

    make perf-rivals                          installs those in build/rivals, a virtual environment
    build/rivals/bin/python perf/encoders/budget.py --benchmark build/release/perf/encoders/encoders_benchmark

A model of random weights of each shape, at each precision, with one text of each length and with texts of mixed lengths, which Tenrex
computes in one call and one after the other. Embeddings are compared before anything is timed. One thread, time of the processor, the
least of several turns of Tenrex at each precision, ONNX Runtime with the file and with its dynamic int8 form of it, a scale for each column
of the weights, and OpenVINO with the file in float and in bfloat16; rivals take the texts one after the other, which saves them padding.
How far one call is from one after the other is the median of rounds in which both follow each other.
The points go to perf/encoders/points/budget.jsonl, of which perf/report makes its tables. Exit status: 1 if results differ.
"""

import argparse
import contextlib
import pathlib
import statistics
import sys
import tempfile
import time

import onnx
import onnxruntime.quantization

import points
import shapes
import text_lengths
from encoder_model import encoder
from engines import OnnxRuntime, OpenVino, Tenrex, distance, peaks_of, tokens_of

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "report"))
from record import machine  # noqa: E402

# How far embeddings may be from those of ONNX Runtime in float.
FARTHEST = {"f32": 1e-5, "bf16": 1e-3, "int8": 0.015}


def rivals_of(model, folder):
    quantized = folder / "int8.onnx"
    onnxruntime.quantization.quantize_dynamic(model, quantized, per_channel=True, weight_type=onnxruntime.quantization.QuantType.QInt8)
    return {"onnxruntime": OnnxRuntime(model), "onnxruntime_int8": OnnxRuntime(quantized),
            "openvino": OpenVino(model, "f32"), "openvino_bf16": OpenVino(model, "bf16")}


def least(known, new):
    """The least of each kind of time; products, attention and the rest stay those of one evaluation."""
    if known is None:
        return dict(new)
    kept = dict(new if new["whole"] < known["whole"] else known)
    if "apart" in new:
        kept["apart"] = min(known["apart"], new["apart"])
        kept["rounds"] = known["rounds"] + new["rounds"]
    return kept


def rounds_of(engine, texts, seconds):
    """Pairs of milliseconds: in one call, and one after the other."""
    rounds, end = [], time.monotonic() + seconds
    while len(rounds) < 2 or time.monotonic() < end:
        rounds.append(tuple(engine(texts, one_by_one=one_by_one, seconds=0)["whole"] for one_by_one in (False, True)))
    return rounds


def turn(engine, texts, seconds):
    """The times of Tenrex in this turn."""
    said = engine(texts, steps=True, seconds=seconds)
    times = {name: said[name] for name in ("products", "attention", "rest", "whole")}
    if len(texts) > 1:
        times["rounds"] = rounds_of(engine, texts, 15 * seconds)
        times["apart"] = min(apart for _, apart in times["rounds"])
    return times


def measure(engines, rivals, benchmark, texts, arguments, peaks):
    """(how far each embedding is off, times of Tenrex by precision, times of the rivals)"""
    expected = [rivals["onnxruntime"](tokens) for tokens in texts]
    off = {precision: distance(engine(texts, seconds=0)["vectors"], expected) for precision, engine in engines.items()}
    for name, rival in rivals.items():
        off[name] = distance([rival(tokens) for tokens in texts], expected)
    own, others = {}, {}
    for _ in range(arguments.turns):
        peaks.add(peaks_of(benchmark))
        for precision, engine in engines.items():
            own[precision] = least(own.get(precision), turn(engine, texts, arguments.seconds))
        for name, rival in rivals.items():
            taken = rival.milliseconds(texts, arguments.seconds)
            others[name] = min(taken, others.get(name, taken))
    return off, own, others


def check_operations(shape, model):
    """The operations of the floors must be those that the library finds in the file."""
    counted = [shapes.product_flops(shape, [1]), shapes.attention_flops(shape, [1])]
    if counted != [model["flops_per_token"], model["flops_per_pair"]]:
        sys.exit(f"{counted} operations of a token and of a pair of tokens, but {model}")


def rounded(numbers, digits=4):
    return {name: float(f"{number:.{digits}g}") if isinstance(number, float) else number for name, number in numbers.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmark", type=pathlib.Path, required=True, help="the program encoders_benchmark")
    parser.add_argument("--shapes", choices=shapes.SHAPES, nargs="+", default=list(shapes.SHAPES))
    parser.add_argument("--precisions", choices=shapes.PRECISIONS, nargs="+", default=list(shapes.PRECISIONS))
    parser.add_argument("--tokens", type=int, nargs="*", default=shapes.LENGTHS, help="of a text; none: only mixed lengths")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.4, help="of each in a turn, at least two evaluations")
    parser.add_argument("--points", default=points.FOLDER, help="the folder of the points")
    text_lengths.add_arguments(parser, 16)
    arguments = parser.parse_args()
    mixed, words = text_lengths.chosen(arguments)
    here = points.machine_of(machine())
    failed, peaks = False, shapes.Peaks()
    for name in arguments.shapes:
        shape = shapes.SHAPES[name]
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            model = pathlib.Path(folder) / "encoder.onnx"
            onnx.save(encoder(*shape), model)
            engines = {each: stack.enter_context(Tenrex(arguments.benchmark, model, each)) for each in arguments.precisions}
            check_operations(shape, next(iter(engines.values())).model)
            rivals = rivals_of(model, pathlib.Path(folder))
            for tokens in [*arguments.tokens, "mixed"]:
                lengths = mixed if tokens == "mixed" else [tokens]
                off, own, others = measure(engines, rivals, arguments.benchmark, tokens_of(lengths), arguments, peaks)
                found = []
                for precision in engines:
                    failed |= not off[precision] <= FARTHEST[precision]
                    rounds = own[precision].pop("rounds", [])
                    least_times = shapes.floors(shape, lengths, precision, peaks)
                    found.append({"model": name, "precision": precision, "tokens": tokens, "texts": len(lengths),
                                  **({"lengths": words, "sum": sum(lengths),
                                      "by_apart": round(statistics.median(together / apart for together, apart in rounds), 3)} if rounds else {}),
                                  "floor": rounded(least_times), "ms": rounded(own[precision]), "rivals": rounded(others),
                                  "off": float(f"{off[precision]:.2g}"), "rivals_off": rounded({each: off[each] for each in rivals}, 2),
                                  "peaks": rounded(peaks.arithmetic), "machine": here})
                    print(name, tokens, precision, found[-1]["floor"], found[-1]["ms"], found[-1]["rivals"], flush=True)
                points.write("budget", found, arguments.points)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
