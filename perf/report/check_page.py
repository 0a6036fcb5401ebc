#!/usr/bin/env python3
"""Looks at the report with a headless browser: whether it shows all charts, nothing overflows, and nothing goes wrong.

    perf/report/check_page.py build/perf/report.html

Leaves a picture and a PDF beside the page. Without a browser it says so and succeeds; --required makes that a failure.
"""

import argparse
import html
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# The widths of a window and of A4 paper without its margins, in pixels.
SCREEN, PAPER = 1100, 718
CATCH = """<script>
window.problems = [];
window.addEventListener('error', e => window.problems.push(e.message || 'cannot load ' + (e.target.src || e.target.href)), true);
</script>"""
MEASURE = """<script>
const sections = [...document.querySelectorAll('section')];
const found = {problems: window.problems, width: document.documentElement.clientWidth,
  content: document.documentElement.scrollWidth, text: document.body.innerText.length, sections: sections.length,
  without_chart: sections.filter(s => ![...s.querySelectorAll('svg')].some(v => v.getBoundingClientRect().height > 10))
    .map(s => s.id || s.innerText.slice(0, 40)), cut: []};
for (const chart of document.querySelectorAll('svg')) {
  const box = chart.viewBox.baseVal;
  for (const text of chart.querySelectorAll('text')) {
    const place = text.getBBox();
    if (place.x < -1 || place.y < -3 || place.x + place.width > box.width + 1 || place.y + place.height > box.height + 4) {
      found.cut.push(text.textContent);
    }
  }
}
const answer = document.createElement('pre');
answer.id = 'measured';
answer.textContent = JSON.stringify(found);
document.body.append(answer);
</script>"""


def browser():
    return next((path for path in map(shutil.which, BROWSERS) if path), None)


def run(program, *arguments):
    with tempfile.TemporaryDirectory() as profile:  # nothing of the user's own
        done = subprocess.run([program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                               "--virtual-time-budget=5000", f"--user-data-dir={profile}", *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{program}: {done.stderr}")
    return done.stdout


def measured(program, page, width):
    """What the browser says of the page in a window of that width, or on paper of it."""
    text = page.read_text(encoding="utf-8")
    if width == PAPER:
        text = text.replace("@media print", "@media all")
    head, body = text.find("<head>"), text.rfind("</body>")
    if head < 0 or body < 0:
        return {"problems": ["the page has no head or no body"]}
    head += len("<head>")
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, "page.html")
        copy.write_text(text[:head] + CATCH + text[head:body] + MEASURE + text[body:], encoding="utf-8")
        dom = run(program, f"--window-size={width},1000", "--dump-dom", copy.as_uri())
    answer = re.search(r'<pre id="measured">(.*?)</pre>', dom, re.DOTALL)
    return json.loads(html.unescape(answer[1])) if answer else {"problems": ["the page cannot be measured"]}


def mistakes(found, where):
    """What is wrong with what measured() gave, as sentences."""
    wrong = [f"{where}: {problem}" for problem in found["problems"]]
    if "width" not in found:
        return wrong
    if found["text"] < 500 or found["sections"] == 0:
        wrong.append(f"{where}: the page is empty")
    if found["content"] > found["width"]:
        wrong.append(f"{where}: {found['content']} pixels wide in a window of {found['width']}")
    wrong += [f"{where}: no chart in {section}" for section in found["without_chart"]]
    wrong += [f"{where}: '{text}' reaches beyond its chart" for text in found["cut"]]
    return wrong


def is_blank(png):
    """Nothing but one color compresses to nearly nothing."""
    width, height = struct.unpack(">II", png[16:24])
    return len(png) < width * height / 100


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--required", action="store_true", help="fail without a browser")
    arguments = parser.parse_args()
    program = browser()
    if program is None:
        print("the report is not checked: no browser is installed (make perf-report-check installs chromium)")
        sys.exit(1 if arguments.required else 0)
    page = arguments.page.resolve()
    wrong = mistakes(measured(program, page, SCREEN), "screen") + mistakes(measured(program, page, PAPER), "paper")
    picture, paper = page.with_suffix(".png"), page.with_suffix(".pdf")
    for path in (picture, paper):
        path.unlink(missing_ok=True)
    run(program, f"--window-size={SCREEN},3000", f"--screenshot={picture}", page.as_uri())
    run(program, "--no-pdf-header-footer", f"--print-to-pdf={paper}", page.as_uri())
    if not picture.exists() or is_blank(picture.read_bytes()):
        wrong.append("the picture is blank")
    if not paper.exists() or not paper.read_bytes().startswith(b"%PDF"):
        wrong.append("nothing was printed")
    print("\n".join(wrong) or f"{page} is fine; {picture.name} and {paper.name} show it")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
