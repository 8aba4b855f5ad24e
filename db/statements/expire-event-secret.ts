import type { Queryable } from "../client";

/** Ends a secret of a source now. @returns whether it was valid until now */
export async function expireEventSecret(
  tx: Queryable,
  input: { readonly tenantId: string; readonly source: string; readonly secretId: string },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `update onceboard.event_sources set expires_at = clock_timestamp()
           where tenant_id = $1 and source = $2 and secret_id = $3 and (expires_at is null or expires_at > clock_timestamp())`,
    values: [input.tenantId, input.source, input.secretId],
  });
  return rowCount === 1;
}
