"""tenrex predict and tenrex model: rows as tables write them, and what is printed."""

import os
import threading
import unittest

import onnx_writer
from program import TestCase, run

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TRAINED = os.path.join(ROOT, 'tests/forest/trained')
ONNX_FORESTS = os.path.join(ROOT, 'tests/onnx/forests')
# kind: 0 -> 10, 2 -> 10, else (and missing) 20; price <= 1 -> 1, else (and missing) 2
MODEL = '''tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=2
objective=binary sigmoid:1
feature_names=price unused kind
feature_infos=[0:2] none 0:1:2

Tree=0
num_leaves=2
num_cat=1
split_feature=2
split_gain=5
threshold=0
decision_type=1
left_child=-1
right_child=-2
leaf_value=10 20
leaf_weight=1 1
leaf_count=1 1
internal_value=0
internal_weight=2
internal_count=2
cat_boundaries=0 1
cat_threshold=5
is_linear=0
shrinkage=1


Tree=1
num_leaves=2
num_cat=0
split_feature=0
split_gain=2.5
threshold=1
decision_type=8
left_child=-1
right_child=-2
leaf_value=1 2
leaf_weight=1 1
leaf_count=3 1
internal_value=0
internal_weight=2
internal_count=4
is_linear=0
shrinkage=1


end of trees

pandas_categorical:[["red", "green", "blue"]]
'''


# One leaf; nothing tells how many features there are, nor what they are called.
LEAF = '[{"nodeid":0,"leaf":2.5}]'


def table(name, folder=TRAINED, results='raw.'):
    """(lines of features, what a model made of them) of a trainer or of ONNX Runtime."""
    with open(os.path.join(folder, name + '.csv'), encoding='utf-8') as file:
        lines = [line.rstrip('\n').split(',') for line in file]
    heads = lines[0]
    features = [i for i, head in enumerate(heads) if not head.startswith(('raw.', 'value.', 'score.', 'label'))]
    raw = [i for i, head in enumerate(heads) if head.startswith(results)]
    rows = [[line[i] for i in features] for line in lines]
    return rows, [[float(line[i]) for i in raw] for line in lines[1:]]


def write_bytes(path, content):
    with open(path, 'wb') as file:
        file.write(content)


class Predict(TestCase):
    ENGINE = ()

    def predict(self, model, rows, *options):
        return run('predict', *self.ENGINE, *options, model, stdin='\n'.join(','.join(row) for row in rows) + '\n')

    def numbers(self, model, rows, *options):
        done = self.predict(model, rows, *options)
        self.assertEqual((done.status, done.err), (0, ''))
        return [[float(cell) for cell in line.split(',')] for line in done.out.splitlines()]

    def test_trained_models(self):
        for name, file in (('lightgbm_multiclass', '.txt'), ('lightgbm_zero_as_missing', '.txt'), ('xgboost_dart', '.json')):
            with self.subTest(name):
                rows, raw = table(name)
                self.assertEqual(self.numbers(os.path.join(TRAINED, name + file), rows, '--raw'), raw)
                self.assertEqual(self.numbers(os.path.join(TRAINED, name + file), rows[1:], '--raw'), raw)

    def test_blocks(self):
        rows, _ = table('lightgbm_multiclass')
        model = os.path.join(TRAINED, 'lightgbm_multiclass.txt')
        outputs = {self.predict(model, rows, '--block', block).out for block in ('1', '7', '64', '1000')}
        self.assertEqual(len(outputs), 1)

    def test_columns_by_name(self):
        rows, raw = table('xgboost_dart')
        turned = [[str(i)] + row[::-1] for i, row in enumerate(rows)]
        turned[0][0] = 'row'
        self.assertEqual(self.numbers(os.path.join(TRAINED, 'xgboost_dart.json'), turned, '--raw'), raw)

    def test_categories(self):
        model = self.path('model.txt', MODEL)
        rows = [['price', 'kind'], ['1', 'red'], ['1', 'green'], ['2', '"blue"'], ['', 'blue'], ['nan', ''], ['0', 'pink']]
        self.assertEqual(self.numbers(model, rows, '--raw'), [[11], [21], [12], [12], [22], [21]])
        done = self.predict(model, rows, '--raw', '--unseen', 'error')
        self.assertEqual(done.status, 1)
        self.assertIn("the model has not seen the category 'pink' of the feature 'kind'", done.err)
        self.assertIn(':7:', done.err)

    def test_categories_of_xgboost(self):
        rows, raw = table('xgboost_labels')
        labelled = [rows[0]] + [row[:3] + [row[3] and 'kind ' + row[3], row[4] and row[4] + '0'] for row in rows[1:]]
        for file in ('xgboost_labels.json', 'xgboost_labels_binary.ubj'):
            self.assertEqual(self.numbers(os.path.join(TRAINED, file), labelled, '--raw'), raw)
        labelled[1][3] = 'kind 99'
        self.assertIn("has not seen the category 'kind 99'",
                      self.predict(os.path.join(TRAINED, 'xgboost_labels.json'), labelled, '--unseen', 'error').err)

    def test_columns_by_number(self):
        model = self.path('model.txt', MODEL)
        self.assertEqual(self.numbers(model, [['1', 'x', 'red'], ['3', '', 'green']], '--raw'), [[11], [22]])

    def test_rows_that_are_wrong(self):
        model = self.path('model.txt', MODEL)
        for rows, message in (([['1', '0']], 'the row has 2 cells, but the model needs 3'),
                              ([['dear', '0', 'red']], "'dear' is no number; the feature 'price' needs one"),
                              ([['price', 'other']], "there is no column 'kind', which the model needs"),
                              ([['"1', '0', 'red']], 'a quoted cell does not end')):
            with self.subTest(message):
                done = self.predict(model, rows)
                self.assertEqual((done.status, done.out), (1, ''))
                self.assertIn(message, done.err)

    def test_contributions(self):
        model = self.path('model.txt', MODEL)
        done = run('predict', '--contributions', model, stdin='1,0,red\n')
        # The expected sums are 15 and 1.25.
        self.assertEqual(done.out, '-0.25,0,-5,16.25\n')

    def test_forests_of_onnx(self):
        for name in ('regressor_modes', 'regressor_mixed', 'ensemble', 'classifier_classes'):
            with self.subTest(name):
                rows, values = table(name, ONNX_FORESTS, 'value.')
                model = os.path.join(ONNX_FORESTS, name + '.onnx')
                self.assertEqual(self.numbers(model, rows), values)
                self.assertEqual(self.numbers(model, rows[1:], '--block', '5'), values)

    def test_header_of_a_model_that_uses_no_feature(self):
        model = self.path('leaf.json', LEAF)
        for header in (['f0', 'f1'], ['price', '']):
            self.assertEqual(self.numbers(model, [header, ['1', '2'], ['', '']]), [[2.5], [2.5]])
        self.assertEqual(self.numbers(model, [['1', 'nan'], ['2', '']]), [[2.5], [2.5]])
        one_leaf = os.path.join(TRAINED, 'lightgbm_one_leaf.txt')
        self.assertEqual(len(self.numbers(one_leaf, [['price', 'clicks'], ['1', '2']])), 1)
        self.assertEqual(len(self.numbers(one_leaf, [['red', '2'], ['1', '2']])), 2)

    def test_no_rows(self):
        self.assertEqual(self.predict(self.path('model.txt', MODEL), [[]]).out, '')

    def test_models_that_are_wrong(self):
        done = run('predict', self.path('model.txt', MODEL[:500]), stdin='')
        self.assertEqual(done.status, 1)
        self.assertIn('model.txt:', done.err)
        self.assertEqual(run('predict', 'no-such-file', stdin='').status, 3)
        self.assertEqual(run('predict').status, 2)


class Model(TestCase):
    def test_text(self):
        done = run('model', self.path('model.txt', MODEL))
        self.assertEqual(done.out, '''format     LightGBM text
objective  binary sigmoid:1
outputs    1
trees      2
leaves     4
depth      1
features   3, 2 of them used

feature    splits            gain
kind            1               5  categorical
price           1             2.5
''')

    def test_forest_of_onnx(self):
        path = os.path.join(ONNX_FORESTS, 'regressor_mixed.onnx')
        done = run('model', path)
        self.assertEqual((done.status, done.err), (0, ''))
        # The base values are a tree of one leaf.
        self.assertEqual(done.out.split('\n\n', maxsplit=1)[0], '''format     ONNX TreeEnsembleRegressor
objective  NONE
outputs    2
trees      6
leaves     41
depth      3
features   4, 4 of them used''')
        self.assertEqual(run('model', path, '--expression').status, 2)
        rows, values = table('ensemble', ONNX_FORESTS, 'value.')
        model = ('--model', 'm=' + os.path.join(ONNX_FORESTS, 'ensemble.onnx'))
        inputs = ['%s=%s' % pair for pair in zip(rows[0], [cell or 'nan' for cell in rows[1]])]
        self.assertEqual(float(run('eval', *model, 'forest(m)', *inputs).out), values[0][0])
        self.assertEqual(float(run('eval', '--reference', *model, 'forest(m)+1', *inputs).out), values[0][0] + 1)

    def test_label_of_onnx(self):
        rows, labels = table('classifier_labels', ONNX_FORESTS, 'label')
        model = ('--model', 'm=' + os.path.join(ONNX_FORESTS, 'classifier_labels.onnx'))
        for cells, label in zip(rows[1:], labels):
            inputs = ['%s=%s' % pair for pair in zip(rows[0], [cell or 'nan' for cell in cells])]
            self.assertEqual(float(run('eval', *model, 'forest(m).label', *inputs).out), label[0])

    def test_models_are_read_once(self):
        # What a file that can be read only once holds is known nevertheless.
        for name, expression, inputs in (('regressor.onnx', 'forest(m)', ['f%d=1' % i for i in range(4)]),
                                         ('layer.onnx', 'sum(onnx(m))', ['x=tensor<float>(d0[1],d1[2]):[[2,1]]'])):
            if name == 'layer.onnx':
                content = onnx_writer.layer()
            else:
                with open(os.path.join(ONNX_FORESTS, name), 'rb') as file:
                    content = file.read()
            pipe = self.path(name + '.pipe.onnx')
            os.mkfifo(pipe)
            writer = threading.Thread(target=write_bytes, args=(pipe, content))
            writer.start()
            done = run('eval', '--model', 'm=' + pipe, expression, *inputs)
            writer.join()
            self.assertEqual((done.status, done.err), (0, ''))
            float(done.out)

    def test_networks_are_no_forests(self):
        path = self.path('layer.onnx', onnx_writer.layer())
        done = run('predict', path, stdin='1,2\n')
        self.assertEqual((done.status, done.out), (1, ''))
        self.assertIn('layer.onnx: error: the model has no node with trees', done.err)

    def test_dump_of_xgboost(self):
        model = self.path('trees.json', '[{"nodeid":0,"split":"f1","split_condition":2,"yes":1,"no":2,"missing":2,"children":'
                                        '[{"nodeid":1,"leaf":1},{"nodeid":2,"leaf":2}]}]')
        names = self.path('names.txt', '0 price q\n1 clicks q\n')
        self.assertIn('clicks          1', run('model', model, '--feature-map', names).out)
        done = run('predict', '--reference', model, '--feature-map', names, '--base-score', '0.5', stdin='clicks\n1.5\n2\n\n')
        self.assertEqual(done.out, '1.5\n2.5\n')

    def test_options_of_eval(self):
        model = self.path('model.txt', MODEL)
        done = run('eval', '--reference', '--model', 'm=' + model, 'forest(m).raw+price', 'price=1', 'kind=0')
        self.assertEqual(done.out, '12\n')
        self.assertEqual(run('type', '--model', 'm=' + model, 'forest(m)', 'price=double', 'kind=double').out, 'double\n')
        done = run('eval', '--model', 'm=' + model, 'forest(m)', 'price=1')
        self.assertIn("forest(m) needs the feature 'kind', which is not declared", done.err)
        self.assertEqual(run('eval', '--model', 'm', '1').status, 2)


if __name__ == '__main__':
    unittest.main()
