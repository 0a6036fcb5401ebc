#!/usr/bin/env python3
"""Measures what loading a network takes: its private memory and its time, with random weights of the size of BERT-base.

    make perf-rivals                          installs what this needs in build/rivals, a virtual environment
    build/rivals/bin/python perf/loading/loading.py --benchmark build/release/perf/loading/loading_benchmark

The model is written as weights without a graph and as ONNX files with their weights inside and beside them. Each is
measured once more as a packed model. Private memory is what the
kernel counts for pages that no other process has (smaps_rollup), once all plans are there and at its peak; a run of its own looks at it, again
and again. Times are those of other runs, the least of several, while the file is in the cache of pages. An object a line.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy

sys.path.append(str(pathlib.Path(__file__).parent.parent / "encoders"))

RUNS = 5
WORDS = 30522
POSITIONS = 512
FORMATS = ("safetensors", "onnx", "external")


def safetensors(folder, layers, width, heads, inner):
    """An encoder as transformers stores it: model.safetensors and config.json."""
    random = numpy.random.default_rng(1)
    names = {"embeddings.word_embeddings.weight": (WORDS, width), "embeddings.position_embeddings.weight": (POSITIONS, width),
             "embeddings.token_type_embeddings.weight": (2, width)}

    def normalization(prefix):
        names.update({f"{prefix}.LayerNorm.weight": (width,), f"{prefix}.LayerNorm.bias": (width,)})

    def layer(prefix, rows, columns):
        names.update({f"{prefix}.weight": (columns, rows), f"{prefix}.bias": (columns,)})

    normalization("embeddings")
    for number in range(layers):
        prefix = f"encoder.layer.{number}"
        for part in ("query", "key", "value"):
            layer(f"{prefix}.attention.self.{part}", width, width)
        layer(f"{prefix}.attention.output.dense", width, width)
        normalization(f"{prefix}.attention.output")
        layer(f"{prefix}.intermediate.dense", width, inner)
        layer(f"{prefix}.output.dense", inner, width)
        normalization(f"{prefix}.output")
    header, offset = {}, 0
    for name, shape in names.items():
        end = offset + 4 * int(numpy.prod(shape))
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for shape in names.values():
            file.write((0.02 * random.standard_normal(shape, numpy.float32)).tobytes())
    (folder / "config.json").write_text(json.dumps({
        "architectures": ["BertModel"], "model_type": "bert", "hidden_size": width, "num_hidden_layers": layers,
        "num_attention_heads": heads, "intermediate_size": inner, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
        "vocab_size": WORDS, "max_position_embeddings": POSITIONS, "type_vocab_size": 2}))
    return folder / "model.safetensors", "reduce(onnx(m).last_hidden_state,avg,d1)"


def onnx_file(folder, shape, is_external):
    import encoder_model
    import onnx

    path = folder / "model.onnx"
    onnx.save(encoder_model.encoder(*shape, words=WORDS), path, save_as_external_data=is_external, location="weights.bin")
    return path, "onnx(m).embedding"


def private(process):
    """Bytes; 0 if the process is gone."""
    try:
        lines = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def run(command, looks):
    """What the program says, and its private memory at the peak and in the end."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        peak = 0
        if looks:
            import select
            while not select.select([process.stdout], [], [], 0.002)[0]:
                peak = max(peak, private(process.pid))
        line = process.stdout.readline()
        after = private(process.pid)
        process.stdin.close()
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed")
    return json.loads(line), max(peak, after), after


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmark", type=pathlib.Path, required=True, help="the program loading_benchmark")
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--formats", choices=FORMATS, nargs="+", default=list(FORMATS))
    parser.add_argument("--precisions", choices=("f32", "bf16", "int8"), nargs="+", default=["f32", "bf16", "int8"])
    parser.add_argument("--plans", type=int, nargs="+", default=[1, 8])
    arguments = parser.parse_args()
    shape = (arguments.layers, 768, 12, 3072)
    for kind in arguments.formats:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            if kind == "safetensors":
                path, expression = safetensors(folder, *shape)
            else:
                path, expression = onnx_file(folder, shape, kind == "external")
            size = sum(file.stat().st_size for file in folder.iterdir())
            models = [(kind, precision, path, size) for precision in arguments.precisions]
            for precision in arguments.precisions:
                packed = folder / f"{precision}.packed"
                subprocess.run([arguments.benchmark, "pack", path, precision, packed], check=True)
                models.append((f"packed {kind}", precision, packed, packed.stat().st_size))
            for called, precision, model, size in models:
                for plans in arguments.plans:
                    command = [arguments.benchmark, model, expression, str(plans), precision]
                    said, peak, after = run(command, looks=True)
                    times = [run(command, looks=False)[0] for _ in range(RUNS)]
                    print(json.dumps({
                        "format": called, "precision": precision, "plans": plans, "file_mb": round(size / 1e6, 1),
                        "peak_mb": round(peak / 1e6, 1), "after_mb": round(after / 1e6, 1), "packed_mb": round(said["packed_bytes"] / 1e6, 1),
                        "load_ms": min(time["load_ms"] for time in times),
                        "first_plan_ms": min(time["compile_ms"][0] for time in times),
                        "last_plan_ms": min(time["compile_ms"][-1] for time in times)}), flush=True)


if __name__ == "__main__":
    main()
