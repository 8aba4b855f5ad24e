import type { Queryable } from "@/db/client";

export interface EventSourceRow {
  readonly secret_id: string;
  /** Ciphertext. */
  readonly secret: Buffer;
}

/** Keeps the first secret of a source; a second caller's secret is not used. @returns the valid ones, newest first. */
export async function ensureEventSourceRow(
  db: Queryable,
  input: { readonly tenantId: string; readonly source: string; readonly secretId: string; readonly secret: Buffer },
): Promise<void> {
  await db.query({
    text: `insert into onceboard.event_sources (tenant_id, source, secret_id, secret, created_at)
           values ($1, $2, $3, $4, clock_timestamp()) on conflict do nothing`,
    values: [input.tenantId, input.source, input.secretId, input.secret],
  });
}
