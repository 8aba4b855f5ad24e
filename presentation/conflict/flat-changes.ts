/** One named value before and after; `undefined`: it was not there. */
export interface FlatChange {
  readonly name: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly changed: boolean;
}

/** Deeper values are shown as JSON; more names than this are counted, not shown. */
const DEPTH = 4;
export const MOST_NAMES = 60;

/** Lays two JSON values side by side by dotted name, changed ones first. Total: any JSON fits. */
export function flatChanges(before: unknown, after: unknown): readonly FlatChange[] {
  const old = flatten(before);
  const now = flatten(after);
  const names = [...new Set([...old.keys(), ...now.keys()])];
  const all = names.map((name) => ({
    name,
    before: old.get(name),
    after: now.get(name),
    changed: old.get(name) !== now.get(name),
  }));
  return [...all.filter((change) => change.changed), ...all.filter((change) => !change.changed)];
}

function flatten(value: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const walk = (part: unknown, name: string, depth: number): void => {
    if (part === undefined) return;
    if (typeof part === "object" && part !== null && depth < DEPTH) {
      const entries = Object.entries(part);
      if (entries.length > 0) {
        for (const [key, child] of entries) walk(child, name === "" ? key : `${name}.${key}`, depth + 1);
        return;
      }
      // Nothing was recorded.
      if (name === "") return;
    }
    found.set(name === "" ? "value" : name, typeof part === "string" ? part : JSON.stringify(part));
  };
  walk(value, "", 0);
  return found;
}
