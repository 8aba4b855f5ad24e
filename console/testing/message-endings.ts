import { randomUUID } from "node:crypto";
import type { Rows } from "./message-world";

/** Consumers by state. */
const HELD_AS: readonly Readonly<Record<string, string>>[] = [
  {},
  { ledger: "processed" },
  { ledger: "processed", mail: "dead" },
  { ledger: "processed", mail: "recorded" },
  { ledger: "processed", mail: "discarded" },
  { ledger: "processed", mail: "processed" },
];

/** Messages that left, were closed, discarded or replaced, at every attempt; and what consumers did with them. */
export async function writeEndings(rows: Rows, tenant: string): Promise<void> {
  for (const [index, held] of HELD_AS.entries())
    for (const by of ["relay-1", "operator"] as const) {
      if (by === "operator" && index === 0) continue;
      const id = randomUUID();
      await rows(
        `insert into onceboard.outbox_history (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, day, position, published_at, published_by, transport, attempts_started, attempts_finished)
         select $1, $2, 'payment', 'p', 'payments', 'payment.succeeded', '{}', at - make_interval(secs => 2.5 + 70 * $3), (at at time zone 'utc')::date, 1, at, $4, 'http', $3 + 1, $3 + 1
         from (select now() as at) t`,
        ...[tenant, id, index, by],
      );
      for (const [consumer, state] of Object.entries(held)) await writeArrivalOf(rows, tenant, { id, consumer, state });
    }
  for (const [attempts, replaced] of [
    [0, false],
    [12, false],
    [12, true],
  ] as const) {
    const id = await writeOut(rows, tenant, { state: "discarded", attempts });
    if (!replaced) continue;
    const other = await writeOut(rows, tenant, { state: "pending", attempts: 0, corrects: id });
    await rows(
      `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at, settled_at, settled_by, settlement, corrected_by)
       values ($1, gen_random_uuid(), 'outbox', $2, 'payments', 'payment.succeeded', 'x:1', 'x', 'it failed', $3, now(), now(), 'op-1', 'corrected', $4)`,
      ...[tenant, id, attempts, other],
    );
  }
  for (const attempts of [1, 3]) {
    await writeOut(rows, tenant, { state: "pending", attempts });
    await writeOut(rows, tenant, { state: "pending", attempts, leased: true });
    await writeOut(rows, tenant, { state: "dead", attempts });
  }
  for (const [attempts, leased] of [
    [0, false],
    [1, true],
    [2, true],
    [1, false],
    [4, false],
  ] as const)
    await writeArrivalOf(rows, tenant, { id: randomUUID(), consumer: "ledger", state: "recorded", attempts, leased });
}

interface OutOf {
  readonly state: string;
  readonly attempts: number;
  readonly leased?: boolean;
  readonly corrects?: string;
}

async function writeOut(rows: Rows, tenant: string, { state, attempts, leased, corrects }: OutOf): Promise<string> {
  const id = randomUUID();
  await rows(
    `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, headers, created_at, next_attempt_at, state,
       owner, locked_until, attempts_started, attempts_finished)
     values ($1, $2::uuid, 'payment', $2::uuid::text, 'payments', 'payment.succeeded', '{}', $3, now() - interval '90 seconds', now(), $4, case when $5 then 'relay-1' end,
       case when $5 then now() + interval '10 minutes' end, $6, $6)`,
    ...[tenant, id, JSON.stringify(corrects === undefined ? {} : { corrects }), state, leased ?? false, attempts],
  );
  return id;
}

interface ArrivalOf {
  readonly id: string;
  readonly consumer: string;
  readonly state: string;
  readonly attempts?: number;
  readonly leased?: boolean;
}

async function writeArrivalOf(rows: Rows, tenant: string, of: ArrivalOf): Promise<void> {
  const { id, consumer, state, attempts = 0, leased = false } = of;
  await rows(
    `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at, state, processed_at, duplicates, mismatches)
     values ($1, gen_random_uuid(), $2, 'onceboard', $3, 'payment.succeeded', '{}', '\\x00', now() - interval '65 seconds', $4, case when $4 = 'processed' then now() end,
       $5, $6)`,
    ...[tenant, consumer, id, state, attempts, attempts > 1 ? attempts - 1 : 0],
  );
  if (state === "recorded")
    await rows(
      `insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at, attempts_started, owner, locked_until)
       select tenant_id, id, consumer, received_at, now(), $4, case when $5 then 'consumer-1' end, case when $5 then now() + interval '10 minutes' end
       from onceboard.inbox_messages where tenant_id = $1 and consumer = $2 and message_id = $3`,
      ...[tenant, consumer, id, attempts, leased],
    );
  if (state === "processed")
    await rows(
      "insert into onceboard.inbox_batches (tenant_id, processed_at, id, consumer, lags_ms) values ($1, now(), gen_random_uuid(), $2, array[1.0])",
      ...[tenant, consumer],
    );
}
