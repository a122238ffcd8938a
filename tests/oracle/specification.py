"""Reads the tables of docs/FINANCIAL-MODEL.md: the fields with their defaults (chapter 2) and the hard bounds (6.3)."""

import re
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "FINANCIAL-MODEL.md"
KINDS = {"money", "percent", "multiple", "count", "months", "days", "years"}
# 6.3: kind, lowest, highest, as stored.
HARD_BOUNDS = {
    "money": (0, 10**10),
    "percent": (0, 1),
    "growth": (Decimal("-0.9"), 1),
    "multiple": (0, 50),
}
WHOLE = (0, 1_200)


class Field:
    def __init__(self, path, kind, default, cost_class=None):
        self.path, self.kind, self.cost_class = path, kind, cost_class
        amount = Decimal(default.replace(",", ""))
        # The page shows dollars, a plan stores cents.
        self.default = amount * 100 if kind == "money" else amount

    def hard_bounds(self):
        kind = "growth" if self.path.endswith("GrowthRate") else self.kind
        low, high = HARD_BOUNDS.get(kind, WHOLE)
        return Decimal(low), Decimal(high)


def fields():
    """Every field by its path."""
    found = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if not re.match(r"\| `[a-zA-Z]+\.[a-zA-Z0-9]+` \|", line):
            continue
        path, _label, kind, third, fourth = (cell.strip() for cell in line.strip("| ").split("|")[:5])
        path = path.strip("`")
        if path.startswith("startupCosts."):
            field = Field(path, "money", third, cost_class=kind)
        else:
            if kind not in KINDS:
                raise ValueError(f"{path}: unknown kind {kind}")
            field = Field(path, kind, fourth)
        found[path] = field
    return found
