#!/usr/bin/env python3
"""Makes documents, queries and rank profiles to rank with: seeded, so that everyone has the same.

  generate.py net FOLDER [--documents 10000]        net.profile, documents.jsonl: the two-layer network of seed_ladder
  generate.py catalog FOLDER [--documents 1000000]  catalog.profile, documents.jsonl, queries.jsonl: 20 numbers and a
                                                    vector of 128 bfloat16 cells in each document
"""

import argparse
import os
import random

INPUTS, HIDDEN = 7, 14
NUMBERS, CELLS = 20, 128


def literal(values):
    return '[' + ','.join('%.6g' % value for value in values) + ']'


def net_profile(rng):
    """Seven attributes -> 14 hidden units with elu -> 1."""
    def weights(count):
        return [rng.gauss(0, 0.5) for _ in range(count)]

    features = 'attribute(a1)'
    for number in range(2, INPUTS + 1):
        features = 'concat(%s, attribute(a%d), x)' % (features, number)
    first = '[' + ','.join(literal(weights(INPUTS)) for _ in range(HIDDEN)) + ']'
    second = '[' + ','.join(literal(weights(1)) for _ in range(HIDDEN)) + ']'
    return '''schema item {
    document item {
%s    }
    rank-profile net {
        constants {
            W1 tensor(hidden[%d],x[%d]): %s
            b1 tensor(hidden[%d]): %s
            W2 tensor(hidden[%d],out[1]): %s
            b2 tensor(out[1]): %s
        }
        function features() { expression: %s }
        function layer() { expression: elu(xw_plus_b(features, constant(W1), constant(b1), x)) }
        first-phase { expression: sum(xw_plus_b(layer, constant(W2), constant(b2), hidden)) }
    }
}
''' % (''.join('        field a%d type float { indexing: attribute }\n' % n for n in range(1, INPUTS + 1)),
       HIDDEN, INPUTS, first, HIDDEN, literal(weights(HIDDEN)), HIDDEN, second, literal(weights(1)), features)


def net_documents(rng, count):
    for number in range(count):
        fields = ','.join('"a%d":%.4f' % (n, rng.uniform(-1, 1)) for n in range(1, INPUTS + 1))
        yield '{"id":"item%d",%s}\n' % (number, fields)


def catalog_profile():
    linear = ' + '.join('0.%02d * attribute(n%d)' % (n + 1, n) for n in range(NUMBERS))
    return '''schema item {
    document item {
%s        field embedding type tensor<bfloat16>(x[%d]) { indexing: attribute }
    }
    rank-profile catalog {
        inputs {
            query(q) tensor<float>(x[%d])
            query(weight) double: 1000
        }
        function similarity() { expression: sum(query(q) * attribute(embedding)) }
        first-phase { expression: query(weight) * similarity + %s }
        match-features: similarity attribute(n0)
    }
}
''' % (''.join('        field n%d type double { indexing: attribute }\n' % n for n in range(NUMBERS)), CELLS, CELLS, linear)


def catalog_documents(rng, count):
    # Slices of one long list of numbers as texts: formatting each number again would take minutes.
    cells = ['%.4f' % rng.uniform(-1, 1) for _ in range(1 << 16)]
    whole = ['"n%d":%d' % (n, value) for n in range(10) for value in rng.sample(range(30000), 1 << 10)]
    real = ['"n%d":%.3f' % (n, rng.uniform(0, 100)) for n in range(10, NUMBERS) for _ in range(1 << 10)]
    for number in range(count):
        numbers = [texts[(n << 10) + rng.getrandbits(10)] for texts in (whole, real) for n in range(10)]
        first = rng.randrange(len(cells) - CELLS)
        yield '{"put":"id:shop:item::%d","fields":{%s,"embedding":[%s]}}\n' % (
            number, ','.join(numbers), ','.join(cells[first:first + CELLS]))


def catalog_queries(rng, count):
    for number in range(count):
        yield '{"id":"q%d","query(q)":%s}\n' % (number, literal([rng.uniform(-1, 1) for _ in range(CELLS)]))


def write(folder, name, lines):
    with open(os.path.join(folder, name), 'w', encoding='ascii') as file:
        file.writelines(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('what', choices=('net', 'catalog'))
    parser.add_argument('folder')
    parser.add_argument('--documents', type=int)
    parser.add_argument('--queries', type=int, default=20)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    rng = random.Random(1)
    if options.what == 'net':
        write(options.folder, 'net.profile', [net_profile(rng)])
        write(options.folder, 'documents.jsonl', net_documents(rng, options.documents or 10000))
    else:
        write(options.folder, 'catalog.profile', [catalog_profile()])
        write(options.folder, 'queries.jsonl', catalog_queries(rng, options.queries))
        write(options.folder, 'documents.jsonl', catalog_documents(rng, options.documents or 1000000))


if __name__ == '__main__':
    main()
