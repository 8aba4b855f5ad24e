import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";

export interface WebhookEndpointListRow {
  readonly id: string;
  readonly url: string;
  readonly topic: string;
  readonly types: readonly string[];
  readonly description: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly disabled_at: string | null;
  readonly disabled_by: string | null;
  readonly disabled_reason: string | null;
  readonly secrets: readonly { readonly id: string; readonly createdAt: string; readonly expiresAt: string | null }[];
  readonly waiting: number;
  readonly dead: number;
  readonly last_error: string | null;
  readonly delivered: number;
  readonly failed: number;
  readonly last_delivery_at: string | null;
}

/** Messages that are counted per endpoint; more is drawn as this many. */
export const WAITING_COUNTED = 10_000;

/** The tenant's endpoints, oldest first, with what waits for each and how it went; never a secret. @param limit endpoints */
export async function selectWebhookEndpoints(
  q: Queryable,
  tenantId: string,
  limit: number,
): Promise<WebhookEndpointListRow[]> {
  const { rows } = await q.query<WebhookEndpointListRow>({
    text: `select e.id, e.url, e.topic, e.types, e.description, ${iso("e.created_at")} as created_at, e.created_by,
  ${iso("e.disabled_at")} as disabled_at, off.actor_name as disabled_by, off.reason as disabled_reason,
  coalesce(secret.list, '[]'::jsonb) as secrets, waits.count as waiting, dead.count as dead, trouble.last_error, day.delivered, day.failed,
  ${iso("last.bucket")} as last_delivery_at
from (select w.*, 'webhook:' || w.id as topic from onceboard.webhook_endpoints w where w.tenant_id = $1 order by w.created_at, w.id limit $2) e
left join lateral (
  select a.actor_name, a.reason from onceboard.audit_entries a
  where a.tenant_id = $1 and a.subject_type = 'webhook_endpoint' and a.subject_id = e.id::text and a.action = 'webhook_endpoints.disable'
    and e.disabled_at is not null and coalesce(a.after ->> 'changed', 'true') = 'true'
  order by a.sequence desc limit 1) off on true
left join lateral (
  select jsonb_agg(jsonb_build_object('id', s.secret_id, 'createdAt', ${iso("s.created_at")}, 'expiresAt', ${iso("s.expires_at")})
    order by s.created_at desc, s.secret_id desc) as list
  from onceboard.webhook_secrets s
  where s.tenant_id = $1 and s.endpoint_id = e.id and (s.expires_at is null or s.expires_at > now())) secret on true
cross join lateral (
  select count(*)::int as count from (
    select 1 from onceboard.outbox_messages m where m.tenant_id = $1 and m.topic = e.topic and m.state = 'pending' limit $3) m) waits
cross join lateral (
  select count(*)::int as count from (
    select 1 from onceboard.dead_letters d
    where d.tenant_id = $1 and d.side = 'outbox' and d.place = e.topic and d.settled_at is null limit $3) d) dead
left join lateral (
  select t.last_error from (
    select m.last_error from onceboard.outbox_messages m where m.tenant_id = $1 and m.topic = e.topic and m.state = 'pending' limit 100) t
  where t.last_error is not null limit 1) trouble on true
cross join lateral (
  select coalesce(sum(p.succeeded), 0)::int as delivered, coalesce(sum(p.failed), 0)::int as failed from onceboard.metric_messages p
  where p.tenant_id = $1 and p.side = 'outbox' and p.place = e.topic and p.bucket > now() - interval '1 day') day
left join lateral (
  select p.bucket from onceboard.metric_messages p
  where p.tenant_id = $1 and p.side = 'outbox' and p.place = e.topic and p.succeeded > 0 order by p.bucket desc limit 1) last on true
order by e.created_at, e.id`,
    values: [tenantId, limit, WAITING_COUNTED],
  });
  return rows;
}
