import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import { describeContract, findClients, runPsql } from "./testing/clients";
import { openServiceLogin, type ServiceLogin } from "./testing/service-login";

/** The scripts of this folder, run by psql as a service would; SQL_CONTRACT=update writes anew what they have to print. */

const SKIPPED = process.env["SQL_CONTRACT"] === "skip";
const UPDATE = process.env["SQL_CONTRACT"] === "update";

let environment: TestEnvironment;
let login: ServiceLogin;
let psql: string;
beforeAll(async () => {
  if (SKIPPED) return;
  ({ psql } = findClients());
  environment = await createTestEnvironment();
  login = await openServiceLogin(environment.owner, environment.ownerUrl);
});
afterAll(async () => {
  if (SKIPPED) return;
  await login.drop();
  await environment.close();
});

describeContract("SQL-1 docs/SQL-CONTRACT.md from psql", () => {
  it.each(["local-path", "provider-path", "refusals"])("%s.sql prints what stands beside it", async (name) => {
    // A first request that is not committed: the last lines of refusals.sql wait for it.
    const holder = await environment.owner.pool.connect();
    await holder.query("begin");
    await holder.query(
      `select from onceboard.claim(p_tenant => 'acme', p_operation => 'o', p_key => 'held', p_operation_id => gen_random_uuid(),
         p_principal => 'billing', p_fingerprint => '\\x00', p_owner => 'holder')`,
    );
    try {
      const { status, output } = runPsql(psql, login.url, join("tests/sql-contract", `${name}.sql`));
      const expected = join("tests/sql-contract", `${name}.out`);
      if (UPDATE) writeFileSync(expected, output);
      expect(output).toBe(readFileSync(expected, "utf8"));
      expect(status).toBe(0);
    } finally {
      await holder.query("rollback");
      holder.release();
    }
  });

  it("left what the product works with: one message, one execution per key, nothing open", async () => {
    expect(
      await environment.rows(
        `select r.key, r.state, r.attempts, count(p.id) filter (where p.kind = 'send')::int as sent
         from onceboard.idempotency_requests r
         left join onceboard.provider_requests p on p.tenant_id = r.tenant_id and p.operation_id = r.operation_id
         where r.tenant_id = 'acme' and r.operation = 'invoices.issue' group by 1, 2, 3 order by 1`,
      ),
    ).toEqual([
      { key: "provider-1", state: "COMPLETED", attempts: 1, sent: 1 },
      { key: "provider-2", state: "IN_PROGRESS", attempts: 1, sent: 0 },
      { key: "provider-3", state: "COMPLETED", attempts: 2, sent: 1 },
    ]);
    expect(await environment.rows("select type from onceboard.outbox_messages")).toEqual([{ type: "invoice.drafted" }]);
  });
});
