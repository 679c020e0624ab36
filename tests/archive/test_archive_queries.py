"""Queries and exports: against joint laws, exact numbers, errors."""

import random
from fractions import Fraction

import pytest
from test_archive import change, law_file

from confmat import archive, limits
from confmat.archive.files import write_entries
from confmat.classes import Tables
from confmat.distributions import joint_distribution
from confmat.errors import TooLargeError


def test_queries_agree_with_joint(built):
    found = archive.query(
        built,
        "SELECT ard_text, sum(count) AS count FROM distributions WHERE n = 6 AND r = 3 AND s = 3 AND weight = 'tables' "
        "GROUP BY ard_text, ard ORDER BY ard",
    )
    law = list(joint_distribution(Tables(6, 3, 3), "ard"))
    assert list(zip(found["ard_text"], found["count"])) == [(str(value), count) for (value,), count in law]


def test_answers_are_never_rounded(built):
    row = archive.query(built, "SELECT 12345678901234567890123::DECIMAL(38,0) AS a, NULL AS b, 7 AS c")
    assert row.iloc[0, 0] == 12345678901234567890123
    assert row.iloc[0, 1] is None
    partly = archive.query(built, "SELECT unnest([9007199254740993, NULL]) AS x")
    assert partly["x"].tolist() == [9007199254740993, None]
    assert archive.query(built, "SELECT n, n FROM distributions LIMIT 1").shape == (1, 2)
    assert archive.query(built, "SELECT n FROM distributions WHERE n > 99").shape == (0, 1)


def test_as_many_rows_are_answered(built, monkeypatch):
    monkeypatch.setattr("confmat.archive.queries._MOST_ROWS", 3)
    assert archive.query(built, "SELECT unnest([1, 2, 3]) AS x")["x"].tolist() == [1, 2, 3]
    with pytest.raises(TooLargeError, match="sql must return at most 3 rows, got more"):
        archive.query(built, "SELECT unnest([1, 2, 3, 4])")


def test_answers_of_every_type(built):
    sql = (
        "SELECT 2::DECIMAL(9,0) AS a, 2.5::DECIMAL(9,1) AS b, DATE '2020-01-01' AS c, "
        '2::HUGEINT AS d, 2::UHUGEINT AS e, \'x\' AS f, 0.5::DOUBLE AS "g""h"'
    )
    (row,) = archive.query(built, sql).to_dict("records")
    assert (row["a"], row["d"], row["e"], row["f"], row['g"h']) == (2, 2, 2, "x", 0.5)
    assert isinstance(row["a"], int)
    assert str(row["b"]) == "2.5"
    assert str(row["c"]).startswith("2020-01-01")


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELEC 1", "sql cannot be run: Parser Error"),
        (
            "SELECT foo FROM distributions",
            'sql cannot be run: Binder Error: Referenced column "foo" not found',
        ),
        ("SELECT 'x'::INTEGER", "sql cannot be run: Conversion Error"),
        ("SELECT * FROM entries", "Table with name entries does not exist"),  # no variable of ours
        ("", "sql must be a single SELECT"),
    ],
)
def test_wrong_sql(built, sql, message):
    with pytest.raises(ValueError, match=message):
        archive.query(built, sql)


OTHER_STATEMENTS = [
    ("COPY distributions TO '{0}/x.csv'", "COPY"),
    ("SELECT 1; COPY distributions TO '{0}/x.csv'", "SELECT, COPY"),
    ("COPY (PIVOT distributions ON r USING sum(n)) TO '{0}/x.csv'", "MULTI"),
    ("EXPLAIN ANALYZE COPY distributions TO '{0}/x.csv'", "EXPLAIN"),
    ("FROM query('COPY distributions TO ''{0}/x.csv''')", None),
    ("EXPORT DATABASE '{0}/x'", "EXPORT"),
    ("ATTACH '{0}/x.db'", "ATTACH"),
    ("CREATE TABLE x AS SELECT 1", "CREATE"),
    ("SET enable_external_access = true", "SET"),
]


@pytest.mark.parametrize(("sql", "found"), OTHER_STATEMENTS)
def test_a_query_writes_nothing(copied, tmp_path, sql, found):
    """Not outside the archive, and not in it."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    before = sorted(copied.rglob("*"))
    for folder in (elsewhere, copied):
        with pytest.raises(ValueError, match="sql must be a single SELECT" if found else "sql "):
            archive.query(copied, sql.format(folder))
    assert list(elsewhere.iterdir()) == []
    assert sorted(copied.rglob("*")) == before


@pytest.mark.parametrize("reader", ["'{}'", "read_csv('{}')", "read_text('{}')", "glob('{}')"])
def test_a_query_reads_nothing_else(built, tmp_path, reader):
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n1,2\n")
    sql = f"SELECT * FROM {reader.format(secret)}"
    with pytest.raises(ValueError, match="sql cannot be run"):
        archive.query(built, sql)
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]


def test_an_archive_in_the_working_folder(copied, monkeypatch):
    monkeypatch.chdir(copied)
    assert archive.query(".", "SELECT count(*) FROM distributions").iloc[0, 0] > 0


def test_an_archive_without_files_can_be_read(tmp_path, built):
    write_entries(tmp_path, ())
    assert archive.verify(tmp_path, recompute=5) == ()
    empty = archive.query(tmp_path, "FROM distributions")
    assert (len(empty), list(empty)) == (0, list(archive.query(built, "FROM distributions LIMIT 1")))
    assert len(archive.query(tmp_path, "SELECT matrices FROM classes")) == 0


def test_a_missing_file_is_named(copied):
    law_file(copied, (3, 3, 6, "tables")).unlink()
    with pytest.raises(archive.ArchiveError, match=r"3x3-n06-tables.parquet is missing"):
        archive.query(copied, "SELECT 1")


def test_only_files_as_they_were_built_are_read(copied):
    ways = (
        lambda: archive.query(copied, "SELECT 1"),
        lambda: archive.connect(copied).close(),
    )
    file = law_file(copied, (2, 2, 4, "tables"))
    kept = file.read_bytes()
    change(file, "2 * count AS count")
    for ask in ways:
        with pytest.raises(archive.ArchiveError, match=f"{file.name} differs from its manifest"):
            ask()
    file.write_bytes(kept)
    for ask in ways:
        ask()


# --- exact values are compared as what they are ---------------------------------------------------------


def fractions_at_random(many, seed):
    """Fractions of 64-bit integers, small ones and neighbours of each other among them."""
    rng = random.Random(seed)
    values = {Fraction(x) for x in (0, 1, -1)}
    while len(values) < many:
        den = rng.choice([rng.randint(1, 30), rng.randint(2**62, 2**63 - 2)])
        num = rng.choice([rng.randint(-60, 60), rng.randint(1 - 2**63, 2**63 - 1)])
        values |= {Fraction(num, den), Fraction(num, den + 1)}
    return rng.sample(sorted(values), len(values))


def asked(connection, sql):
    return connection.execute(sql).fetchall()


@pytest.mark.parametrize("seed", range(3))
def test_macros_order_and_compare_any_fractions_exactly(built, seed):
    values = fractions_at_random(150, seed)
    rows = ", ".join(f"({i}, {x.numerator}::BIGINT, {x.denominator}::BIGINT)" for i, x in enumerate(values))
    with archive.connect(built) as connection:
        connection.execute(f"CREATE TABLE x AS FROM (VALUES {rows}) t(i, num, den)")
        ordered = asked(connection, "SELECT i FROM x ORDER BY exact_order(num, den)")
        assert [i for (i,) in ordered] == sorted(range(len(values)), key=values.__getitem__)
        ends = asked(connection, "SELECT exact_min(num, den), exact_max(num, den) FROM x")
        assert ends == [(str(min(values)), str(max(values)))]
        for other in values[:20]:
            found = asked(connection, f"SELECT exact_compare(num, den, '{other}') FROM x ORDER BY i")
            assert [sign for (sign,) in found] == [(x > other) - (x < other) for x in values]


@pytest.mark.parametrize("value", ["'0.1'", "0.1", "'1/0'", "''", "'1/-2'", "'ard'"])
def test_only_exact_values_are_compared(built, value):
    with pytest.raises(ValueError, match="an exact value must be a text such as 10/7 or -2"):
        archive.query(built, f"SELECT exact_compare(ard_num, ard_den, {value}) FROM distributions")


def test_a_query_that_orders_or_compares_exact_values_is_right(built):
    """Largest, smallest, order and comparisons of every exact column, against the joint law."""
    where = "n = 6 AND r = 3 AND s = 3 AND weight = 'tables'"
    for name in ("med", "rd", "ard"):
        law = {value: count for (value,), count in list(joint_distribution(Tables(6, 3, 3), name))}
        values = sorted(law)
        ends = f"SELECT max({name}), exact_max({name}_num, {name}_den), exact_min({name}_num, {name}_den)"
        (found,) = archive.query(built, f"{ends} FROM distributions WHERE {where}").values.tolist()
        assert found == [float(max(law)), str(max(law)), str(min(law))]
        for key in (name, f"exact_order({name}_num, {name}_den)"):
            sql = f"SELECT {name}_text FROM distributions WHERE {where} GROUP BY 1, {key} ORDER BY {key}"
            assert archive.query(built, sql).iloc[:, 0].tolist() == list(map(str, values))
        some = values[::4]
        above = [f"exact_compare({name}_num, {name}_den, '{value}') > 0" for value in some]
        sums = ", ".join(f"coalesce(sum(count) FILTER ({x}), 0)" for x in above)
        (found,) = archive.query(built, f"SELECT {sums} FROM distributions WHERE {where}").values.tolist()
        assert found == [sum(k for x, k in law.items() if x > value) for value in some]
    with pytest.raises(ValueError, match="Could not convert string '1/2' to DOUBLE"):
        archive.query(built, "SELECT count(*) FROM distributions WHERE ard > '1/2'")  # a text is no number


@pytest.mark.parametrize(
    "rest",
    [
        "WHERE ard_text < '10/7'",
        "WHERE '2' >= laws.Ard_Text",
        "WHERE ard_text NOT BETWEEN '1/2' AND '2'",
        "ORDER BY ard_text",
        "UNION ALL SELECT max(ard_text) FROM distributions",
        "WHERE n IN (SELECT n FROM distributions WHERE ard_text > '1')",
    ],
)
def test_exact_values_are_not_ordered_as_texts(built, rest):
    """As a text 10/7 is below 2/3: such a query had a wrong answer, silently."""
    with pytest.raises(ValueError, match=r"must not compare or sort by ard_text, which is a text\. Use ard"):
        archive.query(built, f"SELECT ard_text FROM distributions {rest}")


@pytest.mark.parametrize("sql", ["WHERE ard_text = '3/2' ORDER BY ard", "GROUP BY 1 ORDER BY max(ard)"])
def test_exact_values_are_found_as_texts(built, sql):
    assert len(archive.query(built, f"SELECT ard_text FROM distributions {sql}")) > 0


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b",
        "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x % 7 FROM t) SELECT count(*) FROM t",
    ],
)
def test_a_query_ends_with_the_limits(built, sql):
    message = r"the query was stopped after 0.5 seconds \(the limit\)"
    with limits(seconds=0.5), pytest.raises(TooLargeError, match=message):
        archive.query(built, sql)
    assert archive.query(built, "SELECT 1 AS one").iloc[0, 0] == 1


def test_a_query_keeps_to_the_memory_of_the_limits(built):
    with (
        limits(memory=2**27),
        pytest.raises(TooLargeError, match="the query takes too much memory: Out of Memory"),
    ):
        archive.query(built, "SELECT len(list(range * 1.5)) FROM range(100000000)")


@pytest.mark.parametrize(
    "value",
    [
        "exact_text(1, {})",
        "exact_order(1, {})",
        "exact_max(1, {})",
        "exact_min(1, {})",
        "exact_compare(1, {}, '1/2')",
    ],
)
def test_a_denominator_is_positive(built, value):
    for den in (0, -2):
        with pytest.raises(ValueError, match=f"a denominator must be positive, got {den}"):
            archive.query(built, f"SELECT {value.format(den)} FROM classes")
    assert len(archive.query(built, f"SELECT {value.format('NULL::BIGINT')} FROM distributions LIMIT 1")) == 1
