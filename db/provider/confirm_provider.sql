-- PROVIDER_REQUEST_SENT → PROVIDER_CONFIRMED: the provider's final word is known and not yet turned into the answer.
create or replace function onceboard.confirm_provider(p_tenant text, p_operation_id uuid, p_fence integer)
returns boolean language plpgsql as $$
begin
  update onceboard.idempotency_open o set stage = 'PROVIDER_CONFIRMED'
  where o.tenant_id = p_tenant and o.operation_id = p_operation_id and o.fence = p_fence
    and o.stage in ('PROVIDER_REQUEST_SENT', 'PROVIDER_CONFIRMED');
  return found;
end $$;
