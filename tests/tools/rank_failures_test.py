"""tenrex rank: documents and files that are wrong, compressed and damaged input, output that cannot be written."""

import gzip
import os
import signal
import subprocess
import time
import unittest

from program import ENVIRONMENT, PROGRAM, TestCase, run
from weighted_sum import PROFILE, VECTOR


class BadDocuments(TestCase):
    def setUp(self):
        super().setUp()
        self.profile = self.path('p.profile', PROFILE)

    def test_messages(self):
        for line, message in (
                ('{"n":', ':2:6: field "n": a number is expected'),
                ('{"n":1', ":2:7: ',' or '}' is expected"),
                ('{"n":"x"}', ':2:6: field "n": a number is expected, found a string'),
                ('{"n":[1]}', ':2:6: field "n": a number is expected, found an array; a schema or --attribute declares another type'),
                ('{"n":{"a":1}}', ':2:6: field "n": a number is expected, found an object; a schema or --attribute declares another type'),
                ('{"n":01}', ':2:6: field "n": malformed number'),
                ('{"n":1} {}', ':2:9: something follows the object'),
                ('[1]', ':2:1: an object is expected'),
                ('{"id":[1],"n":1}', ':2:7: the id must be a string or a number'),
                ('{"put":"a","id":"b"}', ':2:17: the document has two ids'),
                ('{"remove":"a"}', ':2:11: this operation is no document; only "put" is'),
                ('{"n":1,"n":2}', ':2:12: field "n": the document has this field twice'),
                ('{"v":[1]}', ':2:6: field "v": '),
                ('{"v":[1,2,3]}', ':2:'),
                ('{"v":{"values":[1,"x"]}}', ':2:19: field "v": '),
                ('{"v":{"type":"tensor<float>(y[2])","values":[1,2]}}', 'field "v": '),
                ('{"v":5}', 'field "v": '),
                ('{"other":' + '[' * 200 + ']' * 199 + '}', ":2:409: ',' or ']' is expected"),
                ('{"v":' + '[' * 5000 + ']' * 5000 + '}', 'field "v": '),
                ('{"\\ud800":1}', ':2:'),
                ('{"n":1}\x00', ':2:8: something follows the object')):
            documents = '{"n":1,"id":"good","v":[0,0]}\n%s\n{"n":2,"id":"better"}\n' % line
            outcome = run('rank', self.profile, *VECTOR, stdin=documents)
            self.assertEqual((outcome.status, outcome.out), (1, ''), outcome)
            self.assertTrue(outcome.err.startswith('tenrex: standard input:2:'), outcome.err)
            self.assertIn(message, outcome.err)
            self.assertEqual(outcome.err.count('\n'), 1)
            skipped = run('rank', self.profile, *VECTOR, '--skip-bad-documents', '--format', 'trec', stdin=documents)
            self.assertEqual((skipped.status, skipped.out), (0, '1 Q0 better 1 2 p\n1 Q0 good 2 1 p\n'))
            self.assertTrue(skipped.err.endswith('\ntenrex: 1 bad document skipped\n'), skipped.err)
            self.assertIn(message, skipped.err)

    def test_the_first_is_told(self):
        """Whatever thread comes across another one."""
        padding = 'x' * 200  # so that a few thousand lines are more than a thread takes at a time
        path = self.path('documents', ('{"n":1,"x":"%s"}\n' % padding) * 10000 + '{"n":2]\n' + '{"n":1}\n' * 1000 +
                         ('{"x":"%s",}\n' % padding) * 10000)
        for threads in ('1', '2', '7'):
            self.fails(1, path + ':10001:7: ', 'rank', self.profile, *VECTOR, path, '--threads', threads)
        outcome = run('rank', self.profile, *VECTOR, path, '--skip-bad-documents')
        self.assertEqual(outcome.err.splitlines()[-2:][0], 'tenrex: 10001 bad documents skipped')
        self.assertEqual(outcome.err.count(path), 10)

    def test_fields_that_nobody_has(self):
        outcome = run('rank', self.profile, *VECTOR, stdin='{"n":1}\n{"n":1,"w":[1,2]}\n')
        self.assertEqual((outcome.status, outcome.err), (0, 'warning: no document has a value for the field "v"\n'))
        self.assertEqual(run('rank', self.profile, *VECTOR, stdin='').err, 'warning: there are no documents\n')

    def test_what_nobody_asks_for(self):
        """Ignored members are skipped whatever they hold, and an id keeps its digits."""
        for line in ('{"n":1,"other":' + '[' * 5000 + ']' * 5000 + '}', '{"n":1,"other":' + '{"a":' * 5000 + '1' + '}' * 5000 + '}',
                     '{"n":1,"other":1e999}', '{"n":1,"other":[-1e999]}'):
            outcome = run('rank', self.profile, *VECTOR, '--format', 'trec', stdin=line + '\n')
            self.assertEqual((outcome.status, outcome.out), (0, '1 Q0 1 1 1 p\n'), outcome)
        outcome = run('rank', self.profile, *VECTOR, '--format', 'trec', stdin='{"id":1e999,"n":1}\n')
        self.assertEqual((outcome.status, outcome.out), (0, '1 Q0 1e999 1 1 p\n'), outcome)
        queries = self.path('q', '{"id":1e999,"inputs":{"a":2},"other":1e999}\n')
        outcome = run('rank', self.profile, *VECTOR, '--queries', queries, '--format', 'trec', stdin='{"n":1}\n')
        self.assertEqual((outcome.status, outcome.out), (0, '1e999 Q0 1 1 2 p\n'), outcome)

    def test_byte_order_marks(self):
        """Editors of some systems put one in front of every file."""
        mark = b'\xef\xbb\xbf'
        profile = self.path('marked.profile', mark + PROFILE.encode())
        for data in (mark + b'{"n":1}\n{"n":2}\n', mark + b'{"n":2}', gzip.compress(mark + b'{"n":2}\n')):
            for given in (('--query', self.path('q', mark + b'{"a":3}')), ('--queries', self.path('r', mark + b'{"a":3}\n'))):
                outcome = run('rank', profile, *VECTOR, self.path('d', data), *given, '--hits', '1', '--format', 'trec')
                self.assertEqual((outcome.status, outcome.out.split()[-2:]), (0, ['6', 'p']), outcome)
        self.fails(1, ':2:1: an object is expected', 'rank', profile, *VECTOR, stdin=b'{"n":1}\n' + mark + b'{"n":2}\n')

    def test_files(self):
        given = ('rank', self.profile, *VECTOR)
        good = self.path('good', '{"n":1}\n')
        self.fails(3, 'cannot read /no/such/file: No such file', *given, good, '/no/such/file')
        self.fails(3, 'Is a directory', *given, self.directory)
        self.fails(3, 'cannot read /no/such/profile', 'rank', '/no/such/profile')
        self.fails(2, 'no profile is given', 'rank')
        self.fails(2, 'standard input can be read only once', *given, '-', '--queries', '-')
        for bad in ('0', '-1', '1.5', 'x', '2x', '99999999999999999999999'):
            self.fails(2, '--threads: expected a whole number from 1 to 1024, found ' + bad, *given, '--threads=' + bad)
            most = ' to 18446744073709551615' if bad.startswith('99') else ''
            self.fails(2, '--hits: expected a whole number from 1%s, found %s' % (most, bad), *given, '--hits=' + bad)


class Compressed(TestCase):
    def setUp(self):
        super().setUp()
        self.profile = self.path('p.profile', PROFILE)
        self.lines = ''.join('{"id":%d,"n":%d,"v":[0,0]}\n' % (i, i) for i in range(45000)).encode()

    def check(self, data):
        for arguments, stdin in (((self.path('documents', data),), b''), ((), data)):
            outcome = run('rank', self.profile, *VECTOR, *arguments, '--format', 'trec', '--hits', '1', stdin=stdin)
            self.assertEqual((outcome.status, outcome.out, outcome.err), (0, '1 Q0 44999 1 44999 p\n', ''))

    def damaged(self, data, format):
        self.fails(3, 'the compressed data end too early', 'rank', self.profile, *VECTOR, self.path('d', data[:-10]))
        wrong = bytearray(data)
        wrong[-6 if format == 'gzip' else -2] ^= 0xff  # in the checksum
        self.fails(3, 'damaged %s data' % format, 'rank', self.profile, *VECTOR, self.path('d', bytes(wrong)))

    def test_gzip(self):
        half = len(self.lines) // 2
        self.check(gzip.compress(self.lines, 1))
        self.check(gzip.compress(self.lines[:half], 1) + gzip.compress(self.lines[half:], 1))
        self.damaged(gzip.compress(self.lines, 1), 'gzip')
        for zeros in (1, 511, 600000):
            self.check(gzip.compress(self.lines, 1) + bytes(zeros))
        self.check(gzip.compress(self.lines[:half], 1) + bytes(512) + gzip.compress(self.lines[half:], 1))
        self.fails(3, 'damaged gzip data', 'rank', self.profile, *VECTOR,
                   self.path('d', gzip.compress(self.lines, 1) + bytes(512) + b'xyz'))

    def test_zstd(self):
        data = subprocess.run(['zstd', '-q', '-c', '--check'], input=self.lines, stdout=subprocess.PIPE, check=True).stdout
        self.check(data)
        self.check(data + data)
        self.damaged(data, 'zstd')


class Outputs(TestCase):
    def setUp(self):
        super().setUp()
        self.profile = self.path('p.profile', PROFILE)
        self.documents = self.path('d', '{"id":"a","n":1,"v":[0,0]}\n{"id":"b","n":2,"v":[0,0]}\n')
        self.given = ('rank', self.profile, *VECTOR, self.documents, '--format', 'trec')

    def files(self):
        return sorted(os.listdir(self.directory))

    def test_file(self):
        before = self.files()
        self.assertEqual(run(*self.given, '-o', self.path('run')).out, '')
        with open(self.path('run')) as file:
            self.assertEqual(file.read(), '1 Q0 b 1 2 p\n1 Q0 a 2 1 p\n')
        self.assertEqual(self.files(), sorted(before + ['run']))
        self.assertEqual(run(*self.given, '-o', '/dev/null').status, 0)
        self.fails(3, 'cannot write /no/such/folder/run', *self.given, '-o', '/no/such/folder/run')

    def test_wrong_query_leaves_the_file(self):
        """The first query is right, and its hits must not stand there as if they were all."""
        run_file = self.path('run', 'old\n')
        queries = self.path('q', '{"a":1}\n{"a":"x"}\n')
        before = self.files()
        self.fails(1, queries + ':2: ', *self.given, '--queries', queries, '-o', run_file)
        with open(run_file) as file:
            self.assertEqual(file.read(), 'old\n')
        self.assertEqual(self.files(), before)

    def test_full_disk(self):
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([PROGRAM, *self.given], stdout=full, stderr=subprocess.PIPE, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b'cannot write the result: No space left', done.stderr)
        self.fails(3, 'No space left', *self.given, '-o', '/dev/full')

    def test_file_that_outgrows_a_limit(self):
        """As on a disk that is full: nothing is left that looks whole."""
        before = self.files()
        queries = self.path('q', '{"a":1}\n' * 5000)
        script = 'ulimit -f 64; trap "" XFSZ; exec "$@"'
        done = subprocess.run(['bash', '-c', script, 'bash', PROGRAM, *self.given, '--queries', queries, '-o', self.path('run')],
                              stderr=subprocess.PIPE, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(b'File too large', done.stderr)
        self.assertEqual(self.files(), sorted(before + ['q']))

    def test_closed_pipe(self):
        queries = self.path('q', '{"a":1}\n' * 5000)
        process = subprocess.Popen([PROGRAM, *self.given, '--queries', queries], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=ENVIRONMENT)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual((process.wait(60), process.stderr.read()), (3, b''))
        process.stderr.close()

    def test_signals(self):
        """A signal that ends the program takes the unfinished file along; one that is ignored stays ignored."""
        run_file = self.path('run', 'old\n')

        def interrupted(number, *command):
            os.mkfifo(self.path('fifo'))
            process = subprocess.Popen([*command, PROGRAM, *self.given, '--queries', self.path('fifo'), '-o', run_file],
                                       env=ENVIRONMENT)
            with open(self.path('fifo'), 'wb') as fifo:
                fifo.write(b'{"a":1}\n')
                fifo.flush()
                while not any('.tmp-' in name for name in self.files()):
                    time.sleep(0.01)
                process.send_signal(number)
                time.sleep(0.1)
            status = process.wait(60)
            os.unlink(self.path('fifo'))
            self.assertEqual([name for name in self.files() if '.tmp-' in name], [])
            return status
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            self.assertEqual(interrupted(number), -number)
            with open(run_file) as file:
                self.assertEqual(file.read(), 'old\n')
        self.assertEqual(interrupted(signal.SIGHUP, 'bash', '-c', 'trap "" HUP; exec "$@"', 'bash'), 0)
        with open(run_file) as file:
            self.assertEqual(file.read(), '1 Q0 b 1 2 p\n1 Q0 a 2 1 p\n')

    def test_file_that_outgrows_a_limit_without_a_trap(self):
        before = self.files()
        queries = self.path('q', '{"a":1}\n' * 5000)
        done = subprocess.run(['bash', '-c', 'ulimit -f 64; exec "$@"', 'bash', PROGRAM, *self.given, '--queries', queries, '-o',
                               self.path('run')], stderr=subprocess.PIPE, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(b'File too large', done.stderr)
        self.assertEqual(self.files(), sorted(before + ['q']))

    def test_kill(self):
        run_file = self.path('run', 'old\n')
        os.mkfifo(self.path('fifo'))
        process = subprocess.Popen([PROGRAM, *self.given, '--queries', self.path('fifo'), '-o', run_file], env=ENVIRONMENT)
        with open(self.path('fifo'), 'wb') as fifo:
            fifo.write(b'{"a":1}\n' * 5000)
            fifo.flush()
            while not any('.tmp-' in name for name in self.files()):
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
            process.wait(60)
        with open(run_file) as file:
            self.assertEqual(file.read(), 'old\n')


if __name__ == '__main__':
    unittest.main()
