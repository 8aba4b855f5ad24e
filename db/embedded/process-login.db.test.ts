import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "../client";
import { ensureProcessLogin, PROCESS_LOGIN } from "./process-login";
import { readiness } from "../readiness";
import { APP_ROLE } from "../roles";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { TEST_LOGIN_PASSWORD } from "../testing/pooler";

const REFUSED = "42501";

let test: TestDatabase;
let app: Database;
let url: string;
beforeAll(async () => {
  test = await createTestDatabase();
  // Not by a pooler: sessions are what this is about.
  url = await ensureProcessLogin(process.env["DATABASE_URL_TEST"] ?? "", TEST_LOGIN_PASSWORD).then((login) => {
    const own = new URL(login);
    own.pathname = new URL(test.ownerUrl).pathname;
    return own.href;
  });
  app = createDatabase({ url, max: 1 });
});
afterAll(async () => {
  await app.close();
  await test.drop();
});

describe("RUN-9 the login of the processes", () => {
  it("works as the app's role, and is nobody else", async () => {
    const { rows } = await app.pool.query({
      text: `select session_user::text as login, current_user::text as role,
                    (select array_agg(g.rolname::text) from pg_auth_members m join pg_roles g on g.oid = m.roleid
                      where m.member = session_user::regrole) as member_of,
                    (select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
                       from pg_roles where rolname = session_user) as more`,
    });
    expect(rows).toEqual([{ login: PROCESS_LOGIN, role: APP_ROLE, member_of: [APP_ROLE], more: false }]);
  });

  it.each([
    "update onceboard.idempotency_requests set state = 'COMPLETED'",
    "delete from onceboard.audit_entries",
    "insert into onceboard.idempotency_requests default values",
    "truncate onceboard.outbox_messages",
    "alter table onceboard.audit_entries disable trigger all",
    "drop schema onceboard cascade",
    "create function onceboard.mine() returns int language sql as 'select 1'",
    "create or replace function onceboard.audit_hash() returns int language sql as 'select 1'",
    "grant onceboard_app to onceboard_service",
    "set role postgres",
    "alter role onceboard_process superuser",
    "copy (select 1) to program 'true'",
  ])("refuses %s, also once the role is left", async (text) => {
    const client = await app.pool.connect();
    try {
      for (const left of ["select 1", "reset role", "set role none", "set session authorization default"]) {
        await client.query(left);
        await expect(client.query(text), left).rejects.toMatchObject({ code: REFUSED });
      }
    } finally {
      await client.query(`set role ${APP_ROLE}`);
      client.release();
    }
  });

  it("is told from one that owns the tables, who gets all of it back", async () => {
    expect(await readiness(app.pool)).toMatchObject({ guard: true, owner: false });
    const owner = createDatabase({ url: test.ownerUrl, max: 1 });
    const client = await owner.pool.connect();
    try {
      expect(await readiness(client)).toMatchObject({ guard: true, owner: true });
      await client.query("reset role");
      await client.query("delete from onceboard.audit_entries");
    } finally {
      client.release(true);
      await owner.close();
    }
  });

  it("is given its password again, and stays what it is", async () => {
    expect(await ensureProcessLogin(test.ownerUrl, TEST_LOGIN_PASSWORD)).toBe(url);
    await expect(ensureProcessLogin(test.ownerUrl, "it's")).rejects.toThrow("its password needs 16 characters");
  });
});
