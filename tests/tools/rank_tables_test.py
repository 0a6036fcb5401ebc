"""tenrex rank over tables: files with a row for each document."""

import gzip
import json
import unittest

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

    def scores(self, profile, *paths):
        outcome = self.rank(profile, *paths)
        self.assertEqual((outcome.status, outcome.err), (0, ''), outcome)
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
        self.assertEqual(self.scores('price', self.path('a.csv', 'name,price\nx,1\ny,\n,3\n')),
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


if __name__ == '__main__':
    unittest.main()
