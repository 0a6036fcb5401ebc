# A global phase that fuses text scores of the engine with vectors, and normalizers.
schema passages {
    document passages {
        field body type string { indexing: index }
        field vector type tensor<float>(x[3]) {
            indexing: attribute
            attribute {
                distance-metric: angular
            }
        }
        field colbert type tensor<float>(p{}, x[3]) { indexing: attribute }
        field topics type array<string> { indexing: attribute }
    }

    rank-profile text {
        inputs {
            query(q) tensor<float>(x[3])
            query(qt) tensor<float>(t{}, x[3])
            query(topics) tensor(topic{}): {}
        }
        function text_score() {
            expression: bm25(body)
        }
        function max_sim() {
            expression: sum(reduce(sum(query(qt) * attribute(colbert), x), max, p), t)
        }
        function topical() {
            expression: sum(tensorFromLabels(attribute(topics), topic) * query(topics))
        }
        first-phase {
            expression: text_score
        }
    }

    rank-profile fused inherits text {
        first-phase {
            expression: text_score + closeness(field, vector)
        }
        global-phase {
            expression: reciprocal_rank_fusion(text_score, max_sim, closeness(field, vector)) + 0.01 * topical
            rerank-count: 12
        }
        summary-features: text_score max_sim topical
    }

    rank-profile normalized inherits fused {
        global-phase {
            expression {
                normalize_linear(text_score) + 2 * normalize_linear(max_sim)
                + reciprocal_rank(topical, 1.0) + 0.001 * firstPhase
            }
        }
    }
}
