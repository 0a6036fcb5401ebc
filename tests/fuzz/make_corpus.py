#!/usr/bin/env python3
"""Makes seed files for the fuzz programs from the conformance vectors, from folders of rank profiles and of forests, and
of small networks, tokenizers and indexes of vectors.

usage: make_corpus.py VECTORS PROFILES FORESTS ONNX_FORESTS TOKENIZERS DIRECTORY

Writes DIRECTORY/<target>/<number> for each target; equal contents are written once.
"""

import json
import pathlib
import re
import struct
import sys

from onnx_seeds import onnx_seeds
from packed_seeds import packed_seeds
from vector_seeds import vector_seeds

WIRE_CELL_TYPES = {"": 0, "double": 0, "float": 1, "bfloat16": 2, "int8": 3}
TYPE = re.compile(r"tensor(?:<(\w+)>)?\(([^)]*)\)")


def type_of(literal):
    found = TYPE.match(literal)
    return found.group(0) if found else "double"


def small(number):
    """An integer of one byte, or of four with the top bit set."""
    return bytes([number]) if number < 0x80 else struct.pack(">I", number | 0x80000000)


def binary_of(literal):
    """The typed binary form of an input with zeros for cells: headers are what a fuzzer finds hardest to invent."""
    found = TYPE.match(literal)
    if not found:
        return b"\x02\x00" + struct.pack(">d", 1.5)
    cell_type = WIRE_CELL_TYPES[found.group(1) or ""]
    dimensions = sorted(part.strip() for part in found.group(2).split(","))
    mapped = [d[:-2] for d in dimensions if d.endswith("{}")]
    indexed = [(d[: d.index("[")], int(d[d.index("[") + 1 : -1])) for d in dimensions if d.endswith("]")]
    tag = (1 if mapped else 0) | (2 if indexed or not mapped else 0) | (4 if cell_type else 0)
    out = small(tag) + (small(cell_type) if cell_type else b"")
    cells = {0: 8, 1: 4, 2: 2, 3: 1}[cell_type]
    if mapped:
        out += small(len(mapped)) + b"".join(small(len(name)) + name.encode() for name in mapped)
    if tag & 2:
        out += small(len(indexed)) + b"".join(small(len(name)) + name.encode() + small(size) for name, size in indexed)
    for _, size in indexed:
        cells *= size
    if mapped:
        out += small(2) + b"".join(b"".join(small(1) + label for _ in mapped) + bytes(cells) for label in (b"a", b"b"))
    else:
        out += bytes(cells)
    return out


def json_of(literal):
    """The verbose literals and one-dimensional lists among the inputs as typed JSON."""
    kind = type_of(literal)
    content = literal[len(kind) + 1 :]
    if literal == kind or not literal.startswith("tensor"):
        return literal
    if re.fullmatch(r"[\[\]0-9,.e+-]+", content):
        return '{"type":"%s","values":%s}' % (kind, content)
    cells = re.findall(r"\{([^{}]*)\}:([^,{}]+)", content)
    if not content.startswith("{{") or not cells:
        return '{"type":"%s","cells":[]}' % kind
    written = []
    for address, value in cells:
        parts = [part.split(":", 1) for part in address.split(",") if ":" in part]
        labels = ",".join('"%s":"%s"' % (name.strip(), label.strip().strip('"')) for name, label in parts)
        written.append('{"address":{%s},"value":%s}' % (labels, value))
    return '{"type":"%s","cells":[%s]}' % (kind, ",".join(written))


def seeds(cases):
    for case in cases:
        expression = case["expression"]
        yield "parse", expression
        typed, valued = [expression], [expression]
        for name, literal in case["inputs"].items():
            kind = type_of(literal)
            typed += [name, kind]
            valued += [name, literal]
            yield "type", kind
            yield "literal", literal
            if literal.startswith("tensor"):
                yield "literal", kind + "\0" + literal[len(kind) + 1 :] + "\0" + "7f" * 8
            yield "json", json_of(literal)
            yield "binary", binary_of(literal)
        yield "check", "\0".join(typed)
        yield "eval", "\0".join(valued)


def profile_seeds(folder):
    """Each profile alone, with the files that it names, and each of its blocks within the shortest profile."""
    for path in sorted(folder.glob("*.profile")):
        text = path.read_text()
        yield text
        parts = [text]
        for name in re.findall(r"file:\s*(\S+)", text):
            name = name if "." in name else name + ".expression"
            parts += [name, (folder / name).read_text()]
        yield "\0".join(parts)
        for block in re.findall(r"^ {4,8}(?:\w|-)[^{}\n]*\{[^{}]*\}", text, flags=re.M):
            yield "rank-profile p {\n%s\n}\n" % block


def forest_seeds(folder):
    """A small model of each kind of file, and of each part that a kind may have."""
    for name in ("lightgbm_categorical.txt", "lightgbm_linear.txt", "lightgbm_multiclass_dump.json",
                 "lightgbm_categorical_dump.json", "xgboost_categorical.json", "xgboost_dart_binary.ubj",
                 "xgboost_vector_leaves_binary.ubj", "xgboost_categorical_dump.json"):
        yield (folder / name).read_bytes()


def tokenizer_seeds(folder):
    """Each tokenizer with a few texts."""
    texts = [json.loads(line)["text"] for line in (folder / "texts.jsonl").read_text(encoding="utf-8").split("\n") if line]
    for number, path in enumerate(sorted(folder.glob("*.json"))):
        for text in (" ".join(texts[number::10]), "\udcff".join(texts[number + 1::10])):
            yield path.read_bytes() + b"\0" + text.encode(errors="surrogateescape")


def dictionary(cases, profiles):
    """Words and operators of the language in libFuzzer's format, so that it need not invent them letter by letter."""
    words = set()
    for case in cases:
        words.update(re.findall(r"[A-Za-z_]{2,20}|[<>=!~&|]{2}|tensor<\w+>|\w\{\}|\w\[\d\]|f\(\w(?:,\w)?\)\(", case["expression"]))
    for text in profiles:
        words.update(re.findall(r"[a-z]+(?:-[a-z]+)+|[A-Za-z]{3,}\(|file:", text.split("\0")[0]))
    return "".join('"%s"\n' % word for word in sorted(words))


def main(arguments):
    if len(arguments) != 6:
        sys.exit(__doc__)
    with open(arguments[0], encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines if line.strip()]
    profiles = list(profile_seeds(pathlib.Path(arguments[1])))
    directory = pathlib.Path(arguments[5])
    written = {"profile": {text.encode(): None for text in profiles}}
    written["forest"] = {content: None for content in forest_seeds(pathlib.Path(arguments[2]))}
    written["onnx_forest"] = {path.read_bytes(): None for path in sorted(pathlib.Path(arguments[3]).glob("*.onnx"))}
    written["onnx"] = {content: None for content in onnx_seeds()}
    written["tokenizer"] = {content: None for content in tokenizer_seeds(pathlib.Path(arguments[4]))}
    written["packed"] = {content: None for content in packed_seeds()}
    written["vectors"] = {content: None for content in vector_seeds()}
    for target, content in seeds(cases):
        written.setdefault(target, {})[content.encode() if isinstance(content, str) else content] = None
    for target, contents in written.items():
        (directory / target).mkdir(parents=True, exist_ok=True)
        for number, content in enumerate(contents):
            (directory / target / str(number)).write_bytes(content)
    (directory / "language.dict").write_text(dictionary(cases, profiles))
    print(", ".join("%s: %d" % (target, len(contents)) for target, contents in written.items()))


if __name__ == "__main__":
    main(sys.argv[1:])
