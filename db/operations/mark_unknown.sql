-- IN_PROGRESS → UNKNOWN_REQUIRES_RECOVERY, or UNKNOWN again after a look-up that settled nothing. Gives the lease up and
-- plans the next look-up. False: fenced.
-- No scan of what is open, as in complete.
create or replace function onceboard.mark_unknown(
  p_tenant text, p_operation_id uuid, p_fence integer, p_error_code text default null,
  p_finding text default null, p_checked boolean default false, p_next_check_ms bigint default 60000
) returns boolean language plpgsql set enable_seqscan = off as $$
declare
  v_now timestamptz := clock_timestamp();
  v_open onceboard.idempotency_open%rowtype;
begin
  update onceboard.idempotency_open o
  set owner = null, locked_until = null, unknown_since = coalesce(o.unknown_since, v_now),
      next_check_at = v_now + make_interval(secs => p_next_check_ms / 1000.0),
      checks = o.checks + (case when p_checked then 1 else 0 end),
      last_finding = coalesce(p_finding, o.last_finding)
  where o.tenant_id = p_tenant and o.operation_id = p_operation_id and o.fence = p_fence
  returning * into v_open;
  if not found then
    return false;
  end if;
  update onceboard.idempotency_requests r
  set state = 'UNKNOWN_REQUIRES_RECOVERY', error_code = coalesce(p_error_code, r.error_code), updated_at = v_now
  where r.tenant_id = p_tenant and r.operation = v_open.operation and r.key = v_open.key and r.fence = p_fence
    and r.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY');
  if not found then
    raise exception 'operation % is open but its request is not', p_operation_id using errcode = 'XX001';
  end if;
  if v_open.request_id is not null then
    perform onceboard.end_operator_request(p_tenant, v_open.request_id, p_fence, 'UNKNOWN_REQUIRES_RECOVERY', p_finding);
  end if;
  return true;
end $$;
