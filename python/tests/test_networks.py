"""Networks and forests of ONNX files in expressions."""

import gc
import pathlib
import sys

import numpy as np
import pytest
import tenrex

sys.path.append(str(pathlib.Path(__file__).parents[2] / "tests" / "tools"))
import onnx_writer as writer  # noqa: E402

FORESTS = pathlib.Path(__file__).parents[2] / "tests" / "onnx" / "forests"
X = np.array([[[2, 1]], [[0, 10]], [[1, 1]]], np.float32)
SUMS = np.maximum(X @ np.array([[1, -2], [3, 4]]) + [0.5, -20], 0).sum((1, 2)).tolist()


def test_networks(tmp_path):
    path = tmp_path / "layer.onnx"
    path.write_bytes(writer.layer())
    for model in (path, str(path), path.read_bytes(), memoryview(path.read_bytes())):
        network = tenrex.onnx(model)
        plan = tenrex.compile("sum(onnx(m).out_0) + price", document={"x": "tensor<float>(d0[1],d1[2])", "price": "double"},
                              networks={"m": network})
        del network
        gc.collect()
        assert plan.bind()(x=X, price=1).tolist() == [each + 1 for each in SUMS]
    network = tenrex.onnx(path)
    assert network.inputs == {"x": "float[n,2]"} and network.outputs == {"out/0": "float[n,2]"} and network.parameters == 6
    assert [operator.name for operator in network.operators] == ["Add", "MatMul", "Relu"] and "6 parameters" in repr(network)
    assert all(operator.is_supported and operator.nodes == 1 for operator in network.operators)


def test_a_network_is_imported_once(tmp_path):
    path = tmp_path / "layer.onnx"
    path.write_bytes(writer.layer())
    network = tenrex.onnx(path)

    def score(rows, name="m", axes="d0[1],d1[2]"):
        plan = tenrex.compile(f"sum(onnx({name}))", document={"x": f"tensor<float>({axes})"}, networks={name: network})
        return plan.bind()(x=rows).tolist()

    assert score(X) == SUMS
    content = path.read_bytes()
    path.unlink()
    assert score(X) == SUMS  # the file is not read again
    for name, axes in (("other", "d0[1],d1[2]"), ("m", "d0[3],d1[2]")):
        with pytest.raises(tenrex.Error):
            score(X, name, axes)
    path.write_bytes(content)
    assert score(X.reshape(1, 3, 2), axes="d0[3],d1[2]") == [pytest.approx(sum(SUMS))] and score(X, "other") == SUMS
    assert [score(X, f"m{number}") for number in range(6)] == [SUMS] * 6


def test_inputs_and_precision():
    content = writer.layer()
    network = tenrex.onnx(content, inputs={"x": "attribute(v)"})
    of_type = {"attribute(v)": "tensor<float>(d0[1],d1[2])"}
    assert tenrex.compile("sum(onnx(m))", document=of_type, networks={"m": network}).bind()(v=X).tolist() == SUMS
    for precision in ("bf16", "int8"):
        network = tenrex.onnx(content, inputs={"x": "attribute(v)"}, precision=precision)
        assert network.precision == precision
        found = tenrex.compile("sum(onnx(m))", document=of_type, networks={"m": network}).bind()(v=X)
        assert np.allclose(found, SUMS, rtol=0.05)


def test_a_model_in_the_memory_of_a_package():
    class ModelProto:
        def SerializeToString(self):
            return writer.layer()

    assert tenrex.onnx(ModelProto()).parameters == 6


def test_forests():
    path = sorted(FORESTS.glob("**/*.onnx"))[0]
    for model in (path, path.read_bytes()):
        forest = tenrex.onnx(model)
        assert isinstance(forest, tenrex.Forest) and forest.trees > 0
        assert np.isfinite(forest.plan().bind()({name: [0.5, 1] for name in forest.used_features})).all()


def test_mistakes(tmp_path):
    path = tmp_path / "cut.onnx"
    path.write_bytes(writer.layer()[:30])
    for call in (lambda: tenrex.onnx(path), lambda: tenrex.onnx(tmp_path / "none.onnx"), lambda: tenrex.onnx(5),
                 lambda: tenrex.onnx(writer.layer(), precision="int4")):
        with pytest.raises(tenrex.Error):
            call()
    network = tenrex.onnx(writer.layer("NoSuchOperator"))
    assert [operator for operator in network.operators if not operator.is_supported][0].name == "NoSuchOperator"
    for networks, types in (({"m": network}, {"x": "tensor<float>(d0[1],d1[2])"}), ({"m": tenrex.onnx(writer.layer())}, {"x": "tensor<float>(d0[1],d1[3])"})):
        with pytest.raises(tenrex.Error):
            tenrex.compile("sum(onnx(m))", document=types, networks=networks)
