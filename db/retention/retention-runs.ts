import type { Queryable } from "@/db/client";

export interface RetentionRun {
  readonly tenantId: string;
  readonly id: string;
  readonly actor: string;
  readonly kind: string;
  readonly rows: number;
  readonly bytes: bigint;
  readonly detail: Readonly<Record<string, unknown>>;
}

const INT4_MAX = 2_147_483_647n;

/** Keeps what one run of retention removed. */
export async function recordRetentionRun(db: Queryable, run: RetentionRun): Promise<void> {
  const { tenantId, id, actor, kind, rows, bytes, detail } = run;
  await db.query({
    name: "record_retention_run",
    text: `insert into onceboard.retention_runs (tenant_id, id, actor, kind, rows, bytes, detail)
           values ($1, $2, $3, $4, $5, $6, $7::jsonb)`,
    values: [tenantId, id, actor, kind, rows, bytes > INT4_MAX ? INT4_MAX : bytes, JSON.stringify(detail)],
  });
}

/**
 * How far a walk over ended windows may be remembered: not past the window of an operation that is still open, for it must
 * expire once it is settled.
 */
export async function retentionWatermark(db: Queryable, tenantId: string, overlapMinutes: number): Promise<Date> {
  const { rows } = await db.query<{ at: Date }>({
    text: `select least(clock_timestamp(), (
             select min(r.expires_at) from onceboard.idempotency_open o
             join onceboard.idempotency_requests r on r.tenant_id = o.tenant_id and r.operation_id = o.operation_id
             where o.tenant_id = $1)) - make_interval(mins => $2) as at`,
    values: [tenantId, overlapMinutes],
  });
  const row = rows[0];
  if (row === undefined) throw new Error("retention watermark: no row");
  return row.at;
}
