import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { claimInbox, claimOutbox } from "@/db/messages/claim-messages";
import { failMessage } from "@/db/messages/end-attempt";
import { settleMessage } from "@/db/messages/settle-message";
import { takeOver } from "@/db/operations/take-over";
import { answerProvider } from "@/db/provider/provider-calls";
import { AppError } from "@/domain/errors";
import { ROLES } from "@/domain/idempotency/states";
import { engineContext, type EngineContext } from "@/engine/context";
import { answerEvent } from "@/engine/execute/answer-event";
import { execute } from "@/engine/execute/execute";
import type { OperationRegistry } from "@/engine/execute/operation";
import { consume } from "@/engine/inbox/consume";
import { receive } from "@/engine/inbox/receive";
import { relay } from "@/engine/outbox/relay";
import { reconcileOperation } from "@/engine/recover/reconcile";
import { resolveOperation } from "@/engine/recover/resolve";
import { through } from "@/engine/testing/transports";
import { createConsumers } from "../consumers";
import { createOperations, createRegistry, type Operations } from "../operations";
import { createSandboxProvider, type SandboxKind } from "../provider/sandbox-adapter";
import type { TestEnvironment } from "./environment";

/** How the life of an operation may go on. Each step is done by the product's own functions. */
const STEPS = [
  "retry",
  "other_command",
  "refused_in_progress",
  "look_up",
  "look_up_fails",
  "take_over_and_die",
  "resolve_succeeded",
  "resolve_failed",
  "keep_waiting",
  "webhook_succeeded",
  "webhook_declined",
  "webhook_processing",
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
] as const;

export type Beginning =
  | "paid"
  | "declined"
  | "lost"
  | "no_effect"
  | "taken_reference"
  | "account"
  | "taken_account"
  | "working"
  | "died_sent"
  | "died_prepared";
export type Step = (typeof STEPS)[number];
const PROVIDERS = ["sandbox", "sandbox-dedupe-only", "sandbox-query-only", "sandbox-neither"] as const;

/** A life of one operation, and who looks at it afterwards. */
export interface History {
  readonly provider: SandboxKind;
  readonly begins: Beginning;
  readonly steps: readonly Step[];
  readonly role: (typeof ROLES)[number];
}

/** @param begins how it may begin @param often steps that come more often than the others */
export function histories(begins: readonly Beginning[], often: readonly Step[]): fc.Arbitrary<History> {
  const step = fc.oneof({ arbitrary: fc.constantFrom(...often), weight: 3 }, fc.constantFrom(...STEPS));
  return fc.record({
    provider: fc.constantFrom(...PROVIDERS),
    begins: fc.constantFrom(...begins),
    steps: fc.array(step, { minLength: 1, maxLength: 7, size: "max" }),
    role: fc.constantFrom(...ROLES),
  });
}

/** The tenant of its own in which a history happened, and its operation. */
export interface Lived {
  readonly tenant: string;
  readonly operationId: string;
  readonly key: string;
}

interface Life extends Lived {
  readonly env: TestEnvironment;
  readonly operations: Operations;
  readonly registry: OperationRegistry;
  readonly client: () => EngineContext;
  readonly send: (amountMinor?: bigint) => Promise<unknown>;
}

const CALM = { error_after_accept: 0, error_before: 0, processing: 0, lookup_down: 0 };
const AMOUNT = 4_200n;
const DECLINED_AMOUNT = 4_251n;
const LEASE_MS = 30_000;
const OUT_OF_REACH = 1_000;

/** Lives a history in rows. What a step cannot do to the operation as it is now is refused by the product, and left out. */
export async function live(env: TestEnvironment, { provider, begins, steps }: History): Promise<Lived> {
  const tenant = `t-${uuidv7()}`;
  await env.rows("insert into onceboard.tenants (id, name) values ($1, $1)", tenant);
  const adapter = createSandboxProvider({ url: env.sandboxUrl, as: provider });
  try {
    const operations = createOperations(adapter);
    const life = await begin({ env, tenant, operations, registry: createRegistry(operations) }, begins);
    for (const step of steps) await unlessRefused(DO[step](life));
    await life.client().answers.flush();
    return { tenant, operationId: life.operationId, key: life.key };
  } finally {
    adapter.close();
  }
}

async function unlessRefused(step: Promise<unknown>): Promise<void> {
  try {
    await step;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

async function begin(at: Pick<Life, "env" | "tenant" | "operations" | "registry">, begins: Beginning): Promise<Life> {
  const { env, tenant, operations } = at;
  const client = (): EngineContext => env.context({ tenant });
  const key = uuidv7();
  const pay = (each: string, amountMinor: bigint, merchantReference: string): Promise<unknown> =>
    execute(client(), operations.createPayment, {
      key: each,
      command: { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference, channel: "web" },
      receivedAt: performance.now(),
    });
  const open = (each: string, currency: string): Promise<unknown> =>
    execute(client(), operations.createAccount, {
      key: each,
      command: { accountId: "acc_1", currency },
      receivedAt: performance.now(),
    });
  const amount = begins === "declined" ? DECLINED_AMOUNT : AMOUNT;
  const ofAccount = begins === "account" || begins === "taken_account";
  const send = (amountMinor = amount): Promise<unknown> =>
    ofAccount ? open(key, amountMinor === amount ? "EUR" : "USD") : pay(key, amountMinor, "order-1");
  if (begins === "taken_reference") await pay(uuidv7(), AMOUNT, "order-1");
  if (begins === "taken_account") await open(uuidv7(), "EUR");
  const lost = begins === "lost" || begins === "working" || begins.startsWith("died");
  await env.faults({ ...CALM, error_after_accept: lost ? 1 : 0, error_before: begins === "no_effect" ? 1 : 0 });
  await unlessRefused(send());
  await env.faults(CALM);
  const [row] = await env.rows<{ operation_id: string }>(
    "select operation_id from onceboard.idempotency_requests where tenant_id = $1 and key = $2",
    tenant,
    key,
  );
  if (row === undefined) throw new Error(`${begins} left no operation`);
  const life: Life = { ...at, key, operationId: row.operation_id, client, send };
  if (begins === "working" || begins.startsWith("died")) await unanswer(life, begins);
  return life;
}

/** Puts a lost operation back to where its owner works, or died. */
async function unanswer({ env, tenant, operationId }: Life, begins: Beginning): Promise<void> {
  const sent = begins !== "died_prepared";
  const its = [tenant, operationId] as const;
  await env.rows(
    "update onceboard.idempotency_requests set state = 'IN_PROGRESS', error_code = null where tenant_id = $1 and operation_id = $2",
    ...its,
  );
  await env.rows(
    `update onceboard.idempotency_open set stage = $3, unknown_since = null, next_check_at = null, owner = 'dead-1', last_finding = null,
       locked_until = clock_timestamp() + make_interval(secs => $4) where tenant_id = $1 and operation_id = $2`,
    ...its,
    sent ? "PROVIDER_REQUEST_SENT" : "LOCAL_PAYMENT_CREATED",
    begins === "working" ? OUT_OF_REACH : -1,
  );
  await env.rows(
    `update onceboard.provider_requests set state = $3, outcome = null, provider_reference = null, detail = null, answered_at = null,
       sent_at = case when $3 = 'sent' then sent_at end where tenant_id = $1 and operation_id = $2`,
    ...its,
    sent ? "sent" : "prepared",
  );
  await env.rows(
    "delete from onceboard.idempotency_events where tenant_id = $1 and operation_id = $2 and outcome is not null",
    ...its,
  );
}

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

async function webhook({ env, registry, client, tenant, operationId }: Life, status: string): Promise<void> {
  const [call] = await env.rows<{ provider_key: string }>(
    "select provider_key from onceboard.provider_requests where tenant_id = $1 and operation_id = $2 order by prepared_at desc limit 1",
    tenant,
    operationId,
  );
  if (call === undefined) return;
  const payload = { data: { providerKey: call.provider_key, status, metadata: { operationId } } };
  await receive(client(), createConsumers(registry), {
    source: "provider",
    messageId: uuidv7(),
    type: `charge.${status}`,
    payload,
    payloadBytes: Buffer.from(JSON.stringify(payload)),
    headers: {},
  });
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

async function killOutbox({ env, tenant: tenantId }: Life): Promise<void> {
  const lease = { tenantId, owner: "worker-1", leaseMs: LEASE_MS, limit: 100 };
  for (const { id, fence } of await claimOutbox(env.db.pool, { ...lease, topic: "payments" }))
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

function refusedInProgress({ client, operationId }: Life): Promise<void> {
  const ctx = client();
  const row = { operation_id: operationId, fence: 1, attempts: 1, asked_at: new Date() };
  const answer = { outcome: "in_progress", status: 409, code: "idempotency.in_progress" } as const;
  ctx.answers.add(
    answerEvent(ctx, row, { receivedAt: performance.now() }, { ...answer, operation: "payments.create" }),
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
    "update onceboard.ledger_entries set posted_at = posted_at + interval '2 seconds' where tenant_id = $1 and operation_id = $2",
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

async function consumeAll({ client, registry }: Life): Promise<void> {
  while ((await consume(client(), createConsumers(registry))).claimed > 0);
}

const DO: Readonly<Record<Step, (life: Life) => Promise<unknown>>> = {
  retry: ({ send }) => send(),
  other_command: ({ send }) => send(9_900n),
  refused_in_progress: refusedInProgress,
  look_up: lookUp,
  look_up_fails: (life) => withFaults(life.env, { lookup_down: 1 }, () => lookUp(life)),
  take_over_and_die: takeOverAndDie,
  resolve_succeeded: (life) => resolve(life, "succeeded"),
  resolve_failed: (life) => resolve(life, "failed"),
  keep_waiting: (life) => resolve(life, "keep_waiting"),
  webhook_succeeded: (life) => webhook(life, "succeeded"),
  webhook_declined: (life) => webhook(life, "declined"),
  webhook_processing: (life) => webhook(life, "processing"),
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
};
