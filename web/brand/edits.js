/**
 * What differs between two states of a brand's document, part by part, and the way to bring it onto another state.
 *
 * An edit is `{path, part, before, after}`. `path` is a field's, "" for what belongs to the brand as a whole; the part "row" is
 * a startup cost that was added (`before` null) or removed (`after` null).
 */
const PARAMETER = ["value", "label", "help", "aliases", "provenance", "description"];
const ROW = ["defaultAmount", "item7Low", "item7High", "label", "help", "aliases", "class", "derives"];
const WHOLE = ["name", "item19", "thresholds"];
/** What a document leaves out where it is empty. */
const OPTIONAL = ["help", "aliases", "derives"];
const STARTUP = "startupCosts.";

export function rowPath(row) {
  return STARTUP + row.slug;
}

/** The entry of a path: a parameter or a startup row; undefined where the brand has none. */
export function entryOf(brand, path) {
  if (path === "") return brand;
  return path.startsWith(STARTUP) ? brand.startupCostTemplate.find((row) => rowPath(row) === path) : brand.parameters[path];
}

/** Every edit that leads from one state to the other. */
export function editsOf(before, after) {
  const rows = (brand) => new Map(brand.startupCostTemplate.map((row) => [rowPath(row), row]));
  const [old, now] = [rows(before), rows(after)];
  return [
    ...partsOf("", WHOLE, before, after),
    ...[...now].flatMap(([path, row]) => (old.has(path) ? partsOf(path, ROW, old.get(path), row) : [{ path, part: "row", before: null, after: row }])),
    ...[...old].filter(([path]) => !now.has(path)).map(([path, row]) => ({ path, part: "row", before: row, after: null })),
    ...Object.keys(after.parameters).filter((path) => before.parameters[path]).flatMap((path) => partsOf(path, PARAMETER, before.parameters[path], after.parameters[path])),
  ];
}

function partsOf(path, parts, before, after) {
  return parts.filter((part) => !isSame(before[part], after[part])).map((part) => ({ path, part, before: before[part] ?? null, after: after[part] ?? null }));
}

function isSame(one, other) {
  return canonical(one) === canonical(other);
}

/** The same text for what says the same: a missing list is an empty one, the order of keys says nothing. */
function canonical(value) {
  if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) return "null";
  return JSON.stringify(value, (_, inner) => (inner && typeof inner === "object" && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner));
}

/**
 * The document with the edits: `{brand, lost}`. Lost are edits of a startup cost that it no longer has; a row that is added is not
 * added twice.
 */
export function withEdits(document, edits) {
  const brand = structuredClone(document);
  const lost = [];
  for (const edit of edits) {
    const { path, part, after } = edit;
    const entry = entryOf(brand, path);
    if (part === "row" && after === null) brand.startupCostTemplate = brand.startupCostTemplate.filter((row) => rowPath(row) !== path);
    else if (part === "row" && !entry) brand.startupCostTemplate.push(structuredClone(after));
    else if (part === "row") Object.assign(entry, structuredClone(after));
    else if (!entry) lost.push(edit);
    else setPart(entry, part, after);
  }
  return { brand, lost };
}

/** Writes a part; one that is empty is left out, as the server leaves it out. */
export function setPart(entry, part, value) {
  if (OPTIONAL.includes(part) && (value === null || value.length === 0)) delete entry[part];
  else entry[part] = structuredClone(value);
}

/** A name for a new startup cost's path, made of its label: 2 to 40 ASCII letters and digits that no row has yet. */
export function newSlug(label, taken) {
  const words = label.normalize("NFKD").replace(/[^\x20-\x7e]/g, "").replace(/^[^a-z]+/i, "").toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.map((word, at) => (at === 0 ? word : word[0].toUpperCase() + word.slice(1))).join("").slice(0, 36);
  if (name.length > 1 && !taken.includes(name)) return name;
  const stem = name.length > 1 ? name : "row";
  let number = stem === name ? 2 : 1;
  while (taken.includes(`${stem}${number}`)) number += 1;
  return `${stem}${number}`;
}
