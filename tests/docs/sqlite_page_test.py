"""Runs the statements of docs/sqlite.md, each ```sql block, and compares the rows with the ```rows block below it.

Arguments: the page, the extension.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PAGE, EXTENSION = sys.argv[1:]


def run(database, sql):
    """What the program prints, an error as the line "error: ..."."""
    result = subprocess.run(['sqlite3', '-batch', '-init', os.devnull, database], text=True, capture_output=True, check=False,
                            input='.load %s\n.nullvalue NULL\n%s' % (EXTENSION, sql))
    error = re.sub(r'(?m)^.*?error near line \d+: ', 'error: ', result.stderr)
    return '\n'.join(line for line in (result.stdout + error).splitlines() if not line.startswith('-- Loading'))


@unittest.skipIf(shutil.which('sqlite3') is None, 'there is no program sqlite3')
class Page(unittest.TestCase):
    def test_statements(self):
        text = pathlib.Path(PAGE).read_text(encoding='utf-8')
        blocks = re.findall(r'```sql\n(.*?)```\n\n```rows\n(.*?)\n```', text, re.S)
        self.assertEqual(len(blocks), text.count('```sql\n'))
        self.assertEqual(len(blocks), text.count('```rows\n'))
        with tempfile.TemporaryDirectory() as folder:
            database = os.path.join(folder, 'page.db')
            for sql, rows in blocks:
                self.assertEqual(run(database, sql), rows, sql)


if __name__ == '__main__':
    del sys.argv[1:]
    unittest.main()
