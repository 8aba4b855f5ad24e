import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "../client";
import { migrate } from "../migrate";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { requireSchema } from "./require-schema";

let test: TestDatabase;
let app: Database;
beforeEach(async () => {
  test = await createTestDatabase();
  app = createDatabase({ url: test.url, max: 1 });
});
afterEach(async () => {
  await app.close();
  await test.drop();
});

const change = (text: string) => test.db.pool.query({ text });

describe("RUN-2 a process looks at the schema before it begins", () => {
  it("takes one of this version, and a newer one", async () => {
    await requireSchema(app.pool);
    await change("insert into onceboard.migrations (hash, created_at) values ('newer', 9999999999999)");
    await change("insert into onceboard.functions_history (revision) values ('newer')");
    await requireSchema(app.pool);
  });

  it("refuses one that lacks a migration, and names it", async () => {
    await change("delete from onceboard.migrations where id = (select max(id) from onceboard.migrations)");
    await expect(requireSchema(app.pool)).rejects.toThrow(
      /^The database is older than this version, which needs migration \d{4}_\w+: run migrate first, with the DATABASE_URL of its owner\.$/,
    );
  });

  it("refuses one that never had the functions of this version", async () => {
    await change("delete from onceboard.functions_history");
    await expect(requireSchema(app.pool)).rejects.toThrow(
      /^The database has not got the functions of this version yet/,
    );
    await change("drop table onceboard.functions_history");
    await expect(requireSchema(app.pool)).rejects.toThrow(
      /^The database has not got the functions of this version yet/,
    );
  });

  it("refuses one that is empty, and takes it once it is migrated", async () => {
    await change("drop schema onceboard cascade");
    await expect(requireSchema(app.pool)).rejects.toThrow(/^The database has no tables of Onceboard yet/);
    await migrate(test.ownerUrl);
    await requireSchema(app.pool);
  });
});
