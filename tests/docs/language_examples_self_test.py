#!/usr/bin/env python3
"""Checks that the test of the documentation's examples can fail."""

import pathlib
import tempfile
import unittest

import completeness
import examples
import language_examples_test
import values

PAGE = """
```tenrex
a = tensor(x[2]):[1,
  2]
query(q) = 3
a == 1 => tensor(x[2]):[1,0]
reduce(a, sum, x)   # adds
=> 3
: double
nosuch              => error: not declared
```
```cpp
ignored = 1
```
```tenrex continue dialect=java
max(a, x) +
  query(q)
=> 5
```
"""


def answers(by_expression):
    return lambda cases: {case: by_expression[case.expression] for case in cases if case.expression in by_expression}


class Examples(unittest.TestCase):
    def test_finds_expressions_inputs_and_expectations(self):
        found = examples.find_examples('p.md', PAGE)
        self.assertEqual([case.expression for case in found],
                         ['a == 1', 'reduce(a, sum, x)   # adds', 'nosuch', 'max(a, x) +\n  query(q)'])
        self.assertEqual(found[0].inputs, {'a': 'tensor(x[2]):[1,\n  2]', 'query(q)': '3'})
        self.assertEqual([case.result for case in found], ['tensor(x[2]):[1,0]', '3', None, '5'])
        self.assertEqual(found[1].type, 'double')
        self.assertEqual(found[2].error, 'not declared')
        self.assertEqual([case.dialect for case in found], ['core', 'core', 'core', 'java'])
        self.assertEqual([case.line for case in found], [6, 7, 10, 16])

    def test_refuses_blocks_that_check_nothing(self):
        for body, message in (('1+1', 'without a result'), ('=> 2', 'without an expression'),
                              (': double', 'without a result'), ('1 => 2\n=> 3', 'without an expression'),
                              ('', 'without examples')):
            with self.subTest(body), self.assertRaisesRegex(examples.PageError, message):
                examples.find_examples('p.md', '```tenrex\n%s\n```\n' % body)
        with self.assertRaisesRegex(examples.PageError, 'unknown option'):
            examples.find_examples('p.md', '```tenrex dialect=perl\n1 => 1\n```\n')
        with self.assertRaisesRegex(examples.PageError, 'without an end'):
            examples.find_examples('p.md', '```tenrex\n1 => 1\n')


class Judging(unittest.TestCase):
    def check(self, right):
        return language_examples_test.check_examples({'p.md': PAGE}, answers(right))[1]

    def test_accepts_right_answers_and_reports_every_wrong_one(self):
        right = {'a == 1': {'result': 'tensor(x[2]):{{x:0}:1}'}, 'reduce(a, sum, x)   # adds': {'result': '3'},
                 'nosuch': {'error': '"nosuch" is not declared'}, 'max(a, x) +\n  query(q)': {'result': '5'}}
        self.assertEqual(self.check(right), [])
        for expression, wrong in (('a == 1', {'result': 'tensor<float>(x[2]):[1,0]'}),
                                  ('a == 1', {'result': 'tensor(x[2]):[1,0.1]'}), ('a == 1', {'error': 'no'}),
                                  ('a == 1', {'result': '1'}), ('a == 1', {'result': 'what'}),
                                  ('nosuch', {'result': '0'}), ('nosuch', {'error': 'bad'}),
                                  ('reduce(a, sum, x)   # adds', {'result': '3.000001'})):
            with self.subTest(expression=expression, wrong=wrong):
                self.assertEqual(len(self.check({**right, expression: wrong})), 1)
        self.assertEqual(len(self.check({})), 4)


class Commands(unittest.TestCase):
    PAGE = """
```console
$ cmake --build .
no matter
$ tenrex one \\
  two
out
more
$ tenrex three
```

* In a list:

  ```console
  $ tenrex four
  ```
"""

    def test_finds_commands_and_their_output(self):
        found = examples.find_commands('p.md', self.PAGE)
        self.assertEqual([(command.text, command.output) for command in found],
                         [('tenrex one \\\n  two', 'out\nmore\n'), ('tenrex three', ''), ('tenrex four', '')])

    def test_runs_them_and_compares(self):
        with tempfile.TemporaryDirectory() as directory:
            program = pathlib.Path(directory, 'program')
            program.write_text('#!/bin/sh\nif [ "$1" = one ]; then echo out; echo more >&2; fi\n')
            program.chmod(0o755)
            self.assertEqual(language_examples_test.check_commands({'p.md': self.PAGE}, program), (3, []))
            wrong = self.PAGE.replace('more', 'less')
            self.assertEqual(len(language_examples_test.check_commands({'p.md': wrong}, program)[1]), 1)


class Values(unittest.TestCase):
    def different(self, actual, expected, tolerance=1e-9):
        return values.difference(values.parse_value(actual), values.parse_value(expected), tolerance) is not None

    def test_short_and_verbose_literals_agree(self):
        self.assertFalse(self.different('tensor(y[2],x[2]):[[1,2],[3,4]]',
                                        'tensor(x[2],y[2]):{{x:0,y:0}:1,{x:1,y:0}:2,{x:0,y:1}:3,{x:1,y:1}:4}'))
        self.assertFalse(self.different('tensor(k{},x[2]):{a:[1,0]}', 'tensor(x[2],k{}):{{k:"\\x61",x:0}:1}'))

    def test_cells_agree_by_cell_type(self):
        self.assertFalse(self.different('nan', 'nan'))
        self.assertTrue(self.different('nan', '0'))
        self.assertTrue(self.different('inf', '-inf'))
        self.assertTrue(self.different('1.00000001', '1'))
        self.assertFalse(self.different('1.00000001', '1', 1e-5))
        self.assertFalse(self.different('tensor<bfloat16>(x[1]):[1]', 'tensor<bfloat16>(x[1]):[1.0078125]'))
        self.assertTrue(self.different('tensor<bfloat16>(x[1]):[1]', 'tensor<bfloat16>(x[1]):[1.015625]'))
        self.assertTrue(self.different('tensor<int8>(x[1]):[1]', 'tensor<int8>(x[1]):[2]'))

    def test_addresses_must_be_the_same(self):
        self.assertTrue(self.different('tensor(x{}):{a:1}', 'tensor(x{}):{}'))
        self.assertTrue(self.different('tensor(x{}):{}', 'tensor(x{}):{a:0}'))

    def test_refuses_what_is_no_literal(self):
        for text in ('', '1 2', 'tensor', 'tensor(x[2])', 'tensor(x[2]):[1,2,3]', 'tensor(x{}):{a:1,a:2}',
                     'tensor(x{}):{{y:a}:1}', 'tensor<int>(x[1]):[1]'):
            with self.subTest(text), self.assertRaises(values.LiteralError):
                values.parse_value(text)


class Completeness(unittest.TestCase):
    FUNCTIONS = ('TENREX_OPERATOR(negate, "-", 1, 200, 200, "minus")\n'
                 'TENREX_OPERATOR(subtract, "-", 2, 101, 110, "difference")\n'
                 'TENREX_FUNCTION(max, "max", 2, -10, 10, "the larger, of two")\n')
    TENSOR_FUNCTIONS = ('TENREX_TENSOR_FUNCTION(reduce, "reduce", primitive, "reduce(t, a)", "x")\n'
                        'TENREX_TENSOR_FUNCTION(max, "max", surface, "max(t)", "y")\n')
    AGGREGATORS = 'TENREX_AGGREGATOR(sum, "sum", "sum")\n'
    CELL_TYPES = 'TENREX_CELL_TYPE(f32, "float", float, 1)\n'

    def missing(self, body):
        seen = completeness.Seen(examples.find_examples('p.md', '```tenrex\n%s\n```\n' % body))
        return completeness.missing_examples(seen, self.FUNCTIONS, self.TENSOR_FUNCTIONS, self.AGGREGATORS,
                                             self.CELL_TYPES)

    def test_names_what_is_not_shown(self):
        self.assertEqual(self.missing('1 => 1'),
                         ['scalar function max', 'prefix operator -', 'infix operator -', 'tensor function reduce',
                          'tensor function max', 'aggregator sum', 'cell type float'])
        self.assertEqual(self.missing('t = tensor(x[1]):[1]\nmax(t, x) => 1'),
                         ['scalar function max', 'prefix operator -', 'infix operator -', 'tensor function reduce',
                          'aggregator sum', 'cell type float'])
        self.assertEqual(self.missing('a = 1\nmax(a, 2) - -a => 3\nmax(a) => 1\nreduce(a, sum) => 1\n'
                                      'max(tensor<float>(x[1])(x), x) => 0'), [])

    def test_errors_strings_and_signs_show_nothing(self):
        self.assertIn('scalar function max', self.missing('max(1,2) => error: no'))
        self.assertIn('scalar function max', self.missing('"max(1,2)" == "b" => 0'))
        self.assertIn('prefix operator -', self.missing('2 * -1 => -2'))

    def test_tables_must_agree(self):
        page = '| `-a` | minus | 200 | 200 |\n| `-` | difference | 101 | 109 |\n'
        self.assertEqual(len(completeness.wrong_precedences([page], self.FUNCTIONS)), 1)
        header = 'std::uint64_t cells = std::uint64_t{1} << 30;  // x\nstd::uint32_t depth = 1000;\n'
        self.assertEqual(completeness.limits(header), {'cells': 1 << 30, 'depth': 1000})
        self.assertEqual(len(completeness.wrong_limits(['| `depth` | 1,000 (levels) | x |\n'], header)), 1)


if __name__ == '__main__':
    unittest.main()
