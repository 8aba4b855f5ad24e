-- Takes recovery ownership of stale leases and of unknown operations whose next look-up is due, raising the fence, so
-- a late owner's write touches nothing. With an operation id it takes that one; `p_now_please` skips the wait for the next
-- look-up (an operator asked), but never a live lease. `p_operations` names those that the caller knows how to recover; without
-- it, what an operator asked of a service (operator_requests) is left to that service.
create or replace function onceboard.take_over(
  p_tenant text, p_owner text, p_lease_ms integer default 30000, p_limit integer default 1, p_operation_id uuid default null,
  p_now_please boolean default false, p_operations text[] default null
) returns table (
  operation_id uuid, operation text, key text, fence integer, stage text, provider_key text, state text,
  previous_owner text, opened_at timestamptz, unknown_since timestamptz, checks integer, age_ms bigint, api_version text
) language plpgsql as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
begin
  if p_owner is null or coalesce(p_lease_ms, 0) < 1 then
    raise exception 'take_over() needs an owner and a lease of at least 1 ms' using errcode = '22023';
  end if;
  perform onceboard.require_here(p_tenant);
  return query
  with due as (
    select o.operation_id, o.owner as previous_owner from onceboard.idempotency_open o
    where o.tenant_id = p_tenant
      and (p_operation_id is null or o.operation_id = p_operation_id)
      and (o.operation = any (p_operations) or (p_operations is null and o.request_id is null))
      and (o.locked_until <= v_now or (o.locked_until is null and (p_now_please or o.next_check_at <= v_now)))
    order by coalesce(o.locked_until, o.next_check_at)
    limit p_limit
    for update skip locked
  ), taken as (
    update onceboard.idempotency_open o
    set fence = o.fence + 1, owner = p_owner, locked_until = v_now + make_interval(secs => p_lease_ms / 1000.0)
    from due where o.tenant_id = p_tenant and o.operation_id = due.operation_id
    returning o.*, due.previous_owner
  ), raised as (
    update onceboard.idempotency_requests r set fence = t.fence, updated_at = v_now
    from taken t where r.tenant_id = p_tenant and r.operation = t.operation and r.key = t.key
    returning r.operation_id, r.state, r.api_version
  ), told as (
    insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, actor, fence, detail)
    select p_tenant, (v_now at time zone 'utc')::date, gen_random_uuid(), t.operation_id, t.operation, v_now, 'taken_over', p_owner,
      t.fence, jsonb_build_object('from', t.previous_owner, 'stage', t.stage)
    from taken t
  )
  select t.operation_id, t.operation, t.key, t.fence, t.stage, t.provider_key, r.state, t.previous_owner, t.opened_at,
    t.unknown_since, t.checks, (extract(epoch from v_now - t.opened_at) * 1000)::bigint, r.api_version
  from taken t join raised r on r.operation_id = t.operation_id;
end $$;
