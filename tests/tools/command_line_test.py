"""The commands eval, type and functions, as a user of a shell sees them."""

import json
import os
import re
import struct
import subprocess
import unittest
import zipfile

import encoder_writer
import onnx_writer
from npy_writer import npy
from program import ENVIRONMENT, PROGRAM, TestCase, run

VECTOR = 'tensor<float>(x[3]):[1,2,3]'


class Eval(TestCase):
    def test_values(self):
        self.prints('41', 'eval', '2*a+1', 'a=20')
        self.prints('14', 'eval', 'sum(v*v)', 'v=' + VECTOR)
        self.prints('tensor<float>(x[3]):[2,4,6]', 'eval', 'v*2', 'v=' + VECTOR)
        self.prints('tensor(x{}):{a:1,b:2}', 'eval', 's', 's={{x:a}:1,{x:b}:2}')
        self.prints('nan', 'eval', 'a', 'a=nan')

    def test_names_of_features(self):
        self.prints('3', 'eval', 'query(q)+bm25(title)', 'query(q)=1', 'bm25(title)=2')
        self.prints('5', 'eval', 'onnx(m).out', 'onnx(m).out=5')
        self.prints('5', 'eval', 'closeness(field,e)', 'closeness(field, e)=5')
        self.prints('7', 'eval', 'foreach(terms,N,f(N),"a=b)",sum)', 'foreach(terms,N,f(N),"a=b)",sum)=7')

    def test_json_values(self):
        self.prints('tensor(x[2]):[1,2]', 'eval', 'v', 'v={"type":"tensor(x[2])","values":[1,2]}')
        self.prints('tensor(x[2]):[1,2]', 'eval', 'v', 'v= \n{ "type":"tensor(x[2])","values":[1,2]}')
        self.prints('tensor(x{}):{a:1}', 'eval', 'v', '--type', 'v=tensor(x{})', 'v={"a":1}')
        self.prints('tensor(x{}):{a:1}', 'eval', 'v', '--type', 'v=tensor(x{})',
                    'v=[{"address":{"x":"a"},"value":1}]')

    def test_declared_types(self):
        self.prints('tensor<float>(x[2]):[1,2]', 'eval', 'v', '--type', 'v=tensor<float>(x[2])', 'v=[1,2]')
        self.prints('tensor<int8>(x[2]):[1,-1]', 'eval', 'v', '--type=v=tensor<int8>(x[2])', 'v=01ff')
        self.prints('3', 'eval', 'sum(query(q))+sum(w)', '--type', 'query(q)=tensor(x[1])', '--type', 'w=tensor(x[1])',
                    'query(q)=[1]', 'w=[2]')
        outcome = self.fails(1, 'type of v:1:10: error:', 'eval', 'v', '--type', 'v=tensor(x[y])', 'v=[1]')
        self.assertIn('\n  tensor(x[y])\n', outcome.err)
        self.fails(1, 'input v has a type but no value', 'eval', 'v', '--type', 'v=tensor(x[2])')

    def test_files(self):
        binary = b'\x06\x01\x01\x01x\x02' + struct.pack('>2f', 1, 2)
        files = {
            'a.json': '{"type":"tensor<float>(x[2])","values":[1,2]}',
            'a.txt': 'tensor<float>(x[2]):[1,2]\n',
            'a.tbf': binary,
            'a.bin': binary,
            'literal': ' tensor<float>(x[2]):[1,2]',
            'json': '\n{"type":"tensor<float>(x[2])","values":[1,2]}',
            'binary': binary,
        }
        for name, content in files.items():
            with self.subTest(name):
                self.prints('tensor<float>(x[2]):[1,2]', 'eval', 'v', 'v=@' + self.path(name, content))
        self.prints('2', 'eval', 'v', 'v=@-', stdin='2\n')
        self.prints('tensor<float>(x[2]):[1,2]', 'eval', 'v', 'v=@-', stdin=binary)

    def test_wrong_files(self):
        self.fails(3, 'v: error: cannot read /no/such/file: No such file or directory', 'eval', 'v', 'v=@/no/such/file')
        self.fails(3, 'Is a directory', 'eval', 'v', 'v=@' + self.directory)
        path = self.path('bad.json', '{"type":')
        self.fails(1, 'v (%s)' % path, 'eval', 'v', 'v=@' + path)
        self.fails(1, 'v (standard input)', 'eval', 'v', 'v=@-', stdin='\x06\x01')
        self.fails(1, 'the value is a double, but the type given for it is tensor(x[2])', 'eval', 'v', '--type',
                   'v=tensor(x[2])', 'v=@' + self.path('scalar.tbf', b'\x02\x00' + struct.pack('>d', 1)))

    def test_expression_from_elsewhere(self):
        self.prints('3', 'eval', '-', 'a=2', stdin='a +\n 1 # one more\n')
        self.prints('3', 'eval', '-f', self.path('e', 'a+1\n'), 'a=2')
        self.prints('3', 'eval', '--file=' + self.path('e'), 'a=2')
        self.prints('-1', 'eval', '-2+a', 'a=1')
        self.prints('4', 'eval', '-(2)^a', 'a=2')
        self.prints('-1', 'eval', '--', '-a', 'a=1')
        self.prints('-1', 'eval', ' -a', 'a=1')
        self.prints('1', 'eval', 'type', 'type=1')
        outcome = self.fails(1, 'error:', 'eval', '-f', self.path('e', 'a+\n$)'), 'a=2')
        self.assertTrue(outcome.err.startswith(self.path('e') + ':2:'), outcome)
        self.fails(3, 'cannot read /no/such/file', 'eval', '-f', '/no/such/file')
        self.fails(1, 'error: ', 'eval', '')
        self.fails(1, 'error: ', 'eval', '[1,2]')

    def test_features_of_models(self):
        """Whoever has evaluated a model may give its output."""
        path = self.path('m.profile', 'rank-profile p { first-phase { expression: sum(onnx(m).out)+lightgbm("m.json") } }')
        outcome = self.fails(1, 'there is no onnx-model of that name',
                             'check', path)
        self.assertIn('m.json: No such file or directory', outcome.err)
        features = ('--feature', 'onnx(m).out:tensor<float>(d0[2])', '--feature', 'lightgbm("m.json")')
        self.assertEqual(run('check', path, *features).status, 0)
        documents = '{"id":"a","onnx(m).out":[1,2],"lightgbm(\\"m.json\\")":4}\n'
        self.assertEqual(run('rank', path, *features, '--format', 'trec', stdin=documents).out.split()[4], '7')

    def test_dialect_and_seed(self):
        self.prints('1', 'eval', '7*7%4')
        self.prints('21', 'eval', '7*7%4', '--dialect', 'java')
        first, again, other = (run('eval', 'random(x[4])', *seed).out for seed in ((), ('--seed', '0'), ('--seed', '1')))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_formats(self):
        given = ('eval', 'v', 'v=' + VECTOR)
        self.prints(VECTOR, *given, '--format', 'literal')
        self.prints('tensor<float>(x[3]):{{x:0}:1,{x:1}:2,{x:2}:3}', *given, '--format', 'verbose')
        self.prints('{"type":"tensor<float>(x[3])","values":[1,2,3]}', *given, '--format=json')
        self.prints('3f8000004000000040400000', *given, '--format', 'hex')
        self.prints('tensor<float>(x[3])\nx\n0  1\n1  2\n2  3', *given, '--format', 'table')
        binary = run(*given, '--format', 'binary', binary=True)
        self.assertEqual(binary.out, b'\x06\x01\x01\x01x\x03' + struct.pack('>3f', 1, 2, 3))
        self.prints('0.25', 'eval', '1/4', '--format', 'table')
        self.fails(1, 'hex digits cannot show the labels of a tensor(x{})', 'eval', 'tensor(x{}):{a:1}', '--format', 'hex')

    def test_width_of_tables(self):
        outcome = run('eval', 'tensor(x[2],y[100])(x*100+y)', '--format', 'table', env={'COLUMNS': '40'})
        lines = outcome.out.splitlines()
        self.assertLessEqual(max(map(len, lines)), 40)
        self.assertGreater(max(map(len, lines)), 32)
        self.assertRegex(lines[-1], r'^\(2 of 2 rows, \d+ of 100 columns\)$')

    def test_time(self):
        outcome = run('eval', '1+1', '--time')
        self.assertEqual((outcome.status, outcome.out), (0, '2\n'))
        self.assertRegex(outcome.err, r'^tenrex: parsed and checked in [0-9.]+ us, compiled and evaluated in [0-9.]+ us\n$')
        outcome = run('eval', '1+1', '--time', '--reference')
        self.assertRegex(outcome.err, r'^tenrex: parsed and checked in [0-9.]+ us, evaluated in [0-9.]+ us\n$')

    def test_reference(self):
        self.prints('tensor<float>(x[3]):[2,4,6]', 'eval', 'v*2', 'v=' + VECTOR, '--reference')
        # A frame of 2e9 cells: too large for a plan, which says what to do instead; the reference evaluator gives up
        # for a reason of its own.
        frame = 'sum(tensor(a[100000])(sum(tensor(b[20000])(tanh(a*b)))))'
        outcome = self.fails(1, 'too large', 'eval', frame)
        self.assertIn('hint: the reference evaluator may manage it: --reference', outcome.err)

    def test_errors_show_the_place(self):
        outcome = self.fails(1, 'error: ', 'eval', '1 + unknown_name * 2')
        self.assertRegex(outcome.err, r'^1:5: error: .*unknown_name')
        self.assertIn('\n  1 + unknown_name * 2\n      ^~~~~~~~~~~~\n  hint: give it a value\n', outcome.err)
        self.fails(1, 'hint: give it a value if it is a feature', 'eval', 'unknown(q)')
        self.assertNotIn('schema', run('eval', 'onnx(m)').err)
        outcome = self.fails(1, 'error: ', 'eval', '-1 + oops')
        self.assertIn('\n  -1 + oops\n       ^~~~\n', outcome.err)
        self.fails(1, 'v:1:', 'eval', 'v', 'v=tensor(x[2]):[1,2')
        self.fails(1, 'error: ', 'eval', '1a', '1a=2')
        self.fails(1, 'error: ', 'eval', 'a', 'a=1', 'a=2')

    def test_unused_inputs(self):
        outcome = run('eval', 'a', 'a=1', 'query(b)=2')
        self.assertEqual((outcome.status, outcome.out), (0, '1\n'))
        self.assertEqual(outcome.err, 'warning: input query(b) is given, but the expression does not use it\n')

    def test_colors(self):
        red = '\x1b[1;31merror:'
        self.assertIn(red, run('eval', 'x', '--color', 'always').err)
        self.assertIn(red, run('eval', 'x', '--color', 'always', env={'NO_COLOR': '1'}).err)
        self.assertNotIn('\x1b', run('eval', 'x').err)
        self.assertNotIn('\x1b', run('eval', 'x', '--color=never').err)

    def test_usage(self):
        self.fails(2, "tenrex: eval: no expression is given\nTry 'tenrex eval --help'.", 'eval')
        self.fails(2, 'expected NAME=VALUE, found "b"', 'eval', 'a', 'b')
        self.fails(2, 'expected NAME=VALUE, found "=1"', 'eval', 'a', '=1')
        self.fails(2, 'expected NAME=VALUE, found "f(a=1"', 'eval', 'a', 'f(a=1')
        self.fails(2, '--type: expected NAME=TYPE, found "double"', 'eval', 'a', '--type', 'double')
        self.fails(2, '--format', 'eval', 'a', '--format', 'xml')
        self.fails(2, '--dialect', 'eval', 'a', '--dialect', 'lisp')
        self.fails(2, '--seed', 'eval', 'a', '--seed', 'x')
        self.fails(2, '--nonsense', 'eval', 'a', '--nonsense')
        self.fails(2, '--line-limit', 'eval', 'a', '--line-limit', '10')
        self.fails(2, '--jsonl', 'eval', '--jsonl', '--time')
        self.fails(2, 'at most one file', 'eval', '--jsonl', 'a', 'b')
        self.fails(2, 'standard input can be read only once', 'eval', '-', 'a=@-', stdin='a')
        self.fails(2, 'no command is given')
        self.fails(2, 'there is no command "evaluate"', 'evaluate')
        self.fails(2, 'there is no option "--evaluate"', '--evaluate')

    def test_result_that_cannot_be_written(self):
        with open('/dev/full', 'wb') as full:
            for command in (['eval', '1+1'], ['eval', 'tensor(x[100000])(x)'], ['type', '1'], ['functions'], ['--help'],
                            ['eval', '--help']):
                done = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE, env=ENVIRONMENT)
                self.assertEqual(done.returncode, 3, command)
                self.assertEqual(done.stderr, b'tenrex: cannot write the result: No space left on device\n')

    def test_reader_that_goes_away(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([PROGRAM, 'eval', 'tensor(x[100000])(x)'], stdout=writer, stderr=subprocess.PIPE,
                              env=ENVIRONMENT)
        os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (3, b''))

    def test_closed_standard_output(self):
        done = subprocess.run(['sh', '-c', '"$0" eval 1 >&-', PROGRAM], stderr=subprocess.PIPE, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b'cannot write the result', done.stderr)

    def test_large_value(self):
        outcome = run('eval', 'tensor(x[200000])(x)')
        self.assertEqual(outcome.out.count(','), 199999)
        self.prints('200000', 'eval', 'count(v)', 'v=@-', stdin=outcome.out)


class Type(TestCase):
    def test_types(self):
        self.prints('double', 'type', '1+1')
        self.prints('tensor<float>(x[3],y{})', 'type', 'a*b', 'a=tensor<float>(x[3])', 'b=tensor<int8>(y{})')
        self.prints('tensor(x{})', 'type', 'a*q', 'a=tensor(x{}):{a:1}', 'q=double')
        self.prints('tensor(x[2])', 'type', '-', 'v={"type":"tensor(x[2])","values":[1,2]}', stdin='v')
        self.prints('double', 'type', '-f', self.path('e', 'a'), 'a=double')

    def test_types_of_large_values_need_no_evaluation(self):
        self.prints('tensor(x[1000000000])', 'type', 'a+1', 'a=tensor(x[1000000000])')

    def test_errors(self):
        self.fails(1, '1:7: error: ', 'type', 'sum(a,y)', 'a=tensor(x[2])')
        self.fails(1, 'a:1:', 'type', 'a', 'a=tensor(x[2]')
        self.fails(2, 'expected NAME=TYPE or NAME=VALUE, found "double"', 'type', 'a', 'double')
        self.fails(2, 'no expression is given', 'type')

    def test_java_dialect(self):
        given = ('type', 'a*b', 'a=tensor(x{})', 'b=tensor(x[3])')
        self.assertEqual(run(*given).status, 1)
        self.prints('tensor(x{})', *given, '--dialect', 'java')

    def test_unused_inputs(self):
        outcome = run('type', '1', 'a=double')
        self.assertEqual((outcome.status, outcome.out), (0, 'double\n'))
        self.assertIn('warning: input a is given', outcome.err)


class Functions(TestCase):
    def listed(self):
        """The names of the functions that the list shows."""
        listing = run('functions').out.split('\n\n')[0]
        self.assertTrue(listing.startswith('Functions\n'))
        return {re.match(r'  (\w+)', line).group(1) for line in listing.splitlines()[1:]}

    def test_list(self):
        out = run('functions').out
        for line in ('Functions\n', 'Operators, those that bind tightest first\n', 'Aggregators of reduce\n'):
            self.assertIn(line, out)
        self.assertLessEqual({'if', 'switch', 'map', 'softmax', 'cell_order', 'sqrt'}, self.listed())

    def test_every_function_has_an_example_that_works(self):
        for name in sorted(self.listed()):
            with self.subTest(name):
                out = run('functions', name).out
                example = re.search(r'^  example  (.*)$', out, re.MULTILINE)
                self.assertIsNotNone(example, 'its row has none')
                self.assertIn(name, example.group(1))
                result = re.search(r'^  result   (.*)$', out, re.MULTILINE)
                self.assertIsNotNone(result, run('eval', example.group(1)))
                self.prints(result.group(1), 'eval', '--reference', example.group(1))

    def test_explanations(self):
        self.assertIn('softmax(t, dimension)\n  exp(t) divided by', run('functions', 'softmax').out)
        both = run('functions', 'exp', '~=').out
        self.assertIn('e to the power', both)
        self.assertIn('~=', both)
        self.fails(1, 'there is no function "sofmax"; did you mean "softmax"?', 'functions', 'sofmax')
        outcome = self.fails(1, 'there is no function "qqqqqqqq"\n', 'functions', 'qqqqqqqq')
        self.assertNotIn('mean', outcome.err)


class Explain(TestCase):
    SUM = ('explain', 'c * sum(query(q) * d)', '--query', 'query(q):tensor<float>(x[8])',
           '--document', 'd:tensor<float>(x[8])', '--constant', 'c=2')

    def test_plan(self):
        outcome = run(*self.SUM)
        self.assertEqual((outcome.status, outcome.err), (0, ''))
        self.assertIn('  query     query(q)  tensor<float>(x[8])\n  document  d         tensor<float>(x[8])\n', outcome.out)
        for program in ('once, when compiling', 'once per query', 'per document'):
            self.assertIn(', %s\n' % program, outcome.out)
        self.assertNotIn('chosen', outcome.out)

    def test_why(self):
        out = run(*self.SUM, '--why', '--isa', 'baseline').out
        self.assertRegex(out, r'chosen +baseline::\w+: estimated [0-9.]+ ns per row')
        self.assertIn('instruction sets: baseline\n', out)

    def test_graph(self):
        out = run(*self.SUM, '--graph').out
        self.assertIn('query(q)', out)
        self.assertNotIn('digraph', out)
        self.assertIn('digraph', run(*self.SUM, '--dot').out)

    def test_inputs(self):
        self.assertIn('document  a  double', run('explain', 'a+1', '--document', 'a').out)
        self.assertIn('document  f(a,"b:c")  tensor(x{})',
                      run('explain', 'f(a,"b:c")+1', '--document', 'f(a,"b:c"):tensor(x{})').out)
        constant = self.path('c.json', '{"type":"tensor(x[2])","values":[1,2]}')
        self.assertEqual(run('explain', 'sum(c)', '--constant', 'c=@' + constant).status, 0)
        self.assertIn('document  a', run('explain', '-', '--document', 'a', stdin='a').out)
        self.assertIn('document  a', run('explain', '--file', self.path('e', 'a'), '--document', 'a').out)

    def test_errors(self):
        outcome = self.fails(1, "1:5: error: unknown symbol 'b'", 'explain', 'a + b', '--document', 'a')
        self.assertIn('declare it in the schema', outcome.err)
        self.fails(1, "found 'y'", 'explain', 'a', '--document', 'a:tensor(x[y])')
        self.fails(1, "'a' is declared twice", 'explain', 'a', '--document', 'a', '--query', 'a')
        self.fails(1, "there is no instruction set 'sse9'", 'explain', '1', '--isa', 'sse9')
        self.fails(1, "there is no optimization 'none'", 'explain', '1', '--disable', 'none')
        self.fails(2, 'no expression is given', 'explain')
        self.fails(2, 'unexpected argument "b=1"', 'explain', 'a', 'b=1')
        self.fails(2, '--dot', 'explain', '1', '--dot', '--graph')
        self.fails(3, 'cannot read', 'explain', 'c', '--constant', 'c=@/no/such/file')


class ClosedStreams(TestCase):
    """A closed stream is not the next file that is opened."""

    def closed(self, redirection, *arguments):
        done = subprocess.run(['sh', '-c', '"$@" ' + redirection, 'sh', PROGRAM, *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT, timeout=60)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def test_input(self):
        value = 'v=@' + self.path('v', '3')
        self.assertEqual(self.closed('<&-', 'eval', 'v', value), (0, '3\n', ''))
        cannot_read = 'cannot read standard input: Bad file descriptor'
        self.assertEqual(self.closed('<&-', 'eval', '-', value), (3, '', 'error: %s\n' % cannot_read))
        self.assertEqual(self.closed('<&-', 'repl'), (3, '', 'tenrex: %s\n' % cannot_read))
        profile = self.path('p.profile', 'rank-profile p { first-phase { expression: 1 } }')
        status, out, err = self.closed('<&-', 'rank', profile, '-')
        self.assertEqual((status, out), (3, ''))
        self.assertIn(cannot_read, err)

    def test_output(self):
        value = 'v=@' + self.path('v', '3')
        self.assertEqual(self.closed('>&-', 'eval', 'v', value),
                         (3, '', 'tenrex: cannot write the result: Bad file descriptor\n'))
        self.assertEqual(self.closed('2>&-', 'eval', 'v', value), (0, '3\n', ''))
        self.assertEqual(self.closed('2>&-', 'eval', 'w', value), (1, '', ''))
        self.assertEqual(self.closed('<&- >&- 2>&-', 'eval', 'v', value)[0], 3)
        self.assertEqual(self.path('v'), value[3:])
        with open(self.path('v')) as file:
            self.assertEqual(file.read(), '3')


class Program(TestCase):
    def test_version(self):
        self.assertRegex(run('--version').out, r'^tenrex \d+\.\d+\.\d+\n$')

    def test_help(self):
        for arguments in (['--help'], ['-h']):
            outcome = run(*arguments)
            self.assertEqual((outcome.status, outcome.err), (0, ''))
            for command in ('eval', 'type', 'explain', 'repl', 'rank', 'check', 'functions'):
                self.assertRegex(outcome.out, r'\n  %s ' % command)

    def test_examples_of_the_help(self):
        """Each example of a help text runs."""
        self.path('document.json', json.dumps({'type': 'tensor<float>(x[3])', 'values': [1, 1, 2]}))
        self.path('query.json', json.dumps({'type': 'tensor<float>(x[3])', 'values': [1, 1, 2]}))
        self.path('requests.jsonl', '{"id":1,"expression":"1"}\n')
        self.path('music.profile', 'rank-profile default {\n'
                                   '    inputs { query(mood) tensor<float>(x[2]) }\n'
                                   '    first-phase { expression: sum(query(mood)) + attribute(plays) }\n}\n'
                                   'rank-profile popular inherits default { }\n')
        for songs in ('songs.jsonl', 'songs.jsonl.zst'):  # their first bytes tell what they are
            self.path(songs, '{"id":1,"plays":7}\n')
        self.path('queries.jsonl', '{"mood":[1,2]}\n')
        self.path('clicks.txt', 'tree\nnum_tree_per_iteration=1\nfeature_names=price\n\nTree=0\nnum_leaves=1\nleaf_value=2\n\n'
                                'end of trees\n')
        self.path('trees.json', '[{"leaf":1}]')
        self.path('names.txt', '0 price q\n')
        self.path('clicks.json', '[{"leaf":1}]')
        self.path('ranker.onnx', onnx_writer.layer())
        encoder_writer.write(self.path)
        with zipfile.ZipFile(self.path('inputs.npz'), 'w') as archive:
            archive.writestr('x.npy', npy('<f4', (1, 2), struct.pack('<2f', 2, 1)))
        self.path('plays.npy', npy('<f4', (1,), struct.pack('<f', 5)))
        self.path('rows.csv', 'price\n1\n\n')
        directory = os.path.dirname(PROGRAM)
        count = 0
        for command in ([], ['eval'], ['type'], ['explain'], ['functions'], ['repl'], ['rank'], ['check'],
                        ['model'], ['playground'], ['predict']):
            text = run(*command, '--help').out
            for line in text[text.index('Examples:'):].splitlines():
                serves = 'tenrex playground' in line and '--answer' not in line  # until it is told to end
                if line.startswith('  ') and 'tenrex' in line and not serves:
                    done = subprocess.run(['bash', '-c', line], cwd=self.directory, stdin=subprocess.DEVNULL,
                                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                          env={**ENVIRONMENT, 'PATH': directory + ':' + ENVIRONMENT['PATH']})
                    self.assertEqual((done.returncode, done.stderr), (0, b''), line)
                    count += 1
        self.assertGreater(count, 23)


if __name__ == '__main__':
    unittest.main()
