"""Strings as values of inputs, wherever values go: eval, type, explain, bench, JSON Lines, the REPL."""

import json
import unittest

from program import TestCase, run


def answers(*requests):
    outcome = run('eval', '--jsonl', stdin=''.join(json.dumps(each) + '\n' for each in requests))
    assert outcome.status == 0 and outcome.err == '', outcome
    return [json.loads(line) for line in outcome.out.splitlines()]


def replies(*inputs):
    outcome = run('repl', '--json', stdin=''.join(json.dumps({'input': each}) + '\n' for each in inputs))
    return [json.loads(line) for line in outcome.out.splitlines()]


class Eval(TestCase):
    def test_a_string_stands_in_quotes(self):
        self.prints('1', 'eval', 'attribute(lang) == "de"', 'attribute(lang)="de"')
        self.prints('0', 'eval', 'attribute(lang) == "de"', "attribute(lang)='DE'")
        self.prints('1', 'eval', 'lang in ["de", "at"]', r'lang="\x64e"')
        self.prints('2', 'eval', 'if(lang != "de", 1, 2)', 'lang="de"', '--reference')

    def test_a_declared_string_needs_no_quotes(self):
        self.prints('1', 'eval', 'lang == "de"', '--type', 'lang=string', 'lang=de')
        self.prints('1', 'eval', 'lang == "de"', '--type', 'lang=string', 'lang="de"')
        self.prints('1', 'eval', 'lang == "1.5"', '--type', 'lang=string', 'lang=1.5')
        self.prints('1', 'eval', 'lang == "a b"', '--type', 'lang=string', 'lang=@' + self.path('text', 'a b'))

    def test_a_string_that_does_not_end(self):
        outcome = self.fails(1, 'lang:1:4: error: the string in quotes does not end', 'eval', 'lang == "de"', 'lang="de')
        self.assertIn('hint: end it with "', outcome.err)
        self.fails(1, "unexpected 'x' after the value", 'eval', 'lang == "de"', 'lang="de"x')
        self.fails(1, "expected '['", 'eval', 'v', '--type', 'v=tensor(x[2])', 'v="de"')

    def test_orders_and_arithmetic_are_warned_about(self):
        for expression, what in (('lang < "x"', '<'), ('lang + 1', '+'), (' -lang', '-'), ('max(1, lang)', 'max'),
                                 ('lang && 1', '&&'), ('"a" ~= lang', '~=')):
            outcome = run('eval', expression, 'lang="de"')
            self.assertEqual(outcome.status, 0)
            self.assertIn("'%s' of a string computes with the number that stands for the text" % what, outcome.err)
            self.assertIn('hint: strings can be compared with ==, != and in', outcome.err)
        outcome = run('eval', 'lang == 3', 'lang="de"')
        self.assertIn('a string is compared with a number; no text is equal to one', outcome.err)
        self.prints('0', 'eval', 'isNan(lang) + ("de" == lang) - 1', 'lang="de"')

    def test_type(self):
        self.prints('double', 'type', 'if(lang == "de", 1, 2)', 'lang=string')
        self.prints('double', 'type', 'if(lang == "de", 1, 2)', 'lang="de"')
        self.assertIn("'<' of a string", run('type', 'lang < "x"', 'lang=string').err)


class OtherCommands(TestCase):
    def test_explain(self):
        outcome = run('explain', 'if(lang == "de", 1, price)', '--document', 'lang:string', '--document', 'price')
        self.assertEqual((outcome.status, outcome.err), (0, ''))
        self.assertRegex(outcome.out, r'document +lang +string\n')

    def test_bench_takes_strings_at_random(self):
        for lang in ('lang:string', 'lang="1"'):
            outcome = run('bench', 'lang in ["1", "2"]', '--document', lang, '--runs', '1', '--documents', '64', '--json')
            self.assertEqual((outcome.status, outcome.err), (0, ''))
            self.assertTrue(json.loads(outcome.out)['checked'])

    def test_json_lines(self):
        self.assertEqual(
            answers({'id': 1, 'expression': 'lang == "de"', 'inputs': {'lang': '"de"'}},
                    {'id': 2, 'expression': 'lang == "de"', 'inputs': {'lang': 'de'}, 'types': {'lang': 'string'}},
                    {'id': 3, 'expression': 'lang == "de"', 'inputs': {'lang': '"at"'}, 'types': {'lang': 'string'}},
                    {'id': 4, 'expression': 'lang == "de"', 'types': {'lang': 'string'}, 'type_only': True}),
            [{'id': 1, 'result': '1'}, {'id': 2, 'result': '1'}, {'id': 3, 'result': '0'}, {'id': 4, 'type': 'double'}])


class Repl(TestCase):
    def test_shows_texts(self):
        outcome = run('repl', stdin='a = "de"\n:inputs\na\nif(a == "x", "yes", "no")\nit\na == "de"\n')
        self.assertEqual((outcome.status, outcome.err), (0, ''))
        self.assertEqual(outcome.out, 'a  string  "de"\n"de"\n"no"\n"no"\n1\n')

    def test_saves_texts(self):
        path = self.path('session')
        outcome = run('repl', stdin='a = "d\\"e"\n:save %s\n' % path)
        self.assertEqual(outcome.status, 0)
        self.assertEqual(run('repl', stdin=':load %s\na\n' % path).out, '"d\\"e"\n')

    def test_protocol(self):
        assigned, value, number = replies('a = "de"', 'a', 'a == "de"')
        self.assertEqual((assigned['type'], assigned['value']), ('string', '"de"'))
        self.assertEqual((value['type'], value['value']), ('string', '"de"'))
        self.assertEqual((number['type'], number['value']), ('double', '1'))


if __name__ == '__main__':
    unittest.main()
