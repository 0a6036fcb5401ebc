"""The command bench, with little effort: what it prints, not how fast anything is."""

import json
import os
import resource
import subprocess
import unittest

from program import ENVIRONMENT, PROGRAM, TestCase, run

DOT = ('sum(q*d)', '--query', 'q:tensor<float>(x[8])', '--document', 'd:tensor<int8>(x[8])')
BRIEF = ('--runs', '1', '--documents', '64')


class Bench(TestCase):
    def measure(self, *arguments):
        outcome = run('bench', *arguments, *BRIEF, '--json')
        self.assertEqual((outcome.status, outcome.err), (0, ''), outcome)
        self.assertEqual(outcome.out.count('\n'), 1)
        return json.loads(outcome.out)

    def test_object(self):
        result = self.measure(*DOT, '--block', '1,16', '--isa', 'baseline')
        self.assertEqual(set(result['ns_per_document']), {'1', '16'})
        for size, samples in result['samples'].items():
            self.assertEqual(samples, [result['ns_per_document'][size]])
        for member in ('compile_us', 'bind_us', 'peak_share', 'memory_bytes', 'flops_per_second', 'bytes_per_second'):
            self.assertGreater(result[member], 0, member)
        self.assertEqual((result['documents'], result['document_bytes'], result['checked']), (64, 8, True))
        self.assertIn('dot of 8 cells', result['plan'])
        self.assertIn('baseline::dot', result['plan'])
        self.assertNotIn('profile', result)
        self.assertEqual([level['name'] for level in result['peaks']['levels']], ['L1', 'L2', 'L3', 'memory'])

    def test_no_check(self):
        """Nothing is compared, and the report says so."""
        self.assertFalse(self.measure(*DOT, '--no-check')['checked'])
        outcome = run('bench', *DOT, *BRIEF, '--no-check')
        self.assertIn('results not checked: checking is switched off', ' '.join(outcome.out.split()))

    def test_profile(self):
        steps = self.measure(*DOT, '--profile')['profile']
        self.assertEqual(steps[0]['what'], 'dot of 8 cells')
        self.assertEqual(steps[0]['flops'], 16)
        self.assertEqual((steps[0]['place'], steps[0]['text']), ('1:1', DOT[0]))
        self.assertTrue(all(step['ns_per_document'] >= 0 for step in steps))

    def test_profile_adds_up(self):
        """One clock: the steps, and what stands between them, are the time of the last block."""
        for arguments in (DOT, ('sum(max(sum(q*d,x),t))', '--query', 'q:tensor<float>(s[8],x[32])', '--document',
                                'd:tensor<float>(t[16],x[32])'),
                          ('a*b+1', '--query', 'a', '--document', 'b')):
            result = self.measure(*arguments, '--profile', '--block', '1,64')
            steps = [step['ns_per_document'] for step in result['profile']]
            self.assertGreater(sum(steps), 0)
            self.assertGreaterEqual(result['between_steps_ns'], 0)
            self.assertAlmostEqual(sum(steps) + result['between_steps_ns'], result['ns_per_document']['64'],
                                   delta=0.01 * result['ns_per_document']['64'])
        self.assertNotIn('between_steps_ns', self.measure(*DOT))

    def test_bytes(self):
        """What the peaks are compared with: what must be read, and the result."""
        def bytes_of(*arguments):
            result = self.measure(*arguments)
            return result['document_bytes'], result['bytes_read_per_document'], result['bytes_written_per_document']

        self.assertEqual(bytes_of(*DOT), (8, 8, 8))
        self.assertEqual(bytes_of('sum(q*tensor<float>(x[8])(d{x:(x+4)}))', '--query', 'q:tensor<float>(x[8])', '--document',
                                  'd:tensor<float>(x[32])'), (128, 32, 8))
        self.assertEqual(bytes_of('a*b', '--document', 'a:tensor<float>(x[8])', '--document', 'b:tensor<float>(y[8])'),
                         (64, 64, 256))
        self.assertEqual(bytes_of('sum(q*d)', '--query', 'q:tensor<float>(k{})', '--labels', 'q.k=4@0', '--document',
                                  'd:tensor<float>(k{})', '--labels', 'd.k=100@0'), (1200, 48, 8))
        self.assertEqual(bytes_of('d{k:3}', '--document', 'd:tensor(k{})', '--labels', 'd.k=100@0'), (1600, 16, 8))

    def test_lookups(self):
        """Labels that must be found: those of the smaller side, or the one that is named."""
        def lookups_of(*arguments):
            result = self.measure(*arguments)
            self.assertGreater(result['peaks']['lookup_seconds'], 0)
            self.assertGreaterEqual(result['roofline_ns'],
                                    0.99e9 * result['lookups_per_document'] * result['peaks']['lookup_seconds'])
            return result['lookups_per_document']

        sparse = ('--query', 'q:tensor<float>(k{})', '--labels', 'q.k=4@0', '--document', 'd:tensor<float>(k{})', '--labels')
        self.assertEqual(lookups_of('sum(q*d)', *sparse, 'd.k=100@0'), 4)
        self.assertEqual(lookups_of('sum(q*d)', *sparse, 'd.k=3@0'), 3)
        self.assertEqual(lookups_of('d{k:3}', *sparse, 'd.k=100@0'), 1)
        self.assertEqual(lookups_of('sum(d)', *sparse, 'd.k=100@0'), 0)
        self.assertEqual(lookups_of(*DOT), 0)

    def test_inputs(self):
        plan = self.measure('a*b+c*e', '--query', 'a', '--document', 'b', '--constant', 'c=2',
                            '--constant', 'e:tensor(x[2])')['plan']
        self.assertIn('query     a', plan)
        self.assertIn('tensor(x[2])', plan)
        labels = self.measure('sum(query(q).k*d)', '--query', 'query(q).k:tensor<float>(k{},x[2])', '--labels',
                              'query(q).k.k=4@0', '--document', 'd:tensor(k{})', '--labels', 'd.k=8@2')
        self.assertEqual(labels['document_bytes'], 8 * (8 + 8))
        default = self.measure('sum(d)', '--document', 'd:tensor<float>(k{})')
        self.assertEqual(default['document_bytes'], 16 * (4 + 8))
        # Peeks at a label that only some values have are no mistake.
        self.measure('d{k:3}', '--document', 'd:tensor(k{})', '--labels', 'd.k=4@0')

    def test_lengths(self):
        late = ('sum(reduce(sum(q*d,x),max,t),s)', '--query', 'q:tensor<float>(s[],x[4])', '--document',
                'd:tensor<float>(t[],x[4])')
        self.measure(*late, '--length', 'q.s=3', '--length', 'd.t=0..5')
        self.measure(*late)
        self.assertEqual(self.measure('sum(d)', '--document', 'd:tensor<float>(t[],x[2])', '--length', 'd.t=10')
                         ['document_bytes'], 80)
        # Inputs that are joined have the same sizes.
        self.measure('sum(a*b)', '--document', 'a:tensor(t[])', '--document', 'b:tensor(t[])', '--length',
                     'a.t=1..99', '--length', 'b.t=1..99')
        self.fails(2, '--length: there is no input e', 'bench', *late, '--length', 'e.t=3')
        self.fails(2, '--length: d has no open dimension x', 'bench', *late, '--length', 'd.x=3')
        for length in ('d.t', 'd.t=', 'd.t=5..3', 'd.t=x', 'd=3'):
            self.fails(2, '--length: expected', 'bench', *late, '--length', length)
        self.measure('1+2')

    def test_threads(self):
        result = self.measure(*DOT, '--threads', '2', '--block', '8')
        self.assertEqual(result['threads'], 2)
        self.assertGreater(result['ns_per_document']['8'], 0)

    def test_threads_per_block(self):
        result = self.measure(*DOT, '--threads-per-block', '2', '--block', '8')
        self.assertEqual((result['threads'], result['threads_per_block']), (1, min(2, len(os.sched_getaffinity(0)))))
        self.assertGreater(result['ns_per_document']['8'], 0)
        for other in (('--threads', '2'), ('--reference',)):
            self.fails(2, 'excludes', 'bench', *DOT, '--threads-per-block', '2', *other)

    def test_reference(self):
        result = self.measure(*DOT, '--reference', '--block', '1')
        self.assertEqual((result['evaluator'], result['plan'], result['bind_us']), ('reference', '', 0))
        self.assertGreater(result['ns_per_document']['1'], 0)
        self.fails(2, 'excludes', 'bench', *DOT, '--reference', '--profile')

    def test_table(self):
        outcome = run('bench', *DOT, *BRIEF, '--profile', '--block', '1,64')
        self.assertEqual((outcome.status, outcome.err), (0, ''), outcome)
        for text in ('documents  64 of 8 bytes', 'equal to those of the reference evaluator', 'ns/document', '\n       1 ',
                     '\n      64 ', 'bound by', 'dot of 8 cells', '1:1  ' + DOT[0], 'the call, and between the steps', 'in blocks of 64\n'):
            self.assertIn(text, outcome.out)
        outcome = run('bench', *DOT, *BRIEF, '--profile', '--threads', '2')
        self.assertIn('in blocks of 64, on one thread\n', outcome.out)

    @unittest.skipIf(ENVIRONMENT.get('TENREX_TEST_SANITIZER'), 'sanitizers reserve more memory than the limit')
    def test_more_threads_than_there_are(self):
        def little_memory():
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

        done = subprocess.run([PROGRAM, 'bench', 'a+1', '--document', 'a', '--threads', '100000', *BRIEF],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT, timeout=120,
                              preexec_fn=little_memory)
        self.assertEqual((done.returncode, done.stdout), (1, b''), done)
        self.assertIn(b'cannot start 100000 threads: ', done.stderr)

    def test_seed(self):
        self.measure(*DOT, '--seed', '18446744073709551615')
        for number in ('99999999999999999999', '18446744073709551616'):
            self.fails(2, '--seed: expected a whole number from 0 to 18446744073709551615, found ' + number, 'bench',
                       *DOT, '--seed', number)
            self.fails(2, 'expected a whole number from 0 to 18446744073709551615, found ' + number, 'eval', '1',
                       '--seed', number)
        for number in ('-1', '1.5', '0x10', '1e3', ' 1'):
            self.fails(2, '--seed: expected a whole number from 0, found ' + number, 'bench', *DOT, '--seed=' + number)

    def test_wrong_expression(self):
        outcome = self.fails(1, "1:1: error: unknown symbol 'a'", 'bench', 'a+1')
        self.assertIn('\n  a+1\n', outcome.err)
        self.fails(1, 'error', 'bench', 'sum(', *BRIEF)
        self.fails(1, 'type of q:1:10: error:', 'bench', 'q', '--query', 'q:tensor(x[y])')
        self.fails(1, "there is no optimization 'fast'", 'bench', '1', '--disable', 'fast')
        self.fails(1, 'do not fit', 'bench', 'sum(d)', '--document', 'd:tensor(x[1000000])', '--documents', '10000000')

    def test_too_much(self):
        """Refused before anything is made."""
        labels = '99999999999@0'
        for stage in ('--query', '--document', '--constant'):
            self.fails(1, 'a value of d has more than 8589934592 bytes', 'bench', 'sum(d)', stage, 'd:tensor(k{})',
                       '--labels', 'd.k=' + labels)
            self.fails(1, 'a value of d has more than 8589934592 bytes', 'bench', 'sum(d)', stage, 'd:tensor(k{},l{})',
                       '--labels', 'd.k=4294967296@0', '--labels', 'd.l=4294967296@0')
        for most in ('18446744073709551615', '2000000000'):
            self.fails(1, 'do not fit', 'bench', '1+2', '--documents', most)
            self.fails(1, 'do not fit', 'bench', '1+2', '--block', most)
            self.fails(1, 'do not fit', 'bench', 'a', '--document', 'a', '--block', '1,' + most)

    def test_wrong_usage(self):
        self.fails(2, 'no expression is given', 'bench')
        self.fails(2, 'expected NAME, NAME:TYPE or NAME=VALUE, found ":x"', 'bench', 'x', '--query', ':x')
        self.fails(2, 'the input a is declared twice', 'bench', 'a', '--query', 'a', '--document', 'a')
        self.fails(2, '--block', 'bench', '1', '--block', '0')
        self.fails(2, '--threads', 'bench', '1', '--threads', '0')
        sparse = ('bench', 'sum(d)', '--document', 'd:tensor(k{},x[2])', '--labels')
        self.fails(2, 'expected NAME.DIMENSION=COUNT@FIRST, found "d.k=many"', *sparse, 'd.k=many')
        self.fails(2, 'expected NAME.DIMENSION=COUNT@FIRST', *sparse, 'd=1@2')
        self.fails(2, 'there is no input e', *sparse, 'e.k=1@2')
        self.fails(2, 'd has no mapped dimension x', *sparse, 'd.x=1@2')


if __name__ == '__main__':
    unittest.main()
