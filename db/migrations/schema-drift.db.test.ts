import { beforeAll, describe, expect, it } from "vitest";
import {
  committedManifest,
  differingWords,
  manifestDifference,
  manifestOfMigrated,
  missingMigration,
} from "../testing/schema-check";

let manifest: string;
beforeAll(async () => {
  manifest = await manifestOfMigrated();
});

describe("one schema in all places", () => {
  it("has a migration for everything in db/schema", { timeout: 60_000 }, () => {
    expect(missingMigration()).toBeUndefined();
  });

  it("is in the database what drizzle/manifest.txt says (npx tsx scripts/check-schema.ts --update)", () => {
    expect(manifestDifference(committedManifest(), manifest)).toEqual([]);
  });

  it("allows the words of domain/idempotency/states and no others", () => {
    expect(differingWords(manifest)).toEqual([]);
  });

  it("is partitioned by day where whole days are dropped", () => {
    const byDay = manifest.split("\n").filter((line) => line.includes("partition by RANGE (day)"));
    expect(byDay.map((line) => line.split(" ")[1])).toEqual([
      "idempotency_bodies",
      "idempotency_events",
      "inbox_arrivals",
      "message_attempts",
      "outbox_history",
    ]);
  });

  it("notices a change", () => {
    const changed = manifest.replace("'COMPLETED'::text", "'DONE'::text");
    expect(manifestDifference(manifest, changed)).toHaveLength(2);
    expect(differingWords(changed)).toHaveLength(1);
  });
});
