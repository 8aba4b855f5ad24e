import { describe, expect, it } from "vitest";
import { BIG_TABLES, blockingIndexes } from "./big-tables";
import { partOf, readMigrations } from "./migration-files";

/** The last one from before the rule. */
const LAST_FREE = "0019_operation_kinds";

const of = (...texts: string[]) => blockingIndexes({ tag: "9999_new", parts: texts.map(partOf) });

describe("RUN-3 indexes of migrations", () => {
  it("are built on big tables while writers go on, in every migration since the rule", () => {
    const since = readMigrations().filter(({ tag }) => tag > LAST_FREE);
    expect(since.flatMap(blockingIndexes)).toEqual([]);
  });

  it("are found in the migrations from before it, so the check sees what drizzle-kit writes", () => {
    const before = readMigrations().filter(({ tag }) => tag <= LAST_FREE);
    expect(before.flatMap(blockingIndexes).join()).toContain(
      "0007_lists_by_index builds idempotency_requests_expires while nobody can write to idempotency_requests",
    );
  });

  it.each([
    'CREATE INDEX "a" ON "onceboard"."payments" USING btree ("id");',
    "create unique index if not exists a on onceboard.payments (id)",
    "create index a on only onceboard.idempotency_events (id)",
  ])("are refused: %s", (text) => {
    expect(of(text)).toHaveLength(1);
  });

  it.each([
    "-- onceboard: concurrently\ncreate index concurrently a on onceboard.payments (id)",
    "create index a on onceboard.tenants (id)",
    'create table "onceboard"."payments" (id int); create index a on onceboard.payments (id)',
  ])("are in order: %s", (text) => {
    expect(of(text)).toEqual([]);
  });

  it("are judged by names of tables that there are", () => {
    const text = readMigrations()
      .flatMap(({ parts }) => parts.map((part) => part.text.toLowerCase()))
      .join("\n");
    for (const table of BIG_TABLES) expect(text).toMatch(new RegExp(`create table "?onceboard"?\\."?${table}"?[ (]`));
  });
});
