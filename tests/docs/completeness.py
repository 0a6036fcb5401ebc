"""What the examples and tables of the documentation leave out."""

import re

STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|#[^\n]*')
CELL_TYPE = re.compile(r'<\s*(double|float|bfloat16|int8)\s*>')
CALL = re.compile(r'([A-Za-z_]\w*)\s*(?:<[^<>]*>)?\s*\(')
OPERATOR = re.compile(r'==|!=|~=|<=|>=|&&|\|\||[-+*/%^<>!]')
PREFIXED = re.compile(r'(?:^|[(\[,:+*/%^<>=&|!-])\s*$')


def plain(expression):
    """The expression without strings and comments."""
    return STRING_OR_COMMENT.sub(lambda match: '0' if match.group()[0] != '#' else '', expression)


def calls(expression):
    """(name, [argument texts]) of everything that looks like a call."""
    text = plain(expression)
    for match in CALL.finditer(text):
        depth, start, arguments = 0, match.end(), []
        for at in range(match.end(), len(text)):
            char = text[at]
            if char in '([{':
                depth += 1
            elif char in ')]}' and depth:
                depth -= 1
            elif char in ',)' and depth == 0:
                arguments.append(text[start:at].strip())
                start = at + 1
                if char == ')':
                    break
        yield match.group(1), arguments


def operators(expression):
    """(symbol, arity) of the operators of an expression."""
    text = CELL_TYPE.sub('', plain(expression))
    for match in OPERATOR.finditer(text):
        prefix = match.group() in '-!' and PREFIXED.search(text[:match.start()])
        if prefix and match.group() == '-' and text[match.end():match.end() + 1].isdigit():
            continue  # belongs to the number
        yield match.group(), 1 if prefix else 2


def table(text, macro):
    """The rows of a .def file: lists of their fields, strings without quotes."""
    rows = []
    for match in re.finditer(r'^%s\((.*)\)\s*$' % macro, text, re.MULTILINE):
        fields = re.findall(r'"((?:\\.|[^"\\])*)"|([^,"]+)', match.group(1))
        rows.append([(quoted or bare).strip() for quoted, bare in fields if quoted or bare.strip()])
    return rows


class Seen:
    """What the examples that have a result use."""

    def __init__(self, examples):
        self.scalar, self.tensor, self.aggregators = set(), set(), set()
        self.operators, self.cell_types = set(), set()
        for example in examples:
            if example.result is None:
                continue
            self.operators.update(operators(example.expression))
            self.cell_types.update(CELL_TYPE.findall(plain(example.expression)))
            for name, arguments in calls(example.expression):
                self._add_call(example, name, arguments)

    def _add_call(self, example, name, arguments):
        # max(a,b) of two values is a scalar function; max(t) and max(t,x) aggregate.
        others_are_dimensions = all(re.fullmatch(r'[A-Za-z_]\w*', argument) and argument not in example.inputs
                                    for argument in arguments[1:])
        if others_are_dimensions or len(arguments) > 2:
            self.tensor.add(name)
        if len(arguments) < 2 or not others_are_dimensions:
            self.scalar.add(name)
        if name not in ('max', 'min'):
            self.tensor.add(name)
            self.scalar.add(name)
        if name == 'reduce' and len(arguments) > 1:
            self.aggregators.add(arguments[1])


def missing_examples(seen, functions, tensor_functions, aggregators, cell_types):
    """Rows of the tables that no example shows."""
    missing = []
    for row in table(functions, 'TENREX_FUNCTION'):
        if row[1] not in seen.scalar:
            missing.append('scalar function ' + row[1])
    for row in table(functions, 'TENREX_OPERATOR'):
        if (row[1], int(row[2])) not in seen.operators:
            missing.append('%s operator %s' % ('prefix' if row[2] == '1' else 'infix', row[1]))
    for row in table(tensor_functions, 'TENREX_TENSOR_FUNCTION'):
        if row[1] not in seen.tensor:
            missing.append('tensor function ' + row[1])
    for row in table(aggregators, 'TENREX_AGGREGATOR'):
        if row[1] not in seen.aggregators:
            missing.append('aggregator ' + row[1])
    for row in table(cell_types, 'TENREX_CELL_TYPE'):
        if row[1] not in seen.cell_types:
            missing.append('cell type ' + row[1])
    return missing


def markdown_rows(text):
    """The cells of all table rows of a page."""
    for line in text.splitlines():
        if line.startswith('|'):
            cells = line.strip()[1:-1].replace('\\|', '\0').split('|')
            yield [cell.replace('\0', '|').strip() for cell in cells]


def wrong_precedences(pages, functions):
    """Operators whose row `| `op` | meaning | core | java |` is missing or differs from the table."""
    documented = {}
    for text in pages:
        for cells in markdown_rows(text):
            if len(cells) == 4 and re.fullmatch(r'`[^`]+`', cells[0]) and cells[2].isdigit() and cells[3].isdigit():
                documented[cells[0].strip('`')] = (cells[2], cells[3])
    problems = []
    for row in table(functions, 'TENREX_OPERATOR'):
        symbol = row[1] if row[2] == '2' else row[1] + 'a'
        if documented.get(symbol) != (row[3], row[4]):
            problems.append('precedence of %s: the page says %s, functions.def %s' %
                            (symbol, documented.get(symbol), (row[3], row[4])))
    return problems


def limits(header):
    """{name: value} of the fields of struct Limits."""
    found = {}
    for name, value in re.findall(r'std::uint\d+_t (\w+) = ([^;]+);', header):
        parts = [int(part) for part in re.sub(r'std::uint\d+_t\{(\d+)\}', r'\1', value).split('<<')]
        found[name] = parts[0] << (parts[1] if len(parts) == 2 else 0)
    return found


def wrong_limits(pages, header):
    """Limits whose row `| `name` | value | ... |` is missing or differs from the header."""
    documented = {}
    for text in pages:
        for cells in markdown_rows(text):
            if len(cells) >= 3 and re.fullmatch(r'`\w+`', cells[0]):
                documented[cells[0].strip('`')] = cells[1].split(' ')[0].replace(',', '')
    return ['limit %s: the page says %s, limits.h %d' % (name, documented.get(name), value)
            for name, value in limits(header).items() if documented.get(name) != str(value)]
