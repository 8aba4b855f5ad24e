import { v7 as uuidv7 } from "uuid";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listRetentionRuns, previewRetention } from "@/console/read/deployment/read-retention";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";
import { retain, retainDays } from "@/engine/retention/retain";
import { purgeExpiredBodies } from "./body-actions";

const DAY_MS = 86_400_000;
let env: EngineTestEnvironment;
beforeEach(async () => {
  env = await createEngineTestEnvironment();
});
afterEach(() => env.close());

const admin = () => env.context({ actor: operator("admin") });
const purge = () =>
  purgeExpiredBodies(admin(), {
    action: "retention.run",
    ...{ subject: { type: "tenant", id: TENANT }, input: {} },
    ...{ idempotencyKey: uuidv7(), reason: "the month is over", receivedAt: 0 },
  });
const scheduled = () => retain(env.context(), new Map());
const rowOf = (id: string) =>
  env.rows<Record<string, unknown>>(
    "select key, state, response_status, fingerprint, expires_at from onceboard.idempotency_requests where operation_id = $1",
    id,
  );
const bodiesOf = (id: string) =>
  env.rows("select kind, headers, body from onceboard.idempotency_bodies where operation_id = $1 order by kind", id);

/** An operation whose bodies have expired, with the command of a refused retry beside them. */
async function expired(): Promise<string> {
  const id = await env.operation({ ageHours: 48 });
  await env.rows(
    `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, command)
     values ($1, current_date, gen_random_uuid(), $2, 'payments.create', now(), 'conflict', 'other')`,
    TENANT,
    id,
  );
  return id;
}

describe("RETENTION-5 a purge of expired bodies", () => {
  it("takes headers, body and the commands under the key; key, state, status and fingerprint stay, no money moves", async () => {
    const id = await expired();
    const before = await rowOf(id);
    expect(before).toMatchObject([{ state: "COMPLETED", response_status: 201 }]);
    const money = () =>
      env.rows(
        `select (select count(*) from payments.ledger_entries) as ledger, (select count(*) from onceboard.provider_requests) as provider,
           (select count(*) from onceboard.outbox_messages) as outbox`,
      );
    const moved = await money();
    await purge();
    expect(await rowOf(id)).toEqual(before);
    expect(await bodiesOf(id)).toEqual([]);
    expect(
      await env.rows(
        "select command from onceboard.idempotency_events where operation_id = $1 and type = 'conflict'",
        id,
      ),
    ).toEqual([{ command: null }]);
    expect(await money()).toEqual(moved);
  });

  it("needs no preview, and a preview changes nothing", async () => {
    const id = await expired();
    const [row, bodies] = [await rowOf(id), await bodiesOf(id)];
    expect(await previewRetention(admin())).toMatchObject({ operations: 1, bodyRows: 2 });
    expect([await rowOf(id), await bodiesOf(id)]).toEqual([row, bodies]);
    const unseen = await expired();
    expect((await purge()).answer.after).toMatchObject({ operations: 2, bodyRows: 4 });
    expect(await bodiesOf(unseen)).toEqual([]);
  });
});

describe("RETENTION-5 the runs on record", () => {
  const kinds = async () => (await listRetentionRuns(admin(), {})).rows.map(({ kind }) => kind);

  it("are each of a person, and of the schedule what removed more than old metrics, checks and whole days", async () => {
    await env.rows(
      "insert into onceboard.metric_buckets (tenant_id, bucket, computed_at) select $1, now() - make_interval(days => d), now() from unnest(array[1, 40]) d",
      TENANT,
    );
    await scheduled();
    expect(await env.rows("select 1 from onceboard.metric_buckets")).toHaveLength(1);
    const past = { bodyTtlHours: -48, metadataTtlDays: -2 };
    expect((await retainDays(env.db, past, { now: new Date(), emptied: true })).dropped).not.toEqual([]);
    expect(await kinds()).toEqual([]);
    await purge();
    expect(await kinds()).toEqual(["purge_bodies"]);
  });

  it("are also those that destroyed keys alone", async () => {
    const operationId = uuidv7({ msecs: Date.now() - 20 * DAY_MS });
    const subject = { tenantId: TENANT, operation: "payments.create", key: "k", operationId };
    await env.context().keyring.seal(Buffer.from("x"), subject, "command");
    await env.rows("update onceboard.data_keys set created_at = day where purpose = 'body'");
    await scheduled();
    const [run, ...more] = (await listRetentionRuns(admin(), {})).rows;
    expect(more).toEqual([]);
    expect(run).toMatchObject({ kind: "retain", rows: 0, detail: { destroyedKeys: [expect.any(String)] } });
  });
});
