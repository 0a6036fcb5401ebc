"""Charts as SVG text: lines over a history, bars of a ladder, points below a roof. Sizes are in pixels of the page."""

import html
import math

INK = "#222"
SOFT = "#999"
BLUE = "#1f5fa8"
ORANGE = "#d9730d"
COLORS = (BLUE, ORANGE, "#2e7d32", "#8e44ad", "#b71c1c", "#00838f")


def text(x, y, content, anchor="start", size=11, color=INK):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{color}">'
            f"{html.escape(content)}</text>")


def line(x1, y1, x2, y2, color=SOFT, width=1, dashes=""):
    extra = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}" stroke-width="{width}"{extra}/>'


def picture(width, height, parts, title):
    return (f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
            f'aria-label="{html.escape(title)}">' + "".join(parts) + "</svg>")


def short(number):
    """1234 as "1.23 k"; below 1000 three digits."""
    for prefix in ("", " k", " M", " G", " T"):
        if abs(number) < 999.5 or prefix == " T":
            return f"{number:.3g}{prefix}"
        number /= 1000
    return ""


def powers_between(low, high):
    """The powers of ten in a range."""
    return [10.0 ** e for e in range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)]


class LogScale:
    """Numbers above zero to pixels."""

    def __init__(self, low, high, begin, end):
        self.low, self.high = math.log10(low), math.log10(high)
        if self.high - self.low < 0.05:
            self.low, self.high = self.low - 0.05, self.high + 0.05
        self.begin, self.end = begin, end

    def __call__(self, number):
        share = (math.log10(number) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)


def bars(rows, unit="ns", width=640):
    """Horizontal bars on a logarithmic scale. rows: (label, number)."""
    label_width, number_width, step = 300, 110, 16
    numbers = [number for _, number in rows]
    scale = LogScale(min(numbers) / 2, max(numbers), 0, width - label_width - number_width)
    parts, before = [], None
    for i, (label, number) in enumerate(rows):
        y = i * step
        length = max(scale(number), 1)
        faster = before is not None and number < before * 0.95
        parts.append(text(0, y + 12, label))
        parts.append(f'<rect x="{label_width}" y="{y + 3}" width="{length:.1f}" height="{step - 5}" '
                     f'fill="{BLUE if faster or before is None else "#b8cbe0"}"/>')
        gain = f"  ÷{before / number:.2f}" if faster else ""
        parts.append(text(label_width + length + 5, y + 12, f"{short(number)} {unit}{gain}"))
        before = number
    return picture(width, len(rows) * step + 4, parts, "ladder")


def history(labels, series, width=640, height=150):
    """Lines over commits. labels: of the commits; series: {name: numbers or None, as many as labels}."""
    numbers = [n for values in series.values() for n in values if n]
    if not numbers:
        return ""
    left, right, top, bottom = 60, 90, 8, 22
    y_of = LogScale(min(numbers) * 0.9, max(numbers) * 1.1, height - bottom, top)
    places = max(len(labels) - 1, 1)

    def x_of(i):
        return left + (width - left - right) * (i / places if len(labels) > 1 else 0.5)

    parts = [line(left, top, left, height - bottom), line(left, height - bottom, width - right, height - bottom)]
    for number in sorted({min(numbers), max(numbers)}):
        parts.append(line(left - 3, y_of(number), width - right, y_of(number), "#ddd"))
        parts.append(text(left - 6, y_of(number) + 4, short(number), "end"))
    shown = {0, len(labels) - 1}
    for i in shown:
        parts.append(text(x_of(i), height - 6, labels[i], "middle", 10, SOFT))
    for (name, values), color in zip(series.items(), COLORS):
        points = [(x_of(i), y_of(n)) for i, n in enumerate(values) if n]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.5"/>')
        for (x, y), label in zip(points, [labels[i] for i, n in enumerate(values) if n]):
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{color}"><title>{html.escape(label)}</title></circle>')
        if points:
            parts.append(text(points[-1][0] + 6, points[-1][1] + 4, name, "start", 11, color))
    return picture(width, height, parts, "history")


def roofline(points, roofs, levels, width=760, height=420):
    """Points below the roofs of a machine. points: (name, flops a byte, flops a second); roofs: {cells: flops a second};
    levels: (name, bytes a second)."""
    flops_peak = max(roofs.values())
    left, right, top, bottom = 60, 20, 10, 36
    xs = [x for _, x, _ in points] or [1]
    ys = [y for _, _, y in points] or [flops_peak]
    x_low, x_high = min(xs + [0.1]) / 1.5, max(xs + [100]) * 1.5
    x_of = LogScale(x_low, x_high, left, width - right)
    y_of = LogScale(min(ys) / 1.5, flops_peak * 1.8, height - bottom, top)
    parts = []
    for x in powers_between(x_low, x_high):
        parts += [line(x_of(x), top, x_of(x), height - bottom, "#eee"), text(x_of(x), height - 20, f"{x:g}", "middle", 10)]
    for y in powers_between(min(ys) / 1.5, flops_peak * 1.8):
        parts += [line(left, y_of(y), width - right, y_of(y), "#eee"), text(left - 5, y_of(y) + 4, short(y), "end", 10)]
    parts.append(text((left + width) / 2, height - 4, "operations for each byte of a document", "middle"))
    parts.append(text(left + 4, top + 10, "operations a second"))
    floor = min(ys) / 1.5
    for (name, speed), color in zip(levels, COLORS):
        begin, knee = max(x_low, floor / speed), flops_peak / speed
        parts.append(line(x_of(begin), y_of(begin * speed), x_of(min(knee, x_high)), y_of(min(knee, x_high) * speed), color, 1.5))
        parts.append(text(x_of(begin) + 4, y_of(begin * speed) - 4, name, "start", 10, color))
    load = max([speed for _, speed in levels] or [flops_peak])
    for cells, peak in roofs.items():
        parts.append(line(x_of(max(peak / load, x_low)), y_of(peak), width - right, y_of(peak), INK, 1.5))
        parts.append(text(width - right, y_of(peak) - 4, cells, "end", 10))
    for name, x, y in points:
        parts.append(f'<a href="#{html.escape(name)}"><circle cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="3.5" fill="{BLUE}" '
                     f'fill-opacity="0.7"><title>{html.escape(name)}: {short(y)}flop/s</title></circle></a>')
    return picture(width, height, parts, "roofline")


def front(points, kept, x_title, y_title, width=760, height=360):
    """Points by what they cost and how good they are, those that others beat in grey, and a line through the rest, whose numbers
    are those of a table. points, kept: (name, cost, quality)."""
    left, right, top, bottom = 60, 30, 14, 36
    costs, qualities = [x for _, x, _ in points], [y for _, _, y in points]
    x_of = LogScale(min(costs) / 1.3, max(costs) * 1.3, left, width - right)
    low, high = min(qualities), max(qualities)
    room = max(high - low, 0.01) * 0.1
    low, high = low - room, high + room

    def y_of(quality):
        return height - bottom - (quality - low) / (high - low) * (height - top - bottom)

    parts = [line(left, top, left, height - bottom), line(left, height - bottom, width - right, height - bottom)]
    for x in powers_between(min(costs) / 1.3, max(costs) * 1.3):
        parts += [line(x_of(x), top, x_of(x), height - bottom, "#eee"), text(x_of(x), height - 20, f"{x:g}", "middle", 10)]
    for i in range(5):
        y = low + room + (high - low - 2 * room) * i / 4
        parts += [line(left, y_of(y), width - right, y_of(y), "#eee"), text(left - 5, y_of(y) + 4, f"{y:.3f}", "end", 10)]
    parts.append(text((left + width) / 2, height - 4, x_title, "middle"))
    parts.append(text(left + 4, top - 2, y_title))
    for name, x, y in points:
        if (name, x, y) not in kept:
            parts.append(f'<circle cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="3.5" fill="#ccc"><title>{html.escape(name)}</title></circle>')
    path = " ".join(f"{x_of(x):.1f},{y_of(y):.1f}" for _, x, y in kept)
    parts.append(f'<polyline points="{path}" fill="none" stroke="{BLUE}" stroke-width="1.5"/>')
    for i, (name, x, y) in enumerate(kept, 1):
        parts.append(f'<circle cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="4" fill="{BLUE}"><title>{html.escape(name)}</title></circle>')
        parts.append(text(x_of(x) - 5, y_of(y) - 6, str(i), "end", 10, BLUE))
    return picture(width, height, parts, "front")
