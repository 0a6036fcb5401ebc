"""The cross-encoder as a network of floats, cut behind some of its layers, and with what is trained on top."""

import numpy
import onnx
from onnx import helper, numpy_helper

WIDTH = 384


def vectors_of(layer):
    """The name of what a layer, counted from 0, gives each token."""
    return f"/bert/encoder/layer.{layer}/output/LayerNorm/Add_1_output_0"


def constants_of(graph):
    found = {each.name: each for each in graph.initializer}
    return lambda name: numpy_helper.to_array(found[name]) if name in found else None


def with_outputs(model, outputs):
    """What is needed for these (name, axes), and nothing else."""
    network = onnx.ModelProto()
    network.CopyFrom(model)
    graph, needed, kept = network.graph, {name for name, _ in outputs}, []
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            needed.update(node.input)
            kept.append(node)
    constants = [each for each in graph.initializer if each.name in needed]
    for part, content in ((graph.node, kept[::-1]), (graph.initializer, constants)):
        content = [type(each).FromString(each.SerializeToString()) for each in content]
        del part[:]
        part.extend(content)
    del graph.output[:]
    graph.output.extend(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, axes) for name, axes in outputs)
    return network


def of_floats(model):
    """The same network with its products in float, where the file has those of whole numbers:
    MatMulInteger, Cast and Mul by both scales become a MatMul with the weights that the numbers stand for."""
    network = onnx.ModelProto()
    network.CopyFrom(model)
    graph = network.graph
    constant = constants_of(graph)
    quantized = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "DynamicQuantizeLinear"}
    products = {node.output[0]: node for node in graph.node if node.op_type == "MatMulInteger"}
    casts = {node.output[0]: products[node.input[0]] for node in graph.node if node.op_type == "Cast" and node.input[0] in products}
    scales = {node.output[0]: node.input[1] for node in graph.node if node.op_type == "Mul" and constant(node.input[1]) is not None}
    nodes = []
    for node in graph.node:
        product = casts.get(node.input[0]) if node.op_type == "Mul" else None
        if product is not None:
            whole, middle, scale = (constant(name) for name in (product.input[1], product.input[3], scales[node.input[1]]))
            name = product.input[1] + "_of_floats"
            graph.initializer.append(numpy_helper.from_array(((whole.astype(numpy.float32) - middle) * scale).astype(numpy.float32), name))
            node = helper.make_node("MatMul", [quantized[product.input[0]], name], list(node.output), node.name)
        nodes.append(onnx.NodeProto.FromString(node.SerializeToString()))
    del graph.node[:]
    graph.node.extend(nodes)
    return with_outputs(network, [(each.name, ["batch_size", 1]) for each in graph.output])


def reader(model, layers, head, relevance):
    """The network up to the last of the layers, with what is trained on their vectors.

    head: weights and bias of the hidden layer, and weights of the last one, which tell for each token how likely an answer begins and ends
    there. relevance: weights and bias over the vectors of the first token; nothing: what the model itself says.
    """
    outputs = [(vectors_of(layer), ["batch_size", "sequence_length", WIDTH]) for layer in layers]
    network = with_outputs(model, outputs + ([] if relevance else [("logits", ["batch_size", 1])]))
    graph = network.graph
    del graph.output[:len(layers)]
    w, b, u = head
    weights = {"reader_b": b, "reader_u": u, "reader_begin": numpy.array(0), "reader_end": numpy.array(1)}

    def product(vectors, cells, bias, name):
        """The sum of the products of the vectors of all layers."""
        before = bias
        for i, each in enumerate(vectors):
            weights[f"{name}_w{i}"] = cells[i * WIDTH:(i + 1) * WIDTH]
            after = name if i + 1 == len(vectors) else f"{name}_s{i}"
            graph.node.append(helper.make_node("MatMul", [each, f"{name}_w{i}"], [f"{name}_p{i}"]))
            graph.node.append(helper.make_node("Add", [f"{name}_p{i}", before], [after]))
            before = after

    product([vectors_of(layer) for layer in layers], w, "reader_b", "reader_sum")
    graph.node.append(helper.make_node("Relu", ["reader_sum"], ["reader_inner"]))
    graph.node.append(helper.make_node("MatMul", ["reader_inner", "reader_u"], ["reader_logits"]))
    for name, place in (("start_logits", "reader_begin"), ("end_logits", "reader_end")):
        graph.node.append(helper.make_node("Gather", ["reader_logits", place], [name], axis=2))
        graph.output.append(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["batch_size", "sequence_length"]))
    if relevance:
        firsts = [f"reader_first{i}" for i in range(len(layers))]
        for layer, first in zip(layers, firsts):
            graph.node.append(helper.make_node("Gather", [vectors_of(layer), "reader_begin"], [first], axis=1))
        weights["reader_middle"] = relevance[1]
        product(firsts, relevance[0], "reader_middle", "logits")
        graph.output.append(helper.make_tensor_value_info("logits", onnx.TensorProto.FLOAT, ["batch_size", 1]))
    graph.initializer.extend(numpy_helper.from_array(cells, name) for name, cells in weights.items())
    return network
