import type { Queryable } from "../client";

/**
 * Adds a secret to a source, which the first one makes known; those without an end stay valid for the overlap only.
 *
 * @param input.secret sealed
 */
export async function addEventSecret(
  tx: Queryable,
  input: {
    readonly tenantId: string;
    readonly source: string;
    readonly secretId: string;
    readonly secret: Buffer;
    readonly overlapHours: number;
  },
): Promise<void> {
  await tx.query({
    text: `update onceboard.event_sources set expires_at = clock_timestamp() + make_interval(hours => $3)
           where tenant_id = $1 and source = $2 and expires_at is null`,
    values: [input.tenantId, input.source, input.overlapHours],
  });
  await tx.query({
    text: `insert into onceboard.event_sources (tenant_id, source, secret_id, secret, created_at)
           values ($1, $2, $3, $4, clock_timestamp())`,
    values: [input.tenantId, input.source, input.secretId, input.secret],
  });
}
