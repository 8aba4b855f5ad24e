-- Ends what an operator asked of a service, in the transaction that settles the operation: settled by who took it, or overtaken by
-- somebody who had not. A doubt that goes on (mark_unknown) ends it only for who took it. Event and audit name the person and the service.
create or replace function onceboard.end_operator_request(
  p_tenant text, p_request uuid, p_fence integer, p_state text, p_finding text default null
) returns void language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_row onceboard.operator_requests%rowtype;
  v_decided boolean;
  v_result jsonb;
begin
  update onceboard.operator_requests q
  set ended_at = v_now, ended = case when q.fence = p_fence then 'settled' else 'overtaken' end, result = p_state, finding = p_finding
  where q.tenant_id = p_tenant and q.id = p_request and q.ended_at is null
    and (q.fence = p_fence or p_state <> 'UNKNOWN_REQUIRES_RECOVERY')
  returning * into v_row;
  if not found then
    return;
  end if;
  update onceboard.idempotency_open o set request_id = null
  where o.tenant_id = p_tenant and o.operation_id = v_row.operation_id and o.request_id = p_request;
  v_result := jsonb_build_object('from', v_row.found_state, 'to', p_state, 'finding', p_finding, 'asked', v_row.action,
    'person', v_row.person, 'service', v_row.service);
  if v_row.ended = 'settled' then
    -- As our own: a person's decision that was kept is an event of the person, an answer is one of who asked for it.
    v_decided := v_row.outcome is not null
      and p_state = case v_row.outcome when 'succeeded' then 'COMPLETED' else 'FAILED_REPLAYABLE' end;
    insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, actor, fence, detail)
    values (p_tenant, (v_now at time zone 'utc')::date, gen_random_uuid(), v_row.operation_id, v_row.operation, v_now,
      case when v_decided then 'resolved' else 'reconciled' end, case when v_decided then v_row.person else v_row.taken_by end, p_fence,
      v_result || case when v_decided then jsonb_build_object('decision', v_row.outcome, 'evidence', v_row.evidence) else '{}' end);
  end if;
  perform onceboard.append_audit(p_tenant, gen_random_uuid(), 'service', coalesce(v_row.taken_by, v_row.service), v_row.service,
    'operations.' || v_row.action, 'operation', v_row.operation_id::text, v_row.reason,
    jsonb_build_object('state', v_row.found_state, 'request', 'open', 'person', v_row.person),
    jsonb_build_object('state', p_state, 'request', v_row.ended, 'finding', p_finding, 'person', v_row.person),
    to_jsonb(v_row.evidence), null);
end $$;
