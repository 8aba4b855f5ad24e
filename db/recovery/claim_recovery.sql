-- Gives a service one operation that an operator asked about, the oldest request first, with what was asked: through take_over, so
-- under a raised fence and a lease, and never while a lease is live. It settles like any other, and that ends the request. The open
-- row is locked before its request is written, as by who withdraws it.
create or replace function onceboard.claim_recovery(
  p_tenant text, p_owner text, p_operations text[], p_lease_ms integer default 30000, p_operation_id uuid default null
) returns table (
  operation_id uuid, operation text, key text, fence integer, stage text, provider_key text, state text,
  previous_owner text, opened_at timestamptz, unknown_since timestamptz, checks integer, age_ms bigint,
  request_id uuid, action text, outcome text, provider_reference text, evidence text[], reason text, person text, asked_at timestamptz,
  api_version text
) language plpgsql as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_id uuid;
  v_request uuid;
begin
  if p_operations is null then
    raise exception 'claim_recovery() needs the names of the operations that its caller can settle' using errcode = '22023';
  end if;
  select o.operation_id, o.request_id into v_id, v_request
  from onceboard.operator_requests q
  join onceboard.idempotency_open o on o.tenant_id = q.tenant_id and o.operation_id = q.operation_id and o.request_id = q.id
  where q.tenant_id = p_tenant and q.ended_at is null and q.operation = any (p_operations)
    and (p_operation_id is null or q.operation_id = p_operation_id)
    and (o.locked_until is null or o.locked_until <= v_now)
  order by q.asked_at
  limit 1
  for update of o skip locked;
  if not found then
    return;
  end if;
  return query
  with taken as (
    select * from onceboard.take_over(p_tenant => p_tenant, p_owner => p_owner, p_lease_ms => p_lease_ms,
      p_operation_id => v_id, p_now_please => true, p_operations => p_operations)
  ), kept as (
    update onceboard.operator_requests q
    set taken_by = p_owner, taken_at = v_now, fence = t.fence, found_state = t.state
    from taken t where q.tenant_id = p_tenant and q.id = v_request
    returning q.*
  )
  select t.operation_id, t.operation, t.key, t.fence, t.stage, t.provider_key, t.state, t.previous_owner, t.opened_at, t.unknown_since,
    t.checks, t.age_ms, k.id, k.action, k.outcome, k.provider_reference, k.evidence, k.reason, k.person, k.asked_at, t.api_version
  from taken t cross join kept k;
end $$;
