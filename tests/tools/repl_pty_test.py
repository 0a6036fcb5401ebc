"""The REPL at a terminal: prompts, editing keys, history, completion, several lines, Ctrl-C, colours."""

import os
import pty
import re
import select
import signal
import struct
import fcntl
import termios
import time
import unittest

from program import ENVIRONMENT, PROGRAM, TestCase

PROMPT = 'tenrex> '
MORE = '   ...> '
UP, DOWN, LEFT, RIGHT, HOME, END, DELETE = '\x1b[A', '\x1b[B', '\x1b[D', '\x1b[C', '\x1b[H', '\x1b[F', '\x1b[3~'


class Screen:
    """What a terminal shows: the lines so far, the cursor in the last or one above it."""

    SEQUENCE = re.compile(r'\x1b\[([0-9;?]*)([A-Za-z@])|\x1b[()][A-Z0-9]|\x1b[=>]')

    def __init__(self):
        self.lines = [[]]
        self.row = 0
        self.column = 0

    def put(self, char):
        line = self.lines[self.row]
        line += ' ' * (self.column - len(line))
        line[self.column:self.column + 1] = [char]
        self.column += 1

    def feed(self, text):
        """Shows text; gives what is left of an escape sequence that is not complete."""
        position = 0
        while position < len(text):
            char = text[position]
            if char == '\x1b':
                match = self.SEQUENCE.match(text, position)
                if not match:
                    return text[position:]
                if match.group(2):
                    self.control(match.group(2), match.group(1))
                position = match.end()
                continue
            position += 1
            if char == '\r':
                self.column = 0
            elif char == '\b':
                self.column = max(0, self.column - 1)
            elif char == '\n':
                self.row += 1
                self.column = 0
                if self.row == len(self.lines):
                    self.lines.append([])
            elif char != '\a':
                self.put(char)
        return ''

    def control(self, letter, argument):
        count = int(argument or 1) if argument.isdigit() or not argument else 0
        line = self.lines[self.row]
        if letter == 'G':
            self.column = count - 1
        elif letter == 'C':
            self.column += count
        elif letter == 'D':
            self.column = max(0, self.column - count)
        elif letter == 'A':
            self.row = max(0, self.row - count)
        elif letter == 'K':
            del line[self.column:]
        elif letter == 'J':
            del line[self.column:], self.lines[self.row + 1:]
        elif letter == 'P':
            del line[self.column:self.column + count]
        elif letter == '@':
            line[self.column:self.column] = ' ' * count
        elif letter not in 'mhl':
            raise AssertionError('unknown control sequence %s%s' % (argument, letter))

    def text(self):
        return '\n'.join(''.join(line) for line in self.lines)


class Terminal:
    """A program on a pseudo terminal."""

    def __init__(self, arguments, environment, width=80):
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 24, width, 0, 0))
            os.execve(PROGRAM, [PROGRAM, *arguments], environment)
        self.screen = Screen()
        self.rest = b''
        self.raw = ''
        self.status = None

    def read(self, seconds):
        """Shows what arrives within that time; False if nothing does or the program has ended."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return False
        try:
            data = self.rest + os.read(self.descriptor, 65536)
        except OSError:
            return False
        text = data.decode('utf-8', 'ignore')  # a character may be cut at the end
        self.rest = data[len(text.encode()):]
        self.raw += text
        self.rest = self.screen.feed(text).encode() + self.rest
        return True

    def wait_for(self, text, seconds=20):
        """Reads until the screen shows `text`; gives all that it shows and clears it."""
        end = time.monotonic() + seconds
        while text not in self.screen.text():
            if not self.read(max(0, end - time.monotonic())):
                raise AssertionError('no %r in %r' % (text, self.raw))
        shown = self.screen.text()
        line, column = self.screen.lines[self.screen.row], self.screen.column
        self.screen = Screen()
        self.screen.lines, self.screen.column = [line], column
        self.raw = ''
        return shown

    def send(self, text):
        os.write(self.descriptor, text.encode())

    def end(self, seconds=20):
        """Waits for the end of the program; gives what the screen shows then."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.read(0.1)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
                while self.read(0):
                    pass
                return self.screen.text()
        raise AssertionError('it does not end: %r' % self.raw)

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.descriptor)


class Repl(TestCase):
    def setUp(self):
        super().setUp()
        self.environment = {**ENVIRONMENT, 'XDG_STATE_HOME': self.directory, 'NO_COLOR': '1'}

    def start(self, *arguments, width=80, **environment):
        terminal = Terminal(['repl', *arguments], {**self.environment, **environment}, width)
        self.addCleanup(terminal.close)
        terminal.wait_for(PROMPT)
        return terminal

    def ask(self, terminal, line, until=PROMPT):
        """Types a line; gives what is printed below it."""
        terminal.send(line + '\r')
        out = terminal.wait_for('\n' + until)
        return out[out.index('\n') + 1:out.rindex('\n' + until) + 1]

    def test_values(self):
        terminal = self.start()
        self.assertEqual(self.ask(terminal, '1+1'), '2\n')
        self.assertEqual(self.ask(terminal, 'a = tensor(x[2],y[2]):[[1,2],[3,4.5]]'), 'a: tensor(x[2],y[2])\n')
        self.assertEqual(self.ask(terminal, 'a'), 'tensor(x[2],y[2])\nx\\y  0    1\n0    1  2\n1    3  4.5\n')
        self.assertIn('error: ', self.ask(terminal, 'a + oops'))
        self.assertEqual(self.ask(terminal, 'it{x:0,y:1}'), '2\n')

    def test_tables_fit_the_terminal(self):
        terminal = self.start(width=50)
        lines = self.ask(terminal, 'tensor(x[2],y[99])(x*1000+y)').splitlines()
        self.assertTrue(all(len(line) <= 50 for line in lines), lines)
        self.assertRegex(lines[-1], r'\d+ of 99 columns')

    def test_leaving(self):
        terminal = self.start()
        terminal.send('\x04')
        terminal.end()
        self.assertEqual(terminal.status, 0)
        terminal = self.start()
        terminal.send('oops\r')
        terminal.wait_for('\n' + PROMPT)
        terminal.send(':quit\r')
        terminal.end()
        self.assertEqual(terminal.status, 0)

    def test_editing_keys(self):
        terminal = self.start()
        for keys, result in (('12' + LEFT + '+', '3'), ('+5' + HOME + '1', '6'), ('1+5' + HOME + DELETE + '2', '7'),
                             ('1+23\x7f', '3'), ('9+9\x01\x0b4*2', '8'), ('2*3' + LEFT + RIGHT + '3', '66'),
                             ('+3' + HOME + '4' + END + '0', '34'), ('sum \x17max(3,4)', '4')):
            with self.subTest(keys):
                self.assertEqual(self.ask(terminal, keys), result + '\n')

    def test_history(self):
        terminal = self.start()
        self.ask(terminal, '100+1')
        self.ask(terminal, '200+2')
        self.assertEqual(self.ask(terminal, UP + UP), '101\n')
        self.assertEqual(self.ask(terminal, UP + UP + DOWN + UP + '\x01' + '1000+'), '1202\n')
        self.assertEqual(self.ask(terminal, '\x10'), '1202\n')

    def test_history_of_an_earlier_session(self):
        terminal = self.start()
        self.ask(terminal, '100+1')
        self.assertEqual(self.ask(terminal, '1 +', MORE), '')
        self.ask(terminal, '7')
        terminal.send('\x04')
        terminal.end()
        path = os.path.join(self.directory, 'tenrex', 'history')
        with open(path) as file:
            self.assertEqual(file.read(), '100+1\n1 + 7\n')
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        terminal = self.start()
        self.assertEqual(self.ask(terminal, UP), '8\n')
        self.assertEqual(self.ask(terminal, UP + UP), '101\n')

    def test_search_in_the_history(self):
        terminal = self.start()
        self.ask(terminal, 'sqrt(16)')
        self.ask(terminal, '2+2')
        terminal.send('\x12sq')
        terminal.wait_for('sqrt(16)')
        self.assertEqual(self.ask(terminal, '\x1b'), '4\n')

    def test_no_place_for_a_history(self):
        terminal = self.start(XDG_STATE_HOME='/proc/nowhere')
        self.assertEqual(self.ask(terminal, '1+1'), '2\n')

    def test_completion(self):
        terminal = self.start('query(embedding)=tensor(colour{}):{red:1}', 'other=1')
        for typed, completed in (('softm', 'softmax('), ('sum(quer', 'sum(query(embedding)'), ('sum(query(e', 'sum(query(embedding)'),
                                 ('othe', 'other'), ('query(embedding){colo', 'query(embedding){colour'),
                                 ('reduce(other, medi', 'reduce(other, median'), ('tensor<bflo', 'tensor<bfloat16'),
                                 ('cell_cast(other, doub', 'cell_cast(other, double'), (':inpu', ':inputs'),
                                 (':help softm', ':help softmax'), (':dialect j', ':dialect java')):
            with self.subTest(typed):
                terminal.send(typed + '\t')
                terminal.wait_for(completed)
                terminal.send('\x15')
        self.assertEqual(self.ask(terminal, '\x15oth\t+1'), '2\n')

    def test_list_of_candidates(self):
        terminal = self.start()
        terminal.send('co\t')
        # Below the list the line is shown again: what is typed before that would be taken for an answer.
        out = terminal.wait_for('cosine_similarity(\n' + PROMPT + 'co')
        terminal.send('\x15' + 'cos\t')
        out += terminal.wait_for('cosine_similarity(\n' + PROMPT + 'cos')
        for name in ('concat(', 'cos(', 'cosh(', 'count('):
            self.assertIn(name, out)
        self.assertEqual(self.ask(terminal, '(0)'), '1\n')

    def test_completion_of_files(self):
        self.path('value_of_q.json', '{"type":"tensor(x[2])","values":[1,2]}')
        terminal = self.start()
        terminal.send('q = @%s/value\t' % self.directory)
        terminal.wait_for('value_of_q.json')
        self.assertEqual(self.ask(terminal, ''), 'q: tensor(x[2])\n')

    def test_several_lines(self):
        terminal = self.start()
        self.assertEqual(self.ask(terminal, 'sum(', MORE), '')
        self.assertEqual(self.ask(terminal, 'tensor(x[2]):', MORE), '')
        self.assertEqual(self.ask(terminal, '[1,2])'), '3\n')
        self.assertEqual(self.ask(terminal, '1 +', MORE), '')
        self.assertIn('error: ', self.ask(terminal, ''))
        self.assertEqual(self.ask(terminal, '5'), '5\n')

    def test_interrupt(self):
        terminal = self.start()
        terminal.send('1 + 2')
        terminal.wait_for('1 + 2')
        terminal.send('\x03')
        self.assertIn('^C', terminal.wait_for('\n' + PROMPT))
        self.assertEqual(self.ask(terminal, '4'), '4\n')
        self.assertEqual(self.ask(terminal, '1 +', MORE), '')
        terminal.send('\x03')
        terminal.wait_for('\n' + PROMPT)
        self.assertEqual(self.ask(terminal, '7'), '7\n')

    def test_interrupt_just_after_the_prompt(self):
        """None is lost on the way from the prompt to the wait for a key."""
        terminal = self.start()
        for _ in range(500):
            terminal.send('1 +\r')
            terminal.wait_for('\n' + MORE)
            terminal.send('\x03')
            terminal.wait_for('\n' + PROMPT)

    def test_interrupt_of_an_evaluation(self):
        """The session stays, and so do its inputs. One that comes before the evaluation begins is not lost either."""
        terminal = self.start()
        self.ask(terminal, 'a = 5')
        slow = 'sum(tensor(a[10000],b[10000])(sin(a)*cos(b)))'
        for delay in (0, 0.3):
            with self.subTest(delay):
                terminal.send(slow + '\r')
                terminal.wait_for(slow + '\n')  # Enter has been read: from here on Ctrl-C is for the evaluation
                time.sleep(delay)
                terminal.send('\x03')
                self.assertIn('abandoned; what had been begun goes on unseen until it ends', terminal.wait_for('\n' + PROMPT))
                self.assertEqual(self.ask(terminal, 'a'), '5\n')
                self.assertEqual(self.ask(terminal, 'it + 1'), '6\n')
        # Threads that were abandoned take no Ctrl-C away from the prompt.
        for _ in range(50):
            terminal.send('1 +\r')
            terminal.wait_for('\n' + MORE)
            terminal.send('\x03')
            terminal.wait_for('\n' + PROMPT)
        terminal.send(':quit\r')
        terminal.end()
        self.assertEqual(terminal.status, 0)

    def test_labels_beyond_ascii(self):
        terminal = self.start()
        self.assertEqual(self.ask(terminal, "tensor(x{}):{größe:1,'日本':2}"),
                         'tensor(x{})\nx\n"größe"  1\n"日本"   2\n')

    def test_colors(self):
        for arguments, environment, colored in (((), {}, True), ((), {'NO_COLOR': '1'}, False),
                                                (('--color', 'never'), {}, False), ((), {'TERM': 'dumb'}, False),
                                                (('--color', 'always'), {'NO_COLOR': '1'}, True)):
            with self.subTest((arguments, environment)):
                del self.environment['NO_COLOR']
                terminal = Terminal(['repl', *arguments], {**self.environment, **environment})
                self.addCleanup(terminal.close)
                self.environment['NO_COLOR'] = '1'
                while PROMPT not in terminal.screen.text():
                    self.assertTrue(terminal.read(20))
                terminal.send('oops\r')
                while terminal.screen.text().count(PROMPT) < 2:
                    self.assertTrue(terminal.read(20))
                for sequence in ('\x1b[1;32m', '\x1b[1;31merror'):  # prompt, message
                    self.assertEqual(sequence in terminal.raw, colored, terminal.raw)

    def test_terminal_that_goes_away(self):
        terminal = self.start()
        os.close(terminal.descriptor)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            pid, status = os.waitpid(terminal.pid, os.WNOHANG)
            if pid:
                break
            time.sleep(0.05)
        self.assertTrue(pid, 'it goes on without a terminal')
        terminal.status = status
        terminal.descriptor = os.open('/dev/null', os.O_RDONLY)


if __name__ == '__main__':
    unittest.main()
