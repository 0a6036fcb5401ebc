"""How many tokens texts have: by a distribution that is stated, or as texts of a file or a folder have them."""

import argparse
import json
import lzma
import math
import os
import pathlib
import random
import re
import statistics
import subprocess
import tempfile

# Half are questions of search engines, half are paragraphs of an encyclopedia, as XQuAD and QED have them in English.
STATED = "lognormal:13:0.25+lognormal:125:0.4"
LONGEST = 512
LEAST = 3  # a word between the two tokens that stand around a text
# Members of JSON that are texts, and those that have parts of them.
FIELDS = ("question", "question_text", "context", "paragraph_text", "text")
PARTS = ("answers",)


def quantiles(text, count):
    """"lognormal:MEDIAN:SIGMA", several joined with +, each of which gives as many: what stands at even shares of the distribution."""
    lengths, parts = [], text.split("+")
    for number, part in enumerate(parts):
        kind, *numbers = part.split(":")
        if kind != "lognormal" or len(numbers) != 2:
            raise argparse.ArgumentTypeError(f"'{part}' is not 'lognormal:MEDIAN:SIGMA'")
        median, sigma = (float(each) for each in numbers)
        own = count * (number + 1) // len(parts) - count * number // len(parts)
        normal = statistics.NormalDist()
        lengths += [round(median * math.exp(sigma * normal.inv_cdf((i + 0.5) / own))) for i in range(own)]
    return lengths


def strings_of(value):
    """The texts in JSON, by the names of members."""
    if isinstance(value, dict):
        for name, member in value.items():
            if name in FIELDS and isinstance(member, str):
                yield member
            elif name not in PARTS:
                yield from strings_of(member)
    elif isinstance(value, list):
        for member in value:
            yield from strings_of(member)


def files_of(path):
    """The file, or those of a folder that are called xquad.en.json or NAME-dev.jsonl, each maybe packed as .xz."""
    path = pathlib.Path(path)
    if not path.is_dir():
        return [path]
    return [each for each in sorted(path.iterdir()) if re.fullmatch(r"(xquad\.en|.*-dev)\.jsonl?(\.xz)?", each.name)]


def texts_of(path):
    """Of JSON, JSON lines, or a text on each line."""
    with (lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else open(path, encoding="utf-8")) as file:
        content = file.read()
    name = path.name.removesuffix(".xz")
    if name.endswith(".json"):
        return list(strings_of(json.loads(content)))
    if name.endswith(".jsonl"):
        return [text for line in content.splitlines() for text in strings_of(json.loads(line))]
    return [line for line in content.splitlines() if line]


def counted(texts, tokenizer, tenrex):
    """Tokens of each text. Without a tokenizer a word and a sign count as one each, and two stand around a text."""
    if tokenizer is None:
        return [2 + len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "texts.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps({"text": text}) + "\n" for text in texts)
        told = subprocess.run([tenrex, "tokenize", "--tokenizer", tokenizer, "--max-length", str(LONGEST), path],
                              stdout=subprocess.PIPE, text=True, check=True).stdout
    return [len(json.loads(line)["ids"]) for line in told.splitlines()]


def add_arguments(parser, count):
    parser.add_argument("--lengths", default=STATED, help="lognormal:MEDIAN:SIGMA, several joined with +")
    parser.add_argument("--data", help="a file or a folder with texts, instead of a distribution")
    parser.add_argument("--tokenizer", help="a tokenizer.json that counts their tokens; without it words and signs count")
    parser.add_argument("--tenrex", default="build/release/tools/tenrex", help="the program that runs the tokenizer")
    parser.add_argument("--texts", type=int, default=count, help="so many")


def chosen(arguments, longest=LONGEST):
    """The lengths, in an order that is always the same, and what they are in words. Of texts that are there it takes those at even
    shares."""
    if arguments.data:
        files = files_of(arguments.data)
        every = sorted(counted([text for path in files for text in texts_of(path)], arguments.tokenizer, arguments.tenrex))
        if not every:
            raise SystemExit(f"{arguments.data} has no texts")
        lengths = [every[(2 * i + 1) * len(every) // (2 * arguments.texts)] for i in range(arguments.texts)]
        words = f"{len(every)} texts of {', '.join(path.name.removesuffix('.xz') for path in files)}"
    else:
        lengths, words = quantiles(arguments.lengths, arguments.texts), arguments.lengths
    lengths = [min(max(length, LEAST), longest) for length in lengths]
    random.Random(1).shuffle(lengths)
    return lengths, words
