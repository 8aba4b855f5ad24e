import type { DryRun, PlannedPart, RelationSize } from "./dry-run";

/** What others cannot do meanwhile, by the name of a lock; the rest lets readers and writers go on. */
const WHO_WAITS: Readonly<Record<string, string>> = {
  ShareLock: "nobody can write to it",
  ShareRowExclusiveLock: "nobody can write to it",
  ExclusiveLock: "nobody can write to it",
  AccessExclusiveLock: "nobody can read it or write to it",
};
const GOES_ON = "reading and writing go on";
const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;
const STEP = 1_024;

/** @returns the SQL that would run, with what it does as comments: it can be read by people and by psql */
export function describeDryRun(run: DryRun): string {
  if (run.migrations.length === 0 && !run.functions) return "-- the database is up to date\n";
  const lines: string[] = ["-- Nothing was changed. This is what `migrate` would run."];
  if (run.measuredOn !== undefined)
    lines.push(
      `-- Locks, reads and rewrites are those of tables that are there now, measured in an empty database of PostgreSQL ${run.measuredOn}.`,
      "-- A lock is held until the end of its transaction. A migration that waits 3 s for one gives up and changes nothing.",
    );
  for (const { tag, parts } of run.migrations) {
    lines.push("", `-- ${tag}`);
    for (const [index, part] of parts.entries()) {
      if (!part.concurrently && (index === 0 || parts[index - 1]?.concurrently === true)) lines.push("begin;");
      lines.push(part.text.endsWith(";") ? part.text : `${part.text};`, ...effects(part, run.sizes));
      if (!part.concurrently && parts[index + 1]?.concurrently !== false) lines.push("commit;");
    }
  }
  if (run.functions)
    lines.push("", "-- Then the functions and grants of this version take the place of those there: one transaction.");
  return `${lines.join("\n")}\n`;
}

function effects({ concurrently, locks, reads, rewrites }: PlannedPart, sizes: DryRun["sizes"]): string[] {
  if (concurrently) return [`--   outside a transaction: ${GOES_ON} while the index is built or dropped`];
  const lines = locks.map(
    ({ table, mode }) => `--   locks ${sized(table, sizes)}: ${lockName(mode)}, ${WHO_WAITS[mode] ?? GOES_ON}`,
  );
  for (const table of rewrites) lines.push(`--   REWRITES ${sized(table, sizes)}`);
  for (const table of reads.filter((name) => !rewrites.includes(name)))
    lines.push(`--   reads all of ${sized(table, sizes)}`);
  return lines.length > 0 ? lines : ["--   locks no table that is there now"];
}

/** `AccessExclusiveLock` as the manual of PostgreSQL writes it. */
function lockName(mode: string): string {
  return mode
    .replace(/Lock$/, "")
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toUpperCase();
}

function sized(table: string, sizes: ReadonlyMap<string, RelationSize>): string {
  const size = sizes.get(table);
  if (size === undefined) return table;
  return `${table} (${bytes(Number(size.bytes))}, about ${Math.round(size.rows).toLocaleString("en")} rows)`;
}

function bytes(count: number): string {
  let [value, unit] = [count, 0];
  while (value >= STEP && unit < UNITS.length - 1) [value, unit] = [value / STEP, unit + 1];
  return `${value.toFixed(unit === 0 ? 0 : 1)} ${String(UNITS[unit])}`;
}
