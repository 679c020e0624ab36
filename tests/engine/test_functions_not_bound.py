"""A function of Python is told by nothing: whatever it reaches, neither a checkpoint nor a certificate stands for it.

Each kind is a file in which one number is changed between two loads: every matrix has its largest entry at most 9, not
every one at most 3.  What a first load finished must never make the second one true.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import warnings
from dataclasses import replace

import elsewhere
import numpy as np
import pytest

import confmat as cm
from confmat.conjectures import LITERATURE, Counterexample, read, verify
from confmat.errors import CertificateError, NotKeptWarning, SymmetryError

CLASSES = [cm.Tables(n, 2, 2) for n in range(2, 8)]

CALLED = "\n    def __call__(self, table):\n        return bool(table.max() <= "

# What a predicate reaches, as a file that makes ``small``; LIMIT is the number that changes.
KINDS = {
    "a line": "def small(table):\n    return bool(table.max() <= LIMIT)",
    "a global": "limit = LIMIT\ndef small(table):\n    return bool(table.max() <= limit)",
    "a default": "def small(table, limit=LIMIT):\n    return bool(table.max() <= limit)",
    "a closure": "def made(limit):\n    return lambda table: bool(table.max() <= limit)\nsmall = made(LIMIT)",
    "a partial": (
        "from functools import partial\n"
        "def below(limit, table):\n    return bool(table.max() <= limit)\nsmall = partial(below, LIMIT)"
    ),
    "a compiled function": (
        "from numba import njit\nlimit = LIMIT\n@njit\ndef small(table):\n    return table.max() <= limit"
    ),
    "an inherited method": (
        "class Base:\n    def limit(self):\n        return LIMIT\n"
        f"class Small(Base):{CALLED}self.limit())\nsmall = Small()"
    ),
    "an inherited attribute": (
        f"class Base:\n    limit = LIMIT\nclass Small(Base):{CALLED}self.limit)\nsmall = Small()"
    ),
    "a metaclass": (
        "class Meta(type):\n    @property\n    def limit(cls):\n        return LIMIT\n"
        f"class Small(metaclass=Meta):{CALLED}type(self).limit)\nsmall = Small()"
    ),
    "a descriptor": (
        "class Limit:\n    def __get__(self, *_):\n        return LIMIT\n"
        f"class Small:\n    limit = Limit(){CALLED}self.limit)\nsmall = Small()"
    ),
    "a slot": (
        f"class Small:\n    __slots__ = ('limit',){CALLED}self.limit)\nsmall = Small()\nsmall.limit = LIMIT"
    ),
    "an attribute of a function": (
        "def small(table):\n    return bool(table.max() <= small.limit)\nsmall.limit = LIMIT"
    ),
    "a registry of single dispatch": (
        "from functools import singledispatch\nimport numpy as np\n"
        "@singledispatch\ndef limit(table):\n    return 0\n"
        "limit.register(np.ndarray)(lambda table, most=LIMIT: most)\n"
        "def small(table):\n    return bool(table.max() <= limit(table))"
    ),
    "an import inside": (
        "import sys, types\nsys.modules['limits_of_ones_own'] = types.SimpleNamespace(limit=LIMIT)\n"
        "def small(table):\n    import limits_of_ones_own\n    return bool(table.max() <= limits_of_ones_own.limit)"
    ),
    "a file": (
        "from pathlib import Path\nfile = Path(__file__).with_suffix('.txt')\nfile.write_text('LIMIT')\n"
        "def small(table):\n    return bool(table.max() <= int(file.read_text()))"
    ),
    "the environment": (
        "import os\nos.environ['LIMIT_OF_ONES_OWN'] = 'LIMIT'\n"
        "def small(table):\n    return bool(table.max() <= int(os.environ['LIMIT_OF_' + 'ONES_OWN']))"
    ),
    "the names of a module": (
        "limit = LIMIT\ndef small(table):\n    return bool(table.max() <= globals()['lim' + 'it'])"
    ),
    "a text that is evaluated": "limit = LIMIT\ndef small(table):\n    return bool(table.max() <= eval('limit'))",
    "an attribute of another module": (
        "import sys\nsys.limit_of_ones_own = LIMIT\n"
        "def small(table):\n    return bool(table.max() <= getattr(sys, 'limit_of_ones_own'))"
    ),
    "a builtin": (
        "import builtins\nbuiltins.limit_of_ones_own = LIMIT\n"
        "def small(table):\n    return bool(table.max() <= limit_of_ones_own)"
    ),
    **{
        f"a kind of {base}": (
            f"import numpy as np\nclass Own({base}):\n    pass\nown = Own({given})\nown.limit = LIMIT\n"
            "def small(table):\n    return bool(table.max() <= own.limit)"
        )
        for base, given in (("dict", ""), ("list", ""), ("int", "1"), ("tuple", ""), ("np.ndarray", "1"))
    },
    "a data frame": (
        "import pandas as pd\nlimits = pd.DataFrame({'limit': [9] * 1000})\nlimits.loc[500, 'limit'] = LIMIT\n"
        "def small(table):\n    return bool(table.max() <= limits.loc[500, 'limit'])"
    ),
    "a series": (
        "import pandas as pd\nlimits = pd.Series([9] * 1000)\nlimits[500] = LIMIT\n"
        "def small(table):\n    return bool(table.max() <= limits[500])"
    ),
    "a sparse matrix": (
        "import scipy.sparse as sparse\nlimits = sparse.csr_matrix([[0, LIMIT]])\n"
        "def small(table):\n    return bool(table.max() <= limits[0, 1])"
    ),
    "an interpolation": (
        "from scipy.interpolate import interp1d\nlimits = interp1d([0, 1], [LIMIT, LIMIT])\n"
        "def small(table):\n    return bool(table.max() <= limits(0.5))"
    ),
    "a fitted model": (
        "from sklearn.linear_model import LinearRegression\n"
        "model = LinearRegression().fit([[0], [1]], [LIMIT, LIMIT])\n"
        "def small(table):\n    return bool(table.max() <= model.predict([[0.5]])[0] + 0.1)"
    ),
    "a graph": (
        "import networkx as nx\ngraph = nx.Graph()\ngraph.add_edge('a', 'b', limit=LIMIT)\n"
        "def small(table):\n    return bool(table.max() <= graph['a']['b']['limit'])"
    ),
    "a lock": (
        "from threading import Lock\nlock, limit = Lock(), LIMIT\n"
        "def small(table):\n    with lock:\n        return bool(table.max() <= limit)"
    ),
    "an object that says what it is": (
        "class Small:\n    stated, condition, symmetry = {'formula': 'med < 1'}, None, frozenset()\n"
        f"{CALLED}LIMIT)\nsmall = Small()"
    ),
}

# How a conjecture is made of ``small``.
USES = {
    "a predicate": lambda small: cm.Conjecture("small", "few", predicate=small),
    "a statistic": lambda small: cm.Conjecture(
        "small",
        "few",
        predicate=cm.statistics.as_condition(
            {cm.Statistic("score", lambda table: int(small(table)), index=cm.med): 1}
        ),
    ),
    "a claim on laws": lambda small: cm.Conjecture(
        "small", "few", predicate=lambda c: all(map(small, c)), on="distributions"
    ),
}


@pytest.fixture
def loaded(tmp_path):
    """What a file defines, loaded anew with another limit."""

    def load(kind, limit):
        file = tmp_path / "own.py"
        file.write_text(KINDS[kind].replace("LIMIT", str(limit)) + "\n")
        return runpy.run_path(str(file))["small"]

    return load


def in_one_line(answer):
    return " ".join(str(answer).split())


def checked(conjecture, folder, classes=CLASSES):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotKeptWarning)
        return cm.check(conjecture, classes, limits=cm.Limits(checkpoint=folder))


@pytest.mark.parametrize("kind", KINDS)
def test_no_certificate_depends_on_the_globals_of_a_function(kind, loaded, tmp_path):
    for use, made in USES.items() if kind == "a line" else [("a predicate", USES["a predicate"])]:
        folder = tmp_path / use
        first = checked(made(loaded(kind, 9)), folder)
        assert str(first).startswith("small is true for all 217 members of 6 classes")
        assert not first.about.bound
        assert checked(made(loaded(kind, 9)), folder).resumed == 0
        assert not folder.exists()
        found = checked(made(loaded(kind, 3)), folder)
        assert isinstance(found, Counterexample)
        assert found.matrices.n == 5
        # Nor does a certificate, where all outcomes are the same.
        unlike = made(loaded(kind, 8))
        try:
            said = in_one_line(verify(read(first.to_json()), unlike))
        except CertificateError as error:
            said = in_one_line(error)
        assert (
            "the field 'source' of the test in the certificate is not that of conjecture 'small'" in said
            or "not checked: that its functions are those of the certificate, which is not bound to them"
            in said
        )


@pytest.mark.parametrize("kind", ["an inherited method", "a file", "the environment"])
def test_the_command_reports_chunks_that_it_does_not_resume(kind, confmat, tmp_path):
    file, folder = tmp_path / "claim.py", tmp_path / "kept"
    asked = ("check", "small", "--python", file, "2x2", "n=2..7", "--checkpoint", folder)

    def run(limit):
        file.write_text(KINDS[kind].replace("LIMIT", str(limit)) + CLAIM)
        return confmat(*asked)

    code, shown, said = run(9)
    assert (code, "Not bound to its functions" in shown) == (0, True)
    assert "is not used: 'small' has functions of Python, which may change between runs" in " ".join(
        said.split()
    )
    assert not folder.exists()
    assert "False. The smallest counterexample is in Tables(n=5" in run(3)[1]


CLAIM = "\nfrom confmat import Conjecture\nmine = Conjecture('small', 'few', predicate=small)\n"


MAIN = "import sys\nfrom confmat.cli import main\nmain(sys.argv[1:])"


def test_two_processes(tmp_path):
    file = tmp_path / "claim.py"
    said = []
    for limit in (9, 3):
        file.write_text(KINDS["an inherited method"].replace("LIMIT", str(limit)) + CLAIM)
        command = ["check", "small", "--python", file, "2x2", "n=2..7"]
        command += ["--checkpoint", tmp_path / "kept"]
        code, out, err = elsewhere.begin(MAIN, *command).ended()
        said.append((code, out + err))
    (first, of_nine), (second, of_three) = said
    assert (first, "True for all 217 members" in of_nine) == (0, True)
    assert (second, "False. The smallest counterexample" in of_three) == (1, True)


def test_the_warning_says_that_nothing_is_kept(tmp_path, loaded):
    with pytest.warns(NotKeptWarning, match=r"checkpoint .*kept is not used: .* lost when this process ends"):
        assert cm.check(
            USES["a predicate"](loaded("a line", 9)), CLASSES, limits=cm.Limits(checkpoint=tmp_path / "kept")
        ).proved
    assert not (tmp_path / "kept").exists()
    # A folder of somebody else is neither refused nor touched.
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "thesis.tex").write_text("important")
    assert checked(USES["a predicate"](loaded("a line", 9)), tmp_path / "kept").proved
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["thesis.tex"]


def test_a_statement_in_the_grammar_is_bound_and_resumes_in_another_process(tmp_path):
    statements = {
        "table": "cm.Conjecture('', 'med < 1')",
        "exists": "cm.Conjecture('', 'exists med < 1')",
        "law": "cm.Conjecture('', 'ard_mean <= 1')",
        "registered": "cm.conjectures.LITERATURE['med-max']",
        "shape": "cm.Conjecture('s', 's', predicate=cm.conjectures.rises('ard', given='med'), on='distributions')",
    }
    program = (
        "import sys, confmat as cm\nfolder = sys.argv[1]\ntables = [cm.Tables(n, 2, 2) for n in (4, 5)]\n"
    )
    for name, statement in statements.items():
        program += f"found = cm.check({statement}, tables, limits=cm.Limits(checkpoint=folder + '/{name}'))\n"
        program += "print(found.resumed, found.about.bound, found.digest)\n"
    said = []
    for seed in ("1", "2"):
        command = [sys.executable, "-c", program, str(tmp_path)]
        environment = os.environ | {"PYTHONHASHSEED": seed}
        ran = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
        said.append([line.split() for line in ran.stdout.splitlines()])
    for _, first, second in zip(statements, *said, strict=True):
        assert (first[0], second[0], first[2]) == ("0", "2", second[2])
        assert first[1] == "True"


def test_a_certificate_of_a_recorded_statement_is_of_that_record(tmp_path):
    literature = LITERATURE["med-max"]
    certificate = cm.check(literature, [cm.Tables(4, 2, 2)])
    assert certificate.about.test == {"registered": "med-max", "symmetry": "none"}
    assert verify(read(certificate.to_json()), literature).right
    impostor = replace(literature, predicate=lambda matrices: True)
    assert not impostor.registered
    with pytest.raises(CertificateError, match="field 'registered' of the test in the certificate"):
        verify(certificate, impostor)
    with pytest.raises(CertificateError, match="field 'registered' of the test in the certificate"):
        verify(cm.check(impostor, [cm.Tables(4, 2, 2)]), literature)


@pytest.mark.parametrize("text", ["mine < 99", "exists mine < 99", "mine_mean < 99"])
def test_a_name_that_was_registered_is_not_bound(text, tmp_path):
    """The same text is about another function in another process."""
    for most in (9, 8):
        mine = cm.Statistic("mine", lambda t, most=most: min(most, int(t.max())), symmetry="transposition")
        cm.statistics.register(mine)
        try:
            conjecture = cm.Conjecture("mine", text)
            assert conjecture.identity is None
            assert not checked(conjecture, tmp_path / "kept", CLASSES[:2]).about.bound
        finally:
            cm.statistics.unregister("mine")
    assert not (tmp_path / "kept").exists()


def test_a_claim_on_laws_is_bound_where_all_of_it_is_of_the_package():
    from confmat.conjectures import rises

    mine = cm.Statistic("med", lambda table: int(table.max()), symmetry="transposition")
    bound = [rises("ard", given="med"), rises("rd", given="med"), rises("ard", given="rd")]
    own = [
        rises("ard", given=mine),
        rises(mine, given="med"),
        replace(rises("ard", given="med"), wrong=lambda *_: None),
    ]
    made = [cm.Conjecture("mine", "mine", predicate=claim, on="distributions") for claim in (*bound, *own)]
    identities = [conjecture.identity for conjecture in made]
    assert [x is not None for x in identities] == [True] * 3 + [False] * 3
    assert len(set(map(str, identities[:3]))) == 3
    assert [conjecture.about.bound for conjecture in made] == [True] * 3 + [False] * 3
    certificate = cm.check(made[1], CLASSES[:1])
    assert read(certificate.to_json()) == certificate
    assert verify(read(certificate.to_json()), made[1]).right
    with pytest.raises(CertificateError, match=r"field 'claim' of the test .* not that of conjecture 'mine'"):
        verify(certificate, made[2])


def test_a_symmetry_that_an_object_says_of_itself_is_tried():
    class Corner:
        symmetry = frozenset({"rows", "columns"})

        def __call__(self, table):
            return bool(table[0, 0] < 3)

    with pytest.raises(SymmetryError, match="is declared for the predicate"):
        cm.Conjecture("corner", "few", predicate=Corner(), symmetry="permutations")


def test_the_source_is_shown_where_it_can_be_read(loaded):
    found = cm.check(USES["a predicate"](loaded("a line", 9)), CLASSES[:1])
    assert found.about.test["source"] == {
        "predicate": "def small(table):\n    return bool(table.max() <= 9)\n"
    }
    space = {}
    exec("def small(table): return True", space)
    unseen = USES["a predicate"](space["small"])
    blind = cm.check(unseen, CLASSES[:1])
    assert blind.about.test["source"] == {"predicate": "source not available"}
    # Where one of them cannot be read nothing is compared, and that is said.
    again = verify(read(blind.to_json()), USES["a predicate"](loaded("a line", 9)))
    assert not again.right
    score = cm.Statistic("score", batch=np.max, function=lambda table: 1)
    own = cm.Conjecture("own", "own", predicate=cm.statistics.as_condition({score: 1}))
    assert set(own.about.test["source"]) == {"function of score", "batch of score"}
