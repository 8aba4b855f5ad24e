import type { Queryable } from "@/db/client";

export interface EventSourceDbRow {
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

/**
 * Adds a secret to a source, which the first one makes known; those without an end stay valid for the overlap only.
 *
 * @param input.secret sealed
 */
export async function insertEventSecret(
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

/** Two who change the secrets of a tenant wait for each other, so the most and the last of them hold. */
export async function lockEventSecrets(tx: Queryable, tenantId: string): Promise<void> {
  await tx.query({ text: "select 1 from onceboard.tenants where id = $1 for no key update", values: [tenantId] });
}

/** Ends a secret of a source now. @returns whether it was valid until now */
export async function endEventSecret(
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

/** Most secrets of one source that overlap during a rotation. */
export const SECRETS_LIMIT = 5;

/** @returns sealed secrets that are valid now, newest first. */
export async function eventSourceSecrets(db: Queryable, tenantId: string, source: string): Promise<EventSourceDbRow[]> {
  const { rows } = await db.query<EventSourceDbRow>({
    name: "event_source_secrets",
    text: `select secret_id, secret from onceboard.event_sources
           where tenant_id = $1 and source = $2 and (expires_at is null or expires_at > clock_timestamp())
           order by created_at desc, secret_id limit $3`,
    values: [tenantId, source, SECRETS_LIMIT],
  });
  return rows;
}

/** @returns at most two tenants that know this source: one is an answer, two are a question to the sender. */
export async function tenantsOfEventSource(db: Queryable, source: string): Promise<string[]> {
  const { rows } = await db.query<{ tenant_id: string }>({
    name: "tenants_of_event_source",
    text: `select distinct tenant_id from onceboard.event_sources
            where source = $1 and (expires_at is null or expires_at > clock_timestamp()) limit 2`,
    values: [source],
  });
  return rows.map((row) => row.tenant_id);
}
