import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { isElsewhere, notePlace, type Restored } from "@/db/restore/restored";
import { baseBackup, dump, installedPrograms, restoreDump, startCopy } from "@/db/testing/backups";
import { startTestServer, type TestServer } from "@/db/testing/test-server";
import { createEngineBase } from "@/engine/base";
import { engineContext, type EngineContext } from "@/engine/context";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { execute } from "@/engine/execute/execute";
import { afterRestore } from "@/engine/recover/after-restore";
import { reconcileOperation } from "@/engine/recover/reconcile";
import { recoverDue } from "@/engine/recover/recover-due";
import { createLog } from "@/engine/telemetry/log";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/** What is lost between a backup and its restore, and what the provider knows of it (docs/runbooks/restore.md). */
const MARGIN_MS = 6 * 60_000;
const HOLD_HOURS = 24;
const ACCOUNT = "acc_1";

let programs: string;
let server: TestServer;
let env: TestEnvironment;
let files: string;
const stops: (() => Promise<void>)[] = [];

/** One process on one of the databases: the first, or one that was brought back. */
interface Process {
  readonly db: Database;
  readonly ctx: EngineContext;
  rows<R>(text: string, ...values: unknown[]): Promise<R[]>;
}

function openProcess(url: string): Process {
  const db = createDatabase({ url, max: 4, applicationName: "restored" });
  const owner = createDatabase({ url, max: 1, role: "owner" });
  const base = createEngineBase({
    db,
    instance: `p-${randomBytes(2).toString("hex")}`,
    config: {
      leaseSeconds: 30,
      idempotencyTtlHours: 24,
      bodyTtlHours: 24,
      metadataTtlDays: 30,
      providerTimeoutMs: 400,
    },
    encryptionKeys: env.encryptionKeys,
    secret: "a secret of this test",
    log: createLog("silent"),
    kinds: env.modules.kinds,
  });
  stops.push(async () => {
    await base.answers.close();
    await db.close();
    await owner.close();
  });
  const actor = { kind: "client", id: "till-web", name: "till-web", scopes: ["payments"] } as const;
  return {
    db,
    ctx: engineContext(base, { tenantId: "acme", actor, requestId: "restored" }),
    rows: async <R>(text: string, ...values: unknown[]) =>
      (await owner.pool.query<R & Record<string, unknown>>({ text, values })).rows,
  };
}

const pay = ({ ctx }: Pick<Process, "ctx">, key: string): Promise<ExecuteAnswer> =>
  execute(ctx, env.operations.createPayment, {
    key,
    command: { accountId: ACCOUNT, amountMinor: 1_000n, currency: "EUR", merchantReference: undefined, channel: "web" },
    receivedAt: performance.now(),
  });
const charges = async (): Promise<number> => (await env.ledger()).filter(({ kind }) => kind === "charge").length;
const stateOf = async (process: Process, key: string): Promise<string | undefined> =>
  (await process.rows<{ state: string }>("select state from onceboard.idempotency_requests where key = $1", key))[0]
    ?.state;

/** What the backup has: one paid, one that was never answered, one about to be sent, one just claimed. The last two went on after it. */
async function beginBefore(): Promise<void> {
  expect((await pay({ ctx: env.context() }, "paid")).outcome).toBe("executed");
  await env.faults({ timeout_after_accept: 1 });
  for (const key of ["unanswered", "about to be sent", "just claimed"])
    await pay({ ctx: env.context() }, key).catch(() => undefined);
  await env.faults({ timeout_after_accept: 0 });
  // As a backup has them that was taken a moment earlier, while their owner was alive.
  await env.rows(
    `update onceboard.idempotency_requests set state = 'IN_PROGRESS', error_code = null where key in ('about to be sent', 'just claimed')`,
  );
  await env.rows(
    `update onceboard.idempotency_open set stage = 'LOCAL_PAYMENT_CREATED', owner = 'api-1', unknown_since = null, next_check_at = null,
       checks = 0, locked_until = clock_timestamp() - interval '1 second' where key = 'about to be sent'`,
  );
  await env.rows(
    `update onceboard.provider_requests set state = 'prepared', sent_at = null, outcome = null, answered_at = null
     where operation_id = (select operation_id from onceboard.idempotency_requests where key = 'about to be sent')`,
  );
  await env.rows(
    `update onceboard.idempotency_open set stage = 'RECEIVED', provider_key = null, owner = 'api-1', unknown_since = null,
       next_check_at = null, checks = 0, locked_until = clock_timestamp() - interval '1 second' where key = 'just claimed'`,
  );
  await env.rows(
    `with own as (select operation_id from onceboard.idempotency_requests where key = 'just claimed'),
       journal as (delete from onceboard.provider_requests where operation_id in (select operation_id from own))
     delete from payments.payments where operation_id in (select operation_id from own)`,
  );
}

beforeAll(async () => {
  programs = installedPrograms();
  server = await startTestServer({ binaries: programs });
  env = await createTestEnvironment({}, undefined, { server: server.url });
  files = mkdtempSync(join(tmpdir(), "onceboard-restore-"));
  // pg_dump runs as the system user of the server.
  chmodSync(files, 0o777);
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  await env.close();
  await server.stop();
  rmSync(files, { recursive: true, force: true });
});

describe("a database that was brought back from a backup (RESTORE-1)", () => {
  /** Nobody ran `restored` on this one. */
  let careless: Process;
  let restored: readonly { readonly from: string; readonly process: Process; readonly marked: Restored }[];
  let chargesBefore: number;
  beforeAll(async () => {
    await beginBefore();
    await notePlace(env.owner.pool);
    await env.rows(
      "insert into onceboard.operators (id, name, email, email_verified, role) values ('ada', 'Ada', 'ada@example.com', true, 'admin')",
    );
    await env.rows(
      "insert into onceboard.sessions (id, token, user_id, expires_at) values ('s', 't', 'ada', now() + interval '1 day')",
    );
    const file = join(files, "before.dump");
    dump(programs, env.ownerUrl, file);
    const directory = baseBackup(programs, server);
    // What is lost: the provider has its effect, the backup has nothing of it.
    expect((await pay({ ctx: env.context() }, "lost")).outcome).toBe("executed");
    chargesBefore = await charges();
    expect(chargesBefore).toBe(5);
    const name = new URL(env.ownerUrl).pathname.slice(1);
    const copy = await startCopy(programs, server, directory, name);
    stops.push(() => copy.stop());
    careless = openProcess(await restoreDump(programs, server, file, "careless"));
    const urls = [
      ["pg_dump", await restoreDump(programs, server, file, "restored")],
      ["a base backup", copy.url],
    ] as const;
    restored = await Promise.all(
      urls.map(async ([from, url]) => {
        const owner = createDatabase({ url, max: 1, role: "owner" });
        const elsewhere = await isElsewhere(owner.pool);
        expect([from, elsewhere]).toEqual([from, from === "pg_dump"]);
        const marked = await afterRestore(owner, HOLD_HOURS);
        expect(await isElsewhere(owner.pool)).toBe(false);
        await owner.close();
        return { from, process: openProcess(url), marked };
      }),
    );
  });

  it("is a copy by its own account when it came from a dump, until somebody says what it is", async () => {
    expect(await isElsewhere(careless.db.pool)).toBe(true);
    expect(await isElsewhere(env.db.pool)).toBe(false);
  });

  it("answers what was paid before the backup with the stored answer, as ever", async () => {
    for (const { process } of restored) expect((await pay(process, "paid")).outcome).toBe("replayed");
    expect(await charges()).toBe(chargesBefore);
  });

  it("holds what was in flight to be unknown, asks the provider, and charges nothing again", async () => {
    for (const { process, marked } of restored) {
      expect(marked).toMatchObject({ asked: 2, waiting: 1, again: 0 });
      for (const key of ["unanswered", "about to be sent", "just claimed"])
        expect([key, await stateOf(process, key)]).toEqual([key, "UNKNOWN_REQUIRES_RECOVERY"]);
      expect(await recoverDue(process.ctx, env.registry, { limit: 10 })).toMatchObject({ taken: 2, settled: 2 });
      for (const key of ["unanswered", "about to be sent"])
        expect([key, await stateOf(process, key)]).toEqual([key, "COMPLETED"]);
      // Nobody can ask by a key that the backup does not have. Its owner may have gone on, so a person looks.
      expect(await stateOf(process, "just claimed")).toBe("UNKNOWN_REQUIRES_RECOVERY");
      expect((await pay(process, "just claimed")).outcome).toBe("unknown");
    }
    expect(await charges()).toBe(chargesBefore);
  });

  it("frees what was just claimed when a person says so, and the provider sees the key that it knows", async () => {
    for (const { process } of restored) {
      const [row] = await process.rows<{ id: string }>(
        "select operation_id as id from onceboard.idempotency_requests where key = 'just claimed'",
      );
      await reconcileOperation(process.ctx, env.registry, { operationId: row?.id ?? "", onlyRelease: true });
      expect((await pay(process, "just claimed")).outcome).toBe("executed");
      expect(await stateOf(process, "just claimed")).toBe("COMPLETED");
    }
    expect(await charges()).toBe(chargesBefore);
  });

  it("executes no key that may have been used since the backup: whether it was is not known", async () => {
    for (const { process } of restored) {
      const before = uuidv7({ msecs: Date.now() - 60_000 });
      for (const key of ["lost", "never used, as far as anybody knows", before, uuidv7()]) {
        expect(await pay(process, key)).toMatchObject({ outcome: "expired", operation: undefined });
        expect(await stateOf(process, key)).toBeUndefined();
      }
    }
    expect(await charges()).toBe(chargesBefore);
  });

  it("executes a key that was made after the restore, and any key once the hold is over", async () => {
    const { process } = restored[0] ?? { process: careless };
    expect((await pay(process, uuidv7({ msecs: Date.now() + MARGIN_MS }))).outcome).toBe("executed");
    expect(await charges()).toBe(chargesBefore + 1);
    await process.rows("update onceboard.restores set hold_until = clock_timestamp()");
    expect((await pay(process, "of the next day")).outcome).toBe("executed");
    expect(await charges()).toBe(chargesBefore + 2);
  });

  it("lets what is all in the database go on at once: it was lost with its effects", async () => {
    for (const { process } of restored) {
      const [kind] = await process.rows<{ path: string }>(
        "select path from onceboard.operation_kinds where name = 'accounts.create'",
      );
      expect(kind?.path).toBe("local");
      const answer = await execute(process.ctx, env.operations.createAccount, {
        key: "an account",
        command: { accountId: "acc_9", currency: "EUR" },
        receivedAt: performance.now(),
      });
      expect(answer.outcome).toBe("executed");
    }
  });

  it("shuts out an owner from the time that was lost, ends sessions, and is in the audit", async () => {
    for (const { process } of restored) {
      const [fence] = await process.rows<{ fence: number }>(
        "select min(fence)::int as fence from onceboard.idempotency_requests where key in ('unanswered', 'about to be sent')",
      );
      expect(fence?.fence).toBeGreaterThan(100_000);
      expect(await process.rows("select from onceboard.sessions")).toEqual([]);
      const audit = await process.rows<{ tenant_id: string }>(
        "select tenant_id from onceboard.audit_entries where action = 'database.restored' order by 1",
      );
      expect(audit.map((row) => row.tenant_id)).toEqual(["acme", "globex"]);
    }
  });

  it("would charge again, and call a charge no effect, without that step", async () => {
    const now = await charges();
    await recoverDue(careless.ctx, env.registry, { limit: 10 });
    expect(await stateOf(careless, "about to be sent")).toBe("FAILED_RETRYABLE");
    expect((await pay(careless, "lost")).outcome).toBe("executed");
    expect(await charges()).toBe(now + 1);
  });
});
