-- Destroys the body keys of days before `p_before` that no stored body needs any more. The row's own copy goes here; the key
-- store's key of the period is next, and with it every copy of the row (confirm_destroyed_keys). Never of a day with something open.
create or replace function onceboard.destroy_data_keys(p_tenant text, p_before date)
returns table (day date) language plpgsql as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
begin
  return query
  update onceboard.data_keys k set wrapped = null, destroyed_at = v_now
  where k.tenant_id = p_tenant and k.purpose = 'body' and k.wrapped is not null and k.day < p_before
    -- Nor one that a process with a wrong clock has only just made.
    and k.created_at < p_before
    -- Whatever it is asked for, never a day whose operations may still be sealing.
    and k.day < (v_now at time zone 'utc')::date - 1
    -- The key's day is that of the operation's id, the stored day that of its claim: clocks may differ by a day.
    and not exists (select 1 from onceboard.idempotency_bodies b
      where b.tenant_id = p_tenant and b.day between k.day - 1 and k.day + 1)
    and not exists (select 1 from onceboard.idempotency_open o
      join onceboard.idempotency_requests r on r.tenant_id = p_tenant and r.operation_id = o.operation_id
      where o.tenant_id = p_tenant and r.body_day between k.day - 1 and k.day + 1)
    -- Nor one by which a message that waits, or that a person may send again, is sealed: under the day it was written on.
    and k.day < coalesce((select (min(m.created_at) at time zone 'utc')::date - 1 from onceboard.outbox_messages m
      where m.tenant_id = p_tenant and m.state <> 'discarded' and m.payload ? 'onceboard.sealed'), 'infinity')
    -- The same of the inbox: what waits has its row among those that are open, what is dead its open dead letter.
    and k.day < coalesce((select (min(m.received_at) at time zone 'utc')::date - 1 from onceboard.inbox_messages m
      where m.tenant_id = p_tenant and m.document_hash is not null and m.id = any (array(
        select o.id from onceboard.inbox_open o where o.tenant_id = p_tenant
        union all select d.message_row_id from onceboard.dead_letters d
        where d.tenant_id = p_tenant and d.side = 'inbox' and d.settled_at is null))), 'infinity')
  returning k.day;
end $$;
