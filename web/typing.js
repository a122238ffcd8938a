/** What a person types. */

/**
 * Whether a key belongs to an input method that composes a character. Safari ends a composition with a key of its own, which
 * it tells by its code alone: https://bugs.webkit.org/show_bug.cgi?id=165004
 */
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}

/** Text as it may be sent: line breaks of other programs (VT of PowerPoint, FF, NEL) are ours, other control characters go. */
export function plainLines(text) {
  return text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n").replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g, "");
}
