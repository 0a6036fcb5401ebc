"""What the scripts of the example share: their options, where models are, and the program that answers."""

import argparse
import glob
import os
import subprocess
import sys


def parser_of(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tenrex", default="build/release/tools/tenrex")
    parser.add_argument("--program", default="build/release/examples/question_answering/answer")
    parser.add_argument("--models", default="build/models")
    parser.add_argument("--data")
    parser.add_argument("--folder", default="build/question_answering")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    return parser


def only(models, pattern):
    found = sorted(glob.glob(os.path.join(models, "**", pattern), recursive=True))
    if not found:
        sys.exit(f"{models} has no {pattern}: `make models` installs it")
    return found[0]


def run_program(options, reader, passages, lines, *more):
    """(answers, numbers of passages, times)"""
    path = os.path.join(options.folder, "passages.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(passage + "\n" for passage in passages)
    done = subprocess.run([options.program, "--encoder", options.encoder, "--reader", reader, "--tokenizer", options.tokenizer,
                           "--passages", path, *more],
                          input="".join(line + "\n" for line in lines), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return [row[0] for row in rows], [int(row[1]) for row in rows], done.stderr


class Tested:
    """The questions to test with and their passages."""

    def __init__(self, examples):
        self.examples = [e for e in examples if e.side == "test"]
        self.passages = list(dict.fromkeys(e.passage for e in self.examples))
        self.numbers = [self.passages.index(e.passage) for e in self.examples]

    def given(self):
        """Questions with the numbers of the passages that have their answers."""
        return [f"{number}\t{e.question}" for number, e in zip(self.numbers, self.examples)]
