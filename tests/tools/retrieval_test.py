"""tenrex rank that retrieves: nearest neighbours, words of texts, and both."""

import json
import math
import random
import unittest

from papers import PapersTestCase, SCHEMA
from program import run


class NearestNeighbors(PapersTestCase):
    def setUp(self):
        super().setUp()
        made = random.Random(1)
        self.documents = [{'id': str(i), 'embedding': [made.uniform(-1, 1) for _ in range(4)],
                           'bits': [made.randrange(-128, 128) for _ in range(4)]} for i in range(120)]

    def test_the_nearest_are_ranked(self):
        query = [0.5, -0.25, 1, 0.125]

        def distance(metric, vector):
            product = sum(a * b for a, b in zip(query, vector))
            if metric == 'euclidean':
                return math.dist(query, vector)
            return -product if metric == 'dotproduct' else math.acos(product / math.hypot(*query) / math.hypot(*vector))
        for metric in ('euclidean', 'angular', 'dotproduct'):
            expected = sorted(self.documents, key=lambda document: distance(metric, document['embedding']))[:7]
            for how in ('{targetHits:7}', '{targetHits: 7, approximate: false}',
                        '{targetHits:7,approximate:true,hnsw.exploreAdditionalHits:100}'):
                hits = self.rank(self.documents, '--profile-name', 'near', '--input', f'q={query}', '--hits', '100', '--features',
                                 '--retrieve', how + 'nearestNeighbor(embedding, q)', metric=metric)
                self.assertEqual([hit['id'] for hit in hits], [document['id'] for document in expected], (metric, how))
                for hit, document in zip(hits, expected):
                    self.assertAlmostEqual(hit['matchfeatures']['distance(field, embedding)'],
                                           distance(metric, document['embedding']), 5)

    def test_recall_is_told(self):
        """Of a graph that is explored as little as may be, and of one that is explored as a whole."""
        path = self.path('papers.sd', SCHEMA.replace('METRIC', 'euclidean'))
        made = random.Random(2)
        documents = [{'embedding': [made.uniform(-1, 1) for _ in range(4)]} for _ in range(600)]
        queries = ''.join(json.dumps({'id': i, 'q': [made.uniform(-1, 1) for _ in range(4)]}) + '\n' for i in range(20))

        def told(how, *options):
            outcome = run('rank', path, self.path('d.jsonl', ''.join(json.dumps({**each, 'id': str(i)}) + '\n' for i, each in
                                                                     enumerate(documents))), '--profile-name', 'near', '--nearest',
                          'embedding=q', '--format', 'trec', '--queries', '-', *options, '--retrieve', how +
                          'nearestNeighbor(embedding,q)', stdin=queries)
            self.assertEqual(outcome.status, 0, outcome)
            return outcome.out, outcome.err
        exact, err = told('{targetHits:10}', '--profile')
        self.assertNotIn('exact search', err)
        found, err = told('{targetHits:10,approximate:true,hnsw.exploreAdditionalHits:600}', '--profile')
        self.assertIn('\nnearestNeighbor(embedding,q) found 100.00 % of what an exact search finds\n', err)
        found, err = told('{targetHits:10,approximate:true,hnsw.exploreAdditionalHits:0}', '--profile')
        same = len({tuple(line.split()[i] for i in (0, 2)) for line in found.splitlines()}
                   & {tuple(line.split()[i] for i in (0, 2)) for line in exact.splitlines()})
        self.assertIn('found %.2f %% of what' % (100 * same / 200), err)
        self.assertEqual(told('{targetHits:10,approximate:true}')[1], '')

    def test_bits(self):
        query = [1, 2, 3, 4]

        def distance(document):
            return sum(bin((a ^ b) & 255).count('1') for a, b in zip(query, document['bits']))
        expected = sorted(self.documents, key=distance)[:5]
        hits = self.rank(self.documents, '--profile-name', 'bits', '--input', f'b={query}', '--retrieve',
                         '{targetHits:5}nearestNeighbor(bits,b)')
        self.assertEqual([hit['score'] for hit in hits], [-distance(document) for document in expected])

    def test_documents_without_a_vector_are_not_found(self):
        documents = [{'id': 'none'}, {'id': 'a', 'embedding': [1, 2, 3, 4]}, {'id': 'zeros', 'embedding': [0, 0, 0, 0]},
                     {'id': 'null', 'embedding': None}]
        self.assertEqual(self.ids(documents, '--profile-name', 'near', '--input', 'q=[1,1,1,1]', '--retrieve',
                                  'nearestNeighbor(embedding,q)'), ['a'])
        self.assertEqual(self.ids(documents[:2], '--profile-name', 'near', '--input', 'q=[0,0,0,1]', '--nearest', 'embedding=q'),
                         ['none', 'a'])

    def test_another_vector_of_the_query_may_be_compared(self):
        """What is retrieved by one may be scored by the other."""
        documents = [{'id': 'a', 'embedding': [1, 0, 0, 0]}, {'id': 'b', 'embedding': [0, 1, 0, 0]}]
        for retrieve, expected in (('q', 'a'), ('p', 'b')):
            self.assertEqual(self.ids(documents, '--profile-name', 'near', '--input', 'q=[1,0,0,0]', '--input', 'p=[0,1,0,0]',
                                      '--nearest', 'embedding=p', '--retrieve',
                                      '{targetHits:1}nearestNeighbor(embedding,%s)' % retrieve), [expected])

    def test_what_is_wrong_is_told(self):
        path = self.path('papers.sd', SCHEMA.replace('METRIC', 'angular'))
        document = '{"embedding":[1,2,3,4]}\n'
        for retrieve, message in (
                ('nearestNeighbor(embeding,q)', "there is no attribute 'embeding'"),
                ('nearestNeighbor(year,q)', 'nearestNeighbor needs an attribute that is a vector, but year is no tensor'),
                ('nearestNeighbor(wide,q)', 'nearestNeighbor needs an attribute that is a vector, but wide is '),
                ('nearestNeighbor(embedding,z)', 'the profile has no input "query(z)"')):
            self.fails(1, message, 'rank', path, '--profile-name', 'near', '--nearest', 'embedding=q', '--retrieve', retrieve,
                       stdin=document)
        for retrieve, message in (
                ('nearestNeighbor(embedding)', 'retrieves nothing that is known'), ('near', 'is no call'),
                ('{targetHits:0}nearestNeighbor(embedding,q)', 'targetHits needs a number up to a million, found "0"'),
                ('{targetHits:x}nearestNeighbor(embedding,q)', 'targetHits needs a number up to a million, found "x"'),
                ('{speed:9}nearestNeighbor(embedding,q)', '"speed:9" is not known here'),
                ('{targetHits:9 nearestNeighbor(embedding,q)', 'has no closing brace')):
            self.fails(2, message, 'rank', path, '--profile-name', 'near', '--retrieve', retrieve, stdin=document)
        without = self.path('without.sd', SCHEMA.replace('METRIC', 'euclidean').replace('{ indexing: index }', '{ indexing: summary }'))
        self.fails(2, 'userQuery() needs a field that the schema indexes or --index names', 'rank', without, '--profile-name', 'near',
                   '--nearest', 'embedding=q', '--retrieve', 'userQuery()', stdin=document)
        self.fails(1, 'query(q): the vector has zeros only, and so no angle to others', 'rank', path, '--profile-name', 'near',
                   '--nearest', 'embedding=q', '--retrieve', 'nearestNeighbor(embedding,q)', stdin=document)


class Hybrid(PapersTestCase):
    def test_what_any_search_finds_is_ranked(self):
        documents = [{'id': 'near', 'title': 'plates', 'embedding': [1, 0, 0, 0]},
                     {'id': 'text', 'title': 'shock', 'embedding': [0, 1, 0, 0]},
                     {'id': 'both', 'title': 'a shock', 'embedding': [0.9, 0, 0, 0]},
                     {'id': 'neither', 'title': 'heat', 'embedding': [0, 0, 1, 0]}]
        hits = self.rank(documents, '--profile-name', 'both', '--index', 'title', '--text', 'shock', '--input', 'q=[1,0,0,0]',
                         '--retrieve', '{targetHits:2}nearestNeighbor(embedding,q)', '--retrieve', 'userQuery()')
        self.assertEqual([hit['id'] for hit in hits], ['near', 'text', 'both'])  # of equal scores the first document
        ranks = {'near': (3, 1), 'text': (1, 3), 'both': (2, 2)}
        for hit in hits:
            words, vectors = ranks[hit['id']]
            self.assertAlmostEqual(hit['score'], 1 / (60 + words) + 1 / (60 + vectors), 12)


if __name__ == '__main__':
    unittest.main()
