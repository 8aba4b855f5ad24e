import type { Queryable } from "@/db/client";
import { isConsoleAction, iso } from "../sql-text";

/** Conflicts read for the page, newest first; older ones of a busier window are left out and said. */
export const CONFLICTS_READ = 1_000;

export interface ConflictDbRow {
  readonly id: string;
  readonly operation_id: string;
  readonly operation: string;
  readonly at: string;
  readonly client: string;
  readonly request_id: string | null;
  readonly status: number | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
}

const COLUMNS = `e.id, e.operation_id, e.operation, ${iso("e.at")} as at, coalesce(c.name, e.client, '') as client, e.request_id, e.status, e.detail`;
const CLIENT = "left join onceboard.api_clients c on c.tenant_id = e.tenant_id and c.id = e.client";

export interface ConflictSearch {
  readonly hours: number;
  readonly client?: string | undefined;
  readonly operation?: string | undefined;
}

/** Conflicts of a window, newest first, from their own partial index; without commands. */
export async function selectConflicts(
  q: Queryable,
  tenantId: string,
  search: ConflictSearch,
): Promise<ConflictDbRow[]> {
  const { rows } = await q.query<ConflictDbRow>({
    text: `select ${COLUMNS} from onceboard.idempotency_events e ${CLIENT}
where e.tenant_id = $1 and e.type = 'conflict' and e.at > now() - make_interval(hours => $2)
  and e.day >= ((now() - make_interval(hours => $2)) at time zone 'utc')::date
  and ($3::text is null or coalesce(c.name, e.client, '') = $3) and case when $4::text is null then not (${isConsoleAction("e.operation")}) else e.operation = $4 end
order by e.at desc, e.id desc limit $5`,
    values: [tenantId, search.hours, search.client ?? null, search.operation ?? null, CONFLICTS_READ],
  });
  return rows;
}

export interface ConflictEventRow extends ConflictDbRow {
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
    text: `select ${COLUMNS}, e.command from onceboard.idempotency_events e ${CLIENT}
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
  readonly second: Buffer | null;
  readonly first: Buffer | null;
}

/** Both sealed commands of several conflicts, for the pattern of a group. */
export async function selectConflictCommands(
  q: Queryable,
  tenantId: string,
  eventIds: readonly string[],
  since: string,
): Promise<ConflictCommandRow[]> {
  if (eventIds.length === 0) return [];
  const { rows } = await q.query<ConflictCommandRow>({
    text: `select e.id, e.operation_id, r.operation, r.key, e.command as second, b.body as first
from onceboard.idempotency_events e
join onceboard.idempotency_requests r on r.tenant_id = e.tenant_id and r.operation_id = e.operation_id
left join onceboard.idempotency_bodies b on b.tenant_id = r.tenant_id and b.day = r.body_day and b.operation_id = r.operation_id and b.kind = 'command'
where e.tenant_id = $1 and r.tenant_id = $1 and e.id = any($2::uuid[]) and e.day >= ($3::timestamptz at time zone 'utc')::date`,
    values: [tenantId, eventIds, since],
  });
  return rows;
}
