"""A profile that reads a number and a vector of each document, and what declares the vector."""

PROFILE = '''rank-profile p {
    inputs { query(a) double: 1 }
    first-phase { expression: query(a) * attribute(n) + sum(attribute(v)) }
}
'''
VECTOR = ('--attribute', 'v:tensor<float>(x[2])')
