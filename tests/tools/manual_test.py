"""The help texts, the manual page and the completions of shells name the same commands and options; what the page of the
command line shows of ranking is what comes out."""

import os
import re
import shutil
import subprocess
import sys
import unittest

ROOT = os.path.abspath(sys.argv.pop(2))

from program import ENVIRONMENT, PROGRAM, TestCase, run  # noqa: E402 (it takes its argument, too)

COMMANDS = ('eval', 'type', 'explain', 'bench', 'repl', 'playground', 'rank', 'check', 'predict', 'model', 'metrics',
            'tokenize', 'embed', 'functions')
MANUAL = os.path.join(ROOT, 'docs/man/tenrex.1')
COMPLETION = os.path.join(ROOT, 'tools/completion/tenrex.bash')
FISH = os.path.join(ROOT, 'tools/completion/tenrex.fish')
ZSH = os.path.join(ROOT, 'tools/completion/_tenrex')
SHELL_ENVIRONMENT = {**ENVIRONMENT, 'PATH': os.path.dirname(PROGRAM) + ':' + ENVIRONMENT['PATH']}


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def options_of_help(command):
    """{option: its argument or ''} as the help tells."""
    text = run(command, '--help').out
    text = text[text.index('\nOptions:'):text.index('\nExamples:')]
    found = {}
    for line in text.splitlines():
        match = re.match(r'  ((?:-\w,)?--[\w-]+)(?: ([A-Z][A-Z=:]*))?(?=\s|$)', line)
        if match:
            found[match.group(1).replace(',', ', ')] = match.group(2) or ''
    return found


def options_of_manual(command):
    section = re.search(r'^\.SS %s\n(.*?)(?=^\.S[SH])' % command, read(MANUAL), re.MULTILINE | re.DOTALL).group(1)
    found = {}
    for line in re.findall(r'^\.TP\n(.*)$', section, re.MULTILINE):
        line = line.replace('\\-', '-')
        match = re.match(r'\.BI? "?((?:-\w, )?--[\w-]+)"?(?: "? ?([A-Z=:]+)"?)?$', line)
        if match:
            found[match.group(1)] = match.group(2) or ''
    return found


class Manual(TestCase):
    def test_options(self):
        for command in COMMANDS:
            with self.subTest(command):
                options = options_of_help(command)
                self.assertIn('-h, --help', options)
                self.assertEqual(options_of_manual(command), options)

    def test_commands(self):
        listed = re.findall(r'^  (\w+) ', run('--help').out.split('Commands:\n')[1].split('\n\n')[0], re.MULTILINE)
        self.assertEqual(tuple(listed), COMMANDS)
        section = read(MANUAL).split('.SH COMMANDS\n')[1].split('\n.SH')[0]
        self.assertEqual(tuple(re.findall(r'^\.SS (\w+)', section, re.MULTILINE)), COMMANDS)

    def test_synopsis(self):
        """The lines of the synopsis are those of the help texts."""
        plain = subprocess.run(['man', '-l', MANUAL], stdout=subprocess.PIPE, encoding='utf-8',
                               env={**ENVIRONMENT, 'MANWIDTH': '200', 'MANPAGER': 'cat', 'TERM': 'dumb'})
        if plain.returncode != 0:
            self.skipTest('there is no man')
        synopsis = re.search(r'SYNOPSIS\n(.*?)\nDESCRIPTION', plain.stdout, re.DOTALL).group(1)
        lines = [re.sub(r'\s+', ' ', line).strip() for line in synopsis.splitlines() if line.strip()]
        expected = []
        for command in COMMANDS:
            usage = run(command, '--help').out.split('Usage: ')[1].split('\n\n')[0]
            expected += [line.strip() for line in usage.splitlines()]
        self.assertEqual(lines, expected + ['tenrex --help | --version'])

    def test_no_warnings(self):
        try:
            done = subprocess.run(['man', '--warnings', '-l', MANUAL], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  env={**ENVIRONMENT, 'MANPAGER': 'cat'})
        except FileNotFoundError:
            self.skipTest('there is no man')
        self.assertEqual((done.returncode, done.stderr), (0, b''))

    def test_version(self):
        self.assertIn('"%s"' % run('--version').out.strip(), read(MANUAL).splitlines()[0])

    def test_completion_for_bash(self):
        text = read(COMPLETION)
        self.assertIn("'%s --help --version'" % ' '.join(COMMANDS), text)
        for command in COMMANDS:
            listed = re.search(r"%s\) options='([^']*)'" % command, text).group(1).split()
            self.assertEqual(sorted(listed), sorted(o.split(', ')[-1] for o in options_of_help(command)))

    def test_completion_works(self):
        def complete(*words, breaks=' \t\n"=@'):
            script = 'COMP_WORDBREAKS=$1; shift; source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _tenrex; ' \
                     'printf "%s\\n" "${COMPREPLY[@]}"'
            done = subprocess.run(['bash', '-c', script, COMPLETION, breaks, *words], stdout=subprocess.PIPE,
                                  encoding='utf-8', check=True)
            return done.stdout.split()

        self.assertEqual(complete('tenrex', 'ev'), ['eval'])
        self.assertEqual(complete('tenrex', 'eval', '--js'), ['--jsonl'])
        self.assertEqual(complete('tenrex', 'eval', '--dialect', 'j'), ['java'])
        self.assertEqual(complete('tenrex', 'rank', '--format', 'j'), ['jsonl'])
        self.assertEqual(complete('tenrex', 'eval', '--format', 'j'), ['json'])
        path = self.path('value.json', '1')
        self.assertEqual(complete('tenrex', 'eval', 'a', 'a', '=@', path[:-4]), [path])
        self.assertEqual(complete('tenrex', 'eval', 'a', 'a', '=', '@' + path[:-4], breaks='='), ['@' + path])
        self.assertEqual(complete('tenrex', 'eval', '--jsonl', path[:-4]), [path])
        self.assertEqual(complete('tenrex', 'rank', 'a.profile', path[:-4]), [path])

    def test_completion_for_other_shells(self):
        """What fish and zsh offer comes from the help texts."""
        self.assertFalse([name for name in COMMANDS for path in (FISH, ZSH) if re.search(r'\b%s\b' % name, read(path))
                          and name not in ('rank', 'check')])
        for option in ('--type', '--profile-name', '--seed'):
            self.assertNotIn(option, read(FISH) + read(ZSH))

    def test_completion_works_in_fish(self):
        if shutil.which('fish') is None:
            self.skipTest('there is no fish')

        def complete(line):
            done = subprocess.run(['fish', '--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', FISH, line],
                                  stdout=subprocess.PIPE, encoding='utf-8', check=True, env=SHELL_ENVIRONMENT)
            return {each.split('\t')[0] for each in done.stdout.splitlines()}

        self.assertEqual(complete('tenrex '), set(COMMANDS))
        self.assertEqual(complete('tenrex eval --js'), {'--jsonl'})
        options = {option.split(', ')[-1] for option in options_of_help('rank')}
        self.assertEqual(complete('tenrex rank --'), options)

    def test_completion_works_in_zsh(self):
        if shutil.which('zsh') is None:
            self.skipTest('there is no zsh')
        # What is offered is what the function describes; a shell without a terminal shows nothing itself.
        script = '_describe() { print -l -- ${(P)2} }; _files() { print FILES }; compset() { }; ' \
                 'compdef() { }; words=(${(s:|:)2}); CURRENT=${#words}; source $1'

        def complete(*words):
            done = subprocess.run(['zsh', '-f', '-c', script, 'zsh', ZSH, '|'.join(words)], stdout=subprocess.PIPE,
                                  encoding='utf-8', check=True, env=SHELL_ENVIRONMENT)
            return {each.split(':')[0] for each in done.stdout.splitlines()}

        self.assertEqual(complete('tenrex', 'x'), set(COMMANDS))
        options = {option.split(', ')[-1] for option in options_of_help('eval')}
        self.assertEqual(complete('tenrex', 'eval', '-'), options)
        self.assertEqual(complete('tenrex', 'rank', 'x'), {'FILES'})


if __name__ == '__main__':
    unittest.main()
