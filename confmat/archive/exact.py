"""Exact values in SQL: macros of DuckDB that compare and order fractions of 64-bit integers without rounding.

The text of a fraction is of no use for that ('91/89' comes after '10/7'), and doubles are rounded.  Two different
fractions with denominators below 2^63 differ by more than 2^-126: the integers ``whole``, ``high`` and ``low`` of
``exact_order``, 126 binary digits after the point, order them.
"""

# Name and parameters of each macro, and what it stands for; each uses those before it.
MACROS = {
    "exact_text(num, den)": "CASE WHEN den = 1 THEN num::VARCHAR ELSE num || '/' || den END",
    "exact_rest(num, den)": "CASE WHEN num % den < 0 THEN num % den + den ELSE num % den END",
    "exact_order(num, den)": (
        "{'whole': num // den - CASE WHEN num % den < 0 THEN 1 ELSE 0 END, "
        "'high': (exact_rest(num, den)::HUGEINT << 63) // den, "
        "'low': (((exact_rest(num, den)::HUGEINT << 63) % den) << 63) // den}"
    ),
    "exact_max(num, den)": "arg_max(exact_text(num, den), exact_order(num, den))",
    "exact_min(num, den)": "arg_min(exact_text(num, den), exact_order(num, den))",
    "exact_part(value, i)": (
        "CASE WHEN regexp_full_match(value::VARCHAR, '-?[0-9]+(/0*[1-9][0-9]*)?') "
        "THEN coalesce(nullif(split_part(value::VARCHAR, '/', i), ''), '1')::BIGINT::HUGEINT "
        "ELSE error('an exact value must be a text such as 10/7 or -2, got ' || value) END"
    ),
    "exact_compare(num, den, value)": (
        "sign(num::HUGEINT * exact_part(value, 2) - den::HUGEINT * exact_part(value, 1))::INTEGER"
    ),
}


def statements() -> list[str]:
    """The macros as statements of SQL.

    >>> statements()[0]
    "CREATE MACRO exact_text(num, den) AS CASE WHEN den = 1 THEN num::VARCHAR ELSE num || '/' || den END"
    """
    return [f"CREATE MACRO {name} AS {meaning}" for name, meaning in MACROS.items()]
