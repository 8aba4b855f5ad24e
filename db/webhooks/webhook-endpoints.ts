import type { Queryable } from "@/db/client";
import { closeCircuit } from "@/db/outbox/circuits";

/** The topic of messages for an endpoint. */
const topicOf = (id: string): string => `webhook:${id}`;

export interface NewWebhookEndpoint {
  readonly tenantId: string;
  readonly id: string;
  readonly url: string;
  /** Empty: all. */
  readonly types: readonly string[];
  readonly description: string;
  readonly createdBy: string;
  /** Endpoints that the tenant may have, this one included. */
  readonly limit: number;
}

/**
 * Keeps an endpoint. Two that are made at once wait for each other at the tenant's row, so the limit holds.
 * @returns `exists` when the tenant has this address already, `limit` when it has enough
 */
export async function insertWebhookEndpoint(
  tx: Queryable,
  input: NewWebhookEndpoint,
): Promise<"created" | "exists" | "limit"> {
  const { tenantId, id, url, types, description, createdBy, limit } = input;
  await tx.query({ text: "select 1 from onceboard.tenants where id = $1 for no key update", values: [tenantId] });
  const { rows } = await tx.query<{ count: number }>({
    text: "select count(*)::integer as count from onceboard.webhook_endpoints where tenant_id = $1",
    values: [tenantId],
  });
  if ((rows[0]?.count ?? 0) >= limit) return "limit";
  const { rowCount } = await tx.query({
    text: `insert into onceboard.webhook_endpoints (tenant_id, id, url, types, description, created_at, created_by)
           values ($1, $2, $3, $4, $5, clock_timestamp(), $6) on conflict (tenant_id, url) do nothing`,
    values: [tenantId, id, url, types, description, createdBy],
  });
  return rowCount === 1 ? "created" : "exists";
}

/** @returns false when there is no such endpoint */
export async function updateWebhookEndpoint(
  tx: Queryable,
  input: {
    readonly tenantId: string;
    readonly id: string;
    readonly types: readonly string[];
    readonly description: string;
  },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: "update onceboard.webhook_endpoints set types = $3, description = $4 where tenant_id = $1 and id = $2",
    values: [input.tenantId, input.id, input.types, input.description],
  });
  return rowCount === 1;
}

/** Removes an endpoint with its secrets; its messages stay and are refused one by one. @returns false when it is not there */
export async function deleteWebhookEndpoint(tx: Queryable, tenantId: string, id: string): Promise<boolean> {
  await tx.query({
    text: "delete from onceboard.webhook_secrets where tenant_id = $1 and endpoint_id = $2",
    values: [tenantId, id],
  });
  const { rowCount } = await tx.query({
    text: "delete from onceboard.webhook_endpoints where tenant_id = $1 and id = $2",
    values: [tenantId, id],
  });
  // What waits is refused at once then, not one by one with the waits of a circuit.
  await closeCircuit(tx, tenantId, topicOf(id));
  return rowCount === 1;
}

/**
 * Adds a secret. Those before it end with the overlap, those that are over already are removed: so two are valid at once, or as many
 * as somebody rotated within one overlap.
 *
 * @param overlapHours how long the ones before stay valid
 */
export async function addWebhookSecret(
  tx: Queryable,
  input: {
    readonly tenantId: string;
    readonly endpointId: string;
    readonly secretId: string;
    readonly sealed: Buffer;
    readonly overlapHours: number;
  },
): Promise<void> {
  const { tenantId, endpointId, secretId, sealed, overlapHours } = input;
  await tx.query({
    text: `delete from onceboard.webhook_secrets
           where tenant_id = $1 and endpoint_id = $2 and expires_at <= clock_timestamp()`,
    values: [tenantId, endpointId],
  });
  await tx.query({
    text: `update onceboard.webhook_secrets
           set expires_at = least(expires_at, clock_timestamp() + make_interval(hours => $3::integer))
           where tenant_id = $1 and endpoint_id = $2`,
    values: [tenantId, endpointId, overlapHours],
  });
  await tx.query({
    text: `insert into onceboard.webhook_secrets (tenant_id, endpoint_id, secret_id, secret, created_at)
           values ($1, $2, $3, $4, clock_timestamp())`,
    values: [tenantId, endpointId, secretId, sealed],
  });
}

/** Disables or enables an endpoint; one that is enabled is tried at once. @returns false when it is like that already, or not there */
export async function setWebhookEndpointState(
  db: Queryable,
  input: { readonly tenantId: string; readonly id: string; readonly disabled: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `update onceboard.webhook_endpoints set disabled_at = case when $3 then clock_timestamp() end
           where tenant_id = $1 and id = $2 and (disabled_at is not null) <> $3`,
    values: [input.tenantId, input.id, input.disabled],
  });
  if (rowCount === 1 && !input.disabled) await closeCircuit(db, input.tenantId, topicOf(input.id));
  return rowCount === 1;
}
