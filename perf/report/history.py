"""Records of measurements: one JSON object for each commit and machine, in perf/history/<machine>.jsonl."""

import json
import os
import re


def slug(text):
    """A name for a file: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def path_of(directory, record):
    machine = record["machine"]
    return os.path.join(directory, slug(f"{machine['cpu']} {machine['cores']} cores") + ".jsonl")


def read_file(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def read_all(directory):
    """The records of all machines: {file name: records in the order in which they were made}."""
    if not os.path.isdir(directory):
        return {}
    return {name: read_file(os.path.join(directory, name))
            for name in sorted(os.listdir(directory)) if name.endswith(".jsonl")}


def append(directory, record):
    """Adds a record; one of the same commit gives way to it. Returns the path of the file."""
    path = path_of(directory, record)
    records = [r for r in read_file(path) if r["commit"] != record["commit"]] + [record]
    os.makedirs(directory, exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        for each in records:
            file.write(json.dumps(each, separators=(",", ":")) + "\n")
    os.replace(path + ".new", path)
    return path


def latest(directory, machine=None):
    """The records of the machine that was measured last, or of that one; empty if there is none."""
    chosen = [records for name, records in read_all(directory).items()
              if records and machine in (None, name, name.removesuffix(".jsonl"))]
    return max(chosen, key=lambda records: records[-1]["measured"], default=[])
