#!/usr/bin/env python3
"""Computes the scenarios of tests/golden/financial-model.json anew and compares every figure, to the cent.

    tests/oracle/check.py                      exit 0: all equal; 1: differences, each on a line
    tests/oracle/check.py NAME PATH=VALUE…     prints a new scenario for that file, values as a plan stores them

Standard library only. See README.md beside this file.
"""

import json
import sys
from decimal import Decimal

import model
import specification

GOLDEN = specification.ROOT / "tests" / "golden" / "financial-model.json"
# Level payments of 3.9: loan, yearly rate in ppm, months, payment.
PAYMENTS = [
    (28_000_000, 102_500, 120, 373_910),
    (20_520_560, 105_000, 144, 251_201),
    (10_000_000, 70_000, 360, 66_531),
    (100_000, 0, 12, 8_334),
]


def differences(where, expected, computed):
    """Yields (place, expected, computed) for everything in `expected`."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            if not isinstance(computed, dict) or name not in computed:
                yield f"{where}.{name}", value, "missing"
            else:
                yield from differences(f"{where}.{name}", value, computed[name])
    elif isinstance(expected, list):
        if len(expected) != len(computed):
            yield f"{where} (rows)", len(expected), len(computed)
        for row, (one, other) in enumerate(zip(expected, computed), 1):
            yield from differences(f"{where}[{row}]", one, other)
    elif expected != computed:
        yield where, expected, computed


def figures(value):
    if isinstance(value, dict):
        return sum(map(figures, value.values()))
    return sum(map(figures, value)) if isinstance(value, list) else 1


def compare():
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"), parse_float=Decimal)
    fields = specification.fields()
    failed = compared = 0
    for loan, rate, months, payment in PAYMENTS:
        computed = model.level_payment(loan, rate, months, 0)
        compared += 1
        if computed != payment:
            failed += 1
            print(f"payment of {loan} at {rate} ppm over {months} months: expected {payment}, computed {computed}")
    for scenario in golden["scenarios"]:
        computed = model.project(fields, scenario["changes"])
        for part in ("opening", "metrics", "annual", "monthly"):
            if part not in scenario:
                continue
            compared += figures(scenario[part])
            for where, expected, other in differences(f"{scenario['name']}.{part}", scenario[part], computed[part]):
                failed += 1
                print(f"{where}: golden {expected}, computed {other}")
    if failed:
        print(f"{failed} of {compared} figures differ")
        return 1
    print(f"oracle: {compared} figures of {len(golden['scenarios'])} scenarios agree")
    return 0


def plain(value):
    """Whole decimals as integers, the rest as floats, which JSON writes with as few digits."""
    return int(value) if value == int(value) else float(value)


def show(name, arguments):
    """Prints a scenario the way the golden file has it: a row a line."""
    changes = {}
    for argument in arguments:
        path, _, value = argument.partition("=")
        changes[path] = Decimal(value)
    projection = model.project(specification.fields(), changes)

    def compact(value):
        return json.dumps(value, separators=(",", ":"), default=plain)

    lines = [f'"name":{compact(name)}', f'"changes":{compact(changes)}']
    lines += [f'"{part}":{compact(projection[part])}' for part in ("opening", "metrics")]
    for part in ("annual", "monthly"):
        lines.append(f'"{part}":[\n' + ",\n".join(map(compact, projection[part])) + "]")
    print("{" + ",\n".join(lines) + "}")
    return 0


if __name__ == "__main__":
    sys.exit(show(sys.argv[1], sys.argv[2:]) if sys.argv[1:] else compare())
