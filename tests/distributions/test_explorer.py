"""The page of a distribution, in a headless Chromium. Skipped if Playwright or Chromium is missing."""

from __future__ import annotations

import base64
import json
import re
import shutil
import zlib
from fractions import Fraction

import pytest
from command_line import fail, succeed

import confmat as cm
from confmat.errors import TooLargeError
from confmat.statistics import as_statistic

CHROMIUM = shutil.which("chromium")
LAW = cm.joint_distribution(cm.Tables(12, 3, 3), "med", "ard")
READY = "document.documentElement.dataset.checked || document.documentElement.dataset.failed"

CONDITIONS = [
    "med<=1/4, ard>1",
    "1/6 < med <= 0.5",
    "ard > med",
    "fm >= jaccard",
    "fm > 1/2",
    "fm > 2/3",
    "1/2 < fm",
    "fm > -1/2",
    "-1/2 < fm",
    "fm < jaccard",
    "med <= 25 %",
    "ari < 0",
    "rand_score = 1/2",
    "adjusted_rand_score >= 0, med != 1/6",
    "rd >= ard",
    "MED <= 0.1 => ARI >= 0.6",
    "med <= 1/6 -> ard < 1/2 -> rd = 0",
    "not (med < 1/4 or ard > 1) & rd < 1/2",
    "ard > 1 | med = 1/2 and rd > 2/5, n = 12",
    "ard/med > 2",
    "not ard/rd > 1",
    "2 * med ** 2 - rd <= -1/20",
    "-med^2 < -(1/3 - rd) * (r + s) / n",
    "sqrt(rd) > med",
    "sqrt(rd - 1/3) <= med - 1/4",
    "sqrt(ard) >= sqrt(2*rd)",
    "fm = jaccard implies med = 0",
    "10% < med <= 25 %",
]


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium")
    with api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return LAW.explore(tmp_path_factory.mktemp("page") / "law.html")


def opened(browser, file, **options):
    """The page once it has checked itself, and what went wrong or was asked for meanwhile."""
    page, seen = browser.new_page(**options), []
    page.on("console", lambda message: seen.append(message.text))
    page.on("pageerror", lambda error: seen.append(str(error)))
    page.on("request", lambda request: seen.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_function(READY)
    return page, seen


@pytest.fixture(scope="module")
def page(browser, file):
    found, seen = opened(browser, file, viewport={"width": 1200, "height": 900})
    assert seen == [file.as_uri()]  # no other request, an empty console: its own policy holds too
    return found


@pytest.fixture(autouse=True)
def afresh(request):
    yield
    if "page" in request.fixturenames:
        page = request.getfixturevalue("page")
        page.fill("#condition", "")
        page.fill("#own", "")
        page.focus("#map")
        page.keyboard.press("Escape")


def text(page, place):
    return page.inner_text(place).replace("\u202f", "")


def test_every_table_is_computed_again(page):
    signatures = LAW.sufficient_statistics()
    cells = zip(*(signatures[name].tolist() for name in "mABP"))
    distinct = {(m, max(a, b), min(a, b), p) for m, a, b, p in cells}
    assert page.evaluate("document.documentElement.dataset.checked") == str(len(distinct))
    assert page.inner_text("h1") == "Distribution over 3 x 3 tables with total 12, no empty row or column"
    assert text(page, "#card").startswith(f"{LAW.total} tables")


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_has_its_exact_probability(page, condition):
    page.click("#condition")
    page.keyboard.type(condition)
    said = re.search(r"\) = (\S+) ≈", text(page, "#probability"))
    expected = cm.joint_distribution(LAW.matrices, "med").probability(condition)
    assert Fraction(said[1]) == expected


def test_given_another_condition(page):
    page.fill("#condition", "ard>1 given med<=1/2")
    said = re.search(r"\) = (\S+) ≈", text(page, "#probability"))
    assert Fraction(said[1]) == LAW.given("med<=1/2").probability("ard>1")
    page.fill("#condition", "ard>1 given med<0")
    assert text(page, "#probability").startswith("0/0")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("med", "a comparison is missing"),
        ("foo<1", '"foo" is neither'),
        ("med<1/0", "a division by 0"),
        ("med<", "something is missing at the end"),
        ("(med<1", "a ) is missing"),
        ("med<1 2", '"2" continues nothing'),
        ("med<1 or 2", "a number is where a comparison is expected"),
        ("2*sqrt(rd)<1", "a square root must be alone"),
        ("rd^9<1", "a power must be from 0 to 8"),
        ("med § 1", '"§" means nothing here'),
        ("<script>alert(1)</script><1", '"<" is where a number or a name is expected'),
        ('ard = <b>"x"</b>', "means nothing here"),
        ("ard = &amp;", '";" means nothing here'),
        ("ard = & 1", '"&" is where a number or a name is expected'),
    ],
)
def test_unreadable_input_is_reported(page, typed, says):
    page.fill("#condition", typed)
    assert says in text(page, "#probability")
    assert page.get_attribute("#probability", "class") == "bad"
    assert page.locator("#probability script").count() == 0


def card(page):
    """Count, numbers and matrix of the card."""
    count = int(re.match(r"\d+", text(page, "#count"))[0])
    rows = page.locator("#card table tr")
    matrix = [[int(x) for x in row.split()] for row in rows.all_inner_texts()]
    names, values = (page.locator(f"#card dl >> nth=1 >> {tag}").all_inner_texts() for tag in ("dt", "dd"))
    return count, matrix, dict(zip(names, values))


def test_pointing_at_a_cell_shows_its_tables(page):
    """A real mouse, over every cell of the map: counts add up, each matrix has the values beside it."""
    seen = {}
    for box in page.evaluate(
        "[...document.querySelectorAll('#map rect[class^=s]')].map(x => x.getBoundingClientRect().toJSON())"
    )[::7]:
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        count, matrix, values = card(page)
        seen[json.dumps(matrix)] = count
        for name, shown in values.items():
            exact = cm.statistics.STATISTICS[name](matrix)
            if name == "fm":
                assert float(shown.split("≈")[-1]) == pytest.approx(exact, rel=1e-3) or "√" in shown
            else:
                assert Fraction(shown.split(" ≈")[0]) == exact
    assert len(seen) > 10
    assert sum(page.evaluate("[...cells.values()].map(cell => Number(cell.weight))")) == LAW.total


def test_click_keeps_and_escape_frees(page):
    boxes = page.evaluate(
        "[...document.querySelectorAll('#map rect[class^=s]')].map(x => x.getBoundingClientRect().toJSON())"
    )
    first, last = boxes[0], boxes[-1]
    page.mouse.move(first["x"] + 3, first["y"] + 3)
    page.mouse.down()
    page.mouse.up()
    kept = text(page, "#card")
    assert "kept" in kept
    page.mouse.move(last["x"] + 3, last["y"] + 3)
    assert text(page, "#card") == kept
    page.keyboard.press("Escape")
    page.mouse.move(last["x"] + 2, last["y"] + 2)
    assert text(page, "#card") not in (kept, "")


def test_the_keyboard_reaches_cells_and_steps(page):
    page.focus("#map")
    page.keyboard.press("ArrowRight")
    first = text(page, "#card")
    page.keyboard.press("]")
    assert text(page, "#step").startswith("2 of ")
    page.keyboard.press("[")
    assert text(page, "#card") == first
    page.keyboard.press("ArrowLeft")
    assert text(page, "#card") != first


def test_other_axes_hold_every_table(page):
    for name in ("fm", "ri", "pair_kappa"):
        page.select_option("#x", name)
        assert sum(page.evaluate("[...cells.values()].map(cell => Number(cell.weight))")) == LAW.total
    page.select_option("#x", "med")


@pytest.mark.parametrize("typed", ["6 1 1; 1 1 0; 2 0 0", "[[6,1,1],[1,1,0],[2,0,0]]", "6,1,1\n1,1,0\n2,0,0"])
def test_ones_own_table_is_placed(page, typed):
    page.fill("#own", typed)
    matrix = [[6, 1, 1], [1, 1, 0], [2, 0, 0]]
    rows = [line.split("\t") for line in text(page, "#shares").splitlines()][1:]
    titles = page.evaluate(
        "[...document.querySelectorAll('#shares tr')].slice(1).map(x => [...x.cells].map(y => y.title))"
    )
    for (name, *_), (_, value, smaller, equal, larger) in zip(rows, titles):
        exact = cm.statistics.STATISTICS[name](matrix)
        counts = [int(re.match(r"[\d\u202f]+", x)[0].replace("\u202f", "")) for x in (smaller, equal, larger)]
        assert sum(counts) == LAW.total
        if name != "fm":
            assert Fraction(value.split(" ≈")[0]) == exact
            law = cm.joint_distribution(LAW.matrices, name)[name]
            assert counts[1] == law.pmf(exact) * LAW.total
    assert page.locator("#cross").count() == 1


def test_a_table_of_another_total_is_refused(page):
    page.fill("#own", "1 2; 3 4")
    assert "this table has 10 objects" in text(page, "#place")
    page.fill("#own", "1 2; 3")
    assert "same number of integers" in text(page, "#place")


def test_phone_and_dark(browser, file):
    page, _ = opened(
        browser, file, viewport={"width": 390, "height": 800}, color_scheme="dark", has_touch=True
    )
    page.fill("#own", "6 1 1; 1 1 0; 2 0 0")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 23, 26)"
    box = page.locator("#map rect.s8").first.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert "kept" in text(page, "#card")


def damaged(file, change):
    """The file with other data."""
    said = file.read_text()
    packed = re.search(r'id="data">([^<]*)<', said)[1]
    columns = json.loads(zlib.decompress(base64.b64decode(packed), -15))
    change(columns)
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    changed = base64.b64encode(squeeze.compress(json.dumps(columns).encode()) + squeeze.flush()).decode()
    other = file.with_name("damaged.html")
    other.write_text(said.replace(packed, changed))
    return other


def one_more(columns):
    columns[4][3] = str(int(columns[4][3]) + 1)


def another_table(columns):
    columns[5][7] = columns[5][8]


def another_signature(columns):
    columns[0][5] += 1


@pytest.mark.parametrize("change", [one_more, another_table, another_signature])
def test_damage_is_named(browser, file, change):
    page, _ = opened(browser, damaged(file, change))
    assert page.evaluate("document.documentElement.dataset.checked") is None
    assert "This page cannot be trusted" in page.inner_text("#note")


def test_a_script_that_was_changed_does_not_run(browser, file):
    other = file.with_name("changed.html")
    other.write_text(
        file.read_text().replace("const SHADES = 9;", "const SHADES = 9; document.title = 'mine';")
    )
    page = browser.new_page()
    page.goto(other.as_uri())
    assert page.title() != "mine"
    assert page.evaluate("typeof SHADES") == "undefined"


def test_laws_given_conditions_and_of_labelings(browser, tmp_path):
    for law in (
        LAW.given("med<=1/4"),
        cm.joint_distribution(cm.Tables(8, 2, 3, allow_empty=True), "med", weight="labelings"),
    ):
        page, _ = opened(browser, law.explore(tmp_path / "law.html", x="rd", y="adjusted_rand_score"))
        assert page.evaluate("document.documentElement.dataset.failed") is None
        assert str(law.total) in text(page, "#about")
        assert page.input_value("#y") == "ari"


# --- without a browser ----------------------------------------------------------------------------


def test_formulas_are_those_of_the_table_of_statistics(file):
    """What is written for the script, read by Python: the same values at every signature."""
    written = re.findall(
        r"^  (\w+): .*formula: \(m, A, B, P\) => (\[.*\]) },$", file.read_text(), re.MULTILINE
    )
    assert {"med", "rd", "ri", "ard", "ari", "jaccard", "fm"} <= {name for name, _ in written}
    for name, text in written:
        statistic = as_statistic(name)
        formula = eval(f"lambda m, A, B, P: {text}")
        signatures = LAW.sufficient_statistics()
        for m, a, b, p in list(zip(*(signatures[name].tolist() for name in "mABP")))[::50]:
            above, below = formula(m, a, b, p)
            if below:
                key = statistic.base.key(12, m, a, b, p)
                assert Fraction(above, below) == (1 - key if statistic.complement else key)


def test_distributions_without_a_page_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"x must be one of med, rd, .*, got 'accuracy'"):
        LAW.explore(tmp_path / "law.html", x="accuracy")
    with pytest.raises(TooLargeError, match="at most 10 sufficient statistics"):
        LAW.explore(tmp_path / "law.html", most=10)
    with pytest.raises(ValueError, match="2 to 5000 objects"):
        cm.joint_distribution(cm.Tables(1, 1, 1), "med").explore(tmp_path / "law.html")


def test_the_command_writes_the_page(confmat, tmp_path):
    said = confmat("table", "3x3", "n=9", "--explore", tmp_path / "law.html")
    assert "9" in succeed(said)
    assert "<title>Distribution over 3 x 3 tables with total 9" in (tmp_path / "law.html").read_text()
    assert "--explore must end in .html" in fail(
        confmat("table", "3x3", "n=9", "--explore", tmp_path / "law.txt")
    )
