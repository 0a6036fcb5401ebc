"""The rules that the sources keep, as functions from a tree to a list of findings: "file:line: what and why"."""

import json
import os
import re

from standard_names import check_standard_headers

# What each layer may include: a directory of lib/, or the optimizer. The oracle (reference) never sees the compiler.
LAYERS = {
    "support": {"support"},
    "types": {"types", "support"},
    "storage": {"storage", "types", "support"},
    "formats": {"formats", "storage", "types", "support"},
    "forest": {"forest", "formats", "storage", "types", "support"},
    "syntax": {"syntax", "types", "support"},
    "sema": {"sema", "forest", "syntax", "formats", "storage", "types", "support"},
    "reference": {"reference", "forest", "sema", "storage", "types", "support"},
    "ir": {"ir", "forest", "sema", "formats", "storage", "types", "support"},
    "kernels": {"kernels", "support"},
    "program": {"program", "forest", "kernels", "sema", "storage", "types", "support"},
    "lower": {"lower", "forest", "program", "optimizer", "kernels", "ir", "sema", "storage", "types", "support"},
    "optimizer": {"optimizer", "forest", "ir", "sema", "storage", "types", "support"},
    "runtime": {"runtime", "forest", "lower", "program", "optimizer", "kernels", "ir", "reference", "sema", "syntax",
                "formats", "storage", "types", "support"},
    "retrieval": {"retrieval", "kernels", "support"},
    "onnx": {"onnx", "forest", "sema", "runtime", "storage", "types", "support"},
    "text": {"text", "forest", "types", "support"},
    "profile": {"profile", "forest", "runtime", "sema", "syntax", "formats", "storage", "types", "support"},
}
# Single headers that a layer may include beyond that.
ALSO_ALLOWED = {
    ("reference", "lib/syntax/tensor_function.h"),
    ("ir", "lib/syntax/tensor_function.h"),
    ("program", "lib/syntax/tensor_function.h"),
    ("lower", "lib/syntax/tensor_function.h"),
}
# Public headers belong to the layer that implements them.
PUBLIC_HEADERS = {
    "attention_heads.h": "onnx",
    "cell_type.h": "support",  # the conversions to cells: scalar functions and kernels use them too
    "cell_types.def": "support",
    "dialect.h": "support",
    "distance_metric.h": "support",
    "executor.h": "support",  # an interface: threads of the caller
    "export.h": "support",
    "version.h": "support",
    "issue.h": "support",
    "limits.h": "support",
    "result.h": "support",
    "forest.h": "forest",
    "bounded_tensor.h": "storage",
    "formats.h": "formats",
    "label.h": "storage",
    "tensor.h": "storage",
    "tensor_type.h": "types",
    "language.h": "syntax",
    "schema.h": "sema",
    "c_api.h": "runtime",
    "column_buffer.h": "runtime",
    "columns.h": "runtime",
    "compile_cache.h": "runtime",
    "expression.h": "runtime",
    "model_precision.h": "sema",
    "model_reader.h": "sema",
    "onnx.h": "onnx",
    "onnx_c_api.h": "onnx",
    "nearest_neighbors.h": "retrieval",
    "plan.h": "runtime",
    "profile_files.h": "profile",
    "rank_profile.h": "profile",
    "ranking.h": "profile",
    "response_cache.h": "text",
    "tenrex.h": "profile",
    "tokenizer.h": "text",
    "weight_store.h": "program",
}
# Layers whose use of the dependencies is fixed: public headers use none.
PRIVATE_DEPENDENCIES = ("fmt/", "nlohmann/", "unicode/", "xxhash.h", "CLI/")

MAX_LINES = 400
SOURCES = (".h", ".cpp", ".def", ".inc")
TEXTS = SOURCES + (".py", ".cmake", ".txt", ".md", ".json", ".in", ".1", ".jsonl")
SKIPPED_DIRECTORIES = {".git", ".cache", "build", "__pycache__", "venv"}


class Tree:
    """The files below a directory, as paths relative to it, with '/'; and those of them that a build compiles."""

    def __init__(self, root, compile_commands=None):
        self.root = root
        self.compiled = set()
        if compile_commands is not None:
            with open(compile_commands, encoding="utf-8") as file:
                self.compiled = {os.path.relpath(source, root) for command in json.load(file)
                                 for source in sources_of(command["file"])}
        self.files = []
        for directory, names, files in os.walk(root):
            names[:] = sorted(n for n in names if n not in SKIPPED_DIRECTORIES and not n.startswith("cmake-build"))
            for file in sorted(files):
                self.files.append(os.path.relpath(os.path.join(directory, file), root).replace(os.sep, "/"))

    def read_bytes(self, path):
        with open(os.path.join(self.root, path), "rb") as file:
            return file.read()

    def read(self, path):
        return self.read_bytes(path).decode("utf-8")

    def select(self, folders, suffixes):
        return [f for f in self.files if f.startswith(folders) and f.endswith(suffixes)]


def sources_of(file):
    """The sources that a compiled file stands for: those that are compiled with it as one unit, or itself."""
    if os.path.basename(os.path.dirname(file)) != "Unity":
        return [file]
    with open(file, encoding="utf-8") as unit:
        return re.findall(r'^#include "(.*)"', unit.read(), re.MULTILINE)


def includes(text):
    """Yields (line number, included name, whether quoted)."""
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if match:
            yield number, match.group(2), match.group(1) == '"'


def layer_of(path):
    """The layer that a file belongs to, by its path from the root."""
    parts = path.split("/")
    if parts[0] == "include":
        return PUBLIC_HEADERS.get(parts[2], "unknown")
    return parts[1] if parts[0] == "lib" else parts[0]


def layer_of_include(name):
    """The layer that an included header belongs to, or None for headers from outside the project."""
    if name.startswith(("lib/", "optimizer/")):
        return layer_of(name)
    if name.startswith("tenrex/"):
        return PUBLIC_HEADERS.get(name[len("tenrex/"):], "unknown")
    return None


def check_layers(tree):
    """Include lines follow the order of the layers."""
    findings = []
    for path in tree.select(("include/tenrex/", "lib/", "optimizer/"), SOURCES):
        public = path.startswith("include/")
        layer = layer_of(path)
        if layer not in LAYERS:
            findings.append(f"{path}:1: belongs to no layer; assign it in tests/architecture/rules.py")
            continue
        for line, name, quoted in includes(tree.read(path)):
            target = layer_of_include(name)
            if target is not None and quoted != (not name.startswith("tenrex/")):
                findings.append(f'{path}:{line}: public headers are included as <tenrex/...>, others as "lib/..."')
            if name.endswith("tenrex/tenrex.h"):
                findings.append(f"{path}:{line}: includes everything; name the headers that are used")
            elif target is None:
                if quoted:
                    findings.append(f'{path}:{line}: "{name}" is not relative to the root: write "lib/..."')
                if public and name.startswith(PRIVATE_DEPENDENCIES):
                    findings.append(f"{path}:{line}: a public header must not need {name}")
            elif public and not name.startswith("tenrex/"):
                findings.append(f"{path}:{line}: a public header must not include {name}")
            elif path == "include/tenrex/tenrex.h":
                continue
            elif target not in LAYERS[layer] and (layer, name) not in ALSO_ALLOWED:
                findings.append(f"{path}:{line}: {layer} must not include {name}, which belongs to {target}")
    for path in tree.select(("tools/", "examples/", "perf/measure/", "python/"), SOURCES):
        for line, name, _ in includes(tree.read(path)):
            if name.startswith(("lib/", "optimizer/")):
                findings.append(f"{path}:{line}: uses {name}; programs use the public headers only")
    return findings


def check_umbrella(tree):
    """<tenrex/tenrex.h> includes every public header, but those for C and those of a library of its own."""
    named = {name for _, name, _ in includes(tree.read("include/tenrex/tenrex.h"))}
    findings = []
    for path in tree.select(("include/tenrex/",), (".h",)):
        name = path[len("include/"):]
        if name not in named and name not in ("tenrex/attention_heads.h", "tenrex/tenrex.h", "tenrex/export.h", "tenrex/c_api.h", "tenrex/onnx.h",
                                              "tenrex/onnx_c_api.h", "tenrex/response_cache.h",
                                              "tenrex/tokenizer.h",
                                              "tenrex/nearest_neighbors.h"):
            findings.append(f"include/tenrex/tenrex.h:1: lacks <{name}>")
    return findings


def check_sizes(tree):
    """No source file is too long to read."""
    findings = []
    for path in tree.select(("",), SOURCES + (".py",)):
        lines = tree.read_bytes(path).count(b"\n")
        if lines > MAX_LINES:
            findings.append(f"{path}:{lines}: {lines} lines, more than {MAX_LINES}: split it along a seam")
    return findings


def check_headers(tree):
    """A header says what it is and is guarded."""
    findings = []
    for path in tree.select(("include/", "lib/", "optimizer/", "tools/", "tests/", "python/"), (".h",)):
        lines = tree.read(path).split("\n")
        if not lines[0].startswith("//"):
            findings.append(f"{path}:1: starts without a comment that says what it is")
        code = [line for line in lines if line and not line.startswith("//")]
        if code[:1] != ["#pragma once"]:
            findings.append(f"{path}:1: #pragma once must come right after the comment")
        for number, line in enumerate(lines, 1):
            if re.match(r"\s*using\s+namespace\b", line):
                findings.append(f"{path}:{number}: using namespace in a header")
    return findings


def is_listed_kernel(tree, path):
    """Whether lib/kernels/<family>/<family>_<target>.cpp is added by a line of lib/kernels/CMakeLists.txt."""
    match = re.fullmatch(r"lib/kernels/(\w+)/\1_([a-z0-9]+)\.cpp", path)
    cmake = "lib/kernels/CMakeLists.txt"
    if match is None or cmake not in tree.files:
        return False
    family, target = match.groups()
    return re.search(rf"^tenrex_add_kernels\({family}\b[^)]*\b{target}\b", tree.read(cmake), re.MULTILINE) is not None


def check_lists(tree):
    """Every source is built, every test is registered, every directory is added."""
    findings = []
    for path in tree.select(("lib/", "optimizer/", "tools/", "tests/", "examples/"), (".cpp",)):
        # The consumers of the package are projects of their own. Kernels for another processor are not compiled here,
        # so their list is read instead.
        if path not in tree.compiled and not path.startswith("tests/package/") and not is_listed_kernel(tree, path):
            findings.append(f"{path}:1: not listed in a CMakeLists.txt, so never built")
    for path in tree.select(("tests/",), ("_test.py",)):
        cmake = f"{os.path.dirname(path)}/CMakeLists.txt"
        if cmake not in tree.files or os.path.basename(path) not in tree.read(cmake):
            findings.append(f"{path}:1: not named in {cmake}, so never run")
    for path in tree.select(("lib/", "optimizer/", "tests/"), ("/CMakeLists.txt",)):
        folder, parent = os.path.dirname(path), os.path.dirname(os.path.dirname(path))
        above = f"{parent}/CMakeLists.txt"
        if above in tree.files and f"add_subdirectory({os.path.basename(folder)})" not in tree.read(above):
            if not folder.startswith("tests/package/"):
                findings.append(f"{path}:1: {above} does not add this directory")
    return findings


def is_text(path):
    return path.endswith(TEXTS) or os.path.splitext(path)[1] == "" or os.path.basename(path).startswith(".")


def check_hygiene(tree):
    """Plain text: LF, a final newline, no trailing white space, no tabs, ASCII in sources, no marks, no machine's paths."""
    findings = []
    marks = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")) + r")\b")
    machine_path = re.compile(r"(?<![\w.$}])/(?:home|root|work|Users)/\w")
    for path in tree.files:
        # The fuzz corpus holds bytes of any kind on purpose; models are as their trainers wrote them.
        if not is_text(path) or "/corpus/" in path or "/trained/" in path or path.endswith(".jsonl"):
            continue
        data = tree.read_bytes(path)
        if b"\r" in data:
            findings.append(f"{path}:1: carriage returns")
        if data and not data.endswith(b"\n"):
            findings.append(f"{path}:{data.count(10) + 1}: no newline at the end")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            findings.append(f"{path}:{data[:error.start].count(10) + 1}: not UTF-8")
            continue
        ascii_only = path.startswith(("include/", "lib/", "optimizer/", "tools/", "examples/")) or path.endswith(".cmake")
        for number, line in enumerate(text.split("\n"), 1):
            # What a program prints may end with spaces, and documents show it.
            if line != line.rstrip(" \t") and not path.endswith(".md"):
                findings.append(f"{path}:{number}: white space at the end of the line")
            if "\t" in line and path.endswith(SOURCES + (".py", ".cmake", "CMakeLists.txt")):
                findings.append(f"{path}:{number}: tab")
            if ascii_only and path.endswith(SOURCES + (".cmake",)) and not line.isascii():
                findings.append(f"{path}:{number}: not ASCII")
            if marks.search(line):
                findings.append(f"{path}:{number}: a mark of unfinished work")
            if machine_path.search(line):
                findings.append(f"{path}:{number}: a path of one machine")
    return findings


def check_links(tree):
    """Links between the documents lead to files that exist."""
    findings = []
    for path in tree.select(("",), (".md",)):
        text = re.sub(r"```.*?```", lambda m: "\n" * m.group().count("\n"), tree.read(path), flags=re.S)
        text = re.sub(r"`[^`\n]*`", "", text)
        for number, line in enumerate(text.split("\n"), 1):
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", line):
                if re.match(r"[a-z]+:", target):
                    continue
                file = os.path.normpath(os.path.join(os.path.dirname(path), target)).replace(os.sep, "/")
                if file not in tree.files and not any(f.startswith(file + "/") for f in tree.files):
                    findings.append(f"{path}:{number}: {target} does not exist")
    return findings


def check_named_files(tree):
    """Files that the documents name in code font exist."""
    findings = []
    pattern = re.compile(r"`((?:lib|include|tests|tools|docs|cmake|scripts|examples)/[\w./-]+\.(?:h|cpp|def|md|py|txt|cmake))`")
    for path in tree.select(("README.md", "CONTRIBUTING.md", "docs/"), (".md",)):
        for number, line in enumerate(tree.read(path).split("\n"), 1):
            for target in pattern.findall(line):
                if target not in tree.files:
                    findings.append(f"{path}:{number}: {target} does not exist")
    return findings


def check_rules(tree):
    """The rule of an operation of the graph is in the source with its name, or with what its name begins with."""
    findings = []
    for op in re.findall(r"^TENREX_OP\((\w+)", tree.read("lib/ir/ops.def"), flags=re.M):
        words = op.split("_")
        sources = ["lib/lower/" + "_".join(words[:count]) + ".cpp" for count in range(len(words), 0, -1)]
        if not any(f"Value lower_{op}(" in tree.read(source) for source in sources if source in tree.files):
            findings.append(f"{sources[0]}:1: has no rule for {op}")
    return findings


def parse_limits(header):
    """The fields of struct Limits: name -> value."""
    limits = {}
    pattern = r"std::uint(?:32|64)_t (\w+) = ([^;]+);"
    for name, value in re.findall(pattern, header):
        shift = re.fullmatch(r"std::uint64_t\{(\d+)\} << (\d+)", value)
        limits[name] = int(shift.group(1)) << int(shift.group(2)) if shift else int(value.replace("'", ""))
    return limits


def check_limits(tree):
    """docs/limits.md and include/tenrex/limits.h say the same."""
    limits = parse_limits(tree.read("include/tenrex/limits.h"))
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) \|", tree.read("docs/limits.md"), flags=re.M)
    documented = {name: int(value.replace(",", "")) for name, value in rows}
    findings = []
    if not limits:
        findings.append("include/tenrex/limits.h:1: no limits found")
    for name in sorted(limits.keys() | documented.keys()):
        if limits.get(name) != documented.get(name):
            findings.append(f"docs/limits.md:1: {name} is {limits.get(name)} in limits.h and {documented.get(name)} here")
    return findings


CHECKS = {
    "layers": check_layers,
    "umbrella": check_umbrella,
    "sizes": check_sizes,
    "headers": check_headers,
    "standard_headers": check_standard_headers,
    "lists": check_lists,
    "hygiene": check_hygiene,
    "links": check_links,
    "named_files": check_named_files,
    "rules": check_rules,
    "limits": check_limits,
}
