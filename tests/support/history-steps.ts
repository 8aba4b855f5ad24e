import { v7 as uuidv7 } from "uuid";
import { claimInbox, claimOutbox } from "@/db/messages/claim-messages";
import { failMessage } from "@/db/messages/end-attempt";
import { settleMessage } from "@/db/messages/settle-message";
import { takeOver } from "@/db/operations/take-over";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import { answerProvider } from "@/db/provider/provider-calls";
import { engineContext, type EngineContext } from "@/engine/context";
import { answerEvent } from "@/engine/execute/answer-event";
import type { OperationRegistry } from "@/engine/execute/operation";
import { consume } from "@/engine/inbox/consume";
import { receive } from "@/engine/inbox/receive";
import { relay } from "@/engine/outbox/relay";
import { reconcileOperation } from "@/engine/recover/reconcile";
import { resolveOperation } from "@/engine/recover/resolve";
import { through } from "@/engine/testing/transports";
import { createConsumers } from "./payments";
import type { TestEnvironment } from "./environment";
import { CALM, type Life } from "./life";

const LEASE_MS = 30_000;

/** How the life of an operation may go on. Each step is done by the product's own functions. */
export const STEPS = [
  "retry",
  "other_command",
  "refused_in_progress",
  "look_up",
  "look_up_fails",
  "service_recovers",
  "take_over_and_die",
  "resolve_succeeded",
  "resolve_failed",
  "keep_waiting",
  "webhook_succeeded",
  "webhook_declined",
  "webhook_processing",
  "webhook_other_amount",
  "webhook_same_amount",
  "late_success",
  "late_decline",
  "relay",
  "kill_outbox",
  "discard_outbox",
  "consume",
  "kill_inbox",
  "post_late",
  "purge",
  "expire",
  "one_run",
  "late_run",
] as const;

export type Step = (typeof STEPS)[number];

function person(life: Life): EngineContext {
  const confirmation = { fresh: true, by: ["password"] } as const;
  const actor = { kind: "operator", id: "op-2", name: "Mira Okafor", role: "operator", confirmation } as const;
  return engineContext(life.client(), { tenantId: life.tenant, actor, requestId: "req-person" });
}

async function withFaults(env: TestEnvironment, faults: Readonly<Record<string, number>>, act: () => Promise<unknown>) {
  await env.faults({ ...CALM, ...faults });
  try {
    await act();
  } finally {
    await env.faults(CALM);
  }
}

const lookUp = ({ client, registry, operationId }: Life): Promise<unknown> =>
  reconcileOperation(client(), registry, { operationId, onlyAsk: true });

function resolve(life: Life, decision: "succeeded" | "failed" | "keep_waiting"): Promise<unknown> {
  const { registry, operationId } = life;
  const evidence = ["bank statement"];
  return resolveOperation(person(life), registry, { operationId, decision, evidence, reason: "seen" });
}

async function webhook(
  { env, registry, client, tenant, operationId }: Life,
  status: string,
  money: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const [call] = await env.rows<{ provider_key: string }>(
    "select provider_key from onceboard.provider_requests where tenant_id = $1 and operation_id = $2 order by prepared_at desc limit 1",
    tenant,
    operationId,
  );
  if (call === undefined) return;
  const payload = { data: { providerKey: call.provider_key, status, ...money, metadata: { operationId } } };
  await receive(client(), createConsumers(registry), {
    source: "provider",
    messageId: uuidv7(),
    type: `charge.${status}`,
    payload,
    payloadBytes: Buffer.from(JSON.stringify(payload)),
    headers: {},
  });
}

async function moneyOf({ env, tenant, operationId }: Life): Promise<Readonly<Record<string, unknown>>> {
  const [row] = await env.rows<{ amount: string | null; currency: string }>(
    "select amount_minor::text as amount, currency from onceboard.idempotency_requests where tenant_id = $1 and operation_id = $2",
    ...[tenant, operationId],
  );
  return { amount: row?.amount ?? undefined, currency: row?.currency };
}

/** A call or a look-up that nobody waits for any more is answered after all. */
async function lateAnswer({ env, tenant, operationId }: Life, outcome: "succeeded" | "declined"): Promise<void> {
  const sent = await env.rows<{ id: string }>(
    "select id from onceboard.provider_requests where tenant_id = $1 and operation_id = $2 and state = 'sent'",
    tenant,
    operationId,
  );
  const said = { outcome, reference: outcome === "succeeded" ? "np_late" : undefined, detail: outcome };
  for (const { id } of sent) await answerProvider(env.db.pool, { tenantId: tenant, requestId: id, ...said });
}

const inProcess = (registry: OperationRegistry) =>
  through(async (delivery, ctx) => {
    await receive(ctx, createConsumers(registry), {
      source: "onceboard",
      messageId: delivery.id,
      type: delivery.type,
      payload: JSON.parse(delivery.body),
      payloadBytes: Buffer.from(delivery.body),
      headers: {},
    });
    return { kind: "acknowledged" };
  });

const FAILURE = { errorCode: "http.503", error: "503", errorFingerprint: "503", delayMs: 1_000, maxAttempts: 0 };

async function killOutbox({ env, tenant: tenantId, operationId }: Life): Promise<void> {
  const lease = { tenantId, owner: "worker-1", leaseMs: LEASE_MS, limit: 100 };
  const [row] = await env.rows<{ topic: string }>(
    "select topic from onceboard.outbox_messages where tenant_id = $1 and operation_id = $2",
    ...[tenantId, operationId],
  );
  for (const { id, fence } of await claimOutbox(env.db.pool, { ...lease, topic: row?.topic ?? "payments" }))
    await failMessage(env.db.pool, "outbox", { ...FAILURE, tenantId, id, fence, attemptId: uuidv7() });
}

async function killInbox({ env, tenant: tenantId }: Life): Promise<void> {
  const lease = { tenantId, owner: "worker-1", leaseMs: LEASE_MS, limit: 100 };
  for (const { id, fence } of await claimInbox(env.db.pool, { ...lease, alone: false }))
    await failMessage(env.db.pool, "inbox", { ...FAILURE, tenantId, id, fence, attemptId: uuidv7() });
}

async function discardOutbox({ env, tenant }: Life): Promise<void> {
  const dead = await env.rows<{ id: string }>(
    "select id from onceboard.outbox_messages where tenant_id = $1 and state = 'dead'",
    tenant,
  );
  const by = { actor: "Mira Okafor", reason: "not wanted" };
  for (const { id } of dead) await settleMessage(env.db.pool, "discard_outbox", { tenantId: tenant, id }, by);
}

async function takeOverAndDie({ env, tenant, operationId }: Life): Promise<void> {
  const which = { operationId, now: true, limit: 1 };
  await takeOver(env.db.pool, { tenantId: tenant, owner: "worker-9", leaseMs: LEASE_MS, ...which });
  await env.rows(
    `update onceboard.idempotency_open set locked_until = clock_timestamp() - interval '1 second'
     where tenant_id = $1 and operation_id = $2 and owner = 'worker-9'`,
    tenant,
    operationId,
  );
}

async function refusedInProgress({ env, tenant, client, operationId }: Life): Promise<void> {
  const ctx = client();
  const [request] = await env.rows<{ operation: string }>(
    "select operation from onceboard.idempotency_requests where tenant_id = $1 and operation_id = $2",
    ...[tenant, operationId],
  );
  const row = { operation_id: operationId, fence: 1, attempts: 1, asked_at: new Date() };
  const answer = { outcome: "in_progress", status: 409, code: "idempotency.in_progress" } as const;
  ctx.answers.add(
    answerEvent(ctx, row, { receivedAt: performance.now() }, { ...answer, operation: request?.operation ?? "" }),
  );
  return ctx.answers.flush();
}

/** The way of each message took a while: what the chain shows between its marks. */
async function postLate({ env, tenant, operationId }: Life): Promise<void> {
  const its = [tenant, operationId] as const;
  await env.rows(
    "update onceboard.inbox_messages set received_at = received_at + interval '400 milliseconds' where tenant_id = $1 and operation_id = $2",
    ...its,
  );
  await env.rows(
    "update payments.ledger_entries set posted_at = posted_at + interval '2 seconds' where tenant_id = $1 and operation_id = $2",
    ...its,
  );
}

async function expire({ env, tenant, operationId }: Life): Promise<void> {
  await env.rows(
    "update onceboard.idempotency_requests set expires_at = clock_timestamp() - interval '1 minute' where tenant_id = $1 and operation_id = $2",
    tenant,
    operationId,
  );
  await env.rows("select onceboard.expire_requests($1, 10)", tenant);
}

/** The tenant decides how keys of this operation are treated. */
async function decide({ env, tenant, client, operationId }: Life, overrides: Partial<OperationPolicy>): Promise<void> {
  await env.rows(
    `insert into onceboard.operation_policies as p (tenant_id, operation, overrides, updated_by)
     select tenant_id, operation, $3::jsonb, 'test' from onceboard.idempotency_requests
     where tenant_id = $1 and operation_id = $2
     on conflict (tenant_id, operation) do update set overrides = p.overrides || excluded.overrides`,
    tenant,
    operationId,
    JSON.stringify(overrides),
  );
  client().policies.forget(tenant);
}

async function consumeAll({ client, registry }: Life): Promise<void> {
  while ((await consume(client(), createConsumers(registry))).claimed > 0);
}

export const DO: Readonly<Record<Step, (life: Life) => Promise<unknown>>> = {
  retry: ({ send }) => send(),
  other_command: ({ send }) => send("other"),
  refused_in_progress: refusedInProgress,
  look_up: lookUp,
  service_recovers: ({ recover }) => recover(),
  look_up_fails: (life) => withFaults(life.env, { lookup_down: 1 }, () => lookUp(life)),
  take_over_and_die: takeOverAndDie,
  resolve_succeeded: (life) => resolve(life, "succeeded"),
  resolve_failed: (life) => resolve(life, "failed"),
  keep_waiting: (life) => resolve(life, "keep_waiting"),
  webhook_succeeded: (life) => webhook(life, "succeeded"),
  webhook_declined: (life) => webhook(life, "declined"),
  webhook_processing: (life) => webhook(life, "processing"),
  webhook_other_amount: (life) => webhook(life, "succeeded", { amount: 7, currency: "EUR" }),
  webhook_same_amount: async (life) => webhook(life, "succeeded", await moneyOf(life)),
  late_success: (life) => lateAnswer(life, "succeeded"),
  late_decline: (life) => lateAnswer(life, "declined"),
  relay: ({ client, registry }) => relay(client(), inProcess(registry)),
  kill_outbox: killOutbox,
  discard_outbox: discardOutbox,
  consume: consumeAll,
  kill_inbox: killInbox,
  post_late: postLate,
  purge: ({ env, tenant, operationId }) => env.rows("select onceboard.purge_bodies($1, 0, 1, $2)", tenant, operationId),
  expire,
  one_run: (life) => decide(life, { maxAttempts: 1 }),
  late_run: async (life) => {
    await expire(life);
    await decide(life, { expired: "execute" });
    await life.send();
  },
};
