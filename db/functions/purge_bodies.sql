-- Deletes the bodies of settled operations that are older than the body retention, oldest day first, in one small batch.
-- The metadata stays as the tombstone: the key still answers, it never executes again. Never what is open (S4.11).
create or replace function onceboard.purge_bodies(p_tenant text, p_body_ttl_hours integer, p_limit integer, p_operation_id uuid default null)
returns table (operations integer, body_rows integer, bytes bigint) language plpgsql as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
begin
  return query
  with victims as (
    select r.operation, r.key, r.operation_id, r.body_day from onceboard.idempotency_requests r
    where r.tenant_id = p_tenant
      and r.state not in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')
      and r.operation_id in (
        select b.operation_id from onceboard.idempotency_bodies b
        where b.tenant_id = p_tenant and b.kind = 'command'
          and (b.operation_id = p_operation_id or p_operation_id is null
            and b.day <= ((v_now - make_interval(hours => p_body_ttl_hours)) at time zone 'utc')::date
            and b.created_at <= v_now - make_interval(hours => p_body_ttl_hours))
        order by b.day, b.operation_id
        limit p_limit)
    for update skip locked
  ), gone as (
    delete from onceboard.idempotency_bodies b using victims v
    where b.tenant_id = p_tenant and b.day = v.body_day and b.operation_id = v.operation_id
    returning b.operation_id, length(b.body) as size
  ), marked as (
    update onceboard.idempotency_requests r set body_purged_at = v_now, updated_at = v_now
    from victims v where r.tenant_id = p_tenant and r.operation = v.operation and r.key = v.key
    returning r.operation_id, r.operation
  ), told as (
    insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type)
    select p_tenant, (v_now at time zone 'utc')::date, gen_random_uuid(), m.operation_id, m.operation, v_now, 'body_purged' from marked m
  )
  select (select count(*)::integer from marked), (select count(*)::integer from gone), coalesce((select sum(size) from gone), 0)::bigint;
end $$;
