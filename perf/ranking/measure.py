#!/usr/bin/env python3
"""Measures `tenrex rank` with a large collection: loading, memory, queries per second with 1, 2, ... threads.

  measure.py PROGRAM [--documents 1000000] [--threads 1,2] [--rounds 3] [--json]

The collection is made by generate.py in a temporary folder, 1.25 kB a document. Of several rounds the best counts: what
else the machine does only makes them worse. The hits must be the same for all numbers of threads.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def figures(program, folder, threads):
    """What one run says of itself, and the most memory that any run had so far."""
    hits = os.path.join(folder, 'hits%d' % threads)
    command = [program, 'rank', os.path.join(folder, 'catalog.profile'), os.path.join(folder, 'documents.jsonl'),
               '--queries', os.path.join(folder, 'queries.jsonl'), '--threads', str(threads), '--format', 'trec',
               '--profile', '-o', hits]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = subprocess.run(command, stderr=subprocess.PIPE, encoding='utf-8', check=True).stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    loaded = re.search(r'loaded (\d+) documents? in .*?: (\d+) documents/s, (\d+) MB/s of JSON; (\d+) bytes each', told)
    ranked = re.search(r'ranked for .*?: ([\d.]+) queries/s\n  first phase .* ms +([\d.]+) ns each', told)
    with open(hits, 'rb') as file:
        content = file.read()
    return {'documents': int(loaded[1]), 'load_documents_per_second': int(loaded[2]), 'load_megabytes_per_second': int(loaded[3]),
            'bytes_per_document': int(loaded[4]), 'queries_per_second': float(ranked[1]),
            'nanoseconds_per_document': float(ranked[2]), 'most_memory_bytes': after.ru_maxrss * 1024,
            'processor_seconds': round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2)}, content


def best(runs):
    """The best of each figure."""
    return {name: (max if name.endswith('per_second') else min)(run[name] for run in runs) for name in runs[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('--documents', type=int, default=1000000)
    parser.add_argument('--threads', default='1,2')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--json', action='store_true', help='one object a line instead of a table')
    options = parser.parse_args()
    numbers = [int(number) for number in options.threads.split(',')]
    with tempfile.TemporaryDirectory(prefix='tenrex-ranking-') as folder:
        subprocess.run([sys.executable, '-B', os.path.join(HERE, 'generate.py'), 'catalog', folder, '--documents',
                        str(options.documents)], check=True)
        runs = {threads: [] for threads in numbers}
        expected = None
        for _ in range(options.rounds):
            for threads in numbers:
                run, hits = figures(options.program, folder, threads)
                runs[threads].append(run)
                expected = expected or hits
                if hits != expected:
                    sys.exit('the hits differ with %d threads' % threads)
    results = [{'threads': threads, **best(runs[threads])} for threads in numbers]
    if options.json:
        for result in results:
            print(json.dumps(result))
        return
    print('%d documents; of %d rounds the best' % (results[0]['documents'], options.rounds))
    print('%7s %15s %9s %12s %12s %10s %10s' % ('threads', 'loaded docs/s', 'MB/s', 'bytes/doc', 'memory MB', 'ns/doc',
                                                'queries/s'))
    for result in results:
        print('%7d %15d %9d %12d %12.0f %10.1f %10.1f' % (
            result['threads'], result['load_documents_per_second'], result['load_megabytes_per_second'],
            result['bytes_per_document'], result['most_memory_bytes'] / 1e6, result['nanoseconds_per_document'],
            result['queries_per_second']))


if __name__ == '__main__':
    main()
