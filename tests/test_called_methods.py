"""A method such as ``mean`` is called wherever it is compared or tested for truth: a bound method is always true."""

import ast
import json
import re
from pathlib import Path

import pytest

from confmat.distributions import Distribution

ROOT = Path(__file__).parent.parent
EXAMPLE = re.compile(r"^ *(?:>>>|\.\.\.) ?(.*)$", re.MULTILINE)

METHODS = {name for name, value in vars(Distribution).items() if callable(value) and not name.startswith("_")}

# Attributes of tests, of paths and of joint distributions, which have these names and are not methods.
ATTRIBUTES = {"parts", "pvalue", "interval", "support"}
OWNERS = ("np.iinfo(", "np.finfo(", "soft.null_moments(")
OF_MOMENTS = {"self.mean", "found.mean", "big.mean", "expected.mean", "result.mean"}


def operands(node):
    """The expressions that a node compares or tests for truth."""
    match node:
        case ast.Compare():
            yield from (node.left, *node.comparators)
        case ast.If() | ast.While() | ast.IfExp() | ast.Assert():
            yield node.test
        case ast.BoolOp():
            yield from node.values
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.comprehension():
            yield from node.ifs


def uncalled(source):
    """The methods that a source compares or tests for truth without a call, with the line of each."""
    for node in ast.walk(ast.parse(source)):
        for operand in operands(node):
            parts = operand.elts if isinstance(operand, ast.Tuple | ast.List) else [operand]
            for part in parts:
                text = ast.unparse(part)
                is_method = isinstance(part, ast.Attribute) and part.attr in METHODS - ATTRIBUTES
                if is_method and not text.startswith(OWNERS) and text not in OF_MOMENTS:
                    yield part.lineno, text


def sources():
    """Every Python source of the project: files, their doctests, cells of notebooks, and blocks of code in pages."""
    for folder in ("confmat", "tests", "notebooks", "proofs"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text()
            yield path, text
            yield path, "\n".join(line for line in EXAMPLE.findall(text) if is_python(line))
        for path in sorted((ROOT / folder).rglob("*.ipynb")):
            for cell in json.loads(path.read_text())["cells"]:
                if cell["cell_type"] == "code":
                    yield path, re.sub(r"^[%!].*$", "", "".join(cell["source"]), flags=re.MULTILINE)
    for path in (*ROOT.glob("*.md"), *(ROOT / "notebooks").rglob("*.md")):
        for block in re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL):
            yield path, block if is_python(block) else "\n".join(EXAMPLE.findall(block))


def is_python(text):
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def test_methods_are_called_where_they_are_compared():
    found = [
        f"{path.relative_to(ROOT)}: {line}: {text}"
        for path, source in sources()
        if is_python(source)
        for line, text in uncalled(source)
    ]
    assert found == []


@pytest.mark.parametrize(
    "source",
    ["law.var == 2", "x if law.std else y", "assert not law.median", "(law.max, 1) == (2, 1)", "1 < law.min"],
)
def test_a_method_that_is_not_called_is_found(source):
    assert list(uncalled(source))
    assert not list(uncalled(re.sub(r"(law\.\w+)", r"\1()", source)))
