"""tenrex metrics: measures of rankings, worked out by hand; files that are not as they should be."""

import unittest

from judged_run import FOUND, IDEAL, MEASURES, PRECISION, QRELS, RUN
from program import TestCase, run

class Metrics(TestCase):
    def measured(self, run_text=RUN, qrels=QRELS, *options):
        outcome = run('metrics', *options, self.path('a.run', run_text), self.path('a.qrels', qrels))
        self.assertEqual(outcome.status, 0, outcome)
        return outcome

    def of(self, name, run_text=RUN, qrels=QRELS):
        name_and_value, queries = self.measured(run_text, qrels, '--measure', name).out.splitlines()
        self.assertEqual(name_and_value.split()[0], name)
        return float(name_and_value.split()[1]) * int(queries.split()[1])

    def test_measures(self):
        """Queries without relevant documents, and those without results, are 0."""
        for name, value in MEASURES.items():
            self.assertAlmostEqual(self.of(name), value, delta=3e-6, msg=name)

    def test_order(self):
        """Equal scores keep the order of the file, and what is no number comes last."""
        qrels = 'q 0 a 1\n'
        for scores, value in (('1 1', 1 / 2), ('nan 1', 1), ('nan -inf', 1 / 2), ('1 2', 1), ('inf 1', 1 / 2)):
            of_b, of_a = scores.split()
            found = 'q Q0 b 1 %s x\nq Q0 a 2 %s x\n' % (of_b, of_a)
            self.assertAlmostEqual(self.of('mrr', found, qrels), value, delta=1e-6, msg=scores)

    def test_what_is_printed(self):
        outcome = self.measured()
        self.assertEqual(outcome.out, 'ndcg@10     %.6f\nmap         %.6f\nmrr         0.166667\nrecall@100  0.222222\n'
                         'queries     3\n' % (FOUND / IDEAL / 3, PRECISION / 3))
        self.assertEqual(outcome.err, 'warning: 1 of the queries are in the judgements alone; they count as 0\n'
                         'warning: 1 of the queries are in the run alone; they do not count\n')
        outcome = self.measured(RUN, QRELS, '--per-query', '--measure', 'mrr')
        self.assertEqual(outcome.out, 'mrr      q1   0.500000\nmrr      q2   0.000000\nmrr      q3   0.000000\n'
                         'mrr      all  0.166667\n')

    def test_failures(self):
        good = self.path('good.qrels', QRELS)
        for text, message in (('q1 Q0 a 1 2\n', ':1: error: the line has 5 fields'),
                              ('q1 Q0 a 1 x t\n', '"x" is no number'),
                              ('q1 Q0 a 1 1 t\nq1 Q0 a 1 1 t\n', ':2: error: document "a" is there twice')):
            outcome = run('metrics', self.path('bad.run', text), good)
            self.assertEqual((outcome.status, outcome.out), (1, ''), outcome)
            self.assertIn(message, outcome.err)
        self.assertEqual(run('metrics', self.path('a.run', RUN), self.path('empty.qrels', '\n')).status, 1)
        outcome = run('metrics', self.path('a.run'), self.path('none'))
        self.assertEqual(outcome.status, 3)
        for arguments in ((good,), (good, good, good), ('--measure', 'dcg', good, good), ('--measure', 'map@0', good, good)):
            self.assertEqual(run('metrics', *arguments).status, 2, arguments)


if __name__ == '__main__':
    unittest.main()
