"""The example examples/question_answering with a small made-up encoder and a reader that has a number for each token."""

import contextlib
import io
import json
import math
import os
import subprocess
import sys
import tempfile
import types
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../examples/question_answering'))

from bert_writer import config, safetensors
from measuring import Points, measure_quality, measure_times
from onnx_writer import INT64, floats, model, node, port
from question_sets import Example, Windows
from running import Tested

PROGRAM = sys.argv.pop(1)
RELEVANCE = [0, 0, 0, 0.5, 2]  # of [UNK] [CLS] [SEP] un ##able
BEGINS, ENDS = [0, 0, 0, 5, 0], [0, 0, 0, 0, 5]


def reader():
    nodes = [node('Gather', ['b', 'input_ids'], ['start_logits']), node('Gather', ['e', 'input_ids'], ['end_logits']),
             node('Gather', ['r', 'input_ids'], ['rows']), node('ReduceMax', ['rows'], ['logits'], axes=[1], keepdims=1)]
    return model(nodes, [floats('b', [5], BEGINS), floats('e', [5], ENDS), floats('r', [5], RELEVANCE)],
                 [port('input_ids', ['batch', 'sequence'], INT64)],
                 [port('logits', ['batch', 1])] + [port(name, ['batch', 'sequence']) for name in ('start_logits', 'end_logits')])


def sureness(begins, ends):
    """Of the best begin and end."""
    return sum(max(logits) - math.log(sum(map(math.exp, logits))) for logits in (begins, ends))


class Fixture(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix='tenrex-test-')
        self.addCleanup(directory.cleanup)
        self.folder = directory.name
        self.write('model.safetensors', safetensors())
        self.write('config.json', config())
        self.write('vocab.txt', '[UNK]\n[CLS]\n[SEP]\nun\n##able\n')
        self.write('tokenizer.json', TOKENIZER)
        self.write('reader.onnx', reader())

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, 'wb') as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path


class Answers(Fixture):
    def answer(self, passages, questions, *options):
        path = self.write('passages.txt', ''.join(passage + '\n' for passage in passages))
        return subprocess.run([PROGRAM, '--encoder', self.folder, '--reader', os.path.join(self.folder, 'reader.onnx'),
                               '--tokenizer', os.path.join(self.folder, 'vocab.txt'), '--passages', path, *options],
                              input=''.join(question + '\n' for question in questions), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding='utf-8', timeout=60, check=False)

    def rows(self, *arguments):
        done = self.answer(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split('\t') for line in done.stdout.splitlines()], done.stderr

    def test_the_best_span_of_the_best_passage(self):
        for threads in ('1', '3'):
            rows, times = self.rows(['un', 'x \u00e9 un unable x', 'un un'], ['un', 'x'], '--threads', threads)
            self.assertEqual([row[:2] for row in rows], [['un unable', '1']] * 2)
            expected = 2 + sureness([0, 0, 5, 5, 0, 0], [0, 0, 0, 0, 5, 0])
            self.assertAlmostEqual(float(rows[0][2]), expected, places=3)
            self.assertEqual([line.split()[0] for line in times.splitlines()], ['3', 'encoder', 'search', 'reader', 'answer', 'processor'])

    def test_passages_that_are_given(self):
        rows, times = self.rows(['un', 'un unable'], ['0\tunable', '1\tun'], '--given')
        self.assertEqual([row[:2] for row in rows], [['un', '0'], ['un unable', '1']])
        self.assertEqual([line.split()[0] for line in times.splitlines()], ['reader', 'answer', 'processor'])

    def test_fewer_passages_are_read(self):
        rows, _ = self.rows(['un', 'unable unable unable'], ['un'], '--count', '1')
        self.assertEqual(rows[0][1], '0')

    def test_what_the_reader_sees_and_how_it_computes(self):
        question, passages = ['0\tun'], ['x x x un unable']
        whole = self.rows(passages, question, '--given')[0]
        self.assertEqual(whole, self.rows(passages, question, '--given', '--precision', 'int8')[0])
        self.assertEqual(whole[0][0], 'un unable')
        # [CLS] un [SEP] and the next one leave two tokens, which say nothing.
        short = self.rows(passages, question, '--given', '--max-length', '6')[0]
        self.assertEqual(short[0][0], 'x')
        self.assertEqual(self.answer(passages, question, '--given', '--precision', 'half').returncode, 2)

    def test_what_is_wrong_is_told(self):
        for passages, questions, options, message in (
                ([], ['un'], (), 'cannot read passages'), (['un'], ['un'], ('--given',), 'does not begin with the number'),
                (['un'], ['1\tun'], ('--given',), 'does not begin with the number')):
            done = self.answer(passages, questions, *options)
            self.assertEqual((done.returncode, done.stdout), (1, ''))
            self.assertIn(message, done.stderr)
        for options in (('--count', '0'), ('--count',), ('--size', '3')):
            self.assertEqual(self.answer(['un'], [], *options).returncode, 2)


class Pareto(Fixture):
    """What pareto.py measures, with readers that are all the same."""

    def setUp(self):
        super().setUp()
        self.options = types.SimpleNamespace(
            program=PROGRAM, folder=self.folder, encoder=self.folder, tokenizer=os.path.join(self.folder, 'vocab.txt'), threads=2,
            sizes=[4, 2], precisions=['f32', 'int8'], tokens=[6, 32], numbers_of_threads=[1, 2], sample=1, rounds=2, again=False)
        self.paths = dict.fromkeys((4, 2), os.path.join(self.folder, 'reader.onnx'))
        self.tested = Tested([Example('test', 'un unable', 'un', [(0, 9)]), Example('train', 'x', 'x', []),
                              Example('test', 'x x x un unable', 'un', [(9, 15)])])

    def measure(self, what):
        points = Points(os.path.join(self.folder, 'points.jsonl'))
        with contextlib.redirect_stdout(io.StringIO()):
            what(self.options, points, self.paths, self.tested)
        with open(points.path, encoding='utf-8') as file:
            return [json.loads(line) for line in file]

    def test_points(self):
        points = self.measure(measure_quality)
        self.assertEqual([(p['layers'], p['precision'], p['tokens'], p['threads']) for p in points],
                         [(size, precision, tokens, threads) for size in (4, 2) for precision in ('f32', 'int8') for tokens in (6, 32)
                          for threads in (1, 2)])
        # The answers are 'un unable', of which the second should be 'unable'. Two tokens of a passage are 'un un' and 'x x'.
        self.assertEqual({(p['tokens'], p['exact'], p['f1'], p['questions']) for p in points}, {(32, 0.5, 0.8333, 2), (6, 0, 0.3333, 2)})
        points = self.measure(measure_times)
        self.assertTrue(all(p['ms'] > 0 and p['rounds'] == 2 and p['sample'] == 1 and 'exact' in p for p in points))
        # What is there is not measured again.
        self.options.program = '/nonexistent'
        self.assertEqual(self.measure(measure_quality), points)
        self.assertEqual(self.measure(measure_times), points)
        self.options.again = True
        with self.assertRaises(OSError):
            self.measure(measure_times)

    def test_an_interrupted_run_goes_on(self):
        whole = self.measure(measure_quality)
        with open(os.path.join(self.folder, 'points.jsonl'), 'w', encoding='utf-8') as file:
            file.writelines(json.dumps(point) + '\n' for point in whole[:3])
        self.assertEqual(self.measure(measure_quality), whole)

    def test_a_passage_beside(self):
        windows = Windows(['the shock wave', 'a wave', 'the ice'])
        self.assertEqual([windows.passage('what is a shock wave?'), windows.passage('what is a shock wave?', 0)], [0, 1])


TOKENIZER = '''{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":null,
"pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":null,"decoder":null,
"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
"vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"un":3,"##able":4}}}'''


if __name__ == '__main__':
    unittest.main()
