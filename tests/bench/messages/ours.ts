import { v7 as uuidv7 } from "uuid";
import { createDatabase, type Database } from "@/db/client";
import { migrate } from "@/db/migrate";
import { withConcurrency } from "@/domain/with-concurrency";
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
import { EFFECTS_TABLE, INSERT_EFFECT, payloadOf, sendBatches, type Contender, type WorkKind } from "./contender";

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
  await migrate(url);
  await runAsOwner(url, [
    `insert into onceboard.tenants (id, name) values ('${MESSAGES_TENANT}', 'Bench') on conflict do nothing`,
    EFFECTS_TABLE,
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
    name: RELAY,
    work: "nothing",
    settings: "as the worker runs it: one topic, its own batches",
    async open(url) {
      const { owner, ctx, close } = await openBenchTenant(url);
      const transports = instant();
      return {
        async send(count) {
          for (const size of sendBatches(count)) {
            const messages = Array.from({ length: size }, () => outboxRow(uuidv7()));
            await owner.pool.query({
              name: "send",
              text: WRITE_OUTBOX,
              values: [MESSAGES_TENANT, JSON.stringify(messages)],
            });
          }
        },
        async finish() {
          let done = 0;
          for (;;) {
            const { claimed, published } = await relay(ctx, transports);
            if (claimed === 0) return done;
            done += published;
          }
        },
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
    name: singly ? `${CONSUME}, received ${arrivals}` : CONSUME,
    work,
    settings: singly
      ? `${String(RECEIVE_CONCURRENCY)} arrivals at once, each committed before it is acknowledged`
      : `as the worker runs it; received as from a broker, ${String(RECORD_BATCH)} in a commit`,
    async open(url) {
      const { ctx, close } = await openBenchTenant(url);
      const consumers = createConsumerRegistry([consumerOf(work)]);
      return {
        async send(count) {
          const requests = Array.from({ length: count }, () => requestOf(uuidv7()));
          const size = singly ? 1 : RECORD_BATCH;
          const batches = Array.from({ length: Math.ceil(count / size) }, (_, at) =>
            requests.slice(at * size, (at + 1) * size),
          );
          const ended = await withConcurrency(singly ? RECEIVE_CONCURRENCY : 1, batches, async (batch) => {
            await receiveAll(ctx, consumers, batch);
          });
          const broken = ended.find((end) => end.status === "rejected");
          if (broken !== undefined) throw broken.reason;
        },
        async finish() {
          let done = 0;
          for (;;) {
            const together = await consumeTogether(ctx, consumers);
            // What took too long beside others, on a busy machine: the worker has a second loop for it.
            const { claimed, processed } = together.claimed > 0 ? together : await consumeAlone(ctx, consumers);
            if (claimed === 0) return done;
            done += processed;
          }
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
