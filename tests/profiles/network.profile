# A neural network with weights in files, put together from several parents.
rank-profile weights {
    constants {
        W0 tensor<float>(x[4],h[3]): file:network_w0.json
        b0 tensor<float>(h[3]): [0.1, -0.2, 0.3]
        W1 tensor<float>(h[3]): file:network_w1.json
        constant(b1) double: 0.05
    }
}

rank-profile layers {
    function layer(input, weights, bias) {
        expression: relu(xw_plus_b(input, weights, bias, x))
    }
    macro inline activation(v) {
        expression: tanh(v)
    }
    function features() {
        expression: file:network_features
    }
}

rank-profile network inherits weights, layers {
    inputs {
        query(user) tensor<float>(x[4]): [1, 0.5, 0.25, 1]
    }
    first-phase {
        expression: sum(features)
    }
    second-phase {
        expression: activation(sum(layer(features, W0, b0) * W1, h) + b1)
        rerank-count: 6
        rank-score-drop-limit: -0.9
    }
    summary-features {
        features
        rankingExpression(features)
    }
}

# The functions of the parents see what this one says.
rank-profile linear inherits network {
    function layer(input, weights, bias) {
        expression: xw_plus_b(input, weights, bias, x)
    }
    function inline activation(v) { expression: v }
}
