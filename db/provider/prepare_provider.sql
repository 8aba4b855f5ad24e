-- RECEIVED → LOCAL_PAYMENT_CREATED: the journal row before anything is sent. False: the fence is not ours any more.
-- No scan of what is open, as in complete.
create or replace function onceboard.prepare_provider(
  p_tenant text, p_operation_id uuid, p_fence integer, p_id uuid, p_provider_key text, p_provider text, p_kind text,
  p_amount bigint default null, p_currency text default null
) returns boolean language plpgsql set enable_seqscan = off as $$
begin
  update onceboard.idempotency_open o set stage = 'LOCAL_PAYMENT_CREATED', provider_key = p_provider_key
  where o.tenant_id = p_tenant and o.operation_id = p_operation_id and o.fence = p_fence and o.stage = 'RECEIVED';
  if not found then
    return false;
  end if;
  insert into onceboard.provider_requests (tenant_id, id, operation_id, provider_key, provider, kind, state, fence, amount_minor, currency, prepared_at)
  values (p_tenant, p_id, p_operation_id, p_provider_key, p_provider, p_kind, 'prepared', p_fence, p_amount, p_currency, clock_timestamp());
  return true;
end $$;
