import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { OPERATION_STATES, type OperationState } from "@/domain/idempotency/states";
import type { Rows } from "./message-world";

const HOUR_MS = 3_600_000;
/** Operations of a world. */
const MOST_OPERATIONS = 8;

/** What is kept of one operation. */
export interface KeptOperation {
  readonly operation: "payments.create" | "refunds.create" | "shop.order";
  readonly state: OperationState;
  /** Where a retry finds its answer. */
  readonly replay: "stored" | "reference" | "none";
  /** Since its bodies were kept, and how long its key lives from then on. */
  readonly ageHours: number;
  readonly keyHours: number;
  /** Bytes of each of its bodies. */
  readonly size: number;
  /** Its bodies are gone. */
  readonly purged: boolean;
}
export interface PurgeWorld {
  readonly kept: readonly KeptOperation[];
  /** Hours that bodies of an operation are kept, where the tenant decided otherwise than the deployment, which keeps them 24. */
  readonly ttls: Readonly<Record<string, number>>;
}

const operation = fc.constantFrom<KeptOperation["operation"]>("payments.create", "refunds.create", "shop.order");
export const keptOperations = fc.record<KeptOperation>({
  operation,
  state: fc.oneof(fc.constant<OperationState>("COMPLETED"), fc.constantFrom(...OPERATION_STATES)),
  replay: fc.constantFrom("stored", "stored", "reference", "none"),
  ageHours: fc.constantFrom(1, 20, 30, 30, 60, 100),
  keyHours: fc.constantFrom(24, 24, 720),
  size: fc.constantFrom(1, 40, 312, 2_000),
  purged: fc.nat(9).map((roll) => roll === 0),
});
/** Operations in every state and of every age, with keys that live longer than their bodies or shorter. */
export const purgeWorlds: fc.Arbitrary<PurgeWorld> = fc.record({
  kept: fc.array(keptOperations, { maxLength: MOST_OPERATIONS }),
  ttls: fc.oneof(fc.constant({}), fc.dictionary(operation, fc.constantFrom(12, 48, 72), { maxKeys: 2 })),
});

/** As claim and complete leave it; an open one has a line of its own. */
const INSERT = `
with o as (
  select o.*, now() - make_interval(hours => o."ageHours") as at from jsonb_to_recordset($2::jsonb)
    as o(id uuid, operation text, state text, replay text, "ageHours" int, "keyHours" int, size int, purged boolean)),
r as (
  insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version, state,
    response_status, replay, body_day, body_purged_at, created_at, updated_at, expires_at, purge_after)
  select $1, operation, 'key-' || id, id, 'till', '\\x00', 1, '1', state,
    case state when 'COMPLETED' then 201 when 'EXPIRED' then 201 when 'FAILED_REPLAYABLE' then 402 end, replay, (at at time zone 'utc')::date,
    case when purged then now() end, at, at, at + make_interval(hours => "keyHours"), at + interval '90 days'
  from o),
b as (
  insert into onceboard.idempotency_bodies (tenant_id, day, operation_id, kind, body, created_at)
  select $1, (at at time zone 'utc')::date, id, kind, decode(repeat('00', size), 'hex'), at from o cross join unnest(array['command', 'response']) kind
  where not purged and (kind = 'command' or (replay = 'stored' and state in ('COMPLETED', 'FAILED_REPLAYABLE', 'EXPIRED'))))
insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, fence, stage, opened_at, unknown_since)
select $1, id, operation, 'key-' || id, 1, 'PROVIDER_REQUEST_SENT', at, case when state = 'UNKNOWN_REQUIRES_RECOVERY' then at end
from o where state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')`;

/** A key expires with its window, and what is open keeps its body. */
function asWritten({ state, purged, ...of }: KeptOperation) {
  const over = of.ageHours >= of.keyHours;
  const open = state === "IN_PROGRESS" || state === "UNKNOWN_REQUIRES_RECOVERY";
  const id = uuidv7({ msecs: Date.now() - of.ageHours * HOUR_MS });
  return { ...of, id, state: state === "EXPIRED" && !over ? "COMPLETED" : state, purged: purged && !open };
}

/** Writes a world into a tenant of its own. @returns the tenant and its operations, in their order */
export async function writePurgeWorld(
  rows: Rows,
  { kept, ttls }: PurgeWorld,
): Promise<{ readonly tenant: string; readonly ids: readonly string[] }> {
  const tenant = `t-${randomUUID().slice(0, 8)}`;
  await rows("insert into onceboard.tenants (id, name) values ($1, $1)", tenant);
  const written = kept.map(asWritten);
  await rows(INSERT, tenant, JSON.stringify(written));
  for (const [name, bodyTtlHours] of Object.entries(ttls)) await keepBodiesFor(rows, tenant, name, bodyTtlHours);
  return { tenant, ids: written.map(({ id }) => id) };
}

/** What a tenant decides about the bodies of an operation. */
export async function keepBodiesFor(
  rows: Rows,
  tenant: string,
  operation: string,
  bodyTtlHours: number,
): Promise<void> {
  await rows(
    `insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ($1, $2, $3::jsonb, 'op-1')
     on conflict (tenant_id, operation) do update set overrides = excluded.overrides`,
    ...[tenant, operation, JSON.stringify({ bodyTtlHours })],
  );
}

/** For how long the bodies of the request `r` are kept. */
export const HOURS_SQL = `coalesce((select (p.overrides ->> 'bodyTtlHours')::int from onceboard.operation_policies p
  where p.tenant_id = r.tenant_id and p.operation = r.operation), 24)`;

/**
 * What stands in the tables, operation by operation, as `k`: `old` longer than its policy keeps it, `goes` with a purge, `replays` its first
 * bytes to a retry that may still come. $1 is the tenant.
 */
export const KEPT_SQL = `k as (
  select x.*, x.old and not x.open and not x.again as goes from (
    select r.operation_id, r.expires_at, r.expires_at > now() as live, b.bodies, b.bytes, b.kept, t.hours,
      b.kept <= now() - make_interval(hours => t.hours) as old, r.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY') as open,
      r.state = 'FAILED_RETRYABLE' and r.expires_at > now() as again, b.answer and r.expires_at > now() as replays
    from onceboard.idempotency_requests r
    cross join lateral (
      select count(*) as bodies, coalesce(sum(octet_length(x.body)), 0) as bytes, min(x.created_at) as kept, coalesce(bool_or(x.kind = 'response'), false) as answer
      from onceboard.idempotency_bodies x where x.tenant_id = r.tenant_id and x.day = r.body_day and x.operation_id = r.operation_id) b
    cross join lateral (select ${HOURS_SQL} as hours) t
    where r.tenant_id = $1 and b.bodies > 0) x)`;
