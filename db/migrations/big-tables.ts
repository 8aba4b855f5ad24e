import type { MigrationFile } from "./migration-files";

/** Tables that grow with traffic: while an index is built on one as usual, nobody can write to it. */
export const BIG_TABLES: readonly string[] = [
  "audit_entries",
  "dead_letters",
  "idempotency_bodies",
  "idempotency_events",
  "idempotency_requests",
  "inbox_arrivals",
  "inbox_messages",
  "ledger_entries",
  "message_attempts",
  "notifications",
  "outbox_history",
  "outbox_messages",
  "payments",
  "provider_requests",
  "refunds",
  "settled_doubts",
  "voids",
];

const CREATED_TABLE = /create\s+table\s+(?:if\s+not\s+exists\s+)?(?:"?[a-z0-9_]+"?\.)?"?([a-z0-9_]+)"?/gi;
const PLAIN_INDEX =
  /create\s+(?:unique\s+)?index\s+(?!concurrently)(?:if\s+not\s+exists\s+)?"?([a-z0-9_]+)"?\s+on\s+(?:only\s+)?(?:"?[a-z0-9_]+"?\.)?"?([a-z0-9_]+)"?/gi;

/** @returns a sentence for each index that a migration builds on a big table, other than a new one, while writers wait */
export function blockingIndexes({ tag, parts }: Pick<MigrationFile, "tag" | "parts">): string[] {
  const text = parts.map((part) => part.text).join("\n");
  const made = new Set([...text.matchAll(CREATED_TABLE)].map(([, table]) => table));
  return [...text.matchAll(PLAIN_INDEX)]
    .filter(([, , table = ""]) => BIG_TABLES.includes(table) && !made.has(table))
    .map(
      ([, index, table]) =>
        `${tag} builds ${String(index)} while nobody can write to ${String(table)}: give it a part of its own that begins with "-- onceboard: concurrently" (drizzle/README.md)`,
    );
}
