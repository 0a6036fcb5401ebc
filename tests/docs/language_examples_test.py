#!/usr/bin/env python3
"""Runs the examples of the documentation and checks that they are complete.

usage: language_examples_test.py [--root DIRECTORY] TENREX

Every ```tenrex block of README.md and docs/ is run through `TENREX eval --jsonl`, and the commands of every ```console
block are run by the shell (see examples.py for their form). The language pages must show every scalar function,
operator, tensor function, aggregator and cell type, and their tables of precedences and limits must agree with the
sources.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / 'tools'))

import completeness
import examples
import onnx_writer
import values

LANGUAGE_PAGES = ('docs/language.md', 'docs/language_differences.md', 'docs/language')


def read_pages(root):
    """{relative path: text} of the pages that may hold examples."""
    paths = [root / 'README.md'] + sorted((root / 'docs').rglob('*.md'))
    return {str(path.relative_to(root)): path.read_text(encoding='utf-8') for path in paths if path.exists()}


def run(command, cases):
    """{example: answer}; an example without an answer is missing."""
    requests = [json.dumps({'id': str(number), 'expression': case.expression, 'inputs': case.inputs,
                            'dialect': case.dialect}) for number, case in enumerate(cases)]
    done = subprocess.run([command, 'eval', '--jsonl'], input='\n'.join(requests) + '\n', stdout=subprocess.PIPE,
                          encoding='utf-8', timeout=300, check=False)
    answers = {}
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        answers[cases[int(answer['id'])]] = answer
    return answers


def tolerance(example):
    """1e-9 where only double cells take part, else 1e-5."""
    texts = [example.expression] + [literal.partition(':')[0] for literal in example.inputs.values()]
    return 1e-5 if any(re.search('float|int8', text) for text in texts) else 1e-9


def judge(example, answer):
    """What is wrong with an answer, or None."""
    if answer is None:
        return 'no answer'
    if example.error is not None:
        if 'error' not in answer:
            return 'result %s, expected an error with %r' % (answer.get('result'), example.error)
        message = ' '.join(answer['error'].split())
        return None if example.error in message else 'error %r, expected one with %r' % (message, example.error)
    if 'error' in answer:
        return 'error %r, expected %s' % (answer['error'], example.result)
    try:
        actual = values.parse_value(answer['result'])
        if example.type is not None and str(actual.type) != example.type:
            return 'type is %s, expected %s' % (actual.type, example.type)
        if example.result == '...':
            return None if example.type is not None else 'an open result needs a type'
        return values.difference(actual, values.parse_value(example.result), tolerance(example))
    except values.LiteralError as problem:
        return 'bad literal: %s' % problem


def check_examples(pages, answer_all):
    """(number of examples, list of problems)."""
    problems, cases = [], []
    for page, text in pages.items():
        try:
            cases += examples.find_examples(page, text)
        except examples.PageError as problem:
            problems.append(str(problem))
    answers = answer_all(cases)
    for case in cases:
        problem = judge(case, answers.get(case))
        if problem is not None:
            inputs = ''.join('\n    %s = %s' % item for item in case.inputs.items())
            problems.append('%s: %s\n    %s%s' % (case.place, problem, case.expression, inputs))
    return cases, problems


def check_commands(pages, program):
    """(number of commands, list of problems). The commands of a page share a directory for their files."""
    problems, count = [], 0
    for page, text in pages.items():
        with tempfile.TemporaryDirectory() as directory:
            os.symlink(pathlib.Path(program).resolve(), pathlib.Path(directory, 'tenrex'))
            pathlib.Path(directory, 'layer.onnx').write_bytes(onnx_writer.layer())
            environment = {**os.environ, 'PATH': directory + os.pathsep + os.environ.get('PATH', ''), 'LC_ALL': 'C'}
            for command in examples.find_commands(page, text):
                if command.shown_file():
                    pathlib.Path(directory, command.shown_file()).write_text(command.output, encoding='utf-8')
                    continue
                count += 1
                done = subprocess.run(['sh', '-c', command.text], cwd=directory, env=environment,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      encoding='utf-8', timeout=60, check=False)
                if done.stdout.rstrip() != command.output.rstrip():
                    problems.append('%s: %s\n  printed\n%s  expected\n%s' %
                                    (command.place, command.text, done.stdout, command.output))
    return count, problems


def check_completeness(pages, cases, root):
    language = {page: text for page, text in pages.items() if page.startswith(LANGUAGE_PAGES)}
    problems = ['%s has no examples' % page for page in language if not any(case.page == page for case in cases)]
    if not language:
        problems.append('there are no language pages')

    def source(path):
        return (root / path).read_text(encoding='utf-8')

    functions = source('lib/support/functions.def')
    seen = completeness.Seen(case for case in cases if case.page in language)
    problems += ['no example of ' + what for what in completeness.missing_examples(
        seen, functions, source('lib/syntax/tensor_functions.def'), source('lib/syntax/aggregators.def'),
        source('include/tenrex/cell_types.def'))]
    problems += completeness.wrong_precedences(language.values(), functions)
    problems += completeness.wrong_limits(pages.values(), source('include/tenrex/limits.h'))
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--root', type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument('tenrex', help='the command-line program')
    options = parser.parse_args()
    pages = read_pages(options.root)
    cases, problems = check_examples(pages, lambda found: run(options.tenrex, found))
    commands, command_problems = check_commands(pages, options.tenrex)
    problems += command_problems
    failed = len(problems)
    problems += check_completeness(pages, cases, options.root)
    for problem in problems:
        print('FAILED ' + problem)
    print('%d examples and %d commands, %d problems with them, %d gaps' %
          (len(cases), commands, failed, len(problems) - failed))
    return 1 if problems or not cases else 0


if __name__ == '__main__':
    sys.exit(main())
