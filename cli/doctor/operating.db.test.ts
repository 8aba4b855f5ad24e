import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operatingFacts, type OperatingFacts } from "@/db/health/operating-facts";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { examineBrokers } from "./brokers";
import { examine } from "./examine";
import { examineBackups, examineBloat, examineCheckpoints, examinePartitions, spell } from "./operating";

let test: TestDatabase;
let facts: OperatingFacts;
const folder = mkdtempSync(join(tmpdir(), "onceboard-doctor-"));
beforeAll(async () => {
  test = await createTestDatabase();
  facts = await operatingFacts(test.db.pool);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await test.drop();
});

const env = () => ({
  DATABASE_URL: test.url,
  SECRET: "s".repeat(40),
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString("base64")}`,
});
const said = async () => (await examine(env())).map(({ state, text }) => `${state}: ${text}`);

describe("RUN-12 doctor on what goes wrong slowly", () => {
  it("counts the days that have their partitions, as the login of the processes", async () => {
    expect(await said()).toContain("ok: 7 days ahead have their partitions");
    const soon = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
    const { rows } = await test.db.pool.query<{ name: string }>({
      text: `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'onceboard.outbox_history'::regclass and c.relname >= 'outbox_history_' || $1`,
      values: [soon],
    });
    expect(rows.length).toBeGreaterThan(2);
    for (const { name } of rows) await test.db.pool.query({ text: `drop table onceboard.${name}` });
    expect((await said()).filter((text) => /^wrong: 1 day ahead has its partitions/.test(text))).toHaveLength(1);
    expect(examinePartitions({ ...facts, partitionDays: 3 }).state).toBe("note");
  });

  it("names tables whose dead rows nobody takes away, and the statement", async () => {
    await test.db.pool.query({
      text: `create table onceboard.full_of_dead (n int) with (autovacuum_enabled = off);
        insert into onceboard.full_of_dead select generate_series(1, 20000);
        delete from onceboard.full_of_dead`,
    });
    const found = async () => {
      await test.db.pool.query({ text: "select pg_stat_clear_snapshot()" });
      return (await operatingFacts(test.db.pool)).bloated;
    };
    await expect
      .poll(found, { timeout: 20_000 })
      .toEqual([{ table: "onceboard.full_of_dead", dead: 20_000n, live: 0n }]);
    expect((await said()).join("\n")).toContain(
      "note: onceboard.full_of_dead has 20000 dead rows beside 0: vacuum (analyze) onceboard.full_of_dead",
    );
    await test.db.pool.query({ text: "drop table onceboard.full_of_dead" });
    expect(examineBloat(facts)).toEqual([
      { state: "ok", text: "Autovacuum is on" },
      { state: "ok", text: "No table has many dead rows" },
    ]);
  });

  it("tells autovacuum that is off, and rows that are far too old", () => {
    const [off, , old] = examineBloat({ ...facts, autovacuum: false, oldestTransaction: 1_500_000_000 });
    expect([off?.state, old?.state]).toEqual(["wrong", "wrong"]);
    expect(off?.text).toContain("alter system set autovacuum = on");
    expect(old?.text).toContain("vacuum (freeze)");
  });

  it("tells functions of another version, a database that moved, and one that is newer", async () => {
    expect((await said()).join("\n")).toMatch(/ok: The database is at this version, \d{4}_\w+/);
    await test.db.pool.query({ text: "alter table onceboard.functions_history rename column revision to was" });
    await test.db.pool.query({ text: "alter table onceboard.functions_history add column revision text" });
    expect(await said()).toContain(
      "wrong: The database has not got the functions of this version yet: run migrate first, with the DATABASE_URL of its owner.",
    );
    await test.db.pool.query({ text: "alter table onceboard.functions_history drop column revision" });
    await test.db.pool.query({ text: "alter table onceboard.functions_history rename column was to revision" });
    await test.db.pool.query({
      text: "insert into onceboard.migrations (hash, created_at) values ('later', 99999999999999)",
    });
    expect((await said()).join("\n")).toContain("note: The database is newer than this version");
    await test.db.pool.query({ text: "delete from onceboard.migrations where hash = 'later'" });
    await test.db.pool.query({
      text: "delete from onceboard.database_place; insert into onceboard.database_place (place) values ('elsewhere/1')",
    });
    expect((await said()).join("\n")).toContain("wrong: This database was copied or restored from a backup");
  });

  it("AUDIT-3 says how old the newest checkpoint is, where it went, and what has waited too long for one", () => {
    expect(examineCheckpoints(facts, false)).toEqual([]);
    expect(examineCheckpoints(facts, true).map(({ state }) => state)).toEqual(["unknown"]);
    const some = { ...facts, checkpointAgo: 300, sinks: ["file:/a"] };
    expect(examineCheckpoints({ ...some, uncoveredFor: 20 }, true)).toEqual([
      { state: "ok", text: "The newest checkpoint of the audit is 5 min old; they go to file:/a" },
    ]);
    expect(examineCheckpoints({ ...some, uncoveredFor: 7_200 }, true)[1]).toMatchObject({
      state: "wrong",
      text: expect.stringContaining("without a checkpoint for 2 h") as unknown,
    });
  });

  it("reads the age of an entry that no checkpoint covers from the database", async () => {
    await test.db.pool.query({
      text: `select onceboard.append_audit('acme', gen_random_uuid(), 'operator', 'op', 'Op', 'operations.resolve', 'operation', 'x', 'why', null, '{}', null, 'r')`,
    });
    expect((await operatingFacts(test.db.pool)).uncoveredFor).toBeGreaterThanOrEqual(0);
    await test.db.pool.query({ text: "update onceboard.audit_entries set at = at - interval '1 hour'" });
    expect((await operatingFacts(test.db.pool)).uncoveredFor).toBeGreaterThan(3_500);
  });

  it("says of backups what can be known, and that the rest is not", () => {
    const states = (given: Partial<OperatingFacts>, file?: string) =>
      examineBackups({ ...facts, ...given }, file).map(({ state }) => state);
    expect(states({ archiveMode: "off" })).toEqual(["note", "unknown"]);
    const on = { archiveMode: "on", archivedAgo: 60, archiveFailedAgo: undefined };
    expect(states(on)).toEqual(["ok"]);
    expect(states({ ...on, archivedAgo: undefined })).toEqual(["unknown"]);
    expect(states({ ...on, archiveFailedAgo: 5 })).toEqual(["wrong"]);
    const file = join(folder, "onceboard.dump");
    expect(states({ archiveMode: "off" }, file)).toEqual(["note", "wrong"]);
    writeFileSync(file, "");
    expect(states({ archiveMode: "off" }, file)).toEqual(["note", "wrong"]);
    writeFileSync(file, "x");
    expect(states({ archiveMode: "off" }, file)).toEqual(["note", "ok"]);
    const old = Date.now() / 1_000 - 27 * 3_600;
    utimesSync(file, old, old);
    expect(states(on, file)).toEqual(["ok", "wrong"]);
  });

  it("signs in at brokers, and says nothing secret of one that does not let it", async () => {
    const taken = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    const found = await examineBrokers({
      natsUrl: `nats://me:hunter22@127.0.0.1:${port}`,
      rabbitmqUrl: `amqp://me:hunter22@127.0.0.1:${port}`,
      kafkaUrl: `kafka://me:hunter22@127.0.0.1:${port}?sasl=plain`,
    });
    taken.close();
    expect(found.map(({ state, text }) => `${state}: ${text.split(" cannot")[0] ?? ""}`)).toEqual([
      "wrong: NATS at 127.0.0.1",
      "wrong: RabbitMQ at 127.0.0.1",
      "wrong: Kafka at 127.0.0.1",
    ]);
    expect(JSON.stringify(found)).not.toContain("hunter22");
    expect(await examineBrokers({})).toEqual([]);
  });

  it.each([
    [5, "5 s"],
    [600, "10 min"],
    [10_800, "3 h"],
    [400_000, "5 days"],
  ])("%d s are %s", (seconds, words) => {
    expect(spell(seconds)).toBe(words);
  });
});
