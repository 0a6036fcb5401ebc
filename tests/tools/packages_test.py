"""Rank profiles as applications have them: schemas that inherit, structs in documents, features of an engine, and the script
that checks all profiles of a folder."""

import json
import os
import subprocess
import sys
import unittest

ROOT = os.path.abspath(sys.argv.pop(2))

from program import ENVIRONMENT, PROGRAM, TestCase, run  # noqa: E402 (it takes its argument, too)

SCHEMA = '''schema shop inherits base {
    document shop inherits base {
        struct offer {
            field seller type string { }
            field price type int { }
        }
        field owner type person { struct-field age { indexing: attribute } }
        struct person { field age type int { } }
        field offers type array<offer> {
            struct-field price { indexing: attribute }
        }
        field stock type map<string, int> {
            struct-field value { indexing: attribute }
        }
        field brand type reference<brand> { indexing: attribute }
    }
    import field brand.fame as fame { }
    constant weights { file: weights.json type: tensor(x[2]) }
    rank-profile plain inherits cheap {
        first-phase { expression: worth + attribute(fame) + sum(constant(weights)) }
    }
    rank-profile members {
        first-phase {
            expression {
                attribute(owner.age) + sum(attribute(offers.price)) + 1000 * sum(attribute(stock.value))
                + sum(query(favour) * tensorFromStructs(attribute(offers), seller, price, float))
            }
        }
    }
    rank-profile keys {
        inputs { query(favour) tensor(place{}): {b:2,7:100} }
        first-phase { expression: sum(query(favour) * tensorFromStructs(attribute(offers), seller, place, price, double)) }
    }
    rank-profile texts {
        first-phase { expression: bm25(title) + 2 * nativeRank + sum(elementwise(bm25(chunks),chunk,float)) }
        second-phase { expression: firstPhase + fieldLength(title) / 1000000 }
    }
    rank-profile guarded {
        first-phase { expression: if(query(lang) == "de", 1, 2) + query(boost) }
        rank-properties { query(boost): 10 }
    }
}
'''
BASE = '''schema base {
    document base { field price type int { indexing: attribute } }
    rank-profile cheap { function worth() { expression: 100 - attribute(price) } }
}
'''
BRAND = 'schema brand { document brand { field fame type int { indexing: attribute } } }\n'
FOLDER_PROFILE = 'rank-profile apart inherits cheap { first-phase { expression: 2 * worth } }\n'
QUERY_TYPE = '''<query-profile-type id="root">
  <field name="ranking.features.query(favour)" type="tensor&lt;float&gt;(seller{})" />
  <field name="ranking.features.query(lang)" type="string" />
</query-profile-type>
'''


class Package(TestCase):
    def setUp(self):
        super().setUp()
        for folder in ('schemas/shop', 'search/query-profiles/types'):
            os.makedirs(self.path(folder))
        self.schema = self.path('schemas/shop.sd', SCHEMA)
        self.path('schemas/base.sd', BASE)
        self.path('schemas/brand.sd', BRAND)
        self.path('schemas/shop/apart.profile', FOLDER_PROFILE)
        self.path('weights.json', '[1,2]')
        self.path('search/query-profiles/types/root.xml', QUERY_TYPE)

    def scores(self, profile, documents, *arguments):
        outcome = run('rank', self.schema, '--profile-name', profile, '--format', 'jsonl', *arguments,
                      stdin=''.join(json.dumps(each) + '\n' for each in documents))
        self.assertEqual(outcome.status, 0, outcome)
        return [json.loads(line)['score'] for line in outcome.out.splitlines()]

    def test_inherited_and_imported(self):
        self.assertEqual(self.scores('plain', [{'id': 'a', 'price': 10, 'fame': 1000}]), [1093])
        self.assertEqual(self.scores('apart', [{'id': 'a', 'price': 10}]), [180])

    def test_structs(self):
        document = {'id': 'a', 'owner': {'name': 'x', 'age': 40}, 'stock': {'p': 1, 'q': 2},
                    'offers': [{'seller': 'anna', 'price': 3}, {'price': 4, 'seller': 'ben', 'note': {'a': [1]}},
                               {'seller': 'carl', 'price': 0}]}
        favour = ('--input', 'favour={{seller:ben}:100}')
        self.assertEqual(self.scores('members', [document], *favour), [40 + 7 + 3000 + 400])
        document['stock'] = [{'key': 'p', 'value': 5}]
        document['offers'] = []
        self.assertEqual(self.scores('members', [document], *favour), [40 + 5000])
        missing = self.scores('members', [{'id': 'a', 'owner': {}}], *favour)
        self.assertEqual(missing, ['nan'])
        outcome = run('rank', self.schema, '--profile-name', 'members', stdin='{"id":1,"owner":7}\n')
        self.assertEqual(outcome.status, 1)
        self.assertIn('field "owner": a struct is expected: an object with the members', outcome.err)

    def test_structs_with_several_keys(self):
        offers = [{'seller': 'anna', 'place': 'a', 'price': 3}, {'seller': 'anna', 'place': 'b', 'price': 4},
                  {'seller': 'ben', 'place': 7, 'price': 5}, {'seller': 'carl', 'price': 6},
                  {'seller': None, 'place': 'b', 'price': 6}]
        documents = [{'id': 1, 'offers': offers}, {'id': 2, 'offers': []}, {'id': 3}]
        self.assertEqual(self.scores('keys', documents), [508, 0, 0])

    def test_types_of_queries(self):
        self.assertEqual(self.scores('guarded', [{'id': 'a'}], '--input', 'query(lang)=de'), [11])
        self.assertEqual(self.scores('guarded', [{'id': 'a'}], '--input', 'lang="at"', '--input', 'boost=0'), [2])

    def test_features_of_an_engine(self):
        outcome = run('check', self.schema, '--profile-name', 'texts')
        self.assertEqual(outcome.status, 1)
        self.assertIn("texts needs: --feature 'bm25(title)' --feature 'elementwise(bm25(chunks),chunk,float):"
                      "tensor<float>(chunk{})' --feature 'fieldLength(title)' --feature 'nativeRank'\n", outcome.err)
        needs = outcome.err.split('needs: ')[1].strip()
        copied = subprocess.run(['bash', '-c', '"$0" check "$1" --profile-name texts ' + needs, PROGRAM, self.schema],
                                stdout=subprocess.PIPE, env=ENVIRONMENT, check=False)
        self.assertEqual(copied.returncode, 0)
        document = {'id': 'a', 'bm25(title)': 3, 'nativeRank': 0.5,
                    'elementwise(bm25(chunks),chunk,float)': {'0': 10, '1': 20}, 'fieldLength(title)': 5000000}
        # A document that did not match has what engines give then: 0, and a length of a million.
        self.assertEqual(self.scores('texts', [document, {'id': 'b'}], '--feature', '*'), [39, 1])
        outcome = run('rank', self.schema, '--profile-name', 'texts', stdin='')
        self.assertEqual(outcome.status, 1)
        self.assertIn("tenrex: needs: --feature 'bm25(title)'", outcome.err)

    def test_mistakes_of_a_parent_are_told_once(self):
        path = self.path('twice.profile', 'rank-profile a { first-phase { expression: attribut(x) } }\n'
                                          'rank-profile b inherits a { }\n')
        outcome = run('check', path)
        self.assertEqual(outcome.err.count('error:'), 1)
        self.assertIn('rank-profile b has 1 of the mistakes above, too', outcome.err)

    def test_script(self):
        self.path('schemas/odd.sd', 'schema odd { rank-profile wrong { first-phase { expression: oops } }\n'
                                    'rank-profile a { rank-profile b inherits a { rank-profile c inherits a.b { } }\n'
                                    'rank-profile d inherits a { } } rank-profile e { } }\n')
        done = subprocess.run([sys.executable, '-B', os.path.join(ROOT, 'scripts/check-profiles'), self.directory],
                              stdout=subprocess.PIPE, encoding='utf-8', env={**ENVIRONMENT, 'TENREX': PROGRAM}, check=True)
        self.assertEqual(done.stdout, "13 profiles: 11 pass, 1 more with --feature '*', 1 do not\n"
                                      "    1  unknown symbol '...'\n       such as schemas/odd.sd wrong\n")

    def test_reasons_of_the_script(self):
        """Mistakes of one kind are one row, whatever names, types and numbers they have."""
        fields = ''.join('field t%d type tensor<float>(y[%d]) { indexing: attribute }\n' % (n, n) for n in (2, 3))
        profiles = {'a': 'attribute(t2){y:2}', 'b': 'attribute(t3){y:7}', 'c': 'attribute(t2)', 'd': 'attribute(t3)',
                    'e': 'sum(tensor(d0[2])(attribute(t2){y:d0}))', 'f': 'sum(tensor(d0[2])(attribute(t2){y:(d0)}))'}
        os.mkdir(self.path('of'))
        for name, expression in profiles.items():
            self.path('of/%s.sd' % name, 'schema %s { document %s { %s } rank-profile %s { first-phase { expression: %s } } }' %
                      (name, name, fields, name, expression))
        done = subprocess.run([sys.executable, '-B', os.path.join(ROOT, 'scripts/check-profiles'), self.path('of')],
                              stdout=subprocess.PIPE, encoding='utf-8', env={**ENVIRONMENT, 'TENREX': PROGRAM}, check=True)
        self.assertEqual(done.stdout, "6 profiles: 1 pass, 0 more with --feature '*', 5 do not\n"
                                      "    2  '...' must be a number, but this is tensor(...)\n       such as c.sd c\n"
                                      "    2  index N is outside of dimension '...' of size N\n       such as a.sd a\n"
                                      "    1  '...' is not an index of dimension '...'\n       such as e.sd e\n")


if __name__ == '__main__':
    unittest.main()
