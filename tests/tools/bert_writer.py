"""Writes weights of the architecture BERT as trainers hand them on, made up."""

import json
import struct

CONFIG = {'architectures': ['BertModel'], 'model_type': 'bert', 'hidden_size': 4, 'num_hidden_layers': 1,
          'num_attention_heads': 2, 'intermediate_size': 8, 'vocab_size': 5, 'max_position_embeddings': 6,
          'type_vocab_size': 2, 'layer_norm_eps': 1e-12, 'hidden_act': 'gelu'}


def shapes(said):
    width, inner = said['hidden_size'], said['intermediate_size']
    found = {'embeddings.word_embeddings.weight': (said['vocab_size'], width),
             'embeddings.position_embeddings.weight': (said['max_position_embeddings'], width),
             'embeddings.token_type_embeddings.weight': (said['type_vocab_size'], width)}
    normalized = ['embeddings']
    for layer in ('encoder.layer.%d.' % number for number in range(said['num_hidden_layers'])):
        for name, rows, columns in (('attention.self.query', width, width), ('attention.self.key', width, width),
                                    ('attention.self.value', width, width), ('attention.output.dense', width, width),
                                    ('intermediate.dense', inner, width), ('output.dense', width, inner)):
            found.update({layer + name + '.weight': (rows, columns), layer + name + '.bias': (rows,)})
        normalized += [layer + 'attention.output', layer + 'output']
    for name in normalized:
        found.update({name + '.LayerNorm.weight': (width,), name + '.LayerNorm.bias': (width,)})
    return found


def tensor_file(tensors):
    """The bytes of a file of safetensors with {name: (shape, numbers)}."""
    header, data = {}, b''
    for name, (shape, numbers) in tensors.items():
        cells = struct.pack('<%df' % len(numbers), *numbers)
        header[name] = {'dtype': 'F32', 'shape': shape, 'data_offsets': [len(data), len(data) + len(cells)]}
        data += cells
    text = json.dumps(header).encode()
    return struct.pack('<Q', len(text)) + text + data


def tensors(said):
    """{name: (shape, numbers)}; the gains of layer normalizations are 1, their biases 0."""
    found, state = {}, 1
    for name, shape in shapes(said).items():
        numbers = []
        for _ in range(shape[0] * (shape[1] if len(shape) == 2 else 1)):
            state = (state * 1103515245 + 12345) % 2**31
            numbers.append(float(name.endswith('.weight')) if 'LayerNorm' in name else state / 2**31 - 0.5)
        found[name] = (shape, numbers)
    return found


def safetensors():
    """The bytes of a file."""
    return tensor_file(tensors(CONFIG))


def config():
    return json.dumps(CONFIG)
