-- Settled → EXPIRED once the window is over, in small batches. Never what is open. `p_from` is where the caller's last
-- walk ended and `p_to` how far it looks this time, so that no call reads more of the index than a stretch.
create or replace function onceboard.expire_requests(
  p_tenant text, p_limit integer, p_from timestamptz default '-infinity', p_to timestamptz default 'infinity')
returns integer language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer;
begin
  update onceboard.idempotency_requests r set state = 'EXPIRED', updated_at = v_now
  where r.tenant_id = p_tenant and r.operation_id in (
    select d.operation_id from onceboard.idempotency_requests d
    where d.tenant_id = p_tenant and d.expires_at > p_from and d.expires_at <= least(p_to, v_now)
      and d.state in ('COMPLETED', 'FAILED_REPLAYABLE', 'FAILED_RETRYABLE')
    order by d.expires_at
    limit p_limit
    for update skip locked);
  get diagnostics v_count = row_count;
  return v_count;
end $$;
