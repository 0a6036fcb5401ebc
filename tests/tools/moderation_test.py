"""The example examples/moderation with a small made-up encoder: its scores, and that all messages are answered when they arrive at random."""

import math
import os
import subprocess
import sys
import tempfile
import unittest

from bert_writer import config, safetensors

PROGRAM = sys.argv.pop(1)

HEAD = 'sigmoid(sum(reduce(onnx(m).last_hidden_state,avg,d0,d1)*tensor<float>(d2[4]):[1,-2,3,0.5])+0.25)'
# The last hidden states have no mean over their cells, as the layer normalization leaves them.
FLAT = 'sigmoid(sum(reduce(onnx(m).last_hidden_state,avg,d0,d1))*1e-9+%s)'


class Moderation(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix='tenrex-test-')
        self.addCleanup(directory.cleanup)
        self.folder = directory.name
        self.write('model.safetensors', safetensors())
        self.write('config.json', config())
        self.write('vocab.txt', '[UNK]\n[CLS]\n[SEP]\nun\n##able\n')

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, 'wb') as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def moderate(self, messages, *options, expression=HEAD):
        arguments = ['--model', os.path.join(self.folder, 'model.safetensors'), '--tokenizer',
                     os.path.join(self.folder, 'vocab.txt'), '--expression', self.write('head.expression', expression)]
        return subprocess.run([PROGRAM, *arguments, *options], input='\n'.join(messages), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding='utf-8', timeout=60, check=False)

    def test_scores(self):
        messages = ['un', 'unable un', '']
        done = self.moderate(messages, '--precision', 'f32')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        lines = [line.split('\t') for line in done.stdout.splitlines()]
        self.assertEqual([line[1] for line in lines], messages[:2])
        self.assertNotEqual(lines[0][0], lines[1][0])
        for line in lines:
            self.assertTrue(0 < float(line[0]) < 1)
        done = self.moderate(messages, expression=FLAT % '0.5')
        self.assertEqual({line.split('\t')[0] for line in done.stdout.splitlines()}, {'%.4f' % (1 / (1 + math.exp(-0.5)))})

    def test_latencies(self):
        done = self.moderate(['un', 'unable'] * 50, '--rate', '1000', '--threads', '2')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        lines = done.stdout.splitlines()
        self.assertRegex(lines[0], r'^100 messages of 3\.5 tokens in ')
        self.assertEqual([line.split()[0] for line in lines[1:]], ['answer', 'tokenizer', 'model'])
        answer, model = ([float(word) for word in line.split()[2::3]] for line in (lines[1], lines[3]))
        self.assertEqual(answer, sorted(answer))
        self.assertGreater(answer[0], 0)
        self.assertGreaterEqual(answer[3], model[0])

    def test_what_is_wrong_is_told(self):
        for options, status in ((['--rate', '0'], 2), (['--rate'], 2), (['--precision', 'int4'], 2), (['--size', '3'], 2)):
            self.assertEqual(self.moderate([], *options).returncode, status, options)
        done = self.moderate(['un'], expression='onnx(m).logits')
        self.assertEqual(done.returncode, 1)
        self.assertIn('logits', done.stderr)


if __name__ == '__main__':
    unittest.main()
