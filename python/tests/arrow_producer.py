"""Arrow arrays made by hand, with ctypes: they are lent as pyarrow or polars would lend them, and count what is released."""

import ctypes

import numpy as np


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
GET = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
REASON = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
_reason = ctypes.create_string_buffer(b"the disk is gone")
Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
                   ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
                   ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.POINTER(Schema)),
                   ("release", RELEASE), ("private", ctypes.c_void_p)]
Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
                  ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64),
                  ("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.POINTER(ctypes.POINTER(Array))),
                  ("dictionary", ctypes.POINTER(Array)), ("release", RELEASE), ("private", ctypes.c_void_p)]
Stream._fields_ = [("get_schema", GET), ("get_next", GET), ("get_last_error", REASON), ("release", RELEASE),
                   ("private", ctypes.c_void_p)]

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_alive = {}  # address of a structure: what it needs
released = []


def _mark_released(kind, struct_type):
    def release(address):
        struct_type.from_address(address).release = RELEASE()
        released.append(kind)

    return RELEASE(release)


_release_schema = _mark_released("schema", Schema)
_release_array = _mark_released("array", Array)
_release_stream = _mark_released("stream", Stream)


def _lent(structure, *needs):
    _alive[ctypes.addressof(structure)] = (structure, needs)
    return structure


def bits(flags):
    return np.packbits(np.asarray(flags, bool), bitorder="little")


class Data:
    """An array of any format: buffers are arrays of numpy, bytes or None."""

    def __init__(self, layout, length, buffers, children=(), name="", offset=0, null_count=-1, dictionary=None):
        self.layout, self.length, self.children, self.name = layout, length, list(children), name
        self.buffers = [np.frombuffer(b, np.uint8) if isinstance(b, bytes) else b for b in buffers]
        self.offset, self.null_count, self.dictionary = offset, null_count, dictionary

    def sliced(self, start, length):
        return Data(self.layout, length, self.buffers, self.children, self.name, self.offset + start, -1, self.dictionary)

    def schema(self, is_child=False):
        kids = [child.schema(True) for child in self.children]
        pointers = (ctypes.POINTER(Schema) * len(kids))(*[ctypes.pointer(kid) for kid in kids])
        inner = self.dictionary.schema(True) if self.dictionary else None
        made = Schema(self.layout.encode(), self.name.encode(), None, 2, len(kids), pointers,
                      ctypes.pointer(inner) if inner else None, RELEASE() if is_child else _release_schema)
        return _lent(made, kids, pointers, inner)

    def array(self, is_child=False):
        kids = [child.array(True) for child in self.children]
        pointers = (ctypes.POINTER(Array) * len(kids))(*[ctypes.pointer(kid) for kid in kids])
        addresses = (ctypes.c_void_p * len(self.buffers))(*[None if b is None else b.ctypes.data for b in self.buffers])
        inner = self.dictionary.array(True) if self.dictionary else None
        made = Array(self.length, self.null_count, self.offset, len(self.buffers), len(kids), addresses, pointers,
                     ctypes.pointer(inner) if inner else None, RELEASE() if is_child else _release_array)
        return _lent(made, kids, pointers, addresses, inner, self.buffers)

    def __arrow_c_array__(self, requested_schema=None):
        return (_new(ctypes.addressof(self.schema()), b"arrow_schema", None),
                _new(ctypes.addressof(self.array()), b"arrow_array", None))


class Chunks:
    """Several arrays of one type, as a stream."""

    def __init__(self, layout_of, chunks, fails=False):
        self.layout_of, self.chunks, self.fails = layout_of, list(chunks), fails

    def __arrow_c_stream__(self, requested_schema=None):
        left = list(self.chunks)

        def get_schema(_, to):
            ctypes.memmove(to, ctypes.byref(self.layout_of.schema()), ctypes.sizeof(Schema))
            return 0

        def get_next(_, to):
            if self.fails:
                return 5
            if left:
                ctypes.memmove(to, ctypes.byref(left.pop(0).array()), ctypes.sizeof(Array))
            else:
                ctypes.memset(to, 0, ctypes.sizeof(Array))
            return 0

        stream = Stream(GET(get_schema), GET(get_next), REASON(lambda _: ctypes.addressof(_reason)), _release_stream)
        return _new(ctypes.addressof(_lent(stream)), b"arrow_array_stream", None)


def numbers(values, dtype="f8", valid=None, name=""):
    layout = {"i1": "c", "u1": "C", "i2": "s", "u2": "S", "i4": "i", "u4": "I", "i8": "l", "u8": "L", "f2": "e", "f4": "f",
              "f8": "g"}[dtype]
    return Data(layout, len(values), [None if valid is None else bits(valid), np.array(values, dtype)], name=name)


def texts(words, large=False, name=""):
    data = [word.encode() for word in words]
    offsets = np.cumsum([0] + [len(d) for d in data]).astype("i8" if large else "i4")
    return Data("U" if large else "u", len(words), [None, offsets, b"".join(data) + b"\0"], name=name)


def text_views(words):
    """Texts of which those above 12 bytes are elsewhere."""
    views, far = b"", b""
    for word in words:
        data = word.encode()
        if len(data) <= 12:
            views += len(data).to_bytes(4, "little") + data.ljust(12, b"\0")
        else:
            views += (len(data).to_bytes(4, "little") + data[:4] + (0).to_bytes(4, "little")
                      + len(far).to_bytes(4, "little"))
            far += data
    return Data("vu", len(words), [None, views or b"\0", far or b"\0", np.array([len(far)], "i8")])


def fixed(child, size, valid=None, name=""):
    return Data(f"+w:{size}", child.length // size, [None if valid is None else bits(valid)], [child], name=name)


def lists(offsets, child, valid=None, large=False, layout=None, name=""):
    return Data(layout or ("+L" if large else "+l"), len(offsets) - 1,
                [None if valid is None else bits(valid), np.array(offsets, "i8" if large else "i4")], [child], name=name)


def struct(*children, name=""):
    return Data("+s", children[0].length, [None], children, name=name)
