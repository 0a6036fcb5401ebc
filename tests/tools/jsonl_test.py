"""tenrex eval --jsonl: answers, order, peers that wait, long lines, bounded memory, broken pipes."""

import json
import os
import resource
import select
import subprocess
import time
import unittest

from program import ENVIRONMENT, PROGRAM, TestCase, run, start


def ask(*lines, arguments=()):
    """The answers to lines, each a text or an object."""
    text = ''.join((line if isinstance(line, str) else json.dumps(line)) + '\n' for line in lines)
    outcome = run('eval', '--jsonl', *arguments, stdin=text)
    assert outcome.status == 0 and outcome.err == '', outcome
    return [json.loads(line) for line in outcome.out.splitlines()]


class Answers(TestCase):
    def test_values(self):
        self.assertEqual(ask({'id': 1, 'expression': 'a+1', 'inputs': {'a': '2'}}), [{'id': 1, 'result': '3'}])
        self.assertEqual(ask({'id': 1, 'expression': 'query(q)*2', 'inputs': {'query(q)': 'tensor(x{}):{a:1}'}}),
                         [{'id': 1, 'result': 'tensor(x{}):{a:2}'}])
        self.assertEqual(ask({'expression': '1'}), [{'id': None, 'result': '1'}])
        self.assertEqual(ask({'id': 1, 'expression': 'a', 'inputs': {'a': 1.5}}), [{'id': 1, 'result': '1.5'}])
        tensor = {'type': 'tensor(x[2])', 'values': [1, 'nan']}
        self.assertEqual(ask({'id': 1, 'expression': 'a', 'inputs': {'a': tensor}}),
                         [{'id': 1, 'result': 'tensor(x[2]):[1,nan]'}])
        self.assertEqual(ask({'id': 1, 'expression': 's', 'inputs': {'s': 'tensor(x{}):{"ünï\\"":1}'}}),
                         [{'id': 1, 'result': 'tensor(x{}):{"ünï\\"":1}'}])

    def test_ids_are_echoed_to_the_digit(self):
        for id_text in ('1', '-7', '18446744073709551615', '123456789012345678901234567890', '1.50', '1E5', '"a\\nü"',
                        'null', 'true', '[1,[2,{"a":[]}],"x",{}]', '{"a":1,"b":[null,false]}', '""'):
            out = run('eval', '--jsonl', stdin='{"id":%s,"expression":"1"}\n' % id_text).out
            self.assertEqual(out, '{"id":%s,"result":"1"}\n' % id_text)

    def test_types(self):
        self.assertEqual(ask({'id': 1, 'expression': 'v*2', 'inputs': {'v': '[1,2]'}, 'types': {'v': 'tensor<float>(x[2])'}}),
                         [{'id': 1, 'result': 'tensor<float>(x[2]):[2,4]'}])
        self.assertEqual(ask({'id': 1, 'expression': 'v', 'inputs': {'v': [1, 2]}, 'types': {'v': 'tensor(x[2])'}}),
                         [{'id': 1, 'result': 'tensor(x[2]):[1,2]'}])
        self.assertEqual(ask({'id': 1, 'expression': 'v*2', 'types': {'v': 'tensor(x[9])'}, 'type_only': True}),
                         [{'id': 1, 'type': 'tensor(x[9])'}])
        self.assertIn('has a type but no value', ask({'expression': 'v', 'types': {'v': 'double'}})[0]['error'])

    def test_reference(self):
        request = {'id': 1, 'expression': 'sum(a*a)', 'inputs': {'a': 'tensor(x[2]):[3,4]'}}
        self.assertEqual(ask(request, arguments=('--reference',)), [{'id': 1, 'result': '25'}])
        too_large = {'id': 1, 'expression': 'sum(tensor(a[100000])(sum(tensor(b[20000])(tanh(a*b)))))'}
        self.assertIn('(the reference evaluator may manage it: --reference', ask(too_large)[0]['error'])

    def test_plans_are_used_again(self):
        """The same text means something else with other types and dialects."""
        def request(value, **more):
            return {'id': 0, 'expression': 'a*7%4', 'inputs': {'a': value}, **more}
        answers = ask(request('7'), request('tensor(x[1]):[7]'), request('8'), request('7', dialect='java'), request('7'),
                      {'expression': 'a*7%4', 'types': {'a': 'double'}}, {'expression': 'a*7%4'})
        self.assertEqual([a.get('result', a.get('error', '')[:20]) for a in answers],
                         ['1', 'tensor(x[1]):[1]', '0', '21', '1', 'input a has a type b', "1:1: unknown symbol "])

    def test_dialects(self):
        request = {'id': 1, 'expression': '7*7%4'}
        self.assertEqual(ask(request, {**request, 'dialect': 'java'}, {**request, 'dialect': 'core'}),
                         [{'id': 1, 'result': '1'}, {'id': 1, 'result': '21'}, {'id': 1, 'result': '1'}])
        self.assertEqual(ask(request, arguments=('--dialect', 'java')), [{'id': 1, 'result': '21'}])

    def test_errors(self):
        for request, message in (
                ({'expression': '1+'}, '1:3: '),
                ({'expression': '1+\n  zz'}, '2:3: '),
                ({'expression': 'a', 'inputs': {'a': 'tensor(x[2]):[1,2'}}, 'a:1:18: '),
                ({'expression': 'a', 'inputs': {'a': True}}, 'a: a literal is expected, found true'),
                ({'expression': 'a', 'inputs': {'a': None}}, 'a: a literal is expected, found null'),
                ({'expression': 'a', 'inputs': []}, '"inputs" must be an object'),
                ({'expression': 'a', 'types': 1}, '"types" must be an object'),
                ({'expression': 'a', 'types': {'a': 1}}, 'a: a type is expected'),
                ({'expression': 'a', 'types': {'a': 'tensor(x)'}}, 'a:1:'),
                ({'expression': 'a', 'inputs': {'a': '1'}, 'types': {'a': 'double', ' a': 'double'}}, ''),
                ({'expression': 5}, '"expression" must be a string'),
                ({}, 'the request has no "expression"'),
                ({'expression': '1', 'dialect': 'c'}, '"dialect" must be "core" or "java"'),
                ({'expression': '1', 'type_only': 1}, '"type_only" must be true or false')):
            answer, = ask({'id': 'x', **request})
            self.assertEqual(list(answer), ['id', 'error'])
            self.assertEqual(answer['id'], 'x')
            self.assertTrue(answer['error'].startswith(message), answer)
            self.assertNotIn('\n', answer['error'])

    def test_malformed_lines(self):
        good = {'id': 1, 'expression': '1'}
        answers = ask(good, '{"id":', '', '  ', '[1]', '5', '{"id":1} x', '\x00', '{"a":"\\ud800"}', good)
        self.assertEqual(answers[0], answers[-1])
        self.assertEqual(answers[0], {'id': 1, 'result': '1'})
        self.assertEqual(len(answers), 8)
        for answer, number in zip(answers[1:-1], (2, 5, 6, 7, 8, 9)):
            self.assertIsNone(answer['id'])
            self.assertTrue(answer['error'].startswith('line %d: ' % number), answer)
        self.assertIn('malformed JSON at byte 7: ', answers[1]['error'])

    def test_bytes_that_are_not_utf8(self):
        outcome = run('eval', '--jsonl', stdin=b'{"id":1,"expression":"\xff"}\n{"id":2,"expression":"\\u0001"}\n')
        first, second = map(json.loads, outcome.out.splitlines())
        self.assertIn('line 1: malformed JSON', first['error'])
        self.assertEqual(second['id'], 2)
        self.assertIn('error', second)
        result = run('eval', '--jsonl', stdin='{"id":1,"expression":"t","inputs":{"t":"tensor(x{}):{\\"\\\\xff\\":1}"}}\n')
        self.assertEqual(json.loads(result.out)['id'], 1)

    def test_deep_nesting(self):
        for depth in (100, 1000000):
            outcome = run('eval', '--jsonl', stdin='{"id":' + '[' * depth + ']' * depth + ',"expression":"1"}\n')
            self.assertIn('line 1: JSON nested deeper than the limit of 100', json.loads(outcome.out)['error'])
        deep = '[' * 99 + ']' * 99
        self.assertEqual(run('eval', '--jsonl', stdin='{"id":%s,"expression":"1"}\n' % deep).out,
                         '{"id":%s,"result":"1"}\n' % deep)

    def test_other_members_are_ignored(self):
        self.assertEqual(ask({'id': 1, 'expression': '1', 'expect': {'a': [{}]}, 'inputs': {'unused': '1'}}),
                         [{'id': 1, 'result': '1'}])

    def test_last_line_without_end(self):
        self.assertEqual(run('eval', '--jsonl', stdin='{"expression":"1"}').out, '{"id":null,"result":"1"}\n')
        self.assertEqual(run('eval', '--jsonl', stdin='{"expression":"1"}\r\n').out, '{"id":null,"result":"1"}\n')
        self.assertEqual(run('eval', '--jsonl', stdin='').out, '')

    def test_many_inputs(self):
        """No time that grows with the square of their number."""
        count = 50000
        inputs = {'input%d' % number: '1' for number in range(count)}
        request = {'id': 1, 'expression': '+'.join(inputs), 'inputs': inputs, 'types': {name: 'double' for name in inputs}}
        begin = time.monotonic()
        self.assertEqual(ask(request), [{'id': 1, 'result': str(count)}])
        self.assertLess(time.monotonic() - begin, 60)

    def test_file(self):
        path = self.path('requests', '{"id":1,"expression":"1"}\n')
        self.assertEqual(run('eval', '--jsonl', path).out, '{"id":1,"result":"1"}\n')
        self.fails(3, 'tenrex: cannot read /no/such/file: No such file', 'eval', '--jsonl', '/no/such/file')
        self.fails(3, 'Is a directory', 'eval', '--jsonl', self.directory)


class LongLines(TestCase):
    def test_limit(self):
        fits = '{"expression":"1"}'
        limit = ('--line-limit', str(len(fits)))
        long = '{"expression":"11"}'
        answers = ask(fits, long, fits, 'x' * 1000000, fits, long.rstrip(), arguments=limit)
        self.assertEqual([list(a)[1] for a in answers], ['result', 'error', 'result', 'error', 'result', 'error'])
        self.assertEqual(answers[3], {'id': None, 'error': 'line 4: longer than the limit of 18 bytes'})
        without_end = run('eval', '--jsonl', *limit, stdin=fits + '\n' + long)
        self.assertIn('line 2: longer than the limit', without_end.out)

    def test_long_line_is_answered(self):
        numbers = ','.join(['1'] * 300000)
        answer, = ask({'id': 1, 'expression': 'sum(v)', 'inputs': {'v': 'tensor(x[300000]):[%s]' % numbers}})
        self.assertEqual(answer, {'id': 1, 'result': '300000'})


class Streams(TestCase):
    def test_peer_that_waits_for_each_answer(self):
        process = start('eval', '--jsonl')
        for number in range(20):
            process.stdin.write(b'{"id":%d,"expression":"%d*2"}\n' % (number, number))
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], 20)
            self.assertTrue(ready, 'no answer')
            self.assertEqual(process.stdout.readline(), b'{"id":%d,"result":"%d"}\n' % (number, number * 2))
        # A line that comes in pieces, and two lines at once.
        process.stdin.write(b'{"id":1,"expr')
        process.stdin.flush()
        time.sleep(0.05)
        process.stdin.write(b'ession":"5"}\n{"id":2,"expression":"6"}\n')
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b'{"id":1,"result":"5"}\n')
        self.assertEqual(process.stdout.readline(), b'{"id":2,"result":"6"}\n')
        process.stdin.close()
        self.assertEqual(process.wait(20), 0)
        process.stdout.close()
        process.stderr.close()

    def test_many_lines_in_bounded_memory(self):
        # What sanitizers take is not looked at, and they take long.
        has_sanitizer = bool(ENVIRONMENT.get('TENREX_TEST_SANITIZER'))
        count = 3000 if has_sanitizer else 30000
        path = self.path('many')
        with open(path, 'w') as file:
            for number in range(count):
                text = 'a*2+%d%s' % (number % 7, ' ' * 4000)
                file.write('{"id":%d,"expression":"%s","inputs":{"a":"%d"}}\n' % (number, text, number))
        self.assertGreater(os.path.getsize(path), count * 4000)
        script = 'import resource, subprocess, sys\n' \
                 'status = subprocess.call(sys.argv[1:])\n' \
                 'print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)\n' \
                 'sys.exit(status)'
        begin = time.monotonic()
        done = subprocess.run(['python3', '-c', script, PROGRAM, 'eval', '--jsonl', path], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=ENVIRONMENT, timeout=300)
        seconds = time.monotonic() - begin
        self.assertEqual(done.returncode, 0)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), count)
        for number in (0, 1, 777, count - 1):
            self.assertEqual(json.loads(lines[number]), {'id': number, 'result': str(number * 2 + number % 7)})
        peak = int(done.stderr) << 10
        if not has_sanitizer:  # it keeps freed memory
            self.assertLess(peak, 64 << 20)
        print('%d lines in %.1f s, peak %d MiB' % (count, seconds, peak >> 20))

    def test_reader_that_goes_away(self):
        path = self.path('many', '{"id":1,"expression":"1"}\n' * 200000)
        done = subprocess.run(['bash', '-c', '"$0" eval --jsonl "$1" | head -n 1; echo ${PIPESTATUS[0]}', PROGRAM, path],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT, timeout=60)
        self.assertEqual((done.stdout, done.stderr), (b'{"id":1,"result":"1"}\n3\n', b''))

    def test_full_disk(self):
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([PROGRAM, 'eval', '--jsonl'], input=b'{"expression":"1"}\n' * 100000, stdout=full,
                                  stderr=subprocess.PIPE, env=ENVIRONMENT, timeout=60)
        self.assertEqual((done.returncode, done.stderr),
                         (3, b'tenrex: cannot write the result: No space left on device\n'))


if __name__ == '__main__':
    unittest.main()
