#!/usr/bin/env python3
"""Measures what each crate costs to build, in CPU seconds, which do not depend on what else the machine does.

    RUSTC_WRAPPER=$PWD/tools/build-cost/rustc_cost.py BUILD_COST=/tmp/cost.txt CARGO_TARGET_DIR=/tmp/cost cargo build --release --bin recalld
    tools/build-cost/rustc_cost.py /tmp/cost.txt

C code (SQLite, aws-lc) is built by scripts and not counted here: compare with what `time` says of the whole.
"""

import collections
import os
import resource
import subprocess
import sys


def wrap(arguments):
    status = subprocess.run(arguments).returncode
    log = os.environ.get("BUILD_COST")
    if log and "--crate-name" in arguments:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        name = arguments[arguments.index("--crate-name") + 1]
        with open(log, "a") as file:
            file.write(f"{used.ru_utime + used.ru_stime:.2f} {name}\n")
    return status if 0 <= status else 1


def show(log):
    costs = collections.Counter()
    for line in open(log):
        seconds, name = line.split()
        costs[name] += float(seconds)
    for name, seconds in costs.most_common():
        print(f"{seconds:8.2f}  {name}")
    print(f"{sum(costs.values()):8.2f}  all")


if len(sys.argv) == 2:
    show(sys.argv[1])
else:
    sys.exit(wrap(sys.argv[1:]))
