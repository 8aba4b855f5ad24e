-- Deletes metadata past its own retention, in one small batch: settled, bodies gone, nothing unpublished left behind.
-- Looks at windows that ended after `p_from` until `p_to`: most rows whose window is over are kept for months, and a call that looked for
-- the few that are due among all of them would read them all. As an array, like in purge_inbox.
create or replace function onceboard.purge_requests(
  p_tenant text, p_limit integer, p_from timestamptz default '-infinity', p_to timestamptz default 'infinity')
returns integer language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer;
begin
  delete from onceboard.idempotency_requests r
  where r.tenant_id = p_tenant and r.operation_id = any (array(
    select d.operation_id from onceboard.idempotency_requests d
    where d.tenant_id = p_tenant and d.state = 'EXPIRED' and d.expires_at > p_from and d.expires_at <= least(p_to, v_now)
      and d.purge_after <= v_now
      and d.body_purged_at is not null
      and not exists (select 1 from onceboard.outbox_messages m where m.tenant_id = p_tenant and m.operation_id = d.operation_id)
    order by d.expires_at
    limit p_limit
    for update skip locked));
  get diagnostics v_count = row_count;
  return v_count;
end $$;
