"""What is wrong in functions of a profile that nothing uses: mistakes, and names that mean nothing."""

import unittest

from program import TestCase, run


class UnusedFunctions(TestCase):
    def test_functions_that_nothing_uses(self):
        path = self.path('unused.profile', '''rank-profile p {
    function wrong() { expression: sum(attribute(price)) + constant(c) }
    function other() { expression: wrong }
    function fused() { expression: normalize_linear(attribute(price)) + secondPhase }
    function twice(x) { expression: x * nothing }
    first-phase { expression: attribute(price) }
    second-phase { expression: firstPhase }
}
''')
        outcome = run('check', path)
        self.assertEqual(outcome.status, 1)
        self.assertIn("2:60: error: in a function that nothing uses: there is no constant 'c'", outcome.err)
        self.assertEqual(outcome.err.count('error: '), 1, outcome.err)
        outcome = run('rank', path, stdin='{"price": 1}\n')
        self.assertEqual(outcome.status, 0)
        self.assertIn("2:60: warning: in a function that nothing uses: there is no constant 'c'", outcome.err)

    def test_names_that_nothing_uses(self):
        """A name that means nothing is an error where something uses it, however many functions lie between."""
        schema = self.path('s.sd', '''schema s {
    document s {
        field price type double { indexing: attribute }
        field title type string { indexing: index }
    }
    rank-profile p {
        inputs { query(boost) double }
        function gone() { expression: attribute(prise) }
        function plain() { expression: attribute(title) }
        function text() { expression: bm25(name) + parts }
        function asked() { expression: query(bost) }
        function around() { expression: gone }
        first-phase { expression: attribute(price) }
        %s
    }
}
''')
        with open(schema, encoding='utf-8') as file:
            text = file.read()

        def check(line):
            outcome = run('check', self.path('s.sd', text % line))
            found = [each.split('s.sd:', 1)[1] for each in outcome.err.splitlines() if 's.sd:' in each]
            return outcome.status, [each.replace('in a function that nothing uses: ', '~ ') for each in found]

        names = ["8:39: warning: ~ there is no attribute 'prise'", "9:40: warning: ~ the field 'title' is no attribute",
                 "10:39: warning: ~ there is no function or feature 'bm25(name)'", "10:52: warning: ~ unknown symbol 'parts'",
                 "11:40: warning: ~ there is no input 'query(bost)'"]
        self.assertEqual(check(''), (0, names))
        outcome = run('rank', schema, stdin='{"price": 3}\n')
        self.assertEqual((outcome.status, outcome.err.count('warning: in a function that nothing uses')), (0, 5))
        for use in ('second-phase { expression: firstPhase + around }', 'match-features: around', 'summary-features: gone'):
            status, found = check(use)
            self.assertEqual((status, found), (1, ["8:39: error: there is no attribute 'prise'"]), use)
        # What is there, but is used wrongly, remains a mistake.
        self.assertEqual(check('function wrong() { expression: sum(attribute(price), x) }'),
                         (1, names + ["14:62: error: ~ 'sum': a double has no dimension 'x'"]))


if __name__ == '__main__':
    unittest.main()
