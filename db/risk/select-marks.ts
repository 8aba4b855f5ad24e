import { sql } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { rowsOf, timeText } from "@/db/query";
import type { Span } from "@/domain/metrics/risk";

export interface MarkEntryRow {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly subjectId: string;
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
}

/** What the index `audit_entries_marks` holds; text, so that the planner sees its condition. */
const MARKED = sql.raw(
  "a.action in ('policies.write', 'topics.pause', 'topics.resume', 'webhook_endpoints.disable', 'webhook_endpoints.enable')",
);

/** Changes of policies and pauses that did something, of a time, the newest first. */
export async function selectMarkEntries(
  q: Queryable,
  tenantId: string,
  { from, to }: Span,
  limit: number,
): Promise<MarkEntryRow[]> {
  return rowsOf(
    q,
    sql<MarkEntryRow>`select a.id, ${timeText(sql`a.at`)} as at, a.action, a.subject_id,
  case when a.action = 'policies.write' then a.before end as before, case when a.action = 'policies.write' then a.after end as after
from onceboard.audit_entries a
where a.tenant_id = ${tenantId} and a.at >= ${from}::timestamptz and a.at <= ${to}::timestamptz and ${MARKED}
  and a.after ->> 'changed' is distinct from 'false'
order by a.at desc limit ${limit}`,
  );
}
