import { randomUUID } from "node:crypto";
import fc from "fast-check";
import type { Rows } from "./message-world";

/** Endpoints of a world. */
const MOST_ENDPOINTS = 3;
const HOUR_S = 3_600;
/** Seconds before now, of minutes that are over; the last two are of yesterday. */
const AGES = [90, 600, 5 * HOUR_S, 25 * HOUR_S, 40 * HOUR_S] as const;

/** An endpoint of a merchant and how its deliveries go. */
export interface GeneratedEndpoint {
  readonly off: "no" | "by a person" | "by the service" | "enabled since";
  /** Its circuit: the next canary is due, later, under way, or was lost with its process. */
  readonly circuit: "none" | "failing" | "due" | "later" | "testing" | "lost";
  readonly paused: boolean;
  /** Valid ones, and whether one more has ended. */
  readonly secrets: 1 | 2 | 3;
  readonly ended: boolean;
  /** Messages that wait: tried in vain or not. */
  readonly waiting: readonly ("fresh" | "failed")[];
  readonly dead: number;
  readonly delivered: readonly number[];
  /** Attempts that did not succeed, by age: another one followed, or it was the last one. */
  readonly failed: readonly { readonly age: number; readonly outcome: "failed" | "dead" | "lost" }[];
}
/** A secret of a source of events: valid for good, for some hours, or ended. */
interface GeneratedSecret {
  readonly source: "provider" | "bank" | "onceboard";
  readonly valid: "for good" | "for hours" | "no";
}
export interface EndpointWorld {
  readonly endpoints: readonly GeneratedEndpoint[];
  readonly secrets: readonly GeneratedSecret[];
}

const age = fc.constantFrom(...AGES);
const generatedEndpoint = fc.record<GeneratedEndpoint>({
  off: fc.constantFrom("no", "no", "no", "by a person", "by the service", "enabled since"),
  circuit: fc.constantFrom("none", "none", "failing", "due", "later", "testing", "lost"),
  paused: fc.nat(4).map((roll) => roll === 0),
  secrets: fc.constantFrom(1, 1, 2, 3),
  ended: fc.boolean(),
  waiting: fc.array(fc.constantFrom("fresh", "failed"), { maxLength: 3 }),
  dead: fc.constantFrom(0, 0, 1, 2),
  delivered: fc.array(age, { maxLength: 3 }),
  failed: fc.array(fc.record({ age, outcome: fc.constantFrom("failed", "dead", "lost") }), { maxLength: 3 }),
});
/** Endpoints in every state, and sources of events with secrets of every kind. */
export const endpointWorlds: fc.Arbitrary<EndpointWorld> = fc.record({
  endpoints: fc.array(generatedEndpoint, { maxLength: MOST_ENDPOINTS }),
  secrets: fc.array(
    fc.record<GeneratedSecret>({
      source: fc.constantFrom("provider", "bank", "onceboard"),
      valid: fc.constantFrom("for good", "for hours", "no"),
    }),
    { maxLength: 4 },
  ),
});

/** Writes a world into a tenant of its own, with every minute that is over rolled up. @returns the tenant and its endpoints */
export async function writeEndpoints(
  rows: Rows,
  { endpoints, secrets }: EndpointWorld,
): Promise<{ readonly tenant: string; readonly ids: readonly string[] }> {
  const tenant = `t-${randomUUID().slice(0, 8)}`;
  await rows("insert into onceboard.tenants (id, name) values ($1, $1)", tenant);
  const ids = [];
  for (const each of endpoints) ids.push(await writeEndpoint(rows, tenant, each));
  for (const { source, valid } of secrets)
    await rows(
      `insert into onceboard.event_sources (tenant_id, source, secret_id, secret, created_at, expires_at)
       values ($1, $2, gen_random_uuid(), '\\x00', now(), case $3 when 'for hours' then now() + interval '5 hours' when 'no' then now() - interval '1 hour' end)`,
      ...[tenant, source, valid],
    );
  await rows(
    `select onceboard.roll_up_messages($1, array_agg(distinct date_trunc('minute', m.at, 'UTC'))) from (
       select published_at as at from onceboard.outbox_history where tenant_id = $1
       union all select ended_at from onceboard.message_attempts where tenant_id = $1) m`,
    tenant,
  );
  return { tenant, ids };
}

async function writeEndpoint(rows: Rows, tenant: string, of: GeneratedEndpoint): Promise<string> {
  const id = randomUUID();
  const run = (text: string, ...values: unknown[]) => rows(text, tenant, id, ...values);
  const isOff = of.off === "by a person" || of.off === "by the service";
  await run(
    `insert into onceboard.webhook_endpoints (tenant_id, id, url, types, created_by, disabled_at)
     values ($1, $2::uuid, 'https://shop.example/' || $2::uuid::text, '{}', 'op-1', case when $3 then now() - interval '3 hours' end)`,
    isOff,
  );
  if (of.off !== "no") await writeDisabling(run, of.off === "by the service" ? "relay" : "Mira");
  if (of.paused)
    await run(
      `insert into onceboard.topics (tenant_id, topic, paused_at, paused_by, pause_reason, updated_by)
       values ($1, 'webhook:' || $2::uuid, now(), 'op-1', 'a test', 'op-1')`,
    );
  await writeCircuit(run, of.circuit);
  await run(
    `insert into onceboard.webhook_secrets (tenant_id, endpoint_id, secret_id, secret, created_at, expires_at)
     select $1, $2, gen_random_uuid(), '\\x00', now() - make_interval(mins => n),
       case when n >= $3 then now() - interval '1 minute' when n > 0 then now() + make_interval(hours => 24 - 5 * n) end
     from generate_series(0, $4::int - 1) n`,
    ...[of.secrets, of.secrets + (of.ended ? 1 : 0)],
  );
  await writeMessages(run, of);
  return id;
}

type Run = (text: string, ...values: unknown[]) => Promise<unknown>;

/** Twice by others before, once of them in vain. */
async function writeDisabling(run: Run, by: string): Promise<void> {
  await run(
    `insert into onceboard.audit_entries (tenant_id, id, sequence, at, actor_kind, actor_id, actor_name, action, subject_type, subject_id, reason, after,
       previous_hash, hash)
     select $1, gen_random_uuid(), coalesce((select max(sequence) from onceboard.audit_entries where tenant_id = $1), 0) + o.n, now() - interval '3 hours', 'operator', 'op-1', o.name, 'webhook_endpoints.disable',
       'webhook_endpoint', $2::uuid::text, o.reason, jsonb_build_object('changed', o.changed), '\\x00', '\\x00'
     from (values (1, 'Zoe', 'before', true), (2, $3, 'it moved', true), (3, 'Dana', 'again', false)) o (n, name, reason, changed)`,
    by,
  );
}

/** As fail_circuit and claim_outbox leave it. */
async function writeCircuit(run: Run, circuit: GeneratedEndpoint["circuit"]): Promise<void> {
  if (circuit === "none") return;
  const inMinutes = circuit === "later" ? 7 : circuit === "testing" ? 1 : -1;
  const out = circuit === "testing" || circuit === "lost";
  await run(
    `insert into onceboard.topic_circuits (tenant_id, topic, failures, opened_at, canary_at, canary_out, last_error, last_error_code, updated_at)
     values ($1, 'webhook:' || $2::uuid, case when $3 then 7 else 3 end, case when $3 then now() - interval '2 hours' end,
       case when $3 then now() + make_interval(mins => $4) end, $5, 'The endpoint answered 503', 'webhook.http_503', now())`,
    ...[circuit !== "failing", inMinutes, out],
  );
}

async function writeMessages(run: Run, { waiting, dead, delivered, failed }: GeneratedEndpoint): Promise<void> {
  const states = [...waiting, ...Array.from({ length: dead }, () => "dead")];
  await run(
    `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at, state,
       attempts_started, attempts_finished, last_error, last_error_code)
     select $1, gen_random_uuid(), 'webhook:' || $2::uuid, 'pay_1', 'webhook:' || $2::uuid, 'payment.succeeded', '{}', now() - interval '1 hour', now(),
       case s when 'dead' then 'dead' else 'pending' end, n.tries, n.tries, n.error, n.error
     from unnest($3::text[]) s cross join lateral (select case s when 'fresh' then 0 else 12 end as tries, case s when 'failed' then 'it failed' end as error) n`,
    states,
  );
  await run(
    `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     select m.tenant_id, gen_random_uuid(), 'outbox', m.id, m.topic, m.type, 'f', 'webhook.http_503', 'it failed', 12, now()
     from onceboard.outbox_messages m where m.tenant_id = $1 and m.topic = 'webhook:' || $2::uuid and m.state = 'dead'`,
  );
  await run(
    `insert into onceboard.outbox_history (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, day, position, published_at,
       published_by, transport)
     select $1, gen_random_uuid(), 'payment', 'p', 'webhook:' || $2::uuid, 'payment.succeeded', '{}', at, (at at time zone 'utc')::date, 1, at, 'relay-1', 'http'
     from unnest($3::int[]) age cross join lateral (select now() - make_interval(secs => age) as at) t`,
    delivered,
  );
  await run(
    `insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, fence, ended_at, outcome, error_code)
     select $1, (at at time zone 'utc')::date, gen_random_uuid(), 'outbox', gen_random_uuid(), 'webhook:' || $2::uuid, 1, 1, at, f.outcome, 'webhook.http_503'
     from jsonb_to_recordset($3::jsonb) f (age int, outcome text) cross join lateral (select now() - make_interval(secs => f.age) as at) t`,
    JSON.stringify(failed),
  );
}
