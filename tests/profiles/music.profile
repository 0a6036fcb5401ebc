# Two phases over attributes of a schema: functions, arguments, elements of sets and arrays, freshness, drop limit.
schema music {
    document music {
        field title type string {
            indexing: summary | index
            index: enable-bm25
        }
        field price type float { indexing: summary | attribute }
        field genre type string { indexing: attribute | summary }
        field released type long { indexing: attribute }
        field charts type array<int> { indexing: attribute }
        field tags type weightedset<string> { indexing: attribute }
    }

    rank-profile cheap {
        inputs {
            query(budget) double: 20
            query(genre_boost): 0.5
        }
        constants {
            steepness: 0.25
        }
        function affordable(price) {
            expression: sigmoid((query(budget) - price) * steepness)
        }
        function matches_genre() {
            expression: if(attribute(genre) == "rock", query(genre_boost), 0)
        }
        function weighted(name, key) {
            expression: log(1 + attribute(name, key).weight)
        }
        first-phase {
            expression: affordable(attribute(price)) + matches_genre
            rank-score-drop-limit: 0.1
        }
        match-features: affordable(attribute(price)) matches_genre attribute(price)
    }

    rank-profile fresh inherits cheap {
        rank-properties {
            freshness(released).maxAge: 31536000
            freshness(released).halfResponse: 2592000
        }
        second-phase {
            expression {
                firstPhase * 2
                + freshness(released) + freshness(released).logscale
                + weighted(tags, live) - 0.1 * attribute(charts, 0)
                + 0.01 * attribute(charts).count * attribute(tags, live).contains
            }
            rerank-count: 8
        }
        match-features inherits cheap {
            freshness(released)
            age(released)
        }
    }
}
