import type { Queryable } from "@/db/client";

export interface WebhookEndpointRow {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly description: string;
  readonly disabled_at: Date | null;
}

/** Locked for the rest of the transaction, so that two who change it wait for each other. */
export async function webhookEndpointForChange(
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<WebhookEndpointRow | undefined> {
  const { rows } = await tx.query<WebhookEndpointRow>({
    text: `select id, url, types, description, disabled_at from onceboard.webhook_endpoints
           where tenant_id = $1 and id = $2 for update`,
    values: [tenantId, id],
  });
  return rows[0];
}

/** @returns ids of the enabled endpoints that want a type of event; no types means all. One read of one tenant's few rows. */
export async function webhookSubscribers(
  db: Queryable,
  tenantId: string,
  type: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: "webhook_subscribers",
    text: `select e.id from onceboard.webhook_endpoints e
           where e.tenant_id = $1 and e.disabled_at is null and (e.types = '{}' or $2 = any (e.types))
           order by e.id limit $3`,
    values: [tenantId, type, limit],
  });
  return rows.map(({ id }) => id);
}

/** Most secrets of one endpoint that are valid at once: two during a rotation, more when somebody rotates in a hurry. */
export const WEBHOOK_SECRETS_LIMIT = 4;

export interface WebhookTargetRow {
  readonly url: string;
  readonly disabled: boolean;
  /** Sealed, valid now, newest first. */
  readonly secrets: readonly { readonly id: string; readonly sealed: Buffer }[];
}

/** Where an endpoint's messages go and what signs them. @returns undefined when it is not there any more */
export async function webhookTarget(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<WebhookTargetRow | undefined> {
  const { rows } = await db.query<{ url: string; disabled: boolean; ids: string[]; secrets: Buffer[] }>({
    name: "webhook_target",
    text: `with valid as (
             select v.secret_id, v.secret from onceboard.webhook_secrets v
             where v.tenant_id = $1 and v.endpoint_id = $2 and (v.expires_at is null or v.expires_at > clock_timestamp())
             order by v.created_at desc, v.secret_id desc limit $3)
           select e.url, e.disabled_at is not null as disabled, array(select s.secret_id::text from valid s) as ids,
             array(select s.secret from valid s) as secrets
           from onceboard.webhook_endpoints e where e.tenant_id = $1 and e.id = $2`,
    values: [tenantId, id, WEBHOOK_SECRETS_LIMIT],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    url: row.url,
    disabled: row.disabled,
    secrets: row.ids.map((secretId, at) => ({ id: secretId, sealed: row.secrets[at] ?? Buffer.alloc(0) })),
  };
}
