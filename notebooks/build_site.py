"""Documentation site, built by one command: ``python notebooks/build_site.py FOLDER``, after installing ``.[docs]``.

Tutorials are the notebooks as they are committed. The landing page and the gallery are executed when they have changed.
Reference, the pages of the indices, worst cases and papers are computed from the package, and again if the package has
changed. The sources of the last build are in FOLDER. Nothing is left in the repository. Formulas are MathML, so that
the site needs no network. `search_words` has the words that readers search for.
"""

from __future__ import annotations

import inspect
import re
import shutil
import sys
from filecmp import cmp
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import matplotlib.pyplot as plt
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

import confmat as cm
from confmat import plots
from confmat.statistics import as_statistic
from confmat.statistics.table import is_known
from confmat.testing.invariants import lines_of
from pages_of_indices import write_indices
from pages_of_reference import write_reference
from search_words import words_of_pages

sys.path.insert(0, str(Path(__file__).with_name("papers")))
from compare import PAPERS, Paper

ROOT = Path(__file__).parents[1]

CONFIG = {
    "project": "confmat",
    "version": cm.__version__,
    "release": cm.__version__,
    "root_doc": "notebooks/index",
    "extensions": ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", Path(__file__).stem],
    "napoleon_google_docstring": False,
    "napoleon_use_rtype": False,
    "napoleon_use_ivar": True,
    "nb_execution_mode": "off",  # but of pages that say otherwise: the landing page and the gallery
    "nb_execution_raise_on_error": True,
    "myst_enable_extensions": ["dollarmath"],
    "myst_heading_anchors": 3,
    "suppress_warnings": ["myst.header", "ref.python"],
    "default_role": "py:obj",
    "autodoc_typehints": "description",
    "autodoc_typehints_format": "short",
    "autodoc_member_order": "bysource",
    "python_use_unqualified_type_names": True,
    "add_module_names": False,
    "toc_object_entries_show_parents": "hide",
    "html_title": "confmat",
    "html_theme": "pydata_sphinx_theme",
    "html_theme_options": {
        "show_toc_level": 2,
        "navigation_with_keys": False,
        "show_prev_next": False,
        "header_links_before_dropdown": 8,
    },
    "html_static_path": [str(ROOT / "notebooks" / "site.css")],
    "html_css_files": ["site.css"],
    "html_math_renderer": "mathml",
    "html_show_sourcelink": False,
    "html_use_index": False,
}

# Of a search: names before their members, so that "p-value" finds PValue before every attribute `value`.
SCORER = """var Scorer = {
  score: ([, , , about, score]) => /method|property|attribute/.test(about) ? score - 20 : score,
  objNameMatch: 11, objPartialMatch: 6, objPrio: {0: 15, 1: 5, 2: -5}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
"""

# The site's sections: pages, by title.
SECTIONS = {
    "Tutorials": ["notebooks/[01]*"],
    "Results": [
        "proofs/README",
        "proofs/rocq/README",
        "worst_cases/index",
        "notebooks/pages/negative_ari",
        "notebooks/pages/largest_ard",
        "notebooks/pages/sequences",
        "papers",
        "notebooks/papers/README",
        "CHANGELOG",
    ],
    "Contributing": [
        "CONTRIBUTING",
        "notebooks/pages/contributing",
        "notebooks/pages/releasing",
        "notebooks/pages/reports",
        "tests/mutation/README",
        "tests/conformance/reproducers",
    ],
}

# What a reader wants to do: the page that shows it, and what is on it.
TASKS = {
    "Compare two labelings in a file": (
        "labels_in_a_file",
        "CSV, Excel and Parquet, missing labels, formats",
    ),
    "Read a p-value": ("p_values", "which method is exact for which size, and what the p-value means"),
    "Test a table exactly": (
        "exact_tests",
        "Fisher's exact test for r x c tables, other statistics, comparison with R",
    ),
    "Compare soft clusterings": ("soft_agreement", "indices of memberships, their value by chance"),
    "Draw it": ("../gallery", "six pictures with their code, figure sizes, formats, LaTeX"),
    "Test a metric of your own": ("contracts", "claims of an index checked on all small tables"),
    "Test it in your CI": ("contract_in_ci", "pytest, Hypothesis and GitHub Actions"),
    "Choose a package that computes a metric right": ("conformance", "151 metrics of 20 packages"),
    "Know what is exact, undefined or slow": ("what_to_expect", "rounding, 0/0 and limits"),
    "Look up a word or a symbol": ("glossary", "words and symbols of these pages"),
    "Compare its speed with other packages": ("benchmarks", "R, NumPy, SciPy and scikit-learn in one run"),
    "Plan a long run": ("cost", "times and memory, plans, limits"),
    "Resume a run, or use many machines": ("many_machines", "checkpoints, Dask, trust"),
    "Query and cite exact tables": ("archive", "archives as Parquet files, SQL, digests"),
    "Cite the package, a distribution or a theorem": ("citing", "CITATION.cff, digests, names of statements"),
}

WORDS = words_of_pages()


class SearchWords(SphinxTransform):
    """The words of a page become entries of the index, which the search looks through first."""

    default_priority = 840  # before the index is collected

    def apply(self, **_: Any) -> None:
        entries = [("single", word, "", "main", None) for word in WORDS.get(self.env.docname, ())]
        if entries:
            self.document.insert(0, addnodes.index(entries=entries))


class PictureTexts(SphinxTransform):
    """Alternative texts of pictures that code drew: the heading above them."""

    default_priority = 841

    def apply(self, **_: Any) -> None:
        for image in self.document.findall(nodes.image):
            if not image.get("alt"):
                section = image.parent
                while section is not None and not isinstance(section, nodes.section):
                    section = section.parent
                heading = section[0].astext() if section is not None else self.env.docname
                image["alt"] = f"Picture drawn by the code above: {heading}"


def setup(app: Sphinx) -> None:
    """What Sphinx calls: math as MathML, docstrings as reStructuredText."""
    app.add_transform(SearchWords)
    app.add_transform(PictureTexts)
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect(
        "autodoc-process-docstring", lambda *event: event[-1].__setitem__(slice(None), map(_ended, event[-1]))
    )
    app.connect("autodoc-process-docstring", lambda *event: event[-1].extend(claims(event[3])))
    app.connect("autodoc-process-signature", lambda app, kind, name, thing, *_: shown_signature(thing))
    app.connect(
        "autodoc-process-docstring", lambda *event: event[-1].__setitem__(slice(None), listed(event[-1]))
    )


def is_answer(thing: Any) -> bool:
    """Return whether an object is a class that only functions of the package construct: it has no Parameters."""
    return inspect.isclass(thing) and "Parameters\n" not in (thing.__doc__ or "")


def shown_signature(thing: Any) -> tuple[str, None] | None:
    """Return an empty signature for a class that users do not construct, None for the usual one.

    >>> shown_signature(cm.Distribution), shown_signature(cm.Tables)
    (('', None), None)
    """
    return ("", None) if is_answer(thing) else None


def claims(thing: Any) -> list[str]:
    """What is claimed of an index and tried in the tests, a paragraph below its docstring; nothing of another thing."""
    record = as_statistic(thing) if inspect.isfunction(thing) else None
    if record is None or not is_known(record):
        return []
    said = "; ".join(f"``{line}``" for line in lines_of(record.name))
    return ["", f"Claimed, and tried on everything small and at random: {said}."] if said else []


def listed(lines: list[str]) -> list[str]:
    """The map of the rooms, in the docstring of the package, as a list.

    >>> listed(["Where things are:", "", "    confmat.distributions   exact laws"])
    ['Where things are:', '', '- :py:mod:`confmat.distributions`: exact laws']
    """
    return [re.sub(r"^ {4}(confmat\.\w+) +", r"- :py:mod:`\1`: ", line) for line in lines]


def _ended(line: str) -> str:
    """Markup ends before a letter too: `Slice`s."""
    return re.sub(r"(?<=\w)(`+)(?=\w)", r"\1\\ ", line)


def _mathml(node: nodes.Element, **options: Any) -> str:
    return str(tex2mathml(node.astext().replace(r"\dots", r"\ldots"), **options))


def _inline(writer: Any, node: nodes.Element) -> None:
    writer.body.append(_mathml(node))
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.Element) -> None:
    writer.body.append(f'<div style="overflow-x: auto">{_mathml(node, as_block=True)}</div>')
    raise nodes.SkipNode


def write_worst_cases(folder: Path, n: int = 20) -> None:
    """Pictures of the matrices with the largest distances of n objects, with what the values rest on."""
    folder.mkdir()
    lines = [
        "# Worst cases",
        "",
        f"Two clusterings of {n} objects, as far apart as they can be, up to symmetry.",
        "",
    ]
    for title, name in (("MED", "med"), ("Rand distance", "rd"), ("adjusted Rand distance, 1 - ARI", "ard")):
        lines += [f"## Largest {title}", ""]
        figure, axes = plt.subplots(1, 4, figsize=(13, 4), layout="constrained", width_ratios=(2, 3, 4, 4))
        for ax, shape in zip(axes, ((2, 2), (3, 3), (3, 4), (4, 4))):
            found = cm.maximize(cm.Tables(n, *shape), name)
            plots.matrix_map(found.tables[0], f"{shape[0]} x {shape[1]}: {found.value}", ax=ax)
        figure.savefig(folder / f"{name}.svg", bbox_inches="tight")
        lines += [f"![2 x 2, 3 x 3, 3 x 4 and 4 x 4 tables]({name}.svg)"]
        lines += ["", f"The last one: {found.method}. Command: `confmat search {name} {n} 4 4`.", ""]
    (folder / "index.md").write_text("\n".join(lines), encoding="utf-8")


def write_papers(path: Path) -> None:
    """The papers that are computed again, item by item."""
    lines = ["# Papers computed again", ""]
    for name in PAPERS:
        paper = Paper(name)
        lines += [f"## {paper.title}", "", f"`python notebooks/papers/compare.py {name}`", ""]
        lines += ["| Item | Kind | What it is |", "|---|---|---|"]
        lines += [f"| `{x.name}` | {x.kind} | {x.about}. {x.note} |" for x in paper.items.values()] + [""]
    path.write_text("\n".join(lines), encoding="utf-8")


def digest_of_sources() -> str:
    """Return the SHA-256 of all files that the written pages depend on."""
    sha = sha256()
    for folder in ("confmat", "notebooks", "tests/conformance"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in (".py", ".toml", ".json", ".csv", ".html", ".css", ".js"):
                sha.update(f"{path.relative_to(ROOT)} {path.stat().st_size} ".encode())
                sha.update(path.read_bytes())
    return sha.hexdigest()


def write_pages(source: Path) -> None:
    """Write the reference, worst cases, papers and indices: what is computed from the package."""
    write_reference(source / "reference")
    write_worst_cases(source / "worst_cases")
    write_papers(source / "papers.md")
    write_indices(source / "indices")


def copy_pages(source: Path) -> None:
    """Copy the pages of the repository, and write the pages that only list others."""
    for folder in ("notebooks", "proofs", "tests/mutation", "tests/conformance"):
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("CHANGELOG.md", "CONTRIBUTING.md", ".coveragerc", "CITATION.cff", "tests/test_adding.py"):
        shutil.copy(ROOT / file, source / file)
    for title, pages in SECTIONS.items():
        toctree = "\n".join(["```{toctree}", ":glob:", *pages, "```"])
        (source / f"{title.lower()}.md").write_text(f"# {title}\n\n{toctree}\n", encoding="utf-8")
    pages = "\n".join(
        [
            "```{toctree}",
            ":hidden:",
            *(f"{task} <notebooks/pages/{x}>" for task, (x, _) in TASKS.items()),
            "```",
        ]
    )
    tasks = "\n".join(
        f"- [{task}](notebooks/pages/{page}.md): {what}." for task, (page, what) in TASKS.items()
    )
    (source / "how_to.md").write_text(f"# How to\n\n{tasks}\n\n{pages}\n", encoding="utf-8")
    (source / "scorer.js").write_text(SCORER, encoding="utf-8")


def update(folder: Path, new: Path) -> None:
    """Make a directory equal to a new one. Files that are equal already keep their times."""
    names = {path.relative_to(new) for path in new.rglob("*") if path.is_file()}
    for path in list(folder.rglob("*")):
        if path.is_file() and path.relative_to(folder) not in names:
            path.unlink()
    for name in names:
        target = folder / name
        if not target.exists() or not cmp(new / name, target, shallow=False):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(new / name, target)


def build(out: Path) -> int:
    """Build the site in a directory, and return the number of warnings.

    ``.sources`` and ``.doctrees`` of the directory store the sources of the last build. Pages are computed again
    if a source file of the package has changed, and Sphinx reads the files that have changed.
    """
    source, written = out / ".sources", out / ".written"
    stamp = written / "digest.txt"
    if not stamp.exists() or stamp.read_text() != digest_of_sources():
        print("computing the pages of indices, worst cases, papers and the reference", flush=True)
        shutil.rmtree(written, ignore_errors=True)
        written.mkdir(parents=True)
        write_pages(written)
        stamp.write_text(digest_of_sources())
    with TemporaryDirectory() as temporary:
        new = Path(temporary) / "source"
        copy_pages(new)
        shutil.copytree(written, new, dirs_exist_ok=True, ignore=shutil.ignore_patterns(stamp.name))
        update(source, new)
    config = CONFIG | {
        "html_search_scorer": str(source / "scorer.js"),
        "nb_execution_cache_path": str(out / ".jupyter_cache"),
    }
    site = Sphinx(source, None, out, out / ".doctrees", "html", config)
    # All pages are written, as Sphinx loses the entries of the index in a build that writes some pages only.
    site.build(force_all=True)
    (out / "index.html").write_text('<meta http-equiv="refresh" content="0; url=notebooks/index.html">')
    return site._warncount


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(min(1, build(Path(sys.argv[1]).resolve())))
