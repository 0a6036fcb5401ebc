"""What notebooks show."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Iterable

import numpy as np

if TYPE_CHECKING:
    from tenrex._plan import Plan, Profile, Step
    from tenrex._tensor import Tensor

_MOST_ROWS = 20
_MOST_COLUMNS = 12


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _bar(share: float, text: str) -> str:
    """A bar of that share of the widest, with a text beside it."""
    width = max(0.0, min(100.0, 100 * share))
    return ('<div style="display:flex;align-items:center;gap:6px"><div style="width:120px;background:#eee">'
            f'<div style="width:{width:.1f}%;height:10px;background:#4878a8"></div></div>{escape(text)}</div>')


def _amount(number: float) -> str:
    for unit in ("", "k", "M", "G"):
        if abs(number) < 1000:
            return f"{number:.4g}{unit}"
        number /= 1000
    return f"{number:.4g}T"


def _cells(block: Any) -> list[str]:
    flat = np.asarray(block, dtype=float).reshape(-1)
    shown = [f"{number:g}" for number in flat[:_MOST_COLUMNS]]
    return shown + ["&hellip;"] if flat.size > _MOST_COLUMNS else shown


def tensor_html(tensor: Tensor) -> str:
    own = tensor.type
    head = [f"<b>{escape(str(own))}</b>"]
    if own.mapped:
        rows = [[escape(label) for label in labels] + _cells(block)
                for labels, block in zip(tensor.labels[:_MOST_ROWS], tensor.cells())]
        names = [escape(name) for name in own.mapped]
        left = len(tensor) - len(rows)
    else:
        array = tensor.numpy()
        flat = array.reshape((array.shape[0], -1)) if array.ndim > 1 else array.reshape((1, -1))
        rows = [([str(i)] if array.ndim > 1 else []) + _cells(row) for i, row in enumerate(flat[:_MOST_ROWS])]
        names = [escape(own.dims[0])] if array.ndim > 1 else []
        left = len(flat) - len(rows)
    width = max((len(row) for row in rows), default=0) - len(names)
    head.append(_table(names + [""] * width, rows))
    if left:
        head.append(f"{left} more")
    return "".join(head)


def _step_rows(steps: list[Step], shares: list[float], texts: list[str]) -> list[list[str]]:
    return [[str(number), escape(step.what) + (f"<div><code>{escape(step.text)}</code></div>" if step.text else ""),
             f"<code>{escape(step.kernel)}</code>", _bar(share, text)]
            for number, (step, share, text) in enumerate(zip(steps, shares, texts), 1)]


def plan_html(plan: Plan) -> str:
    parts = [f"<b>{escape(repr(plan)[1:-1])}</b>"]
    for stage, when in (("constant", "once"), ("query", "once per query"), ("document", "for each document")):
        steps = plan.steps(stage)
        if not steps:
            continue
        work = [step.flops + (step.bytes_read + step.bytes_written) / 4 for step in steps]
        most = max(work) or 1.0
        texts = [f"{_amount(step.flops)} operations, {_amount(step.bytes_read + step.bytes_written)} bytes"
                 + (" for each block" if step.per_block or step.per_shared_block else "") for step in steps]
        parts.append(f"<p>{stage}, {when}</p>")
        parts.append(_table(["", "step", "kernel", "estimated work"], _step_rows(steps, [w / most for w in work], texts)))
    return "".join(parts)


def profile_html(profile: Profile) -> str:
    total = sum(profile.seconds)
    most = max(profile.seconds, default=0.0) or 1.0
    each = 1e9 / max(profile.documents, 1)
    texts = [f"{second * each:.1f} ns per document" for second in profile.seconds]
    rows = _step_rows(profile.steps, [second / most for second in profile.seconds], texts)
    return (f"<b>{profile.documents} documents, {total * each:.1f} ns each</b>"
            + _table(["", "step", "kernel", "time"], rows))
