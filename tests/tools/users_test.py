"""What people did who tried the program as newcomers, with what they see: search engineers, users of Vespa, at the prompt, with
their own documents. What was tried and is tested elsewhere in more detail: hints_test.py, strings_test.py,
short_values_test.py, packages_test.py, constructs_test.py."""

import json
import os
import re
import shlex
import unittest

from program import TestCase, run

SCHEMA = '''schema s {
  document s {
    field price type float { indexing: attribute }
    field e type tensor<float>(x[3]) { indexing: attribute }
    field m type tensor<float>(k{}) { indexing: attribute }
    field cat type string { indexing: attribute }
    field title type string { indexing: index }
    field description type string { indexing: index }
    struct elem { field name type string {} }
    field elem_array type array<elem> { struct-field name { indexing: attribute } }
  }
  rank-profile p {
    inputs { query(q) tensor<float>(x[3]) }
    first-phase { expression: sum(query(q)*attribute(e)) + sum(attribute(m)) }
  }
  rank-profile labels { first-phase { expression: sum(tensorFromLabels(attribute(cat), c)) } }
  rank-profile both { first-phase { expression: max(matchCount(title), matchCount(description)) } }
  rank-profile weights { first-phase { expression: sum(tensorFromWeightedSet(query(weights), x)) } }
  rank-profile order { first-phase { expression: if(attribute(cat) < "x", 1, "a" + 1) } }
  rank-profile long { first-phase { expression: foreach(terms,x,fieldTermMatch(description,x).occurrences,true,average) } }
  rank-profile name { first-phase { expression: attribute(elem_array.name,0) == "a" } }
}
'''


class Schemas(TestCase):
    def setUp(self):
        super().setUp()
        self.schema = self.path('s.sd', SCHEMA)

    def checks(self, profile, *options):
        outcome = run('check', self.schema, '--profile-name', profile, *options)
        self.assertEqual(outcome.status, 0, outcome.err)
        return outcome

    def test_null_is_no_value(self):
        documents = self.path('d.jsonl', '{"id":5,"price":null,"e":null,"m":null}\n{"id":6,"e":[1,1,1]}\n')
        outcome = run('rank', self.schema, documents, '--profile-name', 'p', '--input', 'q=[1,2,3]')
        self.assertEqual((outcome.status, outcome.out), (0, 'rank  id  score\n   1  6       6\n   2  5       0\n'))
        self.assertEqual(outcome.err, 'warning: no document has a value for the field "m"\n')

    def test_labels_of_a_single_value(self):
        self.assertIn('document labels(cat): tensor(value{}) (labels of cat)\n', self.checks('labels').out)

    def test_all_missing_features_are_told_at_once_and_alike(self):
        outcome = run('check', self.schema, '--profile-name', 'both')
        self.assertEqual(re.findall(r"error: (.*)", outcome.err), ["there is no function or feature 'matchCount(title)'",
                                                                    "there is no function or feature 'matchCount(description)'"])
        self.assertEqual(len(set(re.findall(r'hint: (.*)', outcome.err))), 1)
        self.assertIn("tenrex: both needs: --feature 'matchCount(description)' --feature 'matchCount(title)'\n", outcome.err)
        outcome = run('check', self.schema, '--profile-name', 'both', '--feature', 'matchCount(title)')
        self.assertIn("there is no function or feature 'matchCount(description)'", outcome.err)
        self.checks('both', '--feature', '*')

    def test_long_names_can_be_copied(self):
        feature = 'foreach(terms,x,fieldTermMatch(description,x).occurrences,true,average)'
        outcome = run('check', self.schema, '--profile-name', 'long')
        self.assertIn("there is no function or feature '%s'" % feature, outcome.err)
        self.assertIn("--feature '%s'\n" % feature, outcome.err)
        self.checks('long', '--feature', feature)

    def test_weighted_set_of_a_query_and_member_of_structs(self):
        self.assertIn('input query(weights): tensor(x{})\n', self.checks('weights').out)
        self.checks('name')

    def test_order_of_strings_is_warned_about(self):
        err = self.checks('order').err
        self.assertIn("'<' of a string computes with the number that stands for the text", err)
        self.assertIn("'+' of a string computes with the number that stands for the text", err)

    def test_a_constant_of_the_application(self):
        for folder in ('schemas', 'constants'):
            os.mkdir(self.path(folder))
        self.path('constants/w.json', '[1,2]')
        path = self.path('schemas/doc.sd', 'schema doc { document doc { }\n constant w { file: constants/w.json\n type: tensor(x[2]) }\n'
                                           ' rank-profile p { first-phase { expression: sum(constant(w)) } } }')
        self.assertEqual(run('check', path).status, 0)


class Documents(TestCase):
    def setUp(self):
        super().setUp()
        self.schema = self.path('s.sd', SCHEMA)

    def refuses(self, message, documents):
        outcome = run('rank', self.schema, documents, '--profile-name', 'p')
        self.assertEqual((outcome.status != 0, outcome.out), (True, ''))
        self.assertIn(message, outcome.err)

    def test_forms_that_are_not_read(self):
        self.refuses('hint: a document stands on one line: jq -c . FILE makes it so', self.path('a.json', '{\n "id": 1\n}\n'))
        self.refuses("hint: documents are lines, not a list: jq -c '.[]' FILE makes lines of it", self.path('b.json', '[{"id":1}]\n'))
        xz = self.path('c.xz', b'\xfd7zXZ\0\0\4')
        self.refuses(f'xz is not read here; gzip and zstd are: xz -dc {xz} | tenrex rank PROFILE', xz)
        self.refuses('bzip2 is not read here', self.path('d.bz2', b'BZh91AY&SY'))
        self.refuses('zip archives are not read here', self.path('e.zip', b'PK\3\4\24\0'))
        packed = self.path("all f's.xz", b'\xfd7zXZ\0\0\4')
        command = run('rank', self.schema, packed, '--profile-name', 'p').err.split('are: ')[1].split(' | ')[0]
        self.assertEqual(shlex.split(command), ['xz', '-dc', packed])
        outcome = run('rank', self.schema, self.path('f.jsonl', '{"id": 1, "e": 3}\n'), '--profile-name', 'p')
        self.assertNotIn('hint', outcome.err)

    def test_a_number_that_some_documents_lack(self):
        profile = self.path('p.profile', '''rank-profile plain { first-phase { expression: attribute(price) * 2 } }
            rank-profile second { first-phase { expression: 1 }
              second-phase { expression: attribute(price)
                rerank-count: 2 } }
            rank-profile engine { first-phase { expression: attribute(price) + bm25(title) } }
            rank-profile guarded { first-phase { expression: if(isNan(attribute(price)), 0, attribute(price)) } }''')
        documents = '{"id":1,"price":2}\n{"id":2}\n{"id":3,"price":null}\n{"id":4,"price":1}\n'
        warning = ('warning: 2 of 4 documents have no value for the field "price", and scores that are computed from it are NaN: '
                   'they come last. if(isNan(attribute(price)), 0, attribute(price)) gives a value\n')

        def rank(name, documents, *options):
            outcome = run('rank', profile, '--profile-name', name, *options, stdin=documents)
            self.assertEqual(outcome.status, 0, outcome)
            return outcome

        plain = rank('plain', documents)
        self.assertEqual(re.findall(r'(\d)  +(\S+)\n', plain.out), [('1', '4'), ('4', '2'), ('2', 'nan'), ('3', 'nan')])
        self.assertEqual(plain.err, warning)
        self.assertEqual(rank('second', '{"id":2}\n' + documents).err, warning.replace('2 of 4', '3 of 5'))
        self.assertEqual(rank('guarded', documents).err, '')
        # Those that every document has are not blamed, nor is a feature with a value of its own.
        outcome = rank('engine', documents, '--feature', 'bm25(title)')
        self.assertEqual(outcome.err.count('\n'), 2, outcome.err)
        self.assertIn(warning, outcome.err)
        self.assertEqual(rank('plain', '{"id":1,"price":2}\n{"id":2,"price":"nan"}\n').err, '')

    def test_an_attribute_that_nobody_declares_as_a_vector(self):
        profile = self.path('v.profile', '''rank-profile p {
              inputs { query(q) tensor<float>(x[3]) }
              first-phase { expression: sum(query(q) * attribute(embedding)) + attribute(price) * 2 }
            }''')
        outcome = run('check', profile)
        self.assertEqual(outcome.status, 0, outcome.err)
        self.assertIn("warning: 'attribute(embedding)', which nobody declares, is taken for a number: every cell of "
                      'tensor<float>(x[3]) is multiplied by it\n', outcome.err)
        self.assertIn('hint: declare its type: in a schema block, with ProfileOptions::attributes, or --attribute of the program\n',
                      outcome.err)
        self.assertEqual(outcome.err.count('warning:'), 1)
        self.assertEqual(run('check', profile, '--attribute', 'embedding:tensor<float>(x[3])', '--attribute', 'price').err, '')
        self.assertEqual(run('check', profile, '--attribute', 'embedding', '--attribute', 'price').err, '')

    def test_an_id_that_comes_again(self):
        queries = self.path('q.jsonl', '{"id":"1","q":[1,2,3]}\n{"id":"1","q":[1,2,4]}\n{"id":"2"}\n')
        outcome = run('rank', self.schema, '--profile-name', 'p', '--queries', queries, stdin='{"id":1,"e":[1,1,1],"m":{"a":1}}\n')
        self.assertEqual((outcome.status, outcome.err), (0, 'warning: %s:2: the id 1 was there before\n' % queries))


class FirstMinutes(TestCase):
    def test_commands(self):
        for words in (['help'], ['--help'], ['-h']):
            self.assertEqual(run(*words).out, run('--help').out)
        self.assertEqual(run('help', 'eval').out, run('eval', '--help').out)
        self.fails(2, "there is no command \"playgroud\"\nDid you mean 'playground'? Try 'tenrex --help'.", 'playgroud')
        self.assertNotIn('mean', self.fails(2, 'there is no command "xyzzy"', 'xyzzy').err)
        self.fails(2, 'expected NAME=VALUE, found "+"\nAn expression is one argument: write quotes around it.', 'eval', '1', '+', '1')
        self.fails(1, 'hint: write cosine_similarity(a, b, dimension)', 'eval', 'cos_sim(a, b)', 'a=1', 'b=2')

    def test_documents_in_the_place_of_the_profile(self):
        documents = self.path('d.jsonl', '{"id":1}\n')
        self.fails(1, 'hint: these are documents; the file with the profile comes first', 'rank', documents, self.path('s.sd', SCHEMA))

    def test_commands_of_the_prompt(self):
        outcome = run('repl', stdin='help\nexit\nquit = 2\nquit\n')
        self.assertEqual(outcome.out, '2\n')
        self.assertEqual(re.findall('hint: (.*)', outcome.err), ['write :help', 'write :quit'])


class Expressions(TestCase):
    def test_values_of_the_wrong_length(self):
        for value, message in (('tensor(x[2]):[1,2,3]', 'too many cells for dimension x[2]'),
                               ('tensor<float>(x[3]):[1,2]', 'the list has 2 of the 3 cells')):
            self.fails(1, message, 'eval', 'sum(a)', 'a=' + value)

    def test_a_value_under_the_bare_name(self):
        self.fails(1, "hint: did you mean 'q'?", 'eval', 'query(q) + 1', 'q=2')

    def test_all_features_of_engines_get_one_hint(self):
        profile = self.path('p.profile', 'rank-profile p { first-phase { expression: '
                                         'matchCount + nativeRank + queryTermCount + bm25(title) } }')
        outcome = self.fails(1, "--feature 'bm25(title)' --feature 'matchCount' --feature 'nativeRank' --feature 'queryTermCount'\n",
                             'check', profile)
        hints = re.findall('hint: (.*)', outcome.err)
        self.assertEqual((len(hints), len(set(hints))), (4, 1), outcome.err)
        self.assertIn('--feature', hints[0])

    def test_a_feature_of_an_engine_that_documents_lack(self):
        profile = self.path('p.profile', 'rank-profile p { first-phase { expression: bm25(title) + 1 } }')
        outcome = run('rank', profile, '--feature', 'bm25(title)', stdin='{"id":1,"bm25(title)":2}\n{"id":2}\n')
        self.assertEqual((outcome.out, outcome.err), ('rank  id  score\n   1  1       3\n   2  2       1\n', ''))

    def test_a_limit_is_named(self):
        outcome = self.fails(1, 'the limit evaluation_cells is 268435456', 'eval', 'sum(tensor(x[300000000])(x))')
        self.assertNotIn('--reference', outcome.err)

    def test_a_profile_agrees_with_the_table(self):
        figures = json.loads(run('bench', 'sum(q*d)', '--query', 'q:tensor<float>(x[768])', '--document', 'd:tensor<float>(x[768])',
                                 '--block', '64', '--profile', '--runs', '3', '--json').out)
        self.assertEqual([step['what'] for step in figures['profile']], ['dot of 768 cells'])
        steps = sum(step['ns_per_document'] for step in figures['profile']) + figures['between_steps_ns']
        table = figures['ns_per_document']['64']
        self.assertLess(table / 5, steps)
        self.assertLess(steps, table * 5)

    def test_functions_of_other_languages_are_found(self):
        for word, wanted in (('cosin', 'cosine_similarity('), ('dot', 'sum(a*b)'), ('log2', 'log(a)/log(2)')):
            self.assertIn(wanted, run('functions', word).out)


class Explained(TestCase):
    def setUp(self):
        super().setUp()
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../docs/explain.md'), encoding='utf-8') as page:
            self.page = page.read()

    def test_the_first_example_of_the_page(self):
        command, expected = re.search(r'```sh\n(.*?)```\n\n```text\n(.*?)```', self.page, re.DOTALL).groups()
        outcome = run(*shlex.split(command.replace('\\\n', ' '))[1:])
        self.assertEqual((outcome.status, outcome.err, outcome.out), (0, '', expected))

    def test_the_rank_profile_of_the_page(self):
        profile, command, expected = re.search(r'```text\n(rank-profile .*?)```\n\n```sh\n(.*?)```\n\n```text\n(.*?)```',
                                               self.page, re.DOTALL).groups()
        words = shlex.split(command)[1:]
        words[words.index('items.profile')] = self.path('items.profile', profile)
        outcome = run(*words, env={'TENREX_MAX_ISA': 'baseline'})
        self.assertEqual((outcome.status, outcome.err), (0, ''))
        for part in expected.split('...\n'):
            self.assertIn(part, outcome.out)


class Prompt(TestCase):
    def test_what_was_hard_to_read(self):
        out = run('repl', stdin=':ast 1+2*3\n:help\nlang = "de"\n:inputs\nlang\n').out
        self.assertTrue(out.startswith('operator + [0,5)\n'), out)
        self.assertIn(':dialect [core|java]  show or choose', out)
        self.assertLessEqual(max(map(len, out.splitlines())), 80)
        self.assertIn('lang  string  "de"\n"de"\n', out)

    def test_candidates_fit_the_place(self):
        request = {'id': 1, 'command': 'complete', 'text': 'sum(q, '}
        lines = [{'id': 0, 'input': 'q = tensor(row[2],col[2]):[[1,2],[3,4]]'}, request]
        answers = run('repl', '--json', stdin=''.join(json.dumps(each) + '\n' for each in lines)).out.splitlines()
        self.assertEqual(json.loads(answers[1])['candidates'][:2], ['col', 'row'])


if __name__ == '__main__':
    unittest.main()
