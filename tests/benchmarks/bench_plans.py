"""What plans predict and what runs take, in one thread: processor seconds and peak memory.

    python tests/benchmarks/bench_plans.py            # all ten classes, some minutes
    python tests/benchmarks/bench_plans.py 800,2,2    # some of them

Each run is a process of its own, which describes the laws of RD and ARD given the MED, as ``confmat table`` does.  A
smaller class is described before, to load what is compiled; short runs are repeated, as the first may compile more.
Runs over 5 s are to be within 25 % of the plan, memory within a factor of 1.5 (a quiet machine is needed: threads of
one core share its units).
"""

import json
import subprocess
import sys

_SHORT = 10  # seconds

CLASSES = [
    (800, 2, 2),
    (60, 3, 3),
    (100, 3, 3),
    (30, 5, 3),
    (40, 2, 8),
    (40, 4, 4),
    (50, 4, 4),
    (25, 5, 5),
    (30, 4, 5),
    (20, 6, 6),
]

PROGRAM = """
import json, resource, sys, time
import confmat as cm
from confmat.cli.given_med import GivenMed

n, r, s = map(int, sys.argv[1].split(","))
where = cm.Limits(threads=1, seconds=float("inf"))
names = "med", "rd", "ard"
small = cm.joint_distribution(cm.Tables(n * 2 // 3, r, s), *names, limits=where)  # large enough for the kernels
_ = GivenMed(small).to_json()
del small, _
if sys.argv[2] == "plan":
    start = time.process_time()
    plan = cm.plan(cm.joint_distribution, cm.Tables(n, r, s), *names, limits=where)
    took = time.process_time() - start
    print(json.dumps({"seconds": plan.cpu_seconds, "memory": plan.bytes, "method": plan.method, "took": took}))
else:
    start = time.process_time()
    text = json.dumps(GivenMed(cm.joint_distribution(cm.Tables(n, r, s), *names, limits=where)).to_json())
    seconds = time.process_time() - start
    print(json.dumps({"seconds": seconds, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
"""


def done(size, what):
    """What a fresh process prints for a class."""
    arguments = [sys.executable, "-c", PROGRAM, ",".join(map(str, size)), what]
    return json.loads(subprocess.run(arguments, capture_output=True, text=True, check=True).stdout)


def main(chosen):
    print(
        f"{'class':14}{'method':14}{'plan s':>9}{'run s':>8}{'ratio':>7}{'plan MiB':>12}{'run MiB':>9}{'ratio':>7}"
    )
    for size in chosen:
        plan, run = done(size, "plan"), done(size, "run")
        if run["seconds"] < _SHORT:
            run = done(size, "run")
        seconds, memory = (plan[key] / run[key] for key in ("seconds", "memory"))
        print(
            f"{','.join(map(str, size)):14}{plan['method']:14}",
            f"{plan['seconds']:9.1f}{run['seconds']:8.1f}{seconds:7.2f}",
            f"{plan['memory'] / 2**20:12.0f}{run['memory'] / 2**20:9.0f}{memory:7.2f}",
            f"   (plan: {plan['took']:.1f} s)",
            sep="",
            flush=True,
        )


if __name__ == "__main__":
    main([tuple(map(int, text.split(","))) for text in sys.argv[1:]] or CLASSES)
