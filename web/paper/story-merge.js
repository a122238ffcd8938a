/** Two versions of a story that grew from one: what each person wrote is kept, and where both wrote, both are shown. Pure. */

/** Characters of one text, counted as the server does. */
export const LIMIT = 2000;

export function lengthOf(text) {
  return [...text].length;
}

/**
 * `before` is what was opened, `mine` what is in the boxes, `theirs` what is stored now: `{texts, differing}`, the texts for
 * the boxes and the stored ones of those that both have changed.
 */
export function mergeStories(before, mine, theirs) {
  const [texts, differing] = [{}, {}];
  for (const key of Object.keys(mine)) {
    const [was, now, stored] = [before, mine, theirs].map((story) => story[key] ?? "");
    texts[key] = now === was ? stored : now;
    if (now !== was && stored !== was && stored !== now) differing[key] = stored;
  }
  return { texts, differing };
}
