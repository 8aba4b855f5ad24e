-- Deletes the bodies of settled operations that are older than the body retention, oldest day first, in one small batch.
-- The metadata stays as the tombstone: the key still answers, it never executes again. Never what is open.
-- `p_ttls` holds the operations that keep theirs for another time, in hours by name: {"payments.create": 24}.
-- With an operation id it takes that one, whatever its age. Commands kept beside conflicts go with it.
create or replace function onceboard.purge_bodies(
  p_tenant text, p_body_ttl_hours integer, p_limit integer, p_operation_id uuid default null, p_ttls jsonb default '{}')
returns table (operations integer, body_rows integer, bytes bigint) language plpgsql as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_shortest integer := least(p_body_ttl_hours, (select min(value::integer) from jsonb_each_text(p_ttls)));
  v_before timestamptz := v_now - make_interval(hours => v_shortest);
  v_first date := '-infinity';
  v_last date := (v_before at time zone 'utc')::date;
begin
  if p_operation_id is not null then
    select r.body_day, r.body_day, 'infinity'::timestamptz into v_first, v_last, v_before
    from onceboard.idempotency_requests r where r.tenant_id = p_tenant and r.operation_id = p_operation_id;
  end if;
  return query
  with victims as materialized (
    select r.operation, r.key, r.operation_id, r.body_day
    from onceboard.idempotency_bodies b
    join onceboard.idempotency_requests r on r.tenant_id = p_tenant and r.operation_id = b.operation_id
    where b.tenant_id = p_tenant and b.kind = 'command' and b.day between v_first and v_last and b.created_at <= v_before
      and (p_operation_id is not null
        or b.created_at <= v_now - make_interval(hours => coalesce((p_ttls ->> r.operation)::integer, p_body_ttl_hours)))
      and (p_operation_id is null or b.operation_id = p_operation_id)
      and r.body_purged_at is null -- another run was first: its mark is seen when the lock is taken
      and r.state not in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')
      and (r.state <> 'FAILED_RETRYABLE' or r.expires_at <= v_now) -- may run again under its key
    order by b.day, b.operation_id
    limit p_limit
    for update of r skip locked
  ), gone as (
    delete from onceboard.idempotency_bodies b using victims v
    where b.tenant_id = p_tenant and b.day = v.body_day and b.operation_id = v.operation_id
    returning b.operation_id, length(b.body) as size
  ), other as (
    update onceboard.idempotency_events e set command = null from victims v
    where e.tenant_id = p_tenant and e.operation_id = v.operation_id and e.command is not null
    returning 1
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
