"""The REPL without a terminal: scripts on standard input, :commands, and the JSON protocol."""

import json
import select
import subprocess
import unittest

from program import ENVIRONMENT, PROGRAM, TestCase, run, start


def script(*lines, arguments=(), **options):
    return run('repl', *arguments, stdin='\n'.join(lines) + '\n', **options)


def talk(*requests, arguments=()):
    """The replies to requests of the JSON protocol."""
    text = ''.join((r if isinstance(r, str) else json.dumps(r)) + '\n' for r in requests)
    outcome = run('repl', '--json', *arguments, stdin=text)
    assert outcome.status == 0 and outcome.err == '', outcome
    return [json.loads(line) for line in outcome.out.splitlines()]


class Script(TestCase):
    def shows(self, out, *lines, **options):
        outcome = script(*lines, **options)
        self.assertEqual((outcome.status, outcome.out, outcome.err), (0, out, ''))

    def test_values_and_assignments(self):
        self.shows('1024\n', 'a = 2', 'a^10')
        self.shows('tensor(x[2]):[2,4]\n', 'query(q) = tensor(x[2]):[1,2]', 'query(q)*2')
        self.shows('3\n', 'b', arguments=('b=3',))
        self.shows('3\n', '# a comment', '', '   ', '1+2 # and another')
        self.shows('', '')

    def test_comparison_is_no_assignment(self):
        self.shows('1\n0\n1\n1\n', 'a = 2', 'a == 2', 'a==3', 'a <= 2', 'a>=2')
        self.shows('1\n', 'query(q)=2', 'query(q)==2')
        self.assertEqual(script('a = 2', 'a = = 2').status, 1)

    def test_latest_value(self):
        self.shows('6\n12\n13\n', '1+5', 'it*2', '_+1')
        self.assertIn('it', script('it').err)
        outcome = script('it = 5')
        self.assertEqual(outcome.status, 1)
        self.assertIn('it is the name of the latest value', outcome.err)

    def test_input_over_several_lines(self):
        self.shows('6\n7\n', 'sum(', '  tensor(x[3]):', '  [1,2,3]', ')', '7')
        self.shows('3\n', 'a = 1 +', '1', 'a+1')
        self.shows('3\n', '1 + # one', '2')
        outcome = script('1 +')
        self.assertEqual((outcome.status, outcome.out), (1, ''))

    def test_long_input_is_read_once_its_brackets_close(self):
        lines = ['tensor(x[20000]):['] + ['%d,' % i for i in range(19999)] + ['1]']
        outcome = script('v = ' + lines[0], *lines[1:], 'count(v)')
        self.assertEqual((outcome.out, outcome.err), ('20000\n', ''))

    def test_errors_name_the_line_and_do_not_end_the_script(self):
        outcome = script('1+1', 'a = 3', 'a + oops', 'a', '  b  = a + nope')
        self.assertEqual((outcome.status, outcome.out), (1, '2\n3\n'))
        self.assertRegex(outcome.err, r'3:5: error: .*oops')
        self.assertIn('\n  a + oops\n      ^~~~\n', outcome.err)
        self.assertRegex(outcome.err, r'5:12: error: .*nope')
        self.assertIn('\n    b  = a + nope\n             ^~~~\n', outcome.err)

    def test_values_from_files_and_literals(self):
        path = self.path('v.json', '{"type":"tensor(x[2])","values":[1,2]}')
        self.shows('3\n', 'v = @' + path, 'sum(v)')
        self.shows('3\n', 'v = {{x:a}:1,{x:b}:2}', 'sum(v)')
        self.shows('3\n', 'v = {"type":"tensor(x[2])","values":[1,2]}', 'sum(v)')
        self.shows('nan\n-inf\n1\n', 'a = nan', 'a', 'b = -inf', 'b', 'c = tensor(x[2]):[nan,inf]', 'sum(isNan(c))')
        outcome = script('v = @/no/such/file')
        self.assertEqual(outcome.status, 1)
        self.assertIn('cannot read /no/such/file', outcome.err)

    def test_standard_input_is_taken(self):
        outcome = script('a = @-', '5')
        self.assertEqual((outcome.status, outcome.out), (1, '5\n'))
        self.assertIn('standard input is where the REPL reads its own input from', outcome.err)
        outcome = script(':load -', '5', cwd=self.directory)
        self.assertEqual((outcome.status, outcome.out), (1, '5\n'))

    def test_output_is_flushed_for_a_peer_that_waits(self):
        process = start('repl')
        for number in range(3):
            process.stdin.write(b'%d+1\n' % number)
            process.stdin.flush()
            self.assertTrue(select.select([process.stdout], [], [], 20)[0], 'no answer')
            self.assertEqual(process.stdout.readline(), b'%d\n' % (number + 1))
        process.stdin.close()
        self.assertEqual(process.wait(20), 0)
        process.stdout.close()
        process.stderr.close()

    def test_output_failures(self):
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([PROGRAM, 'repl'], input=b'1\n', stdout=full, stderr=subprocess.PIPE, env=ENVIRONMENT)
        self.assertEqual((done.returncode, done.stderr),
                         (3, b'tenrex: cannot write the result: No space left on device\n'))


class Commands(TestCase):
    def info(self, out, *lines):
        outcome = script(*lines)
        self.assertEqual((outcome.status, outcome.out, outcome.err), (0, out, ''))

    def wrong(self, message, *lines):
        outcome = script(*lines)
        self.assertEqual((outcome.status, outcome.out), (1, ''), outcome)
        self.assertIn(message, outcome.err)

    def test_type(self):
        self.info('tensor(x[2])\n', 'a = tensor<float>(x[2]):[1,2]', ':type cell_cast(a, double)')
        self.info('double\n', ':type 1 +', ' 1')
        self.wrong(':type needs EXPRESSION', ':type')
        outcome = script(':type 1+oops')
        self.assertIn('\n  :type 1+oops\n          ^~~~\n', outcome.err)

    def test_ast(self):
        outcome = script(':ast 1+a*2', arguments=('a=1',))
        self.assertEqual(outcome.status, 0)
        self.assertGreater(len(outcome.out.splitlines()), 3)
        self.wrong(':ast needs EXPRESSION', ':ast')

    def test_inputs(self):
        self.info('a         tensor(x[2])       [1,2]\nquery(q)  double             1.5\nz         tensor(x[9],y[9])  81 cells\n',
                  'query(q) = 1.5', 'a = tensor(x[2]):[1,2]', 'z = tensor(x[9],y[9])(x)', ':inputs')
        self.info('no inputs; assign one with NAME = VALUE\n', ':inputs')

    def test_delete(self):
        self.info('b  double  1\n', 'a = 1', 'b = 1', ':delete a', ':inputs')
        self.info('no inputs; assign one with NAME = VALUE\n', 'f(a,b) = 1', ':delete f( a, b )', ':inputs')
        self.wrong('there is no input c', ':delete c')
        self.wrong(':delete needs NAME', ':delete')

    def test_save_and_load(self):
        path = self.path('saved')
        values = ['a = 1.5', 'query(q) = tensor<float>(x[3]):[0.1,-1e30,3]', 'm = tensor(k{},x[2]):{a:[1,nan],"b c":[-inf,2]}',
                  'e = tensor(x{}):{}', 'i = tensor<int8>(x[2]):[-128,127]', 'n = nan', 'b = tensor<bfloat16>(x[1]):[0.1]',
                  'l = tensor(x{}):{"\\n\\"":1,"ü":2}']
        self.info('8 inputs saved\n', *values, ':save ' + path)
        names = ('a', 'query(q)', 'm', 'e', 'i', 'n', 'b', 'l')
        before = script(*values, *names)
        after = script(':load ' + path, *names)
        self.assertEqual((after.status, after.out, after.err), (0, before.out, ''))
        self.assertEqual(len(after.out.splitlines()), len(names))
        self.wrong('cannot write /no/such/file: No such file', ':save /no/such/file')
        self.wrong('cannot write /dev/full: No space left', 'a = 1', ':save /dev/full')
        self.wrong(':save needs FILE', ':save')

    def test_settings_are_saved_too(self):
        path = self.path('saved')
        script('a = 2', ':save ' + path)
        with open(path, encoding='utf-8') as file:
            self.assertEqual(file.read(), '# A session of a tenrex REPL; `:load` reads it.\na = 2\n')
        script(':dialect java', ':format json', ':reference on', 'a = 2', ':save ' + path)
        after = script(':load ' + path, ':dialect', ':format', ':reference', '7 * 3 % 5')
        self.assertEqual((after.status, after.err), (0, ''))
        self.assertTrue(after.out.endswith('dialect java\nformat json\nreference on\n21\n'), after.out)

    def test_load(self):
        path = self.path('script', '# comment\na = 1 +\n 1\na*2\n')
        self.info('4\n2\n', ':load ' + path, 'a')
        self.wrong('cannot read /no/such/file', ':load /no/such/file')
        self.wrong(':load needs FILE', ':load')
        bad = self.path('bad', '1\na = 1 +\n   oops\n2\n')
        outcome = script(':load ' + bad)
        self.assertEqual((outcome.status, outcome.out), (1, '1\n'))
        self.assertTrue(outcome.err.startswith(bad + ':3:4: error: '), outcome.err)
        incomplete = self.path('incomplete', '1\n2+\n')
        self.assertTrue(script(':load ' + incomplete).err.startswith(incomplete + ':2:'))
        inner = self.path('outer', '7\n:load %s\n8\n' % bad)
        outcome = script(':load ' + inner)
        self.assertEqual(outcome.out, '7\n1\n')
        self.assertTrue(outcome.err.startswith('%s:2: %s:3:4: error: ' % (inner, bad)), outcome.err)
        self.info('1\n2\n', ':load ' + self.path('leaves', '1\n:quit\n3\n'), '2')

    def test_script_that_loads_itself(self):
        path = self.path('self')
        self.path('self', 'a = 1\n:load %s\n' % path)
        outcome = script(':load ' + path)
        self.assertEqual(outcome.status, 1)
        self.assertIn('scripts load each other more than 16 levels deep', outcome.err)

    def test_time(self):
        outcome = script(':time 1+1')
        times = r'^parsed and checked in [0-9.]+ [um]?s, %sevaluated in [0-9.]+ [um]?s \(median of [0-9]+ runs?\)\n$'
        self.assertRegex(outcome.out, times % r'compiled in [0-9.]+ [um]?s, ')
        self.assertRegex(script(':time 1+1', arguments=('--reference',)).out, times % '')
        self.wrong(':time needs EXPRESSION', ':time')

    def test_reference(self):
        self.info('reference off\nreference on\nreference on\n3\nreference off\n3\n',
                  ':reference', ':reference on', ':reference', '1+2', ':reference off', '1+2')
        self.wrong(':reference is on or off, not no', ':reference no')
        too_large = 'sum(tensor(a[100000])(sum(tensor(b[20000])(tanh(a*b)))))'
        self.wrong('hint: the reference evaluator may manage it: --reference, or :reference on', too_large)

    def test_plan(self):
        inputs = ('query(q) = tensor(x[2]):[1,2]', 'd = tensor(x[2]):[3,4]')
        outcome = script(*inputs, ':plan sum(query(q)*d)')
        self.assertEqual((outcome.status, outcome.err), (0, ''))
        self.assertIn('  query     query(q)  tensor(x[2])\n  document  d         tensor(x[2])\n', outcome.out)
        self.assertIn(', per document\n', outcome.out)
        self.assertEqual(script(*inputs, 'sum(query(q)*d)', ':plan').out, '11\n' + outcome.out)
        self.wrong(':plan needs EXPRESSION', ':plan')
        self.assertIn('\n  :plan 1+oops\n          ^~~~\n', script(':plan 1+oops').err)
        reply, = talk({'id': 1, 'input': ':plan 1+2'})
        self.assertEqual(reply['kind'], 'info')
        self.assertIn('outputs:\n  constant  double\n', reply['text'])

    def test_bench(self):
        inputs = ('query(q) = tensor(x[2]):[1,2]', 'd = tensor(x[2]):[3,4]')
        outcome = script(*inputs, 'sum(query(q)*d)', ':bench')
        self.assertEqual((outcome.status, outcome.err), (0, ''))
        number = r'[\d.]+'
        self.assertRegex(outcome.out, r'\A11\ncompiled in %s us, bound in %s us; 1 step for a document of 16 bytes; results checked\n'
                         r' *block +ns/document .*\n +1 +%s .* %%\n +64 +%s .* %%\n\Z' % ((number,) * 4))
        self.assertRegex(script(':bench 1+2', arguments=('--reference',)).out, r'\Aparsed in %s us; results' % number)
        self.wrong(':bench needs EXPRESSION', ':bench')
        self.assertIn('\n  :bench 1+oops\n           ^~~~\n', script(':bench 1+oops').err)

    def test_dialect(self):
        self.info('1\ndialect core\ndialect java\n21\n', '7*7%4', ':dialect', ':dialect java', '7*7%4')
        self.wrong('there is no dialect c', ':dialect c')

    def test_format(self):
        vector = 'tensor(x[2]):[1,2]'
        self.info('format default\nformat json\n{"type":"tensor(x[2])","values":[1,2]}\nformat table\n'
                  'tensor(x[2])\nx\n0  1\n1  2\nformat default\n%s\n' % vector,
                  ':format', ':format json', vector, ':format table', vector, ':format default', vector)
        self.wrong('there is no format xml', ':format xml')
        self.wrong('there is no format binary', ':format binary')
        outcome = script(':format hex', 'tensor(x{}):{a:1}')
        self.assertIn('hex digits cannot show the labels', outcome.err)
        self.assertEqual(outcome.status, 1)

    def test_help(self):
        out = script(':help').out
        self.assertLessEqual(max(map(len, out.splitlines())), 80)
        self.assertIn(':dialect [core|java]  show', out)
        for line in out.splitlines():
            self.assertRegex(line[:24], r'^(\S.*| {20})  \S', 'a command and what it does stand apart')
        for command in ('ast', 'bench', 'delete', 'dialect', 'format', 'help', 'inputs', 'load', 'plan', 'quit',
                        'reference', 'save', 'time', 'type'):
            self.assertRegex(out, r'(?m)^:%s ' % command)
            self.assertTrue(script(':help :' + command).out.startswith(':' + command))
        self.assertIn('softmax(t, dimension)', script(':help softmax').out)
        self.assertIn('Aggregators of reduce', script(':help functions').out)
        self.wrong('there is no function sofmax; did you mean "softmax"?', ':help sofmax')
        self.wrong('there is no command :no', ':help :no')

    def test_quit_and_unknown(self):
        self.info('1\n', '1', ':quit', '2')
        self.info('1\n', '1', ':q', '2')
        self.wrong('there is no command :nope', ':nope')
        self.wrong('there is no command :', ':')
        self.wrong(':t may be :time, :type', ':t 1')
        self.wrong(':quit takes no argument', ':quit now')


class Usage(TestCase):
    def test_arguments(self):
        self.fails(2, 'expected NAME=VALUE', 'repl', 'a')
        self.fails(1, 'a:1:', 'repl', 'a=tensor(')
        self.fails(1, 'it is the name of the latest value', 'repl', 'it=1')
        self.fails(2, '--format', 'repl', '--format', 'binary')
        self.fails(3, 'cannot read', 'repl', 'a=@/no/such/file')
        self.assertEqual(script('7*7%4', arguments=('--dialect', 'java')).out, '21\n')
        self.assertEqual(script('tensor(x[1]):[1]', arguments=('--format', 'json')).out,
                         '{"type":"tensor(x[1])","values":[1]}\n')


class Json(TestCase):
    def test_kinds(self):
        self.assertEqual(
            talk({'id': 1, 'input': 'a = tensor(x[2]):[1,2]'}, {'id': 'b', 'input': 'sum(a)'}, {'id': None, 'input': ':type a'},
                 {'id': [1], 'input': '# comment'}, {'input': 'it'}),
            [{'id': 1, 'kind': 'assigned', 'name': 'a', 'type': 'tensor(x[2])', 'value': 'tensor(x[2]):[1,2]'},
             {'id': 'b', 'kind': 'value', 'type': 'double', 'value': '3'},
             {'id': None, 'kind': 'info', 'text': 'tensor(x[2])\n'},
             {'id': [1], 'kind': 'info', 'text': ''},
             {'id': None, 'kind': 'value', 'type': 'double', 'value': '3'}])

    def test_errors(self):
        wrong, incomplete, command = talk({'id': 1, 'input': 'a = 1 + oops'}, {'id': 2, 'input': '1 +'}, {'id': 3, 'input': ':no'})
        self.assertEqual((wrong['id'], wrong['kind'], wrong['incomplete']), (1, 'error', False))
        self.assertTrue(wrong['error'].startswith('1:9: '))
        issue, = wrong['issues']
        self.assertEqual((issue['severity'], issue['line'], issue['column'], issue['begin'], issue['end']),
                         ('error', 1, 9, 8, 12))
        self.assertIn('\n  a = 1 + oops\n', wrong['rendered'])
        self.assertEqual((incomplete['kind'], incomplete['incomplete']), ('error', True))
        self.assertEqual((command['kind'], command['incomplete']), ('error', False))

    def test_load_gives_all_replies(self):
        path = self.path('script', 'a = 1\na+1\noops\n')
        reply, = talk({'id': 1, 'input': ':load ' + path})
        self.assertEqual(reply['kind'], 'error')
        self.assertEqual(reply['replies'], [{'kind': 'assigned', 'name': 'a', 'type': 'double', 'value': '1'},
                                            {'kind': 'value', 'type': 'double', 'value': '2'}])

    def complete(self, text, cursor=None, inputs=()):
        request = {'id': 1, 'command': 'complete', 'text': text}
        if cursor is not None:
            request['cursor'] = cursor
        reply, = talk(request, arguments=inputs)
        self.assertEqual(list(reply), ['id', 'kind', 'start', 'end', 'candidates'])
        return reply['start'], reply['end'], reply['candidates']

    def test_completion(self):
        self.assertEqual(self.complete('1+softm'), (2, 7, ['softmax(']))
        self.assertEqual(self.complete('1+softm*2', 7), (2, 7, ['softmax(']))
        self.assertEqual(self.complete('xyz'), (0, 3, []))
        self.assertEqual(self.complete('sum(query(e', inputs=['query(embedding)=1']), (4, 11, ['query(embedding)']))

    def test_malformed_requests(self):
        for line, start_of_error in (('{', 'line 1: malformed JSON'), ('[]', 'line 1: a JSON object is expected'),
                                     ('{"id":5}', 'line 1: a request has either'),
                                     ('{"input":1}', 'line 1: a request has either'),
                                     ('{"input":"1","command":"complete"}', 'line 1: a request has either'),
                                     ('{"command":"explode"}', 'line 1: a request has either'),
                                     ('{"command":"complete"}', '"complete" needs a string "text"'),
                                     ('{"command":"complete","text":"a","cursor":-1}', '"complete" needs')):
            reply, = talk(line)
            self.assertEqual(reply['kind'], 'error', line)
            self.assertTrue(reply['error'].startswith(start_of_error), reply)
        self.assertEqual(talk('', '{"id":1,"input":"1"}')[0]['value'], '1')

    def test_quit(self):
        self.assertEqual(talk({'id': 1, 'input': ':quit'}, {'id': 2, 'input': '1'}), [{'id': 1, 'kind': 'info', 'text': ''}])

    def test_peer_that_waits(self):
        process = start('repl', '--json')
        for number in range(3):
            process.stdin.write(b'{"id":%d,"input":"%d+1"}\n' % (number, number))
            process.stdin.flush()
            self.assertTrue(select.select([process.stdout], [], [], 20)[0], 'no answer')
            self.assertEqual(json.loads(process.stdout.readline())['value'], str(number + 1))
        process.stdin.close()
        self.assertEqual(process.wait(20), 0)
        process.stdout.close()
        process.stderr.close()


if __name__ == '__main__':
    unittest.main()
