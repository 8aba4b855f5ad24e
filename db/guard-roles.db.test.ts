import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase } from "./client";
import { guardActive } from "./guard";
import { migrate } from "./migrate";
import { readiness } from "./readiness";
import { startTestServer, type TestServer } from "./testing/test-server";

/** Roles belong to a whole server, so these need one that has never seen ours. */
let server: TestServer;
let admin: pg.Client;
beforeAll(async () => {
  server = await startTestServer();
  admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  // A hoster gives a user that owns a database and may make no roles.
  for (const login of ["hosted", "till", "stranger"]) await admin.query(`create role ${login} login password 'p'`);
  await admin.query("create database hosted owner hosted");
});
afterAll(async () => {
  await admin.end();
  await server.stop();
});

function urlOf(database: string, login?: string): string {
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  if (login !== undefined) {
    url.username = login;
    url.password = "p";
  }
  return url.href;
}
const roles = async () =>
  (
    await admin.query<{ rolname: string }>("select rolname from pg_roles where rolname like 'onceboard_%' order by 1")
  ).rows.map((row) => row.rolname);

/** What a process sees, and whether a direct write got through. */
async function look(url: string): Promise<{ guard: boolean; wrote: boolean; claimed: boolean; told: string[] }> {
  const results: string[] = [];
  const db = createDatabase({ url, max: 2, onUnguarded: (reason) => results.push(reason) });
  try {
    const { rows } = await db.pool.query<{ outcome: string }>({
      text: `select outcome from onceboard.claim(p_tenant => 'acme', p_operation => 'o', p_key => $1::text, p_operation_id => $1::uuid,
               p_principal => 'p', p_fingerprint => '\\x00', p_owner => 'me')`,
      values: [randomUUID()],
    });
    const wrote = await db.pool.query({ text: "update onceboard.idempotency_requests set fence = fence" }).then(
      () => true,
      () => false,
    );
    const { guard } = await readiness(db.pool);
    expect(guard).toBe(await guardActive(db.pool));
    // A second connection: the reason is told once for all of them.
    await Promise.all([
      db.pool.query({ text: "select pg_sleep(0.05)" }),
      db.pool.query({ text: "select pg_sleep(0.05)" }),
    ]);
    return { guard, wrote, claimed: rows[0]?.outcome === "claimed", told: results };
  } finally {
    await db.close();
  }
}

describe("STATE-4 the roles of the guard", () => {
  it("are not needed: where nobody may make them all works, and it is said that nothing guards", async () => {
    expect((await migrate(urlOf("hosted", "hosted"))).applied).toContain("functions");
    expect(await roles()).toEqual([]);
    expect(await look(urlOf("hosted", "hosted"))).toEqual({
      guard: false,
      wrote: true,
      claimed: true,
      told: ['role "onceboard_app" does not exist'],
    });
  });

  it("are made once, however many databases of a server are migrated at the same time", async () => {
    const names = Array.from({ length: 6 }, (_, index) => `many_${String(index)}`);
    for (const name of names) await admin.query(`create database ${name}`);
    await Promise.all(names.map((name) => migrate(urlOf(name))));
    expect(await roles()).toEqual(["onceboard_app", "onceboard_service"]);
    for (const name of names)
      expect(await look(urlOf(name))).toEqual({ guard: true, wrote: false, claimed: true, told: [] });
  });

  it("get their grants when they are made after the database was", async () => {
    // They are there now, but this user may not be one of them yet.
    expect((await migrate(urlOf("hosted", "hosted"))).applied).toEqual(["functions"]);
    expect(await look(urlOf("hosted", "hosted"))).toMatchObject({
      guard: false,
      claimed: true,
      told: ['permission denied to set role "onceboard_app"'],
    });
    await admin.query("grant onceboard_app to hosted");
    expect((await migrate(urlOf("hosted", "hosted"))).applied).toEqual([]);
    expect(await look(urlOf("hosted", "hosted"))).toEqual({ guard: true, wrote: false, claimed: true, told: [] });
  });

  it("hold a user who may make roles and is no superuser", async () => {
    await admin.query("create role maker login createrole password 'p'");
    await admin.query("drop owned by onceboard_app, onceboard_service");
    for (const { datname } of (
      await admin.query<{ datname: string }>(
        "select datname from pg_database where datname like 'many%' or datname = 'hosted'",
      )
    ).rows)
      await admin.query(`drop database "${datname}" with (force)`);
    await admin.query("drop role onceboard_app, onceboard_service");
    await admin.query("create database made owner maker");
    await migrate(urlOf("made", "maker"));
    expect(await roles()).toEqual(["onceboard_app", "onceboard_service"]);
    expect(await look(urlOf("made", "maker"))).toEqual({ guard: true, wrote: false, claimed: true, told: [] });
  });

  it("are enough for a process: it starts on a login that owns nothing, and says who has to bring a database up to date", async () => {
    await admin.query("create database owned");
    const asOwner = urlOf("owned");
    await migrate(asOwner);
    await admin.query("grant onceboard_app to till");
    expect(await migrate(urlOf("owned", "till"))).toEqual({ applied: [] });
    expect(await look(urlOf("owned", "till"))).toEqual({ guard: true, wrote: false, claimed: true, told: [] });
    const owner = createDatabase({ url: asOwner, role: "owner", max: 1 });
    await owner.pool.query({ text: "update onceboard.functions_revision set revision = 'older'" });
    await owner.close();
    await expect(migrate(urlOf("owned", "till"))).rejects.toThrow(/may use the database but not bring it up to date/);
    await expect(migrate(urlOf("owned", "stranger"))).rejects.toThrow(/may use the database but not/);
  });
});
