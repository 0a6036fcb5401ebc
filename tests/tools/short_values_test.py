"""Values that come as data have all their cells, whoever reads them and however they are written; literals in expressions are
filled with zeros, with a warning."""

import json
import unittest

from program import TestCase, run

TOO_SHORT = 'the list has 2 of the 3 cells of a tensor<float>(x[3])'
HINT = 'hint: a value has all its cells: write those that are 0, too'

SCHEMA = """
schema s {
    document s {
        field e type tensor<float>(x[3]) { indexing: attribute }
    }
    rank-profile p {
        inputs { query(q) tensor<float>(x[3]) }
        first-phase { expression: sum(query(q)*attribute(e)) }
    }
}
"""


class ShortValues(TestCase):
    def test_arguments(self):
        for value in ('tensor<float>(x[3]):[1,2]', '{"type":"tensor<float>(x[3])","values":[1,2]}',
                      '{"type":"tensor<float>(x[3])","values":[1,2]}\n'):
            outcome = self.fails(1, TOO_SHORT, 'eval', 'sum(a)', 'a=' + value)
            self.assertIn(HINT, outcome.err)
            self.fails(1, TOO_SHORT, 'bench', 'sum(a)', '--document', 'a=' + value)
            self.fails(1, TOO_SHORT, 'explain', 'sum(a)', '--constant', 'a=' + value)
            self.fails(1, TOO_SHORT, 'type', 'sum(a)', 'a=' + value)
            self.fails(1, TOO_SHORT, 'repl', 'a=' + value)
        for value in ('[1,2]', '{"values":[1,2]}'):
            self.fails(1, TOO_SHORT, 'eval', 'sum(a)', '--type', 'a=tensor<float>(x[3])', 'a=' + value)
        self.fails(1, '0 of the 3 cells', 'eval', 'sum(a)', 'a=tensor(x[3]):[]')
        self.fails(1, '1 of the 2 cells of a block of a tensor(k{},x[2])', 'eval', 'a', 'a=tensor(k{},x[2]):{p:[1]}')
        self.prints('5', 'eval', 'sum(a)', 'a=tensor(x[3]):{{x:1}:5}')

    def test_files(self):
        for name, text in (('short.txt', 'tensor<float>(x[3]):[1,2]'),
                           ('short.json', '{"type":"tensor<float>(x[3])","values":[1,2]}')):
            self.fails(1, TOO_SHORT, 'eval', 'sum(a)', 'a=@' + self.path(name, text))

    def test_lines(self):
        request = json.dumps({'id': 1, 'expression': 'sum(a)', 'inputs': {'a': 'tensor<float>(x[3]):[1,2]'}})
        answer = json.loads(run('eval', '--jsonl', stdin=request + '\n').out)
        self.assertIn(TOO_SHORT, answer['error'])

    def test_rank(self):
        schema = self.path('s.sd', SCHEMA)
        documents = self.path('d.jsonl', '{"id":"1","e":[1,1,1]}\n')
        for value in ('[1,2]', 'tensor<float>(x[3]):[1,2]', '{"values":[1,2]}'):
            self.fails(1, TOO_SHORT, 'rank', schema, documents, '--input', 'q=' + value)
        queries = self.path('q.jsonl', '{"q":[1,2]}\n')
        self.fails(1, TOO_SHORT, 'rank', schema, documents, '--queries', queries)
        self.fails(1, TOO_SHORT, 'rank', schema, self.path('e.jsonl', '{"id":"1","e":[1,2]}\n'), '--input', 'q=[1,2,3]')

    def test_profiles(self):
        def with_input(text):
            return self.path('t.sd', SCHEMA.replace('query(q) tensor<float>(x[3])', 'query(q) tensor<float>(x[3]): ' + text))

        self.fails(1, TOO_SHORT, 'check', with_input('[1,2]'))
        self.assertEqual(run('check', with_input('[1,2,3]')).status, 0)

    def test_expressions(self):
        outcome = run('eval', 'tensor(x[3]):[1,2]')
        self.assertEqual((outcome.status, outcome.out), (0, 'tensor(x[3]):[1,2,0]\n'))
        self.assertIn('warning: the list has 2 of the 3 elements of dimension x[3]', outcome.err)
        self.prints('tensor(x[3]):[0,0,0]', 'eval', 'tensor(x[3]):[]')
        outcome = run('repl', stdin='a = tensor(x[3]):[1,2]\n')
        self.assertIn('warning: the list has 2 of the 3 elements of dimension x[3]', outcome.err + outcome.out)


if __name__ == '__main__':
    unittest.main()
