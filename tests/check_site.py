"""A built documentation site, looked at in a headless browser: ``python -m tests.check_site FOLDER [CHROMIUM]``.

Needs playwright, and a Chromium (Debian's package will do).  Every page is opened: its links and pictures lead
somewhere, anchors too, nothing is fetched from elsewhere, no script fails, formulas have a size, no markup is left in
the text, and between the texts of neighbouring cells of a table are six pixels at least.  Then forty things are
searched for, as people type them: the first result must be the page that answers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urldefrag

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Of a page: where it points to, its anchors, formulas without a size, and markup that was left.
SEEN = """() => ({
    links: [...document.querySelectorAll('a[href], img[src]')].map(x => x.href || x.src),
    ids: [...document.querySelectorAll('[id]')].map(x => x.id),
    flat: [...document.querySelectorAll('main math')].filter(x => x.getBoundingClientRect().width < 1).length,
    math: document.querySelectorAll('main math').length,
    touching: [...document.querySelectorAll('main tr')].filter(row => {
        const texts = [...row.cells].map(cell => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return range.getBoundingClientRect();
        }).filter(box => box.width);
        return texts.some((box, i) => i && box.left - texts[i - 1].right < 6);
    }).map(row => row.innerText),
    tex: [...document.querySelectorAll('main p, main td, main li')].map(x => x.innerText)
        .filter(x => /``|\\$\\$|\\\\(frac|binom|mathrm|le|sum)\\b/.test(x)),
})"""
# What people type, and the page that they mean: the first result.
QUERIES = {
    "adjusted rand index": "indices/ari",
    "Adjusted Rand": "indices/ari",
    "ARI": "indices/ari",
    "adjusted_rand_score": "indices/ari",
    "rand index": "indices/ri",
    "rand score": "indices/ri",
    "misclassification error": "indices/med",
    "fowlkes-mallows": "indices/fm",
    "Fowlkes Mallows score": "indices/fm",
    "jaccard": "indices/jaccard",
    "variation of information": "indices/vi",
    "mutual information": "indices/mi",
    "NMI": "indices/nmi",
    "normalized mutual information": "indices/nmi",
    "adjusted mutual information": "indices/ami",
    "v-measure": "indices/v_measure",
    "v_measure_score": "indices/v_measure",
    "purity": "indices/purity",
    "van Dongen": "indices/van_dongen",
    "cohen's kappa": "indices/kappa",
    "kappa": "indices/kappa",
    "matthews correlation coefficient": "indices/mcc",
    "balanced accuracy": "indices/balanced_accuracy",
    "accuracy": "indices/accuracy",
    "macro f1": "indices/f1",
    "chi-squared": "indices/chi2",
    "p-value": "notebooks/pages/p_values",
    "significance": "notebooks/pages/p_values",
    "fisher's exact test": "notebooks/pages/exact_tests",
    "fuzzy clustering": "notebooks/pages/soft_agreement",
    "worst case": "worst_cases/index",
    "csv": "notebooks/pages/labels_in_a_file",
    "plot": "notebooks/gallery",
    "install": "notebooks/index",
    "conjecture": "notebooks/05_own_conjecture",
    "counterexample": "notebooks/05_own_conjecture",
    "theorems": "proofs/README",
    "scikit-learn": "notebooks/pages/conformance",
    "github actions": "notebooks/pages/contract_in_ci",
    "how long": "notebooks/pages/cost",
    "dask": "notebooks/pages/many_machines",
    "cite": "notebooks/pages/citing",
    "resume checkpoint": "notebooks/pages/many_machines",
    "missing labels nan": "notebooks/pages/labels_in_a_file",
    "plot figure size": "notebooks/gallery",
    "figure size": "notebooks/gallery",
    "latex table": "notebooks/gallery",
    "contingency table fixed margins": "reference/confmat.classes",
    "parquet sql": "notebooks/pages/archive",
    "g-mean": "indices/gss",
    "hypothesis": "reference/confmat.testing",
    "fisher.test": "notebooks/pages/reports",
    "undefined": "notebooks/pages/what_to_expect",
    "oeis": "notebooks/pages/sequences",
    "null model": "notebooks/06_how_surprising",
}


class Quiet(SimpleHTTPRequestHandler):
    """Serves without a log."""

    def log_message(self, *args: object) -> None:
        pass


def problems_of(pages: dict[str, dict], start: str) -> list[str]:
    """What is wrong with the pages that were seen: address -> what SEEN says."""
    found = [
        f"{page}: {seen['flat']} formulas without a size" for page, seen in pages.items() if seen["flat"]
    ]
    found += [
        f"{page}: numbers of neighbouring columns touch in {row[:60]!r}"
        for page, seen in pages.items()
        for row in seen["touching"][:1]
    ]
    found += [f"{page}: markup left in {text[:60]!r}" for page, seen in pages.items() for text in seen["tex"]]
    for page, seen in pages.items():
        for target, anchor in map(urldefrag, seen["links"]):
            if target in pages and anchor and unquote(anchor) not in pages[target]["ids"]:
                found.append(f"{page}: no {anchor!r} in {target}")
    return (
        found if any(seen["math"] for seen in pages.values()) else [*found, f"{start}: no formula anywhere"]
    )


def first_result(page: Page, start: str, query: str) -> str:
    """The page that a search names first, without its ending; nothing where nothing is found."""
    page.goto(f"{start}search.html?q={quote(query)}")
    # Results come one by one, the best first; the summary comes last.
    page.wait_for_selector("#search-results li > a, #search-results .search-summary:not(:empty)")
    link = page.query_selector("#search-results li > a")
    target = urldefrag(page.evaluate("x => x.href", link))[0] if link else ""
    return target.split("?")[0].removeprefix(start).removesuffix(".html")


def wrong_first(page: Page, start: str, queries: dict[str, str]) -> list[str]:
    """The queries whose first result is another page."""
    found = {query: first_result(page, start, query) for query in queries}
    return [
        f"{query!r} finds {found[query]}, not {meant}"
        for query, meant in queries.items()
        if found[query] != meant
    ]


def look(page: Page, folder: Path, start: str) -> list[str]:
    """All problems of the site that is served at ``start``."""
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
    page.on(
        "request",
        lambda r: r.url.startswith((start, "data:")) or problems.append(f"{page.url}: asks {r.url}"),
    )
    page.on("response", lambda r: r.status < 400 or problems.append(f"{page.url}: {r.url} is missing"))
    page.goto(f"{start}index.html")
    page.wait_for_url(f"{start}notebooks/index.html")
    pages = {}
    for file in sorted(folder.rglob("*.html")):
        if "_static" not in file.parts and file != folder / "index.html":
            address = start + file.relative_to(folder).as_posix()
            page.goto(address)
            pages[address] = page.evaluate(SEEN)
    files = {start + file.relative_to(folder).as_posix() for file in folder.rglob("*")}
    for address, seen in pages.items():
        local = {unquote(urldefrag(link)[0]) for link in seen["links"] if link.startswith(start)}
        problems += [
            f"{address}: no {link}" for link in local - files if link.rstrip("/") != start.rstrip("/")
        ]
    problems += wrong_first(page, start, QUERIES)
    print(
        f"{len(pages)} pages, {sum(seen['math'] for seen in pages.values())} formulas, {len(QUERIES)} queries"
    )
    return problems + problems_of(pages, start)


@contextmanager
def served(folder: Path, chromium: str = "/usr/bin/chromium") -> Iterator[tuple[Page, str]]:
    """A page of a headless browser, and the address where a site is served to it."""
    # Not of the extra dev, whose tests import every file here.
    from playwright.sync_api import sync_playwright

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser.new_page(), f"http://127.0.0.1:{server.server_port}/"
        browser.close()
    server.shutdown()


def main(folder: Path, *chromium: str) -> int:
    with served(folder, *chromium) as (page, start):
        problems = look(page, folder, start)
    print("\n".join(problems) or "nothing wrong")
    return min(1, len(problems))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), *sys.argv[2:]))
