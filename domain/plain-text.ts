/**
 * What nobody sees and what changes how its neighbours look: control characters, halves of pairs, line and paragraph separators, marks
 * that turn the direction of what is written, blanks of no width, and tags. Joiners stay: some scripts are not right without them.
 */
const UNSEEN =
  "\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Bidi_C}\\u00ad\\u200b\\u2060-\\u2064\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}";
const ONE = new RegExp(`[${UNSEEN}]`, "u");
const EACH = new RegExp(`[${UNSEEN}]`, "gu");
const RUNS = new RegExp(`[${UNSEEN}\\s]+`, "gu");

/** What a refusal says of a name that {@link isPlain} is false of. */
export const PLAIN_RULE = "has a control character or a mark that changes how text is written";

/** @returns whether a text holds nothing but what is seen: what a name must be where somebody gives it */
export function isPlain(text: string): boolean {
  return !ONE.test(text);
}

/**
 * A text of somebody else on one line: without what is not seen, and not longer than it may be.
 *
 * @param max characters, of UTF-16; what is cut off is marked by `…`
 */
export function plainText(text: string, max: number): string {
  const line = text.replace(RUNS, " ").trim();
  if (line.length <= max) return line;
  // Not through the middle of a character.
  return `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** A name from before it was checked, as it is safe to show: what is not seen is written out, such as `[U+202E]`. */
export function shownName(name: string): string {
  return name.replace(EACH, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return `[U+${point.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}
