import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SERVICE_FUNCTIONS } from "@/db/guard";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { CLAIM_OUTCOMES } from "@/domain/idempotency/states";

/** docs/SQL-CONTRACT.md against the functions that are there. */

const text = readFileSync("docs/SQL-CONTRACT.md", "utf8");
const chapters = new Map(
  text
    .split("\n### `")
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf("`")), part.split("\n## ")[0] ?? ""]),
);

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

describe("SQL-3 docs/SQL-CONTRACT.md", () => {
  it("has a chapter for each function of a service, and for no other", () => {
    expect([...chapters.keys()].sort()).toEqual([...SERVICE_FUNCTIONS].sort());
  });

  it.each(SERVICE_FUNCTIONS)("names every argument of %s, and none that is not there", async (name) => {
    const { rows } = await test.db.pool.query<{ name: string }>({
      text: `select a.name from pg_proc p, unnest(p.proargnames, coalesce(p.proargmodes, array_fill('i'::"char", array[cardinality(p.proargnames)]))) a(name, mode)
             where p.pronamespace = 'onceboard'::regnamespace and p.proname = $1 and a.mode = 'i'`,
      values: [name],
    });
    const named = new Set(chapters.get(name)?.match(/\bp_[a-z_]+/g));
    expect([...named].sort()).toEqual(rows.map((row) => row.name).sort());
  });

  it("says what each outcome of claim means", () => {
    const table = text.slice(text.indexOf("## What `claim` says"), text.indexOf("### Fingerprints"));
    const results = [...table.matchAll(/^\| `([a-z_]+)` \|/gm)].map((match) => match[1]);
    expect(results.filter((word) => word !== "outcome").sort()).toEqual([...CLAIM_OUTCOMES].sort());
  });
});
