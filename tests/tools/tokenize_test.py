"""tenrex tokenize: lines of texts to lines of tokens."""

import json
import os
import random
import subprocess
import unittest

from program import ENVIRONMENT, PROGRAM, TestCase, run

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOKENIZER = os.path.join(ROOT, 'tests/text/trained/byte_level_gpt.json')
VOCABULARY = '[PAD]\n[UNK]\n[CLS]\n[SEP]\nun\n##able\n\u00e9t\u00e9\nete\n'


class Tokenize(TestCase):
    def tokenize(self, texts, *options, tokenizer=None):
        lines = ''.join(json.dumps(text if isinstance(text, dict) else {'text': text}) + '\n' for text in texts)
        tokenizer = tokenizer or self.path('vocab.txt', VOCABULARY)
        return run('tokenize', '--tokenizer', tokenizer, *options, stdin=lines)

    def expect(self, out, *arguments, **options):
        outcome = self.tokenize(*arguments, **options)
        self.assertEqual((outcome.status, outcome.out, outcome.err), (0, out, ''))

    def test_texts(self):
        self.expect('{"ids":[2,4,5,3],"offsets":[[0,0],[0,2],[2,6],[0,0]]}\n{"ids":[2,3],"offsets":[[0,0],[0,0]]}\n',
                    ['unable', ''])

    def test_offsets(self):
        self.expect('{"ids":[2,7,1,3],"offsets":[[0,0],[1,4],[5,6],[0,0]]}\n', [' \u00c9t\u00e9 x'])
        self.expect('{"ids":[2,7,1,3],"offsets":[[0,0],[1,6],[7,8],[0,0]]}\n', [' \u00c9t\u00e9 x'], '--bytes')

    def test_cased(self):
        self.expect('{"ids":[6,1],"offsets":[[0,3],[4,7]]}\n', ['\u00e9t\u00e9 Ete'], '--cased', '--bare')

    def test_pairs(self):
        self.expect('{"ids":[2,4,3,7,3],"offsets":[[0,0],[0,2],[0,0],[0,3],[0,0]]}\n', [{'text': 'un', 'pair': 'ete'}], '--pair')
        self.expect('{"ids":[2,4,3,7,3],"offsets":[[0,0],[0,2],[0,0],[0,3],[0,0]]}\n',
                    [{'id': [1, {}], 'pair': 'ete ete', 'text': 'un un'}], '--pair', '--max-length', '5')

    def test_special_tokens_in_texts(self):
        self.expect('{"ids":[3],"offsets":[[0,5]]}\n', ['[SEP]'], '--bare')
        self.expect('{"ids":[1,1,1],"offsets":[[0,1],[1,4],[4,5]]}\n', ['[SEP]'], '--bare', '--plain')

    def test_files(self):
        path = self.path('texts.jsonl', '{"text":"The fox"}\n\n \n{"text":"no \\ud83d\\ude00"}')
        outcome = run('tokenize', '--tokenizer', TOKENIZER, path)
        self.assertEqual((outcome.status, outcome.err), (0, ''))
        lines = [json.loads(line) for line in outcome.out.splitlines()]
        self.assertEqual([line['offsets'][-1] for line in lines], [[4, 7], [3, 4]])

    @unittest.skipIf(os.environ.get('TENREX_TEST_SANITIZER'), 'sanitizers keep memory that is given back')
    def test_memory_does_not_grow_with_the_texts(self):
        """Words that never came before fill what is kept of words; then there is no more."""
        chance = random.Random(1)
        most = []
        with subprocess.Popen([PROGRAM, 'tokenize', '--tokenizer', TOKENIZER], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                              env=ENVIRONMENT) as program:
            for count in (2000, 8000):
                for _ in range(count):
                    words = ' '.join('%x' % chance.getrandbits(120) for _ in range(20))
                    program.stdin.write(b'{"text":"%s"}\n' % words.encode())
                program.stdin.flush()
                with open('/proc/%d/status' % program.pid, encoding='utf-8') as status:
                    most.append(next(int(line.split()[1]) for line in status if line.startswith('VmHWM:')))
        self.assertEqual(program.returncode, 0)
        self.assertLess(most[1], most[0] + 1024)  # kB

    def test_wrong_lines(self):
        for line, message in (('{"text":1}', 'standard input:1:1:9: error: a string is expected'),
                              ('{}', 'standard input:1: error: the line lacks "text"'),
                              ('[1]', 'standard input:1: error: '),
                              ('{"text":"a","pair":"b"}', 'standard input:1:1:20: error: the line has a pair\n  hint: read pairs with --pair'),
                              ('{"text":"a"} x', 'standard input:1:1:14: error: something follows the object')):
            outcome = run('tokenize', '--tokenizer', TOKENIZER, stdin=line)
            self.assertEqual(outcome.status, 1, line)
            self.assertIn(message, outcome.err, line)
        outcome = self.tokenize(['a', 'b'], '--pair')
        self.assertIn('lacks "pair"', outcome.err)
        outcome = self.tokenize(['un', 'un'], '--max-length', '1')
        self.assertEqual((outcome.status, outcome.out), (1, ''))
        self.assertIn('2 are put around', outcome.err)

    def test_wrong_usage(self):
        self.assertEqual(run('tokenize').status, 2)
        self.assertEqual(run('tokenize', '--tokenizer', TOKENIZER, 'a', 'b').status, 2)
        self.assertEqual(run('tokenize', '--tokenizer', TOKENIZER, self.path('none')).status, 3)
        outcome = run('tokenize', '--tokenizer', self.path('bad.json', '{"model":{"type":"Odd"}}'))
        self.assertEqual(outcome.status, 1)
        self.assertIn('bad.json:1:18: error: the model "Odd" is not supported', outcome.err)


if __name__ == '__main__':
    unittest.main()
