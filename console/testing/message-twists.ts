import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { OUTAGE_CODES } from "@/domain/messages/outage";

type Rows = <R>(text: string, ...values: unknown[]) => Promise<R[]>;

/** What else may be so of one message of a world: what its own columns say, and its operation. */
export interface MessageTwist {
  /** Of a waiting one of the outbox: nothing could be sent at the last try. */
  readonly outage?: string | undefined;
  /** Of a discarded one of the outbox: another was sent in its place. */
  readonly corrected: boolean;
  readonly operation: "none" | "unknown" | "settled";
  /** Of the inbox. */
  readonly mismatches: number;
  readonly unfinished: number;
  /** What holds one of the outbox has not handled it yet. */
  readonly recorded: boolean;
}

const seldom = fc.nat(3).map((roll) => roll === 0);
export const messageTwists: fc.Arbitrary<readonly MessageTwist[]> = fc.array(
  fc.record({
    outage: fc.option(fc.constantFrom(...OUTAGE_CODES), { nil: undefined }),
    corrected: fc.boolean(),
    operation: fc.constantFrom("none", "none", "none", "unknown", "settled"),
    mismatches: seldom.map(Number),
    unfinished: fc.constantFrom(0, 0, 1, 2, 3),
    recorded: seldom,
  }),
  { maxLength: 10 },
);

/** Twists the messages of a tenant, one each, in the order of their ids. */
export async function twist(rows: Rows, tenant: string, twists: readonly MessageTwist[]): Promise<void> {
  const ids = await rows<{ id: string }>(
    `select id from onceboard.outbox_messages where tenant_id = $1
     union all select id from onceboard.inbox_messages where tenant_id = $1 and source = 'onceboard' order by 1`,
    tenant,
  );
  for (const [index, each] of twists.entries()) {
    const id = ids[index]?.id;
    if (id !== undefined) await twistOne(rows, tenant, id, each);
  }
}

async function twistOne(rows: Rows, tenant: string, id: string, of: MessageTwist): Promise<void> {
  const run = (text: string, ...values: unknown[]) => rows(text, tenant, id, ...values);
  const which = "tenant_id = $1 and id = $2";
  if (of.outage !== undefined)
    await run(
      `update onceboard.outbox_messages set last_error_code = $3 where ${which} and state = 'pending'`,
      of.outage,
    );
  if (of.corrected)
    await run(
      `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts,
         dead_at, settled_at, settled_by, settlement, corrected_by)
       select tenant_id, gen_random_uuid(), 'outbox', id, topic, type, 'x', 'webhook.http_422', 'refused', 1, created_at, now(), 'Mira', 'corrected',
         gen_random_uuid() from onceboard.outbox_messages where ${which} and state = 'discarded'`,
    );
  if (of.recorded)
    await rows(
      // What told the roll-up of it goes with it: the two are written together.
      `with told as (
         delete from onceboard.inbox_batches b using onceboard.inbox_messages i
         where i.tenant_id = $1 and i.message_id = $2 and i.source = 'onceboard' and i.state = 'processed'
           and b.tenant_id = i.tenant_id and b.consumer = i.consumer and b.processed_at = i.processed_at),
       held as (
         update onceboard.inbox_messages set state = 'recorded', processed_at = null, received_at = now() - interval '10 seconds'
         where tenant_id = $1 and message_id = $2 and source = 'onceboard' and state = 'processed' returning *)
       insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at)
       select tenant_id, id, consumer, received_at, now() from held`,
      ...[tenant, id],
    );
  if (of.mismatches > 0) await run(`update onceboard.inbox_messages set mismatches = $3 where ${which}`, of.mismatches);
  await run(
    `update onceboard.inbox_messages set attempts_started = 4 + $3::int, attempts_finished = 4 where ${which} and state = 'dead'`,
    of.unfinished,
  );
  await run(
    `update onceboard.inbox_open set attempts_started = $3::int + case when locked_until > now() then 1 else 0 end where ${which}`,
    of.unfinished,
  );
  if (of.operation !== "none") await ofOperation(rows, tenant, id, of.operation);
}

async function ofOperation(rows: Rows, tenant: string, id: string, state: "unknown" | "settled"): Promise<void> {
  const operation = randomUUID();
  await rows(
    `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
       state, body_day, created_at, updated_at, expires_at, purge_after)
     values ($1, 'payments.create', $2, $3, 'shop', '\\x00', 1, '2026-09-01', $4, current_date, now(), now(), now() + interval '1 day', now() + interval '30 days')`,
    ...[tenant, operation, operation, state === "unknown" ? "UNKNOWN_REQUIRES_RECOVERY" : "COMPLETED"],
  );
  for (const table of ["outbox_messages", "inbox_messages"])
    await rows(
      `update onceboard.${table} set operation_id = $3 where tenant_id = $1 and id = $2`,
      tenant,
      id,
      operation,
    );
}
