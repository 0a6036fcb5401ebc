"""Writes a small encoder with attention as exporters do, made up."""

import os
import random

from onnx_writer import INT64, floats, integers, model, node, port

WORDS = ['[UNK]', '[CLS]', '[SEP]', 'un', '##able']
LAYERS, HEADS, CELLS = 2, 4, 2
WIDTH = HEADS * CELLS


def encoder(silent=(), faint=None):
    """Layers of attention as exporters write them; they share the numbers of heads. Heads (layer, head) whose rows
    behind attention are zeros; a layer whose heads all count for little."""
    numbers = random.Random(7)

    def matrix(name):
        return [floats(name, [WIDTH, WIDTH], [numbers.uniform(-1, 1) for _ in range(WIDTH * WIDTH)])]

    weights = [floats('words', [len(WORDS), WIDTH], [numbers.uniform(-1, 1) for _ in range(len(WORDS) * WIDTH)]),
               integers('split', [0, 0, HEADS, CELLS]), integers('join', [0, 0, WIDTH]), integers('axes', [1, 2]),
               floats('one', [], [1]), floats('low', [], [-10000]), floats('factor', [], [CELLS ** -0.5])]
    nodes = [node('Gather', ['words', 'input_ids'], ['x0']),
             node('Unsqueeze', ['attention_mask', 'axes'], ['mask0']), node('Cast', ['mask0'], ['mask1'], to=1),
             node('Sub', ['one', 'mask1'], ['mask2']), node('Mul', ['mask2', 'low'], ['mask'])]
    for layer in range(LAYERS):
        x = 'x%d' % layer

        def name(part, layer=layer):
            return '%s_%d' % (part, layer)

        for part in ('q', 'k', 'v'):
            weights += matrix(name('w' + part))
            weights += [floats(name('b' + part), [WIDTH], [numbers.uniform(-1, 1) for _ in range(WIDTH)])]
            nodes += [node('MatMul', [x, name('w' + part)], [name(part + '0')]),
                      node('Add', [name(part + '0'), name('b' + part)], [name(part + '1')]),
                      node('Reshape', [name(part + '1'), 'split'], [name(part + '2')]),
                      node('Transpose', [name(part + '2')], [name(part)],
                           perm=[0, 2, 3, 1] if part == 'k' else [0, 2, 1, 3])]
        scale = 0.01 if layer == faint else 1.0
        kept = [0.0 if (layer, row // CELLS) in silent else scale for row in range(WIDTH)]
        cells = [kept[row] * numbers.uniform(-1, 1) for row in range(WIDTH) for _ in range(WIDTH)]
        weights += [floats(name('wo'), [WIDTH, WIDTH], cells)]
        nodes += [node('MatMul', [name('q'), name('k')], [name('s0')]),
                  node('Mul', [name('s0'), 'factor'], [name('s1')]), node('Add', [name('s1'), 'mask'], [name('s2')]),
                  node('Softmax', [name('s2')], [name('p')], axis=-1),
                  node('MatMul', [name('p'), name('v')], [name('m0')]),
                  node('Transpose', [name('m0')], [name('m1')], perm=[0, 2, 1, 3]),
                  node('Reshape', [name('m1'), 'join'], [name('m2')]),
                  node('MatMul', [name('m2'), name('wo')], [name('o')]),
                  node('Add', [x, name('o')], ['x%d' % (layer + 1)])]
    return model(nodes, weights, [port(name, ['batch', 'sequence'], INT64) for name in ('input_ids', 'attention_mask')],
                 [port('x%d' % LAYERS, ['batch', 'sequence', WIDTH])])


def write(path):
    """A folder with an encoder and its tokenizer, and texts; path(name, content) writes a file."""
    os.mkdir(path('minilm'))
    path('minilm/model.onnx', encoder())
    path('minilm/vocab.txt', '\n'.join(WORDS) + '\n')
    path('texts.jsonl', '{"text":"unable"}\n{"text":"un un"}\n')
