-- PROVIDER_REQUEST_SENT → PROVIDER_CONFIRMED: the provider's final word is known and not yet turned into the answer.
-- No scan of what is open, as in complete.
create or replace function onceboard.confirm_provider(p_tenant text, p_operation_id uuid, p_fence integer)
returns boolean language plpgsql set enable_seqscan = off as $$
begin
  update onceboard.idempotency_open o set stage = 'PROVIDER_CONFIRMED'
  where o.tenant_id = p_tenant and o.operation_id = p_operation_id and o.fence = p_fence
    and o.stage in ('PROVIDER_REQUEST_SENT', 'PROVIDER_CONFIRMED');
  return found;
end $$;
