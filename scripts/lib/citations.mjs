import { pathsInComment } from "./doc-paths.mjs";

const ROW = /^\|\s*([A-Z]+-\d+)\s*\|.*\|([^|]*)\|\s*$/;
const CRASH_ID = /^\|\s*([A-Z]\d{1,2})\s*\||\b([A-Z]\d{1,2}) is /gm;
const TEST_FILE = /(\.(test|spec)\.(ts|tsx|mjs)|-tests\.ts)$/;
const TITLE = /(?:\b(?:it|test|describe\w*)(?:\.\w+)?|\))\(\s*(["'`])([\s\S]*?)\1/g;

/** Ids and names that belong to pages outside the repository. */
const FOREIGN = [
  [/\b(?:S\d|[CTP])\.\d+\b/, "a row of a list that is not in the repository"],
  [/\b(?:LOOK|DESIGN|CONTRACT|REQUIREMENTS|WORDING)\b(?![.-])(?<!-\w+)/, "a page that is not in the repository"],
  [/(?<!RFC \d{4} )§/, "a section of a page that is not in the repository"],
  [/\b(?:study|the brief|seed documents?)\b/i, "a page that is not in the repository"],
  [/\bissue #?\d+\b/i, "an issue: say the reason in words"],
];
/** Numbers of crash points and oracles: in brackets, or at the beginning of a comment or of a test's title. */
const NUMBERED = /(?:\(|^\s*(?=\w+[:. ]))([A-Z]\d{1,2}(?:(?:, | and )[A-Z]\d{1,2})*)(?:\)|[:.]? )/g;

/**
 * The rules of docs/SPEC.md.
 * @param {string} markdown
 * @returns {{ id: string, line: number, files: string[], untested: boolean }[]}
 */
export function rulesOf(markdown) {
  return markdown.split("\n").flatMap((text, index) => {
    const [, id, where] = ROW.exec(text) ?? [];
    if (id === undefined) return [];
    const files = [...where.matchAll(/`([^`]+)`/g)].map(([, file]) => file);
    return [{ id, line: index + 1, files, untested: where.trim() === "not tested yet" }];
  });
}

/** @returns {Set<string>} ids of crash points and oracles, out of the tables of docs/CRASH.md */
export function crashIdsOf(markdown) {
  return new Set([...markdown.matchAll(CRASH_ID)].map(([, inTable, inText]) => inTable ?? inText));
}

/** @returns {{ title: string, line: number }[]} titles of the tests in a file */
export function titlesOf(source) {
  return [...source.matchAll(TITLE)].map((match) => ({
    title: match[2],
    line: source.slice(0, match.index).split("\n").length,
  }));
}

/**
 * What is wrong with the citations of one file: in its comments, in the titles of its tests, in the text of a document.
 * @param {string} path
 * @param {string} source
 * @param {{ rules: ReadonlySet<string>, crashIds: ReadonlySet<string>, exists: (path: string) => boolean }} known
 * @returns {{ line: number, message: string }[]}
 */
export function wrongCitations(path, source, { rules, crashIds, exists }) {
  const isTest = TEST_FILE.test(path);
  const isDocument = path.endsWith(".md");
  const prefixes = [...new Set([...rules].map((id) => id.replace(/-\d+$/, "")))].join("|");
  const anyRule = new RegExp(`\\b(?:${prefixes})-\\d+\\b`, "g");
  const found = [];
  const judge = (text, line) => {
    for (const [pattern, what] of FOREIGN) {
      const hit = pattern.exec(text);
      if (hit) found.push({ line, message: `"${hit[0]}" is ${what}` });
    }
    for (const [id] of text.matchAll(anyRule)) {
      if (!rules.has(id)) found.push({ line, message: `docs/SPEC.md has no rule ${id}` });
      else if (!isTest && !isDocument) found.push({ line, message: `only tests and documents cite ${id}` });
    }
    for (const [, ids] of text.matchAll(NUMBERED)) {
      for (const id of ids.split(/, | and /)) {
        if (!crashIds.has(id)) found.push({ line, message: `docs/CRASH.md has no ${id}` });
      }
    }
  };
  for (const { text, line } of commentsOf(path, source)) {
    judge(text, line);
    if (isDocument) continue; // scripts/check-doc-paths.mjs looks at these
    for (const named of pathsInComment(text)) {
      if (!exists(named)) found.push({ line, message: `${named} does not exist` });
    }
  }
  if (!isTest) return found;
  for (const { title, line } of titlesOf(source)) {
    judge(title, line);
    const [id] = /^[A-Z]{3,}-\d+\b/.exec(title) ?? [];
    if (id !== undefined && !id.match(anyRule)) found.push({ line, message: `docs/SPEC.md has no rule ${id}` });
  }
  return found;
}

/** The text of comments, line by line; of a document every line that is not in a fenced block. */
function commentsOf(path, source) {
  const lines = source.split("\n").map((text, index) => ({ text, line: index + 1 }));
  if (path.endsWith(".md")) {
    let fenced = false;
    return lines.filter(({ text }) => {
      if (/^\s*(```|~~~)/.test(text)) fenced = !fenced;
      return !fenced;
    });
  }
  const mark = path.endsWith(".sql")
    ? /(?:^|\s)--\s(.*)$/
    : /\.(py|sh|yml)$/.test(path)
      ? /(?:^|\s)#\s(.*)$/
      : undefined;
  const inScript = /^\s*(?:\/\*\*?|\*|\/\/|\{\/\*)(.*)$|\s\/\/\s(.*)$|\/\*\*?\s(.*)$/;
  return lines.flatMap(({ text, line }) => {
    const match = (mark ?? inScript).exec(text);
    const comment = match?.slice(1).find((part) => part !== undefined);
    return comment === undefined ? [] : [{ text: comment, line }];
  });
}
