"""The examples of docs/python.md, of both READMEs and of all docstrings are run; help() has something to say."""

import contextlib
import doctest
import importlib
import inspect
import io
import pathlib
import pkgutil
import re

import pytest
import tenrex

ROOT = pathlib.Path(__file__).parents[2]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
MODULES = ["tenrex"] + [f"tenrex.{module.name}" for module in pkgutil.iter_modules(tenrex.__path__) if module.name not in ("_core", "_text")]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    assert doctest.testmod(importlib.import_module(name), optionflags=OPTIONS).failed == 0


def test_page():
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(re.sub(r"^```.*$", "", text, flags=re.M), {}, "python.md", None, 0)
    assert len(test.examples) > 30
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("page", ["README.md", "python/README.md"])
def test_readme(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    program, expected = re.search(r"```python\n(.*?)```\s*```text\n(.*?)```", text, re.S).groups()
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(program, page, "exec"), {})
    assert output.getvalue() == expected


def test_help_has_something_to_say():
    for name in tenrex.__all__:
        thing = getattr(tenrex, name)
        if name == "__version__":
            continue
        assert thing.__doc__ and len(thing.__doc__) > 20, name
        if inspect.isclass(thing) and issubclass(thing, (tenrex.Feature, tenrex.Issue, tenrex.Hit, tenrex.Operator)):
            continue
        for attribute, member in vars(thing).items() if inspect.isclass(thing) else ():
            if not attribute.startswith("_") and (callable(member) or isinstance(member, (property, classmethod))):
                assert getattr(thing, attribute).__doc__ if not isinstance(member, property) else member.__doc__, (name, attribute)
    assert "values: 'Any' = None, /, **named: 'Any'" in str(inspect.signature(tenrex.Plan.bind))
    assert tenrex.functions()["relu(a)"] and tenrex.optimizations()


def test_the_tests_that_the_page_names_exist():
    text = (ROOT / "docs" / "python_calls.md").read_text(encoding="utf-8").split("## What others stumbled over")[1].split("\n## ")[0]
    named = {name for name in re.findall(r"`(?:extras/)?(test_\w+(?:\.py)?)`", text)}
    tests = "".join(path.read_text(encoding="utf-8") for folder in ("tests", "extras") for path in (ROOT / "python" / folder).glob("test_*.py"))
    for name in named:
        exists = any((ROOT / "python" / folder / name).exists() for folder in ("tests", "extras"))
        assert exists if name.endswith(".py") else f"def {name}(" in tests, name
    assert len(named) > 12
