import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";

export interface ConflictEventRow {
  readonly id: string;
  readonly operation_id: string;
  readonly operation: string;
  readonly at: string;
  readonly client: string;
  readonly status: number | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
  readonly command: Buffer | null;
}

/** One conflict with its sealed command. Event ids are UUIDv7, so their day is in them. */
export async function selectConflict(
  q: Queryable,
  tenantId: string,
  eventId: string,
  day: string,
): Promise<ConflictEventRow | undefined> {
  const { rows } = await q.query<ConflictEventRow>({
    text: `select e.id, e.operation_id, e.operation, ${iso("e.at")} as at, coalesce(c.name, e.client, '') as client, e.status, e.detail, e.command
from onceboard.idempotency_events e
left join onceboard.api_clients c on c.tenant_id = e.tenant_id and c.id = e.client
where e.tenant_id = $1 and e.id = $2 and e.type = 'conflict' and e.day between $3::date - 1 and $3::date + 1`,
    values: [tenantId, eventId, day],
  });
  return rows[0];
}

export interface ConflictCommandRow {
  readonly id: string;
  readonly operation_id: string;
  readonly operation: string;
  readonly key: string;
  /** Names of the differing fields, as the event keeps them. */
  readonly fields: unknown;
  readonly second: Buffer | null;
  readonly first: Buffer | null;
}

/** Both sealed commands of some conflicts, for the pattern of a group. @param days UTC days of the first and the last of them */
export async function selectConflictCommands(
  q: Queryable,
  tenantId: string,
  eventIds: readonly string[],
  days: { readonly first: string; readonly last: string },
): Promise<ConflictCommandRow[]> {
  if (eventIds.length === 0) return [];
  const { rows } = await q.query<ConflictCommandRow>({
    text: `select e.id, e.operation_id, r.operation, r.key, e.detail -> 'differingFields' as fields, e.command as second, b.body as first
from onceboard.idempotency_events e
join onceboard.idempotency_requests r on r.tenant_id = e.tenant_id and r.operation_id = e.operation_id
left join onceboard.idempotency_bodies b on b.tenant_id = r.tenant_id and b.day = r.body_day and b.operation_id = r.operation_id and b.kind = 'command'
where e.tenant_id = $1 and r.tenant_id = $1 and e.id = any($2::uuid[]) and e.day between $3::date and $4::date`,
    values: [tenantId, eventIds, days.first, days.last],
  });
  return rows;
}
