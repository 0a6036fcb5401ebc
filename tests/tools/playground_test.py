"""The playground as its page sees it: what it answers, what it refuses, and that nothing hostile ends it."""

import concurrent.futures
import json
import os
import random
import re
import signal
import socket
import unittest
import urllib.parse
import xml.etree.ElementTree

from playground_server import Playground
from program import TestCase, run

SANITIZER = os.environ.get('TENREX_TEST_SANITIZER', '')


class Shared(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playground = Playground('--seconds', '60')  # the machine may be busy

    @classmethod
    def tearDownClass(cls):
        status, err = cls.playground.end()
        assert (status, err) == (0, ''), err


class Answers(Shared):
    def answer(self, *arguments, **inputs):
        return self.playground.answer(*arguments, **inputs)

    def test_a_value(self):
        answer = self.answer('sum(a*b)', a='tensor(x[2]):[1,2]', b='tensor(x[2]):[3,4]')
        self.assertEqual((answer['type'], answer['value'], answer['tables'], answer['issues']), ('double', '11', [], []))
        for step in ('checked', 'compiled', 'evaluated'):
            self.assertGreater(answer[step]['us'], 0)
            self.assertGreaterEqual(answer[step]['runs'], 1)
        self.assertIn('what is computed when:', answer['explain'])

    def test_tables(self):
        answer = self.answer('a*b', a='tensor(k{}):{apple:1,pear:2.5}', b='tensor(x[3]):[1,2,3]')
        self.assertEqual(answer['tables'], [{
            'slice': '', 'headings': ['k\\x'], 'columns': ['0', '1', '2'], 'all_rows': 2, 'all_columns': 3,
            'rows': [{'labels': ['apple'], 'cells': ['1', '2', '3']}, {'labels': ['pear'], 'cells': ['2.5', '5', '7.5']}]}])
        slices = self.answer('tensor(a[20],b[2],c[2])(a)')['tables']
        self.assertEqual([slices[0]['slice'], slices[6], slices[-1]['slice']], ['{a:0}', None, '{a:19}'])
        long = self.answer('tensor(x[1000])(x)')['tables'][0]
        self.assertEqual((long['all_rows'], long['rows'][50], long['rows'][-1]['labels']), (1000, None, ['999']))
        wide = self.answer('tensor(x[2],y[100])(y)')['tables'][0]
        self.assertEqual((wide['columns'][20], wide['rows'][0]['cells'][20], wide['columns'][-1]), (None, None, '99'))
        crossed = self.answer('a', a='tensor(j{},k{}):{{j:a,k:b}:1,{j:c,k:d}:2}')['tables'][0]
        self.assertEqual(crossed['rows'][0], {'labels': ['a'], 'cells': ['1', None]})
        self.assertEqual(self.answer('a', a='tensor(k{}):{}')['tables'], [])

    def test_large_values_have_no_literal(self):
        answer = self.answer('tensor(x[200000])(x)')
        self.assertEqual(answer['value'], '')
        self.assertIn('200000 cells', answer['left_out'])

    def test_strings(self):
        answer = self.answer('if(lang == "de", lang, "no")', lang='"de"')
        self.assertEqual((answer['type'], answer['value']), ('string', '"de"'))

    def test_errors_have_a_place(self):
        issue, = self.answer('1 + ü', a='1')['issues']
        self.assertEqual((issue['severity'], issue['source'], issue['begin'], issue['column']), ('error', '', 4, 5))
        first, second = self.answer('sum(a*bb) + cc', a='1')['issues']
        self.assertEqual((first['message'], first['hint']), ("unknown symbol 'bb'", 'give it a value'))
        self.assertEqual((first['begin'], first['end'], second['begin'], second['end']), (6, 8, 12, 14))

    def test_errors_of_inputs(self):
        answer = self.answer('a+b', a='tensor(x[2]):[1,', b='2')
        issue, = answer['issues']
        self.assertEqual((issue['source'], issue['line'], issue['severity']), ('a', 1, 'error'))
        self.assertNotIn('value', answer)
        issue, = self.answer('a', **{'a(b': '1', 'a': '2'})['issues']
        self.assertEqual(issue['source'], 'a(b')
        self.assertIn('tensor<float>(x[3])', self.answer('a', a='tensor<float>(x[3]):[1,2]')['issues'][0]['message'])

    def test_files_cannot_be_read(self):
        for value in ('@/etc/hostname', '@-'):
            self.assertEqual(self.answer('a', a=value)['issues'][0]['severity'], 'error')

    def test_warnings_come_with_the_value(self):
        answer = self.answer('sum(a*b)', a='tensor(x[2]):[1,2]', b='tensor(y[2]):[1,2]', c='1')
        self.assertEqual([(each['severity'], each['source']) for each in answer['issues']], [('warning', ''), ('warning', 'c')])
        self.assertEqual(answer['value'], '9')

    def test_types_are_enough_for_a_plan(self):
        answer = self.answer('sum(query(q)*d)', **{'query(q)': 'tensor<float>(x[8])', 'd': 'tensor<int8>(x[8])'})
        self.assertEqual(answer['type'], 'double')
        self.assertNotIn('value', answer)
        self.assertIn('query(q)', answer['graph'])

    def test_pictures(self):
        answer = self.answer('sum(query(q)*d) * sum(query(q)*query(q)) + a{k:"<&\\u0001"}', **{
            'query(q)': 'tensor<float>(x[8])', 'd': 'tensor<int8>(x[8])', 'a': 'tensor(k{})'})
        for name in ('plan', 'graph'):
            picture = xml.etree.ElementTree.fromstring(answer[name])
            self.assertEqual(picture.tag, '{http://www.w3.org/2000/svg}svg')
            width, height = float(picture.get('width')), float(picture.get('height'))
            boxes = picture.findall('.//{*}rect')
            self.assertGreater(len(boxes), 2)
            for box in boxes:
                self.assertLessEqual(float(box.get('x')) + float(box.get('width')), width)
                self.assertLessEqual(float(box.get('y')) + float(box.get('height')), height)
        graph = xml.etree.ElementTree.fromstring(answer['graph'])
        self.assertEqual({each.get('class') for each in graph.findall('.//{*}rect')}, {'query', 'document'})
        self.assertGreater(len(graph.findall('.//{*}path')), 3)
        steps = [''.join(each.itertext()) for each in xml.etree.ElementTree.fromstring(answer['plan']).findall('.//{*}text')]
        self.assertIn('once per query', steps)
        self.assertTrue(any('dot of 8 cells' in each for each in steps), steps)

    def test_dialects(self):
        self.assertNotEqual(self.answer('-2^2', 'core')['value'], '')
        self.assertEqual(self.playground.post(b'{"expression":"1","dialect":"basic"}')['error'],
                         '"dialect" is "core" or "java"')

    def test_what_is_no_request(self):
        for body, message in ((b'', 'malformed JSON'), (b'[]', 'a JSON object is expected'),
                              (b'{}', 'a request has a string "expression"'),
                              (b'{"expression":1}', 'a request has a string "expression"'),
                              (b'{"expression":"1","inputs":[]}', '"inputs" is an object'),
                              (b'{"expression":"1","inputs":{"a":1}}', '"inputs" has a string for each name')):
            self.assertIn(message, self.playground.post(body)['error'])

    def test_many_at_once(self):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            found = pool.map(lambda i: self.answer('a+1', a=str(i))['value'], range(16))
        self.assertEqual(list(found), [str(i + 1) for i in range(16)])


class Refusals(Shared):
    JSON = {'Content-Type': 'application/json'}

    def refuses(self, status, method, path, body=None, **headers):
        answer = self.playground.request(method, path, body, **headers)
        self.assertEqual(answer[0], status, answer[2])
        self.assertIn('error', json.loads(answer[2]))

    def test_other_sites(self):
        body = b'{"expression":"1"}'
        self.refuses(403, 'GET', '/', Host='evil.example')
        self.refuses(403, 'GET', '/', Host='evil.example:%d' % self.playground.port)
        self.refuses(403, 'POST', '/answer', body, Origin='http://evil.example', **self.JSON)
        self.refuses(403, 'POST', '/answer', body, Origin='null', **self.JSON)
        self.refuses(415, 'POST', '/answer', body)
        self.refuses(415, 'POST', '/answer', body, **{'Content-Type': 'text/plain'})
        own = {'Host': 'localhost:%d' % self.playground.port, 'Origin': 'http://localhost:%d' % self.playground.port}
        self.assertEqual(self.playground.request('POST', '/answer', body, **own, **self.JSON)[0], 200)

    def test_other_places(self):
        self.refuses(404, 'GET', '/etc/passwd')
        self.refuses(404, 'GET', '/../../etc/passwd')
        self.refuses(405, 'GET', '/answer')
        self.refuses(405, 'POST', '/', b'')
        self.refuses(405, 'PUT', '/answer', b'1', **self.JSON)

    def test_sizes(self):
        self.refuses(413, 'POST', '/answer', b'{}', **{'Content-Length': str((1 << 20) + 1)}, **self.JSON)
        self.refuses(411, 'POST', '/answer', b'2\r\n{}\r\n0\r\n\r\n', **{'Transfer-Encoding': 'chunked'}, **self.JSON)
        self.assertIn('error', self.playground.post(b' ' * (1 << 20)))

    def test_the_page(self):
        status, headers, body = self.playground.request('GET', '/')
        page = body.decode()
        self.assertEqual((status, headers['Content-Type']), (200, 'text/html; charset=utf-8'))
        nonces = re.findall(r'<(?:style|script) nonce="(\w{32})">', page)
        self.assertEqual(len(nonces), 2)
        self.assertEqual(len(set(nonces)), 1)
        self.assertIn("script-src 'nonce-%s'" % nonces[0], headers['Content-Security-Policy'])
        self.assertIn("default-src 'none'", headers['Content-Security-Policy'])
        self.assertNotIn(nonces[0], self.playground.request('GET', '/')[2].decode())
        for outside in ('http:', 'https:', '//www', 'src=', 'href=', '@import', 'url('):
            self.assertNotIn(outside, page.replace('http://www.w3.org/2000/svg', ''))
        self.assertEqual(self.playground.request('HEAD', '/')[2], b'')


class Hostile(Shared):
    def raw(self, data):
        """Sends bytes, reads what comes, if anything does."""
        with socket.create_connection(('127.0.0.1', self.playground.port), timeout=20) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1 << 16):
                    pass
            except OSError:
                pass

    def test_noise_instead_of_http(self):
        noise = random.Random(3)
        head = b'POST /answer HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 18\r\n\r\n'
        whole = head + b'{"expression":"1"}'
        for size in (0, 1, 100, 10_000):
            self.raw(bytes(noise.getrandbits(8) for _ in range(size)))
        for _ in range(60):
            damaged = bytearray(whole)
            for _ in range(noise.randrange(1, 6)):
                place = noise.randrange(len(damaged))
                kind = noise.randrange(3)
                if kind == 0:
                    damaged[place] = noise.getrandbits(8)
                elif kind == 1:
                    del damaged[place:place + noise.randrange(1, 9)]
                else:
                    damaged[place:place] = damaged[:noise.randrange(1, 40)]
            self.raw(bytes(damaged))
        for line in (b'GET /' + b'a' * 100_000, b'GET / HTTP/1.1\r\n' + b'X: y\r\n' * 20_000,
                     b'POST /answer HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n',
                     b'POST /answer HTTP/1.1\r\nContent-Length: -1\r\n', head.replace(b'18', b'18\r\nContent-Length: 3')):
            self.raw(line + b'\r\n\r\n{}')
        self.assertEqual(self.playground.answer('1+1')['value'], '2')

    def test_damaged_requests(self):
        noise = random.Random(4)
        whole = json.dumps({'expression': 'sum(a*b, x) + f{y:a}', 'inputs': {
            'a': 'tensor(x[2]):[1,2]', 'b': 'tensor(x[2]):[3,4]', 'f': 'tensor(y{}):{a:1}'}, 'dialect': 'core'}).encode()
        for _ in range(20):
            damaged = bytearray(whole)
            for _ in range(noise.randrange(1, 8)):
                damaged[noise.randrange(len(damaged))] = noise.choice(b'\x00\xff"{}[]:,\\0123xyz()')
            answer = self.playground.post(bytes(damaged))
            self.assertTrue('issues' in answer or 'error' in answer, damaged)
        for body in (b'[' * 100_000, b'{"expression":"' + b'(' * 100_000 + b'"}', b'{"a":' * 20_000,
                     b'{"expression":"' + b'1+' * 5_000 + b'1"}'):
            answer = self.playground.post(body)
            self.assertTrue('issues' in answer or 'error' in answer)

    def test_a_reader_that_goes_away(self):
        body = b'{"expression":"1"}'
        for _ in range(5):
            with socket.create_connection(('127.0.0.1', self.playground.port)) as connection:
                connection.sendall(b'POST /answer HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n'
                                   b'Content-Length: %d\r\n\r\n' % len(body) + body)
        self.assertEqual(self.playground.answer('1+1')['value'], '2')


class Limits(TestCase):
    def test_time(self):
        playground = Playground('--seconds', '1', '--memory', '8000')
        self.addCleanup(playground.end)
        # As many cells as are held at a time.
        slow = 'sum(map(tensor(x[1300000])(x), f(a)(%s)))' % ('sin(' * 200 + 'a' + ')' * 200)
        answer = playground.answer(slow)
        self.assertIn('takes longer than 1 s', answer.get('error', answer))
        self.assertEqual(playground.answer('1+1')['value'], '2')

    @unittest.skipIf(SANITIZER, 'the memory of sanitizers is not limited')
    def test_memory(self):
        playground = Playground('--memory', '200', '--seconds', '60')
        self.addCleanup(playground.end)
        self.assertIn('memory', json.dumps(playground.answer('tensor(x[100000000])(x)')))
        self.assertEqual(playground.answer('1+1')['value'], '2')


class Commands(TestCase):
    def test_links(self):
        playground = Playground('sum(a) & "ü"', 'a=tensor(x[1]):[1]', 'query(b)=2')
        self.assertEqual(playground.end(signal.SIGTERM), (0, ''))
        address = urllib.parse.urlsplit(playground.link)
        self.assertEqual((address.hostname, address.path), ('127.0.0.1', '/'))
        self.assertEqual(urllib.parse.parse_qs(address.fragment), {
            'e': ['sum(a) & "ü"'], 'n': ['a', 'query(b)'], 'v': ['tensor(x[1]):[1]', '2']})

    def test_a_port_that_is_taken(self):
        with socket.create_server(('127.0.0.1', 0)) as other:
            self.fails(3, 'nothing can listen on 127.0.0.1, port %d\n' % other.getsockname()[1],
                       'playground', '--port', str(other.getsockname()[1]))
        self.fails(2, '65536 is no port', 'playground', '--port', '65536')
        self.fails(2, 'expected NAME=VALUE', 'playground', '1', '2')

    def test_other_addresses(self):
        playground = Playground('--address', '0.0.0.0')
        self.assertEqual(playground.answer('1+1')['value'], '2')
        status, err = playground.end()
        self.assertEqual(status, 0)
        self.assertIn('everyone who reaches 0.0.0.0 can use this machine', err)

    def test_one_request_without_a_server(self):
        outcome = run('playground', '--answer', stdin='{"expression":"1+1"}')
        self.assertEqual((outcome.status, json.loads(outcome.out)['value']), (0, '2'))


if __name__ == '__main__':
    unittest.main()
