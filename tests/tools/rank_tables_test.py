"""tenrex rank over tables and arrays: files with a row for each document."""

import gzip
import json
import struct
import unittest

from npy_writer import npy
from program import TestCase, run

PROFILE = '''
schema shop {
    document shop {
        field price type float { indexing: attribute }
        field name type string { indexing: attribute }
        field tags type weightedset<string> { indexing: attribute }
        field years type array<int> { indexing: attribute }
        field vector type tensor<float>(x[2]) { indexing: attribute }
    }
    rank-profile all {
        first-phase {
            expression {
                attribute(price) + 1000 * (attribute(name) == "7") + 10 * sum(attribute(vector)) +
                    100 * sum(tensorFromWeightedSet(attribute(tags), key)) + sum(tensorFromLabels(attribute(years), y))
            }
        }
    }
    rank-profile price { first-phase { expression: attribute(price) } }
}
'''


class Tables(TestCase):
    def setUp(self):
        super().setUp()
        self.profile = self.path('shop.sd', PROFILE)

    def rank(self, profile, *paths):
        return run('rank', self.profile, '--profile-name', profile, '--format', 'jsonl', '--hits', '1000000', *paths)

    def scores(self, profile, *paths, warning=''):
        outcome = self.rank(profile, *paths)
        self.assertEqual(outcome.status, 0, outcome)
        self.assertEqual(outcome.err.partition(', and scores')[0], warning)
        return {hit['id']: hit['score'] for hit in map(json.loads, outcome.out.splitlines())}

    def test_every_kind_of_field(self):
        table = ('\ufeffunused,id,vector,name,price,years,tags\r\n'
                 '"x, ""y""",1,"[1,2]",7,0.5,"[2000,2001]","{""a"":2,""b"":3}"\r\n'
                 '\r\n'
                 ',b,3f80000040000000, 7 ,+1e0,1999,a\n'
                 ',c,"{""values"":[0,0]}","7,",.5,,\n'
                 ',d,,x,inf,[],{}')
        self.assertEqual(self.scores('all', self.path('all.csv', table)),
                         {'1': 0.5 + 1000 + 30 + 500 + 2, 'b': 1 + 1000 + 30 + 100 + 1, 'c': 0.5, 'd': 'inf'})

    def test_missing_values_and_ids(self):
        self.assertEqual(self.scores('price', self.path('a.csv', 'name,price\nx,1\ny,\n,3\n'),
                                     warning='warning: 1 of 3 documents has no value for the field "price"'),
                         {'2': 1, '3': 'nan', '4': 3})

    def test_beside_other_files(self):
        """Compressed ones, lines of JSON, more rows than are read at once."""
        rows = 'price,id,unused\n' + ''.join('%d,%d,%s\n' % (i % 1000, i, 40 * 'x') for i in range(40000))
        table = self.path('many.csv.gz', gzip.compress(rows.encode()))
        other = self.path('other.csv', 'id,price\nlast,-5')
        lines = self.path('some.jsonl', '{"id":"first","price":2000}\n')
        scores = self.scores('price', lines, table, other)
        self.assertEqual(len(scores), 40002)
        self.assertEqual((scores['first'], scores['last'], scores['0'], scores['39999']), (2000, -5, 0, 999))

    def test_mistakes(self):
        for table, message in (('id,price\na,1,2\n', 'bad.csv:2:1: the row has 3 cells, but the first line names 2 columns'),
                               ('id,price\na,"1\n', 'bad.csv:2:1: a quoted cell does not end'),
                               ('id,price\na,1\nlong,ten\n', 'bad.csv:3:6: field "price": a number is expected'),
                               ('id,price,price\na,1,2\n', 'bad.csv:1: the column "price" is there twice'),
                               ('id,"price\na,1\n', 'bad.csv:1: a quoted cell does not end')):
            outcome = self.rank('price', self.path('bad.csv', table))
            self.assertNotEqual(outcome.status, 0, table)
            self.assertIn(message, outcome.err)
            self.assertEqual(outcome.out, '')
        outcome = run('rank', self.profile, '--profile-name', 'price', '--skip-bad-documents', '--format', 'jsonl',
                      self.path('bad.csv', 'id,price\na,1,2\nb,ten\nc,3\n'))
        self.assertEqual((outcome.status, [json.loads(line)['id'] for line in outcome.out.splitlines()]), (0, ['c']))

    def test_empty_tables(self):
        for table in ('', 'id,price', 'id,price\n', '\n'):
            outcome = self.rank('price', self.path('empty.csv', table))
            self.assertEqual((outcome.status, outcome.out), (0, ''), (table, outcome))

    def arrays(self, profile, *arguments, columns):
        given = [part for column in columns for part in ('--column', column)]
        return run('rank', self.profile, '--profile-name', profile, '--format', 'jsonl', '--hits', '1000000', *arguments, *given)

    def array_scores(self, profile, *arguments, columns):
        outcome = self.arrays(profile, *arguments, columns=columns)
        self.assertEqual(outcome.status, 0, outcome)
        return {hit['id']: hit['score'] for hit in map(json.loads, outcome.out.splitlines())}

    def test_columns_that_are_arrays(self):
        floats = self.path('price.npy', npy('<f8', (3,), struct.pack('<3d', 1, float('nan'), 2.5)))
        vectors = self.path('vector.npy', npy('<f4', (3, 2), struct.pack('<6f', 1, 2, 3, 4, 5, 6)))
        whole = self.path('whole.npy', npy('<i4', (3, 2), struct.pack('<6i', 1, 2, 3, 4, 5, 6)))
        lines = self.path('some.jsonl', '{"id":"a","price":7,"vector":[9,9]}\n{"id":"b","name":"7"}\n')
        table = self.path('other.csv', 'id,name\nc,x\n')
        for vector in (vectors, whole):
            scores = self.array_scores('all', lines, table, columns=['price=' + floats, 'vector=' + vector])
            self.assertEqual(scores, {'a': 1 + 30, 'b': 'nan', 'c': 2.5 + 110})
        self.assertEqual(self.array_scores('price', columns=['price=' + floats]), {'1': 1, '2': 'nan', '3': 2.5})
        many = self.path('many.npy', npy('<i2', (40000,), struct.pack('<40000h', *(i % 1000 for i in range(40000)))))
        scores = self.array_scores('price', columns=['price=' + many])
        self.assertEqual((len(scores), scores['1'], scores['40000'], scores['17000']), (40000, 0, 999, 999))
        rows = self.path('many.jsonl', ''.join('{"id":"d%d","unused":"%s"}\n' % (i, 60 * 'x') for i in range(40000)))
        self.assertEqual(self.array_scores('price', rows, columns=['price=' + many]),
                         {'d%d' % i: i % 1000 for i in range(40000)})
        none = self.path('none.npy', npy('<f8', (0,), b''))
        outcome = self.arrays('price', columns=['price=' + none])
        self.assertEqual((outcome.status, outcome.out), (0, ''))
        self.assertIn('there are no documents', outcome.err)

    def test_cells_and_axes(self):
        profile = self.path('cells.profile', 'rank-profile p { first-phase { expression: sum(attribute(v){x:0}) } }')
        array = self.path('v.npy', npy('<f8', (2, 2, 3), struct.pack('<12d', *range(12))))
        for cells in ('double', 'float', 'bfloat16', 'int8'):
            outcome = run('rank', profile, '--format', 'jsonl', '--attribute', 'v:tensor<%s>(x[2],y[3])' % cells,
                          '--column', 'v=' + array)
            self.assertEqual([json.loads(line)['score'] for line in outcome.out.splitlines()], [21, 3], outcome)
        for of_type, message in (('tensor(x[3],y[2])', 'v.npy: field "v": it is tensor(x[3],y[2]), and a row of the array has the shape (2,3)'),
                                 ('tensor(x{},y[3])', 'its values are no rows of an array')):
            outcome = run('rank', profile, '--attribute', 'v:' + of_type, '--column', 'v=' + array)
            self.assertEqual(outcome.status, 1)
            self.assertIn(message, outcome.err)
        large = self.path('large.npy', npy('<f8', (1, 2, 3), struct.pack('<6d', 1, 2, 128, 4, 5, 6)))
        outcome = run('rank', profile, '--attribute', 'v:tensor<int8>(x[2],y[3])', '--column', 'v=' + large)
        self.assertIn('it has 128, which is no int8 cell', outcome.err)

    def test_arrays_that_do_not_fit(self):
        lines = self.path('some.jsonl', '{"id":"a"}\n{"id":"b"}\n')
        one = self.path('one.npy', npy('<f8', (1,), struct.pack('<d', 1)))
        two = self.path('two.npy', npy('<f8', (2,), struct.pack('<2d', 1, 2)))
        pairs = self.path('pairs.npy', npy('<f8', (2, 1), struct.pack('<2d', 1, 2)))
        number = self.path('number.npy', npy('<f8', (), struct.pack('<d', 1)))
        for profile, column, message in (
                ('price', 'price=' + one, 'one.npy: it has 1 rows, and there are 2 documents'),
                ('price', 'price=' + pairs, 'it is a number'),
                ('price', 'price=' + number, 'number.npy: it is a single number'),
                ('price', 'prize=' + two, "--column: the profile reads no field 'prize'"),
                ('price', 'price=' + lines, 'some.jsonl: it is no array of numpy'),
                ('price', 'price=none.npy', 'none.npy'),
                ('all', 'name=' + two, 'field "name": its values are no rows of an array'),
                ('all', 'tags=' + two, 'field "tags": its values are no rows of an array')):
            outcome = self.arrays(profile, lines, columns=[column])
            self.assertNotEqual(outcome.status, 0, column)
            self.assertEqual(outcome.out, '')
            self.assertIn(message, outcome.err)
        for column in ('price', '=x.npy', 'price='):
            outcome = self.arrays('price', lines, columns=[column])
            self.assertEqual(outcome.status, 2)
            self.assertIn('names no field and file', outcome.err)
        outcome = self.arrays('price', lines, '--skip-bad-documents', columns=['price=' + two])
        self.assertEqual(outcome.status, 2)
        bad = self.path('bad.jsonl', '{"id":"a"}\n{"id":\n')
        outcome = self.arrays('price', bad, columns=['price=' + two])
        self.assertEqual((outcome.status, outcome.out), (1, ''))
        self.assertIn('bad.jsonl:2', outcome.err)


if __name__ == '__main__':
    unittest.main()
