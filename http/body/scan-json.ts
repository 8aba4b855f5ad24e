/** Deepest nesting of arrays and objects that is accepted. */
export const MAX_DEPTH = 32;

export type ScanProblem = "too_deep" | "duplicate_member" | "reserved_member";

export interface Scan {
  readonly problem?: ScanProblem;
  /** Dotted paths of numbers written with a fraction or an exponent: `10.00` must never be read as ten minor units. */
  readonly fractions: readonly string[];
}

interface Level {
  /** Names seen in an object; absent in an array. */
  readonly names: Set<string> | undefined;
  name: string;
  index: number;
  /** The next string of an object is a member name. */
  expectsName: boolean;
}

/** A string, a number, or one character of structure; white space and literals in between are skipped. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\],:]/g;

/**
 * Sees what JSON.parse hides: member names that occur twice, how numbers were written, how deep it goes.
 *
 * @param text must be valid JSON
 */
export function scanJson(text: string): Scan {
  const levels: Level[] = [];
  const fractions: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [token] = match;
    const level = levels.at(-1);
    switch (token) {
      case "{":
      case "[":
        if (levels.length >= MAX_DEPTH) return { problem: "too_deep", fractions };
        levels.push({ names: token === "{" ? new Set() : undefined, name: "", index: 0, expectsName: token === "{" });
        break;
      case "}":
      case "]":
        levels.pop();
        break;
      case ",":
        if (level !== undefined) nextMember(level);
        break;
      case ":":
        break;
      default:
        if (!token.startsWith('"')) {
          if (/[.eE]/.test(token)) fractions.push(pathOf(levels));
        } else if (level?.expectsName === true) {
          const problem = takeName(level, token);
          if (problem !== undefined) return { problem, fractions };
        }
    }
  }
  return { fractions };
}

function nextMember(level: Level): void {
  level.index += 1;
  level.expectsName = level.names !== undefined;
}

function takeName(level: Level, token: string): ScanProblem | undefined {
  const name = token.includes("\\") ? String(JSON.parse(token)) : token.slice(1, -1);
  if (name === "__proto__") return "reserved_member";
  if (level.names?.has(name) === true) return "duplicate_member";
  level.names?.add(name);
  level.name = name;
  level.expectsName = false;
  return undefined;
}

function pathOf(levels: readonly Level[]): string {
  return levels.map((level) => (level.names === undefined ? String(level.index) : level.name)).join(".");
}
