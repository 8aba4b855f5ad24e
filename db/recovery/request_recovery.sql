-- Records what an operator asks the service of an operation to do. Says recorded; or why not: not_found, settled, not_offered (no
-- service that offers this owns it), held (a live lease), requested (another request is open), sent (a release of what was sent),
-- unsent (a decision about what was never sent). The open row is locked first, as by everybody who ends a request.
create or replace function onceboard.request_recovery(
  p_tenant text, p_id uuid, p_operation_id uuid, p_action text, p_asked_by text, p_person text, p_outcome text default null,
  p_provider_reference text default null, p_evidence text[] default '{}', p_reason text default null
) returns table (answer text, service text) language plpgsql as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_open onceboard.idempotency_open%rowtype;
  v_service text;
  v_answer text := 'recorded';
begin
  select * into v_open from onceboard.idempotency_open o
  where o.tenant_id = p_tenant and o.operation_id = p_operation_id for update;
  if not found then
    return query select case when exists (
      select 1 from onceboard.idempotency_requests r where r.tenant_id = p_tenant and r.operation_id = p_operation_id
    ) then 'settled' else 'not_found' end, null::text;
    return;
  end if;
  select k.owner into v_service from onceboard.operation_kinds k
  where k.name = v_open.operation and k.runs_in = 'service' and p_action = any (k.actions);
  if v_service is null then
    v_answer := 'not_offered';
  elsif v_open.locked_until > v_now then
    v_answer := 'held';
  elsif v_open.request_id is not null then
    v_answer := 'requested';
  elsif p_action = 'release' and v_open.stage not in ('RECEIVED', 'LOCAL_PAYMENT_CREATED') then
    v_answer := 'sent';
  elsif p_action = 'resolve' and v_open.stage in ('RECEIVED', 'LOCAL_PAYMENT_CREATED') then
    v_answer := 'unsent';
  else
    insert into onceboard.operator_requests (tenant_id, id, operation_id, operation, service, action, outcome, provider_reference,
      evidence, reason, asked_by, person, asked_at)
    values (p_tenant, p_id, p_operation_id, v_open.operation, v_service, p_action, p_outcome, p_provider_reference,
      p_evidence, p_reason, p_asked_by, p_person, v_now);
    update onceboard.idempotency_open o set request_id = p_id where o.tenant_id = p_tenant and o.operation_id = p_operation_id;
  end if;
  return query select v_answer, v_service;
end $$;
