# Few hits are scored again, with scores of another size; scores tie and are no numbers.
rank-profile rescaled {
    first-phase { expression: attribute(a) }
    second-phase {
        expression: attribute(b)
        rerank-count: 4
    }
    global-phase {
        expression: secondPhase / 4 + random * 0
        rerank-count: 2
    }
    match-features: firstPhase secondPhase
}
