"""Applies one rule of rules.py to the project: architecture_test.py RULE ROOT [COMPILE_COMMANDS]. Prints each finding."""

import sys

import rules

rule = sys.argv[1]
findings = rules.CHECKS[rule](rules.Tree(*sys.argv[2:]))
for finding in findings:
    print(finding)
print(f"{rule}: {len(findings)} findings")
sys.exit(1 if findings else 0)
