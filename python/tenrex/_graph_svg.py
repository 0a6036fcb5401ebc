"""A drawing of a graph in layers: each operation stands below its operands."""

from __future__ import annotations

import re
from html import escape
from textwrap import wrap

_NODE = re.compile(r'^\s*(\w+) \[label="((?:[^"\\]|\\.)*)" fillcolor=(\w+)\]')
_EDGE = re.compile(r"^\s*(\w+) -> (\w+)")
_COLOURS = {"gray90": "#e5e5e5", "lightgoldenrod": "#eedd82", "lightblue": "#add8e6"}  # Graphviz has other names than SVG
_CHARACTER, _LINE, _GAP, _LAYER_GAP, _MARGIN, _WRAP = 7, 15, 24, 40, 8, 44


class _Node:
    def __init__(self, label: str, colour: str) -> None:
        lines = re.sub(r"\\(.)", lambda match: "\n" if match.group(1) == "n" else match.group(1), label).split("\n")
        self.lines = [part for line in lines for part in wrap(line, _WRAP) or [""]]
        self.colour = _COLOURS.get(colour, "#ffffff")
        self.operands: list[str] = []
        self.layer = 0
        self.x = self.y = 0.0

    @property
    def width(self) -> float:
        return max(len(line) for line in self.lines) * _CHARACTER + 12

    @property
    def height(self) -> float:
        return len(self.lines) * _LINE + 8


def _read(dot: str) -> dict[str, _Node]:
    nodes: dict[str, _Node] = {}
    for line in dot.splitlines():
        if match := _NODE.match(line):
            nodes[match.group(1)] = _Node(match.group(2), match.group(3))
        elif match := _EDGE.match(line):
            nodes[match.group(2)].operands.append(match.group(1))
    return nodes


def _layers(nodes: dict[str, _Node]) -> list[list[_Node]]:
    """Nodes by the longest way from an input; within a layer near their operands."""
    layers: list[list[_Node]] = []
    for node in nodes.values():  # operands come first
        node.layer = max((nodes[name].layer + 1 for name in node.operands), default=0)
        while len(layers) <= node.layer:
            layers.append([])
        layers[node.layer].append(node)
    for layer in layers:
        place = {id(node): index for index, node in enumerate(layer)}

        def middle(node: _Node) -> float:
            if not node.operands:
                return place[id(node)]
            return sum(nodes[name].x for name in node.operands) / len(node.operands)

        layer.sort(key=middle)
        for index, node in enumerate(layer):
            node.x = index
    return layers


def _place(layers: list[list[_Node]]) -> tuple[float, float]:
    width = max((sum(node.width + _GAP for node in layer) for layer in layers), default=0)
    y = float(_MARGIN)
    for layer in layers:
        x = _MARGIN + (width - sum(node.width + _GAP for node in layer)) / 2 + _GAP / 2
        for node in layer:
            node.x, node.y = x, y
            x += node.width + _GAP
        y += max(node.height for node in layer) + _LAYER_GAP
    return width + 2 * _MARGIN, y - _LAYER_GAP + _MARGIN


def _draw(node: _Node) -> str:
    text = "".join(f'<tspan x="{node.x + 6:.0f}" dy="{_LINE}">{escape(line)}</tspan>' for line in node.lines)
    return (f'<rect x="{node.x:.0f}" y="{node.y:.0f}" width="{node.width:.0f}" height="{node.height:.0f}" rx="4" '
            f'fill="{node.colour}" stroke="#555"/><text x="{node.x + 6:.0f}" y="{node.y:.0f}">{text}</text>')


def _edge(upper: _Node, lower: _Node) -> str:
    x1, y1 = upper.x + upper.width / 2, upper.y + upper.height
    x2, y2 = lower.x + lower.width / 2, lower.y
    bend = (y2 - y1) / 2
    return f'<path d="M{x1:.0f},{y1:.0f} C{x1:.0f},{y1 + bend:.0f} {x2:.0f},{y2 - bend:.0f} {x2:.0f},{y2:.0f}"/>'


def svg_of_dot(dot: str) -> str:
    """The drawing of a graph that is given for Graphviz."""
    nodes = _read(dot)
    width, height = _place(_layers(nodes))
    edges = "".join(_edge(nodes[name], node) for node in nodes.values() for name in node.operands)
    boxes = "".join(_draw(node) for node in nodes.values())
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="monospace" font-size="11">'
            f'<g fill="none" stroke="#888">{edges}</g>{boxes}</svg>')
