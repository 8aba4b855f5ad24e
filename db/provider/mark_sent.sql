-- LOCAL_PAYMENT_CREATED → PROVIDER_REQUEST_SENT, committed before the first byte leaves. From here on a lost owner means
-- doubt, before it means nothing happened. False: taken over meanwhile, so nothing may be sent.
-- No scan of what is open, as in complete.
create or replace function onceboard.mark_sent(p_tenant text, p_operation_id uuid, p_fence integer, p_request uuid)
returns boolean language plpgsql set enable_seqscan = off as $$
begin
  update onceboard.idempotency_open o set stage = 'PROVIDER_REQUEST_SENT'
  where o.tenant_id = p_tenant and o.operation_id = p_operation_id and o.fence = p_fence
    and o.stage in ('LOCAL_PAYMENT_CREATED', 'PROVIDER_REQUEST_SENT') and o.locked_until > clock_timestamp();
  if not found then
    return false;
  end if;
  update onceboard.provider_requests r set state = 'sent', sent_at = clock_timestamp()
  where r.tenant_id = p_tenant and r.id = p_request and r.state = 'prepared';
  return true;
end $$;
