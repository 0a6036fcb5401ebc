"""tenrex rank over files that the Python package reads: Parquet, Arrow, arrays of numpy whose dtype has fields.

Most tests put a script in the place of Python, to see what is asked of it and what becomes of what it says. The last ones need the
interpreter that TENREX_PYTHON names, or python3, to have the packages tenrex and pyarrow."""

import os
import subprocess
import unittest

from program import ENVIRONMENT, PROGRAM, TestCase, run

PROFILE = '''schema shop {
  document shop {
    field price type float { indexing: attribute }
    field vector type tensor<float>(x[2]) { indexing: attribute }
    field tags type weightedset<string> { indexing: attribute }
    field name type string { indexing: attribute }
  }
  rank-profile price { first-phase { expression: attribute(price) } }
  rank-profile all {
    first-phase {
      expression {
        attribute(price) + 10 * sum(attribute(vector)) + 100 * sum(tensorFromWeightedSet(attribute(tags), k)) +
          1000 * (attribute(name) == "a b")
      }
    }
  }
}
'''
INTERPRETER = os.environ.get('TENREX_PYTHON') or 'python3'
TABLE = 'rank  id  score\n   1  b       2\n   2  a       1\n'


class InPlaceOfPython(TestCase):
    def setUp(self):
        super().setUp()
        self.profile = self.path('shop.sd', PROFILE)
        self.parquet = self.path('items.parquet', b'PAR1 and the rest\n')

    def python(self, script):
        """The environment in which a script of the shell is taken for Python."""
        path = self.path('python', '#!/bin/sh\n' + script)
        os.chmod(path, 0o755)
        return {'TENREX_PYTHON': path, 'DIRECTORY': self.directory}

    def rank(self, script, *arguments, **options):
        return run('rank', self.profile, '--profile-name', 'price', *(arguments or [self.parquet]), env=self.python(script), **options)

    def fails_with(self, message, script):
        outcome = self.rank(script)
        self.assertEqual((outcome.status, outcome.out, outcome.err), (3, '', 'tenrex: cannot read %s: %s\n' % (self.parquet, message)))

    def test_what_python_is_asked(self):
        outcome = self.rank('printf "%s\\n" "$@" >"$DIRECTORY/words"; cat >"$DIRECTORY/input"\n'
                            'echo \'{"id":"a","price":1}\'; echo \'{"id":"b","price":2}\'; echo warning >&2')
        self.assertEqual((outcome.status, outcome.out, outcome.err), (0, TABLE, ''))
        with open(self.path('words')) as words, open(self.path('input')) as read:
            self.assertEqual(words.read().split(), ['-P', '-m', 'tenrex', 'jsonl', '--if-there=id', '--if-there=put', '--if-there=fields',
                                                    '--if-there=price', '-'])
            self.assertEqual(read.read(), 'PAR1 and the rest\n')

    def test_a_file_as_standard_input(self):
        with open(self.parquet, 'rb') as file:
            done = subprocess.run([PROGRAM, 'rank', self.profile, '--profile-name', 'price'], stdin=file, capture_output=True, timeout=60,
                                  env={**ENVIRONMENT, **self.python('head -c 4; echo; echo \'{"id":"a","price":1}\'')})
        self.assertEqual((done.returncode, done.stderr.split(b'\n')[0]),
                         (1, b'tenrex: standard input:1:1: an object is expected'), done)

    def test_not_from_a_pipe(self):
        for magic, what in ((b'PAR1', 'Parquet is'), (b'ARROW1', 'Arrow files are'), (b'\x93NUMPY', 'arrays of numpy are')):
            outcome = self.rank('echo never', '-', stdin=magic)
            self.assertEqual((outcome.status, outcome.err), (3, 'tenrex: cannot read standard input: %s not read from a pipe: '
                                                                'python3 -m tenrex jsonl FILE | tenrex rank PROFILE\n' % what))

    def test_other_files_beside_it(self):
        lines = self.path('more.jsonl', '{"id":"b","price":2}\n')
        outcome = self.rank('echo \'{"id":"a","price":1}\'', self.parquet, lines)
        self.assertEqual((outcome.status, outcome.out), (0, TABLE), outcome)

    def test_what_the_package_says(self):
        self.fails_with('Parquet and Arrow files are read with pyarrow, which is not installed\n  hint: pip install pyarrow',
                        'echo "tenrex: Parquet and Arrow files are read with pyarrow, which is not installed" >&2\n'
                        'echo "  hint: pip install pyarrow" >&2; exit 1')

    def test_what_python_says(self):
        hint = '\n  hint: it needs Python 3.11 or later with the packages tenrex and pyarrow; TENREX_PYTHON names another interpreter'
        self.fails_with('/usr/bin/python3: No module named tenrex' + hint, 'echo "/usr/bin/python3: No module named tenrex" >&2; exit 1')
        self.fails_with('Unknown option: -P' + hint, 'echo "Unknown option: -P" >&2; echo "usage: python3" >&2; exit 2')
        self.fails_with('MemoryError: 5' + hint, 'printf "Traceback (most recent call last):\\n  ...\\nMemoryError: 5\\n" >&2; exit 1')
        self.fails_with('%s failed%s' % (self.path('python'), hint), 'exit 7')
        self.fails_with('%s was ended by signal 9' % self.path('python'), 'kill -9 $$')

    def test_no_python(self):
        for name, reason in ((self.path('nothing'), 'No such file or directory'), (self.directory, 'Permission denied')):
            outcome = run('rank', self.profile, '--profile-name', 'price', self.parquet, env={'TENREX_PYTHON': name})
            self.assertEqual((outcome.status, outcome.out), (3, ''))
            self.assertIn('cannot read %s: %s: %s\n  hint: it needs Python 3.11' % (self.parquet, name, reason), outcome.err)
        outcome = run('rank', self.profile, '--profile-name', 'price', self.parquet, env={'PATH': self.directory, 'TENREX_PYTHON': ''})
        self.assertIn('python3: No such file or directory', outcome.err)

    def test_a_failure_behind_documents(self):
        outcome = self.rank('echo \'{"id":"a","price":1}\'; echo "tenrex: the file ends too early" >&2; exit 1')
        self.assertEqual((outcome.status, outcome.out, outcome.err), (3, '', 'tenrex: cannot read %s: the file ends too early\n' % self.parquet))

    def test_many_words_do_not_block(self):
        outcome = self.rank('head -c 4000000 /dev/zero | tr "\\0" x >&2; echo \'{"id":"a","price":1}\'')
        self.assertEqual((outcome.status, outcome.out), (0, 'rank  id  score\n   1  a       1\n'))

    def test_a_wrong_document_ends_it(self):
        outcome = self.rank('echo $$ >"$DIRECTORY/process"; yes \'{"price":"ten"}\'')
        self.assertEqual((outcome.status, outcome.err), (1, 'tenrex: %s:1:10: field "price": a number is expected, found a string\n' % self.parquet))
        with open(self.path('process')) as file, self.assertRaises(ProcessLookupError):
            os.kill(int(file.read()), 0)


def reason_to_skip():
    done = subprocess.run([INTERPRETER, '-P', '-c', 'import tenrex, pyarrow.parquet'], capture_output=True, text=True)
    return done.returncode and '%s: %s' % (INTERPRETER, done.stderr.strip().rpartition('\n')[2])


WRITER = '''
import sys, numpy, pyarrow, pyarrow.feather, pyarrow.parquet
folder = sys.argv[1]
table = pyarrow.table({
    'id': ['a', 'b'], 'price': [0.5, None], 'day': pyarrow.array([1, 2], pyarrow.int32()).cast(pyarrow.date32()),
    'vector': pyarrow.array([[1, 2], [3, 4]], pyarrow.list_(pyarrow.float32(), 2)), 'name': ['a b', 'c'],
    'tags': pyarrow.array([[('x', 2)], []], pyarrow.map_(pyarrow.string(), pyarrow.int32()))})
pyarrow.parquet.write_table(table, folder + "/it's items.parquet", row_group_size=1)
pyarrow.feather.write_feather(table, folder + '/items.arrow')
records = numpy.array([('a', 0.5, [1, 2], 'a b'), ('b', numpy.nan, [3, 4], 'c')],
                      [('id', 'U1'), ('price', 'f4'), ('vector', 'f4', 2), ('name', 'U3')])
numpy.save(folder + '/records.npy', records)
numpy.save(folder + '/plain.npy', numpy.zeros((2, 2)))
'''


NO_PRICE = ('warning: 1 of 2 documents has no value for the field "price", and scores that are computed from it are NaN: '
            'they come last. if(isNan(attribute(price)), 0, attribute(price)) gives a value\n')


class WithPython(TestCase):
    def setUp(self):
        super().setUp()
        reason = reason_to_skip()
        if reason:
            self.skipTest(reason)
        self.profile = self.path('shop.sd', PROFILE)
        subprocess.run([INTERPRETER, '-c', WRITER, self.directory], check=True)

    def rank(self, name, *options):
        return run('rank', self.profile, '--profile-name', 'all', '--format', 'jsonl', self.path(name), *options,
                   env={'TENREX_PYTHON': INTERPRETER})

    def test_tables(self):
        for name in ("it's items.parquet", 'items.arrow'):
            outcome = self.rank(name)
            self.assertEqual((outcome.status, outcome.err, outcome.out.splitlines()),
                             (0, NO_PRICE, ['{"query":"1","rank":1,"id":"a","score":1230.5}', '{"query":"1","rank":2,"id":"b","score":"nan"}']))

    def test_arrays(self):
        outcome = self.rank('records.npy')
        self.assertEqual((outcome.status, outcome.out.splitlines()[0]), (0, '{"query":"1","rank":1,"id":"a","score":1030.5}'), outcome)
        self.assertEqual(outcome.err, 'warning: no document has a value for the field "tags"\n' + NO_PRICE)
        outcome = self.rank('plain.npy')
        self.assertEqual(outcome.status, 3)
        self.assertIn('plain.npy: the array of float64 with the shape (2, 2) has no names of fields\n'
                      '  hint: tenrex rank --column FIELD=FILE.npy', outcome.err)

    def test_damaged_files(self):
        for content in (b'PAR1', b'PAR1' + bytes(1000) + b'PAR1', b'ARROW1\0\0', b'\x93NUMPY\1\0'):
            outcome = self.rank(os.path.basename(self.path('damaged', content)))
            self.assertEqual((outcome.status, outcome.out, outcome.err.count('Traceback')), (3, '', 0), outcome)
            self.assertTrue(outcome.err.startswith('tenrex: cannot read %s: ' % self.path('damaged')), outcome)


if __name__ == '__main__':
    unittest.main()
