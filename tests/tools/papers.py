"""A schema of texts and vectors, and tests that rank such documents."""

import json

from program import TestCase, run

SCHEMA = '''
schema papers {
    document papers {
        field title type string { indexing: index }
        field body type string { indexing: index }
        field embedding type tensor<float>(x[4]) {
            indexing: attribute
            attribute { distance-metric: METRIC }
        }
        field bits type tensor<int8>(x[4]) {
            indexing: attribute
            attribute { distance-metric: hamming }
        }
        field wide type tensor<float>(x[2],y[2]) { indexing: attribute }
        field year type int { indexing: attribute }
    }
    rank-profile near {
        inputs {
            query(q) tensor<float>(x[4])
            query(p) tensor<float>(x[4])
        }
        first-phase { expression: closeness(field, embedding) }
        match-features: distance(field, embedding)
    }
    rank-profile bits {
        inputs { query(b) tensor<int8>(x[4]) }
        first-phase { expression: -distance(field, bits) }
    }
    rank-profile text {
        first-phase { expression: bm25(title) + 10 * bm25(body) }
        match-features: bm25(title) bm25(body) fieldLength(title) matches(title) matches(body) queryTermCount
    }
    rank-profile tuned inherits text {
        rank-properties {
            bm25(title).k1: 2
            bm25(title).b: 0
            bm25(body).averageFieldLength: "7.5"
        }
    }
    rank-profile native {
        first-phase { expression: nativeRank(title, body) }
        match-features {
            nativeRank nativeRank(title) nativeRank(title,body) nativeRank(body,title)
            nativeFieldMatch nativeFieldMatch(title) nativeFieldMatch(title,body) nativeFieldMatch(body,title)
            nativeProximity nativeProximity(title) nativeProximity(title,body) nativeProximity(body,title)
        }
    }
    rank-profile match {
        first-phase { expression: fieldMatch(title) + fieldMatch(body) }
        match-features {
            fieldMatch(title) fieldMatch(title).completeness fieldMatch(title).importance fieldMatch(title).segments
            fieldMatch(body) fieldMatch(body).head fieldMatch(body).orderness
        }
    }
    rank-profile both {
        inputs { query(q) tensor<float>(x[4]) }
        function words() { expression: bm25(title) }
        first-phase { expression: words }
        second-phase { expression: firstPhase + closeness(field, embedding) }
        global-phase { expression: reciprocal_rank_fusion(words, closeness(field, embedding)) }
    }
}
'''


class PapersTestCase(TestCase):
    def rank(self, documents, *arguments, metric='euclidean'):
        """The hits, as objects."""
        outcome = run('rank', self.path('papers.sd', SCHEMA.replace('METRIC', metric)), '--format', 'jsonl', *arguments,
                      stdin=''.join(json.dumps(document) + '\n' for document in documents))
        self.assertEqual((outcome.status, outcome.err), (0, ''), outcome)
        return [json.loads(line) for line in outcome.out.splitlines()]

    def ids(self, *arguments, **options):
        return [hit['id'] for hit in self.rank(*arguments, **options)]
