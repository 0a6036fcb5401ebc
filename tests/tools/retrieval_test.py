"""tenrex rank that retrieves: nearest neighbours, words of texts, and both."""

import json
import math
import random
import unittest

from program import TestCase, run

SCHEMA = '''
schema papers {
    document papers {
        field title type string { indexing: index }
        field body type string { indexing: index }
        field embedding type tensor<float>(x[4]) {
            indexing: attribute
            attribute { distance-metric: METRIC }
        }
        field bits type tensor<int8>(x[4]) {
            indexing: attribute
            attribute { distance-metric: hamming }
        }
        field wide type tensor<float>(x[2],y[2]) { indexing: attribute }
        field year type int { indexing: attribute }
    }
    rank-profile near {
        inputs {
            query(q) tensor<float>(x[4])
            query(p) tensor<float>(x[4])
        }
        first-phase { expression: closeness(field, embedding) }
        match-features: distance(field, embedding)
    }
    rank-profile bits {
        inputs { query(b) tensor<int8>(x[4]) }
        first-phase { expression: -distance(field, bits) }
    }
    rank-profile text {
        first-phase { expression: bm25(title) + 10 * bm25(body) }
        match-features: bm25(title) bm25(body) fieldLength(title) matches(title) matches(body) queryTermCount
    }
    rank-profile tuned inherits text {
        rank-properties {
            bm25(title).k1: 2
            bm25(title).b: 0
            bm25(body).averageFieldLength: "7.5"
        }
    }
    rank-profile native {
        first-phase { expression: nativeRank(title, body) }
        match-features {
            nativeRank nativeRank(title) nativeRank(title,body) nativeRank(body,title)
            nativeFieldMatch nativeFieldMatch(title) nativeFieldMatch(title,body) nativeFieldMatch(body,title)
            nativeProximity nativeProximity(title) nativeProximity(title,body) nativeProximity(body,title)
        }
    }
    rank-profile both {
        inputs { query(q) tensor<float>(x[4]) }
        function words() { expression: bm25(title) }
        first-phase { expression: words }
        second-phase { expression: firstPhase + closeness(field, embedding) }
        global-phase { expression: reciprocal_rank_fusion(words, closeness(field, embedding)) }
    }
}
'''


def bm25(query, texts, k1=1.2, b=0.75, mean=None):
    """Of each text, by Vespa's formula."""
    words = [text.lower().replace('.', ' ').split() for text in texts]
    mean = mean or sum(map(len, words)) / max(sum(1 for each in words if each), 1)
    scores = []
    for each in words:
        score = 0
        for word in query.lower().split():
            having = sum(1 for other in words if word in other)
            if word in each:
                count = each.count(word)
                weight = math.log(1 + (sum(1 for other in words if other) - having + 0.5) / (having + 0.5))
                score += weight * count * (k1 + 1) / (count + k1 * (1 - b + b * len(each) / mean))
        scores.append(score)
    return scores


class RetrievalTestCase(TestCase):
    def rank(self, documents, *arguments, metric='euclidean'):
        """The hits, as objects."""
        outcome = run('rank', self.path('papers.sd', SCHEMA.replace('METRIC', metric)), '--format', 'jsonl', *arguments,
                      stdin=''.join(json.dumps(document) + '\n' for document in documents))
        self.assertEqual((outcome.status, outcome.err), (0, ''), outcome)
        return [json.loads(line) for line in outcome.out.splitlines()]

    def ids(self, *arguments, **options):
        return [hit['id'] for hit in self.rank(*arguments, **options)]


class NearestNeighbors(RetrievalTestCase):
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


def words_in(text):
    return text.lower().replace('.', ' ').split()


def native(query, documents, fields, searched):
    """(nativeFieldMatch, nativeProximity) of each document, by the formulas of Vespa's reference."""
    words = words_in(query)
    significances = []
    for word in words:
        having = max(sum(word in words_in(document[field]) for document in documents) for field in searched)
        frequency = min(max(having * 1e6 / len(documents), 1), 1e6)
        significances.append(1 - 0.5 * math.log(frequency) / math.log(1e6))
    first = [8000 * math.exp(-x / 12.5) for x in range(256)]
    count = [1500 * math.log(1 + x / 19) + 4000 for x in range(256)]
    pairs = [(a, b, (significances[a] + significances[b]) / (b - a)) for a in range(len(words)) for b in range(a + 1, min(a + 4, len(words)))]

    def nearest(places, others):
        return min([b - a for a in places for b in others if a < b] + [256])

    results = []
    for document in documents:
        match, proximity = 0, 0
        for field in fields:
            text = words_in(document[field])
            places = [[at for at, each in enumerate(text) if each == word] for word in words]
            for significance, found in zip(significances, places):
                if found:
                    match += significance * (first[found[0] * 255 // (max(6, len(text)) - 1)] + count[len(found) * 255 // max(6, len(text))])
            for a, b, weight in pairs:
                proximity += weight * (500 * math.exp((1 - nearest(places[a], places[b])) / 3)
                                       + 400 * math.exp((1 - nearest(places[b], places[a])) / 3)) / 900
        results.append((match / (first[0] + count[255]) / (sum(significances) * len(fields) or 1),
                        proximity / (sum(weight for _, _, weight in pairs) * len(fields) or 1)))
    return results


class Words(RetrievalTestCase):
    texts = ['Shock waves', 'The wave of a shock', 'a a a shock', '', 'Plates. Boundary layers of plates']
    bodies = ['a long text of some words about shock and heat', 'heat', '', 'shock', 'heat heat heat']

    def documents(self):
        return [{'id': str(i), 'title': title, 'body': body} for i, (title, body) in enumerate(zip(self.texts, self.bodies))]

    def test_features(self):
        for query in ('shock', 'a shock', 'heat', 'shock shock wave', 'nowhere', ''):
            hits = self.rank(self.documents(), '--profile-name', 'text', '--index', 'title', '--index', 'body', '--text', query,
                             '--features')
            titles, bodies = bm25(query, self.texts), bm25(query, self.bodies)
            self.assertEqual(len(hits), 5)
            for hit in hits:
                number = int(hit['id'])
                features = hit['matchfeatures']
                self.assertAlmostEqual(features['bm25(title)'], titles[number], 12)
                self.assertAlmostEqual(features['bm25(body)'], bodies[number], 12)
                self.assertEqual(features['matches(title)'], int(titles[number] > 0))
                self.assertEqual(features['matches(body)'], int(bodies[number] > 0))
                self.assertEqual(features['fieldLength(title)'],
                                 len(self.texts[number].replace('.', '').split()) if titles[number] > 0 else 1000000)
                self.assertEqual(features['queryTermCount'], len(query.split()))
                self.assertAlmostEqual(hit['score'], titles[number] + 10 * bodies[number], 10)

    def test_settings_of_bm25(self):
        for query in ('shock', 'a shock', 'heat', 'shock shock wave'):
            titles = bm25(query, self.texts, k1=2, b=0)
            bodies = bm25(query, self.bodies, mean=7.5)
            for arguments in ([], ['--retrieve', 'userQuery()']):
                hits = self.rank(self.documents(), '--profile-name', 'tuned', '--index', 'title', '--index', 'body', '--text', query,
                                 '--features', *arguments)
                self.assertGreater(len(hits), 0)
                for hit in hits:
                    number = int(hit['id'])
                    self.assertAlmostEqual(hit['matchfeatures']['bm25(title)'], titles[number], 12)
                    self.assertAlmostEqual(hit['matchfeatures']['bm25(body)'], bodies[number], 12)

    def test_native_rank(self):
        for query in ('shock', 'a shock', 'heat about shock', 'shock shock wave', 'plates boundary layers of nothing at all plates', 'x', ''):
            hits = self.rank(self.documents(), '--profile-name', 'native', '--index', 'title', '--index', 'body', '--text', query, '--features')
            for names in (['title'], ['title', 'body'], ['body', 'title'], []):
                values = native(query, self.documents(), names or ['title', 'body'], ['title', 'body'])
                arguments = '(%s)' % ','.join(names) if names else ''
                for hit in hits:
                    match, proximity = values[int(hit['id'])]
                    features = hit['matchfeatures']
                    self.assertAlmostEqual(features['nativeFieldMatch' + arguments], match, 12)
                    self.assertAlmostEqual(features['nativeProximity' + arguments], proximity, 12)
                    self.assertAlmostEqual(features['nativeRank' + arguments], (100 * match + 25 * proximity) / 225, 12)
        found = self.rank(self.documents(), '--profile-name', 'native', '--index', 'title', '--index', 'body', '--text', 'shock waves', '--hits', '1')
        self.assertEqual(found[0]['id'], '0')
        # A field without an index is the engine's.
        self.fails(1, "there is no function or feature 'nativeRank(title,body)'", 'rank', self.path('papers.sd', SCHEMA), '--profile-name',
                   'native', '--index', 'title', stdin='')

    def test_words(self):
        for text, query, matches in (
                ('Straße, Ébène!', 'ébène', 1), ('Straße', 'STRASSE', 0), ('ПРИВЕТ мир', 'привет', 1), ('ΑΒΓ', 'αβγ', 1),
                ('x-ray 42nd', 'ray', 1), ('x-ray 42nd', '42', 0), ('x-ray 42nd', '42ND', 1), ('東京 大阪', '東京', 1),
                ('a\u2014b', 'b', 1), ('\u201cquoted\u201d', 'quoted', 1)):
            hits = self.rank([{'id': 'a', 'title': text}, {'id': 'b', 'body': 'x'}], '--profile-name', 'text', '--index', 'title',
                             '--index', 'body', '--text', query, '--features')
            self.assertEqual({hit['id']: hit['matchfeatures']['matches(title)'] for hit in hits}['a'], matches, (text, query))

    def test_texts_of_arrays(self):
        documents = [{'id': 'a', 'title': ['one two', 'three']}, {'id': 'b', 'title': [], 'body': 'x'}]
        hits = self.rank(documents, '--profile-name', 'text', '--index', 'title', '--index', 'body', '--text', 'three', '--features')
        self.assertEqual(hits[0]['matchfeatures']['fieldLength(title)'], 3)
        path = self.path('papers.sd', SCHEMA)
        for wrong in ('1', '[1]', '["a", {}]', '{}'):
            self.fails(1, 'field "title": a text is expected', 'rank', path, '--profile-name', 'text', '--index', 'title', '--index',
                       'body', stdin='{"title":%s}\n' % wrong)

    def test_queries_have_texts(self):
        queries = self.path('queries.jsonl', '{"id":"x","text":"plates"}\n{"id":"y"}\n{"id":"z","text":"wave","inputs":{}}\n')
        hits = self.rank(self.documents(), '--profile-name', 'text', '--index', 'title', '--index', 'body', '--queries', queries,
                         '--text', 'heat', '--hits', '1')
        self.assertEqual([(hit['query'], hit['id']) for hit in hits], [('x', '4'), ('y', '4'), ('z', '1')])
        wrong = self.path('wrong.json', '{"text":[1]}')
        self.fails(1, 'the text of the query is no string: [1]', 'rank', self.path('papers.sd', SCHEMA), '--profile-name', 'text',
                   '--index', 'title', '--index', 'body', '--query', wrong, stdin='{"title":"a","body":"b"}\n')

    def test_the_schema_says_what_is_indexed(self):
        asked = ('--profile-name', 'text', '--text', 'shock waves', '--features')
        self.assertEqual(self.rank(self.documents(), *asked),
                         self.rank(self.documents(), *asked, '--index', 'title', '--index', 'body'))
        self.assertEqual(self.rank(self.documents(), *asked, '--feature', '*'), self.rank(self.documents(), *asked))
        self.assertEqual(self.ids(self.documents(), '--profile-name', 'text', '--text', 'heat', '--retrieve', 'userQuery()'),
                         ['4', '1', '0'])
        # Documents bring what --feature names.
        documents = [{'title': 'shock', 'body': 'x', 'bm25(title)': 1, 'matches(title)': 0, 'fieldLength(title)': 7}]
        hits = self.rank(documents, *asked, '--feature', 'bm25(title)', '--feature', 'matches(title)', '--feature',
                         'fieldLength(title)')
        self.assertEqual((hits[0]['score'], hits[0]['matchfeatures']['fieldLength(title)']), (1, 7))
        path = self.path('papers.sd', SCHEMA.replace('METRIC', 'euclidean'))
        self.fails(1, "there is no function or feature 'nativeRank(title,body)'", 'rank', path, '--profile-name', 'native',
                   '--feature', 'bm25(title)', stdin='')
        outcome = run('check', path, '--profile-name', 'native')
        self.assertEqual((outcome.status, outcome.err), (0, ''), outcome)

    def test_a_text_of_other_fields_is_the_engines(self):
        schema = '''schema s { document s { field a type string { indexing: summary } }
            field all type string { indexing: input a . " " . input a | index }
            rank-profile p { first-phase { expression: bm25(all) } } }'''
        self.fails(1, "there is no function or feature 'bm25(all)'", 'check', self.path('s.sd', schema))

    def test_what_is_computed_comes_before_what_documents_bring_along(self):
        documents = [{'id': 'a', 'title': 'shock', 'bm25(title)': 7}, {'id': 'b', 'title': 'heat', 'body': 'x', 'bm25(title)': 9}]
        hits = self.rank(documents, '--profile-name', 'text', '--index', 'title', '--index', 'body', '--feature', 'bm25(title)',
                         '--text', 'shock')
        self.assertEqual([hit['score'] for hit in hits], [math.log(2), 0])

    def test_the_result_is_the_same_for_any_number_of_threads(self):
        made = random.Random(2)
        documents = [{'id': str(i), 'title': ' '.join(made.choice('abcdefgh') for _ in range(made.randrange(9))), 'body': 'b'}
                     for i in range(1100)]
        results = [self.rank(documents, '--profile-name', 'text', '--index', 'title', '--index', 'body', '--text', 'a b',
                             '--threads', threads, '--hits', '50') for threads in ('1', '3')]
        self.assertEqual(results[0], results[1])

    def test_user_query(self):
        found = self.ids(self.documents(), '--profile-name', 'text', '--index', 'title', '--index', 'body', '--text', 'heat',
                         '--retrieve', 'userQuery()')
        self.assertEqual(found, ['4', '1', '0'])
        found = self.ids(self.documents(), '--profile-name', 'text', '--index', 'title', '--index', 'body', '--text', 'heat',
                         '--retrieve', '{targetHits:1}userQuery()')
        self.assertEqual(found, ['4'])
        found = self.ids(self.documents(), '--profile-name', 'text', '--index', 'title', '--index', 'body', '--text', 'nowhere',
                         '--retrieve', 'userQuery()')
        self.assertEqual(found, [])


class Hybrid(RetrievalTestCase):
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
