"""What owns what: arrays that are freed, plans that are deleted, threads, forks, and memory that must not grow."""

import gc
import os
import pathlib
import sys
import threading
import weakref

import numpy as np
import pytest
import tenrex

PLAN = tenrex.compile("sum(q * d)", query={"q": "tensor<float>(x[8])"}, document={"d": "tensor<float>(x[8])"})
ROOT = pathlib.Path(__file__).parents[2]
FOREST = ROOT / "tests" / "forest" / "trained" / "lightgbm_binary.txt"
WORDS = ROOT / "tests" / "text" / "trained" / "word_piece.json"
VECTORS = np.random.default_rng(0).normal(size=(100, 8)).astype(np.float32)
INDEX = tenrex.VectorIndex(8)
INDEX.add(VECTORS)
TOKENIZER = tenrex.Tokenizer.read_vocabulary("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##a")


def test_documents_keep_their_arrays():
    array = np.ones((100, 8), np.float32)
    seen = weakref.ref(array)
    documents = PLAN.documents(d=array)
    before = sys.getrefcount(array)
    assert before > 2
    del array
    gc.collect()
    assert seen() is not None
    assert PLAN.bind(q=np.ones(8))(documents).tolist() == [8] * 100
    del documents
    gc.collect()
    assert seen() is None


def test_an_array_that_is_lent_cannot_be_resized():
    array = np.ones((100, 8), np.float32)
    documents = PLAN.documents(d=array)
    for check in (True, False):
        with pytest.raises(ValueError):
            array.resize((1, 8), refcheck=check)
    buffer = bytearray(100 * 32)
    lent = PLAN.documents(d=np.frombuffer(buffer, np.float32).reshape(100, 8))
    with pytest.raises(BufferError):
        buffer.clear()
    del documents, lent


def test_an_array_that_is_used_cannot_be_freed():
    """Others drop their references, resize and replace the array while calls are running."""
    query = PLAN.bind(q=np.ones(8))
    held, done, wrong = {"d": np.ones((20000, 8), np.float32)}, threading.Event(), []

    def disturb():
        while not done.is_set():
            array = held["d"]
            held["d"] = np.ones((20000, 8), np.float32)
            try:
                array.resize((1, 8), refcheck=False)
            except ValueError:
                pass  # a call has it, or had it
            del array

    threads = [threading.Thread(target=disturb) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(200):
        result = query(d=held["d"])
        if not (result == 8).all():
            wrong.append(result)
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("count", [1, 4, 50000])
def test_code_that_runs_between_columns_cannot_resize_them(count):
    """A number and a key, whose methods are code of Python, come behind an array that the call has looked at already."""
    query = tenrex.compile("sum(d) + price", document={"d": "tensor<float>(x[8])", "price": "double"}).bind()
    array, refused = np.ones((count, 8), np.float32), []

    def resize():
        try:
            array.resize((count, 1), refcheck=False)
        except ValueError:
            refused.append(True)

    class Number(np.float32):
        def __float__(self):
            resize()
            return 2.0

    class Key(str):
        __hash__ = str.__hash__

        def __eq__(self, other):
            resize()
            return str.__eq__(self, other)

    for columns in ({"d": array, "price": [Number(2)] * count}, {"d": array, Key("price"): 2.0}):
        refused.clear()
        assert query(columns).tolist() == [10] * count and refused
        if type(list(columns)[1]) is str:
            refused.clear()
            assert query(**columns, out=np.empty(count)).tolist() == [10] * count and refused


def test_several_places_for_scores_are_held():
    plan = tenrex.compile({"a": "x + 1", "b": "x + 2"}, document=["x"])
    first, refused = np.empty(3), []

    class Out(dict):
        def get(self, name):
            if name == "b":
                try:
                    first.resize(1, refcheck=False)
                except ValueError:
                    refused.append(True)
            return self[name]

    result = plan.bind()(x=[1, 2, 3], out=Out(a=first, b=np.empty(3)))
    assert refused and first.tolist() == [2, 3, 4] and result["b"].tolist() == [3, 4, 5]


def test_a_call_gives_its_arrays_back():
    array = np.ones((4, 8), np.float32)
    query = PLAN.bind(q=np.ones(8))
    before = sys.getrefcount(array)
    for d in (array, array[::2], array[:, ::1]):
        query(d=d)
    with pytest.raises(tenrex.Error):
        query(d=array, wrong=1)
    with pytest.raises(tenrex.Error):
        query(d=array, out=np.empty(3))
    del d
    gc.collect()
    assert sys.getrefcount(array) == before


def test_queries_outlive_their_plan():
    plan = tenrex.compile({"t": "q * d", "s": "sum(d)"}, query={"q": "tensor<float>(k{})"}, document={"d": "tensor<float>(x[2])"})
    query = plan.bind(q={"a": 2})
    seen = weakref.ref(plan)
    del plan
    gc.collect()
    result = query(d=[[1, 2]])
    del query
    gc.collect()
    assert seen() is None
    assert result["t"][0]["a"].tolist() == [2, 4] and result["s"].tolist() == [3]


def test_results_own_their_memory():
    query = tenrex.compile("d * 2", document={"d": "tensor<float>(x[2])"}).bind()
    array = np.ones((3, 2), np.float32)
    first = query(d=array)
    second = query(d=array * 2)
    del query, array
    gc.collect()
    assert first.tolist() == [[2, 2]] * 3 and second.tolist() == [[4, 4]] * 3 and first.flags.owndata


def test_bound_values_are_copies():
    q = np.ones(8, np.float32)
    query = PLAN.bind(q=q)
    q[:] = 0
    assert query(d=np.ones((1, 8), np.float32)).tolist() == [8]


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def use_everything():
    plan = tenrex.compile({"a": "sum(q * d)", "b": "sum(t * w)"}, query={"q": "tensor<float>(x[256])", "w": "tensor(k{})"},
                          document={"d": "tensor<float>(x[256])", "t": "tensor(k{})"})
    query = plan.bind(q=np.ones(256), w={"a": 1})
    documents = plan.documents(d=np.ones((100, 256), np.float32), t=[{"a": 1, "some other label": 2}] * 100)
    query(documents)
    plan.explain(), plan.steps(), plan.graph().svg(), query.profile(documents)
    tenrex.Tensor({"a": 1}, dims=["k"]).to_dict()
    index = tenrex.VectorIndex(8)
    index.add(VECTORS)
    index.search(VECTORS, allowed=[1, 2])
    TOKENIZER.encode_batch(["a b c"] * 100).padded()
    for mistake in (lambda: index.add([[1, 2]]), lambda: TOKENIZER.encode("a", max_length=1), lambda: query(d=3), lambda: tenrex.compile("a +"), lambda: plan.bind(q=[1])):
        with pytest.raises(tenrex.Error):
            mistake()


def test_memory_does_not_grow():
    for _ in range(30):
        use_everything()
    gc.collect()
    before, objects = resident(), len(gc.get_objects())
    for _ in range(150):
        use_everything()
    gc.collect()
    assert len(gc.get_objects()) < objects + 500
    assert resident() - before < 6 << 20  # a leak of one block of documents each time would be 15 MB


def test_threads_share_a_query():
    random = np.random.default_rng(1)
    d = random.integers(-9, 9, (50000, 8)).astype(np.float32)  # so many that they are evaluated at the same time
    query = PLAN.bind(q=np.arange(8))
    expected = d.astype(float) @ np.arange(8)
    wrong = []

    def work(first):
        for _ in range(20):
            if not (query(d=d[first:]) == expected[first:]).all():
                wrong.append(first)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def long_calls():
    """Calls that spend a millisecond or so in the library."""
    documents = PLAN.documents(d=np.ones((100000, 8), np.float32))
    query = PLAN.bind(q=np.ones(8))
    plan = tenrex.compile("sum(exp(sin(w)))", query={"w": "tensor(x[50000])"})
    text = "+".join(f"sum(q * {i})" for i in range(300))
    return {"call": lambda: query(documents), "profile": lambda: query.profile(documents),
            "bind": lambda: plan.bind(w=np.ones(50000)),
            "compile": lambda: tenrex.compile(text, query={"q": "tensor<float>(x[8])"}),
            "load": lambda: (tenrex.lightgbm(FOREST), tenrex.Tokenizer.load(WORDS)),
            "add": lambda: tenrex.VectorIndex(8).add(VECTORS), "search": lambda: INDEX.search(VECTORS),
            "tokenize": lambda: TOKENIZER.encode_batch([2000 * "a"] * 10)}


@pytest.mark.parametrize("name", ["call", "profile", "bind", "compile", "load", "add", "search", "tokenize"])
def test_other_threads_run_meanwhile(name):
    """With an endless interval nobody is asked to let others run: they do only if the lock of the interpreter is let go."""
    call = long_calls()[name]
    started, ran = threading.Event(), []
    thread = threading.Thread(target=lambda: (started.wait(), ran.append(True)))
    thread.start()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e6)
    try:
        started.set()
        for _ in range(10000):
            call()
            if ran:
                break
        did_run = bool(ran)
    finally:
        sys.setswitchinterval(interval)
    thread.join()
    assert did_run


def test_fork():
    query = PLAN.bind(q=np.ones(8))
    d = np.ones((1000, 8), np.float32)
    query(d=d)
    child = os.fork()
    if child == 0:
        try:
            right = query(d=d).tolist() == [8] * 1000 and tenrex.compile("1 + 1").bind()() == 2.0
            os._exit(0 if right else 1)
        except BaseException:  # whatever happens, the child must not run the other tests
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert query(d=d).tolist() == [8] * 1000


def test_a_query_keeps_what_it_was_made_of():
    query = PLAN.bind(q=np.ones(8))
    other = PLAN.bind(q=np.zeros(8))
    with pytest.raises(TypeError, match="has a plan already"):
        query.__init__(other._plan, other._core)
    with pytest.raises(TypeError, match="in this order"):
        tenrex.Query(plan=PLAN)
    with pytest.raises(TypeError, match="no plan"):
        tenrex.Query.__new__(tenrex.Query)(d=VECTORS)
    assert query(d=np.ones((2, 8), np.float32)).tolist() == [8, 8]
