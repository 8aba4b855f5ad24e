import { topFolders } from "./source-files.mjs";

const FOLDERS = topFolders()
  .map((name) => name.replace(".", "\\."))
  .join("|");
const IN_CODE = new RegExp(`^(?:${FOLDERS})/[\\w@()\\[\\]./-]*$`);
const IN_COMMENT = new RegExp(
  `(?<![\\w@./\\-*{])(?:${FOLDERS})/[\\w@()\\[\\]./-]*\\.(?:ts|tsx|mjs|cjs|sql|css|md|py|sh|yml|json|txt)\\b`,
  "g",
);
/** Written for the reader, not a file: a pattern, a placeholder, an ellipsis. */
const PLACEHOLDER = /[*…<>{}]|\.\.\.|NNNN/;

/**
 * The repository paths that a Markdown text names: code spans that begin with one of our folders, and relative links.
 * @param {string} markdown
 * @returns {{ path: string, line: number, relative: boolean }[]} `relative` paths are seen from the document's folder
 */
export function pathsNamedIn(markdown) {
  const found = [];
  let fenced = false;
  for (const [index, text] of markdown.split("\n").entries()) {
    if (/^\s*(```|~~~)/.test(text)) fenced = !fenced;
    if (fenced) continue;
    const line = index + 1;
    for (const [, span] of text.matchAll(/`([^`\s]+)`/g)) {
      const path = span.replace(/[:#]L?\d+(-L?\d+)?$/, "").replace(/#.*$/, "");
      if (!PLACEHOLDER.test(path) && IN_CODE.test(path)) found.push({ path, line, relative: false });
    }
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^([a-z]+:|#|\/)/i.test(target)) continue;
      const path = decodeURI(target.replace(/[#?].*$/, ""));
      if (path && !PLACEHOLDER.test(path)) found.push({ path, line, relative: true });
    }
  }
  return found;
}

/** @returns {string[]} paths of files that a comment of the code names; in comments they stand without backticks too */
export function pathsInComment(comment) {
  return [...comment.matchAll(IN_COMMENT)].map(([path]) => path).filter((path) => !PLACEHOLDER.test(path));
}
