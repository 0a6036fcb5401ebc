"""tenrex rank: features of the words of texts."""

import math
import random
import unittest

from papers import PapersTestCase, SCHEMA
from program import run


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


class Words(PapersTestCase):
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

    def test_field_match(self):
        """field_match_test.cpp has the outputs; here they come to the documents and queries that they are of."""
        queries = self.path('q.jsonl', '{"id":"a","text":"shock waves"}\n{"id":"b","text":"heat shock"}\n{"id":"c","text":"x"}\n')
        hits = self.rank(self.documents(), '--profile-name', 'match', '--queries', queries, '--features')
        found = {(hit['query'], hit['id']): hit['matchfeatures'] for hit in hits}
        self.assertEqual(len(found), 15)
        for hit in hits:
            features = hit['matchfeatures']
            self.assertAlmostEqual(hit['score'], features['fieldMatch(title)'] + features['fieldMatch(body)'], 12)
        self.assertEqual(found['a', '0']['fieldMatch(title)'], 1)
        self.assertEqual([found['a', i]['fieldMatch(title).completeness'] for i in '01234'],
                         [1, 0.5 * 0.95 + 0.2 * 0.05, 0.5 * 0.95 + 0.25 * 0.05, 0, 0])
        # The field that has a word most often says what it tells: "shock" stands in three titles, "waves" in one.
        significance = [0.5 + 0.5 * -math.log(share) / math.log(1e6) for share in (3 / 5, 1 / 5)]
        self.assertAlmostEqual(found['a', '1']['fieldMatch(title).importance'],
                               (0.5 + significance[0] / sum(significance)) / 2, 12)
        self.assertEqual([found['b', i]['fieldMatch(body).head'] for i in '01234'], [7, 0, 0, 0, 0])
        self.assertEqual([found['b', i]['fieldMatch(body).orderness'] for i in '01234'], [0, 1, 0, 1, 1])
        self.assertEqual(found['a', '0']['fieldMatch(title).segments'], 1)
        self.assertEqual({value for i in '01234' for value in found['c', i].values()}, {0})
        path = self.path('papers.sd', SCHEMA.replace('fieldMatch(title).segments', 'fieldMatch(title).pieces'))
        self.fails(1, "fieldMatch(title).pieces", 'rank', path, '--profile-name', 'match', stdin='')

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


if __name__ == '__main__':
    unittest.main()
