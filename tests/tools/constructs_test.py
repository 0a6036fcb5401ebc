"""Schemas in the style of search applications, one for each construct and some with several: what passes as it is, what needs
features of an engine, and what is refused for which reason."""

import os
import shlex
import unittest

from program import TestCase, run

FIELDS = '''
    field title type string { indexing: index | summary
      index: enable-bm25 }
    field price type double { indexing: attribute | summary }
    field stock type int { indexing: attribute }
    field sold_out type bool { indexing: attribute }
    field brand type string { indexing: summary | attribute
      attribute: fast-search
      rank: filter }
    field colors type array<string> { indexing: attribute }
    field marks type array<int> { indexing: attribute }
    field tags type weightedset<string> { indexing: attribute }
    field created type long { indexing: attribute }
    field place type position { indexing: attribute }
    field vec type tensor<float>(x[4]) { indexing: attribute | index
      attribute { distance-metric: angular }
      index { hnsw { max-links-per-node: 16 } } }
    field bits type tensor<int8>(x[2]) { indexing: attribute
      attribute { distance-metric: Hamming } }
    field chunks type tensor<float>(chunk{},x[4]) { indexing: attribute }
    field likes type tensor(user{}) { indexing: attribute }
    field spot type tensor<float>(xy[2]) { indexing: attribute
      attribute { distance-metric: geodegrees } }
    struct offer {
      field seller type string {}
      field city type string {}
      field amount type int {}
    }
    field offers type array<offer> { indexing: summary
      struct-field seller { indexing: attribute }
      struct-field city { indexing: attribute }
      struct-field amount { indexing: attribute } }
    struct person { field age type int {} }
    field owner type person { struct-field age { indexing: attribute } }
    field by_city type map<string,int> { indexing: summary
      struct-field key { indexing: attribute }
      struct-field value { indexing: attribute } }
    field shop_ref type reference<shop> { indexing: attribute }
'''
FILES = {
    'schemas/shop.sd': '''schema shop {
  document shop {
    field rating type float { indexing: attribute }
    field where type tensor(x[2]) { indexing: attribute }
  }
}
''',
    'schemas/base.sd': '''schema base {
  document base { field weight type float { indexing: attribute } }
  constant scale { type: double
    file: scale.json }
  rank-profile heavy { function heaviness() { expression: attribute(weight) / 2 } }
}
''',
    'schemas/item/apart.profile': 'rank-profile apart inherits heavy { first-phase { expression: heaviness + attribute(price) } }\n',
    'scale.json': '2.5',
    'constants/matrix.json': '{"values":[[1,2,3,4],[5,6,7,8]]}',
    'constants/topics.json': '{"cells":[{"address":{"user":"a","topic":"b"},"value":1}]}',
    'models/trees.json': '[{"nodeid": 0, "split": "attribute(price)", "split_condition": 3, "yes": 1, "no": 2, "missing": 1,'
                         ' "children": [{"nodeid": 1, "leaf": 0.5}, {"nodeid": 2, "leaf": 2}]}]',
    'schemas/long.expression': 'attribute(price) +\n  attribute(stock)\n',
    'search/query-profiles/types/root.xml': '''<query-profile-type id="root" inherits="native">
  <field name="ranking.features.query(typed)" type="tensor&lt;float&gt;(x[4])" />
  <field name="ranking.features.query(shade)" type="string" />
</query-profile-type>
''',
}


def first(expression, more=''):
    return '%s\n    first-phase { expression { %s } }' % (more, expression)


VEC = 'inputs { query(q) tensor<float>(x[4]) }'
# Profiles that pass as they are.
PASSES = {
    'words': first('bm25(title) + max(matches(title), 2 * nativeRank(title)) + fieldLength(title) / queryTermCount'),
    'number': first('attribute(price) * 2'),
    'bool': first('if(attribute(sold_out), 0, attribute(price))'),
    'missing': first('if(isNan(attribute(price)), 0, attribute(price))'),
    'string': first('if(attribute(brand) == "acme", 1, 0)'),
    'string_in': first('attribute(brand) in ["acme", "apex"]'),
    'string_input': first('attribute(brand) == query(wanted)', 'inputs { query(wanted) string: "acme" }'),
    'int_input': first('attribute(stock) > query(least)', 'inputs { query(least) int: 3 }'),
    'long_float_bool_inputs': first('query(a) + query(b) + query(c)', 'inputs { query(a) long\n query(b) float: 0.5\n query(c) bool: 1 }'),
    'number_input': first('query(a)', 'inputs { query(a): 2 }'),
    'dollar_input': first('$boost * attribute(price)', 'inputs { query(boost) double: 2 }'),
    'undeclared': first('query(boost) * attribute(price)', 'rank-properties { query(boost): 20 }'),
    'undeclared_dollar': first('$boost * attribute(price)', 'rank-properties { $boost: 20 }'),
    'typed_by_query_profile': first('sum(query(typed) * attribute(vec))'),
    'string_by_query_profile': first('attribute(brand) == query(shade)'),
    'array_element': first('attribute(marks,0) + attribute(marks, 1)'),
    'array_count': first('attribute(marks).count + attribute(tags).count'),
    'string_element': first('attribute(colors,0) == "red"'),
    'weighted_set_weight': first('attribute(tags,live).weight + attribute(tags, "on sale").contains'),
    'weighted_set_tensor': first('sum(tensorFromWeightedSet(attribute(tags), tag) * query(w))', 'inputs { query(w) tensor(tag{}) }'),
    'weighted_set_of_query': first('sum(tensorFromWeightedSet(query(w), user) * attribute(likes))'),
    'labels_of_array': first('sum(tensorFromLabels(attribute(colors), c) * tensor(c{}):{red:2})'),
    'labels_of_string': first('sum(tensorFromLabels(attribute(brand), b) * tensor(b{}):{acme:2})'),
    'labels_of_number': first('sum(tensorFromLabels(attribute(stock)))'),
    'labels_of_query': first('sum(tensorFromLabels(query(w), user) * attribute(likes))'),
    'struct_member': first('attribute(owner.age)'),
    'array_of_structs': first('attribute(offers.amount, 0) + attribute(offers.amount).count'),
    'map_members': first('attribute(by_city.value, 0) + (attribute(by_city.key, 0) == "oslo")'),
    'structs': first('sum(tensorFromStructs(attribute(offers), seller, amount, float) * tensor(seller{}):{a:1})'),
    'structs_with_keys': first('sum(tensorFromStructs(attribute(offers), seller, city, amount, double), seller) * tensor(city{}):{oslo:1}'
                               .join(['sum(', ')'])),
    'imported': first('attribute(shop_rating) + sum(attribute(shop_where))'),
    'schema_inherited': first('heaviness + attribute(weight) + constant(scale)'),
    'dot_product': first('sum(query(q) * attribute(vec))', VEC),
    'cosine': first('cosine_similarity(query(q), attribute(vec), x)', VEC),
    'closeness': first('closeness(field, vec)', VEC),
    'distance': first('cos(distance(field, vec))', VEC),
    'hamming': first('1 / (1 + distance(field, bits))', 'inputs { query(b) tensor<int8>(x[2]) }'),
    'many_vectors': first('closeness(field, chunks)', VEC),
    'closest': first('sum(closest(chunks) * tensor(chunk{}):{a:1})', VEC),
    'max_chunk': first('reduce(sum(query(q) * attribute(chunks), x), max, chunk)', VEC),
    'top_chunks': first('reduce(top(2, sum(query(q) * attribute(chunks), x)), avg, chunk)', VEC),
    'maxsim': first('sum(reduce(sum(query(t) * attribute(chunks), x), max, chunk), token)', 'inputs { query(t) tensor<float>(token{},x[4]) }'),
    'unpacked': first('sum(query(wide) * unpack_bits(attribute(bits)))', 'inputs { query(wide) tensor<float>(x[16]) }'),
    'network': first('sum(relu(xw_plus_b(attribute(vec), constant(matrix), bias, x)))',
                     'constants { matrix tensor<float>(x[4],h[2]): file:constants/matrix.json\n bias tensor<float>(h[2]): [1, 2] }'),
    'sparse_constant': first('sum(attribute(likes) * constant(topics) * query(t))',
                             'constants { topics tensor(user{},topic{}): file: constants/topics.json }\n inputs { query(t) tensor(topic{}) }'),
    'flat_literal': first('sum(tensor<int8>(a[2],b[2]):[1, 0, 0, 1] * attribute(price))'),
    'generated': first('sum(tensor(x[4])(x * x) * attribute(vec))'),
    'lookup_by_value': first('tensor<float>(x[3])(x + 1){x:(min(2, attribute(stock)))}'),
    'freshness': first('freshness(created) + freshness(created).logscale', 'rank-properties { freshness(created).maxAge: 86400\n freshness(created).halfResponse: 3600 }'),
    'age_and_now': first('age(created) + now'),
    'random': first('random + random.match'),
    'functions': first('doubled + scaled(attribute(price), 3)', 'function doubled() { expression: attribute(price) * 2 }\n'
                       'function inline scaled(value, by) { expression: value * by }'),
    'function_of_names': first('weight_of(tags, live)', 'function weight_of(name, tag) { expression: attribute(name, tag).weight }'),
    'macro': first('worth', 'macro worth() { expression: attribute(price) }'),
    'expression_file': 'first-phase { expression: file:long.expression }',
    'expression_file_in_braces': 'first-phase { expression {\n file:long\n } }',
    'model_of_the_package': first('xgboost("trees.json")'),
    'places': first('distance(field, spot) + closeness(spot)', 'inputs { query(here) tensor<float>(xy[2]) }'),
    'value': first('value(0.5) + now()'),
    'base': 'function whole() { expression: part * 2 }',
    'second_phase': first('attribute(price)', 'second-phase { rerank-count: 50\n expression: firstPhase * 2 }'),
    'global_phase': first('attribute(price)', 'global-phase { rerank-count: 20\n expression: normalize_linear(firstPhase) + reciprocal_rank(attribute(stock)) }'),
    'fusion': first('attribute(price)', 'global-phase { expression: reciprocal_rank_fusion(firstPhase, attribute(stock)) }'),
    'features': first('price_of', 'function price_of() { expression: attribute(price) }\n match-features: price_of attribute(stock)\n'
                      'summary-features { attribute(price)\n rankingExpression(price_of) }'),
    'no_features': first('attribute(price)', 'match-features:'),
    'settings': first('attribute(price)', 'num-threads-per-search: 4\n rank title { filter }\n match-phase { attribute: stock\n order: descending\n max-hits: 10 }'),
    'drop_limit': 'first-phase { rank-score-drop-limit: -5.5\n expression: attribute(price)\n keep-rank-count: 100 }',
    'comments': first('attribute(price) # in euros, "}" and { too\n + 1 '),
    'mixture': first('if(within, score(attribute(price)) * (1 + 0.1 * attribute(tags, live).weight), -1)', VEC + '''
      constants { limit: 100 }
      function within() { expression: attribute(price) < limit && attribute(brand) != "none" }
      function score(p) { expression: sigmoid((limit - p) / 10) + closeness(field, vec) }
      second-phase { expression: firstPhase + max_chunk }
      function max_chunk() { expression: reduce(sum(query(q) * attribute(chunks), x), max, chunk) }
      match-features { within max_chunk freshness(created) }'''),
}
# Profiles that need features of an engine, and which.
NEEDS = {
    'bm25': (first('bm25(brand)'), ['bm25(brand)']),
    'inside': (first('max(bm25(brand), 2 * nativeRank(brand))'), ['bm25(brand)', 'nativeRank(brand)']),
    'elementwise': (first('sum(elementwise(bm25(title), chunk, float))'), ['elementwise(bm25(title),chunk,float):tensor<float>(chunk{})']),
    'significance': (first('term(0).significance + term(1).weight'), ['term(0).significance', 'term(1).weight']),
    'position': (first('distance(place).km + closeness(place)'), ['distance(place).km', 'closeness(place)']),
    'labelled': (first('closeness(label, nns) + distance(label, nns)', VEC), ['closeness(label,nns)', 'distance(label,nns)']),
    'text_match': (first('fieldMatch(title).proximity + fieldTermMatch(title, 0).occurrences + matches(title)'),
                   ['fieldTermMatch(title,0).occurrences']),
    'raw_score': (first('rawScore(vec) + itemRawScore(nns)'), ['rawScore(vec)', 'itemRawScore(nns)']),
    'each_term': (first('foreach(terms, N, fieldTermMatch(title, N).occurrences, true, average)'),
                  ['foreach(terms,N,fieldTermMatch(title,N).occurrences,true,average)']),
    'statistics': (first('sum(log(1 + num_docs_indexed / queryTermDocumentFrequency(title))) / averageFieldLength(title)'),
                   ['num_docs_indexed', 'queryTermDocumentFrequency(title):tensor(term{})', 'averageFieldLength(title)']),
    'dot_product_feature': (first('dotProduct(tags, wanted)'), ['dotProduct(tags,wanted)']),
    'labels_of_terms': (first('reduce(bm25_for_labels(title), max, label) + bm25(field: title, label: here)'),
                        ['bm25(field:title,label:here)', 'bm25_for_labels(title):tensor(label{})']),
    'great_circle': (first('great_circle_distance(place).km'), ['great_circle_distance(place).km']),
    'predicates': (first('subqueries(ads).lsb'), ['subqueries(ads).lsb']),
    'offsets': (first('reduce(tensorFromLabelsWithOffset(attribute(marks), label, offset), sum)'),
                ['tensorFromLabelsWithOffset(attribute(marks),label,offset):tensor(label{},offset{})']),
}
# Profiles that are refused, and why.
REFUSED = {
    'no_model': (first('onnx(ranker).score', 'onnx-model ranker { file: models/ranker.onnx }'), 'models/ranker.onnx: there is no such file'),
    'no_forest': (first('lightgbm("clicks.json")'), 'clicks.json: there is no such file'),
    'tensorflow': (first('sum(tensorflow("blog/saved"))'), 'models in this format are not read'),
    'no_constant': (first('constant(gone)', 'constants { gone tensor(x[2]): file:gone.json }'), 'gone.json: there is no such file'),
    'packed_constant': (first('sum(constant(gone))', 'constants { gone tensor(x[2]): file:gone.json.lz4 }'), 'is packed with LZ4'),
    'inner': (first('1') + '\n rank-profile part { }', "rank-profile 'part' stands within 'inner', so it must inherit it"),
    'attribute': (first('attribute(prise)'), "there is no attribute 'prise'"),
    'not_an_attribute': (first('attribute(title)'), "the field 'title' is no attribute"),
    'near_input': (first('query(bost)', 'inputs { query(boost) double }'), "there is no input 'query(bost)'"),
    'recursion': (first('a', 'function a() { expression: b }\n function b() { expression: a }'), 'calls itself'),
    'dimensions': (first('sum(attribute(vec), y)'), 'has no dimension'),
    'tensor_score': (first('attribute(vec)'), 'tensor<float>(x[4])'),
    'feature_name': (first('bm26(title)'), "there is no function or feature 'bm26(title)'"),
    'parent': ('inherits_nobody', 'nobody'),
}


def schema(profiles):
    text = 'schema item inherits base {\n  document item inherits base {%s  }\n' % FIELDS
    text += '  import field shop_ref.rating as shop_rating {}\n  import field shop_ref.where as shop_where {}\n'
    for name, body in profiles.items():
        inherits = 'nobody' if body == 'inherits_nobody' else 'heavy'
        text += '  rank-profile %s inherits %s {\n    %s\n  }\n' % (name, inherits, '' if inherits == 'nobody' else body)
    return text + '}\n'


class Constructs(TestCase):
    def setUp(self):
        super().setUp()
        for name, content in FILES.items():
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            self.path(name, content)

    def test_there_are_many(self):
        self.assertGreaterEqual(len(PASSES), 60)

    def test_what_passes(self):
        path = self.path('schemas/item.sd', schema(PASSES))
        outcome = run('check', path)
        self.assertEqual(outcome.status, 0, outcome.err)
        listed = [line.split()[1] for line in outcome.out.splitlines() if line.startswith('rank-profile ')]
        self.assertEqual(listed, [*PASSES, 'apart'])
        skipped = ('keep-rank-count', 'num-threads-per-search', 'match-phase', 'rank has', "unknown symbol 'part'")
        unexpected = [line for line in outcome.err.splitlines() if 'warning:' in line and not any(each in line for each in skipped)]
        self.assertEqual(unexpected, [])

    def test_what_needs_an_engine(self):
        path = self.path('schemas/item.sd', schema({name: body for name, (body, _) in NEEDS.items()}))
        outcome = run('check', path)
        self.assertEqual(outcome.status, 1)
        needs = [line for line in outcome.err.splitlines() if line.startswith('tenrex: ')]
        self.assertEqual(needs, ['tenrex: %s needs: %s' % (name, ' '.join("--feature '%s'" % each for each in sorted(features)))
                                 for name, (_, features) in NEEDS.items()])
        for arguments in (['--feature', '*'], shlex.split(' '.join(line.split(' needs: ')[1] for line in needs))):
            outcome = run('check', path, *arguments)
            self.assertEqual(outcome.status, 0, outcome.err)

    def test_what_is_refused(self):
        for name, (body, reason) in REFUSED.items():
            with self.subTest(name):
                outcome = run('check', self.path('schemas/item.sd', schema({name: body})), '--profile-name', name, '--feature', '*')
                self.assertEqual(outcome.status, 1, outcome)
                self.assertIn(reason, outcome.err)


if __name__ == '__main__':
    unittest.main()
