"""What a text encoder costs: the points of perf/encoders as tables and ladders, with what is aimed at."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "perf/encoders"))

import points  # noqa: E402
import shapes  # noqa: E402

# Whose times those of a precision are compared with, and what they are called.
RIVALS = {"onnxruntime": "ONNX Runtime", "onnxruntime_int8": "dynamic int8", "openvino": "OpenVINO", "openvino_bf16": "bfloat16"}
RIVAL = {"f32": "onnxruntime", "bf16": "openvino_bf16", "int8": "onnxruntime_int8"}
# Aims: shares of the peak that products have at least, and the whole of a text, from 16 to 256 tokens.
PRODUCT_SHARE = {"f32": 0.93, "bf16": 0.9, "int8": 0.85}
WHOLE_SHARE = {"f32": 0.88}
AIMED = range(16, 257)
SHORTEST = 8
ABOVE_FLOOR = 1.3  # of a short text
SHARED = {(128, 2): 0.55}  # of the time of one thread, where so many share a text of so many tokens


class Cell:
    """A text, and whether it is as it should be; None: nothing is aimed at."""

    def __init__(self, text, is_good=None):
        self.text, self.is_good = str(text), is_good


def milliseconds(number):
    return Cell(f"{number:.2f}" if number < 10 else f"{number:.1f}" if number < 100 else f"{number:,.0f}")


def share(number, least=None):
    return Cell(f"{100 * number:.0f} %", None if least is None else number >= least)


def ratio(number, most=None):
    return Cell(f"{number:.2f}", None if most is None else number <= most)


def most_of_rival(precision, width, tokens):
    """How many times as long as its rival a text may take; None: nothing is aimed at."""
    if tokens == "mixed":
        return None
    if tokens not in AIMED:
        return 1
    return {"f32": 0.92, "bf16": 0.9, "int8": 0.75 if width <= 384 else 0.85}[precision]


def product_share(point):
    return point["floor"]["products"] / point["ms"]["products"]


def whole_share(point):
    """Of products and attention, which are what a floor by arithmetic counts."""
    return (point["floor"]["products"] + point["floor"]["attention"]) / point["ms"]["whole"]


def above_floor(point):
    """The whole by the least that arithmetic and element-wise work take, or reading the weights if that is more."""
    floor = point["floor"]
    return point["ms"]["whole"] / max(floor["weights"], floor["products"] + floor["attention"] + floor["element_wise"])


def rival_ratio(point):
    return point["ms"]["whole"] / point["rivals"][RIVAL[point["precision"]]]


def of_machine(kind, machine, folder):
    """The points of that machine, or of the one that was measured last if it has none."""
    every = points.read(kind, folder)
    own = [point for point in every if point["machine"] == machine]
    return own or [point for point in every if point["machine"] == every[-1]["machine"]]


def in_order(found):
    lengths = [point["tokens"] for point in found if point["tokens"] != "mixed"]
    return sorted(found, key=lambda p: (shapes.PRECISIONS.index(p["precision"]), p["tokens"] if p["tokens"] in lengths else 1e9))


def name_cells(point):
    tokens = point["tokens"]
    return [Cell(point["precision"]), Cell(tokens if tokens != "mixed" else f"{point['texts']} texts, {point['sum']}")]


def budget_rows(found):
    """Titles and rows of one model: the least milliseconds and those that were measured."""
    titles = ["precision", "tokens", "floor: products", "attention", "element-wise", "weights", "measured: products", "attention", "the rest",
              "whole"]
    return titles, [[*name_cells(point), *(milliseconds(point["floor"][name]) for name in ("products", "attention", "element_wise", "weights")),
                     *(milliseconds(point["ms"][name]) for name in ("products", "attention", "rest", "whole"))] for point in in_order(found)]


def aim_rows(found):
    """Titles and rows of one model: shares of the peak, and rivals, with what is aimed at."""
    titles = ["precision", "tokens", "of peak: products", "attention", "whole", "÷ floor", "ms", *RIVALS.values(), "÷ rival"]
    rows = []
    for point in in_order(found):
        precision, tokens, taken = point["precision"], point["tokens"], point["ms"]
        is_aimed = tokens in AIMED
        width = shapes.SHAPES[point["model"]][1]
        rows.append([*name_cells(point), share(product_share(point), PRODUCT_SHARE[precision] if is_aimed else None),
                     share(point["floor"]["attention"] / taken["attention"]),
                     share(whole_share(point), WHOLE_SHARE.get(precision) if is_aimed else None),
                     ratio(above_floor(point), ABOVE_FLOOR if tokens == SHORTEST else None), milliseconds(taken["whole"]),
                     *(milliseconds(point["rivals"][name]) for name in RIVALS),
                     ratio(rival_ratio(point), most_of_rival(precision, width, tokens))])
    return titles, rows


def mixed_rows(found):
    """Texts of mixed lengths in one call, beside the same one after the other, and beside the best single length."""
    titles = ["model", "precision", "tokens", "in one call", "one by one", "÷ one by one", "of peak", "of peak, best length"]
    rows = []
    for point in found:
        singles = [whole_share(p) for p in found
                   if (p["model"], p["precision"]) == (point["model"], point["precision"]) and p["tokens"] != "mixed"]
        if point["tokens"] != "mixed" or not singles:
            continue
        together, apart = point["ms"]["whole"], point["ms"]["apart"]
        rows.append([Cell(point["model"]), Cell(point["precision"]), Cell(point["sum"]), milliseconds(together), milliseconds(apart),
                     ratio(point.get("by_apart", together / apart), 1), share(whole_share(point), max(singles)), share(max(singles))])
    return titles, rows


def loading_rows(found):
    columns = (("file_mb", "file, MB"), ("packed_mb", "packed"), ("peak_mb", "at the peak"), ("after_mb", "when the plan is there"),
               ("context_mb", "a context"), ("load_ms", "ms to load"), ("plan_ms", "ms of the first plan"))
    return (["model", "precision", *(title for _, title in columns)],
            [[Cell(p["model"]), Cell(p["precision"]), *(Cell(f"{p[name]:,.1f}") for name, _ in columns)] for p in found])


def worker_rows(found):
    """Beside one thread, and beside two where there are more: callers beyond the processors take nothing away."""
    titles = ["model", "precision", "threads", "texts/s", "× one thread", "× two", "ms of processors", "p50, ms", "p99, ms", "private, MB", "a context, MB"]
    rows = []
    for point in found:
        known = {p["workers"]: p["texts_per_second"] for p in found
                 if all(p[name] == point[name] for name in ("model", "precision", "lengths"))}
        by_one, by_two = (f"{point['texts_per_second'] / known[n]:.2f}" if n in known and n < point["workers"] else "" for n in (1, 2))
        rows.append([Cell(point["model"]), Cell(point["precision"]), Cell(point["workers"]), Cell(f"{point['texts_per_second']:.1f}"),
                     Cell(by_one), Cell(by_two), milliseconds(point["processor_ms"]), milliseconds(point["median_ms"]), milliseconds(point["late_ms"]),
                     Cell(f"{point['private_mb']:,.0f}"), Cell(f"{point['context_mb']:.1f}")])
    return titles, rows


def sharing_rows(found):
    """Threads that share a text, beside as many that each embed one, which is what the processors can do at that time."""
    titles = ["model", "precision", "tokens", "threads", "ms, one thread", "shared", "one each, ÷ threads", "shared ÷ one", "one each ÷ one"]
    return titles, [[Cell(p["model"]), Cell(p["precision"]), Cell(p["tokens"]), Cell(p["threads"]),
                     *(milliseconds(p[name]) for name in ("alone_ms", "shared_ms", "apart_ms")),
                     ratio(p["share"], SHARED.get((p["tokens"], p["threads"]))), ratio(p["apart_share"])] for p in found]


def ladder_rows(point):
    rows = []
    for (_, before), (what, taken) in zip([(None, None), *point["steps"]], point["steps"]):
        rows.append([Cell(what), milliseconds(taken), Cell(f"{1e3 / taken:.1f}"), Cell("" if before is None else f"{before / taken:.2f}")])
    product = point["steps"][0][1] / point["steps"][-1][1]
    rows.append([Cell("all steps"), Cell(""), Cell(""), Cell(f"{product:.2f}")])
    return ["step", "ms of a text", "texts/s", "factor"], rows


def missed(rows):
    """(how many aims are missed, of how many)"""
    cells = [cell.is_good for row in rows for cell in row if cell.is_good is not None]
    return cells.count(False), len(cells)


def markdown(titles, rows):
    """A missed aim is in bold."""
    lines = ["| " + " | ".join(titles) + " |", "|" + "--:|" * len(titles)]
    lines += ["| " + " | ".join(f"**{cell.text}**" if cell.is_good is False else cell.text for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def by_model(found):
    return {model: [p for p in found if p["model"] == model] for model in dict.fromkeys(p["model"] for p in found)}


def documents(folder=points.FOLDER):
    """Tables for pages, by the name of their markers, of the machine that was measured last."""
    budget, loaded, workers, sharing, ladders = (of_machine(kind, None, folder)
                                                 for kind in ("budget", "loading", "workers", "sharing", "ladder"))
    tables = {}
    if budget:
        parts = []
        for model, found in by_model(budget).items():
            aimed = aim_rows(found)
            misses, aims = missed(aimed[1])
            parts.append(f"{model}, milliseconds:\n\n{markdown(*budget_rows(found))}\n"
                         f"{model}, {misses} of {aims} aims missed:\n\n{markdown(*aimed)}")
        tables["encoder_budget"] = "\n".join(parts)
        tables["encoder_mixed"] = markdown(*mixed_rows(budget))
    for name, found, rows in (("encoder_loading", loaded, loading_rows), ("encoder_workers", workers, worker_rows),
                              ("encoder_sharing", sharing, sharing_rows)):
        if found:
            tables[name] = markdown(*rows(found))
    if ladders:
        tables["encoder_ladder"] = "\n".join(
            f"{point['model']}, {point['texts']} texts of {point['sum']} tokens ({point['lengths']}):\n\n" + markdown(*ladder_rows(point))
            for point in ladders)
    return tables
