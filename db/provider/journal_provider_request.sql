-- Journals a look-up or a repeated call as sent, before it is. Only who holds the lease now may ask the provider: false
-- says it was taken over meanwhile, or settled, and nothing may be sent. A look-up that answers late is still kept by answer_provider.
-- No scan of what is open, as in complete.
create or replace function onceboard.journal_provider_request(
  p_tenant text, p_operation_id uuid, p_fence integer, p_id uuid, p_provider_key text, p_provider text, p_kind text
) returns boolean language plpgsql set enable_seqscan = off as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  insert into onceboard.provider_requests (tenant_id, id, operation_id, provider_key, provider, kind, state, fence, prepared_at, sent_at)
  select p_tenant, p_id, p_operation_id, p_provider_key, p_provider, p_kind, 'sent', p_fence, v_now, v_now
  from onceboard.idempotency_open o
  where o.tenant_id = p_tenant and o.operation_id = p_operation_id and o.fence = p_fence and o.locked_until > v_now;
  return found;
end $$;
