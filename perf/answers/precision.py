#!/usr/bin/env python3
"""How far vectors at each precision are from those in float, for real encoders and texts.

  precision.py --data FOLDER [--tenrex build/release/tools/tenrex] [--models build/models]

FOLDER has xquad.en.json, maybe packed as .xz. The encoders are those of retrieval.py that are files of floats. Cosines to float of all
passages and questions, on average and at worst, and how many of the ten passages nearest to a question are the same, on average and at
worst. Exit status: 1 if int8 has a cosine below 0.985, or below 0.997 on average.
"""

import argparse
import os
import sys
import tempfile

import numpy

from retrieval import ENCODERS, Embedder, folder_of, xquad

NEAREST = 10
LEAST_WORST, LEAST_MEAN = 0.985, 0.997


def nearest(questions, passages):
    return numpy.argsort(-(questions @ passages.T), axis=1, kind="stable")[:, :NEAREST]


def compared(told, expected):
    """Of vectors of questions and of passages: (mean cosine, worst, mean share of the nearest that are the same, worst)."""
    ours, theirs = numpy.concatenate(told), numpy.concatenate(expected)
    norms = numpy.linalg.norm(ours, axis=1) * numpy.linalg.norm(theirs, axis=1)
    cosines = numpy.sum(ours * theirs, axis=1) / norms
    same = [len(set(a) & set(b)) / NEAREST for a, b in zip(nearest(*told), nearest(*expected))]
    return cosines.mean(), cosines.min(), numpy.mean(same), min(same)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tenrex", default="build/release/tools/tenrex")
    parser.add_argument("--models", default="build/models")
    parser.add_argument("--data", required=True)
    options = parser.parse_args()
    passages, questions, _ = xquad(options.data)
    print(f"| model | precision | cosine, mean | worst | nearest {NEAREST} that are the same, mean | worst |\n|---|---|--:|--:|--:|--:|")
    failed = False
    for name, model, tokenizer, settings, prefix in ENCODERS:
        if "quantized" in name:
            continue  # it is computed as it says
        with tempfile.TemporaryDirectory(prefix="tenrex-precision-") as folder:
            encoder = folder_of(options.models, model, tokenizer, os.path.join(folder, "encoder"))
            vectors = {}
            for precision in ("f32", "bf16", "int8"):
                embed = Embedder(options.tenrex, encoder, [*settings, "--precision", precision])
                vectors[precision] = (embed(questions, "--prefix", prefix)[0], embed(passages)[0])
                if precision != "f32":
                    mean, worst, same, least = compared(vectors[precision], vectors["f32"])
                    print(f"| {name} | {precision} | {mean:.6f} | {worst:.6f} | {same:.3f} | {least:.1f} |", flush=True)
                    failed |= precision == "int8" and not (worst >= LEAST_WORST and mean >= LEAST_MEAN)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
