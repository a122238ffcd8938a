#!/usr/bin/env python3
"""Prints the vital signs of the code with their goals, measured from the checkout; builds nothing.

    scripts/vital-signs.py [--list] [--check] [ROOT]

`--list` names what stands behind each sign, worst first. `--check` fails if a goal is not met.

Read are the `.rs` and `.sql` files of `src` and `crates`. Tests are taken out first: `#[cfg(test)]` items, files and
folders called `tests`, `testing` or `…_tests`. A line is a line, blank and comment included.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(?<!\w)b?r(?P<h>\#*)".*?"(?P=h)|(?<!\w)b?"(?:\\.|[^"\\])*"|(?<!\w)b?'(?:\\[^\n]{1,10}?|[^\\'\n])'""",
    re.S | re.X,
)
ITEM = r"(?:async |const |unsafe |extern \"C\" )*(?:fn|struct|enum|union|trait|type|const|static|mod)\b"
PUB = re.compile(rf"^[ ]*pub {ITEM}", re.M)
DOCUMENTED = re.compile(r"^[ ]*pub (?:async |const |unsafe )*(fn|struct|enum|trait|type|const|static)\b[^\n]*", re.M)
TOP = re.compile(r"^pub (?:async |const |unsafe )*(?:fn|struct|enum|trait|type|const|static) (?:mut )?(\w+)", re.M)
FUNCTION = re.compile(r"\bfn\s+(\w+)")
SUBTLE = re.compile(r"thread_local!|\b\w*Waker\b|\bpoll_\w+|\bRECURSIVE\b|\bjsonb_each\w*", re.I)
TESTS = re.compile(r"(^|/)(tests?|testing|\w+_tests?)(\.rs$|/)")


def mask(text, keep_strings=False):
    """Blanks comments and strings; every position and line stays."""

    def blank(match):
        token = match.group()
        if keep_strings and not token.startswith("/"):
            return token
        return re.sub(r"[^\n]", " ", token)

    return TOKEN.sub(blank, text)


def block_end(code, at):
    """Position behind the item that starts at `at`: its closing brace, or its semicolon."""
    depth = 0
    for match in re.compile(r"[{}()\[\];]").finditer(code, at):
        sign = match.group()
        depth += sign in "{(["
        depth -= sign in "})]"
        if depth == 0 and sign in ";}":
            return match.end()
    return len(code)


def without_tests(text):
    """The text without items under `#[cfg(test)]`."""
    while match := re.compile(r"^[ ]*#\[cfg\(test\)\]", re.M).search(code := mask(text)):
        end = block_end(code, match.end())
        text = text[: match.start()] + text[end:].lstrip("\n")
    return text


class Source:
    """A file: `path` from the root, `module` as (package, name, name, …)."""

    def __init__(self, root, path):
        self.path = str(path.relative_to(root))
        self.text = path.read_text()
        self.rust = path.suffix == ".rs"
        if self.rust:
            self.text = without_tests(self.text)
        self.code = mask(self.text) if self.rust else self.text
        parts = Path(self.path).with_suffix("").parts
        self.package = "plan-advisor" if parts[0] == "src" else parts[1]
        inside = parts[1:] if parts[0] == "src" else parts[3:]
        self.module = (self.package, *(() if inside in (("lib",), ("main",)) else inside))
        # What "at home" means for a public item: its layer in `src`, its file in a crate's root.
        self.home = self.module[:2] if self.package == "plan-advisor" else self.module[:1]

    @property
    def lines(self):
        return self.text.count("\n")

    def functions(self):
        for match in FUNCTION.finditer(self.code):
            end = block_end(self.code, match.end())
            if self.code[end - 1 : end] == "}":
                yield match.group(1), self.code.count("\n", match.start(), end) + 1

    def public(self):
        """Public items that want a doc comment: kind, whether they have one."""
        for match in DOCUMENTED.finditer(self.code):
            above = self.text[: match.start()].rstrip("\n").split("\n")
            depth = 0
            while above:
                line = above[-1].strip()
                depth += line.count("]") + line.count(")") - line.count("[") - line.count("(")
                if not (depth > 0 or line.startswith("#[")):
                    break
                above.pop()
            yield match.group(1), bool(above) and above[-1].strip().startswith("///")


def use_paths(code):
    """Every path of a `use`, groups opened, and paths elsewhere that begin with crate, self or super."""
    for match in re.finditer(r"\buse\s+([^;]+);", code):
        yield from opened(re.sub(r"\s+", "", re.sub(r"\bas\s+\w+", "", match.group(1))))
    rest = re.sub(r"\buse\s+[^;]+;", "", code)
    for match in re.finditer(r"(?<![\w:$])(?:crate|self|super)(?:::\w+)+", rest):
        yield match.group()


def opened(path):
    start = path.find("{")
    if start < 0:
        yield path
        return
    depth, piece, inner = 0, "", path[start + 1 : path.rindex("}")]
    for sign in inner + ",":
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            if piece:
                yield from opened(path[:start] + piece)
            piece = ""
        else:
            piece += sign


def imports(source, by_module, exported):
    """The files whose items this file names, within its own package."""
    for path in use_paths(source.code):
        names = [name for name in path.split("::") if name]
        base = list(source.module)
        if names[0] == "crate":
            base = base[:1]
        elif names[0] not in ("self", "super"):
            continue
        while names and names[0] in ("crate", "self", "super"):
            if names.pop(0) == "super":
                base = base[:-1]
        target = tuple(base + names)
        item = None
        while target and target not in by_module:
            target, item = target[:-1], target[-1]
        # Re-exports lead to the file that has the item.
        for _ in range(3):
            further = exported.get((target, item))
            if not further:
                break
            target = further
        if target in by_module and target != source.module:
            yield target


def re_exports(sources, by_module):
    found = {}
    for source in sources:
        for match in re.finditer(r"\bpub(?:\([^)]*\))? use ([^;]+);", source.code):
            for path in opened(re.sub(r"\s+", "", match.group(1))):
                names = [name for name in path.split("::") if name and name != "self"]
                target = (source.module[:1] + tuple(names[1:])) if names[0] == "crate" else source.module + tuple(names)
                if target[:-1] in by_module:
                    found[(source.module, target[-1])] = target[:-1]
    return found


def circles(graph):
    """Strongly connected groups of more than one node (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                found.append(group)

    sys.setrecursionlimit(10_000)
    for node in list(graph):
        if node not in index:
            visit(node)
    return found


def import_circles(sources):
    """Circles between files; circles between the entries of one folder of which one is itself a folder."""
    by_module = {source.module: source for source in sources}
    exported = re_exports(sources, by_module)
    graph = defaultdict(set)
    for source in sources:
        for target in imports(source, by_module, exported):
            # A module's root lists and re-exports its children: that is no import.
            if target[: len(source.module)] != source.module:
                graph[source.module].add(target)
    folders = {module[:-1] for module in by_module if len(module) > 1}
    entries = defaultdict(lambda: defaultdict(set))
    for module, targets in graph.items():
        for target in targets:
            common = 0
            while common < min(len(module), len(target)) and module[common] == target[common]:
                common += 1
            if common < min(len(module), len(target)):
                entries[module[:common]][module[: common + 1]].add(target[: common + 1])
    files = [sorted("::".join(node) for node in group) for group in circles(graph)]
    rooms = [
        sorted("::".join(node) for node in group)
        for inner in entries.values()
        for group in circles(inner)
        if any(node in folders for node in group)
    ]
    return files, rooms


def spread(numbers):
    numbers = sorted(numbers)
    return numbers[len(numbers) // 2], numbers[len(numbers) * 9 // 10], numbers[-1]


def recipe(text, title):
    """The places that a recipe of CONTRIBUTING.md sends its reader to.

    A place is a path with which a numbered step begins, or which follows a semicolon in it; other paths are hints.
    """
    section = text.split(f"### {title}", 1)[-1].split("\n### ")[0]
    steps = re.findall(r"^\d+\. (.*(?:\n   .*)*)", section, re.M)
    paths = []
    for step in steps:
        paths += re.findall(r"(?:^|;\s+)`([\w./-]*[/.][\w./-]*)`", step)
    return sorted(set(paths))


def measure(root):
    """One row per sign: name, value, goal, met, what stands behind it."""
    paths = [*(root / "src").rglob("*"), *root.glob("crates/*/src/**/*")]
    paths = [path for path in paths if path.suffix in (".rs", ".sql")]
    everything = [Source(root, path) for path in sorted(paths) if not TESTS.search(str(path.relative_to(root)))]
    sources = [source for source in everything if source.rust]
    total = sum(source.lines for source in sources)
    rows = []

    def row(name, value, goal, met, behind=()):
        rows.append((name, value, goal, met, list(behind)))

    row("lines of src and crates", f"{total:,}", "≤ 50,000", total <= 50_000)
    packages = defaultdict(int)
    for source in sources:
        packages[source.package] += source.lines
    largest = max(packages.values())
    by_size = sorted(packages.items(), key=lambda pair: -pair[1])
    row("lines of the largest package", f"{largest:,}", "≤ 35,000", largest <= 35_000, (f"{n:,} {name}" for name, n in by_size))

    public = sum(len(PUB.findall(source.code)) for source in sources)
    per = public * 1000 / total
    most = sorted(sources, key=lambda source: -len(PUB.findall(source.code)))[:15]
    row("`pub` items per 1,000 lines", f"{per:.1f}", "≤ 25", per <= 25, (f"{len(PUB.findall(s.code))} {s.path}" for s in most))
    homes = defaultdict(set)
    for source in sources:
        for word in set(re.findall(r"\w+", source.code)):
            homes[word].add(source.home)
    tops = [(name, source) for source in sources for name in TOP.findall(source.code)]
    alone = [(name, source) for name, source in tops if homes[name] <= {source.home}]
    share = len(alone) * 100 / len(tops)
    row("public, used only at home", f"{share:.0f} %", "≤ 10 %", share <= 10, (f"{s.path}: {name}" for name, s in alone))

    files, folders = import_circles(sources)
    row("circles of files", str(len(files)), "0", not files, (" ↔ ".join(group) for group in files))
    row("circles of folders", str(len(folders)), "0", not folders, (" ↔ ".join(group) for group in folders))
    rooms = defaultdict(int)
    for source in sources:
        rooms[str(Path(source.path).parent)] += 1
    fullest = max(rooms.values())
    crowded = sorted(rooms.items(), key=lambda pair: -pair[1])
    row("files in one folder", str(fullest), "≤ 15", fullest <= 15, (f"{n} {room}" for room, n in crowded if n > 15))

    guide = (root / "CONTRIBUTING.md").read_text()
    for name, title, most in (("an endpoint", "Add an endpoint", 4), ("a field", "Add a field to the catalog", 6)):
        places = recipe(guide, title)
        row(f"places to touch for {name}", str(len(places)), f"≤ {most}", 0 < len(places) <= most, places)

    why = re.compile(r"^\s*//(?![/!])", re.M)
    reasons = sum(len(why.findall(mask_strings(source.text))) for source in sources)
    share = reasons * 100 / total
    row("comments that say why", f"{share:.1f} %", "≥ 1.5 %", share >= 1.5, [f"{reasons} lines"])

    subtle = [source for source in everything if SUBTLE.search(source.code)]
    row("files with wakers, `poll_*`, `RECURSIVE`, …", str(len(subtle)), "≤ 6", len(subtle) <= 6,
        (f"{s.path}: {', '.join(sorted(set(SUBTLE.findall(s.code))))}" for s in subtle))

    inline = {}
    for path in (root / "tests/api").rglob("*.rs"):
        found = len(re.findall(r"_snapshot!\s*\((?:(?!_snapshot!).)*?@r?#*\"", path.read_text(), re.S))
        inline[path.name] = inline.get(path.name, 0) + found
    count = sum(inline.values())
    row("inline snapshots in tests/api", str(count), "≥ 150", count >= 150,
        (f"{n} {name}" for name, n in sorted(inline.items(), key=lambda pair: -pair[1]) if n))

    sizes = spread(source.lines for source in sources)
    big = sorted(((s.lines, s.path) for s in sources if s.lines > 300), reverse=True)
    row("lines of a file: median, p90, max", " / ".join(map(str, sizes)), "114 / 261 / 450",
        all(have <= want for have, want in zip(sizes, (114, 261, 450))), (f"{n} {path}" for n, path in big))
    functions = [(n, f"{s.path}: {name}") for s in sources for name, n in s.functions()]
    sizes = spread(n for n, _ in functions)
    row("lines of a function: median, p90, max", " / ".join(map(str, sizes)), "8 / 25 / 73",
        all(have <= want for have, want in zip(sizes, (8, 25, 73))),
        (f"{n} {name}" for n, name in sorted(functions, reverse=True) if n > 50))
    documented = [has for source in sources for _, has in source.public()]
    share = sum(documented) * 100 / len(documented)
    row("`pub` documented", f"{share:.0f} %", "≥ 82 %", round(share) >= 82)
    unwraps = [(len(re.findall(r"\.unwrap\(\)", s.code)), s.path) for s in sources]
    count = sum(n for n, _ in unwraps)
    row("`unwrap()`", str(count), "0", count == 0, (f"{n} {path}" for n, path in unwraps if n))
    return rows


def mask_strings(text):
    """Blanks strings alone, so that `//` in an address is no comment."""
    return TOKEN.sub(lambda m: m.group() if m.group().startswith("/") else re.sub(r"[^\n]", " ", m.group()), text)


def main():
    flags = {word for word in sys.argv[1:] if word.startswith("--")}
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if flags - {"--list", "--check"} or len(words) > 1:
        sys.exit(__doc__)
    rows = measure(Path(words[0]) if words else Path(__file__).resolve().parent.parent)
    width = max(len(name) for name, *_ in rows)
    print(f"| {'sign':{width}} | {'now':>15} | {'goal':>15} | met |")
    print(f"| {'-' * width} | {'-' * 14}: | {'-' * 14}: | --- |")
    for name, value, goal, met, _ in rows:
        print(f"| {name:{width}} | {value:>15} | {goal:>15} | {'yes' if met else 'NO':3} |")
    if "--list" in flags:
        for name, value, _, _, behind in rows:
            print(f"\n{name}: {value}", *behind, sep="\n  ")
    if "--check" in flags and not all(met for _, _, _, met, _ in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
