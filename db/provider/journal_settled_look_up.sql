-- Journals a question about an operation that has ended as sent, before it is: what another operation needs to know of it, such as the
-- charge of a refund. It settles nothing, so nobody has to hold a lease. False: the operation is not kept any more, or has not ended.
create or replace function onceboard.journal_settled_look_up(
  p_tenant text, p_operation_id uuid, p_id uuid, p_provider_key text, p_provider text
) returns boolean language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  insert into onceboard.provider_requests (tenant_id, id, operation_id, provider_key, provider, kind, state, fence, prepared_at, sent_at)
  select p_tenant, p_id, p_operation_id, p_provider_key, p_provider, 'lookup', 'sent', r.fence, v_now, v_now
  from onceboard.idempotency_requests r
  where r.tenant_id = p_tenant and r.operation_id = p_operation_id
    and r.state not in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY');
  return found;
end $$;
