"""tenrex embed: lines of texts to vectors."""

import ast
import glob
import json
import math
import os
import signal
import struct
import time
import unittest

from bert_writer import config, safetensors, tensor_file
from onnx_writer import INT64, floats, model, node, port
from program import TestCase, run, start

WORDS = ['[UNK]', '[CLS]', '[SEP]', 'un', '##able']  # as many as the model of the test knows
TEXTS = ['unable', 'un', '', 'un un', 'able un', 'unable un un']


def lines(texts):
    return ''.join(json.dumps({'text': text}) + '\n' for text in texts)


class Embed(TestCase):
    def setUp(self):
        super().setUp()
        self.path('model.safetensors', safetensors())
        self.path('config.json', config())
        self.path('vocab.txt', '\n'.join(WORDS) + '\n')

    def embed(self, texts, *options, **how):
        outcome = run('embed', '--model', self.directory, *options, stdin=lines(texts), **how)
        self.assertEqual((outcome.status, outcome.err), (0, ''), outcome)
        return outcome.out

    def vectors(self, texts, *options):
        return [json.loads(line)['vector'] for line in self.embed(texts, *options).splitlines()]

    def array(self, name):
        """The kind of cells, the shape and the bytes."""
        with open(self.path(name), 'rb') as file:
            content = file.read()
        self.assertEqual(content[:10], b'\x93NUMPY\x01\0\x76\0')
        header = ast.literal_eval(content[10:128].decode())
        self.assertFalse(header['fortran_order'])
        return header['descr'], header['shape'], content[128:]

    def expected(self, text, expression, *options):
        """What the reference evaluator makes of the tokens."""
        tokens = run('tokenize', '--tokenizer', self.path('vocab.txt'), stdin=lines([text])).out
        ids = json.loads(tokens)['ids']

        def row(name, numbers):
            return '%s=tensor(d0[1],d1[%d]):%s' % (name, len(numbers), json.dumps([numbers]))

        done = run('eval', '--reference', *options, '--model', 'm=' + self.path('model.safetensors'), expression,
                   row('input_ids', ids), row('attention_mask', [1] * len(ids)), row('token_type_ids', [0] * len(ids)))
        self.assertEqual((done.status, done.err), (0, ''))
        return json.loads(done.out.split(':', 1)[1])

    def expect_close(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a, b, places=5)

    def test_pooling(self):
        for options, expression in (((), 'reduce(onnx(m),avg,d0,d1)'), (('--pooling', 'cls'), 'onnx(m){d0:0,d1:0}'),
                                    (('--pooling', 'max'), 'reduce(onnx(m),max,d0,d1)'),
                                    (('--normalize',), 'l2_normalize(reduce(onnx(m),avg,d0,d1),d2)')):
            texts = (TEXTS[0], TEXTS[2])
            for text, vector in zip(texts, self.vectors(texts, *options)):
                self.expect_close(vector, self.expected(text, expression))
        found = self.vectors(TEXTS[:1], '--precision', 'int8')[0]
        self.expect_close(found, self.expected(TEXTS[0], 'reduce(onnx(m),avg,d0,d1)', '--precision', 'int8'))
        self.assertNotEqual(found, self.vectors(TEXTS[:1])[0])

    def test_first_cells(self):
        whole = self.vectors(TEXTS)
        self.assertEqual(self.vectors(TEXTS, '--dimensions', '2'), [vector[:2] for vector in whole])
        for vector, short in zip(whole, self.vectors(TEXTS, '--dimensions', '3', '--normalize')):
            length = math.hypot(*vector[:3])
            self.expect_close(short, [cell / length for cell in vector[:3]])
        self.fails(1, 'vectors of the first 5 cells are wanted, but the model gives 4', 'embed', '--model',
                   self.directory, '--dimensions', '5')

    def test_any_threads_and_order(self):
        texts = TEXTS * 25
        once = self.embed(texts).splitlines()
        self.assertEqual(len(once), len(texts))
        self.assertEqual(self.embed(texts, '--threads', '3').splitlines(), once)
        self.assertEqual(self.embed(texts[::-1], '--threads', '2').splitlines(), once[::-1])
        self.assertEqual(self.embed(texts[1:2]).splitlines(), once[1:2])

    def test_arrays(self):
        vectors = self.vectors(TEXTS)
        self.assertEqual(self.embed(TEXTS, '-o', self.path('v.npy')), '')
        kind, shape, cells = self.array('v.npy')
        self.assertEqual((kind, shape), ('<f4', (6, 4)))
        self.expect_close(struct.unpack('<24f', cells), sum(vectors, []))
        self.embed([], '-o', self.path('v.npy'))
        self.assertEqual(self.array('v.npy'), ('<f4', (0, 4), b''))
        self.assertEqual(self.embed([]), '')

    def test_whole_numbers(self):
        vectors = self.vectors(TEXTS)
        numbers = [[round(127 * cell / max(map(abs, vector))) for cell in vector] for vector in vectors]
        self.assertEqual(self.vectors(TEXTS, '--cells', 'int8'), numbers)
        self.embed(TEXTS, '--cells', 'int8', '-o', self.path('v.npy'))
        self.assertEqual(self.array('v.npy'), ('|i1', (6, 4), struct.pack('24b', *sum(numbers, []))))
        bits = [[sum(128 >> i for i, cell in enumerate(vector) if cell > 0)] for vector in vectors]
        self.embed(TEXTS, '--cells', 'bits', '-o', self.path('v.npy'))
        self.assertEqual(self.array('v.npy'), ('|i1', (6, 1), bytes(sum(bits, []))))
        signed = [[byte - 256 if byte > 127 else byte for byte in each] for each in bits]
        self.assertEqual(self.vectors(TEXTS, '--cells', 'bits'), signed)

    def test_prefix(self):
        self.assertEqual(self.vectors(['able', ' un'], '--prefix', 'un'), self.vectors(['unable', 'un un']))
        self.path('config_sentence_transformers.json',
                  '{"prompts":{"query":"un"},"default_prompt_name":"query"}')
        found = self.vectors(['able'])
        self.assertEqual(found, self.vectors(['unable'], '--prefix', ''))
        self.assertNotEqual(found, self.vectors(['able'], '--prefix', ''))

    def test_folder(self):
        os.mkdir(self.path('1_Pooling'))
        kinds = ['Transformer', 'Pooling', 'Normalize']
        self.path('modules.json', json.dumps([
            {'idx': i, 'type': 'sentence_transformers.models.' + kind, 'path': '1_Pooling' if i == 1 else ''}
            for i, kind in enumerate(kinds)]))
        for mode, how in (('cls_token', 'cls'), ('max_tokens', 'max'), ('mean_tokens', 'mean')):
            self.path('1_Pooling/config.json', '{"pooling_mode_%s":true,"pooling_mode_lasttoken":false}' % mode)
            found = self.embed(TEXTS)
            self.assertEqual(self.embed(TEXTS, '--pooling', how), found)
            self.assertAlmostEqual(math.hypot(*json.loads(found.splitlines()[0])['vector']), 1, places=6)
        for content, message in (('{"pooling_mode_lasttoken":true}', 'pooling_mode_lasttoken is not supported'),
                                 ('{"pooling_mode_cls_token":true,"pooling_mode_max_tokens":true}', 'beside another'),
                                 ('{"include_prompt":false}', 'left out of the vector'), ('{', 'is no JSON')):
            self.path('1_Pooling/config.json', content)
            self.fails(1, message, 'embed', '--model', self.directory)
        self.path('modules.json', '[{"type":"sentence_transformers.models.WeightedLayerPooling","path":""}]')
        self.fails(1, "the module 'sentence_transformers.models.WeightedLayerPooling' is not supported", 'embed', '--model',
                   self.directory)

    def dense(self, name, weights, biases=None, **config):
        """The folder of a module Dense."""
        os.makedirs(self.path(name), exist_ok=True)
        self.path(name + '/config.json', json.dumps({'in_features': len(weights[0]), 'out_features': len(weights), **config}))
        tensors = {'linear.weight': ((len(weights), len(weights[0])), sum(weights, []))}
        if biases is not None:
            tensors['linear.bias'] = ((len(biases),), biases)
        self.path(name + '/model.safetensors', tensor_file(tensors))

    def modules(self, *kinds):
        self.path('modules.json', json.dumps([{'type': 'sentence_transformers.models.' + kind, 'path': path}
                                              for kind, path in kinds]))

    def test_layers(self):
        os.mkdir(self.path('1_Pooling'))
        self.path('1_Pooling/config.json', '{"pooling_mode_mean_tokens":true}')
        plain = self.vectors(TEXTS)
        one, two = [[1, 0, -2, 0.5], [0.25, 3, 0, 1], [0, 0, 1, -1]], [[1, 2, 3], [-1, 0, 4]]
        self.dense('2_Dense', one, [0.5, -1, 0], bias=True)
        self.dense('3_Dense', two, activation_function='torch.nn.modules.linear.Identity', bias=False)
        front = (('Transformer', ''), ('Pooling', '1_Pooling'), ('Dense', '2_Dense'))

        def layer(weights, bias, vector):
            return [sum(w * cell for w, cell in zip(row, vector)) + b for row, b in zip(weights, bias)]
        self.modules(*front)
        after = [[math.tanh(cell) for cell in layer(one, [0.5, -1, 0], vector)] for vector in plain]
        for found, expected in zip(self.vectors(TEXTS), after):
            self.expect_close(found, expected)
        for found, expected in zip(self.vectors(TEXTS, '--dimensions', '2'), after):
            self.expect_close(found, expected[:2])
        self.modules(*front, ('Dense', '3_Dense'), ('Normalize', ''))
        for found, vector in zip(self.vectors(TEXTS), after):
            expected = layer(two, [0, 0], vector)
            self.expect_close(found, [cell / math.hypot(*expected) for cell in expected])
        for wrong, message in (((front[0], front[2]), 'a layer over the vectors of tokens is not supported'),
                               ((*front[:2], ('Normalize', ''), front[2]), 'a layer behind Normalize is not supported'),
                               ((*front[:2], ('Dense', '3_Dense')), 'takes vectors of 3 cells, but there are 4'),
                               (front[:2] + (front[2], ('Dense', '3_Dense')) * 5, 'there are too many layers')):
            self.modules(*wrong)
            self.fails(1, message, 'embed', '--model', self.directory)
        self.modules(*front)
        for name, content, message in (
                ('config.json', '{"in_features":4,"out_features":3,"activation_function":"x.GELU"}', 'the function "x.GELU" is not'),
                ('config.json', '{"in_features":4}', 'does not say how many'), ('config.json', '[', 'does not say how many'),
                ('model.safetensors', b'\xff' * 20, 'is no file of safetensors'),
                ('model.safetensors', tensor_file({}), 'linear.weight is no tensor<float>(c9[3],v[4])'),
                ('model.safetensors', tensor_file({'linear.weight': ((2, 4), [0] * 8)}), 'linear.weight is no'),
                ('model.safetensors', tensor_file({'linear.weight': ((3, 4), [0] * 12)}), 'linear.bias is no')):
            self.dense('2_Dense', one, [0.5, -1, 0])
            self.path('2_Dense/' + name, content)
            self.fails(1, message, 'embed', '--model', self.directory)
        os.remove(self.path('2_Dense/model.safetensors'))
        self.dense('2_Dense', one)
        os.remove(self.path('2_Dense/config.json'))
        self.fails(1, 'config.json', 'embed', '--model', self.directory)

    def test_cased_vocabularies(self):
        self.assertEqual(self.vectors(['UN']), self.vectors(['un']))
        self.path('tokenizer_config.json', '{"do_lower_case":false}')
        self.assertNotEqual(self.vectors(['UN']), self.vectors(['un']))

    def test_long_texts(self):
        """The model of the test has 6 positions."""
        for limits in ({}, {'sentence_bert_config.json': '{"max_seq_length":5}'}, {'tokenizer_config.json': '{"model_max_length":4}'}):
            for name, content in limits.items():
                self.path(name, content)
            words = {'sentence_bert_config.json': 3, 'tokenizer_config.json': 2}.get(*limits, 4) if limits else 4
            done = run('embed', '--model', self.directory, '--prefix', 'un ', stdin=lines(['un ' * 9, 'un']))
            self.assertEqual(done.status, 0)
            self.assertEqual(done.err, 'warning: 1 of 2 texts have more tokens than are taken; their ends were cut off\n')
            self.assertEqual(json.loads(done.out.splitlines()[0])['vector'], self.vectors(['un ' * words])[0])
            for name in limits:
                os.remove(self.path(name))
        self.fails(1, 'at most 7 tokens are wanted, but the model has 6 positions', 'embed', '--model',
                   self.directory, '--max-length', '7')

    def test_vectors_that_the_model_makes(self):
        network = model([node('Gather', ['w', 'input_ids'], ['rows']),
                         node('ReduceMean', ['rows'], ['out'], axes=[1], keepdims=0)],
                        [floats('w', [5, 2], list(range(10)))], [port('input_ids', ['batch', 'sequence'], INT64)],
                        [port('out', ['batch', 2])])
        self.path('model.onnx', network)
        self.assertEqual(self.vectors(['un', 'unable']), [[4, 5], [5, 6]])
        os.remove(self.path('model.onnx'))

    def test_the_first_output_that_has_vectors(self):
        """Some exporters list what lies on the way, too."""
        network = model([node('Gather', ['w', 'input_ids'], ['rows']), node('Cast', ['input_ids'], ['way'], to=1)],
                        [floats('w', [5, 2], list(range(10)))], [port('input_ids', ['batch', 'sequence'], INT64)],
                        [port('way', ['batch', 'sequence']), port('rows', ['batch', 'sequence', 2])])
        self.path('model.onnx', network)
        self.assertEqual(self.vectors(['un', 'unable']), [[4, 5], [5, 6]])
        os.remove(self.path('model.onnx'))

    def test_cache(self):
        expected = self.embed(TEXTS * 40)
        for cache, threads in (('1M', '3'), ('0', '1')):
            done = run('embed', '--model', self.directory, '--cache', cache, '--threads', threads, stdin=lines(TEXTS * 40))
            self.assertEqual((done.status, done.out), (0, expected))
            counts = [int(word) for word in done.err.replace(',', '').split() if word.isdigit()]
            self.assertEqual(counts[0] + counts[1], 240)
            self.assertEqual(counts[2], 6 if cache == '1M' else 0)
            # Texts of a block are computed together, and threads may compute one at the same time.
            self.assertEqual(counts[0] > 150, cache == '1M')
        for size in ('M', '-1', '1.5M', '1T', '99999999999G'):
            self.assertEqual(run('embed', '--model', self.directory, '--cache', size).status, 2, size)

    def test_wrong_folders(self):
        self.path('vocab.txt', '\n'.join(WORDS) + '\nanother\n')
        self.fails(1, 'the tokenizer has 6 tokens, the model 5', 'embed', '--model', self.directory)
        os.remove(self.path('vocab.txt'))
        self.fails(1, 'has no tokenizer', 'embed', '--model', self.directory)
        os.remove(self.path('model.safetensors'))
        self.fails(1, 'has no model', 'embed', '--model', self.directory)
        self.path('vocab.txt', '\n'.join(WORDS) + '\n')
        row = floats('w', [2], [1, 2])
        for inputs, outputs, message in ((['x', 'input_ids'], ['out', [2]], 'the input "x" is none of an encoder'),
                                         (['input_ids'], ['out', [2]], 'but a vector for each token, or of the text')):
            self.path('model.onnx', model([node('Add', ['w', 'w'], ['out'])], [row],
                                          [port(name, ['n', 'm'], INT64) for name in inputs], [port(*outputs)]))
            self.fails(1, message, 'embed', '--model', self.directory)

    def test_wrong_lines(self):
        done = run('embed', '--model', self.directory, stdin='{"text":"un"}\n{"text":1}\n')
        self.assertEqual((done.status, len(done.out.splitlines())), (1, 1))
        self.assertIn('standard input:2:1:9: error: a string is expected', done.err)
        out = self.path('v.jsonl')
        self.fails(1, 'standard input:1', 'embed', '--model', self.directory, '-o', out, stdin='{}')
        self.assertFalse(os.path.exists(out))
        self.assertEqual(self.vectors(['un']), [json.loads(line)['vector'] for line in run(
            'embed', '--model', self.directory, stdin='{"id":[1],"pair":2,"text":"un"}\n\n').out.splitlines()])

    def test_usage(self):
        for arguments in ((), ('--model', 'a', 'b', 'c'), ('--model', 'a', '--resume'), ('--model', 'a', '--pooling', 'sum'),
                          ('--model', 'a', '--cells', 'half')):
            self.assertEqual(run('embed', *arguments).status, 2, arguments)
        self.fails(3, 'none.jsonl', 'embed', '--model', self.directory, self.path('none.jsonl'))
        self.fails(3, 'cannot write', 'embed', '--model', self.directory, '-o', self.path('no/v.npy'))

    def test_goes_on_after_an_interruption(self):
        texts = self.path('texts.jsonl', lines(TEXTS * 40))
        for name in ('v.npy', 'v.jsonl'):
            out = self.path(name)
            arguments = ('embed', '--model', self.directory, texts, '-o', out, '--resume')
            self.assertEqual(run(*arguments).status, 0)
            with open(out, 'rb') as file:
                whole = file.read()
            os.remove(out)
            self.assertEqual(glob.glob(out + '*'), [])
            unfinished = self.unfinished(arguments, out)
            for kept in (129, len(whole) // 2, len(whole)):
                with open(unfinished, 'wb') as file:
                    file.write(whole[:kept])
                done = run(*arguments)
                self.assertEqual((done.status, done.out), (0, ''), done)
                with open(out, 'rb') as file:
                    self.assertEqual(file.read(), whole)
                vectors = max(0, kept - 128) // 16 if name == 'v.npy' else whole[:kept].count(b'\n')
                self.assertEqual(done.err, '' if vectors == 0 else
                                 'warning: %d of 240 vectors were there already\n' % vectors)
                self.assertFalse(os.path.exists(unfinished))
                os.remove(out)

    def unfinished(self, arguments, out):
        """The name of what an interruption leaves."""
        text = arguments[3]
        status = os.stat(text)
        with open(text, 'rb') as file:
            content = file.read()
        with open(text, 'r+b') as file:  # the same size and time, with a line that ends the command
            file.write(b'[')
        os.utime(text, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.assertEqual(run(*arguments).status, 1)
        self.assertFalse(os.path.exists(out))
        with open(text, 'r+b') as file:
            file.write(content)
        os.utime(text, ns=(status.st_atime_ns, status.st_mtime_ns))
        found = glob.glob(out + '.*.part')
        self.assertEqual(len(found), 1)
        return found[0]

    def test_a_signal_leaves_what_is_there(self):
        out = self.path('v.jsonl')
        arguments = ('embed', '--model', self.directory, '-o', out, '--resume')
        program = start(*arguments)
        program.stdin.write(lines(TEXTS * 400).encode())
        program.stdin.flush()
        found = []
        while not (found and os.path.getsize(found[0])):
            time.sleep(0.01)
            found = glob.glob(out + '.*.part')
        program.send_signal(signal.SIGTERM)
        program.communicate()
        self.assertEqual(program.returncode, -signal.SIGTERM)
        self.assertFalse(os.path.exists(out))
        self.assertNotEqual(os.path.getsize(found[0]), 0)
        # Fewer texts are others.
        self.fails(1, 'vectors were written before, but there are 1 texts', *arguments, stdin=lines(['un']))
        done = run(*arguments, stdin=lines(TEXTS * 400))
        self.assertEqual(done.status, 0)
        self.assertIn('of 2400 vectors were there already', done.err)
        with open(out, encoding='utf-8') as file:
            self.assertEqual(file.read(), self.embed(TEXTS) * 400)

    def test_other_options_do_not_go_on(self):
        texts = self.path('texts.jsonl', lines(TEXTS))
        out = self.path('v.jsonl')
        names = {self.unfinished_of(texts, out, *options)
                 for options in ((), ('--cells', 'int8'), ('--prefix', 'un'), ('--dimensions', '2'),
                                 ('--pooling', 'max'))}
        self.assertEqual(len(names), 5)

    def unfinished_of(self, texts, out, *options):
        name = self.unfinished(('embed', '--model', self.directory, texts, '-o', out, '--resume', *options), out)
        os.remove(name)
        return name


if __name__ == '__main__':
    unittest.main()
