"""Tables at fixed margins counted: the forecast of the plan and processor seconds, beside published figures.

    python tests/benchmarks/bench_counting.py

LattE integrale needed 0.1 s for four lines of 50 and 16 s for five of 10 on another machine; it has no figures beyond.
"""

from time import process_time

import confmat as cm
from confmat.classes import FixedMargins

MARGINS = {
    "5 lines of 10": ((10,) * 5,) * 2,
    "4 lines of 50": ((50,) * 4,) * 2,
    "4 lines of 250": ((250,) * 4,) * 2,
    "40 lines of 3": ((3,) * 40,) * 2,
    "20 lines of 5": ((5,) * 20,) * 2,
    "12 lines of 8": ((8,) * 12,) * 2,
    "10 lines of 10": ((10,) * 10,) * 2,
    "10 lines of 15": ((15,) * 10,) * 2,
    "10 lines of 20": ((20,) * 10,) * 2,
    "lines of 7 to 12": (tuple(range(7, 13)),) * 2,
    "lines of 7 to 14": (tuple(range(7, 15)),) * 2,
}

PUBLISHED = {"5 lines of 10": 79_315_936_751, "4 lines of 50": 2_697_649_164_626}
PUBLISHED |= {"4 lines of 250": 3_975_501_843_341_473_126}


def main() -> None:
    FixedMargins((3, 3, 3), (4, 4, 1)).count()  # compiled before
    for name, (rows, cols) in MARGINS.items():
        plan = cm.plan(FixedMargins(rows, cols).count)
        start = process_time()
        count = FixedMargins(rows, cols).count()
        took = process_time() - start
        assert PUBLISHED.get(name, count) == count, name
        print(
            f"{name:18} {took:8.3f} s (forecast of {plan.method} {plan.seconds:.2g}): {count:.5g}", flush=True
        )


if __name__ == "__main__":
    main()
