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
  await db.query({
    name: "record_retention_run",
    text: `insert into onceboard.retention_runs (tenant_id, id, actor, kind, rows, bytes, detail)
           values ($1, $2, $3, $4, $5, $6, $7::jsonb)`,
    values: [
      run.tenantId,
      run.id,
      run.actor,
      run.kind,
      run.rows,
      run.bytes > INT4_MAX ? INT4_MAX : run.bytes,
      JSON.stringify(run.detail),
    ],
  });
}
