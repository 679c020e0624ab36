"""The site: what is written for it when it is built, and, slow, the built one in a headless Chromium."""

import doctest
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from check_site import QUERIES, look, served, wrong_first
from test_documentation import PUBLIC

import confmat as cm
import pages_of_indices
from confmat.indices import PairSums
from confmat.statistics import STATISTICS
from pages_of_indices import M, definition_of, expression_of, statements_on, words_for, worst_end
from pages_of_reference import public_modules, public_names, write_reference
from search_words import pages_found

ROOT = Path(__file__).parents[1]
WIDTH = 68  # characters of a line of code, that a page shows without scrolling
PAGES = [ROOT / "notebooks" / "index.md", ROOT / "notebooks" / "gallery.md"]
PAGES += sorted((ROOT / "notebooks" / "pages").glob("*.md"))
TABLES = {}  # one for each MED, numbers of pairs and n
for tables in (cm.Tables(5, 2, 3), cm.Tables(6, 3, 3)):
    TABLES |= {(cm.med(table), PairSums.of(table)): table for table in tables}


def test_examples_of_the_pages_of_indices():
    results = doctest.testmod(pages_of_indices)
    assert results.attempted > 8
    assert not results.failed


@pytest.mark.parametrize("name", [name for name, x in STATISTICS.items() if expression_of(x)])
def test_a_formula_that_is_printed_has_the_value_of_the_statistic(name):
    statistic = STATISTICS[name]
    expression, _ = expression_of(statistic)
    for table in TABLES.values():
        sums = PairSums.of(table)
        m = round(cm.med(table) * sums.n)
        known = {
            "n": sums.n,
            "m": m,
            "A": sums.A,
            "B": sums.B,
            "P": sums.P,
            M.name: sums.n * (sums.n - 1) // 2,
        }
        value = expression.subs(known)
        if value.is_finite:
            assert float(value) == pytest.approx(float(statistic(table)), abs=1e-12)


DEFINED = {"ari": "adjusted Rand", "ri": "Rand", "nmi": "normalised mutual information", "kappa": "kappa"}
DEFINED |= {"mcc": "Matthews", "purity": "purity", "wallace_ab": "recall of pairs", "f1": "macro F"}


@pytest.mark.parametrize("name", DEFINED)
def test_textbook_definitions_are_found(name):
    assert definition_of(STATISTICS[name]).name == DEFINED[name]


def test_no_definition_is_found_for_undefined_names():
    assert definition_of(STATISTICS["med"]) is None
    assert definition_of(cm.statistics.Statistic("half", lambda table: int(table[0, 0]) / 2)) is None


def test_the_worst_end_and_the_statements():
    assert {worst_end(STATISTICS[name]) for name in ("ari", "kappa", "purity")} == {"min"}
    assert {worst_end(STATISTICS[name]) for name in ("med", "vi", "mirkin")} == {"max"}
    assert "ari-least" in {known.name for known in statements_on(STATISTICS["ari"])}


def test_no_two_indices_have_a_name_in_common():
    for name, statistic in STATISTICS.items():
        for other, another in STATISTICS.items():
            assert name == other or name not in words_for(another), (statistic, another)


def code_of(text):
    """The lines of Python of a page, without what they print."""
    cells = re.findall(r"^```(?:\{code-cell\} )?python\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    lines = []
    for cell in cells:
        typed = [line for line in cell.splitlines() if line.startswith((">>> ", "... "))]
        lines += typed or cell.splitlines()
    return lines


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_code_of_pages_is_read_without_scrolling(page):
    assert [line for line in code_of(page.read_text(encoding="utf-8")) if len(line) > WIDTH] == []


def test_wide_code_is_found():
    assert code_of("# A\n\n```{code-cell} python\nx = 1\n```\n") == ["x = 1"]
    assert code_of("# A\n\n```python\n>>> x\n1\n```\n") == [">>> x"]


RUNNING = [page for page in PAGES if re.search("^ *>>> ", page.read_text(encoding="utf-8"), re.MULTILINE)]


@pytest.mark.parametrize("page", RUNNING, ids=[page.stem for page in RUNNING])
def test_a_page_runs(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    ran = doctest.testfile(str(page), module_relative=False)
    assert ran.attempted > 0
    assert ran.failed == 0


def test_the_reference_lists_all_public_names(tmp_path):
    write_reference(tmp_path / "reference")
    for module in public_modules():
        page = (tmp_path / "reference" / f"{module.__name__}.rst").read_text(encoding="utf-8")
        for name in public_names(module):
            assert f"- `{name} <" in page or f":: {module.__name__}.{name}\n" in page, (module, name)


def test_forty_queries_find_the_page_that_answers_them():
    assert len(QUERIES) >= 40
    assert {query: pages_found(query) for query in QUERIES} == {
        query: [page] for query, page in QUERIES.items()
    }


def test_no_page_installs_from_a_registry_that_does_not_have_the_package():
    asks = re.compile(r"pip install (?:[^\s&]+ )*confmat(?:\[\w+\])?(?: *$|\s)", re.MULTILINE)
    assert asks.search("    - run: pip install . confmat\n")
    assert not asks.search('pip install "confmat @ git+$CONFMAT_URL"')
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES, *(ROOT / "notebooks").glob("*.ipynb")]:
        assert not asks.search(page.read_text(encoding="utf-8")), page


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("myst_nb")
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "notebooks/build_site.py", folder], check=True, cwd=ROOT)
    return folder


@pytest.mark.slow
def test_the_site_builds_without_warnings(site):
    assert {page.stem for page in (site / "reference").glob("*.html")} == {*PUBLIC, "commands"}
    assert {page.stem for page in (site / "indices").glob("*.html")} == {*STATISTICS, "index"}


@pytest.mark.slow
def test_every_page_and_every_query_in_a_browser(site):
    pytest.importorskip("playwright")
    if (chromium := shutil.which("chromium")) is None:
        pytest.skip("no Chromium")
    with served(site, chromium) as (page, start):
        assert look(page, site, start) == []
        planted = {"p-value": "indices/ari", "zzzz": "indices/ari"}
        assert len(wrong_first(page, start, planted)) == 2
