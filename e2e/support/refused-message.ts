import type { ApiFixture } from "./fixtures";

/** A message that its receiver refused with its only attempt. @returns its id */
export async function refusedMessage(api: ApiFixture): Promise<string> {
  const [row] = await api.rows<{ id: string }>(
    `with m as (
       insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at,
         state, attempts_started, attempts_finished, last_error_code, last_error)
       select t.id, g.id, 'order', g.id::text, 'e2e-orders', 'e2e.order', jsonb_build_object('id', g.id, 'amount', 120.50, 'note', 'wrong'), now(), now(),
         'dead', 1, 1, 'delivery.http_422', 'The destination answered 422'
       from (select gen_random_uuid() as id) g, (select id from onceboard.tenants order by id limit 1) t returning id, tenant_id),
     a as (
       insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, fence, ended_at, outcome, error_code)
       select m.tenant_id, (now() at time zone 'utc')::date, gen_random_uuid(), 'outbox', m.id, 'e2e-orders', 1, 1, now(), 'dead', 'delivery.http_422' from m)
     insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     select m.tenant_id, gen_random_uuid(), 'outbox', m.id, 'e2e-orders', 'e2e.order', 'e2e:refused', 'delivery.http_422', 'The destination answered 422', 1, now()
     from m returning message_row_id as id`,
  );
  return row?.id ?? "";
}
