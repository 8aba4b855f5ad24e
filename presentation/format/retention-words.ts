import type { RetentionRunRow } from "../views/retention";
import { plural } from "./words";

/** What a run was, by the kind that its row has. */
const RUNS: Readonly<Record<string, string>> = {
  retain: "Scheduled cleanup",
  purge_bodies: "Purge of expired bodies",
  purge_body: "Purge of one operation",
  bodies: "Bodies",
  requests: "Operations",
  partitions: "Whole days",
};

export function retentionRun({ kind }: Pick<RetentionRunRow, "kind">): string {
  return RUNS[kind] ?? inWords(kind);
}

type Phrase = (value: unknown) => string | undefined;

/** "4 messages"; nothing of none. */
const count =
  (one: string, many?: string): Phrase =>
  (value) =>
    typeof value === "number" && value > 0 ? plural(value, one, many) : undefined;

const PHRASES: Readonly<Record<string, Phrase>> = {
  bodies: count("operation's bodies", "operations' bodies"),
  operations: count("operation"),
  messages: count("message"),
  records: count("record"),
  expired: count("key expired", "keys expired"),
  destroyedKeys: (value) => count("day's body key destroyed", "days' body keys destroyed")(lengthOf(value)),
  skippedOpen: count("skipped: still open", "skipped: still open"),
  more: (value) => (value === true ? "more was left" : undefined),
  // The run's link leads there.
  operationId: () => undefined,
};

/** What a run did, one phrase each; what was none is left out, as is what has no words of its own and is no plain value. */
export function retentionFacts({ detail }: Pick<RetentionRunRow, "detail">): readonly string[] {
  return Object.entries(detail ?? {}).flatMap(([name, value]) => {
    const phrase = Object.hasOwn(PHRASES, name) ? PHRASES[name]?.(value) : plain(name, value);
    return phrase === undefined ? [] : [phrase];
  });
}

/** @returns the operation whose bodies alone were purged */
export function purgedOperation({ detail }: Pick<RetentionRunRow, "detail">): string | undefined {
  const id = detail?.["operationId"];
  return typeof id === "string" ? id : undefined;
}

function plain(name: string, value: unknown): string | undefined {
  return typeof value === "number" || typeof value === "string" ? `${inWords(name)}: ${String(value)}` : undefined;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** `skippedOpen` and `purge_bodies` as words. */
function inWords(name: string): string {
  const words = name.replaceAll("_", " ").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
