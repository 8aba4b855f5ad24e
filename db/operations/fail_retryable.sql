-- IN_PROGRESS or UNKNOWN → FAILED_RETRYABLE: definitely no effect, the same key may run again. False: fenced.
create or replace function onceboard.fail_retryable(p_tenant text, p_operation_id uuid, p_fence integer, p_error_code text)
returns boolean language plpgsql as $$
declare
  v_open onceboard.idempotency_open%rowtype;
begin
  delete from onceboard.idempotency_open o
  where o.tenant_id = p_tenant and o.operation_id = p_operation_id and o.fence = p_fence
  returning * into v_open;
  if not found then
    return false;
  end if;
  update onceboard.idempotency_requests r
  set state = 'FAILED_RETRYABLE', error_code = p_error_code, updated_at = clock_timestamp()
  where r.tenant_id = p_tenant and r.operation = v_open.operation and r.key = v_open.key and r.fence = p_fence
    and r.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY');
  if not found then
    raise exception 'operation % is open but its request is not', p_operation_id using errcode = 'XX001';
  end if;
  return true;
end $$;
