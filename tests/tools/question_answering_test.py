"""The example examples/question_answering with a small made-up encoder and a reader that has a number for each token."""

import math
import os
import subprocess
import sys
import tempfile
import unittest

from bert_writer import config, safetensors
from onnx_writer import INT64, floats, model, node, port

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


class QuestionAnswering(unittest.TestCase):
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
            self.assertEqual([line.split()[0] for line in times.splitlines()], ['3', 'encoder', 'search', 'reader', 'answer'])

    def test_passages_that_are_given(self):
        rows, times = self.rows(['un', 'un unable'], ['0\tunable', '1\tun'], '--given')
        self.assertEqual([row[:2] for row in rows], [['un', '0'], ['un unable', '1']])
        self.assertEqual([line.split()[0] for line in times.splitlines()], ['reader', 'answer'])

    def test_fewer_passages_are_read(self):
        rows, _ = self.rows(['un', 'unable unable unable'], ['un'], '--count', '1')
        self.assertEqual(rows[0][1], '0')

    def test_what_is_wrong_is_told(self):
        for passages, questions, options, message in (
                ([], ['un'], (), 'cannot read passages'), (['un'], ['un'], ('--given',), 'does not begin with the number'),
                (['un'], ['1\tun'], ('--given',), 'does not begin with the number')):
            done = self.answer(passages, questions, *options)
            self.assertEqual((done.returncode, done.stdout), (1, ''))
            self.assertIn(message, done.stderr)
        for options in (('--count', '0'), ('--count',), ('--size', '3')):
            self.assertEqual(self.answer(['un'], [], *options).returncode, 2)


TOKENIZER = '''{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":null,
"pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":null,"decoder":null,
"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
"vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"un":3,"##able":4}}}'''


if __name__ == '__main__':
    unittest.main()
