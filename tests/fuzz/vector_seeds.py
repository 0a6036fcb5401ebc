"""Files of indexes of vectors, for the fuzz programs."""

import struct

NONE = 0xFFFFFFFF
MASK = 0xFFFFFFFFFFFFFFFF


def mixed(value):
    value = (value + 0x9E3779B97F4A7C15) & MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def level(node, links):
    chance = (mixed(mixed(node)) >> 11) * 2.0 ** -53
    found = 0
    while found < 12 and chance * links < 1:
        chance *= links
        found += 1
    return found


def index(metric, cells, keep_floats, links, rows, dimensions, gone=0):
    """Each node is linked with the next; searches begin at the highest."""
    levels = [level(node, links) if links else 0 for node in range(rows)]
    entry = levels.index(max(levels)) if links and rows else NONE
    row_bytes = [4 * dimensions, 2 * dimensions, dimensions, dimensions if metric == 4 else (dimensions + 7) // 8][cells]
    parts = [b"TnrxVec2" + struct.pack("<QIIQQQQQQ", dimensions, metric, cells, keep_floats, links, 8, 0, rows, entry)]
    parts.append(b"".join(bytes([node + 1] * row_bytes).ljust(-(-row_bytes // 64) * 64, b"\0") for node in range(rows)))
    if cells == 2 or (cells == 3 and metric in (0, 3)):
        parts.append(struct.pack("<ff", 1, 1) * rows)
    if keep_floats:
        stride = -(-4 * dimensions // 64) * 64
        parts.append(b"".join(struct.pack("<f", node) * dimensions + bytes(stride - 4 * dimensions) for node in range(rows)))
    if links:
        stride = -(-2 * links // 16) * 16
        parts.append(b"".join(struct.pack("<I", (node + 1) % rows) + b"\xff" * (4 * stride - 4) for node in range(rows)))
        parts.append(b"\xff" * (4 * links * sum(levels)))
    parts.append(struct.pack("<Q", gone) if rows else b"")
    data = b""
    for part in parts:
        data += bytes(-len(data) % 64) + part
    return data


def vector_seeds():
    yield index(0, 0, 0, 2, 5, 3)
    yield index(1, 2, 1, 4, 6, 2)
    yield index(3, 3, 1, 2, 9, 5, gone=6)
    yield index(4, 3, 0, 2, 4, 8)
    yield index(2, 1, 0, 0, 3, 2)
    yield index(0, 0, 0, 2, 0, 1)
