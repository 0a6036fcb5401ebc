"""Finds the examples and commands of a Markdown page.

An example stands in a fenced block whose info string begins with `tenrex`:

    ```tenrex
    a = tensor(x[3]):[1,2,3]
    reduce(a, sum, x)
    => 6
    : double
    a{x:5}                          => error: out of range
    ```

`name = literal` gives a value to an input of this block. An expression ends where its `=>` begins, on the same line or
on a later one; behind `=>` stands the result, or `error:` and part of the message. `: type` behind it is its type.
Indented lines continue the line above. Options behind `tenrex`: `continue` keeps the inputs of the block before,
`dialect=java` chooses the dialect.

A command stands in a fenced block `console`, behind `$ `, and its output below it; a line that ends with a backslash
goes on. Only the commands that run `tenrex` count.
"""

import re

FENCE = re.compile(r'^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$')
ASSIGNMENT = re.compile(r'^([A-Za-z_$@][^=<>!~]*?) = (.+)$', re.DOTALL)
OPTION_NAMES = ('continue', 'dialect=java', 'dialect=core')


class PageError(ValueError):
    """A block does not follow the convention."""


class Example:
    def __init__(self, page, line, expression, inputs, dialect):
        self.page = page
        self.line = line
        self.expression = expression
        self.inputs = inputs
        self.dialect = dialect
        self.result = None  # literal
        self.error = None   # part of the message
        self.type = None

    @property
    def place(self):
        return '%s:%d' % (self.page, self.line)


class Command:
    def __init__(self, page, line, text):
        self.page = page
        self.line = line
        self.text = text
        self.output = ''

    @property
    def place(self):
        return '%s:%d' % (self.page, self.line)

    def shown_file(self):
        """The name of the file whose content the page shows with `cat FILE`, or None."""
        shown = re.fullmatch(r'cat ([\w.]+)', self.text)
        return shown and shown.group(1)


def _blocks(page, text, language):
    """(line number of the first line, options, lines) of each block of that language."""
    lines = enumerate(text.splitlines(), 1)
    for number, line in lines:
        fence = FENCE.match(line)
        if not fence:
            continue
        indent, mark, info = len(fence.group(1)), fence.group(2), fence.group(3).split()
        body = []
        for _, inner in lines:
            closing = FENCE.match(inner)
            if closing and closing.group(2).startswith(mark) and not closing.group(3):
                break
            body.append(inner[min(indent, len(inner) - len(inner.lstrip())):])
        else:
            raise PageError('%s:%d: block without an end' % (page, number))
        if info and info[0] == language:
            yield number + 1, info[1:], body


def _statements(first_line, lines):
    """Joins indented lines to the one above; drops blank lines."""
    statements = []
    for number, line in enumerate(lines, first_line):
        if not line.strip():
            continue
        if line[0].isspace() and statements:
            statements[-1][1] += '\n' + line.rstrip()
        else:
            statements.append([number, line.rstrip()])
    return statements


def _expect(example, text):
    if example.result is not None or example.error is not None:
        raise PageError('%s: a second result' % example.place)
    text = text.strip()
    if text.startswith('error:'):
        example.error = text[len('error:'):].strip()
        if not example.error:
            raise PageError('%s: an error without text' % example.place)
    elif text:
        example.result = text
    else:
        raise PageError('%s: nothing behind =>' % example.place)


def find_examples(page, text):
    """The examples of a page, in its order."""
    found = []
    inputs = {}
    for first_line, options, lines in _blocks(page, text, 'tenrex'):
        for option in options:
            if option not in OPTION_NAMES:
                raise PageError('%s:%d: unknown option %r' % (page, first_line, option))
        inputs = dict(inputs) if 'continue' in options else {}
        dialect = 'java' if 'dialect=java' in options else 'core'
        pending = None  # [line, text] of an expression that waits for its result
        last = None     # the example that `: type` belongs to
        count = len(found)
        for number, statement in _statements(first_line, lines):
            if statement.startswith('=>'):
                if pending is None:
                    raise PageError('%s:%d: a result without an expression' % (page, number))
                last = Example(page, pending[0], pending[1], inputs, dialect)
                _expect(last, statement[2:])
                found.append(last)
                pending = None
                continue
            if statement.startswith(': '):
                if last is None or pending is not None:
                    raise PageError('%s:%d: a type without a result' % (page, number))
                last.type = statement[2:].strip()
                continue
            assignment = ASSIGNMENT.match(statement)
            if assignment and pending is None and ' => ' not in statement:
                inputs = {**inputs, assignment.group(1).strip(): assignment.group(2).strip()}
                last = None
                continue
            pending = [pending[0], pending[1] + '\n' + statement] if pending else [number, statement]
            before, arrow, after = pending[1].rpartition(' => ')
            if arrow:
                last = Example(page, pending[0], before.rstrip(), inputs, dialect)
                _expect(last, after)
                found.append(last)
                pending = None
        if pending is not None:
            raise PageError('%s:%d: an expression without a result' % (page, pending[0]))
        if len(found) == count and 'continue' not in options and not inputs:
            raise PageError('%s:%d: a block without examples' % (page, first_line))
    return found


def find_commands(page, text):
    """The commands of a page that run tenrex, or show a file that others read (`cat FILE`), in its order."""
    found = []
    for first_line, _, lines in _blocks(page, text, 'console'):
        commands = []
        goes_on = False
        for number, line in enumerate(lines, first_line):
            if goes_on:
                commands[-1].text += '\n' + line
            elif line.startswith('$ '):
                commands.append(Command(page, number, line[2:]))
            elif commands:
                commands[-1].output += line + '\n'
            else:
                raise PageError('%s:%d: output without a command' % (page, number))
            goes_on = (goes_on or line.startswith('$ ')) and line.endswith('\\')
        found += [command for command in commands if re.search(r'\btenrex\b', command.text) or command.shown_file()]
    return found
