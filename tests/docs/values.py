"""Value literals of the language and the rule by which two values agree."""

import math
import re
import struct

CELL_TYPES = ('double', 'float', 'bfloat16', 'int8')
SPACE = re.compile(r'\s*')
NAME = re.compile(r'[A-Za-z_][A-Za-z0-9_]*')
SIZE = re.compile(r'[0-9]+')
NUMBER = re.compile(r'[-+]?(?:nan|inf(?:inity)?|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)', re.IGNORECASE)
BARE_LABEL = re.compile(r'[^\s:,}]+')
SIMPLE_ESCAPES = {'"': b'"', "'": b"'", '\\': b'\\', 'f': b'\f', 'n': b'\n', 'r': b'\r', 't': b'\t'}


class LiteralError(ValueError):
    """The text is not a value literal."""


class Type:
    """A cell type and dimensions: (name, size) pairs, size None for a mapped one, in the order written."""

    def __init__(self, cell_type, written):
        self.cell_type = cell_type
        self.written = written
        self.dimensions = sorted(written)

    def __str__(self):
        if not self.written:
            return 'double'
        cell = '' if self.cell_type == 'double' else '<%s>' % self.cell_type
        names = (n + ('{}' if s is None else '[%d]' % s) for n, s in self.dimensions)
        return 'tensor%s(%s)' % (cell, ','.join(names))


class Value:
    """A type and its cells: {(label or index per dimension, sorted by name): number}, dense blocks complete."""

    def __init__(self, value_type, cells):
        self.type = value_type
        self.cells = cells


class _Scanner:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def skip(self):
        self.at = SPACE.match(self.text, self.at).end()

    def peek(self, token):
        self.skip()
        return self.text.startswith(token, self.at)

    def take(self, token):
        found = self.peek(token)
        if found:
            self.at += len(token)
        return found

    def need(self, token):
        if not self.take(token):
            raise LiteralError('expected %r at %r' % (token, self.text[self.at:self.at + 20]))

    def read(self, pattern, what):
        self.skip()
        match = pattern.match(self.text, self.at)
        if not match:
            raise LiteralError('expected %s at %r' % (what, self.text[self.at:self.at + 20]))
        self.at = match.end()
        return match.group()

    def label(self):
        self.skip()
        quote = self.text[self.at:self.at + 1]
        if quote not in ('"', "'"):
            return self.read(BARE_LABEL, 'a label')
        raw = bytearray()
        self.at += 1
        while True:
            char = self.text[self.at:self.at + 1]
            self.at += 1
            if char == '':
                raise LiteralError('label without an end')
            if char == quote:
                return raw.decode('utf-8', 'surrogateescape')
            if char != '\\':
                raw += char.encode('utf-8')
                continue
            escape = self.text[self.at:self.at + 1]
            self.at += 1
            if escape == 'x':
                raw.append(int(self.text[self.at:self.at + 2], 16))
                self.at += 2
            elif escape in SIMPLE_ESCAPES:
                raw += SIMPLE_ESCAPES[escape]
            else:
                raise LiteralError('unknown escape in a label')


def _read_type(scanner):
    if scanner.take('double'):
        return Type('double', [])
    scanner.need('tensor')
    cell_type = 'double'
    if scanner.take('<'):
        cell_type = scanner.read(NAME, 'a cell type')
        if cell_type not in CELL_TYPES:
            raise LiteralError('unknown cell type ' + cell_type)
        scanner.need('>')
    scanner.need('(')
    written = []
    while not scanner.take(')'):
        if written:
            scanner.need(',')
        name = scanner.read(NAME, 'a dimension')
        if scanner.take('{'):
            scanner.need('}')
            written.append((name, None))
        else:
            scanner.need('[')
            written.append((name, int(scanner.read(SIZE, 'a size'))))
            scanner.need(']')
    if len({name for name, _ in written}) != len(written):
        raise LiteralError('dimension named twice')
    return Type(cell_type, written)


def parse_type(text):
    scanner = _Scanner(text)
    result = _read_type(scanner)
    scanner.skip()
    if scanner.at != len(text):
        raise LiteralError('text after the type')
    return result


def _read_index(text, size):
    if not text.isdigit() or int(text) >= size:
        raise LiteralError('bad index ' + text)
    return int(text)


def _read_verbose(scanner, value_type, store):
    sizes = dict(value_type.written)
    scanner.need('{')
    first = True
    while not scanner.take('}'):
        if not first:
            scanner.need(',')
        first = False
        scanner.need('{')
        address = {}
        while not scanner.take('}'):
            if address:
                scanner.need(',')
            name = scanner.read(NAME, 'a dimension')
            if name not in sizes:
                raise LiteralError('no dimension ' + name)
            scanner.need(':')
            label = scanner.label()
            address[name] = label if sizes[name] is None else _read_index(label, sizes[name])
        if len(address) != len(sizes):
            raise LiteralError('incomplete address')
        scanner.need(':')
        store(address, float(scanner.read(NUMBER, 'a number')))


def _read_short(scanner, value_type, address, store):
    if len(address) == len(value_type.written):
        store(address, float(scanner.read(NUMBER, 'a number')))
        return
    name, size = value_type.written[len(address)]
    opening, closing = ('{', '}') if size is None else ('[', ']')
    scanner.need(opening)
    count = 0
    while not scanner.take(closing):
        if count:
            scanner.need(',')
        if size is None:
            place = scanner.label()
            scanner.need(':')
        else:
            place = _read_index(str(count), size)
        _read_short(scanner, value_type, {**address, name: place}, store)
        count += 1


def parse_value(text):
    """Reads a number or a tensor literal, short or verbose; cells that a dense block leaves out are 0."""
    scanner = _Scanner(text)
    cells = {}
    if not scanner.peek('tensor'):
        value_type = Type('double', [])
        cells[()] = float(scanner.read(NUMBER, 'a number'))
    else:
        value_type = _read_type(scanner)

        def store(address, number):
            key = tuple(address[name] for name, _ in value_type.dimensions)
            if key in cells:
                raise LiteralError('address given twice')
            cells[key] = number

        scanner.need(':')
        mark = scanner.at
        verbose = scanner.take('{') and (scanner.peek('{') or scanner.peek('}'))
        scanner.at = mark
        if verbose:
            _read_verbose(scanner, value_type, store)
        else:
            _read_short(scanner, value_type, {}, store)
        _complete_blocks(value_type, cells)
    scanner.skip()
    if scanner.at != len(scanner.text):
        raise LiteralError('text after the value: %r' % scanner.text[scanner.at:])
    return Value(value_type, cells)


def _complete_blocks(value_type, cells):
    mapped = [size is None for _, size in value_type.dimensions]
    blocks = {tuple(part for part, is_mapped in zip(key, mapped) if is_mapped) for key in cells}
    if not any(mapped):
        blocks.add(())
    for block in blocks:
        labels = iter(block)
        keys = [()]
        for _, size in value_type.dimensions:
            places = [next(labels)] if size is None else range(size)
            keys = [key + (place,) for key in keys for place in places]
        for key in keys:
            cells.setdefault(key, 0.0)


def _bfloat16_position(number):
    """The number's place on the line of all bfloat16 numbers."""
    bits = struct.unpack('>I', struct.pack('>f', number))[0]
    place = ((bits & 0x7fffffff) + 0x8000) >> 16
    return -place if bits >> 31 else place


def _agree(actual, expected, cell_type, tolerance):
    if math.isnan(actual) or math.isnan(expected):
        return math.isnan(actual) and math.isnan(expected)
    if actual == expected:
        return True
    if math.isinf(actual) or math.isinf(expected) or cell_type == 'int8':
        return False
    if cell_type == 'bfloat16':
        return abs(_bfloat16_position(actual) - _bfloat16_position(expected)) <= 1
    return abs(actual - expected) <= tolerance * max(1.0, abs(actual), abs(expected))


def difference(actual, expected, tolerance):
    """What is different between two values, or None if they agree.

    int8 cells must be equal, bfloat16 cells at most one step apart, float cells agree to 1e-5 and double cells to the
    tolerance, relative above 1.
    """
    if str(actual.type) != str(expected.type):
        return 'type is %s, expected %s' % (actual.type, expected.type)
    names = [name for name, _ in expected.type.dimensions]

    def show(key):
        return '{%s}' % ','.join('%s:%s' % part for part in zip(names, key))

    for key in expected.cells:
        if key not in actual.cells:
            return 'cell %s is missing' % show(key)
    for key in actual.cells:
        if key not in expected.cells:
            return 'cell %s should not be there' % show(key)
    cell_type = expected.type.cell_type
    if cell_type == 'float':
        tolerance = 1e-5
    for key, number in expected.cells.items():
        if not _agree(actual.cells[key], number, cell_type, tolerance):
            return 'cell %s is %r, expected %r' % (show(key), actual.cells[key], number)
    return None
