"""Models in ONNX files: --model of the commands that take expressions, tenrex model, onnx-model in rank profiles."""

import json
import unittest

from onnx_writer import floats, layer, model, node, port
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
        self.assertEqual(done.status, 1)
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

    def test_expression(self):
        done = run('model', self.file, '--expression')
        self.assertEqual((done.status, done.err), (0, ''))
        lines = done.out.splitlines()
        self.assertEqual(lines[0], 'onnx_input(model,2) = x')
        self.assertTrue(lines[-1].startswith('onnx(model) = '))
        self.assertEqual(run('model', self.path('forest.txt', 'tree\n'), '--expression').status, 2)

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


if __name__ == '__main__':
    unittest.main()
