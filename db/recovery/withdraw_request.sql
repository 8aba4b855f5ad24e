-- Takes back what an operator asked of a service. Who has it in hand is fenced, so that nothing is settled by it any more, and the
-- operation goes back: it waits for its next look-up, or for whoever takes over what has no owner. One row with the request, none
-- when it is not open (any more).
create or replace function onceboard.withdraw_request(p_tenant text, p_operation_id uuid, p_by text)
returns table (id uuid, action text, service text, person text, taken_by text) language plpgsql as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_open onceboard.idempotency_open%rowtype;
  v_row onceboard.operator_requests%rowtype;
begin
  select * into v_open from onceboard.idempotency_open o
  where o.tenant_id = p_tenant and o.operation_id = p_operation_id and o.request_id is not null for update;
  if not found then
    return;
  end if;
  update onceboard.operator_requests q set ended_at = v_now, ended = 'withdrawn', withdrawn_by = p_by
  where q.tenant_id = p_tenant and q.id = v_open.request_id
  returning * into strict v_row;
  if v_row.fence = v_open.fence and v_open.locked_until > v_now then
    update onceboard.idempotency_requests r set fence = r.fence + 1, updated_at = v_now
    where r.tenant_id = p_tenant and r.operation = v_open.operation and r.key = v_open.key;
    update onceboard.idempotency_open o
    set request_id = null, fence = o.fence + 1, owner = case when o.unknown_since is null then o.owner end,
        locked_until = case when o.unknown_since is null then v_now end
    where o.tenant_id = p_tenant and o.operation_id = p_operation_id;
  else
    update onceboard.idempotency_open o set request_id = null where o.tenant_id = p_tenant and o.operation_id = p_operation_id;
  end if;
  return query select v_row.id, v_row.action, v_row.service, v_row.person, v_row.taken_by;
end $$;
