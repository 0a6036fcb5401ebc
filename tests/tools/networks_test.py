"""Models in ONNX files: --model of the commands that take expressions, tenrex model, onnx-model in rank profiles."""

import ast
import json
import os
import struct
import unittest
import zipfile

from bert_writer import config, safetensors
from npy_writer import npy
from onnx_writer import INT64, floats, layer, model, node, port
from program import TestCase, run

# (2,1): 2+3+0.5 and -4+4-20, which relu makes 0.
ROW = 'x=tensor<float>(d0[1],d1[2]):[[2,1]]'
CONTENTS = '''format      onnx
producer    writer 1.0
nodes       3
parameters  6
memory      24 B as float, 12 B as bfloat16, 20 B as int8
flops       8 for a document
input       x float[n,2]
output      out/0 float[n,2]

operator   nodes  set
Add            1  ai.onnx 17
MatMul         1  ai.onnx 17
Relu           1  ai.onnx 17
'''


class Networks(TestCase):
    def setUp(self):
        super().setUp()
        self.file = self.path('layer.onnx', layer())
        self.model = ('--model', 'm=' + self.file)

    def test_evaluates(self):
        for engine in ((), ('--reference',)):
            self.prints('tensor<float>(d0[1],d1[2]):[[5.5,0]]', 'eval', *self.model, *engine, 'onnx(m).out_0', ROW)
            self.prints('6.5', 'eval', *self.model, *engine, '1+sum(onnx(m))', ROW)

    def test_an_axis_with_a_name_has_the_size_of_the_input(self):
        self.prints('tensor<float>(d0[2],d1[2]):[[5.5,0],[1.5,0]]', 'eval', *self.model, 'onnx(m)',
                    'x=tensor<float>(d0[2],d1[2]):[[2,1],[1,0]]')
        self.prints('tensor<float>(d0[3],d1[2])', 'type', *self.model, 'onnx(m)', 'x=tensor<float>(d0[3],d1[2])')

    def test_other_cells_are_rounded(self):
        self.prints('tensor<float>(d0[1],d1[2])', 'type', *self.model, 'onnx(m)', 'x=tensor(d0[1],d1[2])')

    def test_a_type_that_does_not_fit(self):
        done = run('type', *self.model, 'onnx(m)', 'x=tensor<float>(d0[1],d1[3])')
        self.assertEqual((done.status, done.out), (1, ''))
        self.assertIn("input 'x' of the model has the shape [n,2], but what it is given is tensor<float>(d0[1],d1[3])",
                      done.err)
        self.assertIn('axis i is dimension d<i>: tensor<float>(d0[1],d1[2])', done.err)
        self.assertIn('layer.onnx', done.err)
        done = run('eval', *self.model, 'onnx(m)', 'x=tensor<float>(x[2]):[2,1]')
        self.assertIn('but what it is given is tensor<float>(x[2])', done.err)

    def test_what_is_not_given(self):
        done = run('eval', *self.model, 'sum(onnx(m))')
        self.assertEqual(done.status, 1)
        self.assertIn("unknown symbol 'x'", done.err)
        done = run('eval', '--model', 'm=' + self.path('none.onnx'), 'sum(onnx(m))', ROW)
        self.assertEqual(done.status, 3)
        self.assertIn('none.onnx', done.err)

    def test_explains_and_measures(self):
        done = run('explain', *self.model, 'sum(onnx(m))', '--document', 'x:tensor<float>(d0[1],d1[2])')
        self.assertEqual((done.status, done.err), (0, ''))
        self.assertIn('relu', done.out)
        done = run('bench', *self.model, 'sum(onnx(m))', '--document', 'x:tensor<float>(d0[1],d1[2])', '--json',
                   '--runs', '1', '--documents', '64', '--block', '64')
        self.assertEqual((done.status, done.err), (0, ''))
        self.assertEqual(json.loads(done.out)['expression'], 'sum(onnx(m))')

    def test_prompt(self):
        done = run('repl', *self.model, stdin='%s\nsum(onnx(m))\nx = tensor<float>(d0[2],d1[2]):[[2,1],[1,0]]\n'
                   'sum(onnx(m))\n' % ROW.replace('=', ' = ', 1))
        self.assertEqual(done.err, '')
        self.assertEqual([line for line in done.out.splitlines() if not line.startswith(('x', 'tensor'))],
                         ['5.5', '7'])

    def test_contents(self):
        done = run('model', self.file)
        self.assertEqual((done.status, done.out, done.err), (0, CONTENTS, ''))
        file = self.path('scan.onnx', layer('Scan'))
        done = run('model', file)
        self.assertEqual(done.status, 1)
        self.assertIn('\nScan           1  ai.onnx 17  not supported\n', done.out)
        self.assertIn("node 2 'the_Scan', operator Scan of ai.onnx opset 17: the operator is not supported", done.err)
        done = run('model', self.path('broken.onnx', layer()[:40]))
        self.assertEqual((done.status, done.out), (1, ''))
        self.assertIn('broken.onnx', done.err)

    def test_weights_without_a_graph(self):
        """The rows of the last layer are normalized."""
        weights = self.path('model.safetensors', safetensors())
        arguments = ('--model', 'm=' + weights, 'sum(onnx(m)^2,d2)', 'input_ids=tensor(d0[1],d1[3]):[[1,4,2]]',
                     'attention_mask=tensor(d0[1],d1[3]):[[1,1,1]]', 'token_type_ids=tensor(d0[1],d1[3]):[[0,0,0]]')
        for command in (('model', weights), ('eval', *arguments)):
            done = run(*command)
            self.assertEqual((done.status, done.out), (1, ''), done)
            self.assertIn('no file config.json is beside it', done.err)
        self.path('config.json', config())
        done = run('model', weights)
        self.assertEqual((done.status, done.err), (0, ''))
        self.assertIn('\nparameters  255\n', done.out)
        self.assertIn('\noutput      last_hidden_state', done.out)
        for reference in ((), ('--reference',)):
            done = run('eval', *reference, *arguments)
            self.assertEqual((done.status, done.err), (0, ''))
            name, cells = done.out.strip().split(':')
            self.assertEqual(name, 'tensor<float>(d0[1],d1[3])')
            for cell in json.loads(cells)[0]:
                self.assertAlmostEqual(cell, 4, places=5)

    def test_expression(self):
        done = run('model', self.file, '--expression')
        self.assertEqual((done.status, done.err), (0, ''))
        lines = done.out.splitlines()
        self.assertEqual(lines[0], 'onnx_input(model,2) = x')
        self.assertTrue(lines[-1].startswith('onnx(model) = '))
        self.assertEqual(run('model', self.path('forest.txt', 'tree\n'), '--expression').status, 2)

    def test_runs_on_arrays(self):
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            arrays = self.path('in.npz')
            with zipfile.ZipFile(arrays, 'w', method) as archive:
                with archive.open('x.npy', 'w', force_zip64=True) as entry:  # as numpy.savez does
                    entry.write(npy('<f4', (2, 2), struct.pack('<4f', 2, 1, 1, 0)))
                archive.writestr('unused.npy', npy('<i8', (3,), struct.pack('<3q', -1, 0, 1 << 53)))
            for engine in ((), ('--reference',), ('--threads', '2')):
                results = self.path('out.npz')
                done = run('model', self.file, '--run', arrays, '-o', results, *engine)
                self.assertEqual((done.status, done.out, done.err), (0, '', ''))
                with zipfile.ZipFile(results) as archive:
                    self.assertIsNone(archive.testzip())
                    self.assertEqual(archive.namelist(), ['out/0.npy'])
                    content = archive.read('out/0.npy')
                self.assertEqual(content[:8], b'\x93NUMPY\x01\0')
                self.assertEqual(len(content), 64 * 2 + 16)
                header = ast.literal_eval(content[10:128].decode())
                self.assertEqual(header, {'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)})
                self.assertEqual(struct.unpack('<4f', content[128:]), (5.5, 0, 1.5, 0))

    def test_runs_on_arrays_of_any_length(self):
        arrays = self.path('in.npz')
        with zipfile.ZipFile(arrays, 'w') as archive:
            archive.writestr('tokens.npy', npy('<i8', (1, 3), struct.pack('<3q', 2, 0, 2)))
        network = model([node('Gather', ['w', 'tokens'], ['rows']), node('Cast', ['rows'], ['out'], to=INT64)],
                        [floats('w', [3, 1], [10, 20, 30])], [port('tokens', ['batch', 'sequence'], INT64)],
                        [port('out', ['n'])])
        done = run('model', self.path('rows.onnx', network), '--run', arrays, '-o', self.path('out.npz'))
        self.assertEqual((done.status, done.err), (0, ''))
        with zipfile.ZipFile(self.path('out.npz')) as archive:
            content = archive.read('out.npy')
        self.assertIn(b"'descr': '<i8'", content)
        self.assertEqual(struct.unpack('<3q', content[128:]), (30, 10, 30))

    def test_arrays_that_are_refused(self):
        cells = struct.pack('<4f', 2, 1, 1, 0)
        good = npy('<f4', (2, 2), cells)
        for content, message in (
                (npy('>f4', (2, 2), cells), "array 'x': its elements, '>f4', are not supported"),
                (npy('<c8', (2,), cells), "its elements, '<c8', are not supported"),
                (npy('<f4', (2, 2), cells, True), "its axes are in Fortran's order"),
                (npy('<f4', (3, 2), cells), 'it has 16 bytes of elements, which is not what its shape says'),
                (npy('<f4', (1 << 40, 1 << 40), cells), 'it has 16 bytes of elements'),
                (npy('<f4', (0, 2), b''), 'it has no elements'),
                (npy('<i8', (1, 2), struct.pack('<2q', 1, (1 << 60) + 1)), 'beyond what is exact'),
                (npy('<f4', (1, 3), cells[:12]), "input 'x' of the model has the shape [n,2]"),
                (b'text', 'it is no array of numpy')):
            arrays = self.path('in.npz')
            with zipfile.ZipFile(arrays, 'w') as archive:
                archive.writestr('x.npy', content)
            done = run('model', self.file, '--run', arrays, '-o', self.path('out.npz'))
            self.assertEqual((done.status, done.out), (1, ''), message)
            self.assertIn(message, done.err)
            self.assertFalse(os.path.exists(self.path('out.npz')))
        with zipfile.ZipFile(arrays, 'w') as archive:
            archive.writestr('y.npy', good)
        self.assertIn("there is no array for the input 'x'",
                      run('model', self.file, '--run', arrays, '-o', self.path('out.npz')).err)
        with zipfile.ZipFile(arrays, 'w') as archive:
            archive.writestr('x.npy', good)
        with open(arrays, 'rb') as file:
            whole = file.read()
        # Any part of it, and any byte that is another one, is read or refused.
        for broken in ([whole[:i] for i in range(0, len(whole), 7)] +
                       [whole[:i] + bytes([whole[i] ^ 0xff]) + whole[i + 1:] for i in range(0, len(whole), 3)]):
            done = run('model', self.file, '--run', self.path('broken.npz', broken), '-o', self.path('out.npz'))
            self.assertIn(done.status, (0, 1))
            self.assertEqual(done.status == 1, done.err != '')

    def test_precision(self):
        """Of (2,0.3) only 2 is a whole number of its scale."""
        row = 'x=tensor<float>(d0[1],d1[2]):[[2,0.3]]'
        exact = run('eval', *self.model, 'sum(onnx(m))', row).out
        for engine in ((), ('--reference',)):
            for precision in ('bf16', 'int8'):
                done = run('eval', *self.model, *engine, '--precision', precision, 'sum(onnx(m))', row)
                self.assertEqual((done.status, done.err), (0, ''))
                self.assertNotEqual(done.out, exact)
                self.assertAlmostEqual(float(done.out), float(exact), delta=0.05)
        self.assertEqual(run('eval', *self.model, '--precision', 'f32', 'sum(onnx(m))', row).out, exact)
        self.assertEqual(run('eval', *self.model, '--precision', 'half', 'sum(onnx(m))', row).status, 2)
        self.assertIn('int8', run('model', self.file, '--precision', 'int8', '--expression').out)

    def test_checks_a_precision(self):
        lines = self.path('in.jsonl', '{"x": [2, 0.3]}\n\n[1, 0.7]\n')
        arrays = self.path('in.npz')
        with zipfile.ZipFile(arrays, 'w') as archive:
            archive.writestr('x.npy', npy('<f4', (2, 2), struct.pack('<4f', 2, 0.3, 1, 0.7)))
        for inputs in (lines, arrays):
            for precision, least in (('f32', 1), ('bf16', 0.9999), ('int8', 0.999)):
                done = run('model', self.file, '--precision', precision, '--check', inputs)
                self.assertEqual((done.status, done.err), (0, ''))
                words = [line.split() for line in done.out.splitlines()]
                self.assertEqual((words[0], words[1]), (['inputs', '2'], ['output', 'out/0']))
                self.assertEqual(words[2][0], 'cosine')
                self.assertGreaterEqual(float(words[2][1]), least)
                self.assertGreaterEqual(float(words[2][4]), least)
                self.assertEqual(words[3][0], 'weights')
                self.assertIn('ms for an input', done.out)

    def test_a_precision_may_be_too_coarse(self):
        lines = self.path('in.jsonl', '[2, 0.3]\n[1, 0.7]\n[-1, 0.2]\n')
        check = ('model', self.file, '--precision', 'int8', '--check', lines, '--least-cosine')
        done = run(*check, '0.9')
        self.assertEqual((done.status, done.err), (0, ''))
        self.assertIn('of 3 inputs have another nearest one', done.out)
        done = run(*check, '1.5')
        self.assertEqual(done.status, 1)
        self.assertIn('cosine', done.out)
        self.assertIn('the cosine of the worst input is', done.err)
        self.assertEqual(run('model', self.file, '--least-cosine', '0.9').status, 2)

    def test_inputs_that_cannot_be_checked(self):
        for text, message in (('{"x": "words"}\n', 'line 1 is neither a list of numbers nor an object of such lists'),
                              ('[1]\n[1,2', 'which 1 numbers do not fill'), ('', 'there are no inputs in the file'),
                              ('[1,2]\n[1,2', 'line 2 is neither')):
            done = run('model', self.file, '--check', self.path('in.jsonl', text))
            self.assertEqual((done.status, done.out), (1, ''), text)
            if '\n[1,2' not in text or 'line' in message:
                self.assertIn(message, done.err)
        self.assertEqual(run('model', self.file, '--check', self.path('none.jsonl')).status, 1)
        self.assertEqual(run('model', self.file, '--check', 'a', '--expression').status, 2)
        self.assertEqual(run('model', self.path('forest.txt', 'tree\n'), '--check', 'a').status, 2)

    def test_run_and_output_belong_together(self):
        self.assertEqual(run('model', self.file, '--run', 'in.npz').status, 2)
        self.assertEqual(run('model', self.file, '-o', 'out.npz', '--expression').status, 2)
        self.assertEqual(run('model', self.file, '-o', 'out.npz', '--check', 'in.npz').status, 2)
        self.assertEqual(run('model', self.path('forest.txt', 'tree\n'), '-o', 'out.npz').status, 2)
        self.assertEqual(run('model', self.file, '--reference').status, 2)
        self.assertEqual(run('model', self.path('forest.txt', 'tree\n'), '--run', 'a', '-o', 'b').status, 2)

    def test_packs(self):
        packed = self.path('packed')
        for precision, first in (('f32', '5.5'), ('bf16', '5.5'), ('int8', None)):
            done = run('model', self.file, '--precision', precision, '-o', packed)
            self.assertEqual((done.status, done.out, done.err), (0, '', ''))
            expected = run('eval', *self.model, '--precision', precision, 'sum(onnx(m))', ROW).out
            for more in ((), ('--precision', precision), ('--reference',)):
                done = run('eval', '--model', 'm=' + packed, *more, 'sum(onnx(m))', ROW)
                self.assertEqual((done.status, done.out, done.err), (0, expected, ''))
            self.assertIn(expected.strip(), (first or expected.strip(),))
            done = run('model', packed)
            self.assertEqual((done.status, done.err), (0, ''))
            self.assertIn('\npacked      %s of layer.onnx, ' % precision, done.out)
            self.assertIn('\nprocessor   ', done.out)
            self.assertIn('\ninput       x float[n,2]\n', done.out)
        done = run('eval', '--model', 'm=' + packed, '--precision', 'bf16', 'sum(onnx(m))', ROW)
        self.assertEqual((done.status, done.out), (1, ''))
        self.assertIn('the packed model is int8, and bf16 was asked for', done.err)
        for arguments, message in ((('-o', self.path('again')), 'the model is packed already'),
                                   (('--check', self.path('in.jsonl', '[2, 1]\n')), 'nothing to compare it with')):
            done = run('model', packed, *arguments)
            self.assertEqual((done.status, done.out), (1, ''))
            self.assertIn(message, done.err)
        self.assertFalse(os.path.exists(self.path('again')))
        self.assertEqual(run('model', self.path('none.onnx'), '-o', packed).status, 3)

    def test_packed_models_that_do_not_fit(self):
        packed = self.path('packed')
        run('model', self.file, '-o', packed)
        with open(packed, 'rb') as file:
            content = file.read()
        damaged = self.path('damaged', content[:-1])
        for command in (('model', damaged), ('eval', '--model', 'm=' + damaged, 'sum(onnx(m))', ROW)):
            done = run(*command)
            self.assertEqual((done.status, done.out), (1, ''))
            self.assertIn('the packed model is cut off', done.err)
            self.assertIn('make it again: tenrex model', done.err)
        # A weight.
        weight = content.index(struct.pack('<f', -20))
        damaged = self.path('damaged', content[:weight] + b'\1' + content[weight + 1:])
        done = run('model', damaged)
        self.assertEqual((done.status, done.out), (1, ''))
        self.assertIn('the packed model was changed after it was made', done.err)

    def test_ranks(self):
        profile = self.path('p.profile', '''rank-profile p {
    onnx-model scorer {
        file: layer.onnx
        input "x": features
        output "out/0": score
    }
    function features() { expression: tensor<float>(d0[1],d1[2]):[[attribute(a), attribute(b)]] }
    first-phase { expression: attribute(a) }
    second-phase { expression: onnx(scorer).score{d0:0,d1:0} + sum(onnx(scorer)) }
}
''')
        done = run('rank', profile, '--attribute', 'a', '--attribute', 'b', '--format', 'jsonl',
                   stdin='{"id":"one","a":2,"b":1}\n{"id":"two","a":1,"b":0}\n')
        self.assertEqual((done.status, done.err), (0, ''))
        self.assertEqual([(hit['id'], hit['score']) for hit in map(json.loads, done.out.splitlines())],
                         [('one', 11), ('two', 3)])
        self.assertEqual(run('check', profile, '--attribute', 'a', '--attribute', 'b').status, 0)
        # The file of a model may be a packed one.
        packed = self.path('packed')
        run('model', self.file, '-o', packed)
        os.rename(packed, self.file)
        again = run('rank', profile, '--attribute', 'a', '--attribute', 'b', '--format', 'jsonl',
                    stdin='{"id":"one","a":2,"b":1}\n{"id":"two","a":1,"b":0}\n')
        self.assertEqual((again.status, again.out, again.err), (0, done.out, ''))


if __name__ == '__main__':
    unittest.main()
