"""When one list of times is slower than another. Times come in pairs, of rounds in which the two took turns.

Machines have phases, so neither a single pair nor the distance of two means says much. Three things must agree: the
minima, which noise can only raise; the median of the ratios within a pair, where both had the same phase; and the ranks
of all ratios.
"""

import math
import statistics

# A slower time by less than this is not looked for: code moves in memory, and that alone costs so much.
THRESHOLD = 0.05
# How likely the ratios may be so high by chance.
SIGNIFICANCE = 0.005


def growth(base, head):
    """By which share the head is slower, by the minima and by the pairs: the smaller of the two."""
    ratios = [after / before for before, after in zip(base, head)]
    return min(min(head) / min(base), statistics.median(ratios)) - 1


def rank_probability(base, head):
    """How likely ratios so high are if both are alike: the signed rank test of Wilcoxon, exactly."""
    logs = sorted((math.log(after / before) for before, after in zip(base, head)), key=abs)
    reached = sum(rank for rank, log in enumerate(logs, 1) if log > 0)
    # ways[s]: in how many ways signs can be given to the ranks so that those with a plus have the sum s.
    ways = [1]
    for rank in range(1, len(logs) + 1):
        ways = [(ways[s] if s < len(ways) else 0) + (ways[s - rank] if s >= rank else 0) for s in range(len(ways) + rank)]
    return sum(ways[reached:]) / 2 ** len(logs)


def is_suspect(base, head, threshold=THRESHOLD):
    """Worth measuring again: a small number of rounds suffices for that, and some that are innocent."""
    return growth(base, head) > threshold * 0.6


def is_slower(base, head, threshold=THRESHOLD):
    """Significantly slower, with enough rounds to say so: eight or more."""
    return growth(base, head) > threshold and rank_probability(base, head) < SIGNIFICANCE
