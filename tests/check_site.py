"""A built documentation site, looked at in a headless browser: ``python -m tests.check_site FOLDER [CHROMIUM]``.

Needs playwright, and a Chromium (Debian's package will do).  Every page is opened: its links and pictures lead
somewhere, anchors too, nothing is fetched from elsewhere, no script fails, formulas have a size, no markup is left in
the text, and between the texts of neighbouring cells of a table are six pixels at least.  Then "p-value" is searched
for: `PValue` must be among the first results.
"""

from __future__ import annotations

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag

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
RESULTS = 3  # of a search, that a reader looks at


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
    page.goto(f"{start}search.html?q=p-value")
    page.wait_for_timeout(5000)  # results come one by one
    first = [x.inner_text() for x in page.query_selector_all("#search-results li > a")][:RESULTS]
    if not any("PValue" in x for x in first):
        problems.append(f"the first results for p-value are {first}")
    print(f"{len(pages)} pages, {sum(seen['math'] for seen in pages.values())} formulas; p-value: {first}")
    return problems + problems_of(pages, start)


def main(folder: Path, chromium: str = "/usr/bin/chromium") -> int:
    # Not of the extra dev, whose tests import every file here.
    from playwright.sync_api import sync_playwright

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        problems = look(browser.new_page(), folder, f"http://127.0.0.1:{server.server_port}/")
        browser.close()
    print("\n".join(problems) or "nothing wrong")
    return min(1, len(problems))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), *sys.argv[2:]))
