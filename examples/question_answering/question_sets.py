"""Questions with the passages that answer them, how good answers are, and what words alone would answer."""

import collections
import glob
import hashlib
import json
import lzma
import math
import os
import re
import statistics
import string
import sys

QUESTIONS_TO_TEST = 500
MOST_PACKAGES = 300

# ---- data


class Example:
    def __init__(self, side, passage, question, spans):
        self.side, self.passage, self.question, self.spans = side, passage, question, spans

    def answers(self):
        return [self.passage[begin:end] for begin, end in self.spans]


def read_text(path):
    with (lzma.open(path, "rt", encoding="utf-8") if path.endswith(".xz") else open(path, encoding="utf-8")) as file:
        return file.read()


def find_file(folder, name):
    return next((p for p in sorted(glob.glob(os.path.join(folder, "*"))) if os.path.basename(p).removesuffix(".xz") == name), None)


def number_of(text):
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def clean(passage):
    """One line; a character stays one character, so that spans stay what they are."""
    return re.sub(r"\s", " ", passage)


def split_by_article(articles):
    """The articles for testing: in an order that chance gives, until there are enough questions."""
    chosen, count = set(), 0
    for title in sorted(articles, key=number_of):
        if count >= QUESTIONS_TO_TEST:
            break
        chosen.add(title)
        count += articles[title]
    return chosen


def public_sets(folder):
    path = find_file(folder, "xquad.en.json")
    if path is None:
        sys.exit(f"{folder} has no xquad.en.json")
    articles = json.loads(read_text(path))["data"]
    tested = split_by_article({a["title"]: sum(len(p["qas"]) for p in a["paragraphs"]) for a in articles})
    examples = []
    for article in articles:
        side = "test" if article["title"] in tested else "train"
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"]:
                spans = [(a["answer_start"], a["answer_start"] + len(a["text"])) for a in question["answers"]]
                examples.append(Example(side, clean(paragraph["context"]), question["question"], spans))
    more = find_file(folder, "qed-dev.jsonl")
    for line in read_text(more).splitlines() if more else []:
        entry = json.loads(line)
        if entry["title_text"].replace(" ", "_") not in tested:
            spans = [(s["start"], s["end"]) for group in entry["original_nq_answers"] for s in group]
            examples.append(Example("train", clean(entry["paragraph_text"]), entry["question_text"], spans))
    return examples


def packages():
    """Sentences of what a package says of itself, and questions that ask for one of them."""
    examples, blocks = [], []
    with open("/var/lib/dpkg/status", encoding="utf-8", errors="replace") as file:
        for block in file.read().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line and not line.startswith(" "))
            if all(name in fields for name in ("Package", "Version", "Section", "Maintainer", "Installed-Size", "Description")):
                blocks.append(fields)
    blocks = sorted(blocks, key=lambda fields: number_of("kept " + fields["Package"]))[:MOST_PACKAGES]
    tested = split_by_article({fields["Package"]: 4 for fields in blocks})
    for fields in blocks:
        name, keeper = fields["Package"], fields["Maintainer"].split(" <")[0]
        facts = [(f"The version of {name} is ", fields["Version"], ".", f"which version of {name} is installed?"),
                 (keeper, "", f" looks after {name}.", f"who maintains the package {name}?"),
                 ("It is in the section ", fields["Section"], ".", f"in what section is {name}?"),
                 ("On disk it takes ", fields["Installed-Size"], " kB.", f"how large is {name}?")]
        facts.sort(key=lambda fact: number_of(name + fact[3]))
        passage, asked = f"{name}: {fields['Description']}.", []
        for before, answer, after, question in facts:
            begin = len(passage) + 1 + (len(before) if answer else 0)
            passage += " " + before + answer + after
            asked.append((question, (begin, begin + len(answer or before))))
        examples += [Example("test" if name in tested else "train", passage, question, [span]) for question, span in asked]
    return examples


# ---- how good answers are, as SQuAD measures it


def words_of(text):
    text = "".join(c for c in text.lower() if c not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


def overlap(one, other):
    one, other = words_of(one), words_of(other)
    common = sum((collections.Counter(one) & collections.Counter(other)).values())
    return 2 * common / (len(one) + len(other)) if common else 0.0


def measure(examples, answers):
    """(exact match, F1)"""
    exact = [max(words_of(answer) == words_of(right) for right in e.answers()) for e, answer in zip(examples, answers)]
    common = [max(overlap(answer, right) for right in e.answers()) for e, answer in zip(examples, answers)]
    return statistics.fmean(exact), statistics.fmean(common)


# ---- the baseline without a model


class Windows:
    """The words that stand closest to many rare words of the question."""

    def __init__(self, passages):
        self.words = [set(words_of(passage)) for passage in passages]
        having = collections.Counter(word for words in self.words for word in words)
        self.weights = {word: math.log(1 + len(passages) / count) for word, count in having.items()}

    def weight(self, words):
        return sum(self.weights.get(word, 0) for word in words)

    def passage(self, question, but=None):
        """The number of the one that has most words of the question, but for the one of that number."""
        asked = set(words_of(question))
        return max((i for i in range(len(self.words)) if i != but), key=lambda i: self.weight(asked & self.words[i]), default=0)

    def answer(self, question, passage, most=4, around=8):
        asked, words = set(words_of(question)), passage.split()
        told = [set(words_of(word)) for word in words]
        near = [self.weight(asked & word) for word in told]
        best = (-1.0, "")
        for begin in range(len(words)):
            for end in range(begin + 1, min(begin + most, len(words)) + 1):
                if any(asked & word for word in told[begin:end]) or not set().union(*told[begin:end]):
                    break
                beside = sum(near[max(0, begin - around):begin]) + sum(near[end:end + around])
                own = self.weight(set().union(*told[begin:end])) / (end - begin)
                best = max(best, (beside + 0.1 * own, " ".join(words[begin:end])))
        return best[1]
