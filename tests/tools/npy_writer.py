"""Writes arrays as numpy does."""

import struct


def npy(descr, shape, cells, fortran=False):
    """An array in a file, as numpy writes it."""
    header = repr({'descr': descr, 'fortran_order': fortran, 'shape': shape}).encode()
    header += b' ' * (-(len(header) + 11) % 64) + b'\n'
    return b'\x93NUMPY\x01\0' + struct.pack('<H', len(header)) + header + cells
