#!/usr/bin/env python3
"""Times forests that LightGBM and XGBoost train, with Tenrex, the trainers, treelite and tl2cgen; an object a line.

    make perf-rivals                          installs them in build/rivals, a virtual environment
    build/rivals/bin/python perf/rivals/forests.py --benchmark build/release/perf/rivals/forests_benchmark

Tenrex reads the files that the trainers write. Raw scores are compared before anything is timed. One thread, time of the
processor, microseconds of a row; 2 of 100 numbers are missing. tl2cgen makes a C program of a forest, which takes a compiler
minutes: --compiled asks for it. Exit status: 1 if results differ.
"""

import argparse
import ctypes
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import lightgbm
import numpy
import xgboost

try:
    import tl2cgen
    import treelite
except ImportError:
    tl2cgen = treelite = None

# Trees, leaves, features, of them categories.
SHAPES = ((100, 16, 10, 0), (1000, 16, 100, 0), (500, 31, 100, 0), (500, 31, 100, 10), (1000, 64, 100, 0),
          (1000, 64, 200, 0))
ROWS = 2048
BATCH = 64


def make_rows(random, count, features, categories):
    rows = random.standard_normal((count, features)).astype(numpy.float32).astype(numpy.float64)
    for i in range(categories):
        rows[:, i] = random.integers(0, 40, count)
    rows[random.random(rows.shape) < 0.02] = numpy.nan
    return rows


def make_labels(random, rows):
    known = numpy.nan_to_num(rows)
    weights = random.standard_normal(rows.shape[1])
    return (known @ weights + numpy.sin(3 * known[:, 0]) * known[:, 1] + (known[:, 2] % 3 == 1) * 2 +
            random.standard_normal(len(rows)) * 0.1)


class FastRow:
    """LightGBM's call for single rows that is prepared once."""

    def __init__(self, booster, features):
        self.library = lightgbm.basic._LIB  # pylint: disable=protected-access
        self.config = ctypes.c_void_p()
        self.features = features
        self.out, self.length = ctypes.c_double(), ctypes.c_int64()
        status = self.library.LGBM_BoosterPredictForMatSingleRowFastInit(
            booster._handle, ctypes.c_int(1), ctypes.c_int(0), ctypes.c_int(-1), ctypes.c_int(1),
            ctypes.c_int(features), ctypes.c_char_p(b"num_threads=1"), ctypes.byref(self.config))
        if status != 0:
            raise RuntimeError("the single-row call cannot be prepared")

    def __call__(self, row):
        self.library.LGBM_BoosterPredictForMatSingleRowFast(
            self.config, row.ctypes.data_as(ctypes.c_void_p), ctypes.byref(self.length), ctypes.byref(self.out))
        return self.out.value


def microseconds(call, rows, runs=5):
    """The median of the time for a row, if a call takes so many."""
    call()
    times = []
    for _ in range(runs):
        start = time.process_time()
        call()
        times.append((time.process_time() - start) * 1e6 / rows)
    return round(sorted(times)[runs // 2], 3)


def tenrex(benchmark, folder, model, rows):
    """What the program says, and the scores."""
    rows.tofile(folder / "rows")
    done = subprocess.run([benchmark, model, folder / "rows", str(rows.shape[1]), folder / "scores"],
                          check=True, capture_output=True, text=True)
    return json.loads(done.stdout), numpy.fromfile(folder / "scores")


def blocks_of(rows, evaluate):
    def all_blocks():
        for first in range(0, len(rows), BATCH):
            evaluate(rows[first:first + BATCH])
    return microseconds(all_blocks, len(rows))


def rows_of(rows, evaluate, count=256):
    singles = [numpy.ascontiguousarray(rows[i:i + 1]) for i in range(count)]

    def all_rows():
        for row in singles:
            evaluate(row)
    return microseconds(all_rows, count)


def lightgbm_case(shape, rows, labels, folder):
    trees, leaves, _, categories = shape
    parameters = {"objective": "regression", "num_leaves": leaves, "min_data_in_leaf": 5, "verbosity": -1,
                  "num_threads": 1, "seed": 1, "learning_rate": 0.1}
    names = [f"f{i}" for i in range(rows.shape[1])]
    data = lightgbm.Dataset(rows, labels, feature_name=names, categorical_feature=list(range(categories)))
    booster = lightgbm.train(parameters, data, trees)
    booster.save_model(folder / "model.txt")
    fast = FastRow(booster, rows.shape[1])

    def predict(some):
        return booster.predict(some, num_threads=1, raw_score=True)
    engines = {"LightGBM": {"block_us": lambda test: blocks_of(test, predict), "batch_us": lambda test: microseconds(
        lambda: predict(test), len(test)), "single_us": lambda test: rows_of(test, fast)}}
    return folder / "model.txt", predict, engines, booster


def xgboost_case(shape, rows, labels, folder):
    trees, leaves, _, _ = shape
    parameters = {"objective": "reg:squarederror", "max_leaves": leaves, "grow_policy": "lossguide", "max_depth": 0,
                  "nthread": 1, "seed": 1, "eta": 0.1, "tree_method": "hist", "base_score": 0}
    names = [f"f{i}" for i in range(rows.shape[1])]
    booster = xgboost.train(parameters, xgboost.DMatrix(rows, labels, feature_names=names), trees)
    booster.save_model(folder / "model.json")
    booster.set_param({"nthread": 1})
    booster.feature_names = None

    def predict(some):
        return booster.inplace_predict(some, predict_type="margin")
    engines = {"XGBoost": {"block_us": lambda test: blocks_of(test.astype(numpy.float32), predict),
                           "batch_us": lambda test: microseconds(lambda: predict(test.astype(numpy.float32)), len(test)),
                           "single_us": lambda test: rows_of(test.astype(numpy.float32), predict)}}
    return folder / "model.json", predict, engines, booster


def treelite_engines(trainer, booster, folder, compiled):
    if treelite is None:
        return {}
    load = treelite.frontend.from_lightgbm if trainer == "LightGBM" else treelite.frontend.from_xgboost
    model = load(booster)
    number = numpy.float64 if trainer == "LightGBM" else numpy.float32
    engines = {"treelite": {"batch_us": lambda test: microseconds(
        lambda: treelite.gtil.predict(model, test.astype(number), nthread=1, pred_margin=True), len(test))}}
    if compiled:
        library = folder / "model.so"
        tl2cgen.export_lib(model, toolchain="gcc", libpath=library, params={"parallel_comp": 64}, nthread=1)
        predictor = tl2cgen.Predictor(library, nthread=1)

        def predict(some):
            rows = tl2cgen.DMatrix(some.astype(number), dtype=numpy.dtype(number).name)
            return predictor.predict(rows, pred_margin=True)
        engines["tl2cgen"] = {"batch_us": lambda test: microseconds(lambda: predict(test), len(test)),
                              "single_us": lambda test: rows_of(test, predict)}
    return engines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmark", type=pathlib.Path, required=True, help="the program forests_benchmark")
    parser.add_argument("--compiled", action="store_true", help="tl2cgen, too")
    parser.add_argument("--filter", default="", help="a regular expression for names such as 500x31.100")
    arguments = parser.parse_args()
    failed = False
    for shape in SHAPES:
        name = f"{shape[0]}x{shape[1]}.{shape[2]}" + (f".{shape[3]}categories" if shape[3] else "")
        if not re.search(arguments.filter, name):
            continue
        random = numpy.random.default_rng(1)
        rows = make_rows(random, 20000, shape[2], shape[3])
        labels = make_labels(random, rows)
        test = make_rows(random, ROWS, shape[2], shape[3])
        for trainer, case in (("LightGBM", lightgbm_case), ("XGBoost", xgboost_case)):
            if trainer == "XGBoost" and shape[3]:
                continue
            with tempfile.TemporaryDirectory() as name_of_folder:
                folder = pathlib.Path(name_of_folder)
                model, predict, engines, booster = case(shape, rows, labels, folder)
                result, scores = tenrex(arguments.benchmark, folder, model, test)
                off = float(numpy.max(numpy.abs(scores - predict(test))))
                if off != 0:
                    result = {"error": f"a result is off by {off}"}
                    failed = True
                print(json.dumps({"forest": name, "trained_by": trainer, "engine": "Tenrex", **result}), flush=True)
                engines.update(treelite_engines(trainer, booster, folder, arguments.compiled))
                for engine, calls in engines.items():
                    figures = {what: call(test) for what, call in calls.items()}
                    print(json.dumps({"forest": name, "trained_by": trainer, "engine": engine, **figures}), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
