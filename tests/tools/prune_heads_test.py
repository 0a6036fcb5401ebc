"""tenrex model --prune-heads: encoders without the heads that matter least."""

import importlib.util
import json
import os
import re
import shutil
import struct
import unittest

import bert_writer
from encoder_writer import CELLS, HEADS, LAYERS, WIDTH, WORDS, encoder
from onnx_writer import floats, model, node, port
from program import TestCase, run

TEXTS = ['unable', 'un', 'un un', 'able un', 'unable un un', 'un unable']
BERT = dict(bert_writer.CONFIG, hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=HEADS)


def lines(texts):
    return ''.join(json.dumps({'text': text}) + '\n' for text in texts)


def bert(silent=()):
    tensors = bert_writer.tensors(BERT)
    for layer, head in silent:
        shape, cells = tensors['encoder.layer.%d.attention.output.dense.weight' % layer]
        for place in range(len(cells)):
            if place % WIDTH // CELLS == head:
                cells[place] = 0.0
    return bert_writer.tensor_file(tensors)


class Report:
    def __init__(self, text):
        layers, heads = re.search(r'layer  heads  left\n(.*?)\n\n.*?importance\n(.*?)\n\n', text, re.DOTALL).groups()
        self.before = [int(line.split()[1]) for line in layers.splitlines()]
        self.left = [int(line.split()[2]) for line in layers.splitlines()]
        self.removed = [(int(layer), int(head)) for layer, head, _ in map(str.split, heads.splitlines())]
        self.importance = [float(line.split()[2]) for line in heads.splitlines()]
        self.cosines = [float(number) for number in re.findall(r'(\S+) (?:on average|at worst)', text)]
        self.text = text


class PruneHeads(TestCase):
    def setUp(self):
        super().setUp()
        self.path('vocab.txt', '\n'.join(WORDS) + '\n')
        self.texts = self.path('texts.jsonl', lines(TEXTS))

    def folder(self, name, file, content=None, config=None):
        """A folder with a tokenizer, and perhaps a model; the path of the model."""
        folder = self.path(name)
        os.makedirs(folder, exist_ok=True)
        self.path(name + '/vocab.txt', '\n'.join(WORDS) + '\n')
        if config is not None:
            self.path(name + '/config.json', config)
        return self.path(name + '/' + file, content) if content is not None else self.path(name + '/' + file)

    def prune(self, file, amount, out, *options):
        done = run('model', file, '--prune-heads', amount, '--texts', self.texts, '-o', out, *options)
        self.assertEqual((done.status, done.err), (0, ''), done)
        return Report(done.out)

    def vectors(self, file):
        done = run('embed', '--model', os.path.dirname(file), self.texts)
        self.assertEqual((done.status, done.err), (0, ''), done)
        return [json.loads(line)['vector'] for line in done.out.splitlines()]

    def expect_same(self, file, other):
        found, expected = self.vectors(file), self.vectors(other)
        self.assertEqual(len(found), len(TEXTS))
        for one, two in zip(found, expected):
            for a, b in zip(one, two, strict=True):
                self.assertAlmostEqual(a, b, places=5)

    def test_a_head_that_adds_nothing_goes_first(self):
        for file, content, config in (('model.onnx', encoder({(1, 2)}), None),
                                      ('model.safetensors', bert({(1, 2)}), json.dumps(BERT))):
            whole = self.folder('whole', file, content, config)
            small = self.folder('small', file)
            report = self.prune(whole, '1', small)
            self.assertEqual((report.before, report.left), ([HEADS, HEADS], [HEADS, HEADS - 1]))
            self.assertEqual(report.removed, [(1, 2)])
            self.assertLess(report.importance[0], 1e-12)
            self.assertEqual(report.cosines, [1, 1])
            self.assertIn('\nranks      0 of %d texts have another nearest one\n' % len(TEXTS), report.text)
            self.expect_same(small, whole)
            self.assertLess(os.path.getsize(small), os.path.getsize(whole))
            for folder in ('whole', 'small'):
                shutil.rmtree(self.path(folder))

    def test_what_is_left_is_what_zeros_give(self):
        for file, writer, config in (('model.onnx', encoder, None), ('model.safetensors', bert, json.dumps(BERT))):
            whole = self.folder('whole', file, writer(), config)
            small = self.folder('small', file)
            for amount, count in (('13%', 1), ('3', 3), ('50%', 4), ('75%', 6)):
                report = self.prune(whole, amount, small, '--threads', '2')
                self.assertEqual(len(report.removed), count)
                self.assertEqual(len(set(report.removed)), count)
                self.assertEqual(report.importance, sorted(report.importance))
                self.assertGreater(report.importance[0], 0)
                self.assertLess(report.cosines[1], 1)
                self.expect_same(small, self.folder('zeros', file, writer(report.removed), config))
            self.assertEqual(report.left, [1, 1])
            for folder in ('whole', 'small', 'zeros'):
                shutil.rmtree(self.path(folder))

    def test_a_layer_keeps_a_head(self):
        whole = self.folder('whole', 'model.onnx', encoder(faint=1))
        small = self.folder('small', 'model.onnx')
        report = self.prune(whole, '4', small)
        self.assertEqual(report.left, [HEADS - 1, 1])
        self.expect_same(small, self.folder('zeros', 'model.onnx', encoder(report.removed, faint=1)))
        again = self.folder('again', 'model.onnx')
        report = self.prune(small, '2', again)
        self.assertEqual((report.before, report.left), ([HEADS - 1, 1], [1, 1]))

    def test_config_tells_the_heads_of_the_whole_model(self):
        whole = self.folder('whole', 'model.safetensors', bert(), json.dumps(BERT, indent=2))
        small = self.folder('small', 'model.safetensors')
        removed = {layer: [] for layer in range(LAYERS)}

        def expect_config(file, report):
            for layer, head in report.removed:
                removed[layer].append([one for one in range(HEADS) if one not in before[layer]][head])
            with open(os.path.join(os.path.dirname(file), 'config.json'), encoding='utf-8') as opened:
                said = json.load(opened)
            self.assertEqual(said.pop('pruned_heads'),
                             {str(layer): sorted(heads) for layer, heads in removed.items() if heads})
            self.assertEqual(said, BERT)

        before = {layer: list(heads) for layer, heads in removed.items()}
        expect_config(small, self.prune(whole, '3', small))
        before = {layer: list(heads) for layer, heads in removed.items()}
        again = self.folder('again', 'model.safetensors')
        expect_config(again, self.prune(small, '2', again))
        silent = [(layer, head) for layer, heads in removed.items() for head in heads]
        self.expect_same(again, self.folder('zeros', 'model.safetensors', bert(silent), json.dumps(BERT)))
        # Rows are gone, so that other readers find weights of the sizes that they expect.
        with open(again, 'rb') as opened:
            length, = struct.unpack('<Q', opened.read(8))
            self.assertEqual(length % 8, 0)
            header = json.loads(opened.read(length))
        for layer in range(LAYERS):
            cells = (HEADS - len(removed[layer])) * CELLS
            self.assertEqual(header['encoder.layer.%d.attention.self.key.weight' % layer]['shape'], [cells, WIDTH])
            self.assertEqual(header['encoder.layer.%d.attention.output.dense.weight' % layer]['shape'], [WIDTH, cells])
        # The weights of one model with the heads of another.
        shutil.copy(os.path.join(os.path.dirname(small), 'config.json'), os.path.dirname(whole))
        done = run('model', whole)
        self.assertEqual((done.status, done.out), (1, ''))
        self.assertIn('is what config.json says of a layer with', done.err)

    @unittest.skipUnless(importlib.util.find_spec('onnx'), 'the package onnx is not installed')
    def test_other_programs_take_the_file(self):
        import onnx
        graph = onnx.load_from_string(encoder())
        for each in graph.graph.node:
            each.name = each.output[0]
        whole = self.folder('whole', 'model.onnx', graph.SerializeToString())
        small = self.folder('small', 'model.onnx')
        self.prune(whole, '3', small)
        onnx.checker.check_model(onnx.load(small), full_check=True)
        if importlib.util.find_spec('onnxruntime'):
            import numpy
            import onnxruntime
            session = onnxruntime.InferenceSession(small, providers=['CPUExecutionProvider'])
            ids = numpy.array([[1, 3, 4, 2]])  # of the first text
            rows, = session.run(None, {'input_ids': ids, 'attention_mask': numpy.ones_like(ids)})
            for a, b in zip(self.vectors(small)[0], rows[0].mean(axis=0), strict=True):
                self.assertAlmostEqual(a, float(b), places=5)

    def test_what_is_refused(self):
        file = self.folder('whole', 'model.onnx', encoder())
        out = self.path('small.onnx')

        def fails(message, status=1, file=file, amount='1', texts=self.texts, out=out, more=()):
            done = run('model', file, '--prune-heads', amount, '--texts', texts, '-o', out, *more)
            self.assertEqual((done.status, done.out), (status, ''), done)
            self.assertIn(message, done.err)
            self.assertFalse(os.path.exists(self.path('small.onnx')))

        for amount in ('0', '1.5', '100%', '0%', 'all', '%'):
            fails("'%s' is neither a share of the heads, such as 10%%, nor a number of them" % amount, 2, amount=amount)
        fails('7 of 8 heads are to be removed, but at most 6 can be', amount='7')
        fails('8 of 8 heads are to be removed', amount='99%')
        fails('0 of 8 heads are to be removed, but that is none', amount='1%')
        fails('there are no texts in the file', texts=self.path('empty.jsonl', '\n'))
        fails('the line lacks "text"', texts=self.path('other.jsonl', '{"id":1}\n'))
        fails('none.jsonl', texts=self.path('none.jsonl'))
        fails('the model would be written over itself', out=file)
        fails('is to be called .onnx', out=self.path('small'))
        fails('no attention that heads can be cut out of', file=self.path('layer.onnx', model(
            [node('MatMul', ['x', 'w'], ['y'])], [floats('w', [2, 2], [1, 2, 3, 4])], [port('x', ['n', 2])],
            [port('y', ['n', 2])])))
        fails('the file is quantized', file=self.path('quantized.onnx', model(
            [node('MatMulInteger', ['x', 'w'], ['y'])], [floats('w', [2, 2], [1, 2, 3, 4])], [port('x', ['n', 2])],
            [port('y', ['n', 2])])))
        packed = self.path('model.packed')
        self.assertEqual(run('model', file, '-o', packed).status, 0)
        fails('the model is packed', file=packed)
        weights = self.folder('bert', 'model.safetensors', bert(), json.dumps(BERT))
        fails('config.json of the model would be written over', file=weights,
              out=self.path('bert/small.safetensors'))
        fails('the file holds no network', 2, file=self.path('forest.txt', 'tree\n'))
        for more in (('--run', 'a'), ('--check', 'a'), ('--expression',), ('--precision', 'int8')):
            self.assertEqual(run('model', file, '--prune-heads', '1', '--texts', self.texts, '-o', out, *more).status, 2)
        self.assertEqual(run('model', file, '--prune-heads', '1', '-o', out).status, 2)
        self.assertEqual(run('model', file, '--prune-heads', '1', '--texts', self.texts).status, 2)
        self.assertEqual(run('model', file, '--texts', self.texts).status, 2)
        self.assertEqual(run('model', file, '--threads', '2').status, 2)
        os.remove(self.path('whole/vocab.txt'))
        fails('has no tokenizer')
        report = self.prune(file, '1', out, '--tokenizer', self.path('vocab.txt'))
        self.assertEqual(len(report.removed), 1)


if __name__ == '__main__':
    unittest.main()
