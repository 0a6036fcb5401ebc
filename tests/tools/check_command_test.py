"""tenrex check: what it prints of rank profiles, and which files and options go with them."""

import json
import os
import unittest

from program import TestCase, run
from weighted_sum import PROFILE, VECTOR


class Check(TestCase):
    def test_description(self):
        path = self.path('p.profile', PROFILE)
        outcome = run('check', path, *VECTOR)
        self.assertEqual((outcome.status, outcome.err), (0, ''))
        self.assertEqual(outcome.out, 'rank-profile p\n'
                                      '  input query(a): double = 1\n'
                                      '  document attribute(n): double (number)\n'
                                      '  document attribute(v): tensor<float>(x[2]) (tensor)\n'
                                      '  first-phase: double\n')

    def test_mistakes(self):
        path = self.path('p.profile', PROFILE.replace('attribute(n)', 'atribute(n)').replace('query(a) *', 'query(b) *'))
        outcome = run('check', path, *VECTOR)
        self.assertEqual((outcome.status, outcome.out), (1, ''))
        for text in (path + ':3:', 'query(b)', 'atribute(n)', '^~'):
            self.assertIn(text, outcome.err)

    def test_choice(self):
        path = self.path('p.profile', 'rank-profile a { first-phase { expression: 1 } }\n'
                                      'rank-profile b { first-phase { expression: 2 } }\n')
        self.assertEqual(run('check', path).out.count('rank-profile'), 2)
        self.assertEqual(run('check', path, '--profile-name', 'b').out.count('rank-profile'), 1)
        self.fails(1, 'there is no rank profile "c"', 'check', path, '--profile-name', 'c')
        self.fails(1, 'choose one with --profile-name: a, b', 'rank', path)
        self.fails(2, 'only one file can be checked', 'check', path, path)

    def test_declarations(self):
        path = self.path('p.profile', 'rank-profile p { first-phase { expression: bm25(title) + sum(attribute(w)) } }\n')
        self.fails(1, 'bm25(title)', 'check', path, '--attribute', 'w:tensor(x{})')
        self.assertEqual(run('check', path, '--attribute', 'w:tensor(x{})', '--feature', 'bm25(title)').status, 0)
        self.fails(1, 'expected NAME:TYPE', 'check', path, '--attribute', ':double')
        self.fails(1, 'type of w:1:', 'check', path, '--attribute', 'w:tensor(x')
        hits = run('rank', path, '--attribute', 'w:tensor(x{})', '--feature', 'bm25(title)', '--format', 'jsonl',
                   stdin='{"id":1,"bm25(title)":0.5,"w":{"a":1}}\n')
        self.assertEqual(json.loads(hits.out)['score'], 1.5)

    def test_many_profiles(self):
        """Each inherits the one before and adds a function."""
        text = 'rank-profile p0 { function f0() { expression: 0 } }\n'
        for i in range(1, 300):
            text += 'rank-profile p%d inherits p%d { function f%d() { expression: %d } }\n' % (i, i - 1, i, i)
        outcome = run('check', self.path('many.profile', text))
        self.assertEqual((outcome.status, outcome.out.count('rank-profile'), outcome.err), (0, 300, ''))

    def test_application_package(self):
        """Files of constants are given relative to the package that the schema is part of, or beside the schema."""
        os.makedirs(self.path('app/schemas/doc'))
        os.makedirs(self.path('app/constants'))
        self.path('app/constants/w.json', '[1,2]')
        profile = '''rank-profile p {
            constants {
                w tensor(x[2]): file:constants/w.json
            }
            first-phase { expression: sum(w) * attribute(n) }
        }'''

        def score(path, **options):
            outcome = run('rank', path, '--format', 'trec', stdin='{"n":1}\n', **options)
            self.assertEqual(outcome.status, 0, outcome)
            return outcome.out.split()[4]
        for path in ('app/schemas/doc.sd', 'app/schemas/doc/p.profile'):
            self.assertEqual(score(self.path(path, profile)), '3')
        # The schema has those of its folder, too.
        self.fails(1, "rank-profile 'p' is defined twice", 'rank', self.path('app/schemas/doc.sd'))
        os.remove(self.path('app/schemas/doc/p.profile'))
        self.assertEqual(score('doc.sd', cwd=self.path('app/schemas')), '3')
        os.makedirs(self.path('app/schemas/constants'))
        self.path('app/schemas/constants/w.json', '[5,5]')
        self.assertEqual(score(self.path('app/schemas/doc.sd')), '10')
        other = self.path('app/schemas/doc.sd', profile.replace('w.json', 'none.json'))
        outcome = self.fails(1, 'app/schemas/constants/none.json: there is no such file, nor ', 'rank', other)
        self.assertIn('app/constants/none.json or ', outcome.err)
        self.assertIn('app/models/constants/none.json', outcome.err)

    def test_nearest(self):
        """Two vectors of the query could be compared with the attribute: the command line says which one is."""
        path = self.path('p.profile', '''schema s {
            document s { field v type tensor<float>(x[2]) { indexing: attribute
                                                            attribute { distance-metric: euclidean } } }
            rank-profile p {
                inputs {
                    query(a) tensor<float>(x[2])
                    query(b) tensor<float>(x[2])
                }
                first-phase { expression: distance(field, v) }
            }
            rank-profile labelled inherits p { first-phase { expression: distance(label, nn) } }
        }''')
        document = '{"id":1,"v":[3,4]}\n'
        vectors = ('--input', 'query(a)=[0,0]', '--input', 'query(b)=[3,0]', '--format', 'jsonl')
        self.fails(1, 'could both be compared', 'check', path, '--profile-name', 'p')
        self.fails(1, "labelled 'nn'", 'check', path, '--profile-name', 'labelled')
        for profile, nearest, score in (('p', 'v=a', 5), ('p', 'v=query(b)', 4), ('labelled', 'nn:v=a', 5)):
            hits = run('rank', path, '--profile-name', profile, '--nearest', nearest, *vectors, stdin=document)
            self.assertEqual(hits.status, 0, hits.err)
            self.assertEqual(json.loads(hits.out)['score'], score)
        self.fails(1, "there is no attribute 'w'", 'check', path, '--profile-name', 'p', '--nearest', 'w=a')
        self.fails(1, "there is no input 'query(c)'", 'check', path, '--profile-name', 'p', '--nearest', 'v=c')
        for wrong in ('v', '=a', 'v=', 'nn:=a'):
            self.fails(1, 'expected ATTRIBUTE=QUERY', 'check', path, '--profile-name', 'p', '--nearest', wrong)


if __name__ == '__main__':
    unittest.main()
