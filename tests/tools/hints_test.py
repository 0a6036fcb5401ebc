"""What people type who come from other languages, and what they are told."""

import unittest

from program import TestCase, run


class Names(TestCase):
    def test_functions_of_other_languages(self):
        for expression, hint in (('ln(a)', 'write log(a): it is the natural logarithm'),
                                 ('log2(a)', 'write log(a)/log(2)'),
                                 ('mean(v)', 'write avg(t), or avg(t, dimension)'),
                                 ('dot(v, w)', 'write sum(a*b), or sum(a*b, dimension)'),
                                 ('norm(v)', 'write sqrt(sum(t*t)); l2_normalize(t, dimension) divides by it'),
                                 ('clamp(a, 0, 1)', 'write min(max(a, low), high)'),
                                 ('coalesce(a, 0)', 'write if(isNan(a), b, a)'),
                                 ('COALESCE(a, 0)', 'write if(isNan(a), b, a)'),
                                 ('pi * a', 'write 3.141592653589793'),
                                 ('nan', '0/0 is NaN; isNan(a) finds it'),
                                 ('map(v, f(x)(ln(x)))', 'write log(a): it is the natural logarithm'),
                                 ('not a', 'write !a'),
                                 ('NOT a', 'write !a'),
                                 ('a ? 1 : 2', 'write if(condition, a, b)'),
                                 ('a and a', "did you mean '&&'?"),
                                 ('a ** 2', "did you mean '^'?"),
                                 ('greatest(a, b)', 'write max(a, b)'),
                                 ('power(a, 2)', 'write a^b'),
                                 ('saturation(a, 2)', 'write a/(a+pivot)'),
                                 ('l2norm(v, w)', 'write euclidean_distance(a, b, dimension)'),
                                 ('logistic(a)', 'write sigmoid(a)'),
                                 ('std(v)', 'write sqrt(avg(t*t)-avg(t)^2)'),
                                 ('a == True', 'write true'),
                                 ('a is None', 'write a == b; a number that is not there is NaN: isNan(a) finds it'),
                                 ('now()', 'give it a value, the seconds since 1970; only rank profiles know it as now'),
                                 ('a * idf', 'give it a value: statistics of words come from the engine, as bm25(field) does'),
                                 ('tf(a, b)', 'give it a value: statistics of words come from the engine, as bm25(field) does'),
                                 ('_score', 'write firstPhase in the second phase of a rank profile; elsewhere give it a value'),
                                 ("doc['price'].value * a", 'write attribute(name)'),
                                 ('doc["price"]', 'write attribute(name)'),
                                 ('doc.price', 'write attribute(name)'),
                                 ('params.boost * a', 'write query(name)'),
                                 ('field(a)', 'write attribute(name)'),
                                 ('product(a, b)', 'write a*b of two values, prod(t) or prod(t, dimension) of the cells of one'),
                                 ('maximum(a, b)', 'write max(a, b)'),
                                 ('sqr(a)', 'write a*a, or sqrt(a) for the root'),
                                 ('exists(a)', 'write !isNan(a): a number that is not there is NaN'),
                                 ('cast(a as float)', 'numbers are doubles; cell_cast(t, float) changes the cells of a tensor'),
                                 ('decayNumericExp(a, b)', 'write decay^(abs(a-origin)/scale)'),
                                 ('let x = a', 'there are no variables: write the value in its place; what stands twice is computed once'),
                                 ('return a', 'leave it out: an expression is its value'),
                                 ('v <-> w', 'write euclidean_distance(a, b, dimension)'),
                                 ('v <=> w', 'write 1-cosine_similarity(a, b, dimension) for the distance'),
                                 ('a * 1,5', 'the decimal sign is a point: 1.5'),
                                 ('count(*)', 'count(t) counts the cells of a tensor'),
                                 ('geodist(a, b)', 'write distance(field, name) in a rank profile; its distance-metric is geodegrees'),
                                 ('strdist("a", "b", edit)', 'give it a value: texts can be compared with ==, != and in alone'),
                                 ('gauss(a, b)', 'write decay^((abs(a-origin)/scale)^2)'),
                                 ('avg(a, b)', 'the mean of two numbers is (a + b) / 2'),
                                 ('sum(a, b)', 'numbers are added with a + b'),
                                 ('sum(sqrt(a), sqrt(b))', 'numbers are added with a + b'),
                                 ('sum(a, bm25(b))', 'numbers are added with a + b'),
                                 ('sum(v, x y)', 'usage: sum(t [, dimension]*)'),
                                 ('prod(a, b)', 'numbers are multiplied with a * b'),
                                 ('max(a, b, c)', 'max of three values is max(max(a, b), c)'),
                                 ('min(a, 1, 2)', 'min of three values is min(min(a, b), c)')):
            outcome = self.fails(1, 'hint: ' + hint + '\n', 'eval', expression, 'a=1', 'b=2', 'c=3',
                                 'v=tensor(x[2]):[1,2]', 'w=tensor(x[2]):[3,4]')
            self.assertEqual(outcome.err.count('error:'), 2 if expression == 'max(a, b, c)' else 1, outcome.err)

    def test_an_input_of_that_name_is_the_input(self):
        self.prints('3', 'eval', 'pi + mean', 'pi=1', 'mean=2')
        self.prints('3', 'eval', 'dot(a) + 1', 'dot(a)=2')

    def test_in_rank_profiles(self):
        for expression, hint in (('ln(attribute(price))', 'write log(a): it is the natural logarithm'),
                                 ('geodist(attribute(place), 1)', 'write distance(field, name) in a rank profile; its distance-metric is geodegrees'),
                                 ('gauss(attribute(price), 1)', 'write decay^((abs(a-origin)/scale)^2)'),
                                 ('idf * 2', 'give it a value: statistics of words come from the engine, as bm25(field) does'),
                                 ("doc['price'].value", 'write attribute(name)'),
                                 ('sum(attribute(a), attribute(b))', 'numbers are added with a + b'),
                                 ('1,5 * attribute(a)', 'the decimal sign is a point: 1.5')):
            profile = self.path('p.profile', 'rank-profile p { first-phase { expression { %s } } }' % expression)
            outcome = self.fails(1, 'hint: ' + hint + '\n', 'check', profile)
            self.assertEqual(outcome.err.count('error:'), 1, outcome.err)
        # What engines have is declared, whatever it is called elsewhere.
        profile = self.path('p.profile', 'rank-profile p { first-phase { expression: term(0).significance } }')
        self.fails(1, "--feature 'term(0).significance'", 'check', profile)

    def test_search(self):
        out = run('functions', 'distance').out
        self.assertIn('\n  euclidean_distance(a, b, dimension)', out)
        self.assertIn('\n  hamming(', run('functions', 'BITS').out)
        self.assertIn('cosine_similarity(', run('functions', 'cosin').out)
        self.assertTrue(run('functions', 'dot').out.startswith('there is no dot: write sum(a*b), or sum(a*b, dimension)\n'))
        self.fails(1, 'there is no function "qq"', 'functions', 'qq')
        self.assertIn('euclidean_distance', run('repl', stdin=':help distance\n').out)


class CommandLines(TestCase):
    def test_an_expression_that_looks_like_an_option(self):
        self.fails(2, "An expression that begins with '-' needs '--' in front of it.", 'eval', '-a', 'a=1')
        self.assertNotIn("needs '--'", self.fails(2, '--nonsense', 'eval', '--nonsense', 'a').err)

    def test_an_input_without_its_stage(self):
        for command in ('explain', 'bench'):
            self.fails(2, 'Inputs are given with the time at which they are known: --query, --document or --constant.',
                       command, 'sum(q)', 'q:tensor(x[2])')


class Slips(TestCase):
    def warns(self, warning, *arguments):
        outcome = run('eval', *arguments)
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIn(warning, outcome.err)

    def test_a_sum_over_pairs_without_a_common_dimension(self):
        q, d = 'q=tensor(x[3]):[1,2,3]', 'd=tensor(y[3]):[1,2,3]'
        warning = 'tensor(x[3]) and tensor(y[3]) have no dimension in common'
        for expression in ('sum(q*d)', 'reduce(q*d, sum, x, y)', 'sum(2*(q*d)+1)', 'sqrt(sum((q-d)^2))', 'avg(q*d)'):
            self.warns(warning, expression, q, d)
        self.warns('hint: if the dimensions are the same, rename one: rename(t, y, x)', 'sum(q*d)', q, d)
        for expression in ('q*d', 'sum(q*d, x)', 'max(q*d, x, y)', 'sum(q)*sum(d)', 'sum(q*q)'):
            self.assertEqual(run('eval', expression, q, *([d] if 'd' in expression.replace('reduce', '') else [])).err, '')
        self.assertEqual(run('eval', 'sum(q*d)', q, 'd=tensor(y[1]):[2]').err, '')

    def test_a_symbol_that_is_a_dimension_too(self):
        t = 't=tensor(x[2]):[1,2]'
        for function in ('max', 'min'):
            self.warns("warning: 'x' is a symbol and a dimension of tensor(x[2]); here it is the symbol", '%s(t, x)' % function, t, 'x=3')
            self.warns('hint: write reduce(..., %s, x) to reduce' % function, '%s(t, x)' % function, t, 'x=3')
        self.assertEqual(run('eval', 'max(t, x)', t).err, '')
        self.assertEqual(run('eval', 'reduce(t, max, x) + x', t, 'x=3').err, '')
        self.assertEqual(run('eval', 'sum(t, x) + x', t, 'x=3').err, '')

    def test_a_label_that_is_the_name_of_a_value(self):
        m = 'm=tensor(x{}):{i:1,j:2}'
        for expression in ('m{x:i}', 'm{i}'):
            self.warns("'i' is taken as the text of a label, not as the value 'i'", expression, m, 'i=3')
        self.assertEqual(run('eval', 'm{x:"i"}+i', m, 'i=3').err, '')
        self.assertEqual(run('eval', 'm{x:j}+i', m, 'i=3').err, '')
        self.warns("not as the value 'k'", 'tensor(k[2])(m{x:k})', m)


if __name__ == '__main__':
    unittest.main()
