"""The part of the page about text encoders."""

import html

import encoders
import points
import svg


def cell(each):
    text = html.escape(each.text)
    return text if each.is_good is None else f'<span class="{"good" if each.is_good else "bad"}">{text}</span>'


def aims_text(rows):
    misses, aims = encoders.missed(rows)
    return f"{misses} of {aims} aims are missed: those figures are red." if misses else f"All {aims} aims are met."


def section(machine, table, folder=points.FOLDER):
    """table: a function that makes HTML of titles and rows of HTML."""
    budget, loading, workers, sharing, ladders = (encoders.of_machine(kind, machine, folder)
                                                  for kind in ("budget", "loading", "workers", "sharing", "ladder"))
    parts = []

    def add(titles_and_rows):
        titles, rows = titles_and_rows
        parts.append(table(titles, [[cell(each) for each in row] for row in rows]))

    for model, found in encoders.by_model(budget).items():
        aimed = encoders.aim_rows(found)
        parts.append(f"<h3>{html.escape(model)}</h3>\n<p>Milliseconds, on {html.escape(found[0]['machine'])}.</p>\n")
        add(encoders.budget_rows(found))
        parts.append(f"<p>Shares of the peak, and rivals. {aims_text(aimed[1])}</p>\n")
        add(aimed)
    if budget:
        rows = encoders.mixed_rows(budget)[1]
        parts.append("<h3>Texts of mixed lengths</h3>\n<p>In one call they must not take longer than one after the other, and reach the share "
                     f"of the peak of the best single length. {aims_text(rows)}</p>\n")
        add(encoders.mixed_rows(budget))
    if loading:
        parts.append("<h3>Loading and memory</h3>\n<p>Private megabytes of one plan, and milliseconds from the cache of pages.</p>\n")
        add(encoders.loading_rows(loading))
    if workers:
        parts.append("<h3>Threads that take texts from a queue</h3>\n<p>Each with a context of its own over one plan; times by the clock on the "
                     f"wall, on {html.escape(workers[0]['machine'])}.</p>\n")
        add(encoders.worker_rows(workers))
    if sharing:
        rows = encoders.sharing_rows(sharing)[1]
        parts.append("<h3>Threads that share a text</h3>\n<p>Medians of rounds, by the clock on the wall, beside as many threads that embed a "
                     f"text each. {aims_text(rows)}</p>\n")
        add(encoders.sharing_rows(sharing))
    for point in ladders:
        steps = point["steps"]
        parts.append(f"<section><h3>{html.escape(point['model'])}, step by step</h3>\n<p>{point['texts']} texts with {point['sum']} tokens "
                     f"({html.escape(point['lengths'])}) on {html.escape(point['machine'])}: {steps[0][1] / steps[-1][1]:.1f} times as many "
                     "texts a second.</p>\n" + svg.bars([tuple(step) for step in steps], "ms of a text", 760) + "\n")
        add(encoders.ladder_rows(point))
        parts.append("</section>\n")
    if not parts:
        return ""
    return ("<h2>Text encoders</h2>\n<p>The floors are those of products and attention at the peak for their cells, of element-wise work by "
            "its bytes, and of reading the weights once from the level that holds them; ÷ floor is by the first three together, or by the last "
            "if it is more. Rivals take the same texts one after the other. An aim is checked where a figure is green or red.</p>\n"
            + "".join(parts))
