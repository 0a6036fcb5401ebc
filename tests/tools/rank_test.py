"""tenrex rank: phases, formats, queries, threads; what a user of a shell sees."""

import json
import random
import re
import unittest

from program import TestCase, run

PROFILE = '''
schema shop {
    document shop {
        field price type float { indexing: attribute }
        field name type string { indexing: attribute }
        field sold type bool { indexing: attribute }
        field tags type weightedset<string> { indexing: attribute }
        field years type array<int> { indexing: attribute }
        field vector type tensor<float>(x[2]) { indexing: attribute }
        field words type tensor<float>(w{}) { indexing: attribute }
        field chunks type tensor<int8>(c{},x[2]) { indexing: attribute }
    }
    rank-profile price { first-phase { expression: attribute(price) } }
    rank-profile vector {
        inputs { query(q) tensor<float>(x[2]) }
        first-phase { expression: sum(query(q) * attribute(vector)) }
        match-features: attribute(price) attribute(vector)
    }
    rank-profile name { first-phase { expression: if(attribute(name) == "b", 1, 0) } }
    rank-profile unnamed { first-phase { expression: if(attribute(name) == "", 1, 0) + 2 * isNan(attribute(name)) } }
    rank-profile sold { first-phase { expression: if(attribute(sold), 1, 0) + 2 * isNan(attribute(sold)) } }
    rank-profile words {
        inputs { query(w) tensor<float>(w{}) }
        first-phase { expression: sum(query(w) * attribute(words)) }
    }
    rank-profile chunks {
        inputs { query(q) tensor<float>(x[2]) }
        first-phase { expression: reduce(sum(query(q) * attribute(chunks), x), max) }
    }
    rank-profile tags {
        inputs { query(t) tensor(key{}) }
        first-phase { expression: sum(query(t) * tensorFromWeightedSet(attribute(tags), key)) }
    }
    rank-profile years { first-phase { expression: sum(tensorFromLabels(attribute(years), y)) } }
    rank-profile phases inherits price {
        second-phase {
            expression: -firstPhase
            rerank-count: 2
        }
        match-features: firstPhase secondPhase
    }
    rank-profile dropping {
        first-phase {
            expression: attribute(price)
            rank-score-drop-limit: 2
        }
    }
    rank-profile random { first-phase { expression: random } }
}
'''


def lines(*documents):
    return ''.join((d if isinstance(d, str) else json.dumps(d)) + '\n' for d in documents)


def lacking_price(missing, documents):
    """The warning about documents without a price."""
    return ('warning: %d of %d documents %s no value for the field "price", and scores that are computed from it are NaN: they come '
            'last. if(isNan(attribute(price)), 0, attribute(price)) gives a value\n' %
            (missing, documents, 'has' if missing == 1 else 'have'))


class RankTestCase(TestCase):
    def setUp(self):
        super().setUp()
        self.profile = self.path('shop.sd', PROFILE)

    def rank(self, name, documents, *arguments, err='', **options):
        """[(id, score)] of the hits."""
        outcome = run('rank', self.profile, '--profile-name', name, '--format', 'jsonl', *arguments,
                      stdin=documents if isinstance(documents, (str, bytes)) else lines(*documents), **options)
        self.assertEqual((outcome.status, outcome.err), (0, err), outcome)
        return [(hit['id'], hit['score']) for hit in map(json.loads, outcome.out.splitlines())]


class Documents(RankTestCase):
    def test_numbers(self):
        given = [{'id': 'a', 'price': 1}, {'id': 'b', 'price': 2.5}, {'id': 'c', 'price': True}, {'id': 'd', 'price': 'inf'},
                 {'id': 'e', 'price': -1e300}]
        self.assertEqual(self.rank('price', given),
                         [('d', 'inf'), ('b', 2.5), ('a', 1), ('c', 1), ('e', -1e300)])
        for missing, err in (({'id': 'n'}, lacking_price(1, 2)), ({'id': 'n', 'price': None}, lacking_price(1, 2)),
                             ({'id': 'n', 'price': 'nan'}, '')):
            self.assertEqual(self.rank('price', [missing, {'id': 'a', 'price': 0}], err=err), [('a', 0), ('n', 'nan')])

    def test_numbers_are_kept_exactly(self):
        """Whatever type is enough for a segment."""
        for values in ([0, 1, -127, 127], [-128, 5], [32767, -32767], [-32768], [2147483647, -2147483648], [2147483648],
                       [0.5, 3], [0.1], [16777217, 0.5], [1e300], [-0.0]):
            given = [{'id': str(v), 'price': v} for v in values]
            expected = sorted(((str(v), v) for v in values), key=lambda pair: -pair[1])
            self.assertEqual(self.rank('price', given), expected)

    def test_strings(self):
        given = [{'id': 1, 'name': 'a'}, {'id': 2, 'name': 'b'}, {'id': 3, 'name': '\\u0062'}, {'id': 4}]
        self.assertEqual(self.rank('name', given)[0], ('2', 1))
        self.assertEqual(self.rank('name', '{"id":5,"name":"\\u0062"}\n'), [('5', 1)])

    def test_strings_and_truth_that_documents_lack(self):
        """As an engine has them: it stores no string as an empty one, and no truth as false."""
        given = [{'id': 1}, {'id': 2, 'name': 'b', 'sold': True}, {'id': 3, 'name': '', 'sold': False},
                 {'id': 4, 'name': None, 'sold': None}]
        self.assertEqual(self.rank('unnamed', given), [('1', 1), ('3', 1), ('4', 1), ('2', 0)])
        self.assertEqual(self.rank('sold', given), [('2', 1), ('1', 0), ('3', 0), ('4', 0)])
        profile = self.path('sold.profile', 'rank-profile p { first-phase { expression: !attribute(sold) } }')
        self.assertEqual(run('rank', profile, '--attribute', 'sold:bool', '--format', 'trec', stdin='{"id":1}\n{"id":2,"sold":true}\n').out,
                         '1 Q0 1 1 1 p\n1 Q0 2 2 0 p\n')

    def test_dense_tensors(self):
        forms = ('[3,4]', '{"values":[3,4]}', '{"type":"tensor<float>(x[2])","values":[3,4]}', '"4040000040800000"',
                 '{"values":"4040000040800000"}', '{"cells":[{"address":{"x":"0"},"value":3},{"address":{"x":"1"},"value":4}]}',
                 '{"values":[3,4],"type":"tensor<float>(x[2])"}', ' [ 3 , 4.0 ] ')
        documents = ''.join('{"id":%d,"vector":%s}\n' % (i, form) for i, form in enumerate(forms))
        hits = self.rank('vector', documents + '{"id":"none"}\n', '--input', 'query(q)=[1,10]')
        self.assertEqual(hits, [(str(i), 43) for i in range(len(forms))] + [('none', 0)])

    def test_sparse_tensors(self):
        documents = [{'id': 'a', 'words': {'x': 1, 'y': 2}}, {'id': 'b', 'words': {'cells': {'y': 5}}}, {'id': 'c'},
                     {'id': 'd', 'words': {'cells': [{'address': {'w': 'x'}, 'value': 3}]}}, {'id': 'e', 'words': {}},
                     '{"id":"f","words":{"z":1,"y":7,"y":9,"x":0.5}}']
        self.assertEqual(self.rank('words', documents, '--input', 'w={x:1,y:10}'),
                         [('f', 70.5), ('b', 50), ('a', 21), ('d', 3), ('c', 0), ('e', 0)])

    def test_mixed_tensors(self):
        documents = [{'id': 'a', 'chunks': {'0': [1, 2], '1': [3, 0]}}, {'id': 'b', 'chunks': {'blocks': {'9': [7, -8]}}},
                     {'id': 'c', 'chunks': {'blocks': [{'address': {'c': 'x'}, 'values': [1, 1]}]}}]
        self.assertEqual(self.rank('chunks', documents, '--input', 'query(q)=[1,1]'), [('a', 3), ('c', 2), ('b', -1)])

    def test_weighted_sets(self):
        documents = [{'id': 'a', 'tags': {'red': 2, 'blue': 3}}, {'id': 'b', 'tags': {'red': 7}}, {'id': 'c', 'tags': ['blue']},
                     {'id': 'd'}, {'id': 'e', 'tags': None}]
        self.assertEqual(self.rank('tags', documents, '--input', 'query(t)={red:1,blue:10}'),
                         [('a', 32), ('c', 10), ('b', 7), ('d', 0), ('e', 0)])

    def test_labels(self):
        self.assertEqual(self.rank('years', [{'id': 'a', 'years': [1, 2, 3]}, {'id': 'b', 'years': []}, {'id': 'c'}]),
                         [('a', 3), ('b', 0), ('c', 0)])

    def test_labels_of_single_values(self):
        profile = self.path('single.sd', '''schema s {
            document s {
                field cat type string { indexing: attribute }
                field year type int { indexing: attribute }
            }
            rank-profile cat { first-phase { expression: sum(tensorFromLabels(attribute(cat), c) * tensor(c{}):{a:3,b:5}) } }
            rank-profile year {
                first-phase { expression: sum(tensorFromLabels(attribute(year)) * tensor(year{}):{1999:3,2000:5}) }
            }
        }''')
        documents = lines({'id': 'a', 'cat': 'b', 'year': 1999}, {'id': 'b', 'cat': 'a', 'year': 2000},
                          {'id': 'c', 'cat': '', 'year': None}, {'id': 'd'}, {'id': 'e', 'cat': None, 'year': 5})
        for name, scores in (('cat', ['a 5', 'b 3', 'c 0', 'd 0', 'e 0']), ('year', ['b 5', 'a 3', 'c 0', 'd 0', 'e 0'])):
            outcome = run('rank', profile, '--profile-name', name, '--format', 'trec', stdin=documents)
            hits = [line.split() for line in outcome.out.splitlines()]
            self.assertEqual([hit[2] + ' ' + hit[4] for hit in hits], scores, outcome)

    def test_null_is_no_value(self):
        """Whatever the type of the field is, it is as if the field were not there."""
        types = {'n': 'double', 's': 'string', 'v': 'tensor<float>(x[3])', 'm': 'tensor(k{})', 'b': 'tensor<int8>(k{},x[2])',
                 'a': 'array<double>', 't': 'array<string>', 'w': 'weightedset<string>'}
        expressions = {'n': 'isNan(attribute(n))', 's': 'isNan(attribute(s))', 'w': 'attribute(w).count'}
        for name, type_name in types.items():
            expression = expressions.get(name, 'sum(attribute(%s)) + attribute(%s).count' % (name, name))
            profile = self.path('null.profile', 'rank-profile p { first-phase { expression: %s } }' % expression)
            given = ('rank', profile, '--attribute', '%s:%s' % (name, type_name), '--format', 'trec', '--profile')
            null, missing = (run(*given, stdin=line) for line in ('{"id":1,"%s": null }\n' % name, '{"id":1}\n'))
            self.assertEqual((null.status, null.out), (0, missing.out), null)
            self.assertIn('warning: no document has a value for the field "%s"' % name, null.err)
            self.fails(1, 'the document has this field twice', *given, stdin='{"%s":null,"%s":null}\n' % (name, name))
            self.assertEqual(run(*given, stdin='{"%s":nul}\n' % name).status, 1)

    def test_put_operations(self):
        documents = [{'put': 'id:s:shop::a', 'fields': {'price': 1}}, {'fields': {'price': 2}, 'put': 'b'},
                     {'id': 'c', 'fields': {'price': 3, 'other': [{}]}}, {'put': 'd', 'create': True, 'fields': {}}]
        self.assertEqual(self.rank('price', documents, err=lacking_price(1, 4)),
                         [('c', 3), ('b', 2), ('id:s:shop::a', 1), ('d', 'nan')])

    def test_documents_without_an_id(self):
        self.assertEqual(self.rank('price', '\n{"price":1}\n\r\n{"price":2}'), [('4', 2), ('2', 1)])
        first = self.path('one.jsonl', '{"price":1}\n')
        second = self.path('two.jsonl', '{"price":2}\n')
        self.assertEqual(self.rank('price', '', first, second), [(second + ':1', 2), (first + ':1', 1)])
        self.assertEqual(self.rank('price', '{"id":null,"price":1}\n{"put":null,"id":"b","fields":{"price":2}}'), [('b', 2), ('1', 1)])


class Phases(RankTestCase):
    PRICES = [{'id': 'p%d' % price, 'price': price} for price in (4, 1, 3, 2)]

    def test_second_phase(self):
        """-4 and -3 for the best two; the others are rescaled below: scale 1, bias -4 - 3."""
        self.assertEqual(self.rank('phases', self.PRICES), [('p3', -3), ('p4', -4), ('p2', -5), ('p1', -6)])
        outcome = run('rank', self.profile, '--profile-name', 'phases', '--format', 'jsonl', '--features', '--hits', '1',
                      stdin=lines(*self.PRICES))
        self.assertEqual(json.loads(outcome.out)['matchfeatures'], {'firstPhase': 3, 'secondPhase': -3})

    def test_drop_limit(self):
        self.assertEqual(self.rank('dropping', self.PRICES), [('p4', 4), ('p3', 3)])

    def test_hits(self):
        self.assertEqual(self.rank('price', self.PRICES, '--hits', '1'), [('p4', 4)])
        many = [{'id': i, 'price': 1} for i in range(20)]
        self.assertEqual(self.rank('price', many), [(str(i), 1) for i in range(10)])

    def test_seed(self):
        first, again, other = (self.rank('random', self.PRICES, *seed) for seed in ((), ('--seed', '0'), ('--seed', '1')))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)


class Queries(RankTestCase):
    DOCUMENTS = [{'id': 'a', 'price': 5, 'vector': [1, 0]}, {'id': 'b', 'vector': [0, 2]}]

    def test_one_query(self):
        for arguments in (('--input', 'query(q)=[3,1]'), ('--input', 'q={"values":[3,1]}'),
                          ('--query', self.path('q.json', '{\n "query(q)": [3, 1]}')),
                          ('--query', self.path('q2.json', '{"inputs":{"q":"[3,1]"}}')),
                          ('--input', 'q=[9,9]', '--query', self.path('q.json'))):
            self.assertEqual(self.rank('vector', self.DOCUMENTS, *arguments), [('a', 3), ('b', 2)])

    def test_defaults(self):
        self.assertEqual(self.rank('vector', self.DOCUMENTS), [('a', 0), ('b', 0)])

    def test_many_queries(self):
        queries = self.path('queries', '{"id":"first","query(q)":[3,1]}\n\n{"inputs":{"query(q)":[-1,-2]}}\n')
        outcome = run('rank', self.profile, '--profile-name', 'vector', '--queries', queries, '--format', 'trec',
                      stdin=lines(*self.DOCUMENTS))
        self.assertEqual(outcome.out, 'first Q0 a 1 3 vector\nfirst Q0 b 2 2 vector\n3 Q0 a 1 -1 vector\n3 Q0 b 2 -4 vector\n')

    def test_wrong_queries(self):
        given = ('rank', self.profile, '--profile-name', 'vector')
        stdin = lines(*self.DOCUMENTS)
        self.fails(1, 'the profile has no input "p"', *given, '--input', 'p=1', stdin=stdin)
        self.fails(1, 'the words of a query are its member "text"', *given, '--input', 'query=red shoe', stdin=stdin)
        self.fails(1, 'query(q):1:', *given, '--input', 'query(q)=[1,2,3]', stdin=stdin)
        self.fails(2, 'query(q) is given twice', *given, '--input', 'q=[1,2]', '--input', 'query(q)=[1,2]', stdin=stdin)
        self.fails(3, 'cannot read /no/such/file', *given, '--queries', '/no/such/file', stdin=stdin)
        for text, message in (('{"id":1', 'malformed JSON'), ('{"r":1}', 'no input "r"'), ('{"q":true}', 'found true'),
                              ('{"q":[1]}', 'query(q):1:'), ('{"q":[1,2],"query(q)":[1,2]}', 'given twice')):
            path = self.path('queries', '\n' + text + '\n')
            self.fails(1, path + ':2: ', *given, '--queries', path, stdin=stdin)
            self.assertIn(message, run(*given, '--query', path, stdin=stdin).err)


    def test_values_have_all_their_cells(self):
        """In every spelling: a query that was made for another model must not be filled up with zeros."""
        given = ('rank', self.profile, '--profile-name', 'vector')
        stdin = lines(*self.DOCUMENTS)
        for value in ('[1]', '{"values":[1]}', 'tensor<float>(x[2]):[1]'):
            self.fails(1, 'query(q):1:', *given, '--input', 'q=' + value, stdin=stdin)
        for query in ({'q': [1]}, {'q': '[1]'}, {'inputs': {'query(q)': [1]}}, {'inputs': {'q': '[1]'}}, {'q': {'values': [1]}}):
            path = self.path('queries', json.dumps(query) + '\n')
            self.fails(1, 'query(q):1:', *given, '--queries', path, stdin=stdin)
            self.fails(1, 'query(q):1:', *given, '--query', path, stdin=stdin)
        self.fails(1, 'field "vector": ', *given, stdin=lines({'vector': [1]}))
        # Cells that are given with their addresses say themselves which ones they are.
        cells = '{"cells":[{"address":{"x":"1"},"value":3}]}'
        for arguments in (('--input', 'q={{x:1}:3}'), ('--input', 'q=' + cells), ('--queries', self.path('c', '{"q":%s}' % cells)),
                          ('--queries', self.path('l', '{"q":"{{x:1}:3}"}'))):
            self.assertEqual(self.rank('vector', self.DOCUMENTS, *arguments), [('b', 6), ('a', 0)])


class Formats(RankTestCase):
    def test_table(self):
        documents = self.path('d', lines({'id': 'ünï', 'price': 5, 'vector': [1, 0]}, {'id': 'b', 'vector': [0, 20]}))
        given = ('rank', self.profile, '--profile-name', 'vector', documents, '--input', 'q=[1,1]')
        self.prints('rank  id   score\n   1  b       20\n   2  ünï      1', *given)
        self.prints('rank  id   score  attribute(price)           attribute(vector)\n'
                    '   1  b       20               nan  tensor<float>(x[2]):[0,20]\n'
                    '   2  ünï      1                 5   tensor<float>(x[2]):[1,0]', *given, '--features')
        queries = self.path('queries', '{"q":[1,0]}\n{"id":"second","q":[0,1]}\n')
        self.prints('query 1\nrank  id   score\n   1  ünï      1\nquery second\nrank  id  score\n   1  b      20',
                    *given[:5], '--queries', queries, '--hits', '1')

    def test_jsonl(self):
        documents = lines({'id': 'a "quoted"', 'vector': [1, 0]})
        out = run('rank', self.profile, '--profile-name', 'vector', '--features', '--format', 'jsonl', '--input', 'q=[0.1,0]',
                  stdin=documents).out
        self.assertEqual(out, '{"query":"1","rank":1,"id":"a \\"quoted\\"","score":0.10000000149011612,"matchfeatures":'
                              '{"attribute(price)":"nan","attribute(vector)":{"type":"tensor<float>(x[2])","values":[1,0]}}}\n')

    def test_trec(self):
        out = run('rank', self.profile, '--profile-name', 'price', '--format', 'trec', stdin=lines({'id': 'a b\t', 'price': 1})).out
        self.assertEqual(out, '1 Q0 a_b_ 1 1 price\n')

    def test_explain_and_profile(self):
        out = run('rank', self.profile, '--profile-name', 'phases', '--explain').out
        self.assertRegex(out, r'\n  for each document +second-phase 37:25 ')
        for heading in ('== first phase\n', '\n== second phase\n', '\n== match features and summary features\n'):
            self.assertIn(heading, '\n' + out)
        outcome = run('rank', self.profile, '--profile-name', 'phases', '--profile',
                      stdin=lines({'price': 1}, {'price': 2}, {}))
        for text in ('loaded 3 documents in ', 'field "price": 1 document without a value', 'ranked for 1 query in ',
                     '\n  first phase              3 documents', '\n  second phase             2 documents'):
            self.assertIn(text, outcome.err)

    def test_times_of_functions(self):
        path = self.path('functions.profile', '''rank-profile p {
            function cheap() { expression: attribute(price) * 2 }
            function dear() { expression: sum(attribute(vector) * attribute(vector)) + cheap }
            function of_query() { expression: query(w) * 2 }
            function with_argument(x) { expression: x + 1 }
            function unused() { expression: 1 }
            inputs { query(w) double: 1 }
            first-phase { expression: with_argument(cheap) + of_query }
            second-phase { expression: firstPhase + dear }
        }''')
        outcome = run('rank', path, '--attribute', 'vector:tensor<float>(x[2])', '--profile',
                      stdin=lines(*({'price': i, 'vector': [i, 1]} for i in range(150))))
        self.assertEqual(outcome.status, 0, outcome)
        table = outcome.err.partition('functions, each evaluated alone: what functions share is counted for each of them\n')[2]
        self.assertEqual(re.sub(r'[\d.]+ ns each', 'T', re.sub(' +', ' ', table)).splitlines(),
                         [' first phase 150 documents cheap T', ' first phase 150 documents of_query T',
                          ' second phase 100 documents cheap T', ' second phase 100 documents dear T'])


class Reranking(RankTestCase):
    def test_blocks_of_hits_give_the_same_scores(self):
        """What the second phase computes for hits from all over is what the first computes where documents lie."""
        expression = ('attribute(price) + sum(attribute(vector)) + sum(attribute(words)) + reduce(attribute(chunks), max) '
                      '+ sum(tensorFromWeightedSet(attribute(tags), key)) * sum(tensorFromLabels(attribute(years), y)) '
                      '+ random + if(attribute(name) == "b", 1, 0)')
        schema = PROFILE[:PROFILE.index('    rank-profile')]
        path = self.path('again.sd', schema + '''
            rank-profile once { first-phase { expression: %s } }
            rank-profile again { first-phase { expression: attribute(price) }
                                 second-phase {
                                     expression: %s
                                     rerank-count: 1000
                                 }
                                 global-phase {
                                     expression: secondPhase + 0 * normalize_linear(attribute(price))
                                     rerank-count: 1000
                                 }
                                 match-features: firstPhase attribute(vector) attribute(words) } }''' % (expression, expression))
        rng = random.Random(4)
        documents = lines(*({'id': str(i), 'price': rng.uniform(-9, 9), 'name': rng.choice('ab'), 'vector': [i / 7, rng.random()],
                             'words': {w: rng.random() for w in 'abcdef'[:rng.randrange(7)]},
                             'chunks': {str(c): [c, rng.randrange(9)] for c in range(rng.randrange(4))},
                             'tags': {'t%d' % rng.randrange(9): 2}, 'years': [rng.randrange(9)] * rng.randrange(3)}
                            for i in range(400)))

        def ranked(profile, *options):
            outcome = run('rank', path, '--profile-name', profile, '--format', 'jsonl', '--hits', '400', *options, stdin=documents)
            self.assertEqual((outcome.status, outcome.err), (0, ''), outcome)
            return [json.loads(line) for line in outcome.out.splitlines()]
        once = [(hit['id'], hit['score']) for hit in ranked('once')]
        for threads in ('1', '3'):
            again = ranked('again', '--threads', threads, '--features')
            self.assertEqual([(hit['id'], hit['score']) for hit in again], once)
        given = {document['id']: document for document in map(json.loads, documents.splitlines())}
        for hit in again[::7]:
            self.assertEqual(hit['matchfeatures']['firstPhase'], given[hit['id']]['price'])
            self.assertEqual(set(hit['matchfeatures']['attribute(words)']['cells']), set(given[hit['id']]['words']))


class Threads(RankTestCase):
    def test_result_is_the_same(self):
        rng = random.Random(3)
        words = ['w%d' % i for i in range(2000)]
        with open(self.path('documents'), 'w') as file:
            for number in range(20000):
                document = {'id': number, 'price': rng.randrange(50), 'words': {w: rng.random() for w in rng.sample(words, 5)}}
                file.write(json.dumps(document) + '\n')
        for profile, query in (('words', '{%s}' % ','.join('%s:%d' % (w, i % 7) for i, w in enumerate(words[::3]))), ('phases', None)):
            given = ['rank', self.profile, '--profile-name', profile, '--hits', '200', '--format', 'jsonl', self.path('documents')]
            given += ['--input', 'w=' + query] if query else []
            one, *others = (run(*given, '--threads', threads) for threads in ('1', '2', '5'))
            self.assertEqual((one.status, one.err, one.out.count('\n')), (0, '', 200))
            for other in others:
                self.assertEqual((other.status, other.err, other.out), (0, '', one.out))

    def test_few_slow_hits_are_shared_out(self):
        """What takes long is computed by all threads, with the same bits."""
        profile = self.path('slow.profile', '''rank-profile slow {
            first-phase { expression: attribute(price) }
            second-phase { expression: sum(tensor(x[300],y[200])(cos(x*y+attribute(price)))) }
        }''')
        documents = ''.join('{"price":%d}\n' % i for i in range(23))
        one, *others = (run('rank', profile, '--hits', '30', '--threads', threads, stdin=documents) for threads in ('1', '2', '5'))
        self.assertEqual((one.status, one.err, one.out.count('\n')), (0, '', 24))
        for other in others:
            self.assertEqual((other.status, other.err, other.out), (0, '', one.out))


if __name__ == '__main__':
    unittest.main()
