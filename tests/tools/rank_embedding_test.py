"""tenrex rank with embedders: fields of documents and inputs of queries that are made of texts."""

import json
import os
import unittest

from bert_writer import config, safetensors
from program import TestCase, run

WORDS = ['[UNK]', '[CLS]', '[SEP]', 'un', '##able']
SCHEMA = '''
schema papers {
    document papers {
        field title type string { indexing: summary | index }
        field body type string { indexing: index }
    }
    field vector type TYPE {
        indexing: STATEMENT
        attribute { distance-metric: angular }
    }
    rank-profile near {
        inputs { query(q) TYPE }
        first-phase { expression: sum(query(q) * attribute(vector)) }
        match-features: attribute(vector) query(q)
    }
    rank-profile tokens {
        inputs { query(q) TYPE }
        first-phase { expression: sum(concat(query(q), attribute(vector), d0)) }
        match-features: attribute(vector) query(q)
    }
}
'''
DOCUMENTS = [{'id': 'a', 'title': 'un', 'body': 'unable'}, {'id': 'b', 'title': 'unable un', 'vector': 'passed over'},
             {'id': 'c', 'body': 'un'}]


def lines(objects):
    return ''.join(json.dumps(each) + '\n' for each in objects)


class RankEmbedding(TestCase):
    def setUp(self):
        super().setUp()
        self.encoder = self.path('encoder')
        os.mkdir(self.encoder)
        self.path('encoder/model.safetensors', safetensors())
        self.path('encoder/config.json', config())
        self.path('encoder/vocab.txt', '\n'.join(WORDS) + '\n')

    def schema(self, statement='input title | embed e5 | attribute | index', type='tensor<float>(x[4])'):
        return self.path('papers.sd', SCHEMA.replace('STATEMENT', statement).replace('TYPE', type))

    def arguments(self, *more, **schema):
        profile = () if '--profile-name' in more else ('--profile-name', 'near')
        return ('rank', self.schema(**schema), self.path('papers.jsonl', lines(DOCUMENTS)), *profile, '--embedder',
                'e5=' + self.encoder, '--format', 'jsonl', '--features', '--hits', '100', *more)

    def rank(self, query, *more, err='', **schema):
        """The features of the documents, by their ids."""
        done = run(*self.arguments('--query', '-', *more, **schema), stdin=json.dumps(query))
        self.assertEqual((done.status, done.err), (0, err), done)
        hits = [json.loads(line) for line in done.out.splitlines()]
        return {hit['id']: {name: self.cells(value) for name, value in hit['matchfeatures'].items()} for hit in hits}

    def cells(self, value):
        return value['values'] if isinstance(value, dict) else value

    def vectors(self, texts, *options):
        done = run('embed', '--model', self.encoder, *options, stdin=lines({'text': text} for text in texts))
        self.assertEqual((done.status, done.err), (0, ''))
        return [json.loads(line)['vector'] for line in done.out.splitlines()]

    def expect(self, found, documents, query):
        """Vectors of documents and of the query, as `tenrex embed` makes them; None: zeros."""
        for (name, vector) in documents.items():
            self.assertEqual(found[name]['attribute(vector)'], vector or [0] * len(query), name)
            self.assertEqual(found[name]['query(q)'], query)

    def test_documents_and_queries(self):
        one, two = self.vectors(['un', 'unable un'])
        documents = {'a': one, 'b': two, 'c': None}
        queries = [{'text': 'unable un', name: call}
                   for call in ('embed(e5, @text)', 'embed(@text)', ' embed( e5,@text ) ', 'embed("unable un")',
                                "embed(e5, 'unable un')")
                   for name in ('input.query(q)', 'query(q)', 'q', 'input.q')]
        queries += [{'inputs': {'q': 'embed(@words)'}, 'words': 'unable un'}, {'q': 'embed(@words)', 'words': 'unable un'}]
        queries = [{**query, 'id': i} for i, query in enumerate(queries)]
        done = run(*self.arguments('--queries', '-'), stdin=lines(queries))
        self.assertEqual((done.status, done.err), (0, ''))
        hits = [json.loads(line) for line in done.out.splitlines()]
        self.assertEqual(len(hits), 3 * len(queries))
        for hit in hits:
            features = {name: self.cells(value) for name, value in hit['matchfeatures'].items()}
            self.expect({hit['id']: features}, {hit['id']: documents[hit['id']]}, two)
        self.expect(self.rank({}, '--input', 'q=embed(@text)', '--text', 'un'), documents, one)
        self.expect(self.rank({'text': 'un'}, '--input', 'q=embed(@text)', '--text', 'able'), documents, one)
        self.expect(self.rank({'q': [1, 2, 3, 4]}, '--input', 'q=embed(@text)'), documents, [1, 2, 3, 4])

    def test_what_is_embedded(self):
        bodies = {'a': 'unable', 'b': None, 'c': 'un'}
        for statement, texts in (
                ('input body | embed | attribute', bodies),
                ('{ "un" . input title . input body | embed e5 | attribute }', {'a': 'unununable', 'b': None, 'c': None}),
                ('(input title || "") . " " . (input body || "un") | embed e5 | attribute',
                 {'a': 'un unable', 'b': 'unable un un', 'c': ' un'})):
            made = dict(zip([k for k in texts if texts[k]], self.vectors([t for t in texts.values() if t])))
            found = self.rank({'q': 'embed("un")'}, statement=statement)
            self.expect(found, {name: made.get(name) for name in texts}, self.vectors(['un'])[0])

    def test_lists_of_texts(self):
        """Each text of a list has a vector of its own, under its number."""
        schema = {'type': 'tensor<float>(p{},x[4])', 'statement': 'input bodies | for_each { "un " . _ } | embed e5 | attribute'}
        path = self.schema(**schema)
        with open(path, encoding='utf-8') as file:
            text = file.read().replace('field body type string', 'field bodies type array<string>').replace('inputs { query(q) '
                                       + schema['type'], 'inputs { query(q) tensor<float>(x[4])')
        self.path('papers.sd', text)
        lists = {'a': ['unable', 'un un', ''], 'b': [], 'c': ['able'], 'd': None}
        documents = lines({'id': name, **({} if texts is None else {'bodies': texts})} for name, texts in lists.items())
        arguments = ('rank', path, '--profile-name', 'near', '--embedder', 'e5=' + self.encoder, '--format', 'jsonl',
                     '--features', '--hits', '100', '--input', 'q=embed("un")')
        for threads in ('1', '3'):
            done = run(*arguments, '--threads', threads, stdin=documents)
            self.assertEqual((done.status, done.err), (0, ''))
            hits = {hit['id']: hit['matchfeatures']['attribute(vector)'] for hit in map(json.loads, done.out.splitlines())}
            self.assertEqual(len(hits), 4)
            for name, texts in lists.items():
                vectors = self.vectors(['un ' + text for text in texts or []])
                self.assertEqual(hits[name]['blocks'], {str(i): vector for i, vector in enumerate(vectors)}, name)
        table = self.path('papers.csv', 'id,bodies\na,"[""unable"",""un un"",""""]"\n')
        done = run(*arguments[:2], table, *arguments[2:])
        self.assertEqual((done.status, done.err), (0, ''))
        self.assertEqual(json.loads(done.out)['matchfeatures']['attribute(vector)'], hits['a'])
        for value, message in (('"un"', 'a list of texts is expected'), ('["un",1]', 'a text is expected'), ('[["un"]]', 'a text is')):
            self.fails(1, message, *arguments, stdin='{"bodies":%s}' % value)
        for statement in ('"un" | embed', 'input bodies . input title | embed'):
            self.path('papers.sd', text.replace(schema['statement'], statement + ' | attribute'))
            self.fails(1, 'is made of one list of texts, whose numbers are its labels', *arguments, stdin='{}')

    def test_smaller_vectors(self):
        for options, settings, type in ((['--cells', 'int8'], (), 'tensor<int8>(x[4])'),
                                        (['--cells', 'bits'], (), 'tensor<int8>(x[1])'),
                                        (['--dimensions', '3'], ('dimensions=3',), 'tensor<float>(x[3])'),
                                        (['--dimensions', '2', '--normalize'], ('dimensions=2', 'normalize=true'),
                                         'tensor<double>(x[2])'),
                                        (['--pooling', 'max', '--max-length', '3'], ('pooling=max', 'max-length=3'),
                                         'tensor<float>(x[4])')):
            cut = 'warning: field "vector": 1 of 2 texts have more tokens than are taken; their ends were cut off\n'
            expected = self.vectors(['un'], *options)[0]
            arguments = [each for setting in settings for each in ('--embedder', 'e5.' + setting)]
            found = self.rank({'q': 'embed("un")'}, *arguments, type=type, err=cut if 'max-length=3' in settings else '')
            for value in found['a'].values():
                self.assertEqual(len(value), len(expected))
                for cell, wanted in zip(value, expected):
                    self.assertAlmostEqual(cell, wanted, delta=1e-7, msg=type)
        rounded = self.rank({'q': 'embed("un")'}, type='tensor<bfloat16>(x[4])')['a']['query(q)']
        for cell, expected in zip(rounded, self.vectors(['un'])[0]):
            self.assertAlmostEqual(cell, expected, delta=abs(expected) / 128)

    def test_prefixes(self):
        self.path('encoder/config_sentence_transformers.json', '{"prompts":{"query":"un ","passage":"able "}}')
        query, document = self.vectors(['un un', 'able un'])
        self.expect(self.rank({'q': 'embed("un")'}), {'a': document}, query)
        query, document = self.vectors(['unable un', 'un un'])
        self.expect(self.rank({'q': 'embed("un")'}, '--embedder', 'e5.query-prefix=unable ', '--embedder',
                              'e5.document-prefix=un '), {'a': document}, query)
        self.expect(self.rank({'q': 'embed("un")'}, '--embedder', 'e5.prefix=un '), {'a': document}, document)

    def test_tokens(self):
        """Without special tokens, of any number or padded."""
        tokens = ('--profile-name', 'tokens', '--embedder', 't=' + self.path('encoder/vocab.txt'))
        statement = 'input title | embed t | attribute'
        found = self.rank({'q': 'embed(t, "unable [SEP]")'}, *tokens, statement=statement, type='tensor<float>(d0[4])')
        self.expect(found, {'a': [3, 0, 0, 0], 'b': [3, 4, 3, 0], 'c': None}, [3, 4, 0, 0])
        done = run(*self.arguments(*tokens, '--input', 'q=embed(t,"unable")', statement=statement,
                                   type='tensor<float>(d0[])'))
        self.assertEqual((done.status, done.err), (0, ''))
        self.assertEqual({hit['id']: hit['score'] for hit in map(json.loads, done.out.splitlines())},
                         {'a': 10, 'b': 17, 'c': 7})
        done = run(*self.arguments(*tokens, '--embedder', 't.max-length=2', '--input', 'q=embed(t,"unable unable")',
                                   statement=statement, type='tensor<float>(d0[])'))
        self.assertEqual({hit['id']: hit['score'] for hit in map(json.loads, done.out.splitlines())},
                         {'a': 10, 'b': 14, 'c': 7})
        self.fails(1, 'cannot hold the ids of tokens', *self.arguments(
            *tokens, '--input', 'q=embed(t,"un")', statement=statement, type='tensor<int8>(d0[])'))

    def test_the_nearest_are_found(self):
        arguments = self.arguments('--retrieve', '{targetHits:1}nearestNeighbor(vector,q)', '--input',
                                   'q=embed(@text)', '--queries', '-')
        done = run(*arguments, stdin=lines([{'id': 1, 'text': 'unable un'}, {'id': 2, 'text': 'un'}]))
        self.assertEqual((done.status, done.err), (0, ''))
        self.assertEqual([(str(hit['query']), hit['id']) for hit in map(json.loads, done.out.splitlines())],
                         [('1', 'b'), ('2', 'a')])

    def test_any_threads_and_order(self):
        texts = ['un', 'unable', 'unable un', 'able un un', '']
        documents = [{'id': str(i), 'title': texts[i % 5]} for i in range(100)]
        expected = dict(zip(texts, self.vectors(texts)))
        for threads in ('1', '3'):
            done = run('rank', self.schema(), '--profile-name', 'near', '--embedder', 'e5=' + self.encoder, '--format',
                       'jsonl', '--features', '--hits', '100', '--threads', threads, '--cache', '1M', '--input',
                       'q=embed("un")', stdin=lines(documents))
            self.assertEqual(done.status, 0, done)
            hits = [json.loads(line) for line in done.out.splitlines()]
            self.assertEqual(len(hits), 100)
            for hit in hits:
                self.assertEqual(self.cells(hit['matchfeatures']['attribute(vector)']), expected[texts[int(hit['id']) % 5]])
            self.assertRegex(done.err, r'^cache: \d+ hits, \d+ misses, 5 vectors in \d+ bytes\n$')
            counts = [int(word) for word in done.err.replace(',', '').split() if word.isdigit()]
            self.assertEqual(counts[0] + counts[1], 101)
            self.assertGreater(counts[0], 0)

    def test_tables_and_arrays(self):
        """A text may look like a number; vectors of an array are not made again."""
        table = self.path('papers.csv', 'id,title\na,un\nb,1984\n')
        found = run('rank', self.schema(), table, '--profile-name', 'near', '--embedder', 'e5=' + self.encoder, '--format',
                    'jsonl', '--features', '--input', 'q=embed("un")')
        self.assertEqual((found.status, found.err), (0, ''))
        hits = {hit['id']: hit for hit in map(json.loads, found.out.splitlines())}
        for name, vector in zip('ab', self.vectors(['un', '1984'])):
            self.assertEqual(self.cells(hits[name]['matchfeatures']['attribute(vector)']), vector)
        made = run('embed', '--model', self.encoder, '-o', self.path('v.npy'), stdin=lines([{'text': 'unable'}] * 3))
        self.assertEqual(made.status, 0)
        vector = self.vectors(['unable'])[0]
        found = run('rank', self.schema(), '--profile-name', 'near', '--embedder', 'e5=' + self.encoder, '--format', 'jsonl',
                    '--features', '--input', 'q=embed("un")', '--column', 'vector=' + self.path('v.npy'))
        self.assertEqual((found.status, found.err), (0, ''))
        for hit in map(json.loads, found.out.splitlines()):
            self.assertEqual(self.cells(hit['matchfeatures']['attribute(vector)']), vector)

    def test_times(self):
        done = run(*self.arguments('--input', 'q=embed("un")', '--profile'))
        self.assertEqual(done.status, 0)
        self.assertIn('embedded 2 texts for the field "vector" in ', done.err)
        self.assertRegex(done.err, r'embedding +1 texts ')
        self.assertRegex(done.err, r'first phase +3 documents ')

    def test_without_an_embedder_documents_bring_vectors(self):
        documents = self.path('with.jsonl', '{"vector":[1,2,3,4]}\n')
        done = run('rank', self.schema(), documents, '--profile-name', 'near', '--input', 'q=[1,1,1,1]', '--format', 'jsonl')
        self.assertEqual((done.status, json.loads(done.out)['score'], done.err), (0, 10, ''))
        done = run('rank', self.schema(), '--profile-name', 'near', '--input', 'q=[1,1,1,1]', stdin='{"title":"un"}')
        self.assertIn('"vector"; --embedder NAME=DIR makes it as the schema says', done.err)

    def test_what_is_wrong_is_told(self):
        def fails(message, query, *more, **schema):
            self.fails(1, message, *self.arguments('--query', '-', *more, **schema), stdin=json.dumps(query))
        fails("there is no embedder 'e6'", {'q': 'embed(e6, "un")'})
        fails('--embedder gives e5', {'q': 'embed(e6, "un")'})
        fails("field vector: error: there is no embedder 'e6'", {}, statement='input title | embed e6 | attribute')
        fails('field vector: error: it makes vectors of 4 numbers, but the type is tensor<float>(x[3])', {},
              type='tensor<float>(x[3])')
        fails('the setting dimensions takes the first numbers', {}, type='tensor<float>(x[3])')
        fails('int8 cells are 4, or 1 with a bit for each', {}, type='tensor<int8>(x[2])')
        fails('such as tensor<float>(x[384])', {}, type='tensor<float>(x[2],y[2])')
        fails('embed(@text) needs a member "text" of the query that is a text', {'q': 'embed(@text)'})
        fails('embed(@words) needs a member "words" of the query', {'q': 'embed(@words)', 'text': 'un'})
        fails('embed(@words) needs a member "words" of the query', {'q': 'embed(@words)', 'words': 1})
        fails('the profile has no input "other"', {'q': 'embed(@words)', 'words': 'un', 'other': 'un'})
        for call in ('embed()', 'embed(e5)', 'embed(e5,)', 'embed("un" un)', 'embed(e5, @)'):
            fails('has no text', {'q': call})
        second = ('--embedder', 'b=' + self.encoder)
        fails('there are several embedders, and none is named', {'q': 'embed("un")'}, *second)
        fails('they are b, e5', {}, *second, statement='input title | embed | attribute')
        self.fails(1, 'there is no embedder', 'rank', self.schema(), '--profile-name', 'near', '--input', 'q=embed("un")',
                   stdin='{"vector":[1,2,3,4]}')
        done = run(*self.arguments('--input', 'q=embed("un"', '--query', '-'), stdin='{}')
        self.assertEqual(done.status, 1)
        for arguments, message in ((('e5',), 'expected NAME=DIR'), (('e5=x', 'e5=y'), "'e5' is given twice"),
                                   (('e6.pooling=mean',), "'e6' has settings, but no folder"),
                                   (('e5.pooling=sum',), "pooling is 'sum', but it is one of mean, cls, max"),
                                   (('e5.dimensions=0',), 'a whole number above 0'),
                                   (('e5.normalize=no',), 'normalize is'), (('e5.size=3',), "there is no setting 'size'")):
            options = [each for argument in arguments for each in ('--embedder', argument)]
            self.fails(2, message, 'rank', self.schema(), *options)
        self.fails(2, "'1X' is no size of a cache", *self.arguments('--cache', '1X'))
        os.remove(self.path('encoder/vocab.txt'))
        fails('has no tokenizer', {'q': 'embed("un")'})


if __name__ == '__main__':
    unittest.main()
