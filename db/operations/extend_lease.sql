-- Gives the owner of an operation more time, from now on by the database's clock; it never shortens a lease. False: fenced, settled, or
-- the lease is over, so that somebody else may own it already: the caller must stop.
-- No scan of what is open, as in complete.
create or replace function onceboard.extend_lease(p_tenant text, p_operation_id uuid, p_fence integer, p_lease_ms integer default 30000)
returns boolean language plpgsql set enable_seqscan = off as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  if coalesce(p_lease_ms, 0) < 1 then
    raise exception 'extend_lease() needs a lease of at least 1 ms' using errcode = '22023';
  end if;
  update onceboard.idempotency_open o
  set locked_until = greatest(o.locked_until, v_now + make_interval(secs => p_lease_ms / 1000.0))
  where o.tenant_id = p_tenant and o.operation_id = p_operation_id and o.fence = p_fence and o.locked_until > v_now;
  return found;
end $$;
