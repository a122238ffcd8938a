/** Words with which people say that a number is not exact. The advisor understands English only, so these are English. */
const BEFORE = /\b(about|around|approximately|approx|roughly|nearly|almost|circa|close to|somewhere near)\b\.?\s+(?:the |a )?(\S+(?:\s(?:k|m|thousand|million|percent|%)(?=\W|$))?)/gi;
const ANYWHERE = /\b(maybe|perhaps|probably|possibly|might be|could be|i think|i guess|or so|give or take|more or less|ballpark)\b/i;

/** The word in `said` that makes its number inexact, as it was said, or null. `isNumber(text)` knows the number that is meant. */
export function hedgeIn(said, isNumber) {
  for (const [, word, number] of (said ?? "").matchAll(BEFORE)) if (isNumber(number.replace(/[.,;:!?)]+$/, ""))) return word;
  return ANYWHERE.exec(said ?? "")?.[1] ?? null;
}
