import { createDatabase, type Database } from "@/db/client";
import { migrate } from "@/db/migrate";
import { PAYMENTS_TABLES } from "@/payments/tables";
import { consumeAlone, consumeTogether } from "@/engine/inbox/consume";
import { RECORD_BATCH } from "@/engine/inbox/brokers/record-batch";
import { createConsumerRegistry, type Consumer } from "@/engine/inbox/consumer";
import type { EngineContext } from "@/engine/context";
import { CLOUD_EVENTS, ENVELOPE_HEADER } from "@/engine/outbox/envelope";
import { receiveAll, type ReceiveRequest } from "@/engine/inbox/receive";
import { relay } from "@/engine/outbox/relay";
import type { Transports } from "@/engine/outbox/transport";
import { benchContext } from "../context";
import { runAsOwner } from "../database";
import { INSERT_EFFECT, ONE_AT_A_TIME, payloadOf, type Contender, type WorkKind } from "./contender";

/** Names of ours. */
export const RELAY = "relay";
export const CONSUME = "consume";

export const MESSAGES_TENANT = "bench";
export const TOPIC = "payments";
export const SOURCE = "bench";
/** As a worker has it. */
const POOL = 10;
/** Callers of POST /events under way at once. */
const RECEIVE_CONCURRENCY = 16;
// As complete() writes the messages of an effect, which is the only way in the product.
const WRITE_OUTBOX = `insert into onceboard.outbox_messages (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type,
    payload, headers, created_at, next_attempt_at)
  select $1, m.id, m.operation_id, m.aggregate_type, m.aggregate_id, m.topic, m.type, m.payload, m.headers, clock_timestamp(), clock_timestamp()
  from jsonb_to_recordset($2::jsonb) as m(
    id uuid, operation_id uuid, aggregate_type text, aggregate_id text, topic text, type text, payload jsonb, headers jsonb)`;

interface BenchTenant {
  /** For what complete() does in the product. */
  readonly owner: Database;
  readonly ctx: EngineContext;
  readonly close: () => Promise<void>;
}

async function openBenchTenant(url: string): Promise<BenchTenant> {
  await migrate(url, { modules: [PAYMENTS_TABLES] });
  await runAsOwner(url, [
    `insert into onceboard.tenants (id, name) values ('${MESSAGES_TENANT}', 'Bench') on conflict do nothing`,
    "grant insert on public.bench_effects to onceboard_app",
  ]);
  const db = createDatabase({ url, max: POOL, applicationName: "bench worker" });
  const owner = createDatabase({ url, max: 1, role: "owner", applicationName: "bench sender" });
  const ctx = benchContext(db, {
    tenantId: MESSAGES_TENANT,
    actor: { kind: "system", id: "bench", name: "bench" },
  });
  return {
    owner,
    ctx,
    async close() {
      await ctx.answers.close();
      await owner.close();
      await db.close();
    },
  };
}

/** A destination in this process that takes everything at once: what is left is the relay's own work. */
function instant(): Transports {
  const transport = {
    name: "http" as const,
    concurrency: 8,
    deliver: () => Promise.resolve({ kind: "acknowledged" as const }),
    close: () => Promise.resolve(),
  };
  return { of: () => transport, close: transport.close };
}

/** Outbox to history: claim, deliver, publish, as the worker's loop does it. */
export function ourRelay(): Contender {
  return {
    ...ONE_AT_A_TIME,
    name: RELAY,
    work: "nothing",
    settings: "as the worker runs it: one topic, its own batches",
    async open(url) {
      const { owner, ctx, close } = await openBenchTenant(url);
      const transports = instant();
      return {
        async send(ids) {
          const values = [MESSAGES_TENANT, JSON.stringify(ids.map(outboxRow))];
          await owner.pool.query({ name: "send", text: WRITE_OUTBOX, values });
        },
        finishSome: async () => (await relay(ctx, transports)).published,
        close,
      };
    },
  };
}

function outboxRow(id: string): Readonly<Record<string, unknown>> {
  return {
    id,
    operation_id: id,
    aggregate_type: "payment",
    aggregate_id: id,
    topic: TOPIC,
    type: "payment.succeeded",
    payload: payloadOf(id),
    headers: { [ENVELOPE_HEADER]: CLOUD_EVENTS },
  };
}

/** How messages come in: as a broker hands them over, or each in a call of `POST /events`. */
export type Arrivals = "in batches" | "one by one";

/** Inbox: received, handled by a transactional consumer, marked with its effect. */
export function ourConsume(work: WorkKind, arrivals: Arrivals = "in batches"): Contender {
  const singly = arrivals === "one by one";
  return {
    sendBatch: singly ? 1 : RECORD_BATCH,
    sendsAtOnce: singly ? RECEIVE_CONCURRENCY : 1,
    lanes: 1,
    name: singly ? `${CONSUME}, received ${arrivals}` : CONSUME,
    work,
    settings: singly
      ? `${String(RECEIVE_CONCURRENCY)} arrivals at once, each committed before it is acknowledged`
      : `as the worker runs it; received as from a broker, ${String(RECORD_BATCH)} in a commit`,
    async open(url) {
      const { ctx, close } = await openBenchTenant(url);
      const consumers = createConsumerRegistry([consumerOf(work)]);
      return {
        async send(ids) {
          await receiveAll(ctx, consumers, ids.map(requestOf));
        },
        async finishSome() {
          const together = await consumeTogether(ctx, consumers);
          // What took too long beside others, on a busy machine: the worker has a second loop for it.
          return (together.claimed > 0 ? together : await consumeAlone(ctx, consumers)).processed;
        },
        close,
      };
    },
  };
}

function requestOf(id: string): ReceiveRequest {
  const payload = payloadOf(id);
  return {
    source: SOURCE,
    messageId: id,
    type: "payment.succeeded",
    payload,
    payloadBytes: Buffer.from(JSON.stringify(payload)),
    headers: { "content-type": "application/json" },
  };
}

function consumerOf(work: WorkKind): Consumer {
  return {
    name: "bench",
    path: "transaction",
    subscribes: () => true,
    async handle(_ctx, tx, message) {
      if (work === "one row")
        await tx.query({ name: "bench_effect", text: INSERT_EFFECT, values: [message.messageId] });
      return "ok";
    },
  };
}
