"""A run, what judges say of it, and measures worked out by hand: for the program and for the Python package."""

import math

QRELS = '''q1 0 a 3
q1 0 b 2
q1 0 c -2
q1 0 d 1
q2 0 x 1

q3 0 y 0
'''
# A grade below 0 is worth as little as 0. In the order of the scores: c, a, e (not judged), b; d was not found. The ranks are wrong on purpose.
RUN = '''q1 Q0 b 1 0.25 test
q1 Q0 a 2 2e0 test
q1 Q0 c 3 +3 test
q1 Q0 e 4 0.5 test
q3 Q0 y 1 1 test
other Q0 a 1 1 test
'''
RECIPROCAL = 0.5
PRECISION = (1 / 2 + 2 / 4) / 3
FOUND = 3 / math.log2(3) + 2 / math.log2(5)
IDEAL = 3 + 2 / math.log2(3) + 1 / 2
# Summed over the queries: those without relevant documents, and those without results, are 0.
MEASURES = {'ndcg': FOUND / IDEAL, 'ndcg@2': 3 / math.log2(3) / (3 + 2 / math.log2(3)), 'map': PRECISION, 'map@2': 1 / 2 / 3,
            'mrr': RECIPROCAL, 'mrr@1': 0, 'recall': 2 / 3, 'recall@2': 1 / 3, 'precision': 2 / 4, 'precision@10': 2 / 10,
            'precision@1': 0}
