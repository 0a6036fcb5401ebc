# How packages are ranked for words that all of them have. The text features come from FTS5
# (examples/sqlite_extension/text_features.h), the attributes from the package list.
schema package {
    document package {
        field name type string { indexing: index }
        field description type string { indexing: index }
        field section type string { indexing: attribute }
        field size type double { indexing: attribute }          # installed, in KiB
        field dependencies type double { indexing: attribute }  # packages that it depends on
        field dependents type double { indexing: attribute }    # packages that depend on it
    }

    rank-profile packages {
        # A small network: six features, four hidden units. The weights are chosen by hand, unit by unit:
        # a name that is the query; words in the name of a small package; much used programs; libraries and the like.
        constants {
            W1 tensor<float>(feature[6],hidden[4]): [[3, 0, 0, -2], [1, 2, 0, 0], [0.2, 0.5, 0.1, 0.2],
                                                     [0.2, 0, 1, 0.1], [0, -0.3, -0.1, 0], [-1, 0, -1, 2]]
            b1 tensor<float>(hidden[4]): [-0.5, 0, -0.5, 0]
            W2 tensor<float>(hidden[4],score[1]): [[2], [1], [1], [-4]]
            b2 tensor<float>(score[1]): [0]
        }

        function text() {
            expression: 3 * bm25(name) + bm25(description)
        }
        function popularity() {
            expression: log10(1 + attribute(dependents))
        }
        # What programs need and few look for.
        function auxiliary() {
            expression {
                attribute(section) in ["libs", "libdevel", "oldlibs", "debug", "localization", "golang", "haskell",
                                       "java", "javascript", "ocaml", "perl", "php", "python", "ruby", "rust"]
            }
        }
        function large() {
            expression: log10(1 + attribute(size)) / 4
        }
        function inputs() {
            expression {
                tensor<float>(feature[6]):[exactMatch(name), prefixMatch(name), bm25(name) / 10, popularity,
                                           large + 0.1 * log10(1 + attribute(dependencies)), auxiliary]
            }
        }
        function network() {
            expression: sum(xw_plus_b(relu(xw_plus_b(inputs, constant(W1), constant(b1), feature)), constant(W2), constant(b2), hidden))
        }

        first-phase {
            expression: text + 10 * exactMatch(name) + 4 * prefixMatch(name) + popularity
        }
        second-phase {
            expression: firstPhase + 2 * textSimilarity(name).fieldCoverage + network
            rerank-count: 200
        }
        match-features: firstPhase text popularity network
    }
}
