"""What was measured of encoders, an object a line, in a file for each kind. What is measured again on the same machine takes the place
of what was there."""

import json
import os
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent / "points"
# What tells the points of a kind apart.
KEYS = {"budget": ("model", "precision", "tokens"), "loading": ("model", "precision"), "workers": ("model", "precision", "lengths", "workers"),
        "ladder": ("model", "lengths"), "sharing": ("model", "precision", "tokens", "threads")}


def key_of(kind, point):
    return (point["machine"], *(point[name] for name in KEYS[kind]))


def read(kind, folder=FOLDER):
    path = pathlib.Path(folder) / f"{kind}.jsonl"
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(kind, new, folder=FOLDER):
    """Adds points of one machine, which then stand last. A new one stands where the one was that it replaces."""
    known = {key_of(kind, point): point for point in read(kind, folder)}
    known.update({key_of(kind, point): point for point in new})
    ordered = sorted(known.values(), key=lambda point: point["machine"] == new[0]["machine"])
    os.makedirs(folder, exist_ok=True)
    path = pathlib.Path(folder) / f"{kind}.jsonl"
    part = path.with_suffix(".part")
    part.write_text("".join(json.dumps(point) + "\n" for point in ordered), encoding="utf-8")
    os.replace(part, path)


def machine_of(told):
    """As a record of the history tells of a machine."""
    return f"{told['cpu']}, {told['cores']} cores"
