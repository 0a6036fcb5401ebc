"""Runs the program under test: the path is the first argument of the test script."""

import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 and not sys.argv[1].startswith('-') else 'tenrex'

# Nothing of the developer's own settings reaches the tests.
HOME = tempfile.TemporaryDirectory(prefix='tenrex-test-')
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ('NO_COLOR', 'COLUMNS', 'XDG_STATE_HOME')}
ENVIRONMENT.update(HOME=HOME.name, TERM='xterm', LC_ALL='C.UTF-8')


class Outcome:
    def __init__(self, status, out, err):
        self.status = status
        self.out = out
        self.err = err

    def __repr__(self):
        return 'status %d\nout: %s\nerr: %s' % (self.status, self.out, self.err)


def run(*arguments, stdin='', env=None, binary=False, cwd=None):
    """Runs `tenrex arguments` to its end."""
    done = subprocess.run([PROGRAM, *arguments], input=stdin if isinstance(stdin, bytes) else stdin.encode(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**ENVIRONMENT, **(env or {})},
                          timeout=120, cwd=cwd)
    return Outcome(done.returncode, done.stdout if binary else done.stdout.decode(), done.stderr.decode())


def start(*arguments, **options):
    """Starts `tenrex arguments` with pipes."""
    return subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=ENVIRONMENT, **options)


class TestCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix='tenrex-test-')
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def path(self, name, content=None):
        """The path of a file in this test's directory, written if there is content for it."""
        path = os.path.join(self.directory, name)
        if content is not None:
            with open(path, 'wb') as file:
                file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def prints(self, out, *arguments, **options):
        """The command succeeds, prints this line and no message."""
        outcome = run(*arguments, **options)
        self.assertEqual((outcome.status, outcome.out, outcome.err), (0, out + '\n', ''), arguments)

    def fails(self, status, message, *arguments, **options):
        """The command ends with that status, prints nothing but a message that contains the text."""
        outcome = run(*arguments, **options)
        self.assertEqual((outcome.status, outcome.out), (status, ''), outcome)
        self.assertIn(message, outcome.err)
        return outcome
