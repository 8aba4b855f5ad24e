import { randomBytes, randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { cap } from "@/attach/presets/cap";
import { CAP_TABLES, insertCapRows } from "@/attach/presets/cap/fixtures";
import { createForeignDatabase } from "@/attach/testing/foreign-database";
import { ACT_KINDS, ACT_OPERATIONS } from "@/console/attachments/act-operations";
import { readAddress, sealAddress } from "@/console/attachments/attachment-secret";
import { closeAttachments } from "@/console/attachments/open-attachment";
import { insertAttachment } from "@/db/attachments/attachments";
import { createDatabase } from "@/db/client";
import { createTestDatabase } from "@/db/testing/test-database";
import { startTapProxy } from "@/demo/faults/tap-proxy";
import type { Role } from "@/domain/idempotency/states";
import { createEngineBase } from "@/engine/base";
import { engineContext, type Actor, type EngineContext } from "@/engine/context";
import { registryOf } from "@/engine/module/load";
import { reconcileOperation } from "@/engine/recover/reconcile";
import { resolveOperation } from "@/engine/recover/resolve";
import { createLog } from "@/engine/telemetry/log";
import { postgresReader } from "@/tests/crash/wire/postgres-reader";
import { until } from "@/tests/shared/until";

const CONFIG = {
  leaseSeconds: 30,
  idempotencyTtlHours: 24,
  bodyTtlHours: 24,
  metadataTtlDays: 30,
  providerTimeoutMs: 2_000,
};
const SECRET = "a secret of this test";
const REGISTRY = registryOf(ACT_OPERATIONS.map((definition) => ({ definition })));
/** Longer ago than anything may still be on its way. */
const LONG_AGO = "1 hour";

/** What a second process needs to act as this one. */
export interface ActProcess {
  readonly url: string;
  readonly encryptionKeys: string;
}

/** A process of the engine with somebody in it who acts. */
export function openActor({ url, encryptionKeys }: ActProcess) {
  const db = createDatabase({ url, max: 8 });
  const base = createEngineBase({
    ...{ db, encryptionKeys, config: CONFIG, secret: SECRET, kinds: ACT_KINDS, scopes: ["admin"] },
    instance: `actor-${String(process.pid)}`,
    log: createLog("silent"),
  });
  const as = (actor: Actor): EngineContext =>
    engineContext(base, { tenantId: "acme", actor, requestId: `req-${randomUUID()}` });
  const context = (role: Role = "admin", id = "op-1"): EngineContext => {
    const confirmation = { fresh: true, by: ["password"] } as const;
    return as({ kind: "operator", id, name: "Mira Okafor", role, confirmation });
  };
  const worker = (): EngineContext => as({ kind: "system", id: "plans", name: "plans" });
  const close = async (): Promise<void> => {
    await closeAttachments();
    await base.answers.close();
    await db.close();
  };
  return { context, worker, db, keyring: base.keyring, close };
}

/** CAP's tables behind a wire that can be cut, attached to a tenant; each change of a message is counted by the database itself. */
export async function createActWorld() {
  const test = await createTestDatabase();
  const foreign = await createForeignDatabase(CAP_TABLES);
  await foreign.run(COUNTED);
  const server = new URL(foreign.url);
  const tap = await startTapProxy({ host: server.hostname, port: Number(server.port), reader: postgresReader });
  const process = { url: test.url, encryptionKeys: `k1:${randomBytes(32).toString("base64")}` };
  const actor = openActor(process);
  await test.db.pool.query({ text: "insert into onceboard.tenants (id, name) values ('acme', 'Acme')" });
  await insertCapRows(foreign, "UTC");
  await foreign.install(cap, { time_zone: "UTC" });
  const rows = async <R>(text: string, ...values: unknown[]): Promise<R[]> =>
    (await test.db.pool.query<R & Record<string, unknown>>({ text, values })).rows;
  return {
    ...{ foreign, tap, actor, process, rows },
    /** Attaches it under a name, through the wire. @returns the id */
    async attach(name: string): Promise<string> {
      const through = new URL(foreign.url);
      through.hostname = "127.0.0.1";
      through.port = String(tap.port);
      const id = uuidv7();
      const sealed = sealAddress(actor.keyring, { tenantId: "acme", id }, through.href);
      const row = { id, name, shown: readAddress(through.href).shown, installedAs: "onceboard_attach", preset: "cap" };
      await insertAttachment(actor.db.pool, "acme", { ...row, createdBy: "Mira Okafor", sealed }, 10);
      return id;
    },
    /** A dead message, as nobody has touched it. @returns its row */
    async deadMessage(id: number, type = "orders.paid"): Promise<string> {
      await foreign.run(
        `insert into cap.published ("Id", "Version", "Name", "Content", "Retries", "Added", "ExpiresAt", "StatusName")
         values ($1, 'v1', $2, '{}', 50, now(), now() + interval '9 days', 'Failed')`,
        [id, type],
      );
      return `out:${String(id)}`;
    },
    /** How often a message was changed since it was inserted. */
    async changes(row: string): Promise<number> {
      const [found] = await foreign.run<{ n: number }>("select count(*)::int as n from cap.changes where id = $1", [
        Number(row.slice("out:".length)),
      ]);
      return found?.n ?? 0;
    },
    /** Of the newest operation. */
    async newest(): Promise<{ operationId: string; state: string }> {
      const [row] = await rows<{ operationId: string; state: string }>(
        `select operation_id as "operationId", state from onceboard.idempotency_requests order by created_at desc limit 1`,
      );
      if (row === undefined) throw new Error("no operation");
      return row;
    },
    /** Recovery asks what became of it, a while later: the other server knows by then that a connection was cut. */
    async recover(operationId: string): Promise<string> {
      await until("no session is in a transaction", async () => (await foreign.run(IN_A_TRANSACTION)).length === 0);
      await rows(
        "update onceboard.idempotency_open set locked_until = clock_timestamp() - interval '1 second' where locked_until is not null",
      );
      await rows(
        `update onceboard.provider_requests set sent_at = sent_at - interval '${LONG_AGO}' where kind <> 'lookup'`,
      );
      const { after } = await reconcileOperation(actor.context(), REGISTRY, { operationId });
      return after;
    },
    /** A person says, with evidence, that nothing was changed, or that it was done. */
    async settleAs(decision: "failed" | "succeeded", operationId: string): Promise<string> {
      const by = { decision, evidence: ["their log"], reason: "seen" } as const;
      return (await resolveOperation(actor.context(), REGISTRY, { operationId, ...by })).after;
    },
    async close(): Promise<void> {
      await actor.close();
      await tap.close();
      await foreign.drop();
      await test.drop();
    },
  };
}

export type ActWorld = Awaited<ReturnType<typeof createActWorld>>;

/** A session of a cut connection may hold its lock for a moment, and whoever looks the act up then cannot tell. */
const IN_A_TRANSACTION = `select pid from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and xact_start is not null and pid <> pg_backend_pid()`;
const COUNTED = `
create table cap.changes (id bigint not null, at timestamptz not null default clock_timestamp());
create function cap.note_change() returns trigger language plpgsql as $$
begin insert into cap.changes (id) values (old."Id"); return null; end $$;
create trigger note_change after update or delete on cap.published for each row execute function cap.note_change();`;
