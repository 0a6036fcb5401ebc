#!/usr/bin/env python3
"""Trains a reader on what a cross-encoder makes of questions with passages, and answers questions with it.

  question_answering.py --tenrex build/release/tools/tenrex --program build/release/examples/question_answering/answer
                        [--models build/models] [--data FOLDER] [--folder FOLDER] [--layers 12]

FOLDER has xquad.en.json in the form of SQuAD, and perhaps qed-dev.jsonl, each maybe packed as .xz; half of the articles of the first
are for testing, and nothing of them is trained with. Without --data, passages and questions are made of what this machine knows
of its packages. The cross-encoder, ms-marco-MiniLM-L12, and the encoder, all-MiniLM-L6, are those that `make models` installs;
they stay as they are. A reader of fewer layers has the first ones of the cross-encoder. What is made stands in the other FOLDER
(by default build/question_answering): vectors of tokens, what was trained after each epoch, and the readers. An interrupted run
goes on from there.
"""

import statistics

from question_sets import Windows, measure, packages, public_sets
from running import Tested, parser_of, run_program
from training import LARGEST, LAYERS, Readers, answers_of_runtime, cross_encoder


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--layers", type=int, default=LARGEST, choices=sorted(LAYERS))
    options = parser.parse_args()
    model = cross_encoder(options)
    examples = public_sets(options.data) if options.data else packages()
    readers = Readers(options, model, examples)
    readers.prepare(sorted({LARGEST, options.layers}))
    network, path = readers.write(options.layers)

    tested = Tested(examples)
    print(f"{'public sets' if options.data else 'facts of packages'}: {len(readers.trained)} questions to train with, "
          f"{len(tested.examples)} to test, about {len(tested.passages)} passages")
    windows = Windows(tested.passages)
    threads = ["--threads", str(options.threads)]

    def tell(what, answers):
        exact, common = measure(tested.examples, answers)
        print(f"  {what:<42} exact match {exact:.3f}, F1 {common:.3f}", flush=True)

    def tell_passages(chosen):
        print(f"    the right passage: {statistics.fmean(a == b for a, b in zip(chosen, tested.numbers)):.3f}")

    print("in the passage that has the answer:")
    tell("words beside those of the question", [windows.answer(e.question, e.passage) for e in tested.examples])
    tokens = [each for e, each in zip(examples, readers.tokens) if e.side == "test"]
    tell("the reader in ONNX Runtime", answers_of_runtime(options, network, tested.examples, tokens))
    for precision in ("f32", "int8"):
        answers, _, _ = run_program(options, path, tested.passages, tested.given(), "--given", "--precision", precision, *threads)
        tell(f"the reader in the program, {precision}", answers)
    print("among all passages:")
    chosen = [windows.passage(e.question) for e in tested.examples]
    tell("words beside those of the question", [windows.answer(e.question, tested.passages[i]) for e, i in zip(tested.examples, chosen)])
    tell_passages(chosen)
    answers, chosen, times = run_program(options, path, tested.passages, [e.question for e in tested.examples], *threads)
    tell("the program, ten passages", answers)
    tell_passages(chosen)
    print("".join(f"    {line}\n" for line in times.splitlines()), end="")
    for e, answer in list(zip(tested.examples, answers))[::max(1, len(tested.examples) // 5)]:
        print(f"  {e.question}\n    {answer}   ({e.answers()[0]})")


if __name__ == "__main__":
    main()
