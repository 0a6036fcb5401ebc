"""package_search: the hits of a list of its own and of the generated one, databases in files, what goes wrong.

Argument: the program.
"""

import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv[1]

PACKAGES = '''Package: vim
Section: editors
Installed-Size: 3792
Depends: vim-common (= 2:9.0), libc6 (>= 2.34) | libc6.1, libacl1
Description: Vi IMproved - enhanced vi editor
 A longer description that is not read.
Tag: devel::editor,
 role::program

Package: vim-common
Section: editors
Installed-Size: 1700
Description: Vi IMproved - Common files

Package: libvim-perl
Section: perl
Depends: vim, vim
Description-en: bindings of Vim for Perl
Description-md5: 0123

Package: vim
Section: games
Description: another version

Package: zażółć
Depends: vim:any
Description: "quotes" and 'quotes'

Package: neovim
Section: editors
Pre-Depends: libc6
Description: heavily refactored vim fork
'''


class PackageSearch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.list = self.path('packages', PACKAGES)

    def path(self, name, content=None):
        path = os.path.join(self.folder, name)
        if content is not None:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(content)
        return path

    def run_program(self, *arguments, status=0, **options):
        result = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                                **options)
        self.assertEqual(result.returncode, status, result)
        return result.stderr if status else result.stdout

    def search(self, *words, options=()):
        """[(name, score, features)]"""
        output = self.run_program('--packages', self.list, '--features', *options, *words)
        hits = re.findall(r'^ *(-?[\d.]+)  (\S+) .*\n +(firstPhase .*)$', output, flags=re.M)
        return [(name, float(score), {key: float(value) for key, value in re.findall(r'(\S+) (-?[\d.]+)', features)})
                for score, name, features in hits]

    def test_order_and_features(self):
        hits = self.search('vim')
        self.assertEqual([name for name, _, _ in hits], ['vim', 'vim-common', 'neovim', 'libvim-perl'])
        # By hand: three names and two descriptions of five have "vim" (the tokenizer keeps "Vi" apart).
        names, lengths = {'vim': 1, 'vim-common': 2, 'libvim-perl': 2, 'neovim': 1}, (1 + 2 + 2 + 1 + 1) / 5
        bodies = {'vim': 5, 'vim-common': 4, 'libvim-perl': 5, 'neovim': 4}
        average = (5 + 4 + 5 + 3 + 4) / 5
        in_body = ('libvim-perl', 'neovim')

        def weight(found, frequency, length, average):
            rarity = math.log(1 + (5 - found + 0.5) / (found + 0.5))
            return rarity * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / average))
        dependents = {'vim': 2, 'vim-common': 1, 'libvim-perl': 0, 'neovim': 0}
        for name, _, features in hits:
            in_name = name.startswith('vim')
            text = 3 * in_name * weight(2, 1, names[name], lengths) + (name in in_body) * weight(2, 1, bodies[name], average)
            popularity = math.log10(1 + dependents[name])
            first = text + 10 * (name == 'vim') + 4 * in_name + popularity
            self.assertAlmostEqual(features['text'], text, delta=6e-4)
            self.assertAlmostEqual(features['popularity'], popularity, delta=6e-4)
            self.assertAlmostEqual(features['firstPhase'], first, delta=6e-4)

    def test_words(self):
        self.assertEqual([name for name, _, _ in self.search('vi', 'editor')], ['vim'])
        self.assertEqual([name for name, _, _ in self.search('Zażółć')], ['zażółć'])
        self.assertEqual([name for name, _, _ in self.search('"quotes"')], ['zażółć'])
        for nothing in ('emacs', '"', '*', 'vim NOT', '(', ''):
            self.assertEqual(self.search('vim', nothing) if nothing == 'emacs' else self.search(nothing), [], nothing)
        self.assertIn('no package has all of these words', self.run_program('--packages', self.list, 'emacs'))
        self.assertEqual(len(self.search('vim', options=['--hits', '2'])), 2)

    def test_phases_are_timed(self):
        output = self.run_program('--packages', self.list, 'vim')
        self.assertIn(': 5 packages in ', output)
        for what in ('matching and text features', 'first phase', 'text features of the best', 'second phase'):
            self.assertRegex(output, r'(?m)^%s +4 documents +[\d.]+ ms +\d+ documents/s$' % what)

    def test_no_package_list(self):
        output = self.run_program('text', 'editor', env={'PATH': self.folder})
        self.assertIn('no package list on this machine: a small generated collection: 98 packages', output)
        self.assertEqual(re.findall(r'^ +[\d.]+  (\S+)', output, flags=re.M), ['text-editor', 'text-doc'])

    def test_apt_that_knows_nothing(self):
        os.chmod(self.path('apt-cache', '#!/bin/sh\nexit 0\n'), 0o700)
        self.assertIn('a small generated collection', self.run_program('text', env={'PATH': self.folder}))
        os.chmod(self.path('apt-cache', '#!/bin/sh\nprintf "Package: text\\n\\nPackage: other\\n"\n'), 0o700)
        self.assertIn('apt-cache dumpavail: 2 packages', self.run_program('text', env={'PATH': self.folder}))

    def test_database(self):
        database = self.path('packages.db')
        first = self.run_program('--packages', self.list, '--database', database, 'vim')
        os.chmod(database, 0o400)
        second = self.run_program('--database', database, 'vim')

        def hits(text):
            return [line for line in text.splitlines() if re.match(r' +-?[\d.]+  ', line)]
        self.assertEqual(hits(first), hits(second))
        self.assertEqual(len(hits(first)), 4)
        self.assertIn('file is not a database',
                      self.run_program('--database', self.path('text', 'no database' * 1000), 'vim', status=1))
        self.assertIn('unable to open', self.run_program('--database', self.path('none/x'), 'vim', status=1))

    def test_empty_list(self):
        self.assertIn('0 packages', self.run_program('--packages', os.devnull, 'vim'))

    def test_profiles(self):
        own = self.path('own.profile', 'rank-profile p { first-phase { expression: -fieldLength(description)\n'
                                       'rank-score-drop-limit: -5 } match-features: firstPhase }')
        self.assertEqual([(name, score) for name, score, _ in self.search('vim', options=['--profile', own])],
                         [('vim-common', -4), ('neovim', -4)])
        for text, message in (('rank-profile p { first-phase { expression: bm25(nane) } }', "feature 'bm25(nane)'"),
                              ('', 'the file has no rank-profile'),
                              ('rank-profile p { global-phase { expression: 1 } }', 'a global phase has no place here'),
                              ('schema p { document p { field x type float { indexing: attribute } } '
                               'rank-profile p { first-phase { expression: attribute(x) } } }', "no 'attribute(x)'")):
            wrong = self.path('wrong.profile', text)
            self.assertIn(message, self.run_program('--packages', self.list, '--profile', wrong, 'vim', status=1))

    def test_usage(self):
        for arguments in ([], ['--hits', '0', 'x'], ['--hits', 'x1', 'x'], ['--hits'], ['--no-such', 'x']):
            self.assertIn('package_search: ', self.run_program(*arguments, status=2))
        self.assertIn('Usage', self.run_program('--help'))
        self.assertIn('cannot be read', self.run_program('--packages', self.path('none'), 'x', status=1))
        self.assertIn('cannot be read', self.run_program('--profile', self.path('none'), 'x', status=1))

    def test_full_disk(self):
        if os.path.exists('/dev/full'):
            with open('/dev/full', 'w', encoding='utf-8') as full:
                result = subprocess.run([PROGRAM, '--packages', self.list, 'vim'], stdout=full, stderr=subprocess.PIPE,
                                        check=False)
            self.assertEqual(result.returncode, 1)

    def test_closed_pipe(self):
        reader, writer = os.pipe()
        os.close(reader)
        result = subprocess.run([PROGRAM, '--packages', self.list, 'vim'], stdin=subprocess.DEVNULL, stdout=writer,
                                stderr=subprocess.PIPE, check=False, timeout=60)
        os.close(writer)
        # Nobody reads any more: the signal ends it, as it does other programs of a pipeline, without a word.
        self.assertEqual((result.returncode, result.stderr), (-signal.SIGPIPE, b''))


if __name__ == '__main__':
    del sys.argv[1:]
    unittest.main()
