-- IN_PROGRESS or UNKNOWN → FAILED_RETRYABLE: definitely no effect, the same key may run again. A doubt that ends with it is kept. False: fenced.
-- No scan of what is open, as in complete.
create or replace function onceboard.fail_retryable(p_tenant text, p_operation_id uuid, p_fence integer, p_error_code text)
returns boolean language plpgsql set enable_seqscan = off as $$
declare
  v_now timestamptz := clock_timestamp();
  v_open onceboard.idempotency_open%rowtype;
  v_amount bigint;
  v_currency text;
begin
  delete from onceboard.idempotency_open o
  where o.tenant_id = p_tenant and o.operation_id = p_operation_id and o.fence = p_fence
  returning * into v_open;
  if not found then
    return false;
  end if;
  update onceboard.idempotency_requests r
  set state = 'FAILED_RETRYABLE', error_code = p_error_code, updated_at = v_now
  where r.tenant_id = p_tenant and r.operation = v_open.operation and r.key = v_open.key and r.fence = p_fence
    and r.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')
  returning r.amount_minor, r.currency into v_amount, v_currency;
  if not found then
    raise exception 'operation % is open but its request is not', p_operation_id using errcode = 'XX001';
  end if;
  if v_open.unknown_since is not null then
    insert into onceboard.settled_doubts (tenant_id, operation_id, operation, since, until, amount_minor, currency)
    values (p_tenant, p_operation_id, v_open.operation, v_open.unknown_since, greatest(v_now, v_open.unknown_since), v_amount, v_currency)
    on conflict do nothing;
  end if;
  if v_open.request_id is not null then
    perform onceboard.end_operator_request(p_tenant, v_open.request_id, p_fence, 'FAILED_RETRYABLE');
  end if;
  return true;
end $$;
